import type { Struct } from '../core/json-value.js';
import type { ProxyVersion } from '../core/version.js';
import type { SubsetConfig, SubsetFallbackPolicy } from '../hostset/lb-config.js';
import { subsetLocalityWeights } from '../hostset/locality-weights.js';
import { type Plan, Planner, type PlanStep } from '../hostset/subset-plan.js';
import { readSelectors } from '../hostset/subset-selectors.js';
import type { LevelView } from './level-view.js';
import type { DeliveredSubsets } from './delivered-subsets.js';

import type { SubsetCandidate } from './subset-candidate.js';

/** The subset configuration of a cluster, applied to requests. */
export class SubsetRules {
  private readonly planner: Planner;

  constructor(
    private readonly config: SubsetConfig,
    version: ProxyVersion,
  ) {
    this.planner = new Planner(config, readSelectors(config, version));
  }

  /**
   * Which subsets and fallbacks are tried, given which subsets answer.
   *
   * @param answers whether the subset of a step exists.
   */
  candidates(metadata: Struct | undefined, answers: (step: PlanStep) => boolean): SubsetCandidate[] {
    return this.planner.plansFor(metadata).flatMap((plan) => this.candidatesOf(plan, answers));
  }

  private candidatesOf({ steps, last }: Plan, answers: (step: PlanStep) => boolean): SubsetCandidate[] {
    const step = steps.find(answers);
    if (step !== undefined) return [{ kind: 'subset', key: step.subset, name: step.name }];
    switch (last) {
      case 'none':
        return [];
      case 'any':
      case 'default':
        return [{ kind: last }];
      case 'cluster':
        return this.clusterFallback();
    }
  }

  private clusterFallback(): SubsetCandidate[] {
    const { fallbackPolicy, panicModeAny } = this.config;
    const first = fallback(fallbackPolicy);
    return panicModeAny && fallbackPolicy !== 'NO_FALLBACK' ? [...first, { kind: 'any' }] : first;
  }
}

export function levelsOf(
  candidate: SubsetCandidate,
  levels: readonly LevelView[],
  config: SubsetConfig,
  delivered: DeliveredSubsets,
): LevelView[] {
  return levels.map((level) =>
    level.filter(
      delivered.in(candidate, level.columns),
      (counts) => subsetLocalityWeights(config, level, counts),
      delivered.factorOf(candidate, level.columns),
    ),
  );
}

function fallback(policy: SubsetFallbackPolicy): SubsetCandidate[] {
  switch (policy) {
    case 'NO_FALLBACK':
      return [];
    case 'ANY_ENDPOINT':
      return [{ kind: 'any' }];
    case 'DEFAULT_SUBSET':
      return [{ kind: 'default' }];
  }
}
