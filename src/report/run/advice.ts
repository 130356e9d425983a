import type { Problem } from '../../core/problem.js';
import { isShownInRuns } from '../../scenario/lint/rules.js';
import { groupBy } from '../../core/values.js';
import { printable, sentence } from '../../core/printable.js';
import { count, listed } from '../../core/words.js';
import { wrap } from '../layout.js';
import { demand, LIST } from '../../core/arguments.js';

/** A setting that does not divide the traffic as it seems to, in the words of `lbsim validate`. */
export interface Advice {
  rule: string;
  file: string;
  path: string;
  line: number;
  message: string;
}

/** More than this are left to `lbsim validate`. */
const MAX_SHOWN = 4;

/** What a report says of the settings of its scenario. @param problems of a scenario that was loaded with `advice`. */
export function adviceFor(problems: readonly Problem[]): Advice[] {
  demand('adviceFor', ['problems', problems, LIST]);
  const shown = problems.filter(({ rule }) => isShownInRuns(rule));
  return shown.map(({ rule, file, path, line, message }) => ({ rule, file, path, line, message }));
}

export function* adviceLines(advice: readonly Advice[], width: number): Generator<string> {
  const alike = [...groupBy(advice, ({ message }) => message)];
  for (const [message, places] of alike.slice(0, MAX_SHOWN)) {
    const lines = places.flatMap(({ line }) => (line > 0 ? String(line) : []));
    const where = lines.length === 0 ? '' : ` (${lines.length === 1 ? 'line' : 'lines'} ${listed(lines)})`;
    yield* wrap(sentence(printable(message.split('\n')[0] ?? '')).replace(/\.$/, `${where}.`), width);
  }
  const more = alike.length - MAX_SHOWN;
  if (more > 0) yield `… ${count(more)} more such settings: lbsim validate lists them`;
}
