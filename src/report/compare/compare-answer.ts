import type { Comparison } from '../../analysis/compare/comparison.js';
import type * as compared from '../../analysis/compare/comparison.js';
import { fill, SENTENCES } from '../../words/fill.js';
import { count, counted, listed, millis, percent, percentDigits, printable, sentence } from '../format.js';
import { ANY_TABLE, demand, madeBy, optional } from '../../core/arguments.js';
import type { Interval } from '../../analysis/interval.js';
import { type ReportLayout, wrap } from '../layout.js';

type Clusters = Comparison['clusters'];

const WORDS = SENTENCES.keys;

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

/** The same for a report that lists the sides by letters. */
export function letteredAnswer(comparison: Comparison, told: Clusters): readonly string[] {
  return answerWith(letterOf, comparison, told);
}

type SideName = (side: number) => string;

type Shown = (value: number) => string;

function answerWith(nameOf: SideName, comparison: Comparison, told = comparison.clusters): readonly string[] {
  const { sides, not_known: unknown } = comparison;
  const answer = sides.length === 2 ? pairAnswer(comparison, told, nameOf) : rankAnswer(comparison, told, nameOf);
  return unknown === undefined ? answer : [...answer, `Not known: ${unknown}.`];
}

function pairAnswer({ clusters, not_known: unknown }: Comparison, told: Clusters, nameOf: SideName): readonly string[] {
  const names = Object.keys(clusters);
  const sentences = Object.entries(told).flatMap(([name, cluster]) => {
    const facts = clusterFacts(cluster, nameOf);
    if (facts.length === 0) return [];
    const { failed } = cluster.whole;
    if (!isClear(failed.change[0] ?? null) && (failed.mean[0] ?? 0) > 0)
      facts.push(`as many requests fail (${percent(failed.mean[0] ?? 0)})`);
    return [about(name, names, facts)];
  });
  if (sentences.length > 0) return sentences;
  return [`${noDifference(unknown)}: neither in who gets the requests, nor in failures, nor in latency.`];
}

function noDifference(unknown: string | undefined): string {
  return unknown === undefined ? 'No difference' : 'No known difference';
}

/** A cluster's name is as it is, also where a sentence begins. */
function about(name: string, names: readonly string[], facts: readonly string[]): string {
  const text = sentence(facts.join('; '));
  return names.length > 1 ? `${printable(name)}: ${text}` : text;
}

function clusterFacts(cluster: compared.ClusterComparison, nameOf: SideName): string[] {
  const { policy, whole, phases } = cluster;
  const missing = policy.findIndex((one) => one === null);
  if (missing >= 0) return [`${nameOf(missing)} has no such cluster`];
  return [
    ...failureFact(whole.failed, nameOf(1)),
    ...latencyFact(whole.latency_ms.p99),
    ...requestFact(whole.requests),
    ...shareFact(whole.hosts),
    ...(shareFact(whole.hosts).length === 0 && phases.some(({ hosts }) => shareFact(hosts).length > 0)
      ? ['over the whole run each host gets the same share, but not in every phase']
      : []),
    ...keyFact(cluster),
  ];
}

function failureFact({ mean: [a, b], change: [change = null] }: compared.Measure, second: string): string[] {
  if (a === undefined || b === undefined || a === null || b === null) return [];
  return isClear(change) ? [`${second} fails ${percent(b)} of the requests instead of ${percent(a)}`] : [];
}

function latencyFact({ mean: [a = null, b = null], change: [change = null] }: compared.Measure): string[] {
  return isClear(change) ? [`the p99 latency is ${millis(b)} instead of ${millis(a)}`] : [];
}

/** Its routes weigh it otherwise, or clients send more. */
function requestFact({ mean: [a, b], change: [change = null] }: compared.Measure): string[] {
  const [before, after] = [Math.round(a ?? 0), Math.round(b ?? 0)];
  return isClear(change) && before !== after
    ? [`the cluster gets ${counted(after, 'request')} instead of ${count(before)}`]
    : [];
}

function shareFact(hosts: readonly compared.HostComparison[]): string[] {
  // A change that is clear may be smaller than what is printed.
  const moved = hosts.filter(
    ({ mean: [a, b], change: [change = null] }) => isClear(change) && percent(a ?? 0) !== percent(b ?? 0),
  );
  const by = (sign: number): compared.HostComparison | undefined =>
    [...moved]
      .filter((host) => sign * (host.change[0]?.mean ?? 0) > 0)
      .sort((x, y) => sign * ((y.change[0]?.mean ?? 0) - (x.change[0]?.mean ?? 0)))[0];
  const [gains, loses] = [by(1), by(-1)];
  const hostChange = ({ address, mean: [a, b] }: compared.HostComparison): string =>
    `${printable(address)} (${percentDigits(a ?? 0)} → ${percent(b ?? 0)})`;
  return [
    ...(gains === undefined ? [] : [`${hostChange(gains)} gains most`]),
    ...(loses === undefined ? [] : [`${hostChange(loses)} loses most`]),
  ];
}

