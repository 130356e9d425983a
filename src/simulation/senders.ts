import { factsOf } from '../policy/registry.js';
import type { Micros } from '../core/units.js';
import { hashInto, xxhash64String } from '../hash/text-hashes.js';
import { durationSampler, type DurationSampler, sampler } from '../random/samplers.js';
import { ScriptedRandom } from '../random/random64.js';
import { drawIndex, runningSums } from '../random/draws.js';
import type { RandomStream } from '../random/streams.js';
import { around, leafOf } from '../hostset/lb-config.js';
import type { ClusterSettings } from '../settings/cluster-settings.js';
import * as worlds from '../settings/world.js';
import { arrivalProcess, type ArrivalProcess } from './arrivals.js';
import { EventKind } from './timers.js';
import { type PlanOrigin, requestPlan, type RequestPlan } from './request-plan.js';
import { Clients, type Place, readsRequests, Routing } from './routing.js';
import type { Router } from './router.js';
import type { World } from './world.js';

/** Over proxies by their shares, and there over workers evenly. */
class RequestDistributor {
  private readonly targets = [...this.proxies.entries()].flatMap(([index, { spec }]) =>
    this.names?.includes(spec.name) === false ? [] : [{ ...spec, index }],
  );
  private readonly sums = runningSums(this.targets.map(({ share }) => share));
  private readonly isOnlyOne = this.targets.length <= 1 && (this.targets[0]?.workers ?? 1) === 1;
  proxy: number = this.targets[0]?.index ?? 0;
  worker = 0;

  /** @param names the proxies that take part; undefined: all. */
  constructor(
    private readonly proxies: readonly { readonly spec: Pick<worlds.ProxySpec, 'name' | 'share' | 'workers'> }[],
    private readonly names: readonly string[] | undefined,
    private readonly stream: RandomStream,
  ) {}

  /** No draw where there is only one. */
  next(): void {
    if (this.isOnlyOne) return;
    const { targets, sums, stream } = this;
    const target = targets[targets.length > 1 ? drawIndex(sums, stream) : 0];
    this.proxy = target?.index ?? 0;
    const workers = target?.workers ?? 1;
    this.worker = workers === 1 ? 0 : Math.floor(stream.uniform() * workers);
  }
}

/** Minimum time between an answer and the next request of a user of a closed workload: no client is faster. */
const QUICKEST_USER_US = 100;

/** The sender of the next request: the payload of an arrival event is an index into the list of these. */
type Sender =
  | { readonly kind: 'open'; readonly source: WorkloadSource; stale: boolean }
  | { readonly kind: 'user'; readonly source: WorkloadSource; readonly user: number; readonly place: Place }
  | { readonly kind: 'explicit'; readonly request: worlds.ExplicitRequest; readonly next: number };

interface WorkloadSource {
  readonly index: number;
  readonly workload: worlds.Workload;
  readonly stopUs: Micros;
  /** By cluster of its route, with the running sums of their weights. */
  readonly plans: readonly RequestPlan[];
  readonly cumulativeWeights: Float64Array;
  readonly routeStream: RandomStream;
  readonly keys: KeySource | undefined;
  /** Finds clusters and hashes by what requests carry; undefined: weights and keys say it all. */
  readonly routing: Routing | undefined;
  readonly clients: Clients | undefined;
  readonly distributor: RequestDistributor;
  /** Open workloads only. */
  readonly process: ArrivalProcess | undefined;
  readonly thinkTime: DurationSampler | undefined;
  sender: number;
}

export class Senders {
  active = 0;
  private readonly senders: Sender[] = [];
  private readonly sources: WorkloadSource[] = [];
  /** Draws of explicit requests, one after the other. */
  private readonly routes = this.world.streams.stream('route');
  /** The keys themselves are needed, not only their hashes. */
  private readonly readsKeys: boolean;
  /** Clusters say themselves what is hashed. */
  private readonly clustersHash: boolean;

