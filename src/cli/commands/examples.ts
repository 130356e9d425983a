import { FORMAT } from '../../core/document-format.js';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closest } from 'fastest-levenshtein';
import type { ExampleDocument, ExamplesDocument } from '../../report/documents.js';
import { jsonDocument } from '../../report/json-document.js';
import { widest, wrap } from '../../report/layout.js';
import { describeExample, inTopics } from '../../scenario/example.js';
import { UsageError } from '../errors.js';
import { packageRoot } from '../package-root.js';
import { type Session, widthOf } from '../session.js';

/** The scenarios that are shipped beside the program. */
const SCENARIOS = new URL('scenarios/', packageRoot);

/** `lbsim examples [NAME]` */
export async function examples(
  name: string | undefined,
  options: { readonly json?: boolean },
  session: Session,
): Promise<void> {
  const files = readdirSync(SCENARIOS)
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  if (name !== undefined) {
    if (options.json === true) throw new UsageError('--json prints the list: leave the name out');
    await session.out.write(source(fileOf(name, files)));
    return;
  }
  const list = inTopics(files.map(describe));
  await session.out.write(
    options.json === true
      ? jsonDocument({ format: FORMAT, examples: list } satisfies ExamplesDocument)
      : listing(list, session),
  );
}

function fileOf(name: string, files: readonly string[]): string {
  const wanted = name.endsWith('.yaml') ? name : `${name}.yaml`;
  if (files.includes(wanted)) return wanted;
  const nearest = closest(wanted, files).replace(/\.yaml$/, '');
  throw new UsageError(`there is no example "${name}"\n(Did you mean ${nearest}?)`);
}

function source(file: string): string {
  return readFileSync(new URL(file, SCENARIOS), 'utf8');
}

function describe(file: string): ExampleDocument {
  return { ...describeExample(file, source(file)), file: fileURLToPath(new URL(file, SCENARIOS)) };
}

function listing(list: readonly ExampleDocument[], session: Session): string {
  const { stdout, env } = session.io;
  const width = widthOf(stdout, env);
  const nameWidth = widest(list.map(({ name }) => name));
  const lines = list.flatMap((example, index) => [
    ...(example.topic === list[index - 1]?.topic ? [] : [...(index === 0 ? [] : ['']), example.topic, '']),
    ...wrap(example.question, width, `  ${example.name.padEnd(nameWidth)}  `, ' '.repeat(nameWidth + 4)),
  ]);
  return `${lines.join('\n')}\n\nlbsim examples NAME prints one; lbsim examples NAME | lbsim run - runs it.\n`;
}
