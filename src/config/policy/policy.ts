import { defined, type Struct } from '../../core/values.js';
import { isTablePolicy, type LbPolicy as PolicyName, type LbPolicy } from '../../policy/registry.js';
import type { Messages } from '../api/generated/read-messages.js';
import type { Path } from '../source/document.js';
import { PLACES } from './generated/places.js';
import type { Cluster } from '../cluster/cluster-shape.js';

/** The policy of a cluster, nested as in the proxy: those that decide for others around the one that chooses hosts. */

type Own<N extends string> = Messages[`extensions.load_balancing_policies.${N}` & keyof Messages];
type OfCluster<N extends string> = Messages[`Cluster.${N}` & keyof Messages];
type CommonLbConfig = OfCluster<'CommonLbConfig'>;
type SlowStartConfig = OfCluster<'SlowStartConfig'>;

/** How a list of hosts is divided into localities, at most one of both. */
type LocalityLbConfig = Pick<CommonLbConfig, 'zoneAwareLbConfig' | 'localityWeightedLbConfig'>;

export type HashingConfig = NonNullable<CommonLbConfig['consistentHashingLbConfig']> & {
  readonly hashPolicy?: readonly Messages['route.RouteAction.HashPolicy'][] | undefined;
};

interface OfLists {
  readonly localityLbConfig?: LocalityLbConfig | undefined;
}

interface OfTables {
  readonly consistentHashingLbConfig?: HashingConfig | undefined;
  readonly localityWeightedLbConfig?: object | undefined;
}

type RoundRobin = { readonly kind: 'round_robin' } & OfCluster<'RoundRobinLbConfig'> & OfLists;
type LeastRequest = { readonly kind: 'least_request' } & OfCluster<'LeastRequestLbConfig'> & OfLists;
type Random = { readonly kind: 'random' } & OfLists;
export type RingHash = { readonly kind: 'ring_hash' } & OfCluster<'RingHashLbConfig'> & OfTables;
type Maglev = { readonly kind: 'maglev' } & OfCluster<'MaglevLbConfig'> & OfTables;
interface ClusterProvided {
  readonly kind: 'cluster_provided';
}
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

export type Outer = Subset | Readonly<{ kind: 'wrr_locality'; inner: Policy }> | LoadAwareLocality | OverrideHost;

export type Policy = Leaf | Outer;
export type Kind = Policy['kind'];

/** A policy and those inside of it, the outermost first. */
export function policiesIn(policy: Policy | undefined): readonly Policy[] {
  if (policy === undefined) return [];
  return 'inner' in policy ? [policy, ...policiesIn(policy.inner)] : [policy];
}

export const leafOf = (policy: Policy): Leaf => ('inner' in policy ? leafOf(policy.inner) : policy);

export function withLeaf(policy: Policy, change: (leaf: Leaf) => Policy): Policy {
  return 'inner' in policy ? { ...policy, inner: withLeaf(policy.inner, change) } : change(policy);
}

export function around<K extends Outer['kind']>(
  policy: Policy,
  kind: K,
): Extract<Outer, { readonly kind: K }> | undefined {
  return policiesIn(policy).find((one): one is Extract<Outer, { readonly kind: K }> => one.kind === kind);
}

/** Localities count by their `load_balancing_weight`. */
export function weighsLocalities(policy: Policy): boolean {
  const leaf = leafOf(policy);
  return (
    around(policy, 'wrr_locality') !== undefined ||
    localityOf(leaf)?.localityWeightedLbConfig !== undefined ||
    tableOf(leaf)?.localityWeightedLbConfig !== undefined
  );
}

export function zoneAwareOf(policy: Policy): LocalityLbConfig['zoneAwareLbConfig'] {
  return localityOf(leafOf(policy))?.zoneAwareLbConfig;
}

/** It makes the hash of a request itself, from its headers. */
export function hashesItself(policy: Policy): boolean {
  return hashingOf(policy)?.hashPolicy !== undefined;
}

export function hashingOf(policy: Policy): HashingConfig | undefined {
  return tableOf(leafOf(policy))?.consistentHashingLbConfig;
}

