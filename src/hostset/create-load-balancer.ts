import { policyOf } from '../policy/policy-of.js';
import { statisticsOf } from '../policy/registry.js';
import { ClientSubsetBalancer } from './subset/client-subset.js';
import { leafOf, type LoadBalancerConfig, type PolicySettings } from './lb-config.js';
import type { LbEnvironment, LoadBalancer } from './load-balancer.js';
import { ListBalancer } from './list-balancer.js';
import { OverrideHostBalancer } from './override-host.js';
import { SubsetLoadBalancer } from './subset/subset.js';
import { TableBalancer } from './table-balancer.js';
import { tableKind } from './table-cache.js';

export type CreateBalancer = (config: LoadBalancerConfig, env: LbEnvironment) => LoadBalancer;

/** Policies that stand around another one make its balancer. Draws: see {@link ListBalancer}; hashing policies draw nothing. */
export function createLoadBalancer(
  policy: PolicySettings,
  env: LbEnvironment,
  create: CreateBalancer = createPolicyBalancer,
): LoadBalancer {
  if (policy.kind === 'hosts') return create(policy, env);
  const inside = (own: LbEnvironment): LoadBalancer => createLoadBalancer(policy.inner, own, create);
  switch (policy.kind) {
    case 'client_subset': {
      const place = env.client ?? { client: 0, clients: 1 };
      return new ClientSubsetBalancer(policy, place, env.initial ?? [], (initial) => inside({ ...env, initial }));
    }
    case 'override_host':
      return new OverrideHostBalancer(policy, inside(env), env.initial);
    case 'subset':
      return new SubsetLoadBalancer(leafOf(policy), policy, env, inside);
    // The loads of localities belong to all balancers of a proxy: they are in the environment.
    case 'load_aware_locality':
      return inside(env);
  }
}

export function createPolicyBalancer(config: LoadBalancerConfig, env: LbEnvironment): LoadBalancer {
  const policy = policyOf(config.lbPolicy);
  for (const statistic of statisticsOf(config.lbPolicy)) env.stats.policy[statistic] ??= 0;
  return policy.kind === 'table'
    ? new TableBalancer(config, env, tableKind(policy, config))
    : new ListBalancer(config, env, policy);
}
