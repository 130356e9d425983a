import { listPolicy } from '../policy/registry.js';
import type { LoadBalancerConfig } from './lb-config.js';
import type { LbEnvironment } from './lb-environment.js';
import { ListBalancer } from './list-balancer.js';
import type { LoadBalancer } from './load-balancer.js';
import { OverrideHostBalancer } from './override-host.js';
import { createSubsetLoadBalancer } from './subset.js';
import { TableBalancer } from './table-balancer.js';
import { maglevKind, ringKind } from './table-kinds.js';

/**
 * Makes one thread's balancer of one cluster.
 *
 * Draws from `env.random`: see {@link ListBalancer}; hashing policies draw nothing.
 */
export function createLoadBalancer(config: LoadBalancerConfig, env: LbEnvironment): LoadBalancer {
  const inner =
    config.subset === undefined
      ? createPolicyBalancer(config, env)
      : createSubsetLoadBalancer(config, config.subset, env, createPolicyBalancer);
  return config.overrideHost === undefined ? inner : new OverrideHostBalancer(config.overrideHost, inner, env.initial);
}

/** The balancer of one set of hosts, whatever `config.subset` says. */
export function createPolicyBalancer(config: LoadBalancerConfig, env: LbEnvironment): LoadBalancer {
  switch (config.lbPolicy) {
    case 'ROUND_ROBIN':
    case 'LEAST_REQUEST':
    case 'RANDOM':
    case 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN':
      return new ListBalancer(config, env, listPolicy(config.lbPolicy));
    case 'RING_HASH':
      return new TableBalancer(config, env, ringKind(config.ringHash));
    case 'MAGLEV':
      return new TableBalancer(config, env, maglevKind(config.maglev, config.version));
  }
}
