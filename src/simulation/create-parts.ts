import { defaultOf } from '../config/defaults.js';
import type { ClusterKind } from '../config/discovery.js';
import { isListedPolicy, loadBalancerConfig } from '../config/lb.js';
import type { Cluster } from '../config/types.js';
import type { Runtime } from '../core/environment.js';
import { runtimeGuard, runtimeInteger } from '../core/environment.js';
import { EventKind } from '../core/event-queue.js';
import { quirksOf } from '../core/quirks.js';
import type { ProxyVersion } from '../core/version.js';
import type { Host } from '../host/host.js';
import { HealthFlag } from '../host/host.js';
import { createLoadBalancer } from '../hostset/create-load-balancer.js';
import type { ClusterActivity } from '../hostset/lb-environment.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import { LocalityLoads } from '../hostset/load-aware-localities.js';
import type { LoadBalancer } from '../hostset/load-balancer.js';
import { emptyLbStats } from '../hostset/load-balancer.js';
import { isHashPolicy } from '../predict/balancer.js';
import type { Random64 } from '../random/random64.js';
import type { RandomStream } from '../random/streams.js';
import { ScriptedRandom } from '../random/scripted.js';
import { RequestStats } from '../stats/request-stats.js';
import type { UpstreamClusterOptions } from '../upstream/cluster.js';
import { UpstreamCluster } from '../upstream/cluster.js';
import { emptyConnectionStats } from '../upstream/connection-pool.js';
import { OriginalDstBalancer } from '../upstream/discovery/original-dst-balancer.js';
import { OriginalDstDiscovery } from '../upstream/discovery/original-dst.js';
import { emptyHealthCheckStats } from '../upstream/health-check-stats.js';
import { emptyOutlierStats } from '../upstream/outlier-stats.js';
import { TransportSocketMatcher } from '../upstream/transport-socket.js';
import { Aggregate } from './aggregate.js';
import { PendingCauses } from './causes.js';
import { logLimit, logMembers } from './cluster-events.js';
import type { ClusterHistograms } from './cluster-histograms.js';
import type { ClusterWorld } from './cluster-world.js';
import { Connector } from './connector.js';
import { createDiscovery } from './create-discovery.js';
import { HealthChecks } from './health-checks.js';
import { LoadReports } from './load-reports.js';
import { Outliers } from './outliers.js';
import type { ProxyCluster, ProxyClusterParts } from './proxy-cluster.js';
import type { Proxy } from './proxy.js';
import type { World } from './world.js';

const DEFAULT_MERGE_WINDOW_US = defaultOf('Cluster.CommonLbConfig', 'update_merge_window');

/** Off, it takes the modern proxy's discovery back through the merge window. */
const BATCH_UPDATES = 'envoy.reloadable_features.enable_batch_aware_update';

/**
 * Everything that makes up a cluster inside a proxy, wired together.
 *
 * @param replaced what the new parts take the place of; its counters go on.
 */
