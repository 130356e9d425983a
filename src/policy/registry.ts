import { assert } from '../core/assert.js';
import { clientSideWeightedRoundRobin } from './client-side-weights.js';
import type { PolicyFacts } from './facts.js';
import { leastRequest } from './least-request.js';
import type { LeastRequestSettings } from './least-request.js';
import type { ProxyListPolicy } from './list-policy.js';
import type { MaglevConfig } from './maglev.js';
import { maglev } from './maglev.js';
import { random } from './random.js';
import type { RingHashConfig } from './ring-hash.js';
import { ringHash } from './ring-hash.js';
import { roundRobin } from './round-robin.js';
import type { PolicyTable, ProxyTablePolicy } from './table-policy.js';

/** The policies, by the name that a cluster gives as its `lb_policy`. */
const POLICIES = {
  ROUND_ROBIN: roundRobin,
  LEAST_REQUEST: leastRequest,
  RANDOM: random,
  CLIENT_SIDE_WEIGHTED_ROUND_ROBIN: clientSideWeightedRoundRobin,
  RING_HASH: ringHash,
  MAGLEV: maglev,
};

export type LbPolicy = keyof typeof POLICIES;

/** Their names. */
export const LB_POLICIES = Object.keys(POLICIES) as readonly LbPolicy[];

/** What any list policy may need to start; each reads its own fields. */
export type ListPolicyConfig = LeastRequestSettings;

/** A cluster's settings of table policies; each reads its own fields. */
export interface TablePolicySettings {
  readonly ringHash: RingHashConfig;
  readonly maglev: MaglevConfig;
}

/** State, configuration and table are opaque: callers pass back what the policy returned. */
export type AnyListPolicy = ProxyListPolicy<ListPolicyConfig, unknown>;
export type AnyTablePolicy = ProxyTablePolicy<TablePolicySettings, unknown, PolicyTable>;

export function policyOf(name: LbPolicy): AnyListPolicy | AnyTablePolicy {
  return POLICIES[name];
}

/** @param name of one that keeps tables. */
export function tablePolicyOf(name: LbPolicy): AnyTablePolicy {
  const policy = policyOf(name);
  assert(policy.kind === 'table', `${name} keeps no table`);
  return policy;
}

/** undefined: not in the registry, as a balancer that the cluster provides. */
export function factsOf(name: string): PolicyFacts | undefined {
  return Object.hasOwn(POLICIES, name) ? POLICIES[name as LbPolicy] : undefined;
}

/** Whether hosts are looked up in a table by the request's hash. */
export function isTablePolicy(name: string): name is LbPolicy {
  return factsOf(name)?.kind === 'table';
}

/** Those that keep tables, in the order of the registry. */
export const TABLE_POLICIES: readonly AnyTablePolicy[] = Object.values(POLICIES)
  .map((policy) => policy as AnyListPolicy | AnyTablePolicy)
  .filter((policy) => policy.kind === 'table');
