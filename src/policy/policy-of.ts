import { assert } from '../core/assert.js';
import { clientSideWeightedRoundRobin } from './client-side-weights.js';
import { leastRequest } from './least-request.js';
import { maglev } from './maglev.js';
import { random } from './random.js';
import * as registry from './registry.js';
import { ringHash } from './ring-hash.js';
import { roundRobin } from './round-robin.js';

/** By the name that a cluster gives as its `lb_policy`. What only reads and checks files does without this code. */
const POLICIES: Readonly<Record<registry.ProxyPolicy, registry.AnyListPolicy | registry.AnyTablePolicy>> = {
  ROUND_ROBIN: roundRobin,
  LEAST_REQUEST: leastRequest,
  RANDOM: random,
  CLIENT_SIDE_WEIGHTED_ROUND_ROBIN: clientSideWeightedRoundRobin,
  RING_HASH: ringHash,
  MAGLEV: maglev,
};

/** The code of a policy, the proxy's own or an added one. @throws AssertionError where there is none of that name. */
export function policyOf(lbPolicy: registry.LbPolicy): registry.AnyListPolicy | registry.AnyTablePolicy {
  const policy = registry.isProxyPolicy(lbPolicy) ? POLICIES[lbPolicy] : registry.addedPolicyOf(lbPolicy);
  assert(policy !== undefined, `${registry.lbPolicyName(lbPolicy)} is no policy`);
  return policy;
}

/** @param lbPolicy one that keeps tables. */
export function tablePolicyOf(lbPolicy: string | registry.ForeignPolicy): registry.AnyTablePolicy {
  const policy = policyOf(lbPolicy as registry.LbPolicy);
  assert(policy.kind === 'table', `${registry.lbPolicyName(lbPolicy)} keeps no table`);
  return policy;
}
