import { demand, NUMBERS, optional, TEXTS } from '../core/arguments.js';
import { largest, smallest } from '../core/values.js';
import type { WeightedHosts } from './policy-kinds.js';

/**
 * Hosts of one table without locality weights: each weight over their sum, as the proxy divides it.
 *
 * @param weights parallel to `keys`, > 0 each; absent: all alike.
 * @throws RangeError for an invalid weight, and for lists of different lengths.
 */
export function weightedHosts(keys: readonly string[], weights?: readonly number[]): WeightedHosts {
  demand('weightedHosts', ['keys', keys, TEXTS], ['weights', weights, optional(NUMBERS)]);
  if (weights !== undefined && weights.length !== keys.length)
    throw new RangeError(`${keys.length} keys need as many weights, not ${weights.length}`);
  const wrong = weights?.find((weight) => !(weight > 0 && weight < Infinity));
  if (wrong !== undefined) throw new RangeError(`a host's weight is a number above 0, not ${String(wrong)}`);
  const sum = (weights ?? keys.map(() => 1)).reduce((total, weight) => total + weight, 0);
  const shares = Float64Array.from(keys, (_, host) => (weights?.[host] ?? 1) / sum);
  return withShares(keys, shares);
}

/** @param shares normalised weights, parallel to `keys`. */
export function withShares(keys: readonly string[], shares: Float64Array): WeightedHosts {
  return { keys, weights: shares, minWeight: smallest(shares, 1), maxWeight: largest(shares, 0) };
}
