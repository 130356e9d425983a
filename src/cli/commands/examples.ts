import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closest } from 'fastest-levenshtein';
import { jsonDocument } from '../../report/json.js';
import { displayWidth, wrap } from '../../report/layout.js';
import { UsageError } from '../errors.js';
import { ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';
import { widthOf } from '../terminal.js';

/** The scenarios that are shipped beside the program. */
const SCENARIOS = new URL('../../../scenarios/', import.meta.url);

interface Example {
  readonly name: string;
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
  const list = files.map(describe);
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
  return {
    name: file.replace(/\.yaml$/, ''),
    question: questionOf(source(file)),
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

function listing(list: readonly Example[], session: Session): string {
  const { stdout, env } = session.io;
  const width = widthOf(stdout, env);
  const nameWidth = Math.max(0, ...list.map((example) => displayWidth(example.name)));
  const lines = list.flatMap((example) =>
    wrap(example.question, width, `${example.name.padEnd(nameWidth)}  `, ' '.repeat(nameWidth + 2)),
  );
  return `${lines.join('\n')}\n\nlbsim examples NAME prints one; lbsim examples NAME | lbsim run - runs it.\n`;
}
