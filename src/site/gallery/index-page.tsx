import type { JSX } from 'preact';
import { visible } from '../number-format.js';
import { HatchPattern } from '../view/lanes.js';
import type { Entry } from './entry.js';
import { StillFlow } from './example-page.js';

/** Pictures of cards are drawn at this width, and fit into the card. */
const CARD_PX = 430;

/** All questions by topic, each with its picture. */
export function IndexPage({
  entries,
  lead,
}: {
  readonly entries: readonly Entry[];
  readonly lead: string;
}): JSX.Element {
  const topics = [...new Set(entries.map(({ example }) => example.topic))];
  return (
    <div class="page gallery">
      <svg class="shared" aria-hidden="true">
        <HatchPattern />
      </svg>
      <header class="top">
        <h1>
          lbsim <span>gallery</span>
        </h1>
        <a class="button primary" href="../index.html">
          Playground
        </a>
      </header>
      <p class="lead">{lead}</p>
      <nav aria-label="Topics">
        {topics.map((topic) => (
          <a key={topic} href={`#${anchorOf(topic)}`}>
            {visible(topic, 80)}
          </a>
        ))}
      </nav>
      <main>
        {topics.map((topic) => (
          <section key={topic} id={anchorOf(topic)} aria-labelledby={`${anchorOf(topic)}-title`}>
            <h2 id={`${anchorOf(topic)}-title`}>{visible(topic, 80)}</h2>
            <ul class="cards">
              {entries
                .filter(({ example }) => example.topic === topic)
                .map((entry) => (
                  <Card key={entry.example.name} entry={entry} />
                ))}
            </ul>
          </section>
        ))}
      </main>
    </div>
  );
}

function Card({ entry: { example, picture, answer, telling } }: { readonly entry: Entry }): JSX.Element {
  const [first] = telling;
  return (
    <li class="card">
      <a href={`${example.name}.html`}>
        <div class="flow still">
          {first !== undefined && <StillFlow run={picture} telling={first} width={CARD_PX} />}
        </div>
        <h3>{visible(example.question, 300)}</h3>
      </a>
      <p>{visible(answer, 300)}</p>
    </li>
  );
}

function anchorOf(topic: string): string {
  return topic.toLowerCase().replace(/[^a-z]+/g, '-');
}
