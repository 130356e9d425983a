import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { answerOf, describeExample, type Example, inTopics } from '../../scenario/example.js';
import { plainSeconds, visible } from '../number-format.js';
import { factsOf } from '../view/answer.js';
import { Paragraphs } from '../view/controls.js';
import { escaped, printableLines } from '../../core/printable.js';
import { groupBy, own } from '../../core/values.js';
import { TEXT } from './generated/page.js';
import { FlowCaption, FlowPicture } from '../view/flow.js';
import { HatchPattern, laneDrawing, LanesCaption, LanesPicture } from '../view/lanes.js';
import { instantAt, type Telling, tellingInstants } from '../instant.js';
import type { RunPicture } from '../engine/draw-picture.js';
import { Engine } from '../engine/engine.js';
import type { SourceFile } from '../link.js';

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
  const index = page(
    'Questions about load balancing, with their pictures',
    LEAD,
    site,
    <IndexPage entries={entries} />,
  );
  const pages = entries.map((entry, place): [string, string] => {
    const { question, name } = entry.example;
    const [before, after] = [entries[place - 1]?.example, entries[place + 1]?.example];
    const body = <ExamplePage entry={entry} before={before} after={after} />;
    return [`${name}.html`, page(visible(question, 500), visible(entry.answer, 300), site, body)];
  });
  return new Map([['index.html', index], ...pages]);
}

const FIRST = 'Panic and priorities';

const LEAD =
  'Questions about load balancing. Each is a scenario that answers it with numbers which its comment works out by hand, and opens in the playground.';

/** No script at all, and styles from beside it. @param site as above: what is told of a page is told to others as well that show a link to it. */
function page(title: string, description: string, site: string, body: JSX.Element): string {
  const parts = {
    TITLE: escaped(title),
    DESCRIPTION: escaped(description),
    IMAGE: site === '' ? '' : `<meta property="og:image" content="${escaped(site)}playground.png">\n`,
    BODY: renderToString(body),
  };
  return TEXT.replace(/TITLE|DESCRIPTION|IMAGE|BODY/g, (name) => own(parts, name) ?? '');
}

/** Pictures of cards are drawn at this width, and fit into the card. */
const CARD_PX = 430;

function IndexPage({ entries }: Readonly<{ entries: readonly Entry[] }>) {
  const topics = [...groupBy(entries, ({ example }) => example.topic)];
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
        {topics.map(([topic]) => (
          <a key={topic} href={`#${anchorOf(topic)}`}>
            {visible(topic, 80)}
          </a>
        ))}
      </nav>
      <main>
        {topics.map(([topic, some]) => (
          <section key={topic} id={anchorOf(topic)} aria-labelledby={`${anchorOf(topic)}-title`}>
            <h2 id={`${anchorOf(topic)}-title`}>{visible(topic, 80)}</h2>
            <ul class="cards">
              {some.map((entry) => (
                <Card key={entry.example.name} entry={entry} />
              ))}
            </ul>
          </section>
        ))}
      </main>
    </GalleryFrame>
  );
}

