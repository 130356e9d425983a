import { type Runtime, runtimeGuard } from '../core/environment.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { createLoadBalancer } from '../hostset/create-load-balancer.js';
import type { HostSet } from '../hostset/host-set.js';
import type { ClusterActivity, LoadBalancer } from '../hostset/load-balancer.js';
import type { LbStats } from '../hostset/lb-stats.js';
import { LocalityLoads } from '../hostset/load-aware-localities.js';
import type { ClientPlace } from '../policy/client-subsets.js';
import { isTablePolicy } from '../policy/registry.js';
import { type Random64, ScriptedRandom } from '../random/random64.js';
import type { RandomStream } from '../random/streams.js';
import type { ProxySpec } from '../settings/world.js';
import { clusterInfo } from '../upstream/cluster-info.js';
import { UpstreamCluster, type UpstreamClusterEvents } from '../upstream/cluster.js';
import type { Discovery, Schedule } from '../upstream/discovery/discovery.js';
import { OriginalDstBalancer, OriginalDstDiscovery } from '../upstream/discovery/original-dst.js';
import { type HealthCheckEvents } from '../upstream/health-checker.js';
import { type OutlierEvents, OutlierDetector } from '../upstream/outlier-detector.js';
import { OutlierStats, type OriginEvent, type Cause, type Happening, NO_CAUSES, someHosts } from '../upstream/cause.js';
import { TransportSocketMatcher } from '../upstream/transport-socket.js';
import type { Environment, ClusterWorld } from './environment.js';
import { HealthChecks } from './health-checks.js';
import type { Journal } from './journal.js';
import { hostWeights, loadReports } from './load-reports.js';
import { EventKind } from './timers.js';
import { around } from '../hostset/lb-config.js';
import { AggregateBalancer, type AggregateMember } from '../hostset/aggregate.js';
import type { Host } from '../host/host.js';
import type { LoadReport } from '../policy/load-report.js';
import { discoverByDns, type DnsEnvironment } from '../upstream/discovery/dns-discovery.js';
import type { Micros } from '../core/units.js';
import {
  HealthCheckStats,
  OutOfBandStats,
  type MembershipStats,
  type ClusterManagerStats,
} from '../core/generated/counts.js';
import type { OutlierDetection } from '../settings/cluster-settings.js';

interface MemberCluster {
  readonly world: ClusterWorld;
  readonly upstream: UpstreamCluster;
  balancerOf(worker: number): LoadBalancer;
}

export interface ClusterListener
  extends UpstreamClusterEvents, HealthCheckEvents, OutlierEvents, DiscoveredCluster, ClusterActivity {
  readonly hasTraffic: boolean;
  /** Of a proxy whose birth is simulated: each host has had its first results. */
  firstChecksDone(): void;
  /** These are counted over all versions of the cluster. */
  readonly lbStats: LbStats;
  readonly membership: MembershipStats;
}

export interface ProxyContext {
  readonly name: string;
  readonly spec: ProxySpec;
  readonly runtime: Runtime;
  readonly managerStats: ClusterManagerStats;
  readonly place: ClientPlace;
  clusterNamed(name: string): MemberCluster | undefined;
  localHosts(): HostSet | undefined;
}

/** If off, the utilisation that an application reports takes precedence over the metrics that a policy names. */
const NAMED_METRICS_FIRST = 'envoy.reloadable_features.orca_weight_manager_use_named_metrics_first';

/** Of the parts of a cluster: what counts on in those that replace them. */
interface Counted {
  readonly upstream: UpstreamCluster;
  readonly outliers: ReturnType<typeof watchOutliers> | undefined;
  readonly checks: HealthChecks | undefined;
  readonly loadReports: ReturnType<typeof loadReports> | undefined;
}

export type ClusterParts = ReturnType<typeof createParts>;

/**
 * The parts of a cluster in a proxy that an update of the cluster replaces: its hosts, its balancers and its checks.
 * @param before the parts that these replace; their counters continue.
 */
