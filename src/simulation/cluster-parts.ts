import { type Runtime, runtimeGuard } from '../core/environment.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { createLoadBalancer } from '../hostset/create-load-balancer.js';
import type { HostSet } from '../hostset/host-set.js';
import type { ClusterActivity, LoadBalancer } from '../hostset/load-balancer.js';
import type { LbStats } from '../hostset/lb-stats.js';
import { LocalityLoads } from '../hostset/load-aware-localities.js';
import type { ClientPlace } from '../policy/client-subsets.js';
import { isTablePolicy } from '../policy/registry.js';
import type { Random64 } from '../random/random64.js';
import { ScriptedRandom } from '../random/scripted.js';
import type { RandomStream } from '../random/streams.js';
import type { ProxySpec } from '../settings/world.js';
import { clusterInfo, type ClusterInfo } from '../upstream/cluster-info.js';
import { UpstreamCluster, type UpstreamClusterEvents } from '../upstream/cluster.js';
import type { Discovery, Schedule } from '../upstream/discovery/discovery.js';
import { OriginalDstBalancer, OriginalDstDiscovery } from '../upstream/discovery/original-dst.js';
import { HealthCheckStats, type HealthCheckEvents } from '../upstream/health-checker.js';
import type { MembershipStats } from '../stats/membership-stats.js';
import type { ClusterManagerStats } from '../upstream/merge-window.js';
import type { OutlierEvents } from '../upstream/outlier-detector.js';
import { OutlierStats } from '../upstream/outlier-stats.js';
import { TransportSocketMatcher } from '../upstream/transport-socket.js';
import type { Environment, ClusterWorld } from './environment.js';
import { HealthChecks } from './health-checks.js';
import type { Journal } from './journal.js';
import { HostWeights, LoadReports } from './load-reports.js';
import { Outliers } from './outliers.js';
import { around } from '../hostset/lb-config.js';
import { AggregateBalancer, type AggregateMember } from '../hostset/aggregate.js';
import type { Host } from '../host/host.js';
import { type Cause, type Happening, NO_CAUSES, someHosts } from '../upstream/cause.js';
import { discoverByDns } from '../upstream/discovery/dns-discovery.js';
import type { DnsEnvironment } from '../upstream/discovery/dns-query.js';

interface MemberCluster {
  readonly world: ClusterWorld;
  readonly upstream: UpstreamCluster;
  balancerOf(worker: number): LoadBalancer;
}

