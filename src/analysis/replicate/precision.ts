import type { Estimate, PrecisionResult, ReplicatedCluster } from './replications.js';

/** What is needed of the estimates. */
interface Known {
  readonly runs: number;
  readonly clusters: Readonly<Record<string, ReplicatedCluster>>;
  of(name: string): Estimate | undefined;
}

/** Fewer runs than this may agree by chance. */
export const FEWEST_RUNS = 10;

/** One of the numbers that a precision is about. */
interface MainNumber {
  readonly name: string;
  /** Of latencies the precision is a part of their mean; shares are parts of all requests already. */
  readonly relative: boolean;
}

/** Of each cluster: the part of requests that failed, the shares of its hosts, mean and 99th percentile of its latency. */
function mainNumbers(clusters: Readonly<Record<string, ReplicatedCluster>>): readonly MainNumber[] {
  return Object.entries(clusters).flatMap(([cluster, { hosts }]) => [
    { name: `clusters.${cluster}.failed_share`, relative: false },
    ...hosts.map((host) => ({ name: `clusters.${cluster}.hosts.${host}.share`, relative: false })),
    ...['mean', 'p99'].map((measure) => ({ name: `clusters.${cluster}.latency_ms.${measure}`, relative: true })),
  ]);
}

/**
 * Whether the intervals of all main numbers are narrow enough, and which of them is the widest. A number of one run alone has no
 * interval: it is not known.
 *
 * @param wanted 0–1
 */
export function widestOf(known: Known, wanted: number): PrecisionResult {
  let widest: string | null = null;
  let halfWidth = 0;
  for (const { name, relative } of mainNumbers(known.clusters)) {
    const estimate = known.of(name);
    if (estimate === undefined) continue;
    const reach = estimate.high === null ? Infinity : estimate.high - estimate.mean;
    const own = relative && estimate.mean !== 0 ? reach / Math.abs(estimate.mean) : reach;
    if (widest !== null && own <= halfWidth) continue;
    widest = name;
    halfWidth = own;
  }
  const reached = known.runs >= FEWEST_RUNS && widest !== null && halfWidth <= wanted;
  return { wanted, reached, widest, half_width: halfWidth === Infinity ? null : halfWidth };
}
