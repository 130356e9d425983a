import { sum, sameJson, type Struct } from '../core/values.js';
import { ANY_TABLE, demand, withMembers } from '../core/arguments.js';
import type { ProxyVersion } from '../core/version.js';
import type { HashFunction } from '../hash/text-hashes.js';
import type { HealthStatus, Locality } from '../host/host.js';
import { EDS_FLAGS, edsHealthFlags, HealthFlag, Host, localityKey, NOWHERE } from '../host/host.js';
import { buildHostSet, type HostSetOptions } from '../hostset/build-host-set.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../hostset/host-set.js';
import type { LoadBalancerConfig, PolicySettings, SubsetConfig } from '../hostset/lb-config.js';
import type { LbEnvironment, Clock, LoadBalancer, PickRequest } from '../hostset/load-balancer.js';
import { Decision, emptyPickRequest } from '../hostset/load-balancer.js';
import { LbStats } from '../hostset/lb-stats.js';
import type { Random64 } from '../random/random64.js';
import { RandomStreams } from '../random/streams.js';
import { LB_DEFAULTS } from '../core/defaults.js';
import { TWO_CHOICES } from '../policy/least-request.js';
import type { BalancerUnderTest } from './balancer-under-test.js';

/** A cluster, its hosts' changes and the requests in between: plain data, with the events of a scenario file. */
export interface Story {
  /** Seed of every random draw, as `seed` of a scenario. */
  readonly seed: number;
  readonly cluster: StoryCluster;
  readonly hosts: readonly StoryHost[];
  /** The first is the start, each further one a second later. */
  readonly steps: readonly StoryStep[];
}

/** A cluster without changes: the example of laws of settings. */
export type Situation = Omit<Story, 'steps'>;

export interface StoryCluster {
  /** Percent, a whole number. */
  readonly healthyPanicThreshold: number;
  readonly failTrafficOnPanic: boolean;
  /** By zone; undefined: no locality-weighted balancing. */
  readonly localityWeights?: Readonly<Record<string, number>> | undefined;
  /** Hosts of the local cluster by zone, which makes zone-aware routing possible; undefined: there is none. */
  readonly callers?: Readonly<Record<string, number>> | undefined;
  readonly subset?: SubsetConfig | undefined;
  /** Of zone-aware routing; default 1 where there are callers, so that small clusters are routed by zone, too. */
  readonly minClusterSize?: number | undefined;
  /** Percent; default 100. */
  readonly routingEnabled?: number | undefined;
  /** Unhealthy hosts of the local cluster, by zone, beside the `callers`. */
  readonly callersDown?: Readonly<Record<string, number>> | undefined;
  /** Percent; default 0, unbounded. */
  readonly hashBalanceFactor?: number | undefined;
  /** Of the ring. */
  readonly hashFunction?: HashFunction | undefined;
  /** A slow start window, with the proxy's defaults beside it; undefined: off. */
  readonly slowStartMs?: number | undefined;
  /** Default 1. */
  readonly slowStartAggression?: number | undefined;
  /** Percent; default 10. */
  readonly slowStartMinimum?: number | undefined;
}

export interface StoryHost {
  /** Unlike every other one of the story. */
  readonly address: string;
  readonly priority: number;
  readonly zone: string;
  readonly weight: number;
  readonly health: HealthStatus;
  readonly metadata: Struct;
  /** It has not been checked yet, and `ignore_new_hosts_until_first_hc` excludes it. */
  readonly isNew?: boolean | undefined;
  /** Its constant number of active requests. */
  readonly busy?: number | undefined;
}

export type StoryStep = Readonly<{ change?: HostChange | undefined; requests: readonly StoryRequest[] }>;

/** `host` is an index into the story's hosts. */
export type HostChange =
  | { readonly host: number; readonly health: HealthStatus }
  | { readonly host: number; readonly weight: number }
  | { readonly host: number; readonly metadata: Struct }
  /** False: it leaves. True: it returns in its initial state, after the others of its priority and zone. */
  | { readonly host: number; readonly present: boolean };

