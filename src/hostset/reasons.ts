import { unreachable } from '../core/assert.js';
import { isTablePolicy, lbPolicyName } from '../policy/registry.js';
import type { AggregateLevel, BalancerDescription, PriorityDescription } from './describe.js';
import type { LoadBalancerConfig } from './lb-config.js';
import { emptyTableText } from './normalized-weights.js';
import type { ZoneGate } from './zone-aware.js';
import { addTo } from '../core/lists.js';

/** This many percentage points above the panic threshold, panic is no longer mentioned. */
const NEAR_PANIC = 30;

/** The configuration that the sentences need. */
type ReasonConfig = Pick<LoadBalancerConfig, 'failTrafficOnPanic' | 'lbPolicy'>;

/** Why a split is not what weights alone would give: one sentence per gate that acted. */
export function reasonsFor(description: BalancerDescription, config: ReasonConfig): string[] {
  const { priorities, aggregate } = description;
  if (aggregate !== undefined) return aggregateReasons(description, aggregate);
  const hosts = priorities.reduce((sum, priority) => sum + priority.hosts, 0);
  if (hosts === 0) return ['no hosts: every request fails'];
  const levels = priorities.filter((priority) => priority.hosts > 0);
  const several = levels.length > 1;
  return [
    ...levels.flatMap((level) => emptyTableReason(level, config, several)),
    ...levels.flatMap((level) => panicReason(level, description, config, several)),
    ...spillReasons(levels, description.normalizedTotal),
    ...levels.flatMap((level) => degradedReason(level, config, several)),
    ...levels.flatMap((level) => exclusionReason(level, several)),
    ...zoneReason(description),
    ...zonesWithoutDegraded(description),
    ...levels.flatMap((level) => localityReason(level, several)),
    ...overrideReason(description),
  ];
}

/** Whose levels get how much, and why the first does not get all. */
function aggregateReasons({ priorities }: BalancerDescription, levels: readonly AggregateLevel[]): string[] {
  if (levels.length === 0) return ['no member has hosts: every request fails'];
  const severalIn = new Set(levels.filter(({ priority }) => priority > 0).map(({ cluster }) => cluster));
  const loads = levels.map(({ cluster, priority }, index) => {
    const { healthyLoad = 0, degradedLoad = 0 } = priorities[index] ?? {};
    const name = severalIn.has(cluster) ? `${cluster} priority ${priority}` : cluster;
    return `${name} gets ${healthyLoad + degradedLoad} %`;
  });
  const shares = `levels in a row: ${loads.join(', ')}`;
  if (priorities.every(({ panic }) => panic)) return [`total panic: load follows the number of hosts; ${shares}`];
  const [first] = priorities;
  if (first === undefined || first.healthyLoad === 100) return [shares];
  return [`${shares}; ${coverText(first)} of ${levels[0]?.cluster ?? ''}`];
}

function overrideReason({ overrideHeaders = [] }: BalancerDescription): string[] {
  if (overrideHeaders.length === 0) return [];
  return [`requests that name a host in ${overrideHeaders.join(' or ')} go there, whatever its health`];
}

function percent(value: number): string {
  return `${Number.isInteger(value) ? value : value.toFixed(1)} %`;
}

function countHosts(count: number): string {
  return count === 1 ? '1 host' : `${count} hosts`;
}

function inPriority(level: PriorityDescription, several: boolean): string {
  return several || level.priority > 0 ? ` in priority ${level.priority}` : '';
}

/** Whether requests reach a level while it is in panic: that of a level without load has no effect. */
function panicsUnderLoad({
  panic,
  healthyLoad,
  degradedLoad,
}: Pick<PriorityDescription, 'panic' | 'healthyLoad' | 'degradedLoad'>): boolean {
  return panic && healthyLoad + degradedLoad > 0;
}

/** A level that gets nothing needs no table. */
function emptyTableReason(level: PriorityDescription, { lbPolicy }: ReasonConfig, several: boolean): string[] {
  const { emptyTable: why, priority, healthyLoad, degradedLoad } = level;
  if (why === undefined || healthyLoad + degradedLoad === 0) return [];
  return [emptyTableText(why, lbPolicy, several || priority > 0 ? priority : undefined)];
}

