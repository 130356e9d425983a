import { type Micros, microsToSeconds } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { HostRows } from '../../result/phase-hosts.js';
import type { Behavior } from '../../settings/behavior.js';
import type { ClusterSettings } from '../../settings/cluster-settings.js';
import type { ProxySpec } from '../../settings/world.js';
import type { ProxyClusterView } from '../proxy-view.js';
import type { RequestFlow, RequestKind } from '../traffic.js';

/** A cluster in the proxies of one specification, and what loads its hosts. */
export interface LoadedCluster {
  readonly view: ProxyClusterView;
  /** Its hosts in reports. */
  readonly rows: HostRows;
  readonly settings: ClusterSettings;
  readonly spec: ProxySpec;
  /** All requests to the cluster, also those that never come to these proxies. */
  readonly kinds: readonly RequestKind[];
  /** The part of a kind that one of the proxies gets. */
  readonly portionOf: (kind: RequestKind) => number;
  /** The same object as long as it is the same behaviour. */
  readonly behaviorOf: (host: Host, priority: number) => Behavior;
  /** Other clusters or proxies send to hosts of this cluster. */
  readonly isShared: () => boolean;
  readonly warmupUs: Micros;
}

/** All that decides how many requests come. */
type Traffic = Pick<LoadedCluster, 'kinds' | 'portionOf'>;

/** The requests of one proxy while no rate changes. */
export interface SteadyFlow {
  readonly fromUs: Micros;
  readonly toUs: Micros;
  /** Requests a second. */
  readonly rate: number;
  readonly pace: RequestFlow['pace'];
}

/** A stretch of time, divided where the rate of some kind changes. */
export function steadyFlows(traffic: Traffic, fromUs: Micros, toUs: Micros): readonly SteadyFlow[] {
  const boundaries = new Set([fromUs, toUs]);
  for (const { flow } of traffic.kinds) {
    for (const changeUs of flow.changesUs) if (changeUs > fromUs && changeUs < toUs) boundaries.add(changeUs);
  }
  const times = [...boundaries].sort((a, b) => a - b);
  return times.slice(1).map((end, index) => flowBetween(traffic, times[index] as Micros, end));
}

function flowBetween({ kinds, portionOf }: Traffic, fromUs: Micros, toUs: Micros): SteadyFlow {
  let rate = 0;
  let pace: RequestFlow['pace'] = 'poisson';
  for (const kind of kinds) {
    const portion = portionOf(kind);
    const [before, after] = [kind.flow.sent(fromUs), kind.flow.sent(toUs)];
    if (portion === 0 || (before === after && before !== undefined)) continue;
    if (before === undefined || after === undefined) pace = 'unsteady';
    else rate += (portion * (after - before)) / microsToSeconds(toUs - fromUs);
    if (kind.flow.pace === 'unsteady' || pace === 'unsteady') pace = 'unsteady';
    else if (kind.flow.pace === 'even') pace = 'even';
  }
  return { fromUs, toUs, rate, pace };
}
