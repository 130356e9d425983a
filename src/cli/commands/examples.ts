import { FORMAT } from '../../core/document-format.js';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closest } from 'fastest-levenshtein';
import { type ExampleDocument, type ExamplesDocument, jsonDocument } from '../../report/documents.js';
import { widest, wrap } from '../../report/layout.js';
import { describeExample, inTopics } from '../../scenario/example.js';
import { lookOf, says, type Session, UsageError, type Work } from '../session.js';
import { SCENARIOS, shippedNames, shippedScenario } from '../package-root.js';

export const examplesCommand: Work<'examples'> = async (wanted, options, session) => {
  const shipped = wanted === undefined ? undefined : shippedScenario(wanted);
  if (shipped !== undefined) {
    if (options.json === true) throw new UsageError('--json prints the list: leave the name out');
    await session.out.write(readFileSync(shipped, 'utf8'));
    return;
  }
  const all = inTopics(shippedNames().map(describe));
  const word = wanted?.toLowerCase() ?? '';
  const list = all.filter(({ name, topic, question }) => `${name} ${topic} ${question}`.toLowerCase().includes(word));
  if (list.length === 0) {
    const names = all.map(({ name }) => name);
    throw new UsageError(says('no_example', { word, near: closest(word, names) }));
  }
  await session.out.write(
    options.json === true
      ? jsonDocument({ format: FORMAT, examples: list } satisfies ExamplesDocument)
      : listing(list, session),
  );
};

function describe(name: string): ExampleDocument {
  const url = new URL(`${name}.yaml`, SCENARIOS);
  return { ...describeExample(name, readFileSync(url, 'utf8')), file: fileURLToPath(url) };
}

function listing(list: readonly ExampleDocument[], session: Session): string {
  const { width } = lookOf(session.io.stdout, session.io.env);
  const nameWidth = widest(list.map(({ name }) => name));
  const lines = list.flatMap((example, index) => [
    ...(example.topic === list[index - 1]?.topic ? [] : [...(index === 0 ? [] : ['']), example.topic, '']),
    ...wrap(example.question, width, `  ${example.name.padEnd(nameWidth)}  `, ' '.repeat(nameWidth + 4)),
  ]);
  return `${lines.join('\n')}\n\nlbsim examples NAME prints one; lbsim run NAME runs it.\n`;
}
