/** The policy of a cluster, nested as in the proxy: those that decide for others around the one that chooses hosts. */
import { defined, type Struct } from '../../core/values.js';
import { isTablePolicy, type LbPolicy as PolicyName } from '../../policy/registry.js';
import type { Messages } from '../api/generated/read-messages.js';
import type { Path } from '../source/document.js';
import { OWN_NAMES } from '../generated/own-names.js';
import { PLACES } from './generated/places.js';

type Own<N extends string> = Messages[`extensions.load_balancing_policies.${N}` & keyof Messages];
type OfCluster<N extends string> = Messages[`Cluster.${N}` & keyof Messages];
type CommonLbConfig = OfCluster<'CommonLbConfig'>;
type SlowStartConfig = OfCluster<'SlowStartConfig'>;

/** How a list of hosts is divided into localities, at most one of both. */
export type LocalityLbConfig = Pick<CommonLbConfig, 'zoneAwareLbConfig' | 'localityWeightedLbConfig'>;

export type HashingConfig = NonNullable<CommonLbConfig['consistentHashingLbConfig']> & {
  readonly hashPolicy?: readonly Messages['route.RouteAction.HashPolicy'][] | undefined;
};

type OfLists = Readonly<{ localityLbConfig?: LocalityLbConfig | undefined }>;

interface OfTables {
  readonly consistentHashingLbConfig?: HashingConfig | undefined;
  readonly localityWeightedLbConfig?: object | undefined;
}

export type RoundRobin = { readonly kind: 'round_robin' } & OfCluster<'RoundRobinLbConfig'> & OfLists;
export type LeastRequest = { readonly kind: 'least_request' } & OfCluster<'LeastRequestLbConfig'> & OfLists;
export type Random = { readonly kind: 'random' } & OfLists;
export type RingHash = { readonly kind: 'ring_hash' } & OfCluster<'RingHashLbConfig'> & OfTables;
export type Maglev = { readonly kind: 'maglev' } & OfCluster<'MaglevLbConfig'> & OfTables;
export type ClusterProvided = Readonly<{ kind: 'cluster_provided' }>;
export type ReportedWeights = {
  readonly kind: 'client_side_weighted_round_robin';
} & Own<'client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin'>;
/** A policy without a message: one that the proxy has not, over a list of hosts or with a table. */
export interface ByName extends OfLists, OfTables {
  readonly kind: 'by_name';
  readonly policy: Exclude<PolicyName, 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN'>;
  readonly settings: Struct;
  readonly slowStartConfig?: SlowStartConfig | undefined;
}

/** A policy that chooses the host. */
export type Leaf = RoundRobin | LeastRequest | Random | RingHash | Maglev | ClusterProvided | ReportedWeights | ByName;

export type Subset = { readonly kind: 'subset'; readonly inner: Policy } & OfCluster<'LbSubsetConfig'>;
export type WrrLocality = Readonly<{ kind: 'wrr_locality'; inner: Policy }>;
/** Localities by the room that their hosts report to have. */
export type LoadAwareLocality = { readonly kind: 'load_aware_locality'; readonly inner: Policy } & Omit<
  Own<'load_aware_locality.v3.LoadAwareLocality'>,
  'endpointPickingPolicy'
>;
/** Requests name their hosts; the policy inside chooses for those that do not. */
export interface OverrideHost {
  readonly kind: 'override_host';
  readonly inner: Policy;
  readonly overrideHostSources: Own<'override_host.v3.OverrideHost'>['overrideHostSources'];
}

export type Outer = Subset | WrrLocality | LoadAwareLocality | OverrideHost;

export type Policy = Leaf | Outer;
export type Kind = Policy['kind'];

/** A policy and those inside of it, the outermost first. */
export function policiesIn(policy: Policy | undefined): readonly Policy[] {
  if (policy === undefined) return [];
  return 'inner' in policy ? [policy, ...policiesIn(policy.inner)] : [policy];
}

export const leafOf = (policy: Policy): Leaf => ('inner' in policy ? leafOf(policy.inner) : policy);

export const withLeaf = (policy: Policy, change: (leaf: Leaf) => Policy): Policy =>
  'inner' in policy ? { ...policy, inner: withLeaf(policy.inner, change) } : change(policy);

export const around = <K extends Outer['kind']>(
  policy: Policy,
  kind: K,
): Extract<Outer, { readonly kind: K }> | undefined =>
  policiesIn(policy).find((one): one is Extract<Outer, { readonly kind: K }> => one.kind === kind);

/** Localities count by their `load_balancing_weight`. */
export function weighsLocalities(policy: Policy): boolean {
  const leaf = leafOf(policy);
  return (
    around(policy, 'wrr_locality') !== undefined ||
    localityOf(leaf)?.localityWeightedLbConfig !== undefined ||
    tableOf(leaf)?.localityWeightedLbConfig !== undefined
  );
}

