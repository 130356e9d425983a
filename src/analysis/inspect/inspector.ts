import { type Micros, microsToSeconds } from '../../core/units.js';
import { xxhash64String } from '../../hash/text-hashes.js';
import type { Scenario } from '../../scenario/model.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import { createSimulation } from '../run/run-scenario.js';
import type { Simulation } from '../../simulation/simulation.js';
import { found, proxyWith } from '../explain/explain.js';
import { InspectOptions } from '../generated/options.js';
import { NO_PAUSE, type Pause, runUntil } from '../pause.js';
import type * as inspections from './generated/inspection.js';
import { demand, SCENARIO } from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import type { BalancerDescription, ListTurns, PriorityDescription } from '../../hostset/generated/descriptions.js';
import type { HostSet } from '../../hostset/host-set.js';
import type { ZoneOff } from '../../hostset/describe.js';
import { zoneOff } from '../../hostset/split-facts.js';
import { localityResult } from '../../result/run-result.js';
import type { CircuitBreakerLimit } from '../../settings/cluster-settings.js';
import type { Resource } from '../../upstream/circuit-breaker.js';
import { toDecimal } from '../../core/u64.js';
import { Decision, emptyPickRequest, type PickRequest } from '../../hostset/load-balancer.js';
import type { BalancerStep } from '../../hostset/generated/balancer-steps.js';
import { isTablePolicy } from '../../policy/registry.js';
import { ScriptedRandom } from '../../random/random64.js';

/** State of clusters at any instant. Nothing is recorded: going on in time runs on, going back runs again. */
export class Inspector {
  private simulation: Simulation | undefined;

  constructor(private readonly scenario: Scenario) {
    demand('new Inspector', ['scenario', scenario, SCENARIO]);
  }

  /** @throws NothingToExplain where there is no such cluster or proxy; UnsupportedError as `runScenario` does. */
  async look(options: InspectOptions): Promise<inspections.Inspection> {
    demand('look', ['options', options, optionsIn(InspectOptions, 'cluster')]);
    const { atUs = 0, cluster: name, proxy: wanted, worker = 0, hashKey: key, pause = NO_PAUSE } = options;
    const { proxies } = await this.simulationAt(atUs, pause);
    const proxy = proxyWith(worker, proxies, wanted);
    const cluster = found('cluster', name, proxy.clusters);
    const { present } = cluster.world;
    const balancer = cluster.parts.balancers.length === 0 ? undefined : cluster.balancerOf(worker);
    const description = present ? balancer?.describe() : undefined;
    return {
      at_s: microsToSeconds(atUs),
      proxy: proxy.name,
      worker,
      cluster: name,
      policy: cluster.world.settings.policyName,
      present,
      ...balancerState(description, cluster.upstream.delivery.deliveredSets),
      lists: (description && balancer?.turns?.())?.map(listState) ?? [],
      tables: (description?.subsets ?? [{ subset: null, balancer: description }]).flatMap(({ subset, balancer: own }) =>
        (own?.priorities ?? []).flatMap((level) => tableOf(level, subset) ?? []),
      ),
      key: present && key !== undefined ? inspectKey(cluster, worker, key) : null,
      merge_window: {
        window_s: microsToSeconds(cluster.world.settings.updateMergeWindowUs),
        waiting: cluster.upstream.delivery.waitingUpdates.map(({ priority, dueUs, causes }) => ({
          priority,
          due_s: microsToSeconds(dueUs),
          facts: [...new Map(causes.map(({ fact }) => [JSON.stringify(fact), fact])).values()],
        })),
      },
      outliers: outliersOf(cluster),
      breakers: [...breakersOf(cluster, 'DEFAULT'), ...breakersOf(cluster, 'HIGH')],
      // The state around the balancers: what hosts are known for, and what is used of the limits.
      hosts: [...cluster.upstream.priorities.hosts()].map(({ host, priority }) => ({
        address: host.address,
        priority,
        health: host.health,
        weight: host.weight,
        active: host.activeRequests,
        pending: host.pendingRequests,
        connections: host.stats.cxActive,
      })),
    };
  }

  private async simulationAt(atUs: Micros, pause: Pause): Promise<Simulation> {
    if (this.simulation === undefined || this.simulation.nowUs > atUs) {
      this.simulation = undefined;
      this.simulation = await createSimulation({ ...this.scenario, expect: [] });
    }
    await runUntil(this.simulation, pause, atUs);
    return this.simulation;
  }
}

/** Zone shares are kept in hundredths of a percent. */
const ZONE_SCALE = 10_000;

