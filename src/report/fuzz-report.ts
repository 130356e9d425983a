import type { FuzzDifference, FuzzResult } from '../analysis/fuzz/fuzz-result.js';
import { fill } from '../words/fill.js';
import { printable } from '../core/printable.js';
import { sum } from '../core/lists.js';
import { count } from './format.js';
import { SENTENCES } from './generated/sentences.js';
import { leading, type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';

const WORDS = SENTENCES.fuzzed;

export function fuzzReport(found: FuzzResult, layout: ReportLayout): readonly string[] {
  const { width, paint } = layout;
  const { refused, differences, by_chance: byChance, features } = found;
  const facts = [`Envoy ${found.proxy_version}`, `lbsim as ${found.simulated_version}`];
  const verdict = fill(WORDS.verdict, {
    ...found,
    different: sum(differences.map(({ alike }) => 1 + alike)),
    refused: refused > 0 ? refused : undefined,
    by_chance: byChance > 0 ? byChance : undefined,
  });
  const { name, number } = columnsOf(features);
  return [
    ...leading(found.timelines ? 'mixes whose hosts change' : 'mixes', facts, width, paint),
    '',
    ...wrap(verdict, width),
    ...differences.flatMap((one) => ['', ...differenceLines(one, width)]),
    '',
    ...table(
      [
        name('feature', ({ feature }) => feature),
        number('mixes', (row) => count(row.tried)),
        ...(differences.length === 0
          ? []
          : [
              number('decided differently', (row) => count(row.decided_otherwise)),
              number('counted differently', (row) => count(row.counted_otherwise)),
              number('refused or crashed there', (row) => count(row.refused_there)),
            ]),
      ],
      layout,
      2,
    ),
    '',
    ...wrap(fill(WORDS.seeds, { ...found, last_seed: found.next_seed - 1 }), width),
  ];
}

function differenceLines({ differs, alike, file, crash, scenario, ...one }: FuzzDifference, width: number): string[] {
  const words = { ...one, differs: differs.map((each) => each.words), more: alike > 0 ? alike : undefined };
  const shown = file === undefined ? scenario.trimEnd().split('\n') : [file];
  // The fault is the proxy's own: lbsim answers these requests.
  const crashes = file === undefined ? WORDS.crash : WORDS.crash_saved;
  return [
    ...wrap(printable(fill(WORDS.difference, words)), width),
    ...shown.map((line) => `  ${line}`),
    ...one.not_held.flatMap((left) => wrap(printable(fill(WORDS.left_out, left)), width, '  ')),
    ...(crash === undefined ? [] : wrap(fill(crashes, { folder: file?.replace(/\.yaml$/, '') }), width, '  ')),
  ];
}
