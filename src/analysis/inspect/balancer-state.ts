import type { BalancerDescription, ListTurns, PriorityDescription } from '../../hostset/describe.js';
import type { HostSet } from '../../hostset/host-set.js';
import { type ZoneOff, zoneOff } from '../../hostset/split-facts.js';
import { localityResult } from '../../result/run-result.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import type { Inspection, InspectedList, InspectedPriority, InspectedZone } from './inspection.js';

/** Zone shares are kept in hundredths of a percent. */
const ZONE_SCALE = 10_000;

type BalancerState = Pick<
  Inspection,
  'panic_threshold' | 'normalized_total' | 'priorities' | 'zone' | 'subsets' | 'lists'
>;

/** What a worker's balancer holds since its last update. */
export function balancerState(cluster: ProxyCluster, worker: number): BalancerState {
  const balancer = cluster.parts.balancers.length === 0 ? undefined : cluster.balancerOf(worker);
  const description = cluster.world.present ? balancer?.describe() : undefined;
  if (description === undefined) {
    return { panic_threshold: 0, normalized_total: 0, priorities: [], zone: null, subsets: [], lists: [] };
  }
  const sets = cluster.upstream.delivery.deliveredSets;
  return {
    panic_threshold: description.panicThreshold,
    normalized_total: description.normalizedTotal,
    priorities: description.priorities.map((level) => priorityState(level, sets[level.priority])),
    zone: zoneState(description, sets[0]),
    subsets: (description.subsets ?? []).map(({ subset, hosts, healthy, singleHost, balancer: inner }) => ({
      subset,
      hosts,
      healthy,
      single_host: singleHost,
      panic: inner?.priorities.some(({ panic }) => panic) ?? false,
    })),
    lists: (balancer?.turns?.() ?? []).map(listState),
  };
}

function priorityState(level: PriorityDescription, hostSet: HostSet | undefined): InspectedPriority {
  const weights = level.localitySchedule?.healthy;
  return {
    priority: level.priority,
    hosts: level.hosts,
    healthy: level.healthy,
    degraded: level.degraded,
    excluded: level.excluded,
    overprovisioning: level.overprovisioningFactor,
    available: level.availablePercent,
    healthy_load: level.healthyLoad,
    degraded_load: level.degradedLoad,
    panic: level.panic,
    localities:
      weights === undefined
        ? []
        : (hostSet?.localities ?? []).map(({ locality }, index) => ({
            locality: localityResult(locality),
            weight: weights[index] ?? 0,
          })),
  };
}

function zoneState(
  { zone, zonePicks }: Pick<BalancerDescription, 'zone' | 'zonePicks'>,
  hostSet: HostSet | undefined,
): InspectedZone | null {
  if (zone === undefined) return null;
  if (zone.state === 'none') return { state: 'none', off: zoneOff(zone), stays: null, zones: [] };
  const off: ZoneOff | null =
    zonePicks?.enabledPercent === 0
      ? { gate: 'routing-enabled' }
      : zonePicks?.localClusterInPanic === true
        ? { gate: 'local-cluster-in-panic' }
        : null;
  const spare = (index: number): number => {
    if (zone.state !== 'residual') return 0;
    const total = zone.residualCapacity[zone.residualCapacity.length - 1] ?? 0;
    const own = (zone.residualCapacity[index] ?? 0) - (zone.residualCapacity[index - 1] ?? 0);
    return total === 0 ? 0 : own / total;
  };
  return {
    state: zone.state,
    off,
    stays: off !== null ? null : zone.state === 'direct' ? 1 : zone.localPercentToRoute / ZONE_SCALE,
    zones: (hostSet?.localities ?? []).map(({ locality }, index) => ({
      locality: localityResult(locality),
      hosts: (zone.upstream[index] ?? 0) / ZONE_SCALE,
      proxies: (zone.local[index] ?? 0) / ZONE_SCALE,
      spare: spare(index),
    })),
  };
}

function listState({ subset, priority, health, locality, hosts, turns }: ListTurns): InspectedList {
  const queue =
    turns.kind === 'schedule'
      ? turns.queue.map(({ host, deadline }) => ({ host, due: deadline - turns.now }))
      : hosts.map((_, index) => ({ host: (turns.next + index) % hosts.length, due: index + 1 }));
  return {
    subset: subset ?? null,
    priority,
    health,
    locality: locality === undefined ? null : localityResult(locality),
    kind: turns.kind,
    queue: queue.map(({ host, due }) => ({
      address: hosts[host]?.address ?? '',
      weight: hosts[host]?.weight ?? 0,
      active: hosts[host]?.activeRequests ?? 0,
      due,
    })),
  };
}
