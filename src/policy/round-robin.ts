import { mod, toDecimal, TWO_32 } from '../core/u64.js';
import type { Host } from '../host/host.js';
import { peek, pick } from '../schedule/edf.js';
import { FACTS } from './generated/policy-facts.js';
import { type ProxyListPolicy, addressAt, scheduleStep } from './policy-kinds.js';
import { slowStartWeight } from './slow-start.js';
import type { WeightedList, WeightedLists, WeightedListsConfig } from './weighted-lists.js';
import { hostsAdded, listOf, refreshList, startWeightedLists, turnsOf } from './weighted-lists.js';

export type RoundRobinConfig = WeightedListsConfig;
export type RoundRobinState = WeightedLists<RoundRobinList>;

interface RoundRobinList extends WeightedList {
  /** Position of the next pick, a 64-bit counter that updates never reset. */
  nextHi: number;
  nextLo: number;
}

/**
 * ROUND_ROBIN: each host in its turn; where weights differ, as often as its weight says.
 * With equal weights (also equal but not 1) it is a plain rotation: host number `index mod size`; the index starts at the
 * balancer's seed and is kept across updates. With different weights an earliest-deadline-first schedule picks by them,
 * restarted at every update; a host in slow start has a part of its weight.
 * Draws: one at the start (the seed), none per pick. Source: the proxy's round robin balancer.
 * Example: weights 1, 2 and seed 0 pick host 1, 0, 1, 1, 0, 1 …
 */
export const roundRobin: ProxyListPolicy<RoundRobinConfig, RoundRobinState> = {
  ...FACTS.ROUND_ROBIN,

  start: startWeightedLists,

  refresh(state, source, hosts, whole) {
    // Most lists of degraded hosts never have any.
    if (hosts.length === 0 && state.lists[source] === undefined) return;
    const list = (state.lists[source] ??= {
      hosts,
      schedule: undefined,
      slowStart: state.slowStart,
      nextHi: state.seedHi,
      nextLo: state.seedLo,
    });
    refreshList(state, list, hosts, hostWeight, whole);
  },

  hostsAdded,

  turns(state, source) {
    const list = state.lists[source];
    if (list === undefined || list.hosts.length === 0) return undefined;
    return turnsOf(list) ?? { kind: 'rotation', next: mod(list.nextHi, list.nextLo, list.hosts.length) };
  },

  choose(state, source, hosts, { trace, peeks }) {
    if (hosts.length === 0) return -1;
    const list = listOf(state, source);
    if (list.schedule !== undefined) {
      if (peeks === true) return peek(list.schedule, hostWeight, list);
      const due = pick(list.schedule, hostWeight, list);
      if (trace !== undefined) trace(scheduleStep(hosts, due, 'weight'));
      return due;
    }
    const index = mod(list.nextHi, list.nextLo, hosts.length);
    if (peeks === true) return (index + state.ahead++) % hosts.length;
    if (state.ahead > 0) state.ahead--;
    if (trace !== undefined) {
      const turn = toDecimal(list.nextHi, list.nextLo);
      trace({ kind: 'turn', inputs: { turn, hosts: hosts.length, index, host: addressAt(hosts, index) } });
    }
    if (++list.nextLo === TWO_32) {
      list.nextLo = 0;
      list.nextHi = (list.nextHi + 1) >>> 0;
    }
    return index;
  },
};

function hostWeight(list: RoundRobinList, entry: number): number {
  const host = list.hosts[entry] as Host;
  return list.slowStart === undefined ? host.weight : slowStartWeight(list.slowStart, host.weight, host);
}
