import { printable } from '../core/printable.js';
import type { Problem } from '../core/problem.js';
import type { RunResult } from '../result/run-result.js';
import { RETRY_LIMIT_RULE } from '../scenario/lint/affects-split.js';
import { count, sentence } from './format.js';
import { wrap } from './layout.js';

/** Something written that does not divide the traffic as it seems to; as `lbsim validate` says it. */
export interface Advice {
  rule: string;
  file: string;
  path: string;
  line: number;
  message: string;
}

/** More than this are left to `lbsim validate`. */
const MAX_SHOWN = 4;

/** Of what was found in the files what bears on this run: a default limit of retries only where it was reached. */
export function adviceFor(result: RunResult, problems: readonly Problem[]): Advice[] {
  const refused = Object.values(result.clusters).some((cluster) => cluster.retry_overflow > 0);
  return problems
    .filter(({ rule }) => rule !== RETRY_LIMIT_RULE || refused)
    .map(({ rule, file, path, line, message }) => ({ rule, file, path, line, message }));
}

/** "Locality weights are ignored: … (line 7)". */
export function* adviceLines(advice: readonly Advice[], width: number): Generator<string> {
  for (const { message, line } of advice.slice(0, MAX_SHOWN)) {
    const where = line > 0 ? ` (line ${line})` : '';
    yield* wrap(sentence(printable(message.split('\n')[0] ?? '')).replace(/\.$/, `${where}.`), width);
  }
  const more = advice.length - MAX_SHOWN;
  if (more > 0) yield `… ${count(more)} more such settings: lbsim validate lists them`;
}
