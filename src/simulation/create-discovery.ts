import { requestHeader } from '../core/header-name.js';
import { quirksOf } from '../core/quirks.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { Discovery, Schedule } from '../upstream/discovery/discovery.js';
import type { DnsEnvironment } from '../upstream/discovery/dns-query.js';
import { LogicalDnsDiscovery } from '../upstream/discovery/logical-dns.js';
import { OriginalDstDiscovery } from '../upstream/discovery/original-dst.js';
import { StrictDnsDiscovery } from '../upstream/discovery/strict-dns.js';
import type { PendingCauses } from './causes.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Proxy } from './proxy.js';
import { listedHosts } from './host-events.js';
import type { World } from './world.js';

/** Where discovery works. */
export interface DiscoverySite {
  readonly world: World;
  readonly proxy: Proxy;
  readonly cluster: ClusterWorld;
  /** Told why hosts change. */
  readonly causes: PendingCauses;
  /** The cluster's hosts, which are made after its discovery. */
  readonly upstream: () => UpstreamCluster;
}

/** What keeps a proxy's view of a cluster up to date where nobody assigns its hosts; undefined: they are assigned. */
export function createDiscovery(site: DiscoverySite): Discovery | undefined {
  switch (site.cluster.type) {
    case 'STATIC':
    case 'EDS':
    // Its members have hosts, each in its way.
    case 'AGGREGATE':
      return undefined;
    case 'STRICT_DNS':
    case 'LOGICAL_DNS':
      return createDns(site);
    case 'ORIGINAL_DST':
      return createOriginalDst(site);
  }
}

function createDns({ world, proxy, cluster, causes, upstream }: DiscoverySite): Discovery {
  const { config } = cluster;
  const failure = config.dnsFailureRefreshRate;
  const options = {
    assignment: cluster.assignment,
    stats: () => upstream().membership,
    family: config.dnsLookupFamily,
    refreshUs: config.dnsRefreshRate,
    failure:
      failure === undefined ? undefined : { baseIntervalUs: failure.baseInterval, maxIntervalUs: failure.maxInterval },
    respectTtl: config.respectDnsTtl,
    quirks: quirksOf(proxy.spec.version),
  };
  const env: DnsEnvironment = {
    resolver: world.resolver,
    clock: world,
    schedule: scheduleIn(world),
    random: (name) => world.streams.stream(`dns/${proxy.name}/${cluster.name}/${name}`),
  };
  const log = (text: string): void => world.log({ kind: 'dns', cluster: cluster.name, proxy: proxy.name, text });
  const failing = new Set<string>();
  const answers = (name: string): void => {
    if (failing.delete(name)) log(`${name} is resolved again`);
  };
  const during = (cause: string | undefined, change: () => void): void => {
    if (cause !== undefined) log(cause);
    causes.during(cause === undefined ? [] : [{ text: cause, proxy: world.nameInFleet(proxy) }], change);
    world.markRemoved(cluster);
  };
  const answeredInVain = (name: string): void => {
    if (!failing.has(name)) log(`${name} is not resolved`);
    failing.add(name);
    upstream().setInitialised();
  };
  if (cluster.type === 'STRICT_DNS') {
    return new StrictDnsDiscovery(options, env, {
      answeredInVain,
      resolved: (name, answer, cause) => {
        answers(name);
        during(world.isStarting ? undefined : cause, () => upstream().applyName(answer, world.nowUs));
      },
    });
  }
  return new LogicalDnsDiscovery(options, env, {
    answeredInVain,
    found: (answer, cause) =>
      during(world.isStarting ? undefined : cause, () => upstream().setLogicalHost(answer, world.nowUs)),
    answered: answers,
    moved: (address, cause) => {
      log(cause);
      upstream().moveLogicalHost(address);
      world.markRemoved(cluster);
      world.cut(cluster, [{ text: `${cause} for new connections`, proxy: world.nameInFleet(proxy) }]);
    },
  });
}

function createOriginalDst({ world, proxy, cluster, causes, upstream }: DiscoverySite): Discovery {
  const { config } = cluster;
  const change = (text: string, host: string | undefined, act: () => void): void => {
    world.log({ kind: 'membership', cluster: cluster.name, proxy: proxy.name, host, text });
    causes.during([{ text, proxy: world.nameInFleet(proxy) }], act);
    world.markRemoved(cluster);
  };
  return new OriginalDstDiscovery(
    {
      clusterName: cluster.name,
      useHttpHeader: config.originalDstLbConfig?.useHttpHeader ?? false,
      headerName: requestHeader(config.originalDstLbConfig?.httpHeaderName ?? ''),
      port: config.originalDstLbConfig?.upstreamPortOverride,
      cleanupIntervalUs: config.cleanupInterval,
      keepsConnected: quirksOf(proxy.spec.version).originalDstKeepsConnected,
      clock: world,
      schedule: scheduleIn(world),
    },
    {
      add: (endpoint) => {
        const host = upstream().createOnDemand(endpoint);
        change(`${endpoint.address} asked for`, endpoint.address, () => upstream().addOnDemand(host, world.nowUs));
        return host;
      },
      isConnected: (host) => proxy.clusterAt(cluster.index).isConnected(host),
      remove: (hosts) => {
        const text = `${listedHosts([...hosts])} not used since the last cleanup`;
        change(text, undefined, () => upstream().removeOnDemand(hosts, world.nowUs));
      },
    },
  );
}

/** What is scheduled at the start began with the proxy. */
function scheduleIn(world: World): Schedule {
  return (timeUs, callback) => world.timers.at(world.nowUs + world.firstDelayUs(timeUs - world.nowUs), callback);
}