export const zoneAwareOf = (policy: Policy): LocalityLbConfig['zoneAwareLbConfig'] =>
  localityOf(leafOf(policy))?.zoneAwareLbConfig;

/** It makes the hash of a request itself, from its headers. */
export const hashesItself = (policy: Policy): boolean => hashingOf(policy)?.hashPolicy !== undefined;

export const hashingOf = (policy: Policy): HashingConfig | undefined =>
  tableOf(leafOf(policy))?.consistentHashingLbConfig;

const localityOf = (leaf: Leaf): LocalityLbConfig | undefined =>
  'localityLbConfig' in leaf ? leaf.localityLbConfig : undefined;

const tableOf = (leaf: Leaf): OfTables | undefined =>
  leaf.kind === 'ring_hash' || leaf.kind === 'maglev' || leaf.kind === 'by_name' ? leaf : undefined;

/** Policies with a schedule of weights have slow start. */
export const slowStartOf = (leaf: Leaf): SlowStartConfig | undefined =>
  'slowStartConfig' in leaf ? leaf.slowStartConfig : undefined;

/** Names that statistics, reports and `lb_policy` have for them. */
const NAMES = OWN_NAMES.policies satisfies Record<Exclude<Leaf['kind'], 'by_name'>, string>;

export const nameOf = (leaf: Leaf): PolicyName | 'CLUSTER_PROVIDED' =>
  leaf.kind === 'by_name' ? leaf.policy : NAMES[leaf.kind];

export function localities(common: LocalityLbConfig | undefined): OfLists {
  const { zoneAwareLbConfig, localityWeightedLbConfig } = common ?? {};
  const localityLbConfig = defined({ zoneAwareLbConfig, localityWeightedLbConfig });
  return Object.keys(localityLbConfig).length === 0 ? {} : { localityLbConfig };
}

export function hashing(config: HashingConfig | undefined): Pick<OfTables, 'consistentHashingLbConfig'> {
  if (config === undefined) return {};
  const { hashPolicy = [], ...rest } = config;
  return { consistentHashingLbConfig: hashPolicy.length === 0 ? rest : config };
}

/** What policies share. */
export const LOCALITIES = 'locality_lb_config';
export const WEIGHTED = 'locality_weighted_lb_config';
const HASHED = 'consistent_hashing_lb_config';
export const SHARED_PARTS: readonly string[] = [LOCALITIES, WEIGHTED, HASHED];

const SUBSETS = 'lb_subset_config';

/** Older fields of a cluster that a `load_balancing_policy` goes before, and those that it has itself: beside it they are refused. */
export const POLICY_FIELDS = [
  ...(['lb_policy', 'round_robin_lb_config', 'least_request_lb_config', 'ring_hash_lb_config'] as const),
  ...(['maglev_lb_config', SUBSETS] as const),
];
export const POLICY_PARTS: readonly string[] = ['zone_aware_lb_config', WEIGHTED, HASHED];

/** Settings of a cluster, and where a policy of v3 has each. */
export const placesOf = (kind: string): readonly { readonly setting: Path; readonly place: Path }[] =>
  Object.entries(PLACES[kind] ?? {}).map(([setting, place]) => {
    return { setting: setting.split('.'), place: place === '' ? [] : place.split('.') };
  });

/** A policy that the proxy has not is a list, or has a table. */
type PlacedLeaf =
  | { readonly kind: Exclude<Kind, 'by_name'> }
  | { readonly kind: 'by_name'; readonly policy: Parameters<typeof isTablePolicy>[0] };

/**
 * The place of a setting in the policy that chooses the host.
 * @param setting its place in a cluster with `lb_policy`: `['common_lb_config', 'locality_weighted_lb_config']`.
 * @returns `own`: it stands in the cluster all the same. `none`: that policy has no such setting.
 */
export function placeInPolicy(setting: Path, leaf: PlacedLeaf): Path | 'own' | 'none' {
  const kind = leaf.kind !== 'by_name' ? leaf.kind : isTablePolicy(leaf.policy) ? 'table' : 'list';
  const found = placesOf(kind).find((one) => one.setting.every((step, index) => setting[index] === step));
  if (found !== undefined) return [...found.place, ...setting.slice(found.setting.length)];
  const [field = '', part = ''] = setting;
  const isOfPolicy =
    field === 'common_lb_config'
      ? POLICY_PARTS.includes(String(part))
      : field !== SUBSETS && POLICY_FIELDS.some((one) => one === field);
  return isOfPolicy ? 'none' : 'own';
}