function keyFact({ keys }: compared.ClusterComparison): string[] {
  const moved = keys?.between[0] ?? null;
  if (moved === null || moved.moved === 0) return [];
  const [others, needed] = [percent(moved.moved), percent(moved.minimum)];
  const had = others === needed ? 'and all of them had to' : `where ${needed} had to`;
  return [`${others} of all keys move to another host, ${had}`];
}

/** Which side is best, by failures and by latency, as far as that is clear. */
function rankAnswer(comparison: Comparison, told: Clusters, nameOf: SideName): readonly string[] {
  const { clusters, sides, not_known: unknown } = comparison;
  const names = Object.keys(clusters);
  const lines = sides.map(({ name }, side) => [...new Set([nameOf(side), printable(name)])].join(' '));
  const sentences = Object.entries(told).flatMap(([name, { whole }]) => {
    const facts = [
      ...best(whole.failed, ['fewest requests fail with', 'most'], percent, nameOf),
      ...best(whole.latency_ms.p99, ['the lowest p99 latency comes with', 'the highest'], millis, nameOf),
    ];
    return facts.length === 0 ? [] : [about(name, names, facts)];
  });
  if (sentences.length > 0) return sentences;
  return [`${noDifference(unknown)} in failures and latency between ${listed(lines)}.`];
}

/** Only where some side differs clearly from the first. */
function best(
  { mean, change }: compared.Measure,
  [fewest, most]: readonly [string, string],
  shown: Shown,
  nameOf: SideName,
): string[] {
  const known = mean.flatMap((value, side) => (value === null ? [] : [{ value, side }]));
  if (known.length < 2 || !change.some(isClear)) return [];
  const order = [...known].sort((a, b) => a.value - b.value);
  const [first, last] = [order[0], order[order.length - 1]];
  if (first === undefined || last === undefined) return [];
  const equal = order.filter(({ value }) => value === first.value).map(({ side }) => nameOf(side));
  return [
    `${fewest} ${listed(equal)} (${shown(first.value)}), ${most} with ${nameOf(last.side)} (${shown(last.value)})`,
  ];
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
  const texts: string[] = [];
  keys.between.forEach((moved, index) => {
    if (moved === null) return;
    texts.push(fill(moved.moved === 0 ? WORDS.kept : WORDS.moved, { ...moved, side: letterOf(index + 1) }));
  });
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

function lossTexts(what: 'host' | 'zone', sides: readonly (compared.LossSummary | null)[] = []): string[] {
  const texts = sides.map((summary) => lossText(what, summary));
  return [...new Set(texts)].map((text) => {
    const letters = texts.flatMap((own, side) => (own === text ? [letterOf(side)] : []));
    return fill(WORDS.lost, { sides: letters, what, text });
  });
}

function lossText(what: 'host' | 'zone', summary: compared.LossSummary | null): string {
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
export function isClear(change: Interval | null): boolean {
  if (change === null) return false;
  const { mean, low, high } = change;
  if (Math.abs(mean) < NOTHING) return false;
  return low === null || high === null || low > 0 || high < 0;
}

export function sharesOf({ mean }: compared.Measure): readonly number[] {
  return mean.flatMap((value) => value ?? []);
}

/** A change with half the width of its interval, unless that is unknown or zero. @param reached of the half width. */
function changeWith({ mean, high }: Interval, shown: Shown, reached = shown): string {
  const reach = high === null ? 0 : high - mean;
  return `${mean < 0 ? '−' : '+'}${shown(Math.abs(mean))}${reach < NOTHING ? '' : ` ± ${reached(reach)}`}`;
}

/** "+3.2 points", "−3.2 ± 0.4 points": a difference of shares. */
export function pointsChange(change: Interval, digits = 1): string {
  return `${changeWith(change, (size) => percentDigits(size, digits))} points`;
}

export function countChange(change: Interval): string {
  return changeWith(change, count, (reach) => count(Math.ceil(reach)));
}

export const millisChange = (change: Interval): string => changeWith(change, millis);

/** "+0.12 ± 0.03": a difference of multiples. */
export function timesChange(change: Interval): string {
  const shown = (value: number): string => String(Number(value.toFixed(2)));
  return changeWith(change, shown, (reach) => shown(Math.ceil(100 * reach) / 100));
}
