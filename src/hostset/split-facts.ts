import { entryOf, sum } from '../core/values.js';
import { isTablePolicy, lbPolicyName } from '../policy/registry.js';
import type { AggregateLevel, BalancerDescription, Cover, OfPriority } from './generated/descriptions.js';
import type { PriorityDescription } from './generated/descriptions.js';
import type { ZoneOff } from './describe.js';
import type { SplitFact } from './generated/split-facts.js';
import type { LoadBalancerConfig } from './lb-config.js';
import { percentCovered } from './priority-load.js';
import type { ZoneGate } from './zone-aware.js';

/** This many percentage points above the panic threshold, panic is no longer mentioned. */
const NEAR_PANIC = 30;

type SplitConfig = Pick<LoadBalancerConfig, 'failTrafficOnPanic' | 'lbPolicy'>;

export function splitFacts(description: BalancerDescription, config: SplitConfig): SplitFact[] {
  const { priorities, aggregate } = description;
  if (aggregate !== undefined) return [aggregateFact(description, aggregate)];
  const { overrideHeaders = [] } = description;
  const levels = priorities.filter((priority) => priority.hosts > 0);
  if (levels.length === 0) return [{ kind: 'no_hosts', of: 'cluster' }];
  const of = ({ priority }: PriorityDescription): OfPriority => (levels.length > 1 || priority > 0 ? { priority } : {});
  const each = (fact: (level: PriorityDescription, of: OfPriority) => SplitFact | undefined): SplitFact[] =>
    levels.flatMap((level) => fact(level, of(level)) ?? []);
  return [
    ...each((level, of) => emptyTableFact(level, config, of)),
    ...each((level, of) => panicFact(level, description, config, of)),
    ...spillFact(levels, description.normalizedTotal),
    ...each((level, of) => degradedFact(level, config, of)),
    ...each(({ excluded }, of) => (excluded === 0 ? undefined : { kind: 'excluded', hosts: excluded, ...of })),
    ...zoneFact(description),
    ...zonesWithoutDegraded(description),
    ...each(localityFact),
    ...(overrideHeaders.length === 0 ? [] : [{ kind: 'named_host', headers: overrideHeaders } as const]),
  ];
}

function aggregateFact({ priorities }: BalancerDescription, members: readonly AggregateLevel[]): SplitFact {
  if (members.length === 0) return { kind: 'no_hosts', of: 'members' };
  const levels = members.map((level, index) => {
    const { healthyLoad = 0, degradedLoad = 0 } = priorities[index] ?? {};
    return { ...level, load: healthyLoad + degradedLoad };
  });
  const [first] = priorities;
  const totalPanic = priorities.every(({ panic }) => panic);
  const getsAll = totalPanic || first === undefined || first.healthyLoad === 100;
  return { kind: 'members', levels, total_panic: totalPanic, ...(!getsAll && { cover: coverFact(first) }) };
}

/** A level that gets nothing needs no table. */
function emptyTableFact(level: PriorityDescription, { lbPolicy }: SplitConfig, of: OfPriority): SplitFact | undefined {
  const { emptyTable: why, healthyLoad, degradedLoad } = level;
  if (why === undefined || healthyLoad + degradedLoad === 0) return undefined;
  return { kind: 'empty_table', policy: lbPolicyName(lbPolicy), why, ...of };
}

function panicFact(
  level: PriorityDescription,
  { panicThreshold: threshold, normalizedTotal }: BalancerDescription,
  config: SplitConfig,
  of: OfPriority,
): SplitFact | undefined {
  const available = level.healthy + level.degraded;
  const counted = level.hosts - level.excluded;
  const have = { ...of, available, counted, available_percent: level.availablePercent, threshold };
  // That of a level without load has no effect.
  if (level.panic && level.healthyLoad + level.degradedLoad > 0)
    return { kind: 'panic', effect: config.failTrafficOnPanic ? 'no_host' : 'all_hosts', ...have };
  if (level.panic && available > 0) return undefined;
  if (available === counted || level.availablePercent >= threshold + NEAR_PANIC) return undefined;
  if (available === 0) return { kind: 'no_host_available', ...of, counted, threshold };
  const isBelow = level.availablePercent < threshold;
  return { kind: 'no_panic', ...have, ...(isBelow && { all_levels_percent: normalizedTotal }) };
}

function spillFact(priorities: readonly PriorityDescription[], total: number): SplitFact[] {
  if (priorities.length < 2) return [];
  const levels = priorities.map(({ priority, healthyLoad, degradedLoad }) => ({
    priority,
    load: healthyLoad + degradedLoad,
  }));
  const [first] = priorities;
  // Earlier loads that remain after a priority that takes everything are never reached.
  if (first === undefined || levels[0]?.load === 100 || first.healthyLoad === 100) return [];
  if (priorities.every((level) => level.panic)) return [{ kind: 'total_panic', levels }];
  return [{ kind: 'spill', levels, cover: coverFact(first), ...scaled(priorities, levels[0]?.load ?? 0, total) }];
}

