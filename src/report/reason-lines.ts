import { addTo } from '../core/lists.js';
import { printable } from '../core/printable.js';
import type { RunResult } from '../result/run-result.js';
import { reasonTexts } from '../words/reasons.js';
import { counted, listed, sentence } from './format.js';
import { wrap } from './layout.js';

/** More than this are left to `--all`: the answer ends here. */
const MAX_SHOWN = 5;

/** The reasons for the numbers, below the answer: one that holds for several clusters is written once, with their names. */
export function* reasonLines(clusters: RunResult['clusters'], width: number, all: boolean): Generator<string> {
  const several = Object.keys(clusters).length > 1;
  const holdsFor = new Map<string, string[]>();
  for (const [name, { facts }] of Object.entries(clusters)) {
    for (const reason of reasonTexts(facts)) addTo(holdsFor, reason, printable(name));
  }
  const lines = [...holdsFor].map(([reason, names]) => (several ? `${listed(names)}: ` : '') + sentence(reason));
  for (const text of all ? lines : lines.slice(0, MAX_SHOWN)) yield* wrap(text, width, '→ ', '  ');
  const more = lines.length - MAX_SHOWN;
  if (!all && more > 0) yield `… ${counted(more, 'more reason')} (--all)`;
}