export interface ClusterListener
  extends UpstreamClusterEvents, HealthCheckEvents, OutlierEvents, DiscoveredCluster, ClusterActivity {
  readonly hasTraffic: boolean;
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

/** The parts of a cluster in a proxy that an update of the cluster replaces: its hosts, its balancers and its checks. */
export class ClusterParts {
  readonly info: ClusterInfo;
  readonly upstream: UpstreamCluster;
  /**
   * One per thread, the main thread's first where it matters: it gets every update and never picks. It sees what all of them
   * see, and only the tables that it builds for the workers and its counters of zones and subsets can be seen.
   */
  readonly balancers: readonly LoadBalancer[];
  /** One per worker. */
  readonly randoms: readonly Random64[];
  /** undefined: its hosts are assigned to it. */
  readonly discovery: Discovery | undefined;
  /** One per worker; empty: it has hosts of its own. */
  private readonly aggregates: readonly AggregateBalancer[];
  readonly outliers: Outliers | undefined;
  readonly checks: HealthChecks | undefined;
  /** undefined: weights are as configured. */
  readonly loadReports: LoadReports | undefined;
  /** Made on demand: few clusters drop requests, and a stream costs as much as a balancer. */
  private readonly drops: RandomStream[] = [];
  /** Balancers of a replacement draw from new streams, not the same values again. */
  private readonly streamName: string;

  /** @param before the parts that these replace; their counters continue. */
  constructor(
    private readonly env: Environment,
    journal: Journal,
    private readonly proxy: ProxyContext,
    cluster: ClusterListener,
    before: ClusterParts | undefined,
  ) {
    const { spec, runtime } = proxy;
    const { world } = cluster;
    const { settings, name } = world;
    const info = clusterInfo(settings, spec);
    const { lb } = info;
    this.info = info;
    this.streamName = world.generation === 0 ? name : `${name}/${world.generation}`;
    this.discovery = createDiscovery(env, journal, cluster);
    const namedFirst = runtimeGuard(runtime, NAMED_METRICS_FIRST, true);
    const loadAware = around(info.policy, 'load_aware_locality');
    const loads = loadAware && new LocalityLoads(loadAware, namedFirst);
    this.aggregates = Array.from(
      { length: world.type === 'AGGREGATE' ? spec.workers : 0 },
      (_, worker) => new AggregateBalancer(lb, { runtime }, () => this.members(settings.members, worker)),
    );
    this.randoms = Array.from({ length: spec.workers }, (_, worker) => this.stream(worker + 1));
    const weights =
      lb.clientSideWeights && new HostWeights({ ...lb.clientSideWeights, namedFirst }, env, world.rows.rows);
    this.balancers = this.createBalancers(cluster, loads, weights);
    this.upstream = new UpstreamCluster(
      {
        name,
        ...info.hosts,
        runtime,
        managerStats: proxy.managerStats,
        transportSockets: new TransportSocketMatcher(
          settings.transportSocketMatches,
          before?.upstream.transportSockets.counts,
        ),
        membership: cluster.membership,
        balancers: this.balancers,
      },
      cluster,
    );
    if (weights !== undefined || loads !== undefined) {
      this.loadReports = new LoadReports(env, this.upstream, this.balancers);
      if (weights !== undefined) this.loadReports.weighHosts(weights, info.subset !== undefined);
      if (loads !== undefined) this.loadReports.weighLocalities(loads);
    }
    const { version } = spec;
    if (settings.outlierDetection !== undefined) {
      const stats = before?.outliers?.stats ?? new OutlierStats();
      const stream = `outlier/${proxy.name}/${name}`;
      this.outliers = new Outliers(env, stream, settings.outlierDetection, version, runtime, stats, cluster);
    }
    if (settings.healthChecks.length > 0) {
      const stats = before?.checks?.stats ?? new HealthCheckStats();
      this.checks = new HealthChecks(env, { name: proxy.name, version, runtime }, world, stats, cluster);
    }
  }

  balancerOf(worker: number): LoadBalancer {
    return this.balancers[this.balancers.length - this.randoms.length + worker] as LoadBalancer;
  }

  /** Clusters that it is an aggregate of may have other hosts. */
  refreshAggregate(): void {
    for (const balancer of this.aggregates) balancer.refresh();
  }

  private members(names: readonly string[], worker: number): readonly AggregateMember[] {
    return names.flatMap((name): readonly AggregateMember[] => {
      const member = this.proxy.clusterNamed(name);
      if (member?.world.present !== true) return [];
      const { index } = member.world;
      const hostSets = member.upstream.delivery.deliveredSets;
      return [{ name, index, hostSets, balancer: member.balancerOf(worker) }];
    });
  }

  dropStream(worker: number): RandomStream {
    const { env, proxy } = this;
    return (this.drops[worker] ??= env.streams.stream(`drop/${proxy.name}/${worker + 1}/${this.streamName}`));
  }

  private stream(thread: number): RandomStream {
    return this.env.streams.stream(`balancer/${this.proxy.name}/${thread}/${this.streamName}`);
  }

  private createBalancers(
    cluster: ClusterListener,
    localityLoads: LocalityLoads | undefined,
    weights: HostWeights | undefined,
  ): LoadBalancer[] {
    const { aggregates, discovery, env, info } = this;
    const { spec, runtime } = this.proxy;
    if (aggregates.length > 0) return [...aggregates];
    const { policy, lb, subset, hasLocalCluster } = info;
    const hasMain = hasLocalCluster || subset !== undefined || isTablePolicy(lb.lbPolicy);
    const balancers: LoadBalancer[] = [];
    for (let thread = hasMain ? 0 : 1; thread <= spec.workers; thread++) {
      if (discovery instanceof OriginalDstDiscovery) {
        balancers.push(new OriginalDstBalancer((headers) => discovery.hostFor(headers)));
        continue;
      }
      const stream = (): Random64 => this.randoms[thread - 1] ?? this.stream(thread);
      balancers.push(
        createLoadBalancer(policy, {
          random: spec.initRandom === undefined ? stream() : new ScriptedRandom(spec.initRandom),
          runtime,
          clock: env,
          stats: cluster.lbStats,
          hasLocalCluster: hasLocalCluster && localityLoads === undefined,
          ...(quirksOf(spec.version).clustersStartByName && { localCluster: () => this.proxy.localHosts() }),
          activity: cluster,
          localityLoads,
          ...(weights !== undefined && subset !== undefined && { weighHosts: (hosts) => void weights.weigh(hosts) }),
          tables: env.tables,
          client: this.proxy.place,
        }),
      );
    }
    return balancers;
  }
}

export interface DiscoveredCluster {
  readonly world: ClusterWorld;
  readonly proxyName: string;
  readonly version: ProxyVersion;
  readonly upstream: UpstreamCluster;
  /** The causes of a change that the proxy itself found. */
  causesOf(fact: Happening): readonly Cause[];
  isConnected(host: Host): boolean;
}

/** The discovery of a cluster whose hosts are not assigned (DNS, ORIGINAL_DST); undefined: they are, or its members have them. */
function createDiscovery(env: Environment, journal: Journal, cluster: DiscoveredCluster): Discovery | undefined {
  const { type } = cluster.world;
  if (type === 'ORIGINAL_DST') return createOriginalDst(env, journal, cluster);
  return type === 'STRICT_DNS' || type === 'LOGICAL_DNS' ? createDns(env, journal, cluster) : undefined;
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