export function createParts(
  env: Environment,
  journal: Journal,
  proxy: ProxyContext,
  cluster: ClusterListener,
  before: Counted | undefined,
) {
  const { spec, runtime } = proxy;
  const { version } = spec;
  const { world } = cluster;
  const { settings, name } = world;
  const info = clusterInfo(settings, spec);
  const { lb, policy, subset, hasLocalCluster } = info;
  const discovery = createDiscovery(env, journal, cluster);
  const namedFirst = runtimeGuard(runtime, NAMED_METRICS_FIRST, true);
  const loadAware = around(policy, 'load_aware_locality');
  const loads = loadAware && new LocalityLoads(loadAware, namedFirst);
  const weights = lb.clientSideWeights && hostWeights({ ...lb.clientSideWeights, namedFirst }, env, world.rows.rows);
  // Balancers of a replacement draw from new streams, not the same values again.
  const streamName = world.generation === 0 ? name : `${name}/${world.generation}`;
  const streamOf = (thread: number): Random64 => env.streams.stream(`balancer/${proxy.name}/${thread}/${streamName}`);
  const randoms = Array.from({ length: spec.workers }, (_, worker) => streamOf(worker + 1));
  const members = (worker: number): readonly AggregateMember[] =>
    settings.members.flatMap((named): readonly AggregateMember[] => {
      const member = proxy.clusterNamed(named);
      if (member?.world.present !== true) return [];
      const hostSets = member.upstream.delivery.deliveredSets;
      return [{ name: named, index: member.world.index, hostSets, balancer: member.balancerOf(worker) }];
    });
  // One per worker; none: it has hosts of its own.
  const aggregates = Array.from(
    { length: world.type === 'AGGREGATE' ? spec.workers : 0 },
    (_, worker) => new AggregateBalancer(lb, { runtime }, () => members(worker)),
  );
  const createBalancer = (thread: number): LoadBalancer => {
    if (discovery instanceof OriginalDstDiscovery)
      return new OriginalDstBalancer((headers) => discovery.hostFor(headers));
    const stream = (): Random64 => randoms[thread - 1] ?? streamOf(thread);
    return createLoadBalancer(policy, {
      random: spec.initRandom === undefined ? stream() : new ScriptedRandom(spec.initRandom),
      runtime,
      clock: env,
      stats: cluster.lbStats,
      hasLocalCluster: hasLocalCluster && loads === undefined,
      ...(quirksOf(version).clustersStartByName && { localCluster: () => proxy.localHosts() }),
      activity: cluster,
      localityLoads: loads,
      ...(weights !== undefined && subset !== undefined && { weighHosts: (hosts) => void weights.weigh(hosts) }),
      tables: env.tables,
      client: proxy.place,
    });
  };
  const hasMain = hasLocalCluster || subset !== undefined || isTablePolicy(lb.lbPolicy);
  const threads = Array.from({ length: spec.workers + Number(hasMain) }, (_, index) => index + Number(!hasMain));
  const balancers = aggregates.length > 0 ? aggregates : threads.map(createBalancer);
  const socketCounts = before?.upstream.transportSockets.counts;
  const upstream = new UpstreamCluster(
    {
      ...info.hosts,
      runtime,
      managerStats: proxy.managerStats,
      transportSockets: new TransportSocketMatcher(settings.transportSocketMatches, socketCounts),
      membership: cluster.membership,
      balancers,
    },
    cluster,
  );
  const reportOf = (host: Host): LoadReport | 'down' | undefined => {
    const server = world.serverOf(host.index);
    return server.behavior.down === 'none' ? server.loadReport(env.nowUs) : 'down';
  };
  const reports =
    (weights ?? loads) &&
    loadReports(
      env,
      upstream,
      balancers,
      weights,
      subset !== undefined,
      loads,
      reportOf,
      env.streams.stream(`load-reports/${proxy.name}/${streamName}`),
      before?.loadReports?.outOfBand?.stats ?? new OutOfBandStats(),
    );
  const { outlierDetection, healthChecks } = settings;
  const outlierStats = before?.outliers?.stats ?? new OutlierStats();
  const outlierStream = `outlier/${proxy.name}/${name}`;
  const checkStats = before?.checks?.stats ?? new HealthCheckStats();
  // Made on demand: few clusters drop requests, and a stream costs as much as a balancer.
  const drops: RandomStream[] = [];
  return {
    info,
    upstream,
    /**
     * One per thread, the main thread's first where it matters: it gets every update and never picks. It sees what all of them
     * see, and only the tables that it builds for the workers and its counters of zones and subsets can be seen.
     */
    balancers,
    /** One per worker. */
    randoms,
    /** undefined: its hosts are assigned to it. */
    discovery,
    outliers:
      outlierDetection &&
      watchOutliers(env, outlierStream, outlierDetection, { version, runtime }, outlierStats, cluster),
    checks: healthChecks.length > 0 ? new HealthChecks(env, proxy, world, checkStats, cluster) : undefined,
    /** undefined: weights are as configured. */
    loadReports: reports,
    /** One per worker, as {@link randoms}. */
    workerBalancers: balancers.slice(-spec.workers) as readonly LoadBalancer[],
    /** Clusters that it is an aggregate of may have other hosts. */
    refreshAggregate: () => aggregates.forEach((balancer) => balancer.refresh()),
    dropStream: (worker: number): RandomStream =>
      (drops[worker] ??= env.streams.stream(`drop/${proxy.name}/${worker + 1}/${streamName}`)),
  };
}

