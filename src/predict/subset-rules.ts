import type { Struct } from '../core/json-value.js';
import type { SubsetConfig } from '../hostset/lb-config.js';
import { type Plan, Planner, type PlanStep } from '../hostset/subset-plan.js';
import type { Selectors } from '../hostset/subset-selectors.js';
import type { SubsetCandidate } from './subset-candidate.js';

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
