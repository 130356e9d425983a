import { counted } from './format.js';
import type { Paint } from './paint.js';

/** More clusters than this are not told of one by one. */
export const MAX_CLUSTERS = 20;

/** Names of the clusters that are told of: of many those that come first in `order`. */
export function toldClusters<T>(
  clusters: readonly (readonly [string, T])[],
  all: boolean,
  order: (a: T, b: T) => number,
): ReadonlySet<string> {
  if (all || clusters.length <= MAX_CLUSTERS) return new Set(clusters.map(([name]) => name));
  const sorted = [...clusters].sort(([, a], [, b]) => order(a, b));
  return new Set(sorted.slice(0, MAX_CLUSTERS).map(([name]) => name));
}

export function* otherClusters(hidden: number, paint: Paint): Generator<string> {
  if (hidden > 0) yield* ['', paint.faint(`… ${counted(hidden, 'more cluster')} (--all tells of each)`)];
}