function panicReason(
  level: PriorityDescription,
  description: BalancerDescription,
  config: ReasonConfig,
  several: boolean,
): string[] {
  const where = inPriority(level, several);
  const available = level.healthy + level.degraded;
  const counted = level.hosts - level.excluded;
  const have = `${available} of ${counted} hosts available is ${percent(level.availablePercent)}`;
  if (panicsUnderLoad(level)) {
    const effect = config.failTrafficOnPanic
      ? 'fail_traffic_on_panic is set, so no host is picked'
      : 'all its hosts are used, whatever their health';
    return [`panic${where}: ${have}, below the threshold of ${description.panicThreshold} %: ${effect}`];
  }
  if (level.panic && available > 0) return [];
  if (available === counted || level.availablePercent >= description.panicThreshold + NEAR_PANIC) return [];
  if (available === 0) {
    const why =
      description.panicThreshold === 0
        ? 'the panic threshold is 0 %, so no host is picked there'
        : 'its load goes to other priorities';
    return [`no host available${where}: ${why}`];
  }
  if (level.availablePercent < description.panicThreshold) {
    return [`no panic${where}: ${have}, but all priorities together reach ${description.normalizedTotal} %`];
  }
  return [`no panic${where}: ${have}, the threshold is ${description.panicThreshold} %`];
}

/** How priorities share the load, where it does not all go to the first one. */
function spillReasons(levels: readonly PriorityDescription[], total: number): string[] {
  if (levels.length < 2) return [];
  const loads = levels.map((level) => level.healthyLoad + level.degradedLoad);
  // Earlier loads that remain after a priority that takes everything are never reached.
  if (loads[0] === 100 || levels[0]?.healthyLoad === 100) return [];
  const split = levels.map((level, index) => `priority ${level.priority} gets ${loads[index] ?? 0} %`).join(', ');
  if (levels.every((level) => level.panic)) return [`total panic: load follows the number of hosts, ${split}`];
  const [first] = levels;
  if (first === undefined) return [];
  const covers = `spill: ${coverText(first)} of priority ${first.priority}`;
  return [[covers, ...scaling(levels, loads, total), split].join('; ')];
}

/**
 * Where all levels together cover less than everything, their parts are scaled up, and the rest from rounding goes to the
 * first.
 */
function scaling(levels: readonly PriorityDescription[], loads: readonly number[], total: number): string[] {
  if (total >= 100 || total <= 0) return [];
  const [first = 0, ...others] = levels.map((level) => cover(level));
  const scaled = Math.trunc((first * 100) / total);
  const rest = (loads[0] ?? 0) - scaled;
  const sum = others.reduce((all, one) => all + one, 0);
  const left = rest > 0 ? `, and rounding leaves ${rest} % to the first` : '';
  const name = others.length === 1 ? 'the other priority' : 'the other priorities';
  return [`${name} cover${others.length === 1 ? 's' : ''} ${sum} %: scaled from ${total} to 100 %${left}`];
}

/** What the hosts of a level cover, healthy and degraded, as the proxy rounds it. */
function cover(level: PriorityDescription): number {
  const { healthy, degraded, counted } = measured(level);
  const part = (hosts: number): number => coverOf(level, hosts, counted);
  return Math.min(100, part(healthy) + part(degraded));
}

/** "2 of 4 healthy × 1.4 covers 70 %" */
function coverText(level: PriorityDescription): string {
  const { healthy, counted } = measured(level);
  const what = level.healthWeights === undefined ? '' : 'weight ';
  const factor = level.overprovisioningFactor / 100;
  return `${what}${healthy} of ${counted} healthy × ${factor} covers ${percent(coverOf(level, healthy, counted))}`;
}

function coverOf({ overprovisioningFactor: factor }: PriorityDescription, part: number, counted: number): number {
  return counted === 0 ? 0 : Math.min(100, Math.trunc((factor * part) / counted));
}

/** What the health of a level is measured by. */
function measured(level: PriorityDescription): NonNullable<PriorityDescription['healthWeights']> {
  const { healthy, degraded, hosts, excluded, healthWeights } = level;
  return healthWeights ?? { healthy, degraded, counted: hosts - excluded };
}

function degradedReason(level: PriorityDescription, config: ReasonConfig, several: boolean): string[] {
  if (level.degraded === 0 || level.panic) return [];
  const where = inPriority(level, several);
  if (isTablePolicy(config.lbPolicy)) {
    return [
      `degraded${where}: ${countHosts(level.degraded)} in no ${lbPolicyName(config.lbPolicy)} table, which holds healthy hosts only`,
    ];
  }
  if (level.degradedLoad === 0) {
    return [`degraded${where}: nothing for ${countHosts(level.degraded)}, the healthy ones cover the load`];
  }
  return [`degraded${where}: healthy hosts cover ${level.healthyLoad} %, degraded ones get ${level.degradedLoad} %`];
}

