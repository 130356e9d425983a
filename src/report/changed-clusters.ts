import type { ClusterComparison, Comparison, Measure } from '../analysis/compare/comparison.js';
import { isClear, sharesOf } from './compare-words.js';
import { MAX_CLUSTERS, toldClusters } from './many-clusters.js';

type Clusters = Comparison['clusters'];

export interface ChangedClusters {
  /** In their order. */
  readonly shown: Clusters;
  /** Clusters that differ less than those. */
  readonly less: number;
  readonly unchanged: number;
}

/** Of many clusters those that differ most, of few all. */
export function changedClusters(clusters: Clusters, all: boolean): ChangedClusters {
  const entries = Object.entries(clusters);
  if (all || entries.length <= MAX_CLUSTERS) return { shown: clusters, less: 0, unchanged: 0 };
  const changed = entries
    .map(([name, cluster]) => [name, differenceOf(cluster)] as const)
    .filter(([, size]) => size > 0);
  const most = toldClusters(changed, false, (a, b) => b - a);
  return {
    shown: Object.fromEntries(entries.filter(([name]) => most.has(name))),
    less: changed.length - most.size,
    unchanged: entries.length - changed.length,
  };
}

/** Less than any part of requests that a report can tell. */
const LATENCY_ONLY = 1e-9;

/** The largest change of its requests, of a part of them or of its keys that chance does not explain, 0–1; 0: none. */
function differenceOf({ policy, whole, phases, keys }: ClusterComparison): number {
  if (policy.includes(null)) return 1;
  const stretches = [whole, ...phases];
  const parts = stretches.flatMap(({ failed, no_host: noHost, hosts }) => [failed, noHost, ...hosts]);
  const times = stretches.flatMap(({ latency_ms: latency }) => Object.values(latency));
  return Math.max(
    ...(keys?.between.map((moved) => moved?.moved ?? 0) ?? []),
    ...parts.map(changeOf),
    ...stretches.map(({ requests }) => changeOf(requests) / Math.max(1, ...sharesOf(requests))),
    ...(times.some((time) => changeOf(time) > 0) ? [LATENCY_ONLY] : []),
  );
}

function changeOf({ change }: Measure): number {
  return Math.max(0, ...change.map((one) => (one !== null && isClear(one) ? Math.abs(one.mean) : 0)));
}
