import { quirksOf } from '../core/quirks.js';
import type { ProxyVersion } from '../core/version.js';
import type { Host } from '../host/host.js';
import { type Cause, type Happening, NO_CAUSES, someHosts } from '../upstream/cause.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { Discovery, Schedule } from '../upstream/discovery/discovery.js';
import { discoverByDns } from '../upstream/discovery/dns-discovery.js';
import type { DnsEnvironment } from '../upstream/discovery/dns-query.js';
import { OriginalDstDiscovery } from '../upstream/discovery/original-dst.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Environment } from './environment.js';
import type { Journal } from './journal.js';

/** A cluster in a proxy that finds its hosts by itself. */
export interface DiscoveredCluster {
  readonly world: ClusterWorld;
  readonly proxyName: string;
  readonly version: ProxyVersion;
  readonly upstream: UpstreamCluster;
  /** The causes of a change that the proxy itself found. */
  causesOf(fact: Happening): readonly Cause[];
  isConnected(host: Host): boolean;
}

/** The discovery of a cluster whose hosts are not assigned (DNS, ORIGINAL_DST); undefined: they are assigned. */
export function createDiscovery(env: Environment, journal: Journal, cluster: DiscoveredCluster): Discovery | undefined {
  switch (cluster.world.type) {
    case 'STATIC':
    case 'EDS':
    // Only its members have hosts.
    case 'AGGREGATE':
      return undefined;
    case 'STRICT_DNS':
    case 'LOGICAL_DNS':
      return createDns(env, journal, cluster);
    case 'ORIGINAL_DST':
      return createOriginalDst(env, journal, cluster);
  }
}

function createDns(env: Environment, journal: Journal, cluster: DiscoveredCluster): Discovery {
  const { world, version, proxyName: proxy } = cluster;
  const { name: clusterName } = world;
  const dns: DnsEnvironment = {
    resolver: env.resolver,
    clock: env,
    schedule: scheduleIn(env),
    random: (name) => env.streams.stream(`dns/${proxy}/${clusterName}/${name}`),
  };
  const log = (fact: Happening): void => journal.log({ kind: 'dns', cluster: clusterName, proxy, fact });
  const failing = new Set<string>();
  return discoverByDns(world, () => cluster.upstream, quirksOf(version), dns, {
    answered: (name) => {
      if (failing.delete(name)) log({ kind: 'resolved', name, again: true });
    },
    answeredInVain: (name) => {
      if (!failing.has(name)) log({ kind: 'resolved', name, again: false });
      failing.add(name);
      cluster.upstream.setInitialised();
    },
    found: (cause, apply) => {
      const fact = env.isStarting ? undefined : cause;
      if (fact !== undefined) log(fact);
      apply(fact === undefined ? NO_CAUSES : cluster.causesOf(fact));
      journal.markRemoved(world);
    },
    moved: (address, cause) => {
      log(cause);
      cluster.upstream.moveLogicalHost(address);
      journal.markRemoved(world);
      journal.startPhase(world, cluster.causesOf({ ...cause, new_connections: true }));
    },
  });
}

function createOriginalDst(env: Environment, journal: Journal, cluster: DiscoveredCluster): Discovery {
  const { world, proxyName: proxy } = cluster;
  const { name: clusterName } = world;
  const change = (fact: Happening, host: string | undefined, act: (causes: readonly Cause[]) => void): void => {
    journal.log({ kind: 'membership', cluster: clusterName, proxy, host, fact });
    act(cluster.causesOf(fact));
    journal.markRemoved(world);
  };
  return new OriginalDstDiscovery(
    {
      ...world.settings.originalDst,
      clusterName,
      keepsConnected: quirksOf(cluster.version).originalDstKeepsConnected,
      clock: env,
      schedule: scheduleIn(env),
    },
    {
      add: (endpoint) => {
        const host = cluster.upstream.createOnDemand(endpoint);
        change({ kind: 'asked_for', address: endpoint.address }, endpoint.address, (causes) =>
          cluster.upstream.addOnDemand(host, env.nowUs, causes),
        );
        return host;
      },
      isConnected: (host) => cluster.isConnected(host),
      remove: (hosts) => {
        change({ kind: 'unused', ...someHosts([...hosts].map(({ address }) => address)) }, undefined, (causes) =>
          cluster.upstream.removeOnDemand(hosts, env.nowUs, causes),
        );
      },
    },
  );
}

/** Timers set at the start began with the proxy. */
function scheduleIn(env: Environment): Schedule {
  return (timeUs, callback) => env.timers.at(env.nowUs + env.firstDelayUs(timeUs - env.nowUs), callback);
}
