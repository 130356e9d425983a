import { isModern } from '../core/version.js';
import type { Assignment } from '../upstream/assignment.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { Discovery } from '../upstream/discovery/discovery.js';
import type { DnsEnvironment } from '../upstream/discovery/dns-query.js';
import { LogicalDnsDiscovery } from '../upstream/discovery/logical-dns.js';
import { OriginalDstDiscovery } from '../upstream/discovery/original-dst.js';
import { StrictDnsDiscovery } from '../upstream/discovery/strict-dns.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Proxy } from './proxy.js';
import type { World } from './world.js';

/**
 * What keeps a proxy's view of a cluster up to date where nobody assigns its hosts; undefined: they are assigned.
 *
 * @param upstreamOf the cluster's hosts, which are made after this.
 */
export function createDiscovery(
  world: World,
  proxy: Proxy,
  cluster: ClusterWorld,
  upstreamOf: () => UpstreamCluster,
): Discovery | undefined {
  switch (cluster.type) {
    case 'STATIC':
    case 'EDS':
      return undefined;
    case 'STRICT_DNS':
    case 'LOGICAL_DNS':
      return createDns(world, proxy, cluster, upstreamOf);
    case 'ORIGINAL_DST':
      return createOriginalDst(world, cluster, upstreamOf);
  }
}

function createDns(world: World, proxy: Proxy, cluster: ClusterWorld, upstreamOf: () => UpstreamCluster): Discovery {
  const { config } = cluster;
  const failure = config.dnsFailureRefreshRate;
  const options = {
    version: proxy.spec.version,
    assignment: cluster.assignment,
    stats: () => upstreamOf().membership,
    family: config.dnsLookupFamily,
    refreshUs: config.dnsRefreshRate,
    failure:
      failure === undefined ? undefined : { baseIntervalUs: failure.baseInterval, maxIntervalUs: failure.maxInterval },
    respectTtl: config.respectDnsTtl,
    modern: isModern(proxy.spec.version),
  };
  const env: DnsEnvironment = {
    resolver: world.resolver,
    clock: world,
    schedule: (timeUs, callback) => world.timers.at(timeUs, callback),
    random: (name) => world.streams.stream(`dns/${proxy.name}/${cluster.name}/${name}`),
  };
  const apply = (assignment: Assignment): void => {
    upstreamOf().apply(assignment, world.nowUs);
    world.markRemoved(cluster);
  };
  const answeredInVain = (): void => upstreamOf().setInitialised();
  if (cluster.type === 'STRICT_DNS') {
    return new StrictDnsDiscovery(options, env, {
      answeredInVain,
      resolved: (assignment, cause) => {
        if (cause !== undefined && world.nowUs > 0) cluster.addCause(cause);
        apply(assignment);
      },
    });
  }
  return new LogicalDnsDiscovery(options, env, {
    answeredInVain,
    found: apply,
    moved: (address, cause) => {
      upstreamOf().moveLogicalHost(address);
      world.markRemoved(cluster);
      world.cut(cluster, `${cause} for new connections`);
    },
  });
}

function createOriginalDst(world: World, cluster: ClusterWorld, upstreamOf: () => UpstreamCluster): Discovery {
  const { config } = cluster;
  return new OriginalDstDiscovery(
    {
      clusterName: cluster.name,
      useHttpHeader: config.originalDstLbConfig?.useHttpHeader ?? false,
      cleanupIntervalUs: config.cleanupInterval,
      clock: world,
      schedule: (timeUs, callback) => world.timers.at(timeUs, callback),
    },
    {
      add: (endpoint) => {
        cluster.addCause(`${endpoint.address} asked for`);
        const host = upstreamOf().addOnDemand(endpoint, world.nowUs);
        world.markRemoved(cluster);
        return host;
      },
      remove: (hosts) => {
        cluster.addCause(`${[...hosts].map(({ address }) => address).join(', ')} not used since the last cleanup`);
        upstreamOf().removeOnDemand(hosts, world.nowUs);
        world.markRemoved(cluster);
      },
    },
  );
}
