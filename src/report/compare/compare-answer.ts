import type { Comparison } from '../../analysis/compare/generated/comparison.js';
import type * as compared from '../../analysis/compare/generated/comparison.js';
import { fill, SENTENCES } from '../../words/fill.js';
import { count, counted, listed, millis, percent, percentDigits, printable, sentence } from '../format.js';
import { ANY_TABLE, demand, madeBy, optional } from '../../core/arguments.js';
import type { Interval } from '../../analysis/interval.js';
import type { LossSummary } from '../../analysis/prove/generated/findings.js';
import { type ReportLayout, wrap } from '../layout.js';

const WORDS = { ...SENTENCES.keys, ...SENTENCES.compared };

const COMPARISON = madeBy('compare', 'sides', 'clusters');

/**
 * The conclusions of a comparison, one sentence each, the worst first; with many clusters only those that differ. Sides have
 * the names that `compare` was given.
 *
 * @param told the clusters told of. Default: all.
 */
export function comparisonAnswer(comparison: Comparison, told?: Comparison['clusters']): readonly string[] {
  demand('comparisonAnswer', ['comparison', comparison, COMPARISON], ['told', told, optional(ANY_TABLE)]);
  const nameOf = (side: number): string => {
    const name = printable(comparison.sides[side]?.name ?? '');
    // A sentence may begin with it.
    return /^[a-z]/.test(name) ? `'${name}'` : name;
  };
  return answerWith(nameOf, comparison, told);
}

type SideName = (side: number) => string;

/** @param nameOf each side, as the report has it. */
export function answerWith(nameOf: SideName, comparison: Comparison, told = comparison.clusters): readonly string[] {
  const { clusters, sides, not_known: unknown } = comparison;
  const isPair = sides.length === 2;
  const isOne = Object.keys(clusters).length <= 1;
  const answer = Object.entries(told).flatMap(([name, cluster]) => {
    const facts = isPair ? pairFacts(cluster, nameOf) : rankFacts(cluster, nameOf);
    if (facts.length === 0) return [];
    const text = sentence(facts.join('; '));
    // A cluster's name is as it is, also where a sentence begins.
    return isOne ? text : `${printable(name)}: ${text}`;
  });
  if (answer.length === 0) {
    const names = sides.map(({ name }, side) => [...new Set([nameOf(side), printable(name)])].join(' '));
    answer.push(fill(isPair ? WORDS.same : WORDS.equal, { known: unknown && 'known', sides: names }));
  }
  return unknown === undefined ? answer : [...answer, `Not known: ${unknown}.`];
}

function pairFacts({ policy, whole, phases, keys }: compared.ClusterComparison, nameOf: SideName): string[] {
  const missing = policy.indexOf(null);
  if (missing >= 0) return [fill(WORDS.missing, { side: nameOf(missing) })];
  const { failed, hosts, requests } = whole;
  const ifClear = (words: string, { mean: [a, b], change: [change] }: compared.Measure): string[] =>
    isClear(change) ? [fill(words, { a, b, second: nameOf(1) })] : [];
  const arrived = requests.mean.map((value) => Math.round(value ?? 0));
  const [moved] = keys?.between ?? [];
  const facts = [
    ...ifClear(WORDS.fails, failed),
    ...ifClear(WORDS.latency, whole.latency_ms.p99),
    // Its routes weigh it otherwise, or clients send more.
    ...(arrived[0] === arrived[1] ? [] : ifClear(WORDS.requests, { ...requests, mean: arrived })),
    ...shareFacts(hosts),
    ...(shareFacts(hosts).length === 0 && phases.some((phase) => shareFacts(phase.hosts).length > 0)
      ? [WORDS.same_shares]
      : []),
    ...(moved && moved.moved > 0
      ? [fill(WORDS.keys, { ...moved, all: percent(moved.moved) === percent(moved.minimum) })]
      : []),
  ];
  const [lost] = failed.mean;
  return facts.length === 0 || isClear(failed.change[0]) || !lost
    ? facts
    : [...facts, fill(WORDS.fail_alike, { lost })];
}

const shareFacts = (hosts: readonly compared.HostComparison[]): readonly string[] =>
  extremes(hosts).map(({ does, address, mean: [a, b] }) => {
    const shares = `${percentDigits(a ?? 0)} → ${percent(b ?? 0)}`;
    return `${printable(address)} (${shares}) ${does}`;
  });

/** The hosts that gain most and lose most. A change that is clear may be smaller than what is printed. */
export function extremes(hosts: readonly compared.HostComparison[]) {
  const moved = hosts.filter(
    ({ mean: [a, b], change: [change] }) => isClear(change) && percent(a ?? 0) !== percent(b ?? 0),
  );
  return [1, -1].flatMap((sign) => {
    const by = ({ change: [change] }: compared.Measure): number => sign * (change?.mean ?? 0);
    const [most] = moved.filter((host) => by(host) > 0).sort((x, y) => by(y) - by(x));
    return most === undefined ? [] : [{ ...most, does: `${sign > 0 ? 'gains' : 'loses'} most` }];
  });
}

/** Which side is best, by failures and by latency, as far as that is clear. */
function rankFacts({ whole: { failed, latency_ms: latency } }: compared.ClusterComparison, nameOf: SideName): string[] {
  return [
    ['fewest requests fail with', failed, 'most', percent] as const,
    ['the lowest p99 latency comes with', latency.p99, 'the highest', millis] as const,
  ].flatMap(([fewest, { mean, change }, most, shown]) => {
    // Only where some side differs clearly from the first.
    if (!change.some(isClear)) return [];
    const known = mean.flatMap((value, side) => (value === null ? [] : [{ value, side }]));
    const [first, ...others] = known.sort((a, b) => a.value - b.value);
    const last = others.at(-1);
    if (first === undefined || last === undefined) return [];
    const equal = known.filter(({ value }) => value === first.value).map(({ side }) => nameOf(side));
    return `${fewest} ${listed(equal)} (${shown(first.value)}), ${most} with ${nameOf(last.side)} (${shown(last.value)})`;
  });
}