function Card({ entry: { example, picture, answer, telling } }: Readonly<{ entry: Entry }>) {
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

const anchorOf = (topic: string): string => topic.toLowerCase().replace(/[^a-z]+/g, '-');

type StillFlowProps = Readonly<{ run: RunPicture; telling: Telling; width: number }>;

function StillFlow({ run, telling: { cluster, t }, width }: StillFlowProps) {
  const instant = instantAt(cluster, t);
  if (instant === undefined) return null;
  return <FlowPicture run={run} width={width} drawn={{ cluster, instant, chosen: -1, isLive: false }} />;
}

const WIDTH_PX = 700;
/** Of the flow on phones, where letters would be too small. */
const NARROW_PX = 330;
/** More clusters than this are in the playground. */
const DRAWN = 4;

type ExamplePageProps = Readonly<{ entry: Entry; before: Example | undefined; after: Example | undefined }>;

const GalleryFrame = ({ children }: Readonly<{ children: ComponentChildren }>) => (
  <div class="page gallery">
    <svg class="shared" aria-hidden="true">
      <HatchPattern />
    </svg>
    {children}
  </div>
);

function ExamplePage({ entry, before, after }: ExamplePageProps) {
  const { example, picture, answer, report, telling } = entry;
  const [comment, scenario] = halves(example.text);
  return (
    <GalleryFrame>
      <header class="top">
        <p class="home">
          <a href="index.html">lbsim gallery</a> · {visible(example.topic, 80)}
        </p>
        <a class="button primary" href={playgroundLink(entry)}>
          Open in the playground
        </a>
      </header>
      <main>
        <section class="answer" aria-label="Answer">
          <h1>{visible(example.question, 500)}</h1>
          <p class="headline">{visible(answer, 1000)}</p>
          <p class="more">{visible(picture.answer.join(' '), 4000)}</p>
          <p class="facts">{factsOf(picture, `${example.name}.yaml`)}</p>
        </section>
        {telling.slice(0, DRAWN).map((one) => (
          <Cluster key={one.cluster.name} entry={entry} telling={one} />
        ))}
        {telling.length > DRAWN && (
          <p>
            <a href={playgroundLink(entry)}>{telling.length - DRAWN} more clusters are in the playground.</a>
          </p>
        )}
        <section class="panel as-text" aria-labelledby="worked-title">
          <h2 id="worked-title">Worked out by hand</h2>
          <pre tabindex={0}>{printableLines(comment)}</pre>
        </section>
        <details class="panel as-text">
          <summary>The scenario</summary>
          <pre tabindex={0}>{printableLines(scenario)}</pre>
        </details>
        <details class="panel as-text">
          <summary>The report of lbsim run scenarios/{example.name}.yaml</summary>
          <pre tabindex={0}>{printableLines(report)}</pre>
        </details>
      </main>
      <nav aria-label="Other questions">
        {before !== undefined && (
          <a rel="prev" href={`${before.name}.html`}>
            ← {visible(before.question, 120)}
          </a>
        )}
        {after !== undefined && (
          <a rel="next" href={`${after.name}.html`}>
            {visible(after.question, 120)} →
          </a>
        )}
      </nav>
    </GalleryFrame>
  );
}

function Cluster({ entry, telling }: Readonly<{ entry: Entry; telling: Telling }>) {
  const { picture } = entry;
  const { cluster, t } = telling;
  const instant = instantAt(cluster, t);
  const drawn = laneDrawing(picture, cluster);
  return (
    <section class="panel" aria-label={visible(cluster.name, 80)}>
      <h2>
        {visible(cluster.name, 80)} · {cluster.policy} · at {plainSeconds(t)}
      </h2>
      <div class="cluster">
        <figure class="flow">
          <div class="on-wide">
            <StillFlow run={picture} telling={telling} width={WIDTH_PX} />
          </div>
          <div class="on-narrow">
            <StillFlow run={picture} telling={telling} width={NARROW_PX} />
          </div>
          {instant !== undefined && <FlowCaption instant={instant} />}
        </figure>
        <div class="reasons">
          <Paragraphs of={instant?.phase.reasons ?? []} />
        </div>
      </div>
      {drawn.lanes.length > 0 && (
        <figure class="lanes">
          <LanesPicture drawn={drawn} span={[0, picture.durationS]} width={WIDTH_PX} />
          <LanesCaption drawn={drawn} />
        </figure>
      )}
    </section>
  );
}

/** The comment that a scenario opens with, without its signs, and what follows it. */
function halves(text: string): readonly [comment: string, scenario: string] {
  const lines = text.split('\n').filter((line) => !line.startsWith('# yaml-language-server:'));
  const end = lines.findIndex((line) => !line.startsWith('#'));
  const comment = lines.slice(0, end).map((line) => line.replace(/^# ?/, ''));
  // The question and the topic stand above it.
  const worked = comment.slice(comment.indexOf('')).filter((line) => !/^(?:Topic|Answer): /.test(line));
  return [worked.join('\n').trim(), lines.slice(end).join('\n').trim()];
}

type Entry = Awaited<ReturnType<typeof entryFor>>;

/** @throws Error where the scenario cannot be run. */
async function entryFor(example: Example & SourceFile) {
  // The engine behind the playground. A page that is built twice is the same, so no time is told; nobody waits for a turn.
  const engine = new Engine({ onProgress: () => undefined, nowMs: () => 0, turn: () => Promise.resolve() });
  const { picture, problems } = await engine.run({ files: [example], overrides: {} });
  if (picture === undefined) throw new Error(`${example.file}: ${problems.map(({ message }) => message).join(' ')}`);
  return {
    example,
    picture: { ...picture, elapsedMs: undefined },
    answer: answerOf(example.text) || (picture.answer[0] ?? ''),
    report: engine.export('text').join(''),
    /** Of each cluster, what is drawn of it. */
    telling: tellingInstants(picture),
  };
}

const playgroundLink = ({ example, telling: [first] }: Entry): string =>
  `../index.html#example=${encodeURIComponent(example.name)}&at=${first?.t ?? 0}`;
