import { entryOf, sameItems } from '../../core/values.js';
import { type Micros, microsToSeconds, MICROS_PER_SECOND } from '../../core/units.js';
import type { Behavior, ConnectionEnd, BehaviorRule } from '../../settings/behavior.js';
import { capacityOf, mayFail, Behaviors, IDEAL_BEHAVIOR, seenFrom } from '../../settings/behavior.js';
import type { Host } from '../../host/host.js';
import type { LoadReport } from '../../policy/load-report.js';
import type { DurationDistribution } from '../../random/distributions.js';
import { atOnce, durationSampler, type DurationSampler } from '../../random/samplers.js';
import type { RandomStream, RandomStreams } from '../../random/streams.js';
import type { ProbeAnswer } from '../../policy/answers.js';
import type { SharedService } from './shared-service.js';
import { hostPredicate, type SelectableHost } from '../../settings/selector.js';

export interface BusiestHost {
  readonly server: Server;
  /** In units of what it can take: 1 is all of it. */
  readonly load: number;
  readonly fromUs: Micros;
  readonly toUs: Micros;
}

/**
 * What hosts are given, in units of what they can take, over stretches of equal length; the busiest of all is kept.
 * An attempt counts with the time that a host as it behaves now has to give for it, so that one which becomes slower has
 * less room from then on.
 */
export class HostLoad {
  /** Seconds of work in this stretch, by the number of the server. */
  private work: { readonly server: Server; seconds: number }[] = [];
  private stretch = 0;
  private highest: BusiestHost | undefined;
  private readonly seconds = new WeakMap<Behavior, number>();

  constructor(
    private readonly fromUs: Micros,
    private readonly toUs: Micros,
    private readonly overUs: Micros,
  ) {}

  given(server: Server, size: number, nowUs: Micros): void {
    if (nowUs < this.fromUs || nowUs >= this.toUs) return;
    const stretch = Math.floor((nowUs - this.fromUs) / this.overUs);
    if (stretch !== this.stretch) {
      this.highest = this.busiest(Infinity);
      this.work = [];
      this.stretch = stretch;
    }
    const { behavior } = server;
    const work = (this.work[server.index] ??= { server, seconds: 0 });
    work.seconds += size * entryOf(this.seconds, behavior, () => 1 / capacityOf(behavior));
  }

  /** undefined: none was given anything. A stretch that is cut short counts in full, unless it is the only one: a moment is none. */
  busiest(nowUs: Micros): BusiestHost | undefined {
    const fromUs = this.fromUs + this.stretch * this.overUs;
    const whole = fromUs + this.overUs;
    const endUs = Math.min(nowUs, this.toUs);
    const toUs = this.stretch === 0 && endUs > fromUs ? Math.min(whole, endUs) : whole;
    const length = microsToSeconds(toUs - fromUs);
    let { highest } = this;
    this.work.forEach(({ server, seconds }) => {
      const load = seconds / length;
      if (load > (highest?.load ?? 0)) highest = { server, load, fromUs, toUs };
    });
    return highest;
  }
}

/** A host measures its load second by second and reports the last whole one. */
const WINDOW_US = MICROS_PER_SECOND;

/** Parts of a report that are not measured here. */
const UNMEASURED = { memUtilization: 0, applicationUtilization: 0, namedMetrics: {}, utilization: {} } as const;

/** Answers and errors a second, and the average part of `concurrency` in use; a host without a limit reports a utilisation of 0. */
export class MeasuredLoad {
  private windowUs: Micros = 0;
  private answers = 0;
  private errors = 0;
  private busyUs = 0;
  private sinceUs: Micros = 0;
  private last: LoadReport | undefined;

  answered(error: boolean): void {
    this.answers++;
    if (error) this.errors++;
  }

  /** The load of the last whole second; undefined before one is over. */
  report(inService: number, nowUs: Micros, concurrency: number): LoadReport | undefined {
    this.busy(inService, nowUs, concurrency);
    return this.last;
  }

