import { clusterOverviews } from '../result/cluster-overview.js';
import type { ClusterResult, RunResult } from '../result/run-result.js';
import { triggerOf } from './outage.js';
import { type Timing, timingOf } from '../result/timing.js';

/** A stretch of time in which the slowest requests of a cluster waited much longer than usual. */
export interface Slowdown {
  cluster: string;
  /** The largest 99th percentile of an interval, and the median of all intervals. */
  p99_ms: number;
  usual_p99_ms: number;
  timing: Timing;
  because: string[];
}

/** Much longer: at least by this factor, and by this many ms. */
const TIMES = 3;
const AT_LEAST_MS = 1;
/** Lasting longer than this part of the run, it is no longer an exception. */
const A_WHILE = 0.5;
/** With fewer intervals with answers it is unknown what is usual. */
const MIN_INTERVALS = 5;
/** With fewer requests the slowest one says nothing. */
const MIN_REQUESTS = 20;

/** The worst of all clusters; null: waiting did not become much longer. */
export function slowdownOf({ clusters, duration_s: durationS }: RunResult): Slowdown | null {
  const found = clusterOverviews(clusters).flatMap(([name, { hasCourse }]) =>
    hasCourse ? slowdown(name, clusters[name] as ClusterResult, durationS) : [],
  );
  return found.sort((a, b) => b.p99_ms / b.usual_p99_ms - a.p99_ms / a.usual_p99_ms)[0] ?? null;
}

function slowdown(name: string, cluster: ClusterResult, durationS: number): Slowdown[] {
  // At the start all connections are made, and the last answers may come late, after the last request.
  const [, ...intervals] = cluster.course?.intervals ?? [];
  const known = intervals.filter((one) => one.requests >= MIN_REQUESTS && one.latency_ms.p99 !== null);
  if (known.length < MIN_INTERVALS) return [];
  const p99 = ({ latency_ms: latency }: (typeof known)[number]): number => latency.p99 ?? 0;
  const usual = known.map(p99).sort((a, b) => a - b)[known.length >> 1] ?? 0;
  const isSlow = (ms: number): boolean => ms >= TIMES * usual && ms >= usual + AT_LEAST_MS;
  const slow = known.map((one) => ({
    from_s: one.from_s,
    to_s: one.to_s,
    amount: isSlow(p99(one)) ? one.requests : 0,
  }));
  const number = slow.filter(({ amount }) => amount > 0).length;
  if (number === 0 || number > A_WHILE * known.length) return [];
  const timing = timingOf(slow, cluster, durationS);
  const began = triggerOf(cluster, timing);
  return [
    {
      cluster: name,
      p99_ms: Math.max(...known.map(p99)),
      usual_p99_ms: usual,
      timing,
      because: began === undefined ? [] : [began.text],
    },
  ];
}