interface DiscoveredCluster {
  readonly world: ClusterWorld;
  readonly proxy: ProxyContext;
  readonly upstream: UpstreamCluster;
  /** The causes of a change that the proxy itself found. */
  causesOf(fact: Happening): readonly Cause[];
  readonly pools: { isConnected(host: Host): boolean };
}

/** The discovery of a cluster whose hosts are not assigned (DNS, ORIGINAL_DST); undefined: they are, or its members have them. */
function createDiscovery(env: Environment, journal: Journal, cluster: DiscoveredCluster): Discovery | undefined {
  const { type } = cluster.world;
  if (type === 'ORIGINAL_DST') return createOriginalDst(env, journal, cluster);
  return type === 'STRICT_DNS' || type === 'LOGICAL_DNS' ? createDns(env, journal, cluster) : undefined;
}

function createDns(env: Environment, journal: Journal, cluster: DiscoveredCluster): Discovery {
  const { world } = cluster;
  const { name: proxy, spec } = cluster.proxy;
  const { name: clusterName } = world;
  const dns: DnsEnvironment = {
    resolver: env.resolver,
    clock: env,
    schedule: scheduleIn(env),
    random: (name) => env.streams.stream(`dns/${proxy}/${clusterName}/${name}`),
  };
  const log = (fact: Happening): void => journal.log({ kind: 'dns', cluster: clusterName, proxy, fact });
  const failing = new Set<string>();
  return discoverByDns(world, () => cluster.upstream, quirksOf(spec.version), dns, {
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
  const { world } = cluster;
  const { name: proxy, spec } = cluster.proxy;
  const { name: clusterName } = world;
  const change = (fact: Happening, added: readonly Host[], removed: readonly Host[]): void => {
    journal.log({ kind: 'membership', cluster: clusterName, proxy, host: added[0]?.address, fact });
    cluster.upstream.changeOnDemand(added, removed, env.nowUs, cluster.causesOf(fact));
    journal.markRemoved(world);
  };
  return new OriginalDstDiscovery(
    {
      ...world.settings.originalDst,
      clusterName,
      keepsConnected: quirksOf(spec.version).originalDstKeepsConnected,
      clock: env,
      schedule: scheduleIn(env),
    },
    {
      add: (endpoint) => {
        const host = cluster.upstream.createOnDemand(endpoint);
        change({ kind: 'asked_for', address: host.address }, [host], []);
        return host;
      },
      isConnected: (host) => cluster.pools.isConnected(host),
      remove: (hosts) => change({ kind: 'unused', ...someHosts(hosts.map(({ address }) => address)) }, [], hosts),
    },
  );
}

/** Timers set at the start began with the proxy. */
function scheduleIn(env: Environment): Schedule {
  return (timeUs, callback) => env.timers.at(env.nowUs + env.firstDelayUs(timeUs - env.nowUs), callback);
}

/** A worker only detects; the main thread ejects a moment later: after all else of the instant. */
function watchOutliers(
  env: Environment,
  stream: string,
  config: OutlierDetection,
  { version, runtime }: { readonly version: ProxyVersion; readonly runtime: Runtime },
  stats: OutlierStats,
  events: OutlierEvents,
) {
  let random: RandomStream | undefined;
  const draws = (): RandomStream => (random ??= env.streams.stream(stream));
  const detector = new OutlierDetector(config, version, runtime, draws, stats, events);
  let stopped = false;
  const handle = (host: Host, detections: number): void => {
    if (detections === 0) return;
    env.timers.at(env.nowUs, () => detector.handleDetections(host, detections, env.nowUs), EventKind.connected);
  };
  const scheduleSweep = (inUs: Micros): void =>
    env.timers.at(env.nowUs + inUs, () => {
      if (stopped) return;
      detector.sweep(env.nowUs);
      scheduleSweep(detector.intervalUs);
    });
  scheduleSweep(env.firstDelayUs(detector.intervalUs));
  const hostsRemoved = (hosts: readonly Host[]): void => hosts.forEach((host) => detector.removeHost(host));
  return {
    detector,
    stats,
    hostsAdded: (hosts: readonly Host[]): void => hosts.forEach((host) => detector.addHost(host)),
    hostsRemoved,
    /** The cluster is replaced or removed, and with it all its hosts. */
    stop: (hosts: readonly Host[]): void => {
      stopped = true;
      hostsRemoved(hosts);
    },
    answered: (host: Host, status: number): void => handle(host, detector.reportStatus(host, status)),
    /** @param status that the proxy answers with instead of the host. */
    happened: (host: Host, event: OriginEvent, status?: number): void =>
      handle(host, detector.reportEvent(host, event, status)),
    healthCheckPassed: (host: Host): void => detector.activeHealthCheckSucceeded(host, env.nowUs),
  };
}
