/**
 * The policy of a cluster: its `load_balancing_policy`, or what older fields say, in the same form.
 * Source: docs of config.cluster.v3.Cluster: `load_balancing_policy` goes before `lb_policy` and its settings.
 */
import { defined } from '../../core/values.js';
import { isTablePolicy, type LbPolicy } from '../../policy/registry.js';
import type { Cluster } from '../cluster/cluster-shape.js';
import type { Camel } from '../reader/message.js';
import * as policies from './policy.js';

type OlderField = Camel<(typeof policies.POLICY_FIELDS)[number]>;

export type PolicyFields = Pick<Cluster, 'loadBalancingPolicy' | 'commonLbConfig' | OlderField>;

type OlderFields = Partial<Omit<PolicyFields, 'lbPolicy' | 'commonLbConfig'>> &
  Pick<PolicyFields, 'lbPolicy'> & {
    readonly commonLbConfig?: Partial<NonNullable<Cluster['commonLbConfig']>> | undefined;
  };

const known = new WeakMap<PolicyFields, policies.Policy>();

export function policyOf(cluster: PolicyFields): policies.Policy {
  const made = known.get(cluster) ?? cluster.loadBalancingPolicy ?? olderPolicy(cluster);
  known.set(cluster, made);
  return made;
}

/** How its hosts are divided; older fields that divide nothing are told as well. */
export const subsetsOf = (cluster: PolicyFields): Cluster['lbSubsetConfig'] =>
  policies.around(policyOf(cluster), 'subset') ?? cluster.lbSubsetConfig;

/** Of the policy that chooses the host: as an `lb_policy`. */
export function lbPolicyOf(cluster: PolicyFields): LbPolicy | 'CLUSTER_PROVIDED' | 'ORIGINAL_DST_LB' {
  const leaf = policies.leafOf(policyOf(cluster));
  const isOlder = cluster.loadBalancingPolicy === undefined && cluster.lbPolicy === 'ORIGINAL_DST_LB';
  return isOlder ? 'ORIGINAL_DST_LB' : policies.nameOf(leaf);
}

/** Hosts report their load by themselves, beside their answers. */
export const asksOutOfBand = (cluster: PolicyFields): boolean =>
  policies
    .policiesIn(policyOf(cluster))
    .some((one) => 'enableOobLoadReport' in one && one.enableOobLoadReport === true);

/** Policies as the cluster's file would name them: `RING_HASH or MAGLEV`, or the extensions of those names. */
export function policyNamesIn({ loadBalancingPolicy }: PolicyFields, ...names: readonly string[]): string {
  const named = (name: string): string =>
    loadBalancingPolicy === undefined ? name : `envoy.load_balancing_policies.${name.toLowerCase()}`;
  return names.map(named).join(' or ');
}

/** What `lb_policy` and the fields of a cluster beside it say. Without selectors there are no subsets. */
function olderPolicy(cluster: PolicyFields): policies.Policy {
  const leaf = olderLeaf(cluster);
  const subsets = cluster.lbSubsetConfig;
  const isDivided = subsets !== undefined && subsets.subsetSelectors.length > 0 && leaf.kind !== 'cluster_provided';
  return isDivided ? { kind: 'subset', ...subsets, inner: leaf } : leaf;
}

export function olderLeaf(cluster: OlderFields): policies.Leaf {
  const { lbPolicy, roundRobinLbConfig, commonLbConfig: common } = cluster;
  const named = typeof lbPolicy === 'object' ? lbPolicy : undefined;
  const name = typeof lbPolicy === 'object' ? lbPolicy.policy : lbPolicy;
  const lists = policies.localities(common);
  const { localityWeightedLbConfig } = common ?? {};
  const tables = { ...policies.hashing(common?.consistentHashingLbConfig), ...defined({ localityWeightedLbConfig }) };
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
      } satisfies policies.Leaf;
  }
}

/** The same policy with another one that chooses the host: localities, hashing and slow start stay where it has them, too. */
export function withOtherLeaf(policy: policies.Policy, other: LbPolicy): policies.Policy {
  // It takes no other policy inside than its own, and goes with it.
  const isWeighted = policy.kind === 'wrr_locality';
  if ('inner' in policy && !isWeighted) return { ...policy, inner: withOtherLeaf(policy.inner, other) };
  const slowStartConfig = policies.slowStartOf(policies.leafOf(policy));
  if (other === 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN')
    return { kind: 'client_side_weighted_round_robin', ...defined({ slowStartConfig }) } as policies.ReportedWeights;
  const settings = slowStartConfig && { slowStartConfig };
  return olderLeaf({
    lbPolicy: { policy: other, settings: {}, slowStartConfig },
    commonLbConfig: defined({
      zoneAwareLbConfig: policies.zoneAwareOf(policy),
      localityWeightedLbConfig: policies.weighsLocalities(policy) ? {} : undefined,
      consistentHashingLbConfig: policies.hashingOf(policy),
    }),
    roundRobinLbConfig: settings,
    leastRequestLbConfig: settings && { selectionMethod: 'N_CHOICES', ...settings },
  });
}
