import { entryOf, type Struct } from '../core/values.js';
import { type AdaptedList, type AdaptedTable, adaptModule, type ModuleListConfig } from './foreign/adapted-module.js';
import { EXTENSIONS } from './extensions.js';
import type { PolicyModule } from './foreign/policy-module.js';
import { FACTS } from './generated/policy-facts.js';
import type { LeastRequestSettings } from './least-request.js';
import type { PolicyFacts, ProxyListPolicy, PolicyTable, ProxyTablePolicy } from './policy-kinds.js';
import type { MaglevConfig } from './maglev.js';
import type { RingHashConfig } from './ring-hash.js';

/** The proxy's own, as a cluster's `lb_policy` names them. Their code stands apart, in policy-of.ts. */
export const LB_POLICIES = [
  'ROUND_ROBIN',
  'LEAST_REQUEST',
  'RANDOM',
  'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN',
  'RING_HASH',
  'MAGLEV',
] as const;

export type ProxyPolicy = (typeof LB_POLICIES)[number];

/** A module that a call has handed over: no name leads to it but in the scenario that was read with it. */
export interface ForeignPolicy {
  readonly name: string;
  /** @internal */
  readonly module: PolicyModule;
  /** @internal */
  readonly policy: AdaptedList | AdaptedTable;
}

/** A policy that the proxy has not: the name of one of our extensions, or a module. */
export type AddedPolicy = (string & { readonly isAdded: true }) | ForeignPolicy;

export type LbPolicy = ProxyPolicy | AddedPolicy;

/** Those that a cluster's `lb_policy` may name; the other one is a typed policy alone. */
export const NAMED_POLICIES = LB_POLICIES.filter((policy) => policy !== 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN');

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

/** As a cluster has it: also a balancer of the cluster's own, or what could not be read. */
type Named = string | ForeignPolicy;

const adapted = new Map<PolicyModule, AdaptedList | AdaptedTable>();

/** undefined: it is the proxy's own, or unknown. */
export function addedPolicyOf(lbPolicy: Named): AdaptedList | AdaptedTable | undefined {
  if (typeof lbPolicy === 'object') return lbPolicy.policy;
  const module = moduleOf(lbPolicy);
  return module && entryOf(adapted, module, () => adaptModule(module));
}

export const lbPolicyName = (lbPolicy: Named): string => (typeof lbPolicy === 'object' ? lbPolicy.name : lbPolicy);

export const isProxyPolicy = (lbPolicy: Named): lbPolicy is ProxyPolicy =>
  LB_POLICIES.some((policy) => policy === lbPolicy);

/** undefined: no policy, as a balancer that the cluster provides. */
export const factsOf = (lbPolicy: Named): PolicyFacts | undefined =>
  isProxyPolicy(lbPolicy) ? FACTS[lbPolicy] : addedPolicyOf(lbPolicy);

export const isTablePolicy = (lbPolicy: Named): lbPolicy is LbPolicy => factsOf(lbPolicy)?.kind === 'table';

/** undefined: it is the proxy's own policy, or unknown. */
export function moduleOf(lbPolicy: Named): PolicyModule | undefined {
  if (typeof lbPolicy === 'object') return lbPolicy.module;
  return Object.hasOwn(EXTENSIONS, lbPolicy) ? EXTENSIONS[lbPolicy] : undefined;
}

export function statisticsOf(lbPolicy: Named): readonly string[] {
  const module = moduleOf(lbPolicy);
  return module?.kind === 'list' ? (module.statistics ?? []) : [];
}

export const TABLE_POLICIES: readonly Pick<AnyTablePolicy, 'name' | 'statNames'>[] = LB_POLICIES.map(
  (policy) => FACTS[policy],
).filter((facts) => facts.kind === 'table');
