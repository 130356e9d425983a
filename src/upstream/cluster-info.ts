import { assert } from '../core/assert.js';
import { type Quirks, quirksOf } from '../core/version.js';
import * as lbConfig from '../hostset/lb-config.js';
import { type ClusterSettings, type ConnectionSettings } from '../settings/cluster-settings.js';
import type { ProxySpec } from '../settings/world.js';
import type { UpstreamClusterOptions } from './cluster.js';
import type { DeliveryOptions } from './delivery.js';
import type { PoolProtocol } from './connection-pool.js';

/** What is not of the configuration. */
type Live = 'name' | 'runtime' | 'transportSockets' | 'membership' | keyof Omit<DeliveryOptions, 'updateMergeWindowUs'>;

export type ClusterInfo = ReturnType<typeof clusterInfo>;

export function clusterInfo(cluster: ClusterSettings, { version, localClusterName, node }: ProxySpec) {
  const { name, connections } = cluster;
  const policy = cluster.policies[version];
  assert(policy !== undefined, `${name} has no settings for ${version}`);
  const lb = lbConfig.leafOf(policy);
  const subset = lbConfig.around(policy, 'subset');
  // Clusters without hosts of their own do not wait for any.
  return {
    policy,
    lb,
    /** undefined: its hosts are not divided. */
    subset,
    /** What decides which hosts it has, and when balancers hear of them. */
    hosts: {
      version,
      discovery: cluster.kind === 'ORIGINAL_DST' || cluster.kind === 'AGGREGATE' ? 'ON_DEMAND' : cluster.kind,
      updateMergeWindowUs: cluster.updateMergeWindowUs,
      isLocalCluster: localClusterName === name,
      localityWeighted: lb.localityWeighted,
      hasSubsets: subset !== undefined,
      reportsWeigh: lb.clientSideWeights !== undefined,
      healthChecked: cluster.healthChecks.length > 0,
      ignoreNewHostsUntilFirstHc: cluster.ignoreNewHostsUntilFirstHc,
      drainConnectionsOnHostRemoval: cluster.drainConnectionsOnHostRemoval,
      nodeLocality: node?.locality,
    } satisfies Required<Omit<UpstreamClusterOptions, Live>>,
    /** The proxy has a local cluster, and it is not this one: requests may be routed by zone. */
    hasLocalCluster: localClusterName !== undefined && localClusterName !== name,
    protocol: protocolOf(connections, quirksOf(version)),
    connectTimeoutUs: connections.connectTimeoutUs,
  };
}

/** Requests at once on a connection of HTTP/2: the default since 1.36, and as many as there can be. */
const SAFE_STREAMS = 1024;
const MOST_STREAMS = 2 ** 31 - 1;

function protocolOf(
  { connectTimeoutUs: _, maxConcurrentStreams, maxRequestsPerConnection, ...own }: ConnectionSettings,
  { poolsAreAlike, limitsStreams, countsActiveOverflow, closedWhileReadingIsError }: Quirks,
): PoolProtocol {
  const streams = (poolsAreAlike ? maxConcurrentStreams : undefined) ?? (limitsStreams ? SAFE_STREAMS : MOST_STREAMS);
  return {
    ...own,
    streamsPerConnection: own.http2 ? streams : 1,
    requestsPerConnection: maxRequestsPerConnection,
    limitsRequests: poolsAreAlike || own.http2,
    limitsConnections: poolsAreAlike || !own.http2,
    countsActiveOverflow,
    closedWhileReadingIsError,
  };
}
