import { assert } from '../../core/assert.js';
import { byKind, isList, isStruct, type JsonValue, type Struct } from '../../core/values.js';
import type { SubsetConfig, SubsetFallbackPolicy, SelectorFallbackPolicy, SubsetSelector } from '../lb-config.js';
import { canonicalEntries, describeEntries, type MetadataEntry, sortedEntries, canonicalKey } from './subset-values.js';
import { compareBytes } from '../../core/byte-order.js';
import { type ProxyVersion, quirksOf } from '../../core/version.js';

export type Selector = Readonly<ReturnType<typeof selectorOf>>;

/** The fallback of requests whose keys are exactly those of a selector. */
export interface SelectorFallback {
  /** UNFINISHED: the keys are a prefix of a selector's, which the proxy treats as an answer too. */
  readonly policy: Exclude<SelectorFallbackPolicy, 'NOT_DEFINED'> | 'UNFINISHED';
  /** KEYS_SUBSET: the keys to which the request is reduced. */
  readonly keysSubset: ReadonlySet<string>;
}

export interface Selectors {
  /** In the order in which hosts are matched; under `allow_redundant_keys` those with most keys come first. */
  readonly list: readonly Selector[];
  /** By {@link keysText}. */
  readonly fallbacks: ReadonlyMap<string, SelectorFallback>;
  /** The key by whose value single hosts are looked up; undefined: requests look up subsets. */
  readonly singleKey: string | undefined;
}

/** @param keys sorted, each once. @returns `keyTexts`: each as in a subset's canonical text. */
export const selectorOf = (keys: readonly string[], singleHost: boolean) => ({
  keys,
  keyTexts: keys.map(canonicalKey),
  singleHost,
});

/**
 * Reads the selectors as the proxy does, with one surprise: selectors share a tree of their sorted keys, and a selector's
 * fallback is kept only where its last key makes a *new* node of that tree. So `[stage]` loses its fallback if `[stage,
 * version]` is listed before it, and so does the second of two selectors with the same keys.
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
export const gaugesDuplicates = (config: SubsetConfig, version: ProxyVersion): boolean =>
  !quirksOf(version).singleHostByValue || readSelectors(config, version).singleKey !== undefined;

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
    if (!nodes.has(text) && fallbackPolicy !== 'NOT_DEFINED')
      fallbacks.set(text, { policy: fallbackPolicy, keysSubset: new Set(fallbackKeysSubset) });
    for (let depth = 1; depth <= keys.length; depth++) nodes.add(keysText(keys.slice(0, depth)));
  }
  if (quirksOf(version).unfinishedSelectorFails) {
    for (const text of nodes)
      if (!fallbacks.has(text)) fallbacks.set(text, { policy: 'UNFINISHED', keysSubset: new Set() });
  }
  return fallbacks;
}

export const keysText = (keys: readonly string[]): string => JSON.stringify(keys);

/** One step away from the subset that a request asked for. */
export type FallbackStep =
  /** The policy of the cluster, or of the selector with just these keys. */
  | { readonly kind: 'cluster' | 'selector'; readonly policy: SubsetFallbackPolicy }
  /** The keys are only the first ones of a longer selector. */
  | { readonly kind: 'unfinished' }
  /** A selector's `fallback_keys_subset`; `subset`: what is then asked for, as reports write it. */
  | { readonly kind: 'keys_subset'; readonly subset: string }
  /** An entry of the route's `fallback_list`. */
  | { readonly kind: 'listed'; readonly index: number }
  | { readonly kind: 'panic_mode_any' };

/** The fallbacks that led to an answer, or to none, in their order. */
export type Fallback = readonly FallbackStep[];

/** Its name: `selector ANY_ENDPOINT`, `cluster DEFAULT_SUBSET → panic_mode_any`, `KEYS_SUBSET {stage: "dev"}`. */
export const fallbackName = (fallback: Fallback): string => fallback.map(stepName).join(' → ');

const stepName = byKind<FallbackStep, string>({
  cluster: ({ kind, policy }) => `${kind} ${policy}`,
  selector: ({ kind, policy }) => `${kind} ${policy}`,
  unfinished: () => 'selector with more keys',
  keys_subset: ({ subset }) => `KEYS_SUBSET ${subset}`,
  listed: ({ index }) => `FALLBACK_LIST[${index}]`,
  panic_mode_any: ({ kind }) => kind,
});

/** One subset to look for. */
export interface PlanStep {
  /** Canonical text of the subset's keys and values. */
  readonly subset: string;
  /** As reports write it: `{version: "2"}`. */
  readonly name: string;
  /** Which fallback led here; undefined: it is the subset that the request asked for. */
  readonly fallback: Fallback | undefined;
}

export const LAST_RESORTS = { ANY_ENDPOINT: 'any', DEFAULT_SUBSET: 'default', NO_FALLBACK: 'none' } as const;

/** What applies where no step finds a subset. `cluster`: the cluster's own fallback policy. */
export type LastResort = 'none' | 'any' | 'default' | 'cluster';

/** What a request tries in turn: it follows from its metadata and the configuration alone, whichever subsets exist. */
export interface Plan {
  readonly steps: readonly PlanStep[];
  readonly last: LastResort;
  /** How the last fallback is reached. */
  readonly fallback: Fallback;
  /** The same, where `panic_mode_any` is tried last. */
  readonly panicFallback: Fallback;
}

/** The key of a route's metadata that `metadata_fallback_policy: FALLBACK_LIST` reads. */
export const FALLBACK_LIST = 'fallback_list';

/** Plans by metadata object, so that a plan is made once and not for each pick. */
export class Planner {
  private readonly plans = new WeakMap<Struct, readonly Plan[]>();

