import { messageIn } from '../reader/api-schema.js';
import { defaultOf } from '../../core/defaults.js';
import { own } from '../../core/values.js';
import type { ClusterKind, LookupFamily } from '../../settings/cluster-settings.js';
import type { Messages } from '../api/generated/read-messages.js';
import type { Path } from '../source/document.js';

export type DiscoveryType = Messages['Cluster']['type'];

const TYPE_BY_NAME: Readonly<Record<string, DiscoveryType>> = {
  'cluster.static': 'STATIC',
  'cluster.strict_dns': 'STRICT_DNS',
  'cluster.logical_dns': 'LOGICAL_DNS',
  'cluster.eds': 'EDS',
  'cluster.original_dst': 'ORIGINAL_DST',
};

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

function typedDns({ clusterType }: CustomType): Messages['extensions.clusters.dns.v3.DnsCluster'] | undefined {
  return messageIn(clusterType?.typedConfig, 'extensions.clusters.dns.v3.DnsCluster');
}

/** Of v3: `envoy.cluster.dns`, typed, or by name alone, with the settings of the cluster. */
export function isDns({ clusterType }: CustomType): boolean {
  if (clusterType?.typedConfig !== undefined) return typedDns({ clusterType }) !== undefined;
  return /^(?:envoy|proxy)\.cluster\.dns$/.test(clusterType?.name ?? '');
}

export interface Lookups {
  /** µs */
  readonly refreshRate: number;
  readonly failureRefreshRate: Messages['Cluster.RefreshRate'] | undefined;
  readonly respectTtl: boolean;
  readonly family: LookupFamily;
  /** Where the cluster says so. */
  readonly path: Path;
}

/** How a cluster looks names up: a typed `cluster_type` has all of it. */
export function lookupsOf(
  cluster: CustomType &
    Pick<Messages['Cluster'], 'dnsRefreshRate' | 'dnsFailureRefreshRate' | 'respectDnsTtl' | 'dnsLookupFamily'>,
): Lookups {
  const typed = typedDns(cluster);
  const { dnsRefreshRate = defaultOf('Cluster', 'dns_refresh_rate'), dnsLookupFamily: family } = typed ?? cluster;
  const { dnsFailureRefreshRate: failureRefreshRate, respectDnsTtl: respectTtl } = typed ?? cluster;
  return {
    refreshRate: dnsRefreshRate,
    failureRefreshRate,
    respectTtl,
    family: family === 'UNSPECIFIED' ? 'AUTO' : family,
    path: typed === undefined ? [] : ['cluster_type', 'typed_config'],
  };
}