function exclusionReason(level: PriorityDescription, several: boolean): string[] {
  if (level.excluded === 0) return [];
  return [`excluded${inPriority(level, several)}: ${countHosts(level.excluded)} in no denominator`];
}

function zoneReason({ zone, zonePicks, priorities }: BalancerDescription): string[] {
  // Only priority 0 is ever routed by zone.
  if (zone === undefined || (priorities[0]?.hosts ?? 0) === 0) return [];
  if (zone.state === 'none') return [`zone routing off: ${gateText(zone)}`];
  const { enabledPercent = 100, localClusterInPanic = false } = zonePicks ?? {};
  if (enabledPercent === 0) return ['zone routing off: routing_enabled is 0 %'];
  if (localClusterInPanic) return ['zone routing off: the local cluster is in panic'];
  const routing = enabledPercent < 100 ? `zone routing for ${enabledPercent} % of the requests` : 'zone routing';
  switch (zone.state) {
    case 'direct':
      return [zone.forced ? `${routing}: forced into the own zone` : `${routing}: everything stays in the own zone`];
    case 'residual': {
      const spare = zone.residualCapacity[zone.residualCapacity.length - 1] ?? 0;
      const rest = spare > 0 ? 'goes where capacity is left' : 'goes to any zone, as none has capacity left';
      return [`${routing}: ${percent(zone.localPercentToRoute / 100)} stay in the own zone, the rest ${rest}`];
    }
  }
}

/** A zone is chosen before it is known whether it has a host of the health that was drawn. */
function zonesWithoutDegraded({ zone, zonePicks, priorities: [first] }: BalancerDescription): string[] {
  if (zone === undefined || zone.state === 'none' || zonePicks?.enabledPercent === 0) return [];
  if (zonePicks?.localClusterInPanic === true || first === undefined || first.panic || first.degradedLoad === 0)
    return [];
  return ['zone routing places requests for degraded hosts too: in a zone without any they find no host'];
}

export function gateText(gate: ZoneGate): string {
  switch (gate.gate) {
    case 'not-computed':
      return 'the local cluster has no hosts yet';
    case 'upstream-zones':
      return `the cluster is in ${gate.zones} of at least ${gate.needed} zones`;
    case 'local-zones':
      return `the local cluster is in ${gate.zones} of at least ${gate.needed} zones`;
    case 'no-local-hosts':
      return "the local cluster has no host in the proxy's zone";
    case 'no-upstream-local-hosts':
      return "the cluster has no healthy host in the proxy's zone";
    case 'zone-number-differs':
      return `the cluster is in ${gate.upstreamZones} zones, the local cluster in ${gate.localZones}`;
    case 'cluster-too-small':
      return `${gate.healthyHosts} healthy hosts < min_cluster_size ${gate.minClusterSize}`;
    default:
      return unreachable(gate);
  }
}

function localityReason(level: PriorityDescription, several: boolean): string[] {
  const { localitySchedule, tableWeights } = level;
  const where = inPriority(level, several);
  if (level.emptyTable !== undefined) return [];
  // One locality shares with nobody.
  if ((tableWeights ?? localitySchedule?.healthy ?? []).length < 2) return [];
  if (tableWeights !== undefined) return [`localities${where} share the table by weights ${ratio(tableWeights)}`];
  const weights = localitySchedule?.healthy;
  if (weights === undefined || level.panic) return [];
  return [`localities${where} share by effective weights ${ratio(weights)}`];
}

function ratio(weights: readonly number[]): string {
  return weights.map((weight) => String(Number(weight.toPrecision(4)))).join(' : ');
}

/** The reasons of several kinds of proxies: a reason that holds for only some of them ends with their names. */
export function reasonsAcross(kinds: ReadonlyMap<string, readonly string[]>): string[] {
  const holdsFor = new Map<string, string[]>();
  for (const [name, reasons] of kinds) {
    for (const reason of reasons) addTo(holdsFor, reason, name);
  }
  return [...holdsFor].map(([reason, names]) =>
    names.length === kinds.size ? reason : `${reason} (${names.join(', ')})`,
  );
}

/** Whether a sentence of {@link reasonsFor} says that a table is empty. */
export function saysEmptyTable(reason: string): boolean {
  return / table is empty\b/.test(reason);
}

/** Whether a sentence of {@link reasonsFor} says that a level is in panic. */
export function saysPanic(reason: string): boolean {
  return /(^|: )(total )?panic\b/.test(reason);
}