const MAX_STEPS = 8;
const MAX_SUBSETS = 8;

export function keyLines(keys: compared.KeyComparison, layout: ReportLayout): string[] {
  const { width, paint } = layout;
  const lines = [paint.strong('  keys, out of all possible ones')];
  const subsets = Object.entries(keys.subsets ?? {});
  const shownSubsets = layout.all ? subsets : subsets.slice(0, MAX_SUBSETS);
  const say = (text: string): void => {
    lines.push(...wrap(sentence(text), width, '    ', '      '));
  };
  for (const text of movedTexts(keys, layout)) say(text);
  for (const [name, own] of shownSubsets) for (const text of movedTexts(own, layout)) say(`${printable(name)} ${text}`);
  if (subsets.length > shownSubsets.length)
    lines.push(`    … ${counted(subsets.length - shownSubsets.length, 'more subset')} (--all)`);
  for (const text of lossTexts('host', keys.single_host_failures)) say(text);
  for (const text of lossTexts('zone', keys.zone_failures)) say(text);
  if (lines.length > 1) return lines;
  // Two sides without tables to compare say nothing of keys.
  return keys.between.some((moved) => moved !== null) ? [...lines, '    nothing moves'] : [];
}

function movedTexts(keys: compared.SubsetKeys, layout: ReportLayout): string[] {
  const texts = keys.between.flatMap((moved, index) =>
    moved === null ? [] : fill(moved.moved === 0 ? WORDS.kept : WORDS.moved, { ...moved, side: letterOf(index + 1) }),
  );
  const steps = keys.over_time.flatMap((side, index) =>
    side.filter(({ moved }) => moved > 0).map((step) => ({ step, side: index })),
  );
  steps.sort((a, b) => a.step.at_s - b.step.at_s || a.side - b.side);
  const shown = layout.all ? steps : steps.slice(0, MAX_STEPS);
  for (const { step, side } of shown)
    texts.push(fill(step.orphaned > 0 ? WORDS.orphaned : WORDS.step, { ...step, side: letterOf(side) }));
  if (steps.length > shown.length) texts.push(fill(WORDS.more, { steps: steps.length - shown.length }));
  return texts;
}

type LostUnit = 'host' | 'record' | 'zone';

function lossTexts(what: LostUnit, sides: readonly (LossSummary | null)[] = []): string[] {
  const texts = sides.map((summary) => lossText(what, summary));
  return [...new Set(texts)].map((text) => {
    const letters = texts.flatMap((own, side) => (own === text ? [letterOf(side)] : []));
    return fill(WORDS.lost, { sides: letters, what, text });
  });
}

/** How many keys move as each unit of a kind is lost. */
export const lostText = (what: LostUnit, summary: LossSummary): string =>
  fill(WORDS.lost, { what, text: lossText(what, summary) });

function lossText(what: LostUnit, summary: LossSummary | null): string {
  if (summary === null) return WORDS.no_table;
  const { losses, moved, orphaned } = summary;
  const needless = moved - orphaned;
  const mean = losses.length > 1 ? counted(losses.length, what) : undefined;
  const worst = mean === undefined ? undefined : losses.find(({ lost }) => lost === summary.worst);
  const most = worst && { most: worst.moved - worst.orphaned, worst: printable(worst.lost) };
  const is = needless > 1e-9 ? 'needless' : 'no_other';
  return fill(WORDS.losses, { is, moved, orphaned, needless, mean, ...most });
}

/** A, B, C … */
export const letterOf = (side: number): string => String.fromCharCode('A'.charCodeAt(0) + side);

/** Zero after rounding. */
const NOTHING = 1e-9;

/** There is a change that chance does not explain. Without an interval (one run) every change counts. */
export function isClear(change: Interval | null | undefined): boolean {
  if (!change) return false;
  const { mean, low, high } = change;
  if (Math.abs(mean) < NOTHING) return false;
  return low === null || high === null || low > 0 || high < 0;
}

export const sharesOf = ({ mean }: compared.Measure): readonly number[] => mean.flatMap((value) => value ?? []);

/** A change with half the width of its interval, unless that is unknown or zero. @param reached of the half width. */
function changeWith({ mean, high }: Interval, shown: (value: number) => string, reached = shown): string {
  const reach = high === null ? 0 : high - mean;
  return `${mean < 0 ? '−' : '+'}${shown(Math.abs(mean))}${reach < NOTHING ? '' : ` ± ${reached(reach)}`}`;
}

/** "+3.2 points", "−3.2 ± 0.4 points": a difference of shares. */
export const pointsChange = (change: Interval, digits = 1): string =>
  `${changeWith(change, (size) => percentDigits(size, digits))} points`;

export const countChange = (change: Interval): string => changeWith(change, count, (reach) => count(Math.ceil(reach)));

export const millisChange = (change: Interval): string => changeWith(change, millis);

/** "+0.12 ± 0.03": a difference of multiples. */
export function timesChange(change: Interval): string {
  const shown = (value: number): string => String(Number(value.toFixed(2)));
  return changeWith(change, shown, (reach) => shown(Math.ceil(100 * reach) / 100));
}
