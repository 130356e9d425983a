import type { Struct } from '../core/json-value.js';
import type { ProxyVersion } from '../core/version.js';
import type { SubsetConfig, SubsetFallbackPolicy } from '../hostset/lb-config.js';
import type { Plan, PlanStep } from '../hostset/subset-plan.js';
import { Planner } from '../hostset/subset-plan.js';
import { readSelectors } from '../hostset/subset-selectors.js';
import type { LevelView } from './level-view.js';
import { sizeOf } from './level-view.js';
import type { SubsetLedger } from './delivered-subsets.js';

import type { Question } from './subset-candidate.js';

/** The subset configuration of a cluster, as a request meets it. */
export class SubsetRules {
  private readonly planner: Planner;

  constructor(
    private readonly config: SubsetConfig,
    version: ProxyVersion,
  ) {
    this.planner = new Planner(config, readSelectors(config, version));
  }

  /**
   * Who is asked, given which subsets answer.
   *
   * @param answers whether the subset of a step is there to be asked.
   */
  questions(metadata: Struct | undefined, answers: (step: PlanStep) => boolean): Question[] {
    return this.planner.plansFor(metadata).flatMap((plan) => this.ask(plan, answers));
  }

  private ask({ steps, last }: Plan, answers: (step: PlanStep) => boolean): Question[] {
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

  private clusterFallback(): Question[] {
    const { fallbackPolicy, panicModeAny } = this.config;
    const first = fallback(fallbackPolicy);
    return panicModeAny && fallbackPolicy !== 'NO_FALLBACK' ? [...first, { kind: 'any' }] : first;
  }
}

/** The hosts of a question, level by level. */
export function levelsOf(
  question: Question,
  levels: readonly LevelView[],
  config: SubsetConfig,
  ledger: SubsetLedger,
): LevelView[] {
  return levels.map((level) =>
    level.filter(
      ledger.in(question, level.columns),
      (counts) => weightsWithin(level, counts, config),
      ledger.factorOf(question, level.columns),
    ),
  );
}

/** Locality weights hold inside subsets only if that is asked for; scaled, they count the subset's part of the hosts. */
function weightsWithin(
  level: LevelView,
  counts: () => readonly number[],
  { localityWeightAware, scaleLocalityWeight }: SubsetConfig,
): readonly number[] | undefined {
  const { placeWeights } = level;
  if (!localityWeightAware || placeWeights === undefined) return undefined;
  if (!scaleLocalityWeight) return placeWeights;
  const { places } = level;
  const hosts = counts();
  return placeWeights.map((weight, index) => {
    const whole = places[index] === undefined ? 0 : sizeOf(places[index].all);
    // Single precision, as in the proxy: Math.round of a positive value rounds halves up, as its round() does.
    return whole === 0 ? 0 : Math.round(Math.fround(Math.fround(weight * (hosts[index] ?? 0)) / whole));
  });
}

function fallback(policy: SubsetFallbackPolicy): Question[] {
  switch (policy) {
    case 'NO_FALLBACK':
      return [];
    case 'ANY_ENDPOINT':
      return [{ kind: 'any' }];
    case 'DEFAULT_SUBSET':
      return [{ kind: 'default' }];
  }
}
