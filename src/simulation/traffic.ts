import { EventKind } from '../core/event-queue.js';
import { toDecimal } from '../core/u64.js';
import type { Micros } from '../core/units.js';
import type { Decision, PickRequest } from '../hostset/load-balancer.js';
import { emptyDecision } from '../hostset/load-balancer.js';
import type { Struct } from '../core/json.js';
import type { KeyHasher } from '../hash/request-key.js';
import { ScriptedRandom } from '../random/scripted.js';
import type { DurationSampler } from '../random/distributions.js';
import { durationSampler } from '../random/distributions.js';
import type { RandomStream } from '../random/streams.js';
import type { DecisionRecord } from '../result/decision-record.js';
import { localityResult } from '../result/run-result.js';
import type { Totals } from '../result/run-result.js';
import type { ExplicitRequest, Workload } from '../scenario/model.js';
import type { ArrivalProcess } from './arrivals.js';
import { arrivalProcess } from './arrivals.js';
import { Deadlines } from './deadlines.js';
import { Dispatcher } from './dispatcher.js';
import type { ExpectationTrackers } from './expectations.js';
import { KeySource } from './keys.js';
import { RequestState, RequestTable } from './request-table.js';
import type { Server } from './server.js';
import type { ProxyCluster, World } from './world.js';

/** A user of a closed workload that has its answer in no time sends again after this: no client turns around faster. */
const QUICKEST_USER_US = 100;

/** Who sends the next request: the payload of an arrival event is an index into the list of these. */
type Sender =
  | { readonly kind: 'open'; readonly source: WorkloadSource; stale: boolean }
  | { readonly kind: 'user'; readonly source: WorkloadSource; readonly proxy: number; readonly worker: number }
  | { readonly kind: 'explicit'; readonly request: ExplicitRequest; readonly next: number };

/** A cluster of a route as the hot path wants it. */
interface RouteTarget {
  readonly cluster: number;
  readonly cumulativeWeight: number;
  readonly metadataMatch: Struct | undefined;
}

interface WorkloadSource {
  readonly index: number;
  readonly workload: Workload;
  readonly stopUs: Micros;
  readonly route: readonly RouteTarget[];
  readonly routeStream: RandomStream;
  readonly keys: KeySource | undefined;
  readonly dispatcher: Dispatcher;
  /** Open workloads only. */
  readonly process: ArrivalProcess | undefined;
  readonly thinkTime: DurationSampler | undefined;
  sender: number;
}

/** What the caller of a run wants to hear while it goes on. */
export interface TrafficHooks {
  readonly onDecision?: ((record: DecisionRecord) => void) | undefined;
}

/**
 * The requests of a run: who sends them, which host each proxy picks, how the host answers, when that is counted.
 *
 * This is the hot path: columns instead of objects, one event per step that takes time and none where an idle host
 * answers at once.
 */
export class Traffic {
  readonly totals: Totals = {
    requests: 0,
    success: 0,
    failed: 0,
    in_flight: 0,
    no_healthy_upstream: 0,
    overflow: 0,
    retries: 0,
  };
  readonly table = new RequestTable();
  /** Senders that still have something to send. */
  activeSenders = 0;
  /** Arrivals so far. */
  arrivals = 0;
  /** When the last request ended. */
  lastEndUs: Micros = 0;
  private readonly senders: Sender[] = [];
  private readonly sources: WorkloadSource[] = [];
  private readonly deadlines = new Map<Micros, Deadlines>();
  private readonly decision: Decision = emptyDecision();
  private readonly request: PickRequest;
  private readonly warmupUs: Micros;
  private readonly scratchHash = { hi: 0, lo: 0 };

  constructor(
    private readonly world: World,
    private readonly hasher: KeyHasher,
    private readonly expectations: ExpectationTrackers,
    private readonly hooks: TrafficHooks,
  ) {
    const { scenario } = world;
    this.warmupUs = scenario.warmupUs;
    this.request = {
      random: world.streams.stream('unused'),
      hasHash: false,
      hashHi: 0,
      hashLo: 0,
      metadataMatch: undefined,
      hostSelectionRetryCount: 0,
      rejects: undefined,
      priorityLoad: undefined,
    };
    for (const [index, workload] of scenario.workloads.entries()) this.addWorkload(workload, index);
    this.addExplicitRequests(scenario.requests);
  }

