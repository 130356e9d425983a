/** How a cluster gets its hosts. */
import type { ClusterKind } from '../../settings/cluster-settings.js';
import type { Messages } from '../api/generated/read-messages.js';
import { own } from '../../core/own.js';

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

/** Whether a cluster is of a type that the proxy has and that is not simulated. */
export function isForeignType({ clusterType }: CustomType): boolean {
  if (clusterType === undefined) return false;
  const { name, typedConfig } = clusterType;
  return FOREIGN_TYPES.test(name) || FOREIGN_TYPES.test(`.${typedConfig?.type ?? ''}`);
}

export const CUSTOM_TYPE_NAMES = Object.keys(TYPE_BY_NAME).map((name) => `proxy.${name}`);

const AGGREGATE = 'extensions.clusters.aggregate.v3.ClusterConfig';

/** The clusters whose hosts an aggregate uses, in their order; undefined: it is no aggregate. */
export function aggregated({ clusterType }: CustomType): readonly string[] | undefined {
  const config = clusterType?.typedConfig;
  if (config?.type !== AGGREGATE) return undefined;
  const { clusters } = config.value as { readonly clusters?: unknown };
  return Array.isArray(clusters) ? clusters.filter((name) => typeof name === 'string') : [];
}

/** The type of a cluster, by `type` or `cluster_type`; undefined for one that is not simulated. */
export function discoveryType(cluster: CustomType & { readonly type: DiscoveryType }): ClusterKind | undefined {
  if (cluster.clusterType === undefined) return cluster.type;
  if (aggregated(cluster) !== undefined) return 'AGGREGATE';
  return own(TYPE_BY_NAME, cluster.clusterType.name.replace(/^(?:envoy|proxy)\./, ''));
}

/** The EDS service name where a cluster has one, else its own. */
export function serviceName(cluster: Pick<Messages['Cluster'], 'name' | 'edsClusterConfig'>): string {
  const service = cluster.edsClusterConfig?.serviceName ?? '';
  return service === '' ? cluster.name : service;
}
