import type { WeightedHosts } from '../../src/policy/table-policy.js';

/** Hosts of one table without locality weights: each weight over their sum, as the proxy divides it. */
export function weightedHosts(keys: readonly string[], weights?: readonly number[]): WeightedHosts {
  const sum = (weights ?? keys.map(() => 1)).reduce((total, weight) => total + weight, 0);
  const normalised = Float64Array.from(keys, (_, i) => (weights?.[i] ?? 1) / sum);
  return {
    keys,
    weights: normalised,
    minWeight: Math.min(1, ...normalised),
    maxWeight: Math.max(0, ...normalised),
  };
}
