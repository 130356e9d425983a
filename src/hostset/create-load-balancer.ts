import { policyOf, statisticsOf } from '../policy/registry.js';
import { ClientSubsetBalancer } from './subset/client-subset.js';
import type { LoadBalancerConfig } from './lb-config.js';
import type { LbEnvironment } from './lb-environment.js';
import { ListBalancer } from './list-balancer.js';
import type { LoadBalancer } from './load-balancer.js';
import { OverrideHostBalancer } from './override-host.js';
import { type CreateBalancer, SubsetLoadBalancer } from './subset/subset.js';
import { TableBalancer } from './table-balancer.js';
import { tableKind } from './table-cache.js';

/**
 * Makes one thread's balancer of one cluster.
 *
 * Draws from `env.random`: see {@link ListBalancer}; hashing policies draw nothing.
 *
 * @param create makes the balancer of one set of hosts; default: by the policy that `config` names.
 */
export function createLoadBalancer(
  config: LoadBalancerConfig,
  env: LbEnvironment,
  create: CreateBalancer = createPolicyBalancer,
): LoadBalancer {
  const { clientSubset } = config;
  if (clientSubset === undefined) return createWholeBalancer(config, env, create);
  const place = env.client ?? { client: 0, clients: 1 };
  return new ClientSubsetBalancer(clientSubset, place, env.initial ?? [], (initial) =>
    createWholeBalancer(config, { ...env, initial }, create),
  );
}

function createWholeBalancer(config: LoadBalancerConfig, env: LbEnvironment, create: CreateBalancer): LoadBalancer {
  const inner =
    config.subset === undefined ? create(config, env) : new SubsetLoadBalancer(config, config.subset, env, create);
  return config.overrideHost === undefined ? inner : new OverrideHostBalancer(config.overrideHost, inner, env.initial);
}

/** The balancer of one set of hosts; ignores `config.subset`. */
export function createPolicyBalancer(config: LoadBalancerConfig, env: LbEnvironment): LoadBalancer {
  const policy = policyOf(config.lbPolicy);
  for (const statistic of statisticsOf(config.lbPolicy)) env.stats.policy[statistic] ??= 0;
  return policy.kind === 'table'
    ? new TableBalancer(config, env, tableKind(policy, config))
    : new ListBalancer(config, env, policy);
}