function localityOf(leaf: Leaf): LocalityLbConfig | undefined {
  return 'localityLbConfig' in leaf ? leaf.localityLbConfig : undefined;
}

function tableOf(leaf: Leaf): OfTables | undefined {
  return leaf.kind === 'ring_hash' || leaf.kind === 'maglev' || leaf.kind === 'by_name' ? leaf : undefined;
}

/** Policies with a schedule of weights have slow start. */
export function slowStartOf(leaf: Leaf): SlowStartConfig | undefined {
  return 'slowStartConfig' in leaf ? leaf.slowStartConfig : undefined;
}

/** Names that statistics, reports and `lb_policy` have for them. */
const NAMES = {
  round_robin: 'ROUND_ROBIN',
  least_request: 'LEAST_REQUEST',
  random: 'RANDOM',
  ring_hash: 'RING_HASH',
  maglev: 'MAGLEV',
  cluster_provided: 'CLUSTER_PROVIDED',
  client_side_weighted_round_robin: 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN',
} as const satisfies Record<Exclude<Leaf['kind'], 'by_name'>, string>;

export function nameOf(leaf: Leaf): PolicyName | 'CLUSTER_PROVIDED' {
  return leaf.kind === 'by_name' ? leaf.policy : NAMES[leaf.kind];
}

/** The kind of a name; undefined: it has no message. */
export function kindOf(name: string): keyof typeof NAMES | undefined {
  return KINDS.find((kind) => NAMES[kind] === name);
}

const KINDS = Object.keys(NAMES) as readonly (keyof typeof NAMES)[];

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
export const POLICY_FIELDS: readonly string[] = [
  ...['lb_policy', 'round_robin_lb_config', 'least_request_lb_config', 'ring_hash_lb_config', 'maglev_lb_config'],
  SUBSETS,
];
export const POLICY_PARTS: readonly string[] = ['zone_aware_lb_config', WEIGHTED, HASHED];

/** Settings of a cluster, and where a policy of v3 has each. */
export function placesOf(kind: string): readonly { readonly setting: Path; readonly place: Path }[] {
  return Object.entries(PLACES[kind] ?? {}).map(([setting, place]) => {
    return { setting: setting.split('.'), place: place === '' ? [] : place.split('.') };
  });
}

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
      : field !== SUBSETS && POLICY_FIELDS.includes(String(field));
  return isOfPolicy ? 'none' : 'own';
}

/**
 * The policy of a cluster: its `load_balancing_policy`, or what older fields say, in the same form.
 * Source: docs of config.cluster.v3.Cluster: `load_balancing_policy` goes before `lb_policy` and its settings.
 */

export type PolicyFields = Pick<
  Cluster,
  | 'loadBalancingPolicy'
  | 'lbPolicy'
  | 'lbSubsetConfig'
  | 'commonLbConfig'
  | 'roundRobinLbConfig'
  | 'leastRequestLbConfig'
  | 'ringHashLbConfig'
  | 'maglevLbConfig'
>;

type OlderFields = Partial<Omit<PolicyFields, 'lbPolicy' | 'commonLbConfig'>> &
  Pick<PolicyFields, 'lbPolicy'> & {
    readonly commonLbConfig?: Partial<NonNullable<Cluster['commonLbConfig']>> | undefined;
  };

const known = new WeakMap<PolicyFields, Policy>();

export function policyOf(cluster: PolicyFields): Policy {
  const made = known.get(cluster) ?? cluster.loadBalancingPolicy ?? olderPolicy(cluster);
  known.set(cluster, made);
  return made;
}

/** How its hosts are divided; older fields that divide nothing are told as well. */
export function subsetsOf(cluster: PolicyFields): Cluster['lbSubsetConfig'] {
  return around(policyOf(cluster), 'subset') ?? cluster.lbSubsetConfig;
}

