import type { Quirk } from '../core/quirk.js';
import { has } from '../core/quirk.js';
import { mod } from '../core/u64.js';
import type { ProxyVersion } from '../core/version.js';
import type { ProxyListPolicy } from './list-policy.js';

export interface RandomConfig {
  readonly version: ProxyVersion;
}

/** The host comes from the same 64-bit value that has chosen the priority; before, from a draw of its own. */
export const HOST_BY_PRIORITY_DRAW: Quirk = {
  first: '1.16.0',
  evidence: 'balancers of 1.14.0 and 1.17.4, draw by draw; shares of 1.40.0',
};

/** Whether a pick uses the priority's draw again. */
export interface RandomState {
  readonly reusesDraw: boolean;
}

/**
 * RANDOM: any host, all alike; host weights do not count.
 *
 * Since 1.16.0 the host comes from the same 64-bit value that has chosen the priority. The two are then correlated: a
 * priority whose load is no multiple of gcd(size, 100) does not spread its requests evenly.
 *
 * Draws: none at the start. Per pick: none; one before 1.16.0. Source: the proxy's random balancer.
 */
export const random: ProxyListPolicy<RandomConfig, RandomState> = {
  name: 'RANDOM',
  kind: 'list',
  usesWeights: false,
  looksAtLoad: false,
  drawsHosts: true,
  hearsLoadReports: false,

  start(config) {
    return { reusesDraw: has(config.version, HOST_BY_PRIORITY_DRAW) };
  },

  refresh() {
    // Keeps nothing per list.
  },

  choose(state, _source, hosts, input) {
    if (hosts.length === 0) return -1;
    if (state.reusesDraw) return mod(input.priorityHi, input.priorityLo, hosts.length);
    input.random.next();
    return mod(input.random.hi, input.random.lo, hosts.length);
  },
};
