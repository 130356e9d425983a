import { isStruct, type JsonValue, type Struct, withoutField } from '../core/values.js';
import type { ApiVersion } from './api/api.js';
import { Cluster } from './cluster/cluster.js';
import { lbPolicyText, namedPolicy, isDns } from './cluster/cluster-shape.js';
import { typedHttpOptions } from './cluster/http-options.js';
import { POLICY_FIELDS, POLICY_PARTS, type Policy } from './policy/policy.js';
import { olderLeaf } from './policy/of-cluster.js';
import { policyList, settingsAsWritten } from './policy/read.js';
import { encode } from './write.js';

export const needsV3 = (cluster: Cluster): boolean =>
  cluster.loadBalancingPolicy !== undefined ||
  typedHttpOptions(cluster) !== undefined ||
  isDns(cluster) ||
  'resourceApiVersion' in (cluster.edsClusterConfig?.edsConfig ?? {}) ||
  !['AUTO', 'V4_ONLY', 'V6_ONLY'].includes(cluster.dnsLookupFamily);

/** A cluster as it is read again; what is none of the proxy's stands in our long form of `lb_policy`. */
export function clusterJson(cluster: Cluster, version: ApiVersion = 'v2'): Struct {
  const clientSubset = namedPolicy(cluster)?.clientSubset;
  const policy = lbPolicyText(cluster);
  const leaf = olderLeaf(cluster);
  const settings = leaf.kind === 'by_name' ? settingsAsWritten(leaf) : {};
  const json = encode(Cluster, { ...cluster, lbPolicy: policy as Cluster['lbPolicy'] }, version) as Struct;
  const added = {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(clientSubset && { subsetting: { ...clientSubset } }),
  };
  return Object.keys(added).length === 0 ? json : { ...json, lb_policy: { policy, ...added } };
}

/** The v3 message of a cluster with this policy, as a `load_balancing_policy` alone says it. */
export function withPolicy(message: Struct, policy: Policy): Struct {
  const { common_lb_config: common, ...others } = message;
  const kept = withoutField(fields(common), ...POLICY_PARTS);
  return {
    ...withoutField(others, ...POLICY_FIELDS),
    ...(Object.keys(kept).length > 0 && { common_lb_config: kept }),
    load_balancing_policy: policyList(policy),
  };
}

const fields = (value: JsonValue | undefined): Struct => (value !== undefined && isStruct(value) ? value : {});
