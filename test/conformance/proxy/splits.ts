import type { Check } from '../check.js';
import type { Evidence, Splits } from './evidence.js';
import type { RecordedBins, RecordedSplit, Recording } from './recording.js';
import type { Replay } from './replay.js';
import { NEAR_US, toUs } from './replay.js';
import type { Split } from './request-log.js';
import { fateOf } from './request-log.js';
import { hasVanished } from '../../../src/analysis/verify/judge.js';
import { nearest, sameShare, type ShareRule } from './share-rule.js';

/** Standard errors between the shares of a whole recording of some 20,000 requests. */
export const SPLIT_ERRORS = 5;
/** Between those of a timeline, whose phases have a few hundred. */
export const TIMELINE_ERRORS = 3;
/** No more than this part of a phase is left to real time. */
const MOST_JITTER = 0.03;

/** By so much two recordings of the same users differ, where many send at once. */
const CONCURRENT_JITTER = 0.013;

/** Compares the shares of a recording without phases, of all requests and by workload. */
export function compareSplits(check: Check, recording: Recording, recorded: RecordedSplit, evidence: Evidence): void {
  const jitter = recording.isConcurrent ? CONCURRENT_JITTER : 0;
  const rule: ShareRule = { errors: SPLIT_ERRORS, jitter, relative: recording.narrowing.shareTolerance };
  compareSplit(check, '', recorded, evidence.splits(), rule);
  for (const [workload, split] of recording.workloads) {
    const ours = evidence.splits((request) => request.workload === workload);
    compareSplit(check, `${workload}: `, split, ours, rule);
  }
}

/** Compares the shares of each phase, of each bin and of the whole. */
export function compareTimeline(check: Check, recording: Recording, replay: Replay, evidence: Evidence): void {
  const { narrowing, phases, totals, bins } = recording;
  const relative = narrowing.shareTolerance;
  const rule = (fromUs: number, toUs: number): ShareRule => ({
    errors: TIMELINE_ERRORS,
    jitter: jitterOf(evidence, fromUs, toUs),
    relative,
  });
  for (const [index, phase] of phases.entries()) {
    if (narrowing.comparePhases?.includes(index) === false) continue;
    const fromUs = toUs(phase.fromS);
    const untilUs = toUs(phase.toS);
    const ours = evidence.splits(({ tUs }) => tUs >= fromUs && tUs < untilUs);
    const allowed = rule(fromUs, untilUs);
    if (allowed.jitter !== 0) check.loose(UNSETTLED, `phase ${index}`);
    compareSplit(check, `phase ${index}: `, phase, ours, allowed, narrowing.interchangeableHosts);
  }
  if (totals !== undefined && narrowing.comparePhases === undefined) {
    compareSplit(
      check,
      'totals: ',
      totals,
      evidence.splits(),
      rule(0, evidence.lastUs),
      narrowing.interchangeableHosts,
    );
  }
  if (bins === undefined) return;
  const isTied =
    [...replay.clusters.values()].some(({ endsEjectionsAtSweeps }) => endsEjectionsAtSweeps) &&
    Object.entries(evidence.first.result.stats.counters).some(([name, count]) => SWEPT.test(name) && count > 0);
  if (isTied) {
    check.loose(
      'an ejection of whole intervals ends with the sweep at its end, or with the next: not compared',
      'bins',
    );
  } else if (narrowing.interchangeableHosts.length === 0) {
    // What lies between phases is where the recorder, too, leaves it to real time who gets what.
    compareBins(check, bins, evidence, ({ fromS, toS }) =>
      phases.some((phase, index) => {
        return narrowing.comparePhases?.includes(index) !== false && fromS >= phase.fromS && toS <= phase.toS;
      }),
    );
  }
}

/** What real time may have moved of the requests from `fromUs` to `toUs`: nothing where nothing changes. */
export function jitterOf(evidence: Evidence, fromUs = 0, toUs = evidence.lastUs): number {
  return Math.min(MOST_JITTER, evidence.unsettled(fromUs, toUs, NEAR_US));
}

/** Hosts that sweeps ejected. */
const SWEPT = /\.outlier_detection\.ejections_enforced_\w*(success_rate|failure_percentage)$/;

const UNSETTLED = 'hosts change within it, so that real time may move up to 3 % of its requests';