export function createParts(
  world: World,
  proxy: Proxy,
  cluster: ClusterWorld,
  replaced: ProxyCluster | undefined,
): ProxyClusterParts {
  const { spec } = proxy;
  const { config } = cluster;
  const lb = lbConfigOf(config, spec.version);
  const stats = replaced?.lbStats ?? emptyLbStats();
  const requests = replaced?.requests ?? new RequestStats();
  const activity: ClusterActivity = {
    get upstreamRqActive() {
      return requests.upstreamRqActive + requests.heldOpen;
    },
  };
  const causes = new PendingCauses();
  const site = { world, proxy, cluster, causes, upstream: (): UpstreamCluster => upstream };
  const discovery = createDiscovery(site);
  const healthChanged = (host: Host, why: string): void =>
    causes.during(world.isStarting ? [] : [{ text: why, proxy: world.nameInFleet(proxy) }], () =>
      upstream.healthChanged(host, world.nowUs),
    );
  // Balancers of a replacement draw from streams of their own, not the same values once more.
  const suffix = cluster.generation === 0 ? '' : `/${cluster.generation}`;
  const randoms: Random64[] = [];
  // Few clusters drop anything, and a stream that is drawn from costs as much as a balancer.
  const drops: RandomStream[] = [];
  const dropStream = (worker: number): RandomStream =>
    (drops[worker] ??= world.streams.stream(`drop/${proxy.name}/${worker + 1}/${cluster.name}${suffix}`));
  const namedFirst = runtimeGuard(proxy.runtime, NAMED_METRICS_FIRST, true);
  const localityLoads = lb.loadAwareLocality && new LocalityLoads(lb.loadAwareLocality, namedFirst);
  const aggregate = cluster.type === 'AGGREGATE' ? new Aggregate(proxy, cluster, lb) : undefined;
  // The main thread holds a balancer of its own, which takes in every update and never picks: nothing shows of it but the
  // tables that it makes for the workers, and what is counted at updates, of zones and of subsets.
  const hasLocalCluster = spec.localClusterName !== undefined && spec.localClusterName !== cluster.name;
  const hasMain = aggregate === undefined && (hasLocalCluster || lb.subset !== undefined || isHashPolicy(lb));
  const balancers: LoadBalancer[] = [];
  for (let thread = hasMain ? 0 : 1; thread <= spec.workers; thread++) {
    const stream = world.streams.stream(`balancer/${proxy.name}/${thread}/${cluster.name}${suffix}`);
    if (thread > 0) randoms.push(stream);
    const random = spec.initRandom === undefined ? stream : new ScriptedRandom(spec.initRandom);
    const ofMembers = aggregate?.balancers[thread - 1];
    if (ofMembers !== undefined) {
      balancers.push(ofMembers);
      continue;
    }
    if (discovery instanceof OriginalDstDiscovery) {
      balancers.push(new OriginalDstBalancer((headers) => discovery.hostFor(headers)));
      continue;
    }
    balancers.push(
      createLoadBalancer(lb, {
        random,
        runtime: proxy.runtime,
        clock: world,
        stats,
        hasLocalCluster: hasLocalCluster && localityLoads === undefined,
        activity,
        localityLoads,
        tables: world.tables,
      }),
    );
  }
  const upstream: UpstreamCluster = new UpstreamCluster(
    {
      name: cluster.name,
      version: spec.version,
      discovery: sourceOf(cluster.type),
      updateMergeWindowUs: config.commonLbConfig?.updateMergeWindow ?? DEFAULT_MERGE_WINDOW_US,
      isLocalCluster: spec.localClusterName === cluster.name,
      localityWeighted: lb.localityWeighted,
      hasSubsets: lb.subset !== undefined,
      healthChecked: config.healthChecks.length > 0,
      ignoreNewHostsUntilFirstHc: config.commonLbConfig?.ignoreNewHostsUntilFirstHc ?? false,
      drainConnectionsOnHostRemoval: config.drainConnectionsOnHostRemoval,
      nodeLocality: spec.node?.locality,
      deliversBatches: () =>
        quirksOf(spec.version).batchesDiscovery && runtimeGuard(proxy.runtime, BATCH_UPDATES, true),
      ...(quirksOf(spec.version).dropsOverload && { dropLimit: () => dropLimit(proxy.runtime) }),
      managerStats: proxy.managerStats,
      transportSockets: new TransportSocketMatcher(
        config.transportSocketMatches,
        replaced?.upstream.transportSockets.counts,
      ),
      membership: replaced?.upstream.membership,
      balancers,
    },
    {
      arm: (priority, dueUs) => world.timers.at(dueUs, () => upstream.mergeDue(priority, world.nowUs)),
      delivered: (merged, priorities) => world.delivered(proxy, cluster, merged, causes.delivered(priorities, merged)),
      later: (callback) => {
        const { now } = causes;
        const unlessReplaced = (): void => {
          if (proxy.clusterAt(cluster.index).upstream === upstream) causes.during(now, callback);
        };
        if (world.isStarting) callback();
        else world.timers.at(world.nowUs, unlessReplaced, EventKind.healthResult);
      },
      waits: (priority) => causes.waits(priority),
      members: (added, removed) => {
        logMembers(world, proxy, cluster, added, removed);
        outliers?.hostsRemoved(removed);
        outliers?.hostsAdded(added);
        checks?.hostsRemoved(removed);
        checks?.hostsAdded(added, world.isStarting);
        if (removed.length > 0) world.markRemoved(cluster);
        proxy.clusterAt(cluster.index).membersChanged(removed);
      },
      kept: (hosts) => {
        const addresses = hosts.map(({ address }) => address).join(', ');
        cluster.log.label(`${addresses} no longer discovered, stays while its health checks pass`);
      },
      placed: (host, priority) => {
        host.zoneIndex = requests.zoneIndex(host.locality.zone);
        world.place(cluster, host, priority, requests);
      },
    },
  );
  const connector = new Connector(world, cluster);
  const loadReports = new LoadReports(world, cluster, () => upstream);
  if (lb.clientSideWeights !== undefined) {
    loadReports.weighHosts({ ...lb.clientSideWeights, namedFirst }, lb.subset === undefined);
  }
  if (localityLoads !== undefined) loadReports.weighLocalities(localityLoads);
  const outliers =
    config.outlierDetection === undefined
      ? undefined
      : new Outliers(
          world,
          proxy,
          cluster,
          config.outlierDetection,
          replaced?.outliers?.stats ?? emptyOutlierStats(),
          (host, why) => {
            healthChanged(host, why);
            if ((host.flags & HealthFlag.FAILED_OUTLIER_CHECK) !== 0) proxy.clusterAt(cluster.index).hostFailed(host);
          },
        );
  const connections = replaced?.connections ?? emptyConnectionStats();
  const checks =
    config.healthChecks.length === 0
      ? undefined
      : new HealthChecks(
          world,
          proxy,
          cluster,
          config.healthChecks,
          replaced?.checks?.stats ?? emptyHealthCheckStats(),
          {
            changed: (host, why) => {
              healthChanged(host, why);
              if ((host.flags & HealthFlag.FAILED_ACTIVE_HC) !== 0) proxy.clusterAt(cluster.index).hostFailed(host);
            },
            excluding: () => upstream.makeLists(),
            passed: (host) => outliers?.healthCheckPassed(host),
            hasTraffic: () => connections.upstreamCxTotal > 0 || world.startsBusy(cluster),
          },
        );
  const histograms = (): ClusterHistograms => proxy.clusterAt(cluster.index).histograms;
  return {
    outliers,
    checks,
    aggregate,
    loadReports: loadReports.isIdle ? undefined : loadReports,
    fromZone: spec.node?.locality?.zone ?? '',
    causes,
    limitChanged: (priority, limit, reached) => logLimit(world, proxy, cluster, priority, limit, reached),
    connections,
    world: cluster,
    lb,
    lbStats: stats,
    upstream,
    balancers: hasMain ? balancers.slice(1) : balancers,
    randoms,
    dropStream,
    requests,
    runtime: proxy.runtime,
    discovery,
    pools: {
      connect: (connection) => connector.connect(connection),
      connected: ({ sinceUs }) => histograms().connected(world.nowUs - sinceUs),
      closed: ({ sinceUs, taken }, made) =>
        histograms().connectionClosed(world.nowUs - sinceUs, made ? taken : undefined),
      ready: (request, connection) => world.onConnectionReady(request, connection),
      refused: (request, why) => world.onConnectionRefused(request, why),
      later: (callback) => world.timers.at(world.nowUs, callback, EventKind.connected),
    },
  };
}

/** Off, an application's own word of its utilisation goes before the metrics that a policy names. */
const NAMED_METRICS_FIRST = 'envoy.reloadable_features.orca_weight_manager_use_named_metrics_first';

/** The runtime caps what `drop_overloads` may drop, in percent. */
function dropLimit(runtime: Runtime): number {
  return Math.min(100, runtimeInteger(runtime, 'load_balancing_policy.drop_overload_limit', 100)) / 100;
}

/** What reports read of a cluster whose balancer is no policy: the defaults. */
function lbConfigOf(config: Cluster, version: ProxyVersion): LoadBalancerConfig {
  if (isListedPolicy(config.lbPolicy)) return loadBalancerConfig(config, version);
  return loadBalancerConfig({ ...config, lbPolicy: 'ROUND_ROBIN', lbSubsetConfig: undefined }, version);
}

function sourceOf(type: ClusterKind): UpstreamClusterOptions['discovery'] {
  switch (type) {
    case 'STATIC':
    case 'EDS':
    case 'STRICT_DNS':
    case 'LOGICAL_DNS':
      return type;
    case 'ORIGINAL_DST':
    // It has no hosts of its own, and waits for none.
    case 'AGGREGATE':
      return 'ON_DEMAND';
  }
}
