import { largest } from '../../core/lists.js';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closest } from 'fastest-levenshtein';
import { jsonDocument } from '../../report/json.js';
import { displayWidth, wrap } from '../../report/layout.js';
import { UsageError } from '../errors.js';
import { ExitCode } from '../exit-code.js';
import { packageRoot } from '../package-root.js';
import type { Session } from '../session.js';
import { widthOf } from '../terminal.js';

/** The scenarios that are shipped beside the program. */
const SCENARIOS = new URL('scenarios/', packageRoot);

/** Topics in the order of the list; a scenario names its own in a line `# Topic: …` of its comment. */
const TOPICS = [
  'Weights and policies',
  'Panic and priorities',
  'Zones and localities',
  'Subsets',
  'Hashing',
  'Health checks and outliers',
  'Deploys, discovery and updates',
  'Overload, retries and circuit breakers',
  'Statistics',
];

interface Example {
  readonly name: string;
  readonly topic: string;
  /** The question it answers. */
  readonly question: string;
  readonly file: string;
}

/** `lbsim examples [NAME]` */
export async function examples(
  name: string | undefined,
  options: { readonly json?: boolean },
  session: Session,
): Promise<ExitCode> {
  const files = readdirSync(SCENARIOS)
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  if (name !== undefined) {
    if (options.json === true) throw new UsageError('--json prints the list: leave the name out');
    await session.out.write(source(fileOf(name, files)));
    return ExitCode.ok;
  }
  const rank = ({ topic }: Example): number => (TOPICS.includes(topic) ? TOPICS.indexOf(topic) : TOPICS.length);
  const list = files.map(describe).sort((a, b) => rank(a) - rank(b));
  await session.out.write(options.json === true ? jsonDocument({ examples: list }) : listing(list, session));
  return ExitCode.ok;
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

function describe(file: string): Example {
  const text = source(file);
  return {
    name: file.replace(/\.yaml$/, ''),
    topic: topicOf(text),
    question: questionOf(text),
    file: fileURLToPath(new URL(file, SCENARIOS)),
  };
}

/** The first paragraph of the comment a scenario opens with; a line for editors may stand before it. */
export function questionOf(text: string): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('# yaml-language-server:'));
  const end = lines.findIndex((line) => !/^# *\S/.test(line));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.replace(/^# */, '').trim())
    .join(' ');
}

export function topicOf(text: string): string {
  return /^# Topic: (.+)$/m.exec(text)?.[1]?.trim() ?? 'More';
}

function listing(list: readonly Example[], session: Session): string {
  const { stdout, env } = session.io;
  const width = widthOf(stdout, env);
  const nameWidth = largest(
    list.map((example) => displayWidth(example.name)),
    0,
  );
  const lines = list.flatMap((example, index) => [
    ...(example.topic === list[index - 1]?.topic ? [] : [...(index === 0 ? [] : ['']), example.topic, '']),
    ...wrap(example.question, width, `  ${example.name.padEnd(nameWidth)}  `, ' '.repeat(nameWidth + 4)),
  ]);
  return `${lines.join('\n')}\n\nlbsim examples NAME prints one; lbsim examples NAME | lbsim run - runs it.\n`;
}