export interface StoryRequest {
  /** undefined: the route computes no hash. */
  readonly hash?: { readonly hi: number; readonly lo: number } | undefined;
  readonly metadataMatch?: Struct | undefined;
}

/** The cluster's name in every story, and in the scenario that is printed for it. */
export const CLUSTER = 'web';
export const LOCAL_CLUSTER = 'callers';
export const NODE_ZONE = 'a';
export const PROXY = 'proxy';

/** Small tables: the laws do not depend on their size. */
export const SMALL_RING = { minimumRingSize: 64, maximumRingSize: 1024, hashFunction: 'XX_HASH' } as const;
export const SMALL_MAGLEV = { tableSize: 1009 } as const;

/** Minimum part of its weight for a host in slow start. */
export const SLOW_START_PERCENT = 10;

/** A pick, and the lists it was made from. */
export interface Pick {
  readonly decision: Decision;
  /** As delivered last, by priority. */
  readonly levels: ReadonlyMap<number, HostSet>;
  readonly request: StoryRequest;
  /** Counted from 0 over the whole story. */
  readonly number: number;
  readonly step: number;
}

export interface Watcher {
  /** The balancer got the lists of one priority; at the start those of all. */
  readonly updated?: (balancer: LoadBalancer, levels: ReadonlyMap<number, HostSet>) => void;
  readonly picked?: (pick: Pick) => void;
}

const BALANCER = withMembers(
  '{lbPolicy, version, create}, as builtInPolicy or listPolicyUnderTest returns it',
  ...['lbPolicy', 'version', 'create'],
);

export const demandSubject = (call: string, subject: BalancerUnderTest): void =>
  demand(call, ['subject', subject, BALANCER]);

const STORY = withMembers('a story, {seed, cluster, hosts, steps}', 'cluster', 'hosts', 'steps');

export function demandStory(call: string, subject: BalancerUnderTest, story: Story): void {
  demandSubject(call, subject);
  demand(call, ['story', story, STORY]);
}

/** Plays a story with a balancer of the subject. The picks are the same as in a run of its scenario. */
export function play(subject: BalancerUnderTest, story: Story, watcher: Watcher): void {
  demandStory('play', subject, story);
  demand('play', ['watcher', watcher, ANY_TABLE]);
  const clock = { nowUs: 0 };
  const { balancer, discovery, request } = begin(subject, story, { clock });
  watcher.updated?.(balancer, discovery.levels);
  const decision = new Decision();
  let number = 0;
  story.steps.forEach((step, index) => {
    clock.nowUs = index * 1_000_000;
    if (step.change !== undefined && discovery.change(step.change, balancer))
      watcher.updated?.(balancer, discovery.levels);
    for (const wanted of step.requests) {
      request.hasHash = wanted.hash !== undefined;
      request.hashHi = wanted.hash?.hi ?? 0;
      request.hashLo = wanted.hash?.lo ?? 0;
      request.metadataMatch = wanted.metadataMatch;
      balancer.choose(request, decision);
      watcher.picked?.({ decision, levels: discovery.levels, request: wanted, number, step: index });
      number++;
    }
  });
}

export interface Surroundings {
  /** The proxy that picks, and where it runs. */
  readonly proxy?: string;
  readonly zone?: string;
  readonly clock?: Clock;
}

/** A balancer of the subject that has heard of the hosts of a situation, and a request to ask it with. */
export function begin(
  subject: BalancerUnderTest,
  situation: Situation,
  { proxy = PROXY, zone = NODE_ZONE, clock = { nowUs: 0 } }: Surroundings = {},
): { readonly balancer: LoadBalancer; readonly discovery: StoryDiscovery; readonly request: PickRequest } {
  const { seed, cluster, hosts } = situation;
  const random = balancerStream(seed, proxy);
  const balancer = subject.create(configOf(subject, cluster), {
    ...environmentOf(random, cluster.callers !== undefined),
    activity: { upstreamRqActive: sum(hosts.map(({ busy = 0 }) => busy)) },
    clock,
  });
  const discovery = new StoryDiscovery(situation, subject.version, zone);
  discovery.announce(balancer);
  if (cluster.callers !== undefined)
    balancer.updateLocalCluster(localHostSet(cluster.callers, zone, cluster.callersDown));
  return { balancer, discovery, request: emptyPickRequest(random) };
}

