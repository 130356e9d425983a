import { messageIn } from '../reader/api-schema.js';
import type { Messages } from '../api/generated/read-messages.js';
import type { Micros } from '../../core/units.js';

const TYPED = 'extensions.upstreams.http.v3.HttpProtocolOptions';

type OfCluster = Pick<
  Messages['Cluster'],
  'typedExtensionProtocolOptions' | 'http2ProtocolOptions' | 'maxRequestsPerConnection' | 'commonHttpProtocolOptions'
>;

/** The typed message of v3, which goes before the fields of the cluster. */
export const typedHttpOptions = ({
  typedExtensionProtocolOptions: options,
}: Pick<OfCluster, 'typedExtensionProtocolOptions'>): Messages[typeof TYPED] | undefined =>
  Object.values(options)
    .map((any) => messageIn(any, TYPED))
    .find((found) => found !== undefined);

/** The options of HTTP/2; undefined: it is HTTP/1, as it is here where clients or TLS decide. */
export function http2Of(cluster: OfCluster): Messages['core.Http2ProtocolOptions'] | undefined {
  const typed = typedHttpOptions(cluster);
  return typed === undefined ? cluster.http2ProtocolOptions : typed.explicitHttpConfig?.http2ProtocolOptions;
}

/** Whether a proxy may speak HTTP/2: then it takes gRPC health checks. */
export function mayBeHttp2(cluster: OfCluster): boolean {
  const typed = typedHttpOptions(cluster);
  const isDownstreams = typed?.useDownstreamProtocolConfig?.http2ProtocolOptions !== undefined;
  return http2Of(cluster) !== undefined || isDownstreams || typed?.autoConfig !== undefined;
}

/** Requests that a connection serves in all; undefined or 0: no limit. */
export function requestsPerConnection(cluster: OfCluster): number | undefined {
  const { commonHttpProtocolOptions: common } = typedHttpOptions(cluster) ?? cluster;
  return common?.maxRequestsPerConnection ?? cluster.maxRequestsPerConnection;
}

/** How long connections may be idle, and how old they become. The hour of a proxy that says nothing is not watched. */
export function connectionTimes(cluster: OfCluster): { readonly idleUs: Micros; readonly ageUs: Micros } {
  const { commonHttpProtocolOptions: common } = typedHttpOptions(cluster) ?? cluster;
  return { idleUs: common?.idleTimeout || Infinity, ageUs: common?.maxConnectionDuration || Infinity };
}
