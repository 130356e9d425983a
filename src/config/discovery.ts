/**
 * How a cluster learns of its hosts.
 */
import type { Output } from './reader.js';
import { own } from '../core/own.js';
import { any } from './any.js';
import { ConfigSource } from './config-source.js';
import { message, optional, plain, required } from './reader.js';
import { duration, enumeration, string } from './reader/proto.js';

export const DiscoveryType = enumeration('Cluster.DiscoveryType', {
  STATIC: 0,
  STRICT_DNS: 1,
  LOGICAL_DNS: 2,
  EDS: 3,
  ORIGINAL_DST: 4,
});
export type DiscoveryType = Output<typeof DiscoveryType>;

export const DnsLookupFamily = enumeration('Cluster.DnsLookupFamily', { AUTO: 0, V4_ONLY: 1, V6_ONLY: 2 });

/** Cluster.CustomClusterType */
export const CustomClusterType = message(
  'Cluster.CustomClusterType',
  () => ({
    name: required(string({ minLength: 1 }), 'Cluster type, for example proxy.cluster.strict_dns.'),
    typed_config: optional(any({ types: {} }), 'Configuration of the cluster type; its type counts, not the name.'),
  }),
  { doc: 'A cluster type by its name.' },
);

/** Cluster.EdsClusterConfig */
export const EdsClusterConfig = message(
  'Cluster.EdsClusterConfig',
  () => ({
    eds_config: optional(ConfigSource, 'Where assignments come from.', {
      noEffect: 'assignments come from the scenario: `endpoints`, `assignments` and the timeline',
    }),
    service_name: plain(string(), 'Name that EDS is asked for, instead of the cluster’s.'),
  }),
  { doc: 'Endpoint discovery.' },
);

const moreThanZero = { aboveNanos: 0 };

/** Cluster.RefreshRate */
export const RefreshRate = message(
  'Cluster.RefreshRate',
  () => ({
    base_interval: required(duration(moreThanZero), 'First interval.'),
    max_interval: optional(duration(moreThanZero), 'Longest interval. Default 10 times base_interval.'),
  }),
  {
    doc: 'Exponential back-off between DNS queries that fail.',
    rules: [
      {
        name: 'refresh-rate-order',
        doc: 'base_interval is less than max_interval.',
        reads: ['base_interval', 'max_interval'],
        check: ({ baseInterval, maxInterval }, report) => {
          if (maxInterval !== undefined && baseInterval >= maxInterval) {
            report('base_interval must be less than max_interval', ['max_interval']);
          }
        },
      },
    ],
  },
);

const TYPE_BY_NAME: Readonly<Record<string, DiscoveryType>> = {
  'cluster.static': 'STATIC',
  'cluster.strict_dns': 'STRICT_DNS',
  'cluster.logical_dns': 'LOGICAL_DNS',
  'cluster.eds': 'EDS',
  'cluster.original_dst': 'ORIGINAL_DST',
};

export const CUSTOM_TYPE_NAMES = Object.keys(TYPE_BY_NAME).map((name) => `proxy.${name}`);

/** How a cluster comes to its hosts; an aggregate uses those of others. */
export type ClusterKind = DiscoveryType | 'AGGREGATE';

const AGGREGATE = 'extensions.clusters.aggregate.v3.ClusterConfig';

type ClusterType = Output<typeof CustomClusterType>;

/** The clusters whose hosts an aggregate uses, in their order; undefined: it is no aggregate. */
export function aggregated({
  clusterType,
}: {
  readonly clusterType?: ClusterType | undefined;
}): readonly string[] | undefined {
  const config = clusterType?.typedConfig;
  if (config?.type !== AGGREGATE) return undefined;
  const { clusters } = config.value as { readonly clusters?: unknown };
  return Array.isArray(clusters) ? clusters.filter((name) => typeof name === 'string') : [];
}

/** What a cluster is, whether by `type` or by `cluster_type`; undefined for a type that is not simulated. */
export function discoveryType(cluster: {
  readonly type: DiscoveryType;
  readonly clusterType?: ClusterType | undefined;
}): ClusterKind | undefined {
  if (cluster.clusterType === undefined) return cluster.type;
  if (aggregated(cluster) !== undefined) return 'AGGREGATE';
  return own(TYPE_BY_NAME, cluster.clusterType.name.replace(/^(?:envoy|proxy)\./, ''));
}
