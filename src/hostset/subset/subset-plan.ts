import { assert } from '../../core/assert.js';
import { isList, isStruct, type JsonValue, type Struct } from '../../core/json-value.js';
import type { SubsetConfig } from '../lb-config.js';
import { keysText, type Selectors } from './subset-selectors.js';
import { canonicalEntries, describeEntries, type MetadataEntry, sortedEntries } from './subset-values.js';

/** One subset to look for. */
export interface PlanStep {
  /** Canonical text of the subset's keys and values. */
  readonly subset: string;
  /** As reports write it: `{version: "2"}`. */
  readonly name: string;
  /** Which fallback led here; undefined: it is the subset that the request asked for. */
  readonly fallback: string | undefined;
}

/** What applies where no step finds a subset. `cluster`: the cluster's own fallback policy. */
export type LastResort = 'none' | 'any' | 'default' | 'cluster';

/**
 * The order of subsets and fallbacks for a request: it follows from its metadata and the configuration alone, whichever
 * subsets exist.
 */
export interface Plan {
  readonly steps: readonly PlanStep[];
  readonly last: LastResort;
  /** The name of the last fallback, as `selector ANY_ENDPOINT`. */
  readonly fallback: string;
  /** The same, where `panic_mode_any` is tried last. */
  readonly panicFallback: string;
}

/** The key of a route's metadata that `metadata_fallback_policy: FALLBACK_LIST` reads. */
export const FALLBACK_LIST = 'fallback_list';

/** Plans by metadata object, so that a plan is made once and not for each pick. */
export class Planner {
  private readonly plans = new WeakMap<Struct, readonly Plan[]>();
  private readonly withoutMetadata: readonly Plan[];

  constructor(
    private readonly config: SubsetConfig,
    private readonly selectors: Selectors,
  ) {
    this.withoutMetadata = [this.plan([], undefined)];
  }

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
    if (!this.config.metadataFallbackList || !Object.hasOwn(metadataMatch, FALLBACK_LIST)) {
      return [this.plan(sortedEntries(metadataMatch), undefined)];
    }
    const { [FALLBACK_LIST]: list = null, ...rest } = metadataMatch;
    const overrides: readonly JsonValue[] = isList(list) ? list : [];
    if (overrides.length === 0) return [this.plan(sortedEntries(rest), undefined)];
    return overrides.map((override, index) => {
      const criteria = isStruct(override) ? { ...rest, ...override } : rest;
      return this.plan(sortedEntries(criteria), index === 0 ? undefined : `FALLBACK_LIST[${index}]`);
    });
  }

  private plan(requested: readonly MetadataEntry[], first: string | undefined): Plan {
    const { singleKey } = this.selectors;
    if (singleKey !== undefined) {
      const wanted = requested.filter(({ key }) => key === singleKey);
      const steps = wanted.length === 0 ? [] : [stepTo(wanted, first)];
      return finished(steps, 'cluster', first, `cluster ${this.config.fallbackPolicy}`);
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
          return finished(steps, 'cluster', fallback, `cluster ${this.config.fallbackPolicy}`);
        case 'NO_FALLBACK':
          return finished(steps, 'none', fallback, 'selector NO_FALLBACK');
        case 'UNFINISHED':
          return finished(steps, 'none', fallback, 'selector with more keys');
        case 'ANY_ENDPOINT':
          return finished(steps, 'any', fallback, 'selector ANY_ENDPOINT');
        case 'DEFAULT_SUBSET':
          return finished(steps, 'default', fallback, 'selector DEFAULT_SUBSET');
        case 'KEYS_SUBSET': {
          const reduced = criteria.filter(({ key }) => selector.keysSubset.has(key));
          // Validation requires a proper subset of the selector's keys; otherwise this loop would not end.
          assert(reduced.length < criteria.length, 'fallback_keys_subset has all keys of its selector');
          criteria = reduced;
          fallback = joined(fallback, `KEYS_SUBSET ${describeEntries(reduced)}`);
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

function stepTo(criteria: readonly MetadataEntry[], fallback: string | undefined): PlanStep {
  return { subset: canonicalEntries(criteria), name: describeEntries(criteria), fallback };
}

function finished(steps: readonly PlanStep[], last: LastResort, before: string | undefined, step: string): Plan {
  const fallback = joined(before, step);
  return { steps, last, fallback, panicFallback: joined(fallback, 'panic_mode_any') };
}

function joined(before: string | undefined, step: string): string {
  return before === undefined ? step : `${before} → ${step}`;
}

/** A subset or fallback that a request tries, in turn, until one has a host. */
export type SubsetCandidate =
  /** The subset of these keys and values: it has hosts, so nothing is tried after it. */
  | { readonly kind: 'subset'; readonly key: string; readonly name: string }
  | { readonly kind: 'default' }
  | { readonly kind: 'any' };

/** The name in reports: `{stage: "prod", version: 2}`, `default`, `any`. */
export function candidateName(candidate: SubsetCandidate): string {
  return candidate.kind === 'subset' ? candidate.name : candidate.kind;
}

/**
 * The subset configuration of a cluster, applied to requests: which subsets and fallbacks are tried, given which subsets
 * answer.
 *
 * @returns a function of a request's metadata, and of whether the subset of a step exists.
 */
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
  if (last === 'any' || last === 'default') return [{ kind: last }];
  if (last === 'none' || fallbackPolicy === 'NO_FALLBACK') return [];
  const first: SubsetCandidate = { kind: fallbackPolicy === 'ANY_ENDPOINT' ? 'any' : 'default' };
  return panicModeAny ? [first, { kind: 'any' }] : [first];
}
