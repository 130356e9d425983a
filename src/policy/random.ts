import { mod } from '../core/u64.js';
import type { ProxyVersion } from '../core/version.js';
import { isModern } from '../core/version.js';
import type { ListPolicy } from './list-policy.js';

export interface RandomConfig {
  readonly version: ProxyVersion;
}

/** Whether a pick uses the priority's draw again. */
export interface RandomState {
  readonly reusesDraw: boolean;
}

/**
 * RANDOM: any host, all alike; host weights do not count.
 *
 * The modern proxy takes the host from the same 64-bit value that has chosen the priority. The two are then correlated:
 * a priority whose load is no multiple of gcd(size, 100) does not spread its requests evenly.
 *
 * Draws: none at the start. Per pick: none in the modern proxy; one in the v2 era. Source: the proxy's random balancer.
 */
export const random: ListPolicy<RandomConfig, RandomState> = {
  name: 'RANDOM',

  start(config) {
    return { reusesDraw: isModern(config.version) };
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
