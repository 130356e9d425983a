import type { FuzzDifference, FuzzResult } from '../analysis/fuzz/fuzz-result.js';
import { causesText } from '../words/happenings.js';
import type { Verification, VerifiedCount, VerifiedSituation, VerifiedSplit } from '../analysis/verify/verification.js';
import { sum } from '../core/values.js';
import { count, decimal, printable } from './format.js';
import { fill, SENTENCES } from './words.js';
import { headLines, type ReportLayout, leading, wrap } from './layout.js';
import { columnsOf, table } from './table.js';

const { verified: WORDS, fuzzed: FUZZED } = SENTENCES;

export function verifyReport(found: Verification, layout: ReportLayout): readonly string[] {
  const { width } = layout;
  const { situations } = found;
  const facts = [
    found.played_s === undefined
      ? 'picks of hosts and statistics compared'
      : `${found.played_s} s in real time: answers, their times, hosts and statistics compared`,
    ...found.not_compared.map(({ what }) => `not ${printable(what)}`),
  ];
  const lines = [...headLines(found, situations.length === 0 ? ['nothing compared'] : facts, layout)];
  lines.push(fill(WORDS.versions, { ...found, situations: situations.length }), '', ...wrap(verdict(found), width));
  for (const situation of situations) lines.push('', ...situationLines(situation, layout));
  if (situations.length > 0 && found.not_compared.length > 0) {
    lines.push('', 'not compared');
    for (const { what, why } of found.not_compared)
      lines.push(...wrap(`${printable(what)}: ${why}`, width, '  ', '    '));
  }
  return lines;
}

function verdict({ situations, agrees, not_compared: left }: Verification): string {
  const reasons = left.map(({ what, why }) => `${what}: ${why}`).join('; ') || 'the scenario has no requests';
  const splits = situations.flatMap((one) => one.splits);
  const stats = situations.flatMap((one) => one.stats);
  const keys = sum(splits.map((split) => split.keys?.compared ?? 0));
  const orders = splits.filter(({ order }) => order !== undefined).length;
  const numbers = { splits: splits.length, requests: sum(splits.map(({ requests }) => requests)), keys, orders };
  const kinds = [WORDS.counts, ...(keys > 0 ? [WORDS.keys] : []), ...(orders > 0 ? [WORDS.orders] : []), WORDS.stats];
  const where = [
    ...new Set(splits.flatMap((one) => (one.agrees ? [] : [`${one.cluster} (${one.workload})`]))),
    ...new Set(stats.flatMap((one) => (one.agrees ? [] : [one.name]))),
  ];
  const agreed = left.length > 0 ? 'agrees_in_part' : 'agrees';
  const is = situations.length === 0 ? 'nothing' : agrees ? agreed : 'differs';
  const what = kinds.map((kind) => fill(kind, { ...numbers, stats: stats.length }));
  return printable(fill(WORDS.verdict, { is, reasons, where, what }));
}

function situationLines(situation: VerifiedSituation, layout: ReportLayout): readonly string[] {
  const { width, all } = layout;
  const lines = wrap(printable(fill(WORDS.situation, { ...situation, causes: causesText(situation.causes) })), width);
  for (const split of situation.splits) {
    lines.push(
      ...wrap(`${printable(`${split.cluster} (${split.workload})`)}: ${findings(split)}`, width, '  ', '    '),
    );
    if (all || !split.agrees) lines.push(...rowTable(rowsOf(split), 'host', layout));
    for (const { key, proxy: theirs, lbsim } of split.keys?.different ?? []) {
      const text = fill(WORDS.key, { key, proxy: theirs ?? 'no host', lbsim: lbsim ?? 'no host' });
      lines.push(...wrap(printable(text), width, '    ', '      '));
    }
  }
  const stats = all ? situation.stats : situation.stats.filter(({ agrees }) => !agrees);
  if (stats.length > 0) lines.push(...rowTable(stats, 'statistic', layout));
  return lines;
}

