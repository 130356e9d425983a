import type { FuzzResult } from '../analysis/fuzz/fuzz-result.js';
import { listed } from '../core/words.js';
import { printable } from '../core/printable.js';
import { count, counted } from './format.js';
import { leading, type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';

export function fuzzReport(found: FuzzResult, layout: ReportLayout): readonly string[] {
  const { width, paint } = layout;
  const { tried, refused, requests, differences, by_chance: byChance, features } = found;
  const facts = [`Envoy ${found.proxy_version}`, `lbsim as ${found.simulated_version}`];
  const different = differences.reduce((sum, { alike }) => sum + 1 + alike, 0);
  const verdict =
    differences.length === 0
      ? `The proxy and lbsim agree on ${counted(tried, 'mix', 'mixes')} of ${count(requests)} requests.`
      : `The proxy and lbsim differ on ${count(different)} of ${counted(tried, 'mix', 'mixes')}, with ${count(requests)} requests.`;
  const besides = [
    ...(refused > 0 ? [`lbsim refuses ${counted(refused, 'mix', 'mixes')}, which no proxy was asked about.`] : []),
    ...(byChance > 0 ? [`${counted(byChance, 'difference')} did not show again with more requests.`] : []),
  ];
  const { name, number } = columnsOf(features);
  return [
    ...leading(found.timelines ? 'mixes whose hosts change' : 'mixes', facts, width, paint),
    '',
    ...wrap([verdict, ...besides].join(' '), width),
    ...differences.flatMap(({ seed, mix, differs, alike, file, crash, scenario, not_held: left }) => [
      '',
      ...wrap(
        `seed ${seed}, mix ${mix}: ${printable(listed(differs.map(({ words }) => words)))}${alike > 0 ? `; ${count(alike)} more like it` : ''}`,
        width,
      ),
      ...(file === undefined
        ? scenario
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`)
        : [`  ${file}`]),
      ...left.flatMap(({ what, why }) => wrap(`verify leaves out ${printable(what)}: ${why}`, width, '  ')),
      ...(crash === undefined ? [] : wrap(crashText(file), width, '  ')),
    ]),
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
    ...wrap(`Seeds ${found.first_seed} to ${found.next_seed - 1}: --seed ${found.next_seed} goes on.`, width),
  ];
}

/** The fault is the proxy's own: lbsim answers these requests. */
function crashText(file: string | undefined): string {
  const what = 'The proxy itself crashes where lbsim answers';
  if (file === undefined) return `${what}. --save DIR writes the bootstrap and the requests that do it.`;
  return `${what}: ${file.replace(/\.yaml$/, '')}/ has the bootstrap, and crash.sh the requests that do it.`;
}
