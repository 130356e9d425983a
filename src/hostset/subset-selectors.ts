import { compareBytes } from '../core/byte-order.js';
import type { SelectorFallbackPolicy, SubsetConfig } from './lb-config.js';
import { canonicalKey } from './subset-values.js';

/** One selector with keys, as subsets are made from it. */
export interface Selector {
  /** Sorted, each once. */
  readonly keys: readonly string[];
  /** Parallel to `keys`, as they stand in a subset's canonical text. */
  readonly keyTexts: readonly string[];
  readonly singleHost: boolean;
}

/** What a request falls back to whose keys are exactly those of a selector. */
export interface SelectorFallback {
  readonly policy: Exclude<SelectorFallbackPolicy, 'NOT_DEFINED'>;
  /** KEYS_SUBSET: what the request is reduced to. */
  readonly keysSubset: ReadonlySet<string>;
}

/** The selectors of a cluster, ready to be asked. */
export interface Selectors {
  /** In the order in which hosts are matched; under `allow_redundant_keys` those with most keys come first. */
  readonly list: readonly Selector[];
  /** By {@link keysText}. */
  readonly fallbacks: ReadonlyMap<string, SelectorFallback>;
}

/**
 * Reads the selectors as the proxy does, one surprise included: selectors share a tree of their sorted keys, and a
 * selector's fallback is kept only where its last key makes a *new* node of that tree. So `[stage]` loses its fallback
 * if `[stage, version]` is listed before it, and so does the second of two selectors with the same keys.
 *
 * Selectors without keys match nobody and are left out.
 */
export function readSelectors(config: SubsetConfig): Selectors {
  const selectors = config.selectors
    .map((selector) => ({ ...selector, keys: [...new Set(selector.keys)].sort(compareBytes) }))
    .filter((selector) => selector.keys.length > 0);
  if (config.allowRedundantKeys) selectors.sort((a, b) => b.keys.length - a.keys.length);

  const nodes = new Set<string>();
  const fallbacks = new Map<string, SelectorFallback>();
  const singleHost = new Map<string, boolean>();
  for (const { keys, fallbackPolicy, fallbackKeysSubset, singleHostPerSubset } of selectors) {
    const text = keysText(keys);
    if (!nodes.has(text) && fallbackPolicy !== 'NOT_DEFINED') {
      fallbacks.set(text, { policy: fallbackPolicy, keysSubset: new Set(fallbackKeysSubset) });
    }
    for (let depth = 1; depth <= keys.length; depth++) nodes.add(keysText(keys.slice(0, depth)));
    // Two selectors with the same keys share their subsets, which are made for the first of them.
    if (!singleHost.has(text)) singleHost.set(text, singleHostPerSubset);
  }
  const list = selectors.map(({ keys }) => ({
    keys,
    keyTexts: keys.map(canonicalKey),
    singleHost: singleHost.get(keysText(keys)) === true,
  }));
  return { list, fallbacks };
}

/** One text per list of keys. */
export function keysText(keys: readonly string[]): string {
  return JSON.stringify(keys);
}