  constructor(
    private readonly world: World,
    private readonly router: Router,
  ) {
    const { settings } = world;
    const updates = worlds.actionsOf(settings.timeline, 'update_cluster');
    const clusters = [...settings.clusters, ...updates.map(({ cluster }) => cluster)];
    this.clustersHash = clusters.some(({ hashSources }) => hashSources.length > 0);
    this.readsKeys =
      worlds.statedBehaviors(settings).some(({ serviceTime }) => serviceTime?.kind === 'cached') ||
      clusters.some(readsHeaders) ||
      settings.workloads.some(({ hashKey }) => hashKey?.kind === 'cycle' && hashKey.keys.includes(''));
    for (const [index, workload] of settings.workloads.entries()) this.addWorkload(workload, index);
    this.addExplicitRequests(settings.requests);
  }

  /** An arrival event of {@link EventKind.arrival} is due. */
  arrive(payload: number): void {
    const sender = this.senders[payload] as Sender;
    switch (sender.kind) {
      case 'open': {
        if (sender.stale) return;
        const { source } = sender;
        this.scheduleOpen(source);
        source.distributor.next();
        this.start(source, -1, source.distributor);
        return;
      }
      case 'user':
        this.start(sender.source, payload, sender.place, sender.user);
        return;
      case 'explicit':
        if (sender.next === -1) this.active--;
        else this.pushExplicit(sender.next);
        this.startExplicit(sender.request);
        return;
    }
  }

  /** A request is over: a closed workload's user thinks, then sends again. */
  requestEnded(sender: number, arrivedUs: Micros): void {
    const from = this.senders[sender] as Sender;
    if (from.kind !== 'user') return;
    const { nowUs } = this.world;
    const thinkUs = from.source.thinkTime?.() ?? 0;
    const next = thinkUs === 0 && arrivedUs === nowUs ? nowUs + QUICKEST_USER_US : nowUs + thinkUs;
    this.scheduleUser(sender, from.source, next);
  }

  setRate(workload: string, perSecond: number): void {
    const source = this.sources.find((candidate) => candidate.workload.name === workload);
    if (source?.process === undefined) return;
    const sender = this.senders[source.sender];
    if (sender?.kind === 'open' && !sender.stale) {
      sender.stale = true;
      this.active--;
    }
    source.process.setRate(perSecond, Math.max(this.world.nowUs, source.workload.startUs));
    this.open(source);
  }

  private open(source: WorkloadSource): void {
    source.sender = this.senders.length;
    this.senders.push({ kind: 'open', source, stale: false });
    this.active++;
    this.scheduleOpen(source);
  }

  private addWorkload(workload: worlds.Workload, index: number): void {
    const { world } = this;
    const { name, arrivals, clients, hashKey, route } = workload;
    const routeStream = world.streams.stream(`route/${name}`);
    const origin = { workload: index, hashed: hashKey !== undefined && workload.routeHash, readsKey: this.readsKeys };
    const { plans, weights } = this.plansOf(workload, route, name, routeStream, origin);
    const closed = arrivals.kind === 'closed';
    const stream = world.streams.stream(`arrivals/${name}`);
    const source: WorkloadSource = {
      index,
      workload,
      stopUs: Math.min(workload.stopUs ?? Infinity, world.settings.durationUs ?? Infinity),
      plans,
      cumulativeWeights: weights,
      routeStream,
      keys: hashKey && new KeySource(hashKey, world.streams.stream(`keys/${name}`)),
      routing: readsRequests(workload, this.clustersHash)
        ? new Routing(world, workload, plans, route, routeStream)
        : undefined,
      clients: clients && new Clients(clients, new KeySource(clients.turns, world.streams.stream(`clients/${name}`))),
      distributor: new RequestDistributor(world.proxies, workload.proxies, world.streams.stream(`dispatch/${name}`)),
      process: closed ? undefined : arrivalProcess(arrivals, workload.startUs, stream),
      thinkTime: closed ? durationSampler(arrivals.thinkTime, () => stream) : undefined,
      sender: -1,
    };
    this.sources.push(source);
    if (!closed) {
      this.open(source);
      return;
    }
    for (let user = 0; user < arrivals.users; user++) {
      source.distributor.next();
      const { proxy, worker } = source.distributor;
      this.active++;
      this.scheduleUser(this.senders.length, source, workload.startUs);
      const connects = clients === undefined && workload.tcp === undefined;
      const place = connects ? this.connected({ proxy, worker }) : { proxy, worker };
      this.senders.push({ kind: 'user', source, user, place });
    }
  }

