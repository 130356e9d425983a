import { lazily, own } from '../core/values.js';
import type { StatsResult } from './run-result.js';

export interface StatPiece<Value> {
  readonly prefix: string;
  /** By the rest of their names. */
  readonly values: Readonly<Record<string, Value>>;
}

/** Makes the pieces of the statistics: the same ones each time, and no name twice. */
type Pieces = { readonly [Part in keyof StatsResult]: () => Iterable<StatPiece<StatsResult[Part][string]>> };

const known = new WeakMap<object, Pieces>();

/** Assembled on demand: the statistics of thousands of clusters are most of a result, and few reports show any. */
export function statsOfPieces(pieces: Pieces): StatsResult {
  const counters = (): StatsResult['counters'] => together(pieces.counters());
  const gauges = (): StatsResult['gauges'] => together(pieces.gauges());
  const histograms = (): StatsResult['histograms'] => together(pieces.histograms());
  const stats: StatsResult = lazily({}, { counters, gauges, histograms });
  known.set(stats, pieces);
  return stats;
}

/** The fields of a part of the statistics, for writers that do not need all at once; undefined for anything else. */
export function statPieces(of: object, key: string): Iterable<StatPiece<unknown>> | undefined {
  const pieces = known.get(of);
  return pieces && own(pieces, key)?.();
}

function together<Value>(pieces: Iterable<StatPiece<Value>>): Record<string, Value> {
  const all: Record<string, Value> = {};
  for (const { prefix, values } of pieces)
    for (const name of Object.keys(values)) all[prefix + name] = values[name] as Value;
  return all;
}
