import { isDown } from '../result/phases.js';
import { app, clock } from './app-state.js';
import type { Lever } from './engine/levers.js';
import { type ClusterPicture, HEALTH_NAMES, type HostPicture, truthOf } from './engine/picture.js';
import { type Instant, instantAt } from './instant.js';
import { clusterOf } from './run-at-time.js';

/** A slow host takes at least so long, and so many times what it took. */
const SLOW_MS = 100;
const SLOWER = 10;

/** The time shown, to a millisecond, in seconds. */
export function shownS(): number {
  return Math.round(clock.now.t * 1000) / 1000;
}

/** A host as it is drawn at the time shown: in the prediction after a lever, else in the run. */
export interface DrawnHost {
  readonly address: string;
  readonly cluster: ClusterPicture;
  readonly instant: Instant;
  /** Index in the cluster's list. */
  readonly place: number;
  readonly weight: number;
  /** It answers nothing, or is believed to. */
  readonly isOut: boolean;
  readonly isSlow: boolean;
  /** The levers that made it so. */
  readonly slowedBy: readonly Lever[];
  /** What it takes where a lever makes it slow. */
  readonly slowMs: number;
}

export function drawnHost({ address, priority, weight }: HostPicture): DrawnHost | undefined {
  const { run, ahead, cluster: name, change } = app.now;
  const cluster = clusterOf(ahead ?? run, name);
  const instant = cluster && instantAt(cluster, clock.now.t);
  const place = cluster?.hosts.findIndex((one) => one.address === address && one.priority === priority) ?? -1;
  if (cluster === undefined || instant === undefined || place < 0) return undefined;
  const { phase } = instant;
  const truth = truthOf(phase, place);
  const isSlow = truth === 'slow';
  const slows = (lever: Lever): boolean =>
    lever.kind === 'slow' && 'address' in lever.hosts && lever.hosts.address === address && lever.atS <= shownS();
  const times = clusterOf(run, name)?.course?.intervals.flatMap(({ latency_ms: { p50 } }) => p50 ?? []) ?? [];
  const usualMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  return {
    ...{ address, cluster, instant, place, isSlow, weight: phase.weights[place] ?? weight },
    isOut: isDown(truth) || HEALTH_NAMES[phase.health[place] ?? 0] === 'unhealthy',
    slowedBy: change?.levers.filter(slows) ?? [],
    slowMs: Number(Math.max(SLOW_MS, SLOWER * usualMs).toPrecision(4)),
  };
}