  /** Adds the time since the last change, with this many requests in service. */
  busy(count: number, nowUs: Micros, concurrency: number): void {
    // Those that share the host use no more than all of it.
    const inService = Math.min(count, concurrency);
    for (let endUs = this.windowUs + WINDOW_US; endUs <= nowUs; endUs = this.windowUs + WINDOW_US) {
      this.busyUs += inService * (endUs - this.sinceUs);
      this.sinceUs = endUs;
      this.last = {
        ...UNMEASURED,
        cpuUtilization: concurrency === Infinity ? 0 : this.busyUs / WINDOW_US / concurrency,
        rps: this.answers,
        eps: this.errors,
      };
      this.busyUs = 0;
      this.answers = 0;
      this.errors = 0;
      // After several idle seconds the exact number does not matter.
      this.windowUs = Math.max(endUs, nowUs - (nowUs % WINDOW_US) - WINDOW_US);
      this.sinceUs = Math.max(this.sinceUs, this.windowUs);
    }
    this.busyUs += inService * (nowUs - this.sinceUs);
    this.sinceUs = nowUs;
  }
}

const RECENT = 100;
/** Of them, those that count: the ones that came when about as much was to do. */
const NEAREST = 9;

/**
 * What a host knows of its own latency: for a number of requests in flight, the median of the latest answers to requests that
 * came when about as many were.
 * Source: Wydrowski et al., "Load is not what you should balance: Introducing Prequal", NSDI 2024, which does not say how many
 * answers count as the latest, nor how near is near: here they are the 9 nearest of 100.
 */
export class LatencyByLoad {
  private readonly latencies = new Float64Array(RECENT);
  private readonly inFlight = new Int32Array(RECENT);
  private count = 0;
  /** What {@link near} has said since the last answer, by the number of requests in flight. */
  private readonly known = new Map<number, Micros>();

  /** @param inFlight requests at the host when it came, without itself. */
  answered(inFlight: number, latencyUs: Micros): void {
    const index = this.count++ % RECENT;
    this.latencies[index] = latencyUs;
    this.inFlight[index] = inFlight;
    this.known.clear();
  }

  /** 0: it has answered nothing yet. */
  near(inFlight: number): Micros {
    return entryOf(this.known, inFlight, () => this.median(inFlight));
  }

  private median(inFlight: number): Micros {
    const size = Math.min(this.count, RECENT);
    if (size === 0) return 0;
    const apart = (index: number): number => Math.abs((this.inFlight[index] as number) - inFlight);
    const latest = Array.from({ length: size }, (_, ago) => (this.count - 1 - ago) % RECENT);
    // Of two that are equally near, the later one.
    const nearest = latest.sort((a, b) => apart(a) - apart(b)).slice(0, NEAREST);
    const sorted = nearest.map((index) => this.latencies[index] as number).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] as number;
  }
}

interface Waiting {
  readonly slot: number;
  behind: Waiting | undefined;
}

/** Kinds of draws of a server, each with its own stream. */
type StreamUse = 'service' | 'errors' | 'closes' | 'wire' | 'connect' | 'probes';

/** Times and errors come from streams of its own, so that another server's traffic, or another policy, does not change them. */
export class Server {
  /** Requests in service; {@link serve} changes it. */
  inService = 0;
  /** undefined: not measured. */
  private measured: MeasuredLoad | undefined;
  /** Its recent latencies; undefined: not needed so far. */
  latencies: LatencyByLoad | undefined;
  /** Those that share its time; undefined: none ever did. */
  shared: SharedService | undefined;
  /** Requests that it begins from now on share its time. */
  shares = false;
  /** It takes this many requests into service. */
  private places = Infinity;
  /** Length of the queue, which is linked from the first to the last by {@link Waiting.behind}. */
  queued = 0;
  private first: Waiting | undefined = undefined;
  private last: Waiting | undefined = undefined;

