/** Clusters as messages of either API. */
import { isStruct, type JsonValue, type Struct } from '../core/json-value.js';
import { lbPolicyName } from '../policy/registry.js';
import type { ApiVersion } from './api/api.js';
import { Cluster } from './cluster/cluster.js';
import { olderLeaf } from './policy/of-cluster.js';
import { POLICY_FIELDS, POLICY_PARTS } from './policy/places.js';
import type { Policy } from './policy/policy.js';
import { policyList, settingsAsWritten } from './policy/read.js';
import { encode } from './write.js';

/** Whether a cluster has what v3 alone can say. */
export function needsV3(cluster: Cluster): boolean {
  const options = Object.values(cluster.typedExtensionProtocolOptions);
  return (
    cluster.loadBalancingPolicy !== undefined ||
    options.some(({ typeUrl }) => HTTP_OPTIONS.test(typeUrl)) ||
    'resourceApiVersion' in (cluster.edsClusterConfig?.edsConfig ?? {}) ||
    !['AUTO', 'V4_ONLY', 'V6_ONLY'].includes(cluster.dnsLookupFamily)
  );
}

const HTTP_OPTIONS = /\.HttpProtocolOptions$/;

/** A cluster as it is read again; what is none of the proxy's stands in our long form of `lb_policy`. */
export function clusterJson(cluster: Cluster, version: ApiVersion = 'v2'): Struct {
  const { clientSubset } = cluster;
  const policy = lbPolicyName(cluster.lbPolicy);
  const leaf = olderLeaf(cluster);
  const settings = leaf.kind === 'by_name' ? settingsAsWritten(leaf) : {};
  const encoded = encode(Cluster, { ...cluster, lbPolicy: policy as Cluster['lbPolicy'] }, version) as Struct;
  const json = version === 'v3' ? withoutTwice(encoded) : encoded;
  const added = {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(clientSubset && { subsetting: { ...clientSubset } }),
  };
  return Object.keys(added).length === 0 ? json : { ...json, lb_policy: { policy, ...added } };
}

/** HTTP options were read into fields of the cluster, too, and a proxy takes the maximum of requests in one place only. */
function withoutTwice(message: Struct): Struct {
  const { max_requests_per_connection: _, ...rest } = message;
  const options = Object.values(fields(message['typed_extension_protocol_options']));
  const http = options.find((option) => {
    const type = fields(option)['@type'];
    return typeof type === 'string' && HTTP_OPTIONS.test(type);
  });
  const says = fields(fields(http)['common_http_protocol_options'])['max_requests_per_connection'] !== undefined;
  return says ? rest : message;
}

/** The v3 message of a cluster with this policy, as a `load_balancing_policy` alone says it. */
export function withPolicy(message: Struct, policy: Policy): Struct {
  const { common_lb_config: common, ...others } = message;
  const rest = Object.entries(others).filter(([name]) => !POLICY_FIELDS.includes(name));
  const kept = Object.entries(fields(common)).filter(([name]) => !POLICY_PARTS.includes(name));
  return {
    ...Object.fromEntries(rest),
    ...(kept.length > 0 && { common_lb_config: Object.fromEntries(kept) }),
    load_balancing_policy: policyList(policy),
  };
}

function fields(value: JsonValue | undefined): Struct {
  return value !== undefined && isStruct(value) ? value : {};
}
