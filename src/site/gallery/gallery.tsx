import { renderToString } from 'preact-render-to-string';
import type { JSX } from 'preact';
import { describeExample, type Example, inTopics } from '../../scenario/example.js';
import type { SourceFile } from '../engine/protocol.js';
import { type Entry, entryFor } from './entry.js';
import { ExamplePage } from './example-page.js';
import { IndexPage } from './index-page.js';
import { visible } from '../number-format.js';

/**
 * The shipped scenarios as questions with their pictures: pages without a script, made where the site is built.
 *
 * @param files the scenarios.
 * @param onDone called with the name of each as it is drawn.
 * @param site the address that the site will have, for pictures beside links to it; empty: it is not known.
 * @returns the texts of pages by file name.
 */
export async function galleryPages(
  files: readonly SourceFile[],
  onDone: (name: string) => void = () => undefined,
  site = '',
): Promise<ReadonlyMap<string, string>> {
  const described = files.map(({ file, text }) => ({ ...unquoted(describeExample(file, text)), file, text }));
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
      page(
        { title: 'Questions about load balancing, with their pictures', description: LEAD, site },
        <IndexPage entries={entries} lead={LEAD} />,
      ),
    ],
    ...entries.map((entry, place): [string, string] => [
      `${entry.example.name}.html`,
      page(
        {
          title: visible(entry.example.question, 500),
          description: visible(entry.answer, 300),
          site,
        },
        <ExamplePage entry={entry} before={entries[place - 1]?.example} after={entries[place + 1]?.example} />,
      ),
    ]),
  ]);
}

const FIRST = 'Panic and priorities';

const LEAD =
  'Questions about load balancing. Each is a scenario that answers it with numbers which its comment works out by hand, and opens in the playground.';

/** The question as a heading. */
function unquoted(example: Example): Example {
  return { ...example, question: example.question.replace(/^"(.*)"$/s, '$1') };
}

/** No script at all, and styles from beside the page. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** What is told of a page, to others as well that show a link to it. */
interface About {
  readonly title: string;
  readonly description: string;
  readonly site: string;
}

function page({ title, description, site }: About, body: JSX.Element): string {
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