/** The random stream of the first worker's balancer in a run with this seed. */
export const balancerStream = (seed: number, proxy: string): Random64 =>
  new RandomStreams(String(seed)).stream(`balancer/${proxy}/1/${CLUSTER}`);

export const environmentOf = (random: Random64, hasLocalCluster: boolean): LbEnvironment => ({
  random,
  runtime: { number: () => undefined },
  clock: { nowUs: 0 },
  stats: new LbStats(),
  hasLocalCluster,
  activity: { upstreamRqActive: 0 },
});

/** The cluster's configuration as its balancer reads it: the proxy's defaults, small tables. */
export function configOf(subject: BalancerUnderTest, cluster: StoryCluster): PolicySettings {
  const inner: LoadBalancerConfig = {
    kind: 'hosts',
    clusterName: CLUSTER,
    version: subject.version,
    lbPolicy: subject.lbPolicy,
    healthyPanicThreshold: cluster.healthyPanicThreshold,
    failTrafficOnPanic: cluster.failTrafficOnPanic,
    zoneAware: {
      routingEnabled: cluster.routingEnabled ?? LB_DEFAULTS.routingEnabled,
      minClusterSize: cluster.callers === undefined ? LB_DEFAULTS.minClusterSize : (cluster.minClusterSize ?? 1),
    },
    localityWeighted: cluster.localityWeights !== undefined,
    ringHash: { ...SMALL_RING, hashFunction: cluster.hashFunction ?? SMALL_RING.hashFunction },
    maglev: SMALL_MAGLEV,
    consistentHashing: { useHostnameForHashing: false, hashBalanceFactor: cluster.hashBalanceFactor ?? 0 },
    leastRequest: TWO_CHOICES,
    slowStart:
      cluster.slowStartMs === undefined
        ? undefined
        : {
            windowMs: cluster.slowStartMs,
            aggression: { defaultValue: cluster.slowStartAggression ?? 1, runtimeKey: '' },
            minWeightPercent: cluster.slowStartMinimum ?? SLOW_START_PERCENT,
          },
  };
  return cluster.subset === undefined ? inner : { kind: 'subset', ...cluster.subset, inner };
}

export function hostOf(
  { zone, health, isNew = false, busy = 0, ...traits }: StoryHost & { readonly hostname?: string },
  version: ProxyVersion,
): Host {
  const news = isNew ? HealthFlag.PENDING_ACTIVE_HC | HealthFlag.FAILED_ACTIVE_HC : 0;
  const host = new Host({ ...traits, locality: zoneOf(zone), flags: edsHealthFlags(health, version) | news });
  host.activeRequests = busy;
  return host;
}

/** @returns whether it is another one now. */
export function changeTraits(
  host: Host,
  change: Exclude<HostChange, { readonly present: boolean }>,
  version: ProxyVersion,
): boolean {
  const { weight, health, metadata } = host;
  if ('weight' in change) host.weight = change.weight;
  else if ('health' in change) host.flags = (host.flags & ~EDS_FLAGS) | edsHealthFlags(change.health, version);
  else if (!sameJson(metadata, change.metadata)) host.metadata = change.metadata;
  return host.weight !== weight || host.health !== health || host.metadata !== metadata;
}

export const zoneOf = (name: string): Locality => ({ ...NOWHERE, zone: name });

