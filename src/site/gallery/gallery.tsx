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
 * @returns the texts of pages by file name.
 */
export async function galleryPages(
  files: readonly SourceFile[],
  onDone: (name: string) => void = () => undefined,
): Promise<ReadonlyMap<string, string>> {
  const examples = inTopics(files.map(({ file, text }) => ({ ...unquoted(describeExample(file, text)), file, text })));
  const entries: Entry[] = [];
  for (const example of examples) {
    entries.push(await entryFor(example));
    onDone(example.name);
  }
  return new Map([
    ['index.html', page('Questions about load balancing, with their pictures', <IndexPage entries={entries} />)],
    ...entries.map((entry, place): [string, string] => [
      `${entry.example.name}.html`,
      page(
        visible(entry.example.question, 500),
        <ExamplePage entry={entry} before={entries[place - 1]?.example} after={entries[place + 1]?.example} />,
      ),
    ]),
  ]);
}

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

function page(title: string, body: JSX.Element): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="description" content={title} />
        <title>{`${title} – lbsim`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="gallery.css" />
      </head>
      <body>{body}</body>
    </html>
  );
  return `<!doctype html>\n${renderToString(html)}\n`;
}