  hasRecovered = false;
  /** Of all clusters and priorities. */
  readonly hosts: SelectableHost[] = [];
  /** Streams in use: seeding one costs more than all the work of many a server. */
  private seeded: Map<StreamUse, RandomStream> | undefined;
  /** µs until the next connection is made. */
  drawConnectUs: DurationSampler = this.sampler(this.current.connectTime, 'connect');
  /** µs that the next request takes once it is served. */
  drawServiceUs: DurationSampler = this.sampler(this.current.serviceTime, 'service');
  /** µs on the wire, to the host and back together. */
  private drawWireUs: DurationSampler = this.sampler(this.current.networkLatency, 'wire');
  isDown = false;
  /** {@link wireUs} may be more than 0. */
  isRemote = false;
  /** The same by the zones of the proxy and the host. */
  private zoneDraws: Map<string, DurationSampler> | undefined;
  /** The same for the next probe, from a stream of its own: requests are as long on the wire without probes. */
  private drawProbeWireUs: DurationSampler = this.sampler(this.current.networkLatency, 'probes');

  constructor(
    readonly index: number,
    readonly address: string,
    private current: Behavior,
    private readonly streams: RandomStreams,
  ) {
    this.adapt();
  }

  get behavior(): Behavior {
    return this.current;
  }

  set behavior(behavior: Behavior) {
    const { serviceTime, networkLatency, connectTime } = this.current;
    if (behavior.serviceTime !== serviceTime) this.drawServiceUs = this.sampler(behavior.serviceTime, 'service');
    this.zoneDraws = undefined;
    if (behavior.networkLatency !== networkLatency) {
      this.drawWireUs = this.sampler(behavior.networkLatency, 'wire');
      this.drawProbeWireUs = this.sampler(behavior.networkLatency, 'probes');
    }
    if (behavior.connectTime !== connectTime) this.drawConnectUs = this.sampler(behavior.connectTime, 'connect');
    if (mayFail(this.current) && !mayFail(behavior)) this.hasRecovered = true;
    this.current = behavior;
    this.adapt();
  }

  /** µs on the wire, there and back, for a proxy of a zone. @param host that it takes this server for. */
  wireUs(from: string, host: Host | undefined, use: 'wire' | 'probes' = 'wire'): Micros {
    if (this.current.zoneLatency === undefined) return use === 'wire' ? this.drawWireUs() : this.drawProbeWireUs();
    const to = host?.locality.zone ?? '';
    this.zoneDraws ??= new Map<string, DurationSampler>();
    return entryOf(this.zoneDraws, `${use}\0${from}\0${to}`, () =>
      this.sampler(seenFrom(this.current, from, to).networkLatency, use),
    )();
  }

  private adapt(): void {
    const { loadReport, concurrency, queueLimit, discipline, zoneLatency, down } = this.current;
    this.isDown = down !== 'none';
    this.isRemote = zoneLatency !== undefined || this.drawWireUs !== atOnce;
    if (loadReport === 'measured') this.measured ??= new MeasuredLoad();
    this.shares = discipline === 'processor_sharing';
    this.places = this.shares ? concurrency + queueLimit : concurrency;
  }

  get inFlight(): number {
    return this.inService + this.queued;
  }

  /** What it answers to a probe; from the first one on it remembers its latencies. */
  answerProbe(): ProbeAnswer {
    const { inFlight } = this;
    this.latencies ??= new LatencyByLoad();
    return { inFlight, latencyUs: this.latencies.near(inFlight) };
  }

  serve(count: number, nowUs: Micros): void {
    this.measured?.busy(this.inService, nowUs, this.current.concurrency);
    this.inService = count;
  }

  answers(status: number): void {
    this.measured?.answered(status >= 500);
  }

  /** The load report of current answers; undefined: none. */
  loadReport(nowUs: Micros): LoadReport | undefined {
    const { loadReport, concurrency } = this.current;
    if (loadReport === 'none') return undefined;
    if (loadReport !== 'measured') return loadReport;
    return this.measured?.report(this.inService, nowUs, concurrency);
  }

