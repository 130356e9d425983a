import { leastRequest } from './least-request.js';
import type { LeastRequestSettings } from './least-request.js';
import type { ListPolicy } from './list-policy.js';
import { maglev } from './maglev.js';
import { random } from './random.js';
import { ringHash } from './ring-hash.js';
import { roundRobin } from './round-robin.js';

/** What any list policy may need to start; each takes what it knows. */
export type ListPolicyConfig = LeastRequestSettings;

/** Policies that pick inside one list of hosts, by the name a cluster gives as its `lb_policy`. */
export const LIST_POLICIES = {
  ROUND_ROBIN: roundRobin,
  LEAST_REQUEST: leastRequest,
  RANDOM: random,
  /** Its weights are worked out elsewhere: see client-side-weights.ts. */
  CLIENT_SIDE_WEIGHTED_ROUND_ROBIN: { ...roundRobin, name: 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN' },
} as const;

/** Policies that look a hash up in a table of hosts. */
export const TABLE_POLICIES = {
  RING_HASH: ringHash,
  MAGLEV: maglev,
} as const;

export type ListPolicyName = keyof typeof LIST_POLICIES;

/** The policy with its state kept opaque: whoever holds it hands back what `start` returned. */
export function listPolicy(name: ListPolicyName): ListPolicy<ListPolicyConfig, unknown> {
  return LIST_POLICIES[name];
}
