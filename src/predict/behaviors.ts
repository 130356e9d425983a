import { aggregated, discoveryType } from '../config/discovery.js';
import { isListedPolicy } from '../config/lb.js';
import type { Cluster } from '../config/types.js';
import { isTablePolicy, lbPolicyName } from '../policy/registry.js';
import { meanOf } from '../random/distributions.js';
import { type Behavior, type BehaviorRule, IDEAL_BEHAVIOR, type Scenario, statedBehaviors } from '../scenario/model.js';
import { hostPredicate, type SelectableHost } from '../scenario/selector.js';
import { hasTableBuilder } from './table-factory.js';

/** How hosts behave, as far as it can change where requests go. */
export class Behaviors {
  private rules: { readonly means: (host: SelectableHost) => boolean; readonly behavior: Partial<Behavior> }[] = [];
  version = 0;

  constructor(rules: readonly BehaviorRule[]) {
    for (const rule of rules) this.add(rule);
  }

  add({ hosts, behavior }: BehaviorRule): void {
    this.rules.push({ means: hostPredicate(hosts), behavior });
    this.version++;
  }

  /**
   * Later rules override earlier ones, field by field.
   *
   * @param hosts of one address: a rule applies if it matches any of them.
   */
  of(hosts: readonly SelectableHost[]): Behavior {
    let behavior = IDEAL_BEHAVIOR;
    for (const rule of this.rules) if (hosts.some(rule.means)) behavior = { ...behavior, ...rule.behavior };
    return behavior;
  }

  get isIdeal(): boolean {
    return this.rules.length === 0;
  }
}

/** Answers take time, so that requests are open while others arrive. */
export function takesTime(behavior: Behavior): boolean {
  const { down, serviceTime, networkLatency, connectTime } = behavior;
  return down === 'hang' || [serviceTime, networkLatency, connectTime].some((time) => meanOf(time) > 0);
}

export function mayFail(behavior: Behavior): boolean {
  return behavior.down !== 'none' || behavior.errorRate > 0 || behavior.connectFailureRate > 0;
}

export function mayFailChecks(behavior: Behavior): boolean {
  return behavior.down !== 'none' || behavior.healthCheck !== 'ok' || behavior.immediateHealthCheckFail;
}

/** Attempts may fail somewhere, at some time of the run. */
export function mayEverFail(scenario: Scenario): boolean {
  return statedBehaviors(scenario).some((behavior) => mayFail({ ...IDEAL_BEHAVIOR, ...behavior }));
}

/** Answers take time somewhere, at some time of the run. */
export function everTakesTime(scenario: Scenario): boolean {
  return (
    statedBehaviors(scenario).some((behavior) => takesTime({ ...IDEAL_BEHAVIOR, ...behavior })) ||
    scenario.requests.some((request) => (request.serviceTimeUs ?? 0) > 0)
  );
}

/** Why a cluster cannot be predicted at any time; undefined: it can. */
export function neverPredictable(cluster: Cluster): string | undefined {
  const { clientSubset, lbPolicy, loadAssignment } = cluster;
  if (aggregated(cluster) !== undefined) return 'an aggregate passes requests on to other clusters; simulate it';
  const type = discoveryType(cluster);
  if (type === undefined) return 'the hosts of a cluster_type are its own matter';
  if (type === 'ORIGINAL_DST') return `the hosts of a ${type} cluster are known only while it runs; simulate it`;
  if (clientSubset !== undefined) return 'each proxy uses a part of the hosts; simulate it';
  if (!isListedPolicy(lbPolicy)) return `${lbPolicy} follows no policy of shares`;
  if (isTablePolicy(lbPolicy) && !hasTableBuilder(lbPolicy))
    return `${lbPolicyName(lbPolicy)} has no formula; simulate it`;
  const { clientSideWeightedRoundRobin: weights, loadAwareLocality, overrideHost } = cluster.loadBalancingPolicy ?? {};
  if (weights !== undefined) return 'weights follow what hosts report of their load while it runs; simulate it';
  if (loadAwareLocality !== undefined) return 'localities share by the load that hosts report; simulate it';
  if (overrideHost !== undefined) return 'requests name their hosts themselves; simulate it';
  if ((loadAssignment?.policy?.dropOverloads ?? []).length > 0) return 'drop_overloads drops a part of the requests';
  return undefined;
}