  /** An arrival event of {@link EventKind.arrival} is due. */
  arrive(payload: number): void {
    const sender = this.senders[payload] as Sender;
    const now = this.world.nowUs;
    switch (sender.kind) {
      case 'open': {
        if (sender.stale) return;
        const { source } = sender;
        this.scheduleOpen(source);
        source.dispatcher.next();
        this.start(source, payload, source.dispatcher.proxy, source.dispatcher.worker);
        return;
      }
      case 'user': {
        if (now >= sender.source.stopUs) {
          this.activeSenders--;
          return;
        }
        this.start(sender.source, payload, sender.proxy, sender.worker);
        return;
      }
      case 'explicit':
        this.scheduleExplicit(sender.next);
        this.startExplicit(sender.request);
        return;
    }
  }

  /** A request reaches its host. */
  reachHost(slot: number): void {
    this.table.awaited[slot] = 0;
    if (this.table.states[slot] === RequestState.lost) {
      this.releaseIfOver(slot);
      return;
    }
    this.serve(slot, this.world.servers.at(this.table.servers[slot] as number));
  }

  /** A host is done with a request, or its answer has come back. */
  respond(slot: number): void {
    const { table } = this;
    table.awaited[slot] = 0;
    const state = table.states[slot];
    if (state === RequestState.lost) {
      this.releaseIfOver(slot);
      return;
    }
    if (state === RequestState.inService) {
      const server = this.world.servers.at(table.servers[slot] as number);
      server.inService--;
      const returnUs = table.returnUs[slot] as number;
      if (returnUs > 0) {
        table.states[slot] = RequestState.returning;
        this.await(slot, this.world.nowUs + returnUs, EventKind.response);
      } else {
        this.answer(slot);
      }
      // One that takes no time at all leaves room for the next.
      while (server.queue.length > 0 && !server.busy) this.beginService(server.queue.shift(), server);
      return;
    }
    this.answer(slot);
  }

  /** From now on a workload sends at another rate. */
  setRate(workload: string, perSecond: number): void {
    const source = this.sources.find((candidate) => candidate.workload.name === workload);
    if (source?.process === undefined) return;
    const sender = this.senders[source.sender];
    if (sender?.kind === 'open' && !sender.stale) {
      sender.stale = true;
      this.activeSenders--;
    }
    source.process.setRate(perSecond, Math.max(this.world.nowUs, source.workload.startUs));
    source.sender = this.senders.length;
    this.senders.push({ kind: 'open', source, stale: false });
    this.activeSenders++;
    this.scheduleOpen(source);
  }

  /** A server stopped: refused connections end what is open at once, a hanging one never answers it. */
  serverWentDown(server: Server, how: 'refuse' | 'hang'): void {
    const { table } = this;
    server.inService = 0;
    while (server.queue.length > 0) server.queue.shift();
    for (let slot = 0; slot < table.used; slot++) {
      const state = table.states[slot];
      if (state === RequestState.free || state === RequestState.lost) continue;
      if (this.world.servers.at(table.servers[slot] as number) !== server) continue;
      table.states[slot] = RequestState.lost;
      if (table.over[slot] === 1) this.releaseIfOver(slot);
      else if (how === 'refuse') this.breakOff(slot, 503);
    }
  }

  /** A server serves more at once than before. */
  serverGrew(server: Server): void {
    while (server.queue.length > 0 && !server.busy) this.beginService(server.queue.shift(), server);
  }

  /** Requests that count and are open. */
  countOpen(): number {
    const { table } = this;
    let open = 0;
    for (let slot = 0; slot < table.used; slot++) {
      if (table.states[slot] !== RequestState.free && table.over[slot] === 0 && table.counted[slot] === 1) open++;
    }
    return open;
  }

  // --- senders -----------------------------------------------------------------------------------------------------

