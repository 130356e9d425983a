import type { HostShuffle } from './host-shuffle.js';
import type { HostIndex } from './policy-kinds.js';

/** How full the hosts of one table are, read live. Indices are those of the hosts the table was built from. */
export interface HostLoads {
  readonly hostCount: number;
  /** The host's {@link overloadFactor} at this moment; above 1 it is overloaded. */
  factor(host: HostIndex): number;
}

/**
 * Active requests of a host divided by its slots: its share of all active requests, the new one included, times
 * `hash_balance_factor` percent.
 * @param clusterActive active requests of the whole cluster, not of the table's hosts alone.
 * @param weight the host's normalised weight.
 * @param hashBalanceFactor percent, above 0.
 */
export function overloadFactor(
  active: number,
  clusterActive: number,
  weight: number,
  hashBalanceFactor: number,
): number {
  // 32-bit unsigned, as the proxy counts: product and sum wrap.
  const percent = (Math.imul(clusterActive + 1, hashBalanceFactor) + 99) >>> 0;
  const slots = Math.max(Math.ceil(Math.floor(percent / 100) * weight), 1);
  return active / slots;
}

/**
 * Consistent hashing with bounded loads: the hashed host; or else the first in a random order that is not overloaded; or
 * else the least overloaded of all.
 * The random order is seeded by the hash, so that requests of one hash overflow to the same hosts.
 * Draws: none from the balancer's source; the walk has its own random engine, seeded with the low half of the hash. Source:
 * Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads", SODA 2018; the random order instead of the
 * next on the circle is the proxy's.
 * @param hashed what the table chose for this hash and attempt; -1 is returned as it is.
 * @param shuffle working memory, reused from pick to pick.
 */
export function chooseBounded(hashed: HostIndex, hashLo: number, loads: HostLoads, shuffle: HostShuffle): HostIndex {
  if (hashed < 0) return hashed;
  let lowest = loads.factor(hashed);
  if (lowest <= 1) return hashed;
  let least = hashed;
  shuffle.start(hashLo, loads.hostCount);
  for (let candidate = shuffle.next(); candidate >= 0; candidate = shuffle.next()) {
    if (candidate === hashed) continue;
    const factor = loads.factor(candidate);
    if (factor <= 1) return candidate;
    if (factor < lowest) {
      lowest = factor;
      least = candidate;
    }
  }
  return least;
}
