import type { ClusterComparison, Comparison, HostComparison, Measure } from '../../analysis/compare/comparison.js';
import { printable } from '../../core/printable.js';
import { isClear, letterOf } from './compare-words.js';
import { count, counted, listed, millis, percent, percentDigits, sentence } from '../format.js';
import { ANY_TABLE, demand, madeBy, optional } from '../../core/arguments.js';

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
export function letteredAnswer(comparison: Comparison, told: Comparison['clusters']): readonly string[] {
  return answerWith(letterOf, comparison, told);
}

type SideName = (side: number) => string;

function answerWith(nameOf: SideName, comparison: Comparison, told = comparison.clusters): readonly string[] {
  const { sides, not_known: unknown } = comparison;
  const answer = sides.length === 2 ? pairAnswer(comparison, told, nameOf) : rankAnswer(comparison, told, nameOf);
  return unknown === undefined ? answer : [...answer, `Not known: ${unknown}.`];
}

function pairAnswer(
  { clusters, not_known: unknown }: Comparison,
  told: Comparison['clusters'],
  nameOf: SideName,
): readonly string[] {
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

function clusterFacts(cluster: ClusterComparison, nameOf: SideName): string[] {
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

function failureFact({ mean: [a, b], change: [change = null] }: Measure, second: string): string[] {
  if (a === undefined || b === undefined || a === null || b === null) return [];
  return isClear(change) ? [`${second} fails ${percent(b)} of the requests instead of ${percent(a)}`] : [];
}

function latencyFact({ mean: [a = null, b = null], change: [change = null] }: Measure): string[] {
  if (!isClear(change)) return [];
  return [`the p99 latency is ${millis(b)} instead of ${millis(a)}`];
}

/** Its routes weigh it otherwise, or clients send more. */
function requestFact({ mean: [a, b], change: [change = null] }: Measure): string[] {
  const [before, after] = [Math.round(a ?? 0), Math.round(b ?? 0)];
  return isClear(change) && before !== after
    ? [`the cluster gets ${counted(after, 'request')} instead of ${count(before)}`]
    : [];
}

function shareFact(hosts: readonly HostComparison[]): string[] {
  // A change that is clear may be smaller than what is printed.
  const moved = hosts.filter(
    ({ mean: [a, b], change: [change = null] }) => isClear(change) && percent(a ?? 0) !== percent(b ?? 0),
  );
  const by = (sign: number): HostComparison | undefined =>
    [...moved]
      .filter((host) => sign * (host.change[0]?.mean ?? 0) > 0)
      .sort((x, y) => sign * ((y.change[0]?.mean ?? 0) - (x.change[0]?.mean ?? 0)))[0];
  const [gains, loses] = [by(1), by(-1)];
  const hostChange = ({ address, mean: [a, b] }: HostComparison): string =>
    `${printable(address)} (${percentDigits(a ?? 0)} → ${percent(b ?? 0)})`;
  return [
    ...(gains === undefined ? [] : [`${hostChange(gains)} gains most`]),
    ...(loses === undefined ? [] : [`${hostChange(loses)} loses most`]),
  ];
}

function keyFact({ keys }: ClusterComparison): string[] {
  const moved = keys?.between[0] ?? null;
  if (moved === null || moved.moved === 0) return [];
  const [others, needed] = [percent(moved.moved), percent(moved.minimum)];
  const had = others === needed ? 'and all of them had to' : `where ${needed} had to`;
  return [`${others} of all keys move to another host, ${had}`];
}

/** Which side is best, by failures and by latency, as far as that is clear. */
function rankAnswer(
  { clusters, sides, not_known: unknown }: Comparison,
  told: Comparison['clusters'],
  nameOf: SideName,
): readonly string[] {
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
  { mean, change }: Measure,
  [fewest, most]: readonly [string, string],
  shown: (value: number) => string,
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
