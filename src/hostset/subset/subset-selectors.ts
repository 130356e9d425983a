import { compareBytes } from '../../core/byte-order.js';
import { quirksOf } from '../../core/quirks.js';
import type { ProxyVersion } from '../../core/version.js';
import type { SelectorFallbackPolicy, SubsetConfig, SubsetSelector } from '../lb-config.js';
import { canonicalKey } from './subset-values.js';

/** One selector with keys, as subsets are made from it. */
export interface Selector {
  /** Sorted, each once. */
  readonly keys: readonly string[];
  /** Parallel to `keys`: as in a subset's canonical text. */
  readonly keyTexts: readonly string[];
  readonly singleHost: boolean;
}

/** The fallback of requests whose keys are exactly those of a selector. */
export interface SelectorFallback {
  /** UNFINISHED: the keys are a prefix of a selector's, which the proxy treats as an answer too. */
  readonly policy: Exclude<SelectorFallbackPolicy, 'NOT_DEFINED'> | 'UNFINISHED';
  /** KEYS_SUBSET: the keys to which the request is reduced. */
  readonly keysSubset: ReadonlySet<string>;
}

/** The selectors of a cluster, prepared for look-ups. */
export interface Selectors {
  /** In the order in which hosts are matched; under `allow_redundant_keys` those with most keys come first. */
  readonly list: readonly Selector[];
  /** By {@link keysText}. */
  readonly fallbacks: ReadonlyMap<string, SelectorFallback>;
  /** The key by whose value single hosts are looked up; undefined: requests look up subsets. */
  readonly singleKey: string | undefined;
}

/** @param keys sorted, each once. */
export function selectorOf(keys: readonly string[], singleHost: boolean): Selector {
  return { keys, keyTexts: keys.map(canonicalKey), singleHost };
}

/**
 * Reads the selectors as the proxy does, with one surprise: selectors share a tree of their sorted keys, and a selector's
 * fallback is kept only where its last key makes a *new* node of that tree. So `[stage]` loses its fallback if `[stage,
 * version]` is listed before it, and so does the second of two selectors with the same keys.
 *
 * Selectors without keys match no request and are left out.
 */
export function readSelectors(config: SubsetConfig, version: ProxyVersion): Selectors {
  const selectors = config.selectors
    .map((selector) => ({ ...selector, keys: [...new Set(selector.keys)].sort(compareBytes) }))
    .filter((selector) => selector.keys.length > 0);
  if (config.allowRedundantKeys) selectors.sort((a, b) => b.keys.length - a.keys.length);

  const [first] = selectors;
  // The proxy accepts that option with one selector of one key only.
  if (first?.singleHostPerSubset === true && selectors.length === 1 && quirksOf(version).singleHostByValue) {
    const [singleKey] = first.keys;
    if (first.keys.length === 1) return { list: [selectorOf(first.keys, true)], fallbacks: new Map(), singleKey };
  }

  const singleHost = new Map<string, boolean>();
  for (const { keys, singleHostPerSubset } of selectors) {
    const text = keysText(keys);
    // Two selectors with the same keys share their subsets, which are made for the first of them.
    if (!singleHost.has(text)) singleHost.set(text, singleHostPerSubset);
  }
  const list = selectors.map(({ keys }) => selectorOf(keys, singleHost.get(keysText(keys)) === true));
  return { list, fallbacks: fallbacksOf(selectors, version), singleKey: undefined };
}

/** Whether this release has a gauge of surplus hosts under `single_host_per_subset`. */
export function gaugesDuplicates(config: SubsetConfig, version: ProxyVersion): boolean {
  return !quirksOf(version).singleHostByValue || readSelectors(config, version).singleKey !== undefined;
}

/** @param selectors with sorted keys, in the order in which they are added to the tree. */
function fallbacksOf(
  selectors: readonly SubsetSelector[],
  version: ProxyVersion,
): ReadonlyMap<string, SelectorFallback> {
  const growers = quirksOf(version).policiesAloneGrowTree
    ? selectors.filter(({ fallbackPolicy }) => fallbackPolicy !== 'NOT_DEFINED')
    : selectors;
  const nodes = new Set<string>();
  const fallbacks = new Map<string, SelectorFallback>();
  for (const { keys, fallbackPolicy, fallbackKeysSubset } of growers) {
    const text = keysText(keys);
    if (!nodes.has(text) && fallbackPolicy !== 'NOT_DEFINED') {
      fallbacks.set(text, { policy: fallbackPolicy, keysSubset: new Set(fallbackKeysSubset) });
    }
    for (let depth = 1; depth <= keys.length; depth++) nodes.add(keysText(keys.slice(0, depth)));
  }
  if (quirksOf(version).unfinishedSelectorFails) {
    for (const text of nodes) {
      if (!fallbacks.has(text)) fallbacks.set(text, { policy: 'UNFINISHED', keysSubset: new Set() });
    }
  }
  return fallbacks;
}

/** One text per list of keys. */
export function keysText(keys: readonly string[]): string {
  return JSON.stringify(keys);
}
