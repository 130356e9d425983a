import { assert } from '../core/assert.js';
import { clientSideWeightedRoundRobin } from './client-side-weights.js';
import type { Struct } from '../core/json-value.js';
import { type AdaptedList, type AdaptedTable, adaptModule, type ModuleListConfig } from './adapted-module.js';
import { EXTENSIONS } from './extensions.js';
import type { PolicyModule } from './policy-module.js';
import type { PolicyFacts } from './facts.js';
import { leastRequest, type LeastRequestSettings } from './least-request.js';
import type { ProxyListPolicy } from './list-policy.js';
import { maglev, type MaglevConfig } from './maglev.js';
import { random } from './random.js';
import { ringHash, type RingHashConfig } from './ring-hash.js';
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

/** The proxy's own. */
export type ProxyPolicy = keyof typeof POLICIES;

/** The name of a policy that the proxy has not: one of our extensions, or a module that was added. */
export type AddedPolicy = string & { readonly isAdded: true };

export type LbPolicy = ProxyPolicy | AddedPolicy;

/** Names of the proxy's own. */
export const LB_POLICIES = Object.keys(POLICIES) as readonly ProxyPolicy[];

/** What any list policy may need to start; each reads its own fields. */
export type ListPolicyConfig = LeastRequestSettings & ModuleListConfig;

/** A cluster's settings of table policies; each reads its own fields. */
export interface TablePolicySettings {
  readonly ringHash: RingHashConfig;
  readonly maglev: MaglevConfig;
  /** Of a policy that the proxy has not. Default: none. */
  readonly settings?: Struct | undefined;
}

/** State, configuration and table are opaque: callers pass back what the policy returned. */
export type AnyListPolicy = ProxyListPolicy<ListPolicyConfig, unknown>;
export type AnyTablePolicy = ProxyTablePolicy<TablePolicySettings, unknown, PolicyTable>;

export function policyOf(name: LbPolicy): AnyListPolicy | AnyTablePolicy {
  const policy = knownPolicy(name);
  assert(policy !== undefined, `${name} is no policy`);
  return policy;
}

function knownPolicy(name: string): AnyListPolicy | AnyTablePolicy | undefined {
  return isProxyPolicy(name) ? POLICIES[name] : added.get(name)?.policy;
}

/** Whether the proxy itself has it. */
export function isProxyPolicy(name: string): name is ProxyPolicy {
  return Object.hasOwn(POLICIES, name);
}

/** @param name of one that keeps tables. */
export function tablePolicyOf(name: string): AnyTablePolicy {
  const policy = policyOf(name as LbPolicy);
  assert(policy.kind === 'table', `${name} keeps no table`);
  return policy;
}

/** undefined: not in the registry, as a balancer that the cluster provides. */
export function factsOf(name: string): PolicyFacts | undefined {
  return knownPolicy(name);
}

/** Whether hosts are looked up in a table by the request's hash. */
export function isTablePolicy(name: string): name is LbPolicy {
  return factsOf(name)?.kind === 'table';
}

interface Added {
  readonly module: PolicyModule;
  readonly policy: AdaptedList | AdaptedTable;
}

/**
 * Policies that the proxy has not, by the name that clusters use. As with modules themselves, a name means the same as long
 * as the process lives: who runs a scenario knows what its names meant when it was read.
 */
const added = new Map<string, Added>(
  Object.entries(EXTENSIONS).map(([name, module]) => [name, { module, policy: adaptModule(module, false) }]),
);

/**
 * Registers a policy that the proxy does not have.
 *
 * @param isForeign foreign code: its results are checked.
 * @returns undefined where the name is taken.
 */
export function addPolicy(name: string, module: PolicyModule, isForeign: boolean): AddedPolicy | undefined {
  if (isProxyPolicy(name)) return undefined;
  const known = added.get(name);
  if (known === undefined) added.set(name, { module, policy: adaptModule(module, isForeign) });
  else if (known.module !== module) return undefined;
  return name as AddedPolicy;
}

/** The module of a name; undefined: it is the proxy's own policy, or unknown. */
export function moduleOf(name: string): PolicyModule | undefined {
  return added.get(name)?.module;
}

/** What a policy that the proxy has not counts. */
export function statisticsOf(name: string): readonly string[] {
  const module = moduleOf(name);
  return module?.kind === 'list' ? (module.statistics ?? []) : [];
}

/** Those that keep tables, in the order of the registry. */
export const TABLE_POLICIES: readonly AnyTablePolicy[] = Object.values(POLICIES)
  .map((policy) => policy as AnyListPolicy | AnyTablePolicy)
  .filter((policy) => policy.kind === 'table');
