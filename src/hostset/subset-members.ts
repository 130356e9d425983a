import type { Struct } from '../core/json.js';
import type { SubsetConfig } from './lb-config.js';
import type { Selector } from './subset-selectors.js';
import type { MetadataEntry } from './subset-values.js';
import { canonicalEntries, canonicalEntry, canonicalValue, isList } from './subset-values.js';

/** One way in which a host satisfies a selector: its value of each of the keys. */
export interface HostTuple {
  /** As {@link canonicalEntries}. */
  readonly text: string;
  /** Made only where the tuple is new. */
  readonly entries: () => readonly MetadataEntry[];
}

const NO_TUPLES: readonly HostTuple[] = [];

/**
 * The subsets of one selector that a host belongs to: none unless it carries every key, one where values are taken as
 * they are, and under `list_as_any` one for each choice of list elements.
 */
export function hostTuples(selector: Selector, metadata: Struct, listAsAny: boolean): readonly HostTuple[] {
  const { keys } = selector;
  for (const key of keys) if (!Object.hasOwn(metadata, key)) return NO_TUPLES;
  if (listAsAny && keys.some((key) => isList(metadata[key] ?? null))) return listTuples(selector, metadata);
  let text = '';
  for (let i = 0; i < keys.length; i++) {
    if (i > 0) text += ',';
    text += canonicalEntry(keys[i] as string, canonicalValue(metadata[keys[i] as string] ?? null));
  }
  return [{ text, entries: () => keys.map((key) => ({ key, value: metadata[key] ?? null })) }];
}

/**
 * An empty list forgets the keys up to and including its own: the proxy begins a tuple anew whenever it has none, so
 * `{a: [], b: "x"}` is in the subset `{b: "x"}` of a selector `[a, b]`.
 */
function listTuples(selector: Selector, metadata: Struct): readonly HostTuple[] {
  let tuples: readonly (readonly MetadataEntry[])[] = [];
  for (const key of selector.keys) {
    const value = metadata[key] ?? null;
    const choices = (isList(value) ? value : [value]).map((choice) => ({ key, value: choice }));
    if (tuples.length === 0) tuples = choices.map((choice) => [choice]);
    else tuples = tuples.flatMap((tuple) => choices.map((choice) => [...tuple, choice]));
  }
  return tuples.map((entries) => ({ text: canonicalEntries(entries), entries: () => entries }));
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
