import type { Clock, Runtime } from '../core/environment.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { mod } from '../core/u64.js';
import type { Random64 } from '../random/random64.js';
import { createByPicking, createWithPicks, type EdfSchedule, queued, type WeightOf } from '../schedule/edf.js';
import type { HostList, SourceId } from './policy-kinds.js';
import { noneInSlowStart, noteHosts, type SlowStart, type SlowStartConfig, startSlowStart } from './slow-start.js';
import type { Turns } from './turns.js';

/** What round robin and least request share: while the hosts of a list differ in weight, a schedule picks from it. */
export interface WeightedLists<List extends WeightedList> {
  readonly version: ProxyVersion;
  /** The start of every schedule and every index of this balancer; drawn once. */
  readonly seedHi: number;
  readonly seedLo: number;
  /** How many hosts of a rotation were peeked at beyond its next pick. */
  ahead: number;
  readonly slowStart: SlowStart | undefined;
  /** By {@link SourceId}. */
  readonly lists: List[];
}

export interface WeightedList {
  hosts: HostList;
  /** undefined: all weights are equal and no host is in slow start. */
  schedule: EdfSchedule | undefined;
  readonly slowStart: SlowStart | undefined;
}

export interface WeightedListsConfig {
  readonly version: ProxyVersion;
  readonly slowStart: SlowStartConfig | undefined;
  readonly runtime: Runtime;
  readonly clock: Clock;
}

/** Draws: one, the seed. */
export function startWeightedLists<List extends WeightedList>(
  config: WeightedListsConfig,
  random: Random64,
): WeightedLists<List> {
  random.next();
  return {
    version: config.version,
    seedHi: random.hi,
    seedLo: random.lo,
    ahead: 0,
    slowStart: startSlowStart(config.slowStart, config.runtime, config.clock),
    lists: [],
  };
}

/**
 * Sets the hosts of a list and restarts its schedule, if it needs one: since 1.30 where the first `seed` picks would
 * have left it, the seed being the balancer's; before, where the first `seed mod size` would.
 */
export function refreshList<List extends WeightedList>(
  state: WeightedLists<List>,
  list: List,
  hosts: HostList,
  weightOf: WeightOf<List>,
  whole?: SourceId,
): void {
  list.hosts = hosts;
  hostsAdded(state, hosts);
  const settled = state.slowStart === undefined || noneInSlowStart(state.slowStart);
  const alike = whole !== undefined && state.lists[whole]?.schedule === undefined;
  if (hosts.length <= 1 || (settled && (alike || sameWeights(hosts)))) list.schedule = undefined;
  else if (quirksOf(state.version).schedulesFromSeed)
    list.schedule = createWithPicks(hosts.length, weightOf, list, state.seedLo);
  else list.schedule = createByPicking(hosts.length, weightOf, list, mod(state.seedHi, state.seedLo, hosts.length));
}

export function hostsAdded({ slowStart }: { readonly slowStart: SlowStart | undefined }, hosts: HostList): void {
  if (slowStart !== undefined) noteHosts(slowStart, hosts);
}

export const listOf = <List extends WeightedList>(state: WeightedLists<List>, source: SourceId): List =>
  state.lists[source] as List;

/** The queue of a list; undefined where its hosts are not scheduled. */
export function turnsOf(list: WeightedList | undefined): Turns | undefined {
  const schedule = list?.schedule;
  if (schedule === undefined) return undefined;
  const queue = queued(schedule).map(({ entry, deadline }) => ({ host: entry, deadline }));
  return { kind: 'schedule', now: schedule.now, queue };
}

function sameWeights(hosts: HostList): boolean {
  const weight = hosts[0]?.weight;
  for (const host of hosts) if (host.weight !== weight) return false;
  return true;
}
