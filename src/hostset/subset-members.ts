import { isList, type Struct } from '../core/json-value.js';
import { own } from '../core/own.js';
import type { SubsetConfig } from './lb-config.js';
import type { Selector } from './subset-selectors.js';
import { canonicalValue, type MetadataEntry } from './subset-values.js';

/**
 * The subset of one selector that a host belongs to, list values taken whole.
 *
 * @returns as {@link canonicalEntries}; undefined unless the host has every key.
 */
export function hostTuple(selector: Selector, metadata: Struct): string | undefined {
  const { keys, keyTexts } = selector;
  let text = '';
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (!Object.hasOwn(metadata, key)) return undefined;
    text += (i > 0 ? ',' : '') + (keyTexts[i] as string) + canonicalValue(metadata[key] ?? null);
  }
  return text;
}

export function tupleEntries(selector: Selector, metadata: Struct): readonly MetadataEntry[] {
  return selector.keys.map((key) => ({ key, value: own(metadata, key) ?? null }));
}

/** Whether `list_as_any` makes several subsets of this host's metadata. */
export function hasLists(selector: Selector, metadata: Struct): boolean {
  return selector.keys.some((key) => isList(own(metadata, key) ?? null));
}

/**
 * Under `list_as_any`: a subset for each choice of list elements, combined over the keys.
 *
 * An empty list drops the keys up to and including its own: the proxy starts a new tuple whenever it has none, so `{a: [],
 * b: "x"}` is in the subset `{b: "x"}` of a selector `[a, b]`.
 */
export function listTuples(selector: Selector, metadata: Struct): readonly (readonly MetadataEntry[])[] {
  if (!selector.keys.every((key) => Object.hasOwn(metadata, key))) return [];
  let tuples: readonly (readonly MetadataEntry[])[] = [];
  for (const key of selector.keys) {
    const value = metadata[key] ?? null;
    const choices = (isList(value) ? value : [value]).map((choice) => ({ key, value: choice }));
    if (tuples.length === 0) tuples = choices.map((choice) => [choice]);
    else tuples = tuples.flatMap((tuple) => choices.map((choice) => [...tuple, choice]));
  }
  return tuples;
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