/** Of the policy that chooses the host: as an `lb_policy`. */
export function lbPolicyOf(cluster: PolicyFields): LbPolicy | 'CLUSTER_PROVIDED' | 'ORIGINAL_DST_LB' {
  const leaf = leafOf(policyOf(cluster));
  const isOlder = cluster.loadBalancingPolicy === undefined && cluster.lbPolicy === 'ORIGINAL_DST_LB';
  return isOlder ? 'ORIGINAL_DST_LB' : nameOf(leaf);
}

/** Policies as the cluster's file would name them: `RING_HASH or MAGLEV`, or the extensions of those names. */
export function policyNamesIn({ loadBalancingPolicy }: PolicyFields, ...names: readonly string[]): string {
  const named = (name: string): string =>
    loadBalancingPolicy === undefined ? name : `envoy.load_balancing_policies.${name.toLowerCase()}`;
  return names.map(named).join(' or ');
}

/** What `lb_policy` and the fields of a cluster beside it say. Without selectors there are no subsets. */
function olderPolicy(cluster: PolicyFields): Policy {
  const leaf = olderLeaf(cluster);
  const subsets = cluster.lbSubsetConfig;
  const isDivided = subsets !== undefined && subsets.subsetSelectors.length > 0 && leaf.kind !== 'cluster_provided';
  return isDivided ? { kind: 'subset', ...subsets, inner: leaf } : leaf;
}

export function olderLeaf(cluster: OlderFields): Leaf {
  const { lbPolicy, roundRobinLbConfig, commonLbConfig: common } = cluster;
  const named = typeof lbPolicy === 'object' ? lbPolicy : undefined;
  const name = typeof lbPolicy === 'object' ? lbPolicy.policy : lbPolicy;
  const lists = localities(common);
  const { localityWeightedLbConfig } = common ?? {};
  const tables = { ...hashing(common?.consistentHashingLbConfig), ...defined({ localityWeightedLbConfig }) };
  switch (name) {
    // Refused without a typed policy, which goes before it.
    case 'LOAD_BALANCING_POLICY_CONFIG':
    case 'ROUND_ROBIN':
      return { kind: 'round_robin', ...roundRobinLbConfig, ...lists };
    case 'LEAST_REQUEST':
      return { kind: 'least_request', selectionMethod: 'N_CHOICES', ...cluster.leastRequestLbConfig, ...lists };
    case 'RANDOM':
      return { kind: 'random', ...lists };
    case 'RING_HASH':
      return { kind: 'ring_hash', hashFunction: 'XX_HASH', ...cluster.ringHashLbConfig, ...tables };
    case 'MAGLEV':
      return { kind: 'maglev', ...cluster.maglevLbConfig, ...tables };
    case 'ORIGINAL_DST_LB':
    case 'CLUSTER_PROVIDED':
      return { kind: 'cluster_provided' };
    default:
      return {
        kind: 'by_name',
        policy: name,
        settings: named?.settings ?? {},
        ...(isTablePolicy(name) ? tables : { ...defined({ slowStartConfig: named?.slowStartConfig }), ...lists }),
      } satisfies Leaf;
  }
}

/** The same policy with another one that chooses the host: localities, hashing and slow start stay where it has them, too. */
export function withOtherLeaf(policy: Policy, other: LbPolicy): Policy {
  // It takes no other policy inside than its own, and goes with it.
  const isWeighted = policy.kind === 'wrr_locality';
  if ('inner' in policy && !isWeighted) return { ...policy, inner: withOtherLeaf(policy.inner, other) };
  const slowStartConfig = slowStartOf(leafOf(policy));
  if (other === 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN')
    return { kind: 'client_side_weighted_round_robin', ...defined({ slowStartConfig }) } as ReportedWeights;
  const settings = slowStartConfig && { slowStartConfig };
  return olderLeaf({
    lbPolicy: { policy: other, settings: {}, slowStartConfig },
    commonLbConfig: defined({
      zoneAwareLbConfig: zoneAwareOf(policy),
      localityWeightedLbConfig: weighsLocalities(policy) ? {} : undefined,
      consistentHashingLbConfig: hashingOf(policy),
    }),
    roundRobinLbConfig: settings,
    leastRequestLbConfig: settings && { selectionMethod: 'N_CHOICES', ...settings },
  });
}
