import { type ProxyVersion, quirksOf } from '../core/version.js';
import { mod, toDecimal } from '../core/u64.js';
import { FACTS } from './generated/policy-facts.js';
import { type ProxyListPolicy, addressAt } from './policy-kinds.js';

/**
 * RANDOM: any host with the same probability; host weights are ignored.
 * Since 1.16.0 the host comes from the same 64-bit value that has chosen the priority. The two are then correlated: a
 * priority whose load is no multiple of gcd(size, 100) does not spread its requests evenly.
 * Draws: none at the start. Per pick: none; one before 1.16.0. Source: the proxy's random balancer.
 */
export const random: ProxyListPolicy<{ readonly version: ProxyVersion }, { readonly reusesDraw: boolean }> = {
  ...FACTS.RANDOM,

  start: (config) => ({ reusesDraw: quirksOf(config.version).hostByPriorityDraw }),

  refresh() {
    // Keeps nothing per list.
  },

  choose(state, _source, hosts, input) {
    if (hosts.length === 0) return -1;
    const { random: source, trace } = input;
    if (!state.reusesDraw) source.next();
    const hi = state.reusesDraw ? input.priorityHi : source.hi;
    const lo = state.reusesDraw ? input.priorityLo : source.lo;
    const index = mod(hi, lo, hosts.length);
    if (trace !== undefined) {
      const of = { hosts: hosts.length, index, host: addressAt(hosts, index) };
      trace({ kind: 'drawn', inputs: { value: toDecimal(hi, lo), ...of, reused: state.reusesDraw } });
    }
    return index;
  },
};