  private readonly withoutMetadata: readonly Plan[] = [this.plan([], undefined)];

  constructor(
    private readonly config: SubsetConfig,
    private readonly selectors: Selectors,
  ) {}

  /** Plans to try in order until one finds a host; more than one only under FALLBACK_LIST. */
  plansFor(metadataMatch: Struct | undefined): readonly Plan[] {
    if (metadataMatch === undefined) return this.withoutMetadata;
    const known = this.plans.get(metadataMatch);
    if (known !== undefined) return known;
    const plans = this.planAll(metadataMatch);
    this.plans.set(metadataMatch, plans);
    return plans;
  }

  private planAll(metadataMatch: Struct): readonly Plan[] {
    if (!this.config.metadataFallbackList || !Object.hasOwn(metadataMatch, FALLBACK_LIST))
      return [this.plan(sortedEntries(metadataMatch), undefined)];
    const { [FALLBACK_LIST]: list = null, ...rest } = metadataMatch;
    const overrides: readonly JsonValue[] = isList(list) ? list : [];
    if (overrides.length === 0) return [this.plan(sortedEntries(rest), undefined)];
    return overrides.map((override, index) => {
      const criteria = isStruct(override) ? { ...rest, ...override } : rest;
      return this.plan(sortedEntries(criteria), index === 0 ? undefined : [{ kind: 'listed', index }]);
    });
  }

  private plan(requested: readonly MetadataEntry[], first: Fallback | undefined): Plan {
    const { singleKey } = this.selectors;
    const ofCluster: FallbackStep = { kind: 'cluster', policy: this.config.fallbackPolicy };
    if (singleKey !== undefined) {
      const wanted = requested.filter(({ key }) => key === singleKey);
      const steps = wanted.length === 0 ? [] : [stepTo(wanted, first)];
      return finished(steps, 'cluster', first, ofCluster);
    }
    const steps: PlanStep[] = [];
    let criteria = requested;
    let fallback = first;
    for (;;) {
      if (this.config.allowRedundantKeys) criteria = this.withoutRedundantKeys(criteria);
      if (criteria.length > 0) steps.push(stepTo(criteria, fallback));
      const selector = this.selectors.fallbacks.get(keysText(criteria.map(({ key }) => key)));
      switch (selector?.policy) {
        case undefined:
          return finished(steps, 'cluster', fallback, ofCluster);
        case 'NO_FALLBACK':
        case 'ANY_ENDPOINT':
        case 'DEFAULT_SUBSET': {
          const { policy } = selector;
          return finished(steps, LAST_RESORTS[policy], fallback, { kind: 'selector', policy });
        }
        case 'UNFINISHED':
          return finished(steps, 'none', fallback, { kind: 'unfinished' });
        case 'KEYS_SUBSET': {
          const reduced = criteria.filter(({ key }) => selector.keysSubset.has(key));
          // Validation requires a proper subset of the selector's keys; otherwise this loop would not end.
          assert(reduced.length < criteria.length, 'fallback_keys_subset has all keys of its selector');
          criteria = reduced;
          fallback = [...(fallback ?? []), { kind: 'keys_subset', subset: describeEntries(reduced) }];
        }
      }
    }
  }

  /** The criteria reduced to the first selector whose keys are all present; without one, all of them. */
  private withoutRedundantKeys(criteria: readonly MetadataEntry[]): readonly MetadataEntry[] {
    const requested = new Set(criteria.map(({ key }) => key));
    const selector = this.selectors.list.find(({ keys }) => keys.every((key) => requested.has(key)));
    return selector === undefined ? criteria : criteria.filter(({ key }) => selector.keys.includes(key));
  }
}

function stepTo(criteria: readonly MetadataEntry[], fallback: Fallback | undefined): PlanStep {
  return { subset: canonicalEntries(criteria), name: describeEntries(criteria), fallback };
}

function finished(steps: readonly PlanStep[], last: LastResort, before: Fallback = [], step: FallbackStep): Plan {
  const fallback = [...before, step];
  return { steps, last, fallback, panicFallback: [...fallback, { kind: 'panic_mode_any' }] };
}

/** A subset or fallback that a request tries, in turn, until one has a host. */
export type SubsetCandidate =
  /** The subset of these keys and values: it has hosts, so nothing is tried after it. */
  | { readonly kind: 'subset'; readonly key: string; readonly name: string }
  | { readonly kind: 'default' }
  | { readonly kind: 'any' };

/** The name in reports: `{stage: "prod", version: 2}`, `default`, `any`. */
export const candidateName = (candidate: SubsetCandidate): string =>
  candidate.kind === 'subset' ? candidate.name : candidate.kind;

/** Which subsets and fallbacks are tried: a function of a request's metadata, and of whether a step's subset exists. */
export function subsetRules(
  config: SubsetConfig,
  selectors: Selectors,
): (metadata: Struct | undefined, answers: (step: PlanStep) => boolean) => SubsetCandidate[] {
  const planner = new Planner(config, selectors);
  return (metadata, answers) =>
    planner.plansFor(metadata).flatMap(({ steps, last }): readonly SubsetCandidate[] => {
      const step = steps.find(answers);
      return step === undefined ? fallbacks(last, config) : [{ kind: 'subset', key: step.subset, name: step.name }];
    });
}

function fallbacks(last: Plan['last'], { fallbackPolicy, panicModeAny }: SubsetConfig): readonly SubsetCandidate[] {
  const first = last === 'cluster' ? LAST_RESORTS[fallbackPolicy] : last;
  if (first === 'none') return [];
  return last === 'cluster' && panicModeAny ? [{ kind: first }, { kind: 'any' }] : [{ kind: first }];
}