  private addWorkload(workload: Workload, index: number): void {
    const { world } = this;
    const { name } = workload;
    let weight = 0;
    const route = workload.route.map((target) => {
      weight += target.weight;
      return {
        cluster: world.clusterIndex(target.cluster),
        cumulativeWeight: weight,
        metadataMatch: mergeMatch(workload.metadataMatch, target.metadataMatch),
      };
    });
    const { arrivals } = workload;
    const source: WorkloadSource = {
      index,
      workload,
      stopUs: workload.stopUs ?? world.scenario.durationUs ?? Infinity,
      route,
      routeStream: world.streams.stream(`route/${name}`),
      keys:
        workload.hashKey === undefined
          ? undefined
          : new KeySource(workload.hashKey, world.streams.stream(`keys/${name}`), this.hasher),
      dispatcher: new Dispatcher(world.proxies, workload.proxies, world.streams.stream(`dispatch/${name}`)),
      process:
        arrivals.kind === 'closed'
          ? undefined
          : arrivalProcess(arrivals, workload.startUs, world.streams.stream(`arrivals/${name}`)),
      thinkTime:
        arrivals.kind === 'closed'
          ? durationSampler(arrivals.thinkTime, world.streams.stream(`arrivals/${name}`))
          : undefined,
      sender: this.senders.length,
    };
    this.sources.push(source);
    if (arrivals.kind !== 'closed') {
      this.senders.push({ kind: 'open', source, stale: false });
      this.activeSenders++;
      this.scheduleOpen(source);
      return;
    }
    for (let user = 0; user < arrivals.users; user++) {
      source.dispatcher.next();
      const { proxy, worker } = source.dispatcher;
      this.activeSenders++;
      world.queue.push(workload.startUs, EventKind.arrival, this.senders.length, index);
      this.senders.push({ kind: 'user', source, proxy, worker });
    }
  }

  /** Requests follow the workloads at one instant, and each other in file order. */
  private addExplicitRequests(requests: readonly ExplicitRequest[]): void {
    if (requests.length === 0) return;
    const ordered = requests.map((request, index) => ({ request, index }));
    ordered.sort((a, b) => a.request.atUs - b.request.atUs || a.index - b.index);
    const first = this.senders.length;
    for (const [position, { request }] of ordered.entries()) {
      const next = position + 1 < ordered.length ? first + position + 1 : -1;
      this.senders.push({ kind: 'explicit', request, next });
    }
    this.activeSenders++;
    this.pushExplicit(first);
  }

  private scheduleExplicit(next: number): void {
    if (next === -1) this.activeSenders--;
    else this.pushExplicit(next);
  }

  private pushExplicit(index: number): void {
    const sender = this.senders[index] as Sender & { kind: 'explicit' };
    this.world.queue.push(sender.request.atUs, EventKind.arrival, index, this.sources.length);
  }

  private scheduleOpen(source: WorkloadSource): void {
    const at = source.process?.next() ?? Infinity;
    if (at < source.stopUs) {
      this.world.queue.push(at, EventKind.arrival, source.sender, source.index);
      return;
    }
    this.activeSenders--;
    const sender = this.senders[source.sender];
    if (sender?.kind === 'open') sender.stale = true;
  }

  // --- one request -------------------------------------------------------------------------------------------------

  private start(source: WorkloadSource, sender: number, proxy: number, worker: number): void {
    const { workload, route } = source;
    const target = route.length === 1 ? (route[0] as RouteTarget) : this.drawTarget(source);
    const { request } = this;
    const { keys } = source;
    request.hasHash = keys !== undefined;
    if (keys !== undefined) {
      keys.next();
      request.hashHi = keys.hi;
      request.hashLo = keys.lo;
    }
    request.metadataMatch = target.metadataMatch;
    this.send(target.cluster, proxy, worker, source.index, sender, workload.timeoutUs, undefined, undefined);
  }

  private startExplicit(explicit: ExplicitRequest): void {
    const { request, scratchHash, world } = this;
    request.hasHash = explicit.hash !== undefined || explicit.hashKey !== undefined;
    if (explicit.hash !== undefined) {
      request.hashHi = explicit.hash.hi;
      request.hashLo = explicit.hash.lo;
    } else if (explicit.hashKey !== undefined) {
      this.hasher.hash(explicit.hashKey, scratchHash);
      request.hashHi = scratchHash.hi;
      request.hashLo = scratchHash.lo;
    }
    request.metadataMatch = explicit.metadataMatch;
    const proxy = explicit.proxy === undefined ? 0 : world.proxyIndex(explicit.proxy);
    const script = explicit.random === undefined ? undefined : new ScriptedRandom(explicit.random);
    const cluster = world.clusterIndex(explicit.cluster);
    this.send(cluster, proxy, explicit.worker ?? 0, -1, -1, explicit.timeoutUs, script, explicit.serviceTimeUs);
  }

  private drawTarget(source: WorkloadSource): RouteTarget {
    const { route } = source;
    const last = route[route.length - 1] as RouteTarget;
    const drawn = source.routeStream.uniform() * last.cumulativeWeight;
    for (const target of route) if (drawn < target.cumulativeWeight) return target;
    return last;
  }