  /** A user who would send after the stop is done now: the run does not wait for it. */
  private scheduleUser(sender: number, { stopUs, index }: WorkloadSource, atUs: Micros): void {
    if (atUs >= stopUs) this.active--;
    else this.world.queue.push(atUs, EventKind.arrival, sender, index);
  }

  /** Requests follow the workloads at one instant, and each other in file order. */
  private addExplicitRequests(requests: readonly worlds.ExplicitRequest[]): void {
    const end = this.world.settings.durationUs ?? Infinity;
    const ordered = requests.map((request, index) => ({ request, index })).filter(({ request }) => request.atUs < end);
    if (ordered.length === 0) return;
    ordered.sort((a, b) => a.request.atUs - b.request.atUs || a.index - b.index);
    const first = this.senders.length;
    for (const [position, { request }] of ordered.entries()) {
      const next = position + 1 < ordered.length ? first + position + 1 : -1;
      this.senders.push({ kind: 'explicit', request, next });
    }
    this.active++;
    this.pushExplicit(first);
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
    this.active--;
    const sender = this.senders[source.sender];
    if (sender?.kind === 'open') sender.stale = true;
  }

  /** @param sender the sender that waits for the answer; -1: none. @param user of a closed workload. */
  private start(source: WorkloadSource, sender: number, place: Place, user?: number): void {
    const { plans, cumulativeWeights, keys, routing } = source;
    keys?.next();
    if (routing !== undefined) {
      this.startRouted(source, routing, sender, place, user);
      return;
    }
    const { proxy, worker } = place;
    const plan = drawn(plans, cumulativeWeights, source.routeStream);
    if (keys === undefined) this.router.route(plan, proxy, worker, sender, 0, 0, undefined);
    else this.router.route(plan, proxy, worker, sender, keys.hi, keys.lo, plan.readsKey ? keys.text : undefined);
  }

  private startRouted(source: WorkloadSource, routing: Routing, sender: number, place: Place, user?: number): void {
    const { keys, clients, workload } = source;
    const client = clients?.next(user) ?? { number: 0 };
    const isLasting = clients !== undefined && workload.tcp === undefined;
    const { proxy, worker } = isLasting ? (client.place ??= this.connected(place)) : place;
    const key = keys?.text;
    const ofKey = keys !== undefined && key !== '' && workload.routeHash ? { hi: keys.hi, lo: keys.lo } : undefined;
    const { plan, hash } = routing.next(this.world.proxyAt(proxy), client, key, ofKey);
    const { sentByWorker } = this.world.proxyAt(proxy).clusterAt(plan.cluster);
    if (isLasting) sentByWorker[worker] = (sentByWorker[worker] ?? 0) + 1;
    this.router.route(plan, proxy, worker, sender, hash?.hi ?? 0, hash?.lo ?? 0, key);
  }

  /** A connection that lasts. */
  private connected({ proxy, worker }: Place): Place {
    return { proxy, worker: this.world.proxyAt(proxy).accept(worker) };
  }

  /** One for each cluster of a route, with the running sums of their weights. */
  private plansOf(
    spec: worlds.RequestSpec,
    route: worlds.Workload['route'],
    name: string,
    random: RandomStream,
    origin: Omit<PlanOrigin, 'cluster' | 'metadataMatch' | 'size' | 'tcp'>,
  ) {
    const weights = runningSums(route.map(({ weight }) => weight));
    const stream = (): RandomStream => this.world.streams.stream(`lifetimes/${name}`);
    const size = spec.size && sizeSampler(spec.size, () => this.world.streams.stream(`sizes/${name}`));
    const again = (): RequestPlan => drawn(plans, weights, random);
    const plans: readonly RequestPlan[] = route.map(({ cluster, metadataMatch }) => {
      const tcp = spec.tcp && { ...spec.tcp, lifetimeUs: durationSampler(spec.tcp.lifetime, stream), again };
      return requestPlan(spec, { ...origin, cluster: this.world.clusterIndex(cluster), metadataMatch, size, tcp });
    });
    return { plans, weights };
  }