  get busy(): boolean {
    return this.inService >= this.places;
  }

  get queueFull(): boolean {
    return this.shares || this.queued >= this.current.queueLimit;
  }

  enqueue(waiting: Waiting): void {
    if (this.last === undefined) this.first = waiting;
    else this.last.behind = waiting;
    this.last = waiting;
    this.queued++;
  }

  /** Removes the entry that has waited longest; there is one. */
  dequeue(): Waiting {
    const waiting = this.first as Waiting;
    this.first = waiting.behind;
    if (this.first === undefined) this.last = undefined;
    waiting.behind = undefined;
    this.queued--;
    return waiting;
  }

  drawConnectFailure(): boolean {
    const { connectFailureRate } = this.current;
    return connectFailureRate > 0 && this.stream('connect').uniform() < connectFailureRate;
  }

  drawConnectionEnd(): ConnectionEnd {
    const { closes, closeRate } = this.current;
    if (closes === 'never' || closeRate === 1) return closes;
    return this.stream('closes').uniform() < closeRate ? closes : 'never';
  }

  drawStatus(): number {
    const { errorRate, errorStatus } = this.current;
    if (errorRate === 0) return 200;
    return this.stream('errors').uniform() < errorRate ? errorStatus : 200;
  }

  private sampler(distribution: DurationDistribution, use: StreamUse): DurationSampler {
    return durationSampler(distribution, () => this.stream(use));
  }

  private stream(use: StreamUse): RandomStream {
    this.seeded ??= new Map<StreamUse, RandomStream>();
    return entryOf(this.seeded, use, () => this.streams.stream(`${use}/${this.address}`));
  }
}

/** One address is one server, in however many clusters and priorities; a behaviour rule applies if it matches any of its hosts. */
export class Servers {
  private readonly servers: Server[] = [];
  private readonly byAddress = new Map<string, Server>();
  readonly behaviors: Behaviors;
  /** How many hosts there are: a rule may be for each. */
  hosts = 0;
  /** Rules that set the pace of servers: who is slow depends on all others. */
  paces = 0;

  constructor(
    rules: readonly BehaviorRule[],
    private readonly streams: RandomStreams,
  ) {
    this.behaviors = new Behaviors(rules);
  }

  at(index: number): Server {
    return this.servers[index] as Server;
  }

  /** The server at the address of `host`, which is recorded as one more host of it. */
  of(host: SelectableHost): Server {
    const server = entryOf(this.byAddress, host.address, () => {
      const made = new Server(this.servers.length, host.address, IDEAL_BEHAVIOR, this.streams);
      this.servers.push(made);
      return made;
    });
    // Each proxy of a fleet has it.
    if (server.hosts.some((one) => sameItems(Object.values(one), Object.values(host)))) return server;
    server.hosts.push(host);
    this.hosts++;
    server.behavior = this.behaviors.of(server.hosts);
    return server;
  }

  /** Who answers the health checks of a host at another port; undefined: nothing is known of that. */
  checkedAt(host: SelectableHost): Server | undefined {
    const { byAddress, behaviors } = this;
    return byAddress.get(host.address) ?? (behaviors.addresses.has(host.address) ? this.of(host) : undefined);
  }

  /** Adds a rule, which also applies to hosts that come later. @returns the servers that it changes, and what they did before. */
  addRule(rule: BehaviorRule): ReadonlyMap<Server, Behavior> {
    this.behaviors.add(rule);
    if (rule.behavior.serviceTime !== undefined || rule.behavior.concurrency !== undefined) this.paces++;
    const means = hostPredicate(rule.hosts);
    const only = this.byAddress.get(rule.hosts.address ?? '');
    const before = new Map<Server, Behavior>();
    for (const server of only === undefined ? this.servers : [only]) {
      if (!server.hosts.some(means)) continue;
      before.set(server, server.behavior);
      server.behavior = { ...server.behavior, ...rule.behavior };
    }
    return before;
  }
}
