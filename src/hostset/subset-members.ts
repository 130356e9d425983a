import type { JsonValue, Struct } from '../core/json.js';
import type { SubsetConfig } from './lb-config.js';
import type { Selector } from './subset-selectors.js';
import type { MetadataEntry } from './subset-values.js';
import { canonicalEntry, canonicalValue, isList } from './subset-values.js';

/** One way in which a host satisfies a selector: its value of each of the keys. */
export interface HostTuple {
  readonly entries: readonly MetadataEntry[];
  /** As {@link canonicalEntries}. */
  readonly text: string;
}

const NO_TUPLES: readonly HostTuple[] = [];

/**
 * The subsets of one selector that a host belongs to: none unless it carries every key, one where values are taken as
 * they are, and under `list_as_any` one for each choice of list elements.
 *
 * An empty list under `list_as_any` forgets the keys up to and including its own: the proxy begins a tuple anew whenever
 * it has none, so `{a: [], b: "x"}` is in the subset `{b: "x"}` of a selector `[a, b]`.
 */
export function hostTuples(selector: Selector, metadata: Struct, listAsAny: boolean): readonly HostTuple[] {
  let tuples = NO_TUPLES;
  for (const key of selector.keys) {
    if (!Object.hasOwn(metadata, key)) return NO_TUPLES;
    const value = metadata[key] ?? null;
    const choices = listAsAny && isList(value) ? value : [value];
    if (tuples.length === 0) tuples = choices.map((choice) => extended(undefined, key, choice));
    else tuples = tuples.flatMap((tuple) => choices.map((choice) => extended(tuple, key, choice)));
  }
  return tuples;
}

function extended(tuple: HostTuple | undefined, key: string, value: JsonValue): HostTuple {
  const text = canonicalEntry(key, canonicalValue(value));
  if (tuple === undefined) return { entries: [{ key, value }], text };
  return { entries: [...tuple.entries, { key, value }], text: `${tuple.text},${text}` };
}

/** Whether a host is in the default subset: it has every entry of `default_subset`, or that is empty. */
export function defaultSubsetMatcher(config: SubsetConfig): (metadata: Struct) => boolean {
  const wanted = Object.entries(config.defaultSubset).map(([key, value]) => ({ key, text: canonicalValue(value) }));
  return (metadata) =>
    wanted.every(({ key, text }) => {
      if (!Object.hasOwn(metadata, key)) return false;
      const value = metadata[key] ?? null;
      if (config.listAsAny && isList(value)) return value.some((element) => canonicalValue(element) === text);
      return canonicalValue(value) === text;
    });
}