  private startExplicit(explicit: worlds.ExplicitRequest): void {
    const { world } = this;
    const { cluster, metadataMatch, hashKey, random: script, answers, address, worker = 0 } = explicit;
    const given = explicit.hash ?? (hashKey === undefined || hashKey === '' ? undefined : xxhash64String(hashKey));
    const route = explicit.route ?? [{ cluster, weight: 1, metadataMatch }];
    const origin = { workload: -1, hashed: given !== undefined, script: script && new ScriptedRandom(script), answers };
    const { plans } = this.plansOf(explicit, route, '', this.routes, origin);
    const proxy = explicit.proxy === undefined ? 0 : world.proxyIndex(explicit.proxy);
    const routing = new Routing(world, explicit, plans, route, this.routes);
    const isRouted = plans.length > 1 || readsRequests(explicit, this.clustersHash);
    const { plan, hash } = isRouted
      ? routing.next(world.proxyAt(proxy), { number: 0, address }, hashKey, given)
      : { plan: plans[0] as RequestPlan, hash: given };
    this.router.route(plan, proxy, worker, -1, hash?.hi ?? 0, hash?.lo ?? 0, hashKey);
  }
}

export function sizeSampler(sizes: worlds.Sizes, streamOf: () => RandomStream): () => number {
  if (sizes.kind !== 'in_order') return sampler(sizes, streamOf);
  let next = 0;
  return () => sizes.values[next++] ?? 1;
}

/** By weight; no draw where there is only one. */
const drawn = (plans: readonly RequestPlan[], sums: Float64Array, random: RandomStream): RequestPlan =>
  plans[plans.length === 1 ? 0 : drawIndex(sums, random)] as RequestPlan;

/** The cluster's policy reads keys, or headers of requests, and the key is one. */
const readsHeaders = ({ policies }: ClusterSettings): boolean =>
  Object.values(policies).some(
    (policy) =>
      policy !== undefined &&
      (around(policy, 'override_host') !== undefined ||
        factsOf(leafOf(policy).lbPolicy)?.readsRequests === true ||
        leafOf(policy).consistentHashing.hashSources !== undefined),
  );

/** Hashes of up to this many different keys are kept; beyond, each request hashes its key. */
const REMEMBERED_KEYS = 1 << 20;

export class KeySource {
  /** Hash of the key drawn last, as two unsigned halves. */
  hi = 0;
  lo = 0;
  readonly count: number = worlds.keyCount(this.distribution);
  private readonly hashes: Uint32Array;
  private readonly known: Uint8Array;
  /** Of a Zipf distribution: running sums of the weights of its keys. */
  private readonly cumulative: Float64Array | undefined;
  private position = 0;
  /** Of the key drawn last. */
  index = 0;

  constructor(
    private readonly distribution: worlds.KeyDistribution,
    private readonly stream: RandomStream,
  ) {
    const remembered = this.count <= REMEMBERED_KEYS ? this.count : 0;
    this.hashes = new Uint32Array(2 * remembered);
    this.known = new Uint8Array(remembered);
    if (distribution.kind !== 'zipf') return;
    // The weight of a rank is rank^−exponent; rank 1 is key 0.
    const { exponent } = distribution;
    this.cumulative = runningSums(Float64Array.from({ length: this.count }, (_, key) => Math.pow(key + 1, -exponent)));
  }

  next(): void {
    const index = this.nextIndex();
    this.index = index;
    if (this.known[index] === 1) {
      this.hi = this.hashes[2 * index] as number;
      this.lo = this.hashes[2 * index + 1] as number;
      return;
    }
    hashInto(worlds.keyAt(this.distribution, index), this);
    if (index >= this.known.length) return;
    this.known[index] = 1;
    this.hashes[2 * index] = this.hi;
    this.hashes[2 * index + 1] = this.lo;
  }

  /** The key drawn last. */
  get text(): string {
    return worlds.keyAt(this.distribution, this.index);
  }

  private nextIndex(): number {
    switch (this.distribution.kind) {
      case 'uniform':
        return Math.floor(this.stream.uniform() * this.count);
      case 'zipf':
        return drawIndex(this.cumulative as Float64Array, this.stream);
      case 'sequence':
      case 'cycle': {
        const index = this.position;
        this.position = index + 1 === this.count ? 0 : index + 1;
        return index;
      }
    }
  }
}
