/** Subsets: their hosts, and the one that answers a request. */
import { demand, listOf } from '../core/arguments.js';
import { optionsIn } from '../core/options.js';
import { defined, type Struct } from '../core/values.js';
import { UNSET } from '../hostset/generated/unset.js';
import type { SubsetConfig } from '../hostset/lb-config.js';
import { defaultSubsetMatcher, tuplesOf } from '../hostset/subset/subset-balanced.js';
import { fallbackName, LAST_RESORTS, Planner, type PlanStep, readSelectors } from '../hostset/subset/subset-plan.js';
import { SelectorOptions, SubsetOptions } from './generated/picker-options.js';
import { RULES, rulesOf } from './rules.js';

const SELECTORS = listOf(optionsIn(SelectorOptions, 'keys'), 'a list of {keys, …}');
const CHECK = optionsIn({ ...RULES, ...SubsetOptions, selectors: SELECTORS }, 'selectors');

/** A subset that answers; `fallback`: which one led to it, as `KEYS_SUBSET {stage: "dev"}`. */
export interface SubsetStep extends Omit<PlanStep, 'fallback'> {
  readonly fallback: string | undefined;
}

/** The answer to a request. */
export type SubsetAnswer =
  /** The subset with these keys and values. */
  | { readonly kind: 'subset'; readonly step: SubsetStep }
  /** All hosts, or those of `default_subset`. */
  | { readonly kind: 'any' | 'default'; readonly fallback: string }
  | { readonly kind: 'none'; readonly fallback: string };

export interface Subsets {
  /** The names of the subsets of a host with this metadata, each once: hosts with the same name are in one subset. */
  readonly of: (metadata: Struct) => readonly string[];
  /** Whether it is in the default subset. */
  readonly inDefault: (metadata: Struct) => boolean;
  /**
   * @param metadataMatch the request's metadata criteria; undefined: none.
   * @param exists whether a subset of this text has hosts.
   */
  readonly choose: (metadataMatch: Struct | undefined, exists: (subset: string) => boolean) => SubsetAnswer;
}

/**
 * The subsets of a configuration: selectors by keys, fallbacks where a request fits none. Pure; nothing is drawn.
 *
 * `panic_mode_any` is up to the caller: it uses all hosts where the answer has none.
 *
 * Source: the proxy's subset load balancer and its documentation.
 */
export function subsets(options: SubsetOptions): Subsets {
  demand('subsets', ['options', options, CHECK]);
  const config = filled(options);
  const selectors = readSelectors(config, rulesOf(options).version);
  const planner = new Planner(config, selectors);
  const isDefault = defaultSubsetMatcher(config);
  return {
    of: (metadata) => [...new Set(tuplesOf(selectors.list, config.listAsAny, metadata))],
    inDefault: isDefault,
    choose: (metadataMatch, exists) => {
      let answer: SubsetAnswer = { kind: 'none', fallback: '' };
      for (const plan of planner.plansFor(metadataMatch)) {
        const step = plan.steps.find(({ subset }) => exists(subset));
        if (step !== undefined)
          return { kind: 'subset', step: { ...step, fallback: step.fallback && fallbackName(step.fallback) } };
        const kind = plan.last === 'cluster' ? LAST_RESORTS[config.fallbackPolicy] : plan.last;
        answer = { kind, fallback: fallbackName(plan.fallback) };
        if (answer.kind !== 'none') return answer;
      }
      return answer;
    },
  };
}

function filled({ version, runtime, clock, selectors, ...own }: SubsetOptions): SubsetConfig {
  const each = selectors.map((selector) => ({ ...UNSET.selector, ...defined(selector) }));
  return { ...UNSET.subset, ...defined(own), selectors: each };
}
