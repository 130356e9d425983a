import type { HostComparison, ImbalanceComparison, Measure, StretchComparison } from './comparison.js';
import { meanInterval } from '../interval.js';
import { type HostKey, hostKeyText, type WindowTally } from './tally.js';

/** How unevenly something is spread; null of each where there is nothing to spread. Source of the index: Jain, Chiu and Hawe, DEC-TR-301 (1984). */
export type Imbalance = Readonly<Record<keyof ImbalanceComparison, number | null>>;

/** @param counts one for each that might have got something, 0 or more. */
export function imbalanceOf(counts: readonly number[]): Imbalance {
  let [sum, squares, peak] = [0, 0, 0];
  for (const count of counts) {
    sum += count;
    squares += count * count;
    peak = Math.max(peak, count);
  }
  if (sum === 0) return { peak_to_mean: null, jain: null, cov: null };
  const n = counts.length;
  const mean = sum / n;
  // E[x²] − E[x]² may come out a rounding error below 0.
  const variance = Math.max(0, squares / n - mean * mean);
  return { peak_to_mean: peak / mean, jain: (sum * sum) / (n * squares), cov: Math.sqrt(variance) / mean };
}

/** The exact prediction of one side and one stretch. */
export interface ExactShares {
  /** By the text of a host's key. */
  readonly hosts: ReadonlyMap<string, number>;
  readonly noHost: number;
}

export interface SideStretch {
  /** By run; empty: the side has no such cluster. */
  readonly tallies: readonly WindowTally[];
  readonly exact: ExactShares | undefined;
}

export function compareStretch(sides: readonly SideStretch[], hosts: readonly HostKey[]): StretchComparison {
  const measured = (of: (tally: WindowTally) => number | null): Measure =>
    measure(sides.map(({ tallies }) => tallies.map(of)));
  const texts = hosts.map(hostKeyText);
  const imbalance = (tally: WindowTally): Imbalance => imbalanceOf(texts.map((text) => tally.hosts.get(text) ?? 0));
  const share = (counted: (tally: WindowTally) => number, known: (exact: ExactShares) => number): Measure => {
    const exact = sides.map((side) => side.exact && known(side.exact));
    if (exact.every((value) => value !== undefined)) return exactMeasure(exact);
    return measured((tally) => ratio(counted(tally), tally.decisions));
  };
  const latency = (of: (tally: WindowTally) => number | null): Measure =>
    measured((tally) => (tally.latency.count === 0 ? null : of(tally)));
  return {
    requests: measured(({ requests }) => requests),
    failed: measured(({ failed, requests }) => ratio(failed, requests)),
    latency_ms: {
      mean: latency(({ latency: recorder }) => recorder.summaryMs().mean),
      p50: latency(({ latency: recorder }) => recorder.summaryMs().p50),
      p99: latency(({ latency: recorder }) => recorder.summaryMs().p99),
    },
    hosts: hosts.map((host): HostComparison => {
      const text = hostKeyText(host);
      return {
        address: host.address,
        priority: host.priority,
        locality: host.locality,
        ...share(
          (tally) => tally.hosts.get(text) ?? 0,
          (exact) => exact.hosts.get(text) ?? 0,
        ),
      };
    }),
    no_host: share(
      ({ noHost }) => noHost,
      ({ noHost }) => noHost,
    ),
    imbalance: {
      peak_to_mean: measured((tally) => imbalance(tally).peak_to_mean),
      jain: measured((tally) => imbalance(tally).jain),
      cov: measured((tally) => imbalance(tally).cov),
    },
  };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** @param values by side and run. */
function measure(values: readonly (readonly (number | null)[])[]): Measure {
  const [first = [], ...others] = values;
  return {
    mean: values.map((runs) => meanInterval(runs.filter((value) => value !== null))?.mean ?? null),
    change: others.map((runs) => {
      const differences = runs.flatMap((value, run) => {
        const before = first[run] ?? null;
        return value === null || before === null ? [] : [value - before];
      });
      return meanInterval(differences) ?? null;
    }),
  };
}

function exactMeasure(values: readonly number[]): Measure {
  const [first = 0, ...others] = values;
  return {
    mean: values,
    change: others.map((value) => ({ mean: value - first, low: value - first, high: value - first })),
    exact: true,
  };
}