function findings({ keys, order, cookies, hosts, no_host: noHost, requests, agrees }: VerifiedSplit): string {
  const served = hosts.filter(({ proxy, lbsim }) => proxy > 0 || lbsim > 0).length;
  return fill(WORDS.found, {
    requests,
    served,
    lost: noHost.proxy > 0 ? noHost.proxy : undefined,
    alike: agrees ? 'alike' : 'DIFFERENT',
    keys: keys && fill(keys.differ === 0 ? WORDS.all_keys : WORDS.some_keys, keys),
    cookies: cookies && fill(WORDS.cookies, cookies),
    order: order && `${order.agrees ? 'the same' : 'a different'} ${order.kind}`,
  });
}

const rowsOf = ({ hosts, no_host: noHost, other }: VerifiedSplit): readonly Row[] => [
  ...hosts.map((host) => ({ name: host.address, ...host })),
  ...[
    { name: 'no host', ...noHost },
    { name: 'no answer', ...other },
  ].filter(({ proxy, lbsim }) => proxy > 0 || lbsim > 0),
];

interface Row extends VerifiedCount {
  readonly name: string;
}

function rowTable(rows: readonly Row[], heading: string, layout: ReportLayout): string[] {
  const { name, number, text } = columnsOf(rows);
  const columns = [
    name(heading, (row) => printable(row.name)),
    number('proxy', ({ proxy }) => count(proxy)),
    number('lbsim', ({ lbsim }) => decimal(lbsim, 1)),
    text('', ({ agrees }) => (agrees ? '' : 'differs')),
  ];
  return table(columns, layout, 4);
}

export function fuzzReport(found: FuzzResult, layout: ReportLayout): readonly string[] {
  const { width, paint } = layout;
  const { refused, not_judged: apart, differences, by_chance: byChance, features } = found;
  const facts = [`Envoy ${found.proxy_version}`, `lbsim as ${found.simulated_version}`];
  const verdict = fill(FUZZED.verdict, {
    ...found,
    different: sum(differences.map(({ alike }) => 1 + alike)),
    refused: refused > 0 ? refused : undefined,
    not_judged: apart > 0 ? apart : undefined,
    by_chance: byChance > 0 ? byChance : undefined,
  });
  const { name, number } = columnsOf(features);
  const hasSome = differences.length > 0;
  const columns = [
    name('feature', ({ feature }) => feature),
    number('mixes', (row) => count(row.tried)),
    hasSome && number('decided differently', (row) => count(row.decided_otherwise)),
    hasSome && number('counted differently', (row) => count(row.counted_otherwise)),
    hasSome && number('refused or crashed there', (row) => count(row.refused_there)),
  ];
  return [
    ...leading(
      found.played ? 'mixes in real time' : found.timelines ? 'mixes whose hosts change' : 'mixes',
      facts,
      width,
      paint,
    ),
    '',
    ...wrap(verdict, width),
    ...differences.flatMap((one) => ['', ...differenceLines(one, width)]),
    '',
    ...table(columns, layout, 2),
    '',
    ...wrap(fill(FUZZED.seeds, { ...found, last_seed: found.next_seed - 1 }), width),
  ];
}

function differenceLines({ differs, alike, file, crash, scenario, ...one }: FuzzDifference, width: number): string[] {
  const words = { ...one, differs: differs.map((each) => each.words), more: alike > 0 ? alike : undefined };
  const shown = file === undefined ? scenario.trimEnd().split('\n') : [file];
  // The fault is the proxy's own: lbsim answers these requests.
  const crashes = file === undefined ? FUZZED.crash : FUZZED.crash_saved;
  return [
    ...wrap(printable(fill(FUZZED.difference, words)), width),
    ...shown.map((line) => `  ${line}`),
    ...one.not_held.flatMap((left) => wrap(printable(fill(FUZZED.left_out, left)), width, '  ')),
    ...(crash === undefined ? [] : wrap(fill(crashes, { folder: file?.replace(/\.yaml$/, '') }), width, '  ')),
  ];
}
