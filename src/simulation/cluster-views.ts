import { smallest } from '../core/lists.js';
import { type Micros, MICROS_PER_MILLI, microsToSeconds } from '../core/units.js';
import type { Host } from '../host/host.js';
import { type HostService, NO_ROWS, type PhaseView, type RowStates, RowStatesWriter } from '../result/phases.js';
import type { HostTruth } from '../result/run-result.js';
import { metadataCriteria, type WorldSettings } from '../settings/world.js';
import { capacityOf, mayFail } from '../settings/behavior.js';
import { meanOf } from '../random/distributions.js';
import type { Server } from './servers/server.js';
import type { Servers } from './servers/servers.js';
import type { ClusterWorld } from './cluster-world.js';
import type { Proxy } from './proxy.js';
import type { ProxyCluster } from './proxy-cluster.js';
import { slowStartPart } from '../policy/slow-start.js';
import type { SlowStartFact } from '../result/facts.js';
import type { SubsetDescription } from '../hostset/describe.js';
import { candidateName, type PlanStep, type SubsetCandidate, subsetRules } from '../hostset/subset/subset-plan.js';
import { readSelectors } from '../hostset/subset/subset-selectors.js';
import { factsAcross, type SplitFact, splitFacts } from '../hostset/split-facts.js';
import { subsetFacts } from '../hostset/subset/subset-facts.js';

/** What acted on a cluster's split at this moment, over all kinds of proxies. */
export function factsNow(settings: WorldSettings, proxies: readonly Proxy[], index: number): SplitFact[] {
  const kinds = new Map<string, readonly SplitFact[]>();
  // The first of a kind represents it.
  for (const proxy of proxies) {
    if (!kinds.has(proxy.spec.name)) kinds.set(proxy.spec.name, factsOf(settings, proxy.clusterAt(index)));
  }
  return factsAcross(kinds);
}

function factsOf(settings: WorldSettings, cluster: ProxyCluster): SplitFact[] {
  const { world, lb, parts } = cluster;
  const { subset: divided } = parts.info;
  if (!world.present) return [{ kind: 'no_hosts', of: 'unknown_cluster' }];
  // Hosts on demand are not balanced.
  if (world.type === 'ORIGINAL_DST') return [];
  // The main thread's balancer sees what the workers see.
  const description = cluster.parts.balancers[0]?.describe();
  if (description === undefined) return [];
  if (divided === undefined) return splitFacts(description, lb);
  const candidatesOf = subsetRules(divided, readSelectors(divided, lb.version));
  const subsets = new Map((description.subsets ?? []).map((subset) => [subset.subset, subset]));
  const found = (candidate: SubsetCandidate): SubsetDescription | undefined => subsets.get(candidateName(candidate));
  const answers = ({ name }: PlanStep): boolean => {
    const subset = subsets.get(name);
    return subset !== undefined && subset.hosts > 0 && !subset.passedOver;
  };
  return subsetFacts(metadataCriteria(settings, cluster.name), divided, {
    candidates: (metadata) => candidatesOf(metadata, answers),
    hostsOf: (candidate) => found(candidate)?.hosts ?? 0,
    factsOf: (candidate) => {
      const balancer = found(candidate)?.balancer;
      return balancer === undefined ? [] : splitFacts(balancer, lb);
    },
  });
}

/** The hosts in slow start now, and their part of the weight over time. If all started together, no share changes. */
export function slowStartFacts({ lb, upstream, proxy }: ProxyCluster, nowUs: Micros): SlowStartFact[] {
  const { slowStart } = lb;
  if (slowStart === undefined) return [];
  const windowUs = slowStart.windowMs * MICROS_PER_MILLI;
  const since: Micros[] = [];
  const growing: { readonly address: string; readonly sinceUs: Micros }[] = [];
  for (const { host } of upstream.priorities.hosts()) {
    if (host.health !== 'healthy') continue;
    const sinceUs = host.lastHealthCheckPassUs ?? -Infinity;
    since.push(sinceUs);
    if (nowUs - sinceUs < windowUs) growing.push({ address: host.address, sinceUs });
  }
  const [newest] = growing.sort((a, b) => b.sinceUs - a.sinceUs);
  if (newest === undefined || (growing.length === since.length && new Set(since).size === 1)) return [];
  const part = (atUs: Micros): number =>
    slowStartPart(slowStart, proxy.runtime, Math.floor((atUs - newest.sinceUs) / MICROS_PER_MILLI));
  const fullUs = newest.sinceUs + windowUs;
  const halfUs = nowUs + (fullUs - nowUs) / 2;
  return [
    {
      kind: 'slow_start',
      hosts: growing.length,
      newest: newest.address,
      part: part(nowUs),
      half_part: part(halfUs),
      half_s: microsToSeconds(Math.round(halfUs)),
      full_s: microsToSeconds(Math.round(fullUs)),
    },
  ];
}