  /** Asks the balancer and sends the request; `this.request` holds hash and metadata. */
  private send(
    cluster: number,
    proxyIndex: number,
    worker: number,
    workload: number,
    sender: number,
    timeoutUs: Micros,
    script: ScriptedRandom | undefined,
    serviceTimeUs: Micros | undefined,
  ): void {
    const { world, request, decision, totals } = this;
    const now = world.nowUs;
    const id = this.arrivals++;
    const counted = now >= this.warmupUs;
    if (counted) totals.requests++;

    const proxy = world.proxyAt(proxyIndex);
    const upstream = proxy.clusterAt(cluster);
    request.random = script ?? upstream.randomOf(worker);
    upstream.balancerOf(worker).choose(request, decision);
    const { host } = decision;
    if (this.hooks.onDecision !== undefined) this.report(id, proxy.name, worker, workload, upstream.name);
    this.expectations.firstAttempt(host?.address ?? null);
    if (counted) this.expectations.decided(cluster, host?.index ?? -1, now);

    if (host === undefined) {
      upstream.requests.upstreamCxNoneHealthy++;
      upstream.requests.countStatus(503);
      if (counted) {
        upstream.recorder.noHost();
        totals.no_healthy_upstream++;
        totals.failed++;
        this.expectations.ended(cluster, 503, 0, now);
      }
      this.ended(sender, now, now);
      return;
    }

    const { table } = this;
    const slot = table.acquire();
    const server = world.servers.at(upstream.world.serverOfRow(host.index));
    table.ids[slot] = id;
    table.arrivedUs[slot] = now;
    table.serviceUs[slot] = serviceTimeUs ?? -1;
    table.over[slot] = 0;
    table.awaited[slot] = 0;
    table.counted[slot] = counted ? 1 : 0;
    table.workloads[slot] = workload;
    table.users[slot] = sender;
    table.proxies[slot] = proxyIndex;
    table.clusters[slot] = cluster;
    table.rows[slot] = host.index;
    table.servers[slot] = server.index;
    table.timeoutsUs[slot] = timeoutUs;
    table.hosts[slot] = host;
    table.subsets[slot] = decision.subset;
    table.states[slot] = RequestState.travelling;
    upstream.requests.upstreamRqTotal++;
    upstream.requests.upstreamRqActive++;
    host.activeRequests++;
    if (counted) upstream.recorder.sent(host.index, decision.subset);

    switch (server.behavior.down) {
      case 'refuse':
        table.states[slot] = RequestState.lost;
        upstream.requests.upstreamCxConnectFail++;
        this.breakOff(slot, 503);
        return;
      case 'hang':
        table.states[slot] = RequestState.lost;
        this.watch(slot, id, timeoutUs);
        return;
      case 'none':
        break;
    }
    const wireUs = server.drawWireUs();
    const outUs = Math.floor(wireUs / 2);
    table.returnUs[slot] = wireUs - outUs;
    if (outUs > 0) this.await(slot, now + outUs, EventKind.hostArrival);
    else this.serve(slot, server);
    if (table.states[slot] !== RequestState.free && table.ids[slot] === id) this.watch(slot, id, timeoutUs);
  }

  /** The request is at its host: served at once, queued, or turned away. */
  private serve(slot: number, server: Server): void {
    const { table } = this;
    if (!server.busy) {
      this.beginService(slot, server);
      return;
    }
    if (server.queueFull) {
      table.statuses[slot] = server.behavior.errorStatus;
      table.states[slot] = RequestState.returning;
      this.sendBack(slot);
      return;
    }
    table.states[slot] = RequestState.queued;
    server.queue.push(slot);
  }

  private beginService(slot: number, server: Server): void {
    const { table } = this;
    const ownUs = table.serviceUs[slot] as number;
    const serviceUs = ownUs >= 0 ? ownUs : server.drawServiceUs();
    table.statuses[slot] = server.drawStatus();
    if (serviceUs === 0) {
      table.states[slot] = RequestState.returning;
      this.sendBack(slot);
      return;
    }
    server.inService++;
    table.states[slot] = RequestState.inService;
    this.await(slot, this.world.nowUs + serviceUs, EventKind.response);
  }

  private sendBack(slot: number): void {
    const returnUs = this.table.returnUs[slot] as number;
    if (returnUs > 0) this.await(slot, this.world.nowUs + returnUs, EventKind.response);
    else this.answer(slot);
  }

  private await(slot: number, timeUs: Micros, kind: EventKind): void {
    this.table.awaited[slot] = 1;
    this.world.queue.push(timeUs, kind, slot);
  }

  // --- endings -----------------------------------------------------------------------------------------------------

