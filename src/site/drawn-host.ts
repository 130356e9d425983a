import { hostId, isDown } from '../result/phases.js';
import { app, clock } from './app-state.js';
import type { Lever } from './engine/levers.js';
import { HEALTH_NAMES, truthOf } from './engine/picture.js';
import { clusterOf, instantAt } from './instant.js';

/** A slow host takes at least so long, and so many times what it took. */
const SLOW_MS = 100;
const SLOWER = 10;

/** The time shown, to a millisecond, in seconds. */
export const shownS = (): number => Math.round(clock.now.t * 1000) / 1000;

/** A host as drawn at the time shown: in the prediction after a lever, else the run. @param id of {@link hostId}. */
export function drawnHost(id: string | undefined) {
  const { run, ahead, cluster: name, change } = app.now;
  const cluster = clusterOf(ahead ?? run, name);
  const instant = cluster && instantAt(cluster, clock.now.t);
  const place = cluster?.hosts.findIndex((one) => hostId(one) === id) ?? -1;
  const host = cluster?.hosts[place];
  if (cluster === undefined || instant === undefined || host === undefined) return undefined;
  const { address, weight, zone } = host;
  const { phase } = instant;
  const truth = truthOf(phase, place);
  const isSlow = truth === 'slow';
  const slows = (lever: Lever): boolean =>
    lever.kind === 'slow' && 'address' in lever.hosts && lever.hosts.address === address && lever.atS <= shownS();
  const times = clusterOf(run, name)?.course?.intervals.flatMap(({ latency_ms: { p50 } }) => p50 ?? []) ?? [];
  const usualMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  return {
    ...{ address, zone, cluster, instant, isSlow, weight: phase.weights[place] ?? weight },
    /** Index in the cluster's list. */
    place,
    /** It answers nothing, or is believed to. */
    isOut: isDown(truth) || HEALTH_NAMES[phase.health[place] ?? 0] === 'unhealthy',
    slowedBy: change?.levers.filter(slows) ?? [],
    /** What it takes where a lever makes it slow. */
    slowMs: Number(Math.max(SLOW_MS, SLOWER * usualMs).toPrecision(4)),
  };
}