function balancerState(description: BalancerDescription | undefined, sets: readonly (HostSet | undefined)[]) {
  if (description === undefined)
    return { panic_threshold: 0, normalized_total: 0, priorities: [], zone: null, subsets: [] };
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
  };
}

function priorityState(level: PriorityDescription, hostSet: HostSet | undefined): inspections.InspectedPriority {
  const weights = level.localitySchedule?.healthy;
  const { localities = [] } = (weights && hostSet) ?? {};
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
    localities: localities.map(({ locality }, index) => ({
      locality: localityResult(locality),
      weight: weights?.[index] ?? 0,
    })),
  };
}

function zoneState(
  { zone, zonePicks }: Pick<BalancerDescription, 'zone' | 'zonePicks'>,
  hostSet: HostSet | undefined,
): inspections.InspectedZone | null {
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

function listState({ subset, priority, health, locality, hosts, turns }: ListTurns): inspections.InspectedList {
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

function outliersOf({ parts: { outliers }, upstream }: ProxyCluster): inspections.InspectedOutliers | null {
  if (outliers === undefined) return null;
  const { detector } = outliers;
  const { mean, threshold } = detector.clusterRates.external;
  const hosts = [...upstream.priorities.hosts()].flatMap(({ host }) => {
    const monitor = detector.monitor(host);
    if (monitor === undefined) return [];
    const { successRate } = monitor.external;
    const lasts = monitor.ejected ? detector.ejectionTime(host) : undefined;
    return {
      address: host.address,
      consecutive_5xx: monitor.consecutive5xx,
      consecutive_gateway_failure: monitor.consecutiveGatewayFailure,
      consecutive_local_origin_failure: monitor.consecutiveLocalOriginFailure,
      success_rate: successRate < 0 ? null : successRate,
      ejections: monitor.ejections,
      out_until_s: lasts === undefined ? null : microsToSeconds(monitor.ejectedAtUs + lasts.leastUs),
    };
  });
  return {
    limits: detector.runLimits,
    interval_s: microsToSeconds(detector.intervalUs),
    ejected: hosts.filter(({ out_until_s: until }) => until !== null).length,
    may_be_out: detector.mayBeOut,
    success_rate: threshold < 0 ? null : { mean, threshold },
    hosts,
  };
}

export function breakersOf(cluster: ProxyCluster, priority: inspections.InspectedBreaker['priority']) {
  const { connections, pendingRequests, requests, retries } = cluster.breakerOf(priority);
  const row = (limit: CircuitBreakerLimit, { count: used, max }: Resource) => ({ priority, limit, used, max });
  return [
    row('max_connections', connections),
    row('max_pending_requests', pendingRequests),
    row('max_requests', requests),
    row('max_retries', retries),
  ];
}

/** Looks a key up as a request with it would, and nothing else about it; null where the policy keeps no table. */
function inspectKey(cluster: ProxyCluster, worker: number, key: string): inspections.InspectedKey | null {
  if (cluster.world.type === 'AGGREGATE' || !isTablePolicy(cluster.lb.lbPolicy)) return null;
  const hash = xxhash64String(key);
  const steps: BalancerStep[] = [];
  const request: PickRequest = {
    ...emptyPickRequest(new ScriptedRandom([])),
    hasHash: true,
    hashHi: hash.hi,
    hashLo: hash.lo,
    key,
    trace: (step) => steps.push(step),
  };
  const decision = new Decision();
  cluster.balancerOf(worker).choose(request, decision);
  const slot = steps.find((step) => step.kind === 'slot')?.inputs;
  return {
    key,
    hash: toDecimal(hash.hi, hash.lo),
    position: slot === undefined ? (hash.hi * 2 ** 32 + hash.lo) / ALL_HASHES : slot.slot / slot.slots,
    priority: decision.priority,
    host: decision.host?.address ?? null,
    facts: steps,
  };
}

/** 2⁶⁴. */
const ALL_HASHES = 18446744073709551616;

function tableOf({ priority, table: described }: PriorityDescription, subset: string | null) {
  if (described === undefined || described.hosts.length === 0) return undefined;
  const { hosts, policy, table } = described;
  const shares = policy.keyShares(table);
  const entries = [...policy.entries(table)];
  // A ring places its entries by hash, a table of slots by number.
  const whole = policy.noun === 'ring' ? ALL_HASHES : entries.length;
  return {
    subset,
    priority,
    noun: policy.noun,
    size: table.size,
    hosts: hosts.map(({ address }, index) => ({
      address,
      entries: table.entriesPerHost[index] ?? 0,
      key_share: shares[index] ?? 0,
    })),
    positions: Float64Array.from(entries, ({ position }) => Number(position) / whole),
    owners: Int32Array.from(entries, ({ host }) => host),
  };
}