export function compareSplit(
  check: Check,
  where: string,
  recorded: RecordedSplit,
  ours: Splits,
  rule: ShareRule,
  interchangeable: readonly string[] = [],
): void {
  const compare = (what: string, name: string, k: number, countOf: (split: Split) => number): void => {
    const range = ours.mean(countOf);
    // The recording's own number of requests may be another, where users wait for answers.
    const k2 = nearest(range, ours.n === 0 ? 0 : (k / recorded.n) * ours.n);
    const total = ours.total(countOf);
    const isThere = !hasVanished(
      k,
      recorded.n,
      total,
      ours.total(({ n }) => n),
      rule.jitter ?? 0,
    );
    check.that(`${where}${what}`, isThere && sameShare(k, recorded.n, k2, ours.n, rule), () => {
      const mine = range.low === range.high ? round(range.low) : `${round(range.low)} to ${round(range.high)}`;
      return `${where}${name}: recorded ${k} of ${recorded.n}, simulated ${mine} of ${round(ours.n)}`;
    });
  };
  const compareCounts = (what: string, counts: ReadonlyMap<string, number>, of: (split: Split) => Counts): void => {
    for (const name of new Set([...counts.keys(), ...ours.names(of)])) {
      compare(what, name, counts.get(name) ?? 0, (split) => of(split).get(name) ?? 0);
    }
  };
  compareCounts('hosts', interchanged(recorded.hosts, interchangeable), ({ hosts }) =>
    interchanged(hosts, interchangeable),
  );
  compare('no_host', 'no host', recorded.noHost, ({ noHost }) => noHost);
  compareCounts('other', recorded.other, ({ other }) => other);
  if (recorded.attempts !== undefined) compareCounts('attempts', recorded.attempts, ({ attempts }) => attempts);
  if (recorded.status !== undefined) compareCounts('status', recorded.status, ({ status }) => status);
}

type Counts = ReadonlyMap<string, number>;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * Compares how the answers are spread over time. A bin has so few of them that chance decides much; what is certain is
 * that a host has none while it is out of rotation, and some while it is in.
 */
function compareBins(
  check: Check,
  { binS, bins }: RecordedBins,
  evidence: Evidence,
  isCompared: (bin: { readonly fromS: number; readonly toS: number }) => boolean,
): void {
  const binUs = toUs(binS);
  const ours = evidence.runs.map(({ requests }) => {
    const counts = bins.map(() => ({ n: 0, of: new Map<string, number>() }));
    for (const { tUs, host, outcome } of requests) {
      const bin = counts[Math.floor(tUs / binUs)];
      if (bin === undefined) continue;
      const name = host ?? (outcome === 'answered' ? outcome : fateOf(outcome));
      bin.n++;
      bin.of.set(name, (bin.of.get(name) ?? 0) + 1);
    }
    return counts;
  });
  for (const [index, bin] of bins.entries()) {
    if (!isCompared({ fromS: index * binS, toS: (index + 1) * binS })) continue;
    const n = [...bin.values()].reduce((sum, k) => sum + k, 0);
    const fromUs = index * binUs;
    // A change makes a bin one of two worlds; the phases are there to tell them apart.
    const jitter = evidence.unsettled(fromUs, fromUs + binUs, NEAR_US);
    if (jitter > 0) continue;
    const mine = ours.map((counts) => counts[index]).filter((one) => one !== undefined);
    const n2 = mine.reduce((sum, one) => sum + one.n, 0);
    for (const name of new Set([...bin.keys(), ...mine.flatMap(({ of }) => [...of.keys()])])) {
      const k = bin.get(name) ?? 0;
      const k2 = mine.reduce((sum, { of }) => sum + (of.get(name) ?? 0), 0);
      const same = sameShare(k, n, k2, n2, { errors: SPLIT_ERRORS, jitter: 2 / Math.max(1, n) });
      check.that('bins', same, () => {
        return `bin ${index} (${index * binS} s): ${name}: recorded ${k} of ${n}, simulated ${k2} of ${n2}`;
      });
    }
  }
}

/** Gives the counts of hosts whose roles chance deals out to names by rank. */
function interchanged(counts: Counts, hosts: readonly string[]): Counts {
  if (hosts.length === 0) return counts;
  const ranked = hosts.map((host) => counts.get(host) ?? 0).sort((a, b) => b - a);
  const others = [...counts].filter(([host]) => !hosts.includes(host));
  return new Map([...others, ...ranked.map((n, rank): [string, number] => [`interchangeable host ${rank + 1}`, n])]);
}
