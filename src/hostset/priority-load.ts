import { type ProxyVersion, quirksOf } from '../core/version.js';
import { mod } from '../core/u64.js';
import type { HealthLists, WeightedList, LevelLists } from './host-set.js';
import { type Runtime, runtimeInteger } from '../core/environment.js';

/** What panic does to a pick. */
export type PanicEffect = 'all_hosts' | 'no_host' | 'whole_table';

/** The panic threshold in force now: the runtime's value or the configured percentage, as an integer up to 100. */
export const panicThreshold = (runtime: Runtime, healthyPanicThreshold: number): number =>
  Math.min(100, runtimeInteger(runtime, 'upstream.healthy_panic_threshold', wholePercent(healthyPanicThreshold)));

/** Percent of the hosts, whatever their weights, that are healthy or degraded; excluded ones do not count. 0: none counts. */
export const availablePercent = ({ hosts, healthy, degraded, excluded }: HealthLists): number =>
  percentAvailable(healthy.length, degraded.length, hosts.length - excluded.length);

/** Whether so few hosts of the level are available that the proxy stops trusting their health. Strict: 50 % is not below 50. */
export const isBelowPanicThreshold = (hostSet: HealthLists, threshold: number): boolean =>
  availablePercent(hostSet) < threshold;

/** {@link availablePercent} of numbers of hosts. */
export const percentAvailable = (healthy: number, degraded: number, counted: number): number =>
  counted === 0 ? 0 : (100.0 * healthy) / counted + (100.0 * degraded) / counted;

/** How much of the load a part of the counted hosts covers, an integer percentage up to 100. */
export const percentCovered = (overprovisioningFactor: number, part: number, counted: number): number =>
  counted > 0 ? Math.min(100, Math.floor((overprovisioningFactor * part) / counted)) : 0;

/** As the proxy's balancers have a percentage: the double 100 · (value / 100.0), truncated. So 29, 57 and 58 are 28, 56 and 57. */
export const wholePercent = (value: number): number => Math.trunc(100.0 * (value / 100.0));

/** The loads of all priorities, in percent; each array is indexed by priority. */
export type PriorityLoad = Readonly<{ healthy: readonly number[]; degraded: readonly number[] }>;

/** The loads by which a balancer draws a priority; each array is indexed by priority. */
export interface PriorityAvailability {
  /** Healthy hosts with overprovisioning, in percent up to 100. */
  readonly health: readonly number[];
  readonly degradedHealth: readonly number[];
  readonly load: PriorityLoad;
}

/**
 * How a cluster's load is spread over its priorities, and which of them are in panic; as of the last update.
 *
 * Shapes: one value per priority, in percent (integers). Loads sum to 100, but for one case the proxy has too: no host is
 * available and panic is off. Then priority 0 gets 100, and the old loads of the others remain after it, never reached.
 */
export interface PriorityState {
  /** min(100, overprovisioning · healthy hosts / hosts) of each level. */
  readonly health: number[];
  /** The same of its degraded hosts. */
  readonly degradedHealth: number[];
  readonly load: { readonly healthy: number[]; readonly degraded: number[] };
  readonly panic: boolean[];
  /** What each level's health was worked out of: numbers of hosts, or sums of their weights of then. */
  readonly measured: Measured[];
}

export type Measured = Readonly<Record<'healthy' | 'degraded' | 'counted', number>>;

const NOTHING: Measured = { healthy: 0, degraded: 0, counted: 0 };

export function emptyPriorityState(): PriorityState {
  // Nearly always there is one level: an array that starts with it takes much less memory than one that grows to it.
  const load = { healthy: [0], degraded: [0] };
  return { health: [0], degradedHealth: [0], load, panic: [false], measured: [NOTHING] };
}

/**
 * The state after the lists of one level have changed.
 * Example: priorities of 4 hosts each, overprovisioning 140 %
 *   priority 0: 2 of 4 healthy · 1.4 can carry 70 %, gets 70 %
 *   priority 1: 1 of 4 healthy · 1.4 can carry 35 %, gets 30 %
 *   priority 2: 4 of 4 healthy · 1.4 can carry 100 %, gets 0 %
 * Each takes as much of the rest as it can carry. None panics, since together they can carry everything.
 * Only that level's health is recounted; loads and panic follow for all levels. Source: the proxy's documentation on
 * priority levels and on the panic threshold, with the roundings that only its code shows: integer divisions truncate, and
 * what they lose goes to the first level that has any load.
 * @param before   stays as it is.
 * @param hostSets all levels; the changed one is hostSets[changed].
 * @param threshold the panic threshold in force, an integer of 0 … 100.
 */
export function priorityState(
  before: PriorityState,
  hostSets: readonly LevelLists[],
  changed: number,
  threshold: number,
  version: ProxyVersion,
): PriorityState {
  const added = Math.max(0, hostSets.length - before.health.length);
  const copied = <T>(values: readonly T[], more: T): T[] => [...values, ...new Array<T>(added).fill(more)];
  const state: PriorityState = {
    health: copied(before.health, 0),
    degradedHealth: copied(before.degradedHealth, 0),
    load: { healthy: copied(before.load.healthy, 0), degraded: copied(before.load.degraded, 0) },
    panic: copied(before.panic, false),
    measured: copied(before.measured, NOTHING),
  };
  const hostSet = hostSets[changed];
  if (hostSet !== undefined) countHealth(state, hostSet);
  const numbers = hostSets.map((lists) => ({ hosts: lists.hosts.length, available: availablePercent(lists) }));
  spreadLoad(state, numbers, threshold, version);
  return state;
}

