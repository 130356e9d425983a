import { renderToString } from 'preact-render-to-string';
import type { JSX } from 'preact';
import { describeExample, inTopics } from '../../scenario/example.js';
import type { SourceFile } from '../engine/engine.js';
import { type Entry, entryFor, ExamplePage, GalleryFrame, StillFlow } from './example-page.js';
import { visible } from '../number-format.js';

/**
 * The shipped scenarios as questions with their pictures: pages without a script, made where the site is built.
 * @param onDone called with the name of each as it is drawn.
 * @param site the address that the site will have, for pictures beside links to it; empty: it is not known.
 * @returns the texts of pages by file name.
 */
export async function galleryPages(
  files: readonly SourceFile[],
  onDone: (name: string) => void = () => undefined,
  site = '',
): Promise<ReadonlyMap<string, string>> {
  const described = files.map(({ file, text }) => {
    const example = describeExample(file, text);
    // The question is a heading.
    return { ...example, question: example.question.replace(/^"(.*)"$/s, '$1'), file, text };
  });
  // What surprises most comes first.
  const first = described.filter(({ topic }) => topic === FIRST);
  const examples = [...first, ...inTopics(described.filter(({ topic }) => topic !== FIRST))];
  const entries: Entry[] = [];
  for (const example of examples) {
    entries.push(await entryFor(example));
    onDone(example.name);
  }
  return new Map([
    [
      'index.html',
      page('Questions about load balancing, with their pictures', LEAD, site, <IndexPage entries={entries} />),
    ],
    ...entries.map((entry, place): [string, string] => [
      `${entry.example.name}.html`,
      page(
        visible(entry.example.question, 500),
        visible(entry.answer, 300),
        site,
        <ExamplePage entry={entry} before={entries[place - 1]?.example} after={entries[place + 1]?.example} />,
      ),
    ]),
  ]);
}

const FIRST = 'Panic and priorities';

const LEAD =
  'Questions about load balancing. Each is a scenario that answers it with numbers which its comment works out by hand, and opens in the playground.';

/** No script at all, and styles from beside the page. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** @param site as above: what is told of a page is told to others as well that show a link to it. */
function page(title: string, description: string, site: string, body: JSX.Element): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="description" content={description} />
        <meta property="og:type" content="article" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {site !== '' && <meta property="og:image" content={`${site}playground.png`} />}
        <title>{`${title} – lbsim`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="gallery.css" />
      </head>
      <body>{body}</body>
    </html>
  );
  return `<!doctype html>\n${renderToString(html)}\n`;
}

/** Pictures of cards are drawn at this width, and fit into the card. */
const CARD_PX = 430;

function IndexPage({ entries }: { readonly entries: readonly Entry[] }): JSX.Element {
  const topics = [...new Set(entries.map(({ example }) => example.topic))];
  return (
    <GalleryFrame>
      <header class="top">
        <h1>
          lbsim <span>gallery</span>
        </h1>
        <a class="button primary" href="../index.html">
          Playground
        </a>
      </header>
      <p class="lead">{LEAD}</p>
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
    </GalleryFrame>
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