/** What the balancers of clusters see; the first worker of the first proxy represents all of them. */
export class ClusterViews {
  /** Shared by all clusters: most of them are small. */
  private readonly writer = new RowStatesWriter();

  constructor(
    private readonly settings: WorldSettings,
    private readonly proxies: readonly Proxy[],
    private readonly servers: Servers,
  ) {}

  /** What the balancers of `cluster` see at this moment, and why; undefined: there is no proxy. */
  view({ index, present, log }: ClusterWorld, nowUs: Micros): PhaseView | undefined {
    const cluster = this.proxies[0]?.clusterAt(index);
    if (cluster === undefined) return undefined;
    const facts = [...factsNow(this.settings, this.proxies, index), ...slowStartFacts(cluster, nowUs)];
    if (!present) return { states: NO_ROWS, priorities: [], facts };
    const description = cluster.balancerOf(0).describe();
    return {
      states: this.statesOf(cluster, log.current.states),
      priorities: description.priorities.map((level) => ({
        priority: level.priority,
        healthy_load: level.healthyLoad,
        degraded_load: level.degradedLoad,
        panic: level.panic,
        healthy: level.healthy,
        degraded: level.degraded,
        total: level.hosts,
      })),
      facts,
    };
  }

  *listedHosts({ index }: ClusterWorld): Iterable<readonly Host[]> {
    for (const proxy of this.proxies) yield* proxy.clusterAt(index).upstream.priorities.hostsByPriority();
  }

  beginPhase({ index }: ClusterWorld): void {
    for (const proxy of this.proxies) proxy.clusterAt(index).recorder.beginPhase();
  }

  /** Records the state of each row's host. Of several hosts with one row the first is shown. */
  private statesOf({ world, upstream }: ProxyCluster, before: RowStates): RowStates {
    const { writer } = this;
    const known = world.rows.rows;
    const serviceOf = servicesOf(world, this.servers);
    writer.begin(known.length);
    for (const hosts of upstream.priorities.hostsByPriority()) {
      for (let at = 0; at < hosts.length; at++) {
        const host = hosts[at] as Host;
        const { index, weight, health } = host;
        const row = known[index];
        if (row !== undefined) {
          row.weight = weight;
          row.health = health;
          row.transportSocket = host.transportSocket;
        }
        writer.add(index, weight, health, serviceOf?.(index));
      }
    }
    return writer.end(before);
  }
}

/** Slower than the fastest host of the cluster by this factor. */
const SLOWER = 3;

/** How the hosts of a cluster serve, by row; undefined: at once, always. */
function servicesOf(world: ClusterWorld, servers: Servers): ((row: number) => HostService) | undefined {
  if (servers.areIdeal) return undefined;
  const serverOf = (row: number): Server => servers.at(world.serverOfRow(row));
  const fastestUs = smallest(world.rows.rows.map((_, row) => serviceUs(serverOf(row))));
  return (row) => {
    const server = serverOf(row);
    const truth = isBlackHole(server, world) ? 'hangs' : truthOf(server, SLOWER * fastestUs);
    return { truth, capacity: capacityOf(server.behavior) };
  };
}

/** Nobody waits until a connection to it is made. */
function isBlackHole({ behavior }: Server, { settings }: ClusterWorld): boolean {
  return behavior.down === 'none' && meanOf(behavior.connectTime) >= settings.connections.connectTimeoutUs;
}

/** The host's own time: who is far away is not slow. */
function serviceUs({ behavior }: Server): number {
  return meanOf(behavior.serviceTime);
}

function truthOf(server: Server, slowUs: number): HostTruth | undefined {
  const { behavior, hasRecovered } = server;
  if (behavior.down !== 'none') return behavior.down === 'hang' ? 'hangs' : 'dead';
  if (mayFail(behavior)) return 'failing';
  if (serviceUs(server) >= slowUs && slowUs > 0) return 'slow';
  return hasRecovered ? 'back' : undefined;
}