/** What of a level decides on panic. */
export interface LevelNumbers {
  /** All of them, whatever their health. */
  readonly hosts: number;
  /** {@link availablePercent} */
  readonly available: number;
}

/** Works out the loads and panic flags of a state from the health in it, in place. @param levels one for each of its levels. */
export function spreadLoad(
  state: PriorityState,
  levels: readonly LevelNumbers[],
  threshold: number,
  version: ProxyVersion,
): void {
  const total = normalizedTotal(state);
  if (total > 0) distribute(state, total);
  const { totalPanicMovesLoad } = quirksOf(version);
  if (total === 0 && (threshold === 0 || !totalPanicMovesLoad)) {
    // A priority must be chosen, though it has no host to give. The proxy writes nothing else here: earlier loads and flags remain,
    // but for the flag of priority 0 where panic moves no load between levels.
    state.load.healthy[0] = 100;
    if (!totalPanicMovesLoad) state.panic[0] = threshold > 0;
    return;
  }
  levels.forEach(({ available }, priority) => {
    state.panic[priority] = total < 100 && available < threshold;
  });
  if (totalPanicMovesLoad && state.panic.every((panic) => panic)) spreadTotalPanic(state, levels);
}

/** Availability of all levels together, at most 100: below that, levels may panic. */
export function normalizedTotal(state: PriorityState): number {
  let total = 0;
  for (const health of state.health) total += health;
  for (const health of state.degradedHealth) total += health;
  return Math.min(100, total);
}

/** Chooses a level by value mod 100: p for the healthy hosts of priority p, −1 − p (which is ~p) for its degraded ones. */
export function choosePriority(load: PriorityLoad, hi: number, lo: number): number {
  const { healthy, degraded } = load;
  // The common case: nothing is left for the other levels.
  if (healthy[0] === 100) return 0;
  const point = mod(hi, lo, 100) + 1;
  let reached = 0;
  for (let priority = 0; priority < healthy.length; priority++) {
    reached += healthy[priority] as number;
    if (point <= reached) return priority;
  }
  for (let priority = 0; priority < degraded.length; priority++) {
    reached += degraded[priority] as number;
    if (point <= reached) return ~priority;
  }
  return 0;
}

function countHealth(state: PriorityState, hostSet: LevelLists): void {
  const measure = hostSet.weightedPriorityHealth ? sumOfWeights : numberOf;
  const counted = measure(hostSet.hosts) - measure(hostSet.excluded);
  const measured = { healthy: measure(hostSet.healthy), degraded: measure(hostSet.degraded), counted };
  const percent = (part: number): number => percentCovered(hostSet.overprovisioningFactor, part, counted);
  state.measured[hostSet.priority] = measured;
  state.health[hostSet.priority] = percent(measured.healthy);
  state.degradedHealth[hostSet.priority] = percent(measured.degraded);
}

/** The two measures of health: with and without degraded hosts. */
export const numberOf = (hosts: WeightedList): number => hosts.length;

export function sumOfWeights(hosts: WeightedList): number {
  let sum = 0;
  for (const { weight } of hosts) sum += weight;
  return sum;
}

/** Loads of priorities by what is available, in percent; 0 for excluded ones. @returns undefined: nothing is. */
export function spreadOverRest(
  available: Pick<PriorityAvailability, 'health' | 'degradedHealth'>,
  isExcluded: (priority: number) => boolean,
): PriorityLoad | undefined {
  const rest = (list: readonly number[]): number[] => list.map((value, priority) => (isExcluded(priority) ? 0 : value));
  const [health, degradedHealth] = [rest(available.health), rest(available.degradedHealth)];
  const sum = [...health, ...degradedHealth].reduce((all, value) => all + value, 0);
  if (sum === 0) return undefined;
  const load = { healthy: [], degraded: [] };
  distribute({ load, health, degradedHealth }, Math.min(100, sum));
  return load;
}

type Spread = Pick<PriorityState, 'load'> & Pick<PriorityAvailability, 'health' | 'degradedHealth'>;

/** Healthy hosts of all levels come first, in order of priority, then degraded ones. */
function distribute({ load, health, degradedHealth }: Spread, total: number): void {
  let left = distributeOver(load.healthy, health, 100, total);
  left = distributeOver(load.degraded, degradedHealth, left, total);
  if (left === 0) return;
  const firstHealthy = health.findIndex((value) => value > 0);
  const firstDegraded = degradedHealth.findIndex((value) => value > 0);
  if (firstHealthy >= 0) addTo(load.healthy, firstHealthy, left);
  else addTo(load.degraded, firstDegraded, left);
}

function distributeOver(load: number[], health: readonly number[], available: number, total: number): number {
  let left = available;
  health.forEach((value, priority) => {
    const share = Math.min(left, Math.floor((value * 100) / total));
    load[priority] = share;
    left -= share;
  });
  return left;
}

/** Every level panics: load goes by the number of hosts, whatever their health. */
function spreadTotalPanic(state: PriorityState, levels: readonly LevelNumbers[]): void {
  const hostCount = levels.reduce((sum, { hosts }) => sum + hosts, 0);
  const { healthy, degraded } = state.load;
  if (hostCount === 0) {
    healthy[0] = 100;
    return;
  }
  const counts = levels.map(({ hosts }) => hosts);
  const left = distributeOver(healthy, counts, 100, hostCount);
  degraded.fill(0, 0, levels.length);
  const first = counts.findIndex((hosts) => hosts > 0);
  addTo(healthy, first, left);
}

function addTo(values: number[], index: number, amount: number): void {
  values[index] = (values[index] ?? 0) + amount;
}
