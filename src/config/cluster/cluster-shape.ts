import type { Schema, NamedPolicy } from '../reader.js';
import { messageIn, any, isProxyName, mapping, mark, message, readerOf } from '../reader.js';
import { defaultOf } from '../../core/defaults.js';
import { own } from '../../core/values.js';
import type { ClusterKind, LookupFamily } from '../../settings/cluster-settings.js';
import type { Messages } from '../api/generated/read-messages.js';
import { OWN_NAMES } from '../generated/own-names.js';
import { lbPolicyName } from '../../policy/registry.js';
import { proxyName } from '../extension.js';
import type { Policy } from '../policy/policy.js';
import { LoadBalancingPolicy } from '../policy/read.js';
import { struct } from '../reader/proto/well-known.js';

export type DiscoveryType = Messages['Cluster']['type'];

const TYPE_BY_NAME: Readonly<Record<string, DiscoveryType>> = OWN_NAMES.cluster_types;

/** Types of the proxy that are not simulated, by the last part of their names and types. */
const FOREIGN_TYPES =
  /\.clusters\.(?:dynamic_forward_proxy|redis|composite|mcp_multicluster|reverse_connection|dynamic_modules)\b/;

type CustomType = Pick<Messages['Cluster'], 'clusterType'>;

export function isForeignType({ clusterType }: CustomType): boolean {
  if (clusterType === undefined) return false;
  const { name, typedConfig } = clusterType;
  return FOREIGN_TYPES.test(name) || FOREIGN_TYPES.test(`.${typedConfig?.type ?? ''}`);
}

export const CUSTOM_TYPE_NAMES = Object.keys(TYPE_BY_NAME).map((name) => `proxy.${name}`);

/** The clusters whose hosts an aggregate uses, in their order; undefined: it is no aggregate. */
export function aggregated({ clusterType }: CustomType): readonly string[] | undefined {
  const [v2, v3] = [
    'config.cluster.aggregate.v2alpha.ClusterConfig',
    'extensions.clusters.aggregate.v3.ClusterConfig',
  ] as const;
  return messageIn(clusterType?.typedConfig, v2, v3)?.clusters;
}

/** The type of a cluster, by `type` or `cluster_type`; undefined for one that is not simulated. */
export function discoveryType(cluster: CustomType & { readonly type: DiscoveryType }): ClusterKind | undefined {
  const { clusterType } = cluster;
  if (clusterType === undefined) return cluster.type;
  if (aggregated(cluster) !== undefined) return 'AGGREGATE';
  const dns = typedDns(cluster);
  if (dns !== undefined) return dns.allAddressesInSingleEndpoint ? 'LOGICAL_DNS' : 'STRICT_DNS';
  if (isDns(cluster)) return 'STRICT_DNS';
  return own(TYPE_BY_NAME, clusterType.name.replace(/^(?:envoy|proxy)\./, ''));
}

export function serviceName(cluster: Pick<Messages['Cluster'], 'name' | 'edsClusterConfig'>): string {
  const service = cluster.edsClusterConfig?.serviceName ?? '';
  return service === '' ? cluster.name : service;
}

const typedDns = ({ clusterType }: CustomType): Messages['extensions.clusters.dns.v3.DnsCluster'] | undefined =>
  messageIn(clusterType?.typedConfig, 'extensions.clusters.dns.v3.DnsCluster');

/** Of v3: `envoy.cluster.dns`, typed, or by name alone, with the settings of the cluster. */
export function isDns({ clusterType }: CustomType): boolean {
  if (clusterType?.typedConfig !== undefined) return typedDns({ clusterType }) !== undefined;
  return /^(?:envoy|proxy)\.cluster\.dns$/.test(clusterType?.name ?? '');
}

/** How a cluster looks names up, every so many µs, and where it says so: a typed `cluster_type` has all of it. */
export function lookupsOf(
  cluster: CustomType &
    Pick<Messages['Cluster'], 'dnsRefreshRate' | 'dnsFailureRefreshRate' | 'respectDnsTtl' | 'dnsLookupFamily'>,
) {
  const typed = typedDns(cluster);
  const { dnsRefreshRate: refreshRate = DEFAULT_REFRESH_US, dnsLookupFamily: written } = typed ?? cluster;
  const { dnsFailureRefreshRate: failureRefreshRate, respectDnsTtl: respectTtl } = typed ?? cluster;
  const family: LookupFamily = written === 'UNSPECIFIED' ? 'AUTO' : written;
  const path = typed === undefined ? [] : ['cluster_type', 'typed_config'];
  return { refreshRate, failureRefreshRate, respectTtl, family, path };
}

const DEFAULT_REFRESH_US = defaultOf('Cluster', 'dns_refresh_rate');

/** The fields of a Cluster that are read by code. Rules that span several of them are in `cluster-rules.ts`. */

const V3_TYPE =
  'this is v3: in a v2 cluster write http2_protocol_options, http_protocol_options or common_http_protocol_options';

message('cluster.Filter', proxyName('filter'));

const filterName = (key: string): string | undefined =>
  isProxyName(key) ? undefined : 'not the name of a filter that the proxy knows';

export const clusterFields = () => ({
  load_balancing_policy: LoadBalancingPolicy,
  extension_protocol_options: mapping(struct(), filterName),
  typed_extension_protocol_options: mapping(
    any({ types: {}, refused: { 'extensions.upstreams.http.v3.HttpProtocolOptions': V3_TYPE } }),
    filterName,
  ),
});

/** The policy may be one that the proxy has not. */
export const aroundFields = {
  lb_policy: (schema: Schema<unknown>): Schema<unknown> => {
    const proxys = readerOf(schema);
    return mark(schema, { read: (node, walk) => walk.options.policies?.named(node, walk) ?? proxys(node, walk) });
  },
};

export type Cluster = Omit<Messages['Cluster'], 'lbPolicy'> & {
  readonly lbPolicy: Messages['Cluster']['lbPolicy'] | NamedPolicy;
  readonly loadBalancingPolicy?: Policy | undefined;
};

/** What `lb_policy` says, in its long form. */
export const namedPolicy = ({ lbPolicy }: Pick<Cluster, 'lbPolicy'>): NamedPolicy | undefined =>
  typeof lbPolicy === 'object' ? lbPolicy : undefined;

export const lbPolicyText = ({ lbPolicy }: Pick<Cluster, 'lbPolicy'>): string =>
  typeof lbPolicy === 'object' ? lbPolicyName(lbPolicy.policy) : lbPolicy;