/** Where all levels together cover less than everything: parts are scaled up, the first gets the rest from rounding. */
function scaled(levels: readonly PriorityDescription[], load: number, total: number) {
  if (total >= 100 || total <= 0) return {};
  // In percent, as the proxy rounds it.
  const [first = 0, ...others] = levels.map(({ measured, overprovisioningFactor: factor }) => {
    const part = (hosts: number): number => percentCovered(factor, hosts, measured.counted);
    return Math.min(100, part(measured.healthy) + part(measured.degraded));
  });
  return {
    scaled: {
      other_levels: others.length,
      others_percent: sum(others),
      total_percent: total,
      rest_percent: Math.max(0, load - Math.trunc((first * 100) / total)),
    },
  };
}

function coverFact(level: PriorityDescription): Cover {
  const { measured, byWeight: by_weight, overprovisioningFactor: factor } = level;
  const { healthy, counted } = measured;
  return { healthy, counted, by_weight, factor: factor / 100, percent: percentCovered(factor, healthy, counted) };
}

function degradedFact(level: PriorityDescription, { lbPolicy }: SplitConfig, of: OfPriority): SplitFact | undefined {
  const { degraded: hosts, panic, healthyLoad, degradedLoad } = level;
  if (hosts === 0 || panic) return undefined;
  const covered = coverFact(level);
  const get = isTablePolicy(lbPolicy) ? 'no_entry' : degradedLoad === 0 ? 'nothing' : 'load';
  return {
    kind: 'degraded',
    ...of,
    hosts,
    get,
    policy: lbPolicyName(lbPolicy),
    healthy_load: healthyLoad,
    degraded_load: degradedLoad,
    ...(get === 'load' && covered.percent === healthyLoad && { cover: covered }),
  };
}

function zoneFact({ zone, zonePicks, priorities }: BalancerDescription): SplitFact[] {
  // Only priority 0 is ever routed by zone.
  if (zone === undefined || (priorities[0]?.hosts ?? 0) === 0) return [];
  if (zone.state === 'none') return [{ kind: 'zone_off', ...zoneOff(zone) }];
  const { enabledPercent: enabled = 100, localClusterInPanic = false } = zonePicks ?? {};
  if (enabled === 0) return [{ kind: 'zone_off', gate: 'routing-enabled' }];
  if (localClusterInPanic) return [{ kind: 'zone_off', gate: 'local-cluster-in-panic' }];
  const head = { kind: 'zone', enabled_percent: enabled } as const;
  if (zone.state === 'direct') return [{ ...head, stays: zone.forced ? 'forced' : 'all' }];
  const elsewhere = (zone.residualCapacity.at(-1) ?? 0) > 0 ? 'spare' : 'any';
  return [{ ...head, stays: 'part', local_percent: zone.localPercentToRoute / 100, elsewhere }];
}

export function zoneOff(off: ZoneGate): ZoneOff {
  const { gate } = off;
  if (gate === 'zone-number-differs') return { gate, upstream_zones: off.upstreamZones, local_zones: off.localZones };
  if (gate === 'cluster-too-small')
    return { gate, healthy_hosts: off.healthyHosts, min_cluster_size: off.minClusterSize };
  return gate === 'upstream-zones' || gate === 'local-zones'
    ? { gate, zones: off.zones, needed: off.needed }
    : { gate };
}

function zonesWithoutDegraded({ zone, zonePicks, priorities: [first] }: BalancerDescription): SplitFact[] {
  if (zone === undefined || zone.state === 'none' || zonePicks?.enabledPercent === 0) return [];
  if (zonePicks?.localClusterInPanic === true || first === undefined || first.panic || first.degradedLoad === 0)
    return [];
  return [{ kind: 'zones_without_degraded' }];
}

function localityFact(level: PriorityDescription, of: OfPriority): SplitFact | undefined {
  const { localitySchedule, tableWeights } = level;
  if (level.emptyTable !== undefined) return undefined;
  const weights = tableWeights ?? localitySchedule?.healthy;
  // One locality shares with nobody.
  if (weights === undefined || weights.length < 2) return undefined;
  if (tableWeights === undefined && level.panic) return undefined;
  return { kind: 'localities', ...of, share: tableWeights === undefined ? 'turns' : 'table', weights: [...weights] };
}

/** The facts of several kinds of proxies: one that holds for only some of them has their names. */
export function factsAcross(kinds: ReadonlyMap<string, readonly SplitFact[]>): SplitFact[] {
  const holdsFor = new Map<string, { readonly fact: SplitFact; readonly proxies: string[] }>();
  for (const [name, facts] of kinds)
    for (const fact of facts) entryOf(holdsFor, JSON.stringify(fact), () => ({ fact, proxies: [] })).proxies.push(name);
  return [...holdsFor.values()].map(({ fact, proxies }) =>
    proxies.length === kinds.size ? fact : { ...fact, proxies },
  );
}
