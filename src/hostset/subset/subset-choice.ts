import type { SubsetConfig } from '../lb-config.js';
import type { LbStats } from '../lb-stats.js';
import { type Decision, type PickRequest, resetDecision } from '../load-balancer.js';
import type { BalancedSubset } from './subset-balanced.js';
import { type Fallback, fallbackName, type Plan, Planner } from './subset-plan.js';
import type { Selectors } from './subset-selectors.js';

/** The subsets that fallbacks use, by kind of fallback; some releases have one for all. undefined: no fallback uses it. */
export interface FallbackSubsets {
  /** Of the cluster's own policy; undefined: it is NO_FALLBACK, and `panic` is not tried either. */
  readonly cluster: BalancedSubset | undefined;
  /** `panic_mode_any`. */
  readonly panic: BalancedSubset | undefined;
  readonly selectorAny: BalancedSubset | undefined;
  readonly selectorDefault: BalancedSubset | undefined;
}

/** Which subset answers a request, and which fallback where there is no such subset. */
export class SubsetChoice {
  private readonly planner: Planner;
  /** An unhealthy host is skipped, and the cluster's fallback applies. */
  private readonly singleByValue: boolean;

  /** @param find the subset of these keys and values, if it is active. */
  constructor(
    config: SubsetConfig,
    selectors: Selectors,
    private readonly stats: LbStats,
    private readonly fallbacks: FallbackSubsets,
    private readonly find: (key: string) => BalancedSubset | undefined,
  ) {
    this.planner = new Planner(config, selectors);
    this.singleByValue = selectors.singleKey !== undefined;
  }

  choose(request: PickRequest, decision: Decision): void {
    const plans = this.planner.plansFor(request.metadataMatch);
    for (let i = 0; i < plans.length; i++) {
      this.follow(plans[i] as Plan, request, decision);
      if (decision.host !== undefined) return;
    }
  }

  private follow(plan: Plan, request: PickRequest, decision: Decision): void {
    for (let i = 0; i < plan.steps.length; i++) {
      const step = plan.steps[i] as Plan['steps'][number];
      const subset = this.find(step.subset);
      const passedOver = subset !== undefined && this.singleByValue && subset.firstIsUnhealthy;
      if (request.trace !== undefined) {
        const hosts = subset?.hostCount ?? null;
        request.trace({ kind: 'subset', inputs: { subset: step.name, hosts, passed_over: passedOver } });
      }
      if (subset === undefined || passedOver) continue;
      this.stats.lbSubsetsSelected++;
      this.ask(subset, step.fallback, request, decision);
      return;
    }
    switch (plan.last) {
      case 'none':
        this.ask(undefined, plan.fallback, request, decision);
        return;
      case 'any':
        this.ask(this.fallbacks.selectorAny, plan.fallback, request, decision);
        return;
      case 'default':
        this.ask(this.fallbacks.selectorDefault, plan.fallback, request, decision);
        return;
      case 'cluster':
        this.followCluster(plan, request, decision);
    }
  }

  private followCluster(plan: Plan, request: PickRequest, decision: Decision): void {
    const { cluster, panic } = this.fallbacks;
    if (this.ask(cluster, plan.fallback, request, decision)) {
      this.stats.lbSubsetsFallback++;
      return;
    }
    if (cluster === undefined || panic === undefined) return;
    if (this.ask(panic, plan.panicFallback, request, decision)) this.stats.lbSubsetsFallbackPanic++;
  }

  /** @returns whether it had a host. */
  private ask(
    subset: BalancedSubset | undefined,
    fallback: Fallback | undefined,
    request: PickRequest,
    decision: Decision,
  ): boolean {
    const { trace } = request;
    if (trace !== undefined && fallback !== undefined && subset?.key === undefined) {
      const answers = { subset: subset?.name ?? null, hosts: subset?.hostCount ?? 0 };
      trace({ kind: 'fallback', inputs: { fallback: fallbackName(fallback), ...answers } });
    }
    if (subset === undefined) resetDecision(decision);
    else subset.choose(request, decision);
    decision.subset = subset?.name;
    decision.subsetFallback = fallback;
    return decision.host !== undefined;
  }
}