/** The host set of the local cluster for a proxy in `nodeZone`. */
export function localHostSet(
  callers: Readonly<Record<string, number>>,
  nodeZone: string,
  down: Readonly<Record<string, number>> = {},
): HostSet {
  const hosts = Object.entries(callers).flatMap(([zone, count], index) =>
    Array.from({ length: count + (down[zone] ?? 0) }, (_, n) => {
      const flags = n < count ? 0 : HealthFlag.FAILED_EDS_HEALTH;
      return new Host({ address: callerAddress(index, n), locality: zoneOf(zone), flags });
    }),
  );
  return hostSetOf({ hosts }, nodeZone);
}

/** The lists of one priority, as a proxy in `nodeZone` has them. @param weights of localities, by zone. */
export function hostSetOf(
  level: Partial<HostSetOptions> & { readonly hosts: readonly Host[] },
  nodeZone: string,
  weights?: Readonly<Record<string, number>>,
): HostSet {
  const byZone = Object.entries(weights ?? {});
  const localityWeights = new Map(byZone.map(([zone, weight]) => [localityKey(zoneOf(zone)), weight]));
  return buildHostSet({
    priority: 0,
    overprovisioningFactor: DEFAULT_OVERPROVISIONING_FACTOR,
    weightedPriorityHealth: false,
    nodeLocality: zoneOf(nodeZone),
    localityWeights: weights && localityWeights,
    ...level,
  });
}

export const callerAddress = (zone: number, index: number): string => `10.9.${zone}.${index}:80`;

type Listener = { readonly update: LoadBalancer['update'] };

/** Hosts in the order of discovery: grouped by priority and zone, groups in the order of the story. */
export class StoryDiscovery {
  readonly levels = new Map<number, HostSet>();
  /** By their place in the story, in the order in which they came. */
  private readonly present = new Map<number, Host>();

  constructor(
    private readonly story: Omit<Situation, 'seed'>,
    private readonly version: ProxyVersion,
    private readonly nodeZone: string,
  ) {
    story.hosts.forEach((_, index) => this.add(index));
  }

  /** Present hosts, in the order in which they came. */
  get hosts(): readonly Host[] {
    return [...this.present.values()];
  }

  /** Delivers every level there is, in order of priority. */
  announce(balancer: Listener): void {
    // A level without hosts is not announced.
    const priorities = new Set(this.story.hosts.map(({ priority }) => priority));
    for (const priority of [...priorities].sort((a, b) => a - b)) {
      const hostSet = this.rebuild(priority);
      balancer.update(hostSet, hostSet.hosts, []);
    }
  }

  /** @returns whether there was anything to deliver: an update without changes is not announced. */
  change(change: HostChange, balancer: Listener): boolean {
    const spec = this.story.hosts[change.host];
    if (spec === undefined) return false;
    const host = this.present.get(change.host);
    if ('present' in change) {
      if (change.present === (host !== undefined)) return false;
      const added = change.present ? [this.add(change.host)] : [];
      if (!change.present) this.present.delete(change.host);
      balancer.update(this.rebuild(spec.priority), added, host === undefined ? [] : [host]);
      return true;
    }
    if (host === undefined || !changeTraits(host, change, this.version)) return false;
    balancer.update(this.rebuild(spec.priority), [], []);
    return true;
  }

  /** Delivers the first level as it is. */
  again(balancer: Listener): void {
    balancer.update(this.rebuild(0), [], []);
  }

  private rebuild(priority: number): HostSet {
    const { hosts: all, cluster } = this.story;
    const zones = new Set(all.flatMap((host) => (host.priority === priority ? host.zone : [])));
    const present = [...this.present].flatMap(([index, host]) => (all[index]?.priority === priority ? host : []));
    const hosts = [...zones].flatMap((zone) => present.filter(({ locality }) => locality.zone === zone));
    const level = { priority, hosts, before: this.levels.get(priority) };
    const hostSet = hostSetOf(level, this.nodeZone, cluster.localityWeights);
    this.levels.set(priority, hostSet);
    return hostSet;
  }

  private add(index: number): Host {
    const host = hostOf(this.story.hosts[index] as StoryHost, this.version);
    this.present.set(index, host);
    return host;
  }
}