  /** The host's answer is here. */
  private answer(slot: number): void {
    const { table, world } = this;
    if (table.over[slot] === 1) {
      table.release(slot);
      return;
    }
    const status = table.statuses[slot] as number;
    if (table.counted[slot] === 1) {
      const latencyUs = world.nowUs - (table.arrivedUs[slot] as number);
      this.upstreamOf(slot).recorder.answered(
        table.rows[slot] as number,
        table.subsets[slot],
        latencyUs,
        status >= 500,
      );
    }
    this.close(slot, status);
    table.release(slot);
  }

  /** The request ends without an answer of its host: the proxy answers with `status`. */
  private breakOff(slot: number, status: number): void {
    const { table } = this;
    if (table.counted[slot] === 1)
      this.upstreamOf(slot).recorder.broken(table.rows[slot] as number, table.subsets[slot]);
    this.close(slot, status);
    this.releaseIfOver(slot);
  }

  private expire(slot: number): void {
    this.upstreamOf(slot).requests.upstreamRqTimeout++;
    this.breakOff(slot, 504);
  }

  /** The client has its answer. */
  private close(slot: number, status: number): void {
    const { table, totals, world } = this;
    const now = world.nowUs;
    const upstream = this.upstreamOf(slot);
    const host = table.hosts[slot];
    if (host !== undefined) host.activeRequests--;
    upstream.requests.upstreamRqActive--;
    upstream.requests.countStatus(status);
    table.over[slot] = 1;
    const arrivedUs = table.arrivedUs[slot] as number;
    if (table.counted[slot] === 1) {
      if (status < 500) totals.success++;
      else totals.failed++;
      this.expectations.ended(table.clusters[slot] as number, status, now - arrivedUs, arrivedUs);
    }
    this.ended(table.users[slot] as number, arrivedUs, now);
  }

  /** A closed workload's user thinks, then sends again. */
  private ended(sender: number, arrivedUs: Micros, now: Micros): void {
    if (now > this.lastEndUs) this.lastEndUs = now;
    if (sender === -1) return;
    const from = this.senders[sender] as Sender;
    if (from.kind !== 'user') return;
    const thinkUs = from.source.thinkTime?.() ?? 0;
    const next = thinkUs === 0 && arrivedUs === now ? now + QUICKEST_USER_US : now + thinkUs;
    this.world.queue.push(next, EventKind.arrival, sender, from.source.index);
  }

  /** Gives the slot back once nobody refers to it any more: a host's queue, an event, a waiting client. */
  private releaseIfOver(slot: number): void {
    const { table } = this;
    if (table.over[slot] === 0 || table.awaited[slot] === 1) return;
    if (table.states[slot] === RequestState.lost) table.release(slot);
  }

  private watch(slot: number, id: number, timeoutUs: Micros): void {
    if (timeoutUs === 0) return;
    let deadlines = this.deadlines.get(timeoutUs);
    if (deadlines === undefined) {
      const { table } = this;
      deadlines = new Deadlines(
        timeoutUs,
        this.world.timers,
        (candidate, of) =>
          table.ids[candidate] === of && table.states[candidate] !== RequestState.free && table.over[candidate] === 0,
        (expired) => this.expire(expired),
      );
      this.deadlines.set(timeoutUs, deadlines);
    }
    deadlines.add(slot, id, this.world.nowUs);
  }

  private upstreamOf(slot: number): ProxyCluster {
    const { table } = this;
    return this.world.proxyAt(table.proxies[slot] as number).clusterAt(table.clusters[slot] as number);
  }

  private report(id: number, proxy: string, worker: number, workload: number, cluster: string): void {
    const { decision, request } = this;
    const { host } = decision;
    this.hooks.onDecision?.({
      request: id,
      attempt: 0,
      tUs: this.world.nowUs,
      proxy,
      worker,
      workload: this.sources[workload]?.workload.name ?? null,
      cluster,
      hash: request.hasHash ? toDecimal(request.hashHi, request.hashLo) : null,
      host: host?.address ?? null,
      priority: host === undefined ? null : decision.priority,
      locality: host === undefined ? null : localityResult(host.locality),
      subset: decision.subset ?? null,
      panic: decision.panic,
    });
  }
}

/** A weighted cluster's metadata overrides the route's, key by key. */
function mergeMatch(route: Struct | undefined, cluster: Struct | undefined): Struct | undefined {
  if (route === undefined || cluster === undefined) return cluster ?? route;
  return { ...route, ...cluster };
}
