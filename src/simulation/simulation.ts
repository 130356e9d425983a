import type { Micros } from '../core/units.js';
import type { Totals } from '../result/run-result.js';
import type { WorldSettings } from '../settings/world.js';
import type { StatsSnapshot } from '../stats/store.js';
import { EventKind } from './timers.js';
import type { Measurements } from './stats/measurements.js';
import type { Proxy } from './proxy.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { RequestStory } from './request-story.js';
import { Router } from './router.js';
import { Senders } from './senders.js';
import type { StatsFeed } from './stats/stats-feed.js';
import { createTimeline } from './timeline.js';
import type { TrafficHooks } from './stats/traffic-records.js';
import { World, type WorldOptions } from './world.js';

/** Who watches a run: each is made of its world before anything happens. */
export interface Observers {
  readonly measure?: ((world: World) => Measurements) | undefined;
  readonly tell?: ((world: World) => RequestStory) | undefined;
  readonly feed?: ((world: World) => StatsFeed) | undefined;
}

/** A flush lists every statistic, which takes as long as several hundred events of requests. */
const FLUSH_EVENTS = 200;
/** Events that are not about one request may visit every host: they count for more, so that a slice ends in time. */
const RARE_EVENTS = 127;

/** One run in virtual time. The caller drives it in slices, to show progress or to stop: the result is the same. */
export class Simulation {
  protected readonly world: World;
  protected readonly measurements: Measurements | undefined;
  protected readonly router: Router;
  private readonly senders: Senders;
  protected readonly timeline: ReturnType<typeof createTimeline>;
  /** The end of the run; without a duration, when nothing is left to send and no request is open. */
  private readonly durationUs: Micros;
  /** Workloads have traffic until then, so virtual time continues until then. */
  private readonly lastStopUs: Micros;
  private readonly feed: StatsFeed | undefined;
  protected finished = false;

  constructor(
    settings: WorldSettings,
    options: TrafficHooks & WorldOptions = {},
    { measure, tell, feed }: Observers = {},
  ) {
    this.world = new World(settings, options);
    this.measurements = measure?.(this.world);
    const names = settings.workloads.map((workload) => workload.name);
    this.router = new Router(this.world, names, this.measurements, options, tell?.(this.world));
    this.senders = new Senders(this.world, this.router);
    this.router.onEnded = (sender, arrivedUs) => this.senders.requestEnded(sender, arrivedUs);
    this.timeline = createTimeline(this.world, this.router, this.senders);
    this.feed = feed?.(this.world);
    this.durationUs = settings.durationUs ?? Infinity;
    this.lastStopUs = settings.workloads.reduce((last, { stopUs = 0 }) => Math.max(last, stopUs), 0);
  }

  /** None later than `untilUs`; events that are not about one request count for several. @returns true once the run is over. */
  advance(maxEvents: number, untilUs: Micros = Infinity): boolean {
    const { world, senders, feed } = this;
    const { queue } = world;
    if (this.finished) return true;
    // Before this only events can happen, as long as senders are left.
    let eventsUntilUs = this.eventsUntilUs(untilUs);
    for (let handled = 0; handled < maxEvents; handled++) {
      const next = queue.nextUs;
      if (next >= eventsUntilUs || senders.active === 0) {
        const isOver = next > this.durationUs || next === Infinity || this.isQuiet(next);
        const endUs = isOver ? this.endUs : this.durationUs;
        const isFlush = feed !== undefined && feed.nextUs <= next && feed.nextUs < endUs;
        if ((isFlush ? feed.nextUs : Math.min(next, endUs)) > untilUs) break;
        if (isFlush) {
          world.nowUs = feed.nextUs;
          feed.flushDue();
          eventsUntilUs = this.eventsUntilUs(untilUs);
          handled += FLUSH_EVENTS;
          continue;
        }
        if (isOver) {
          this.finish();
          break;
        }
      }
      queue.pop();
      world.nowUs = queue.timeUs;
      const { kind } = queue;
      this.handle(kind, queue.payload);
      if (kind <= EventKind.healthResult) handled += RARE_EVENTS;
    }
    return this.finished;
  }

  get nowUs(): Micros {
    return this.world.nowUs;
  }

  get nextUs(): Micros {
    const next = this.world.queue.nextUs;
    const endUs = next === Infinity || this.isQuiet(next) ? this.endUs : this.durationUs;
    return Math.min(next, endUs, this.feed?.nextUs ?? Infinity);
  }

  /** When statistics are flushed next; Infinity where they are not observed. */
  get nextFlushUs(): Micros {
    return this.feed?.nextUs ?? Infinity;
  }

  /** The statistics of one proxy now, its histograms as of its last flush; undefined where they are not observed. */
  statsOf(proxy: number): StatsSnapshot | undefined {
    return this.feed?.look(proxy, this.world.nowUs);
  }

  get proxies(): readonly Proxy[] {
    return this.world.proxies;
  }

  /** What happened to the request that the hooks asked about; undefined: they asked about none. */
  get story(): RequestStory | undefined {
    return this.router.story;
  }

  /** How far the run has come, 0–1, by virtual time where its end is known. */
  get progress(): number {
    if (this.finished) return 1;
    const end = this.durationUs === Infinity ? this.lastStopUs : this.durationUs;
    return end === 0 ? 0 : Math.min(this.world.nowUs / end, 1);
  }

  get totals(): Totals {
    return { ...this.router.counts.totals, in_flight: this.router.countOpen() };
  }

  clusterOfFirstProxy(name: string): ProxyCluster {
    return this.world.proxyAt(0).clusterAt(this.world.clusterIndex(name));
  }

  /** The run will not continue: statistics are flushed a last time, as when a proxy shuts down. */
  abandon(): void {
    if (!this.finished) this.feed?.finish(this.world.nowUs);
  }

  /** Without a duration a run is over when no sender and no open request is left, and the timeline is done. */
  private isQuiet(nextUs: Micros): boolean {
    if (this.senders.active > 0 || this.durationUs !== Infinity) return false;
    return this.router.requests.open === 0 && nextUs > this.lastStopUs;
  }

  private handle(kind: EventKind, payload: number): void {
    switch (kind) {
      case EventKind.arrival:
        this.senders.arrive(payload);
        break;
      case EventKind.response:
        this.router.hosts.respond(payload);
        break;
      case EventKind.hostArrival:
        this.router.hosts.reachHost(payload);
        break;
      case EventKind.timer:
      case EventKind.timeline:
      case EventKind.healthResult:
      case EventKind.connected:
        this.world.timers.fire(payload);
        break;
      case EventKind.delivery:
        this.timeline.deliver();
        break;
    }
  }

  private eventsUntilUs(untilUs: Micros): Micros {
    return Math.min(untilUs, this.durationUs, this.feed?.nextUs ?? Infinity);
  }

  private get endUs(): Micros {
    return this.durationUs === Infinity ? Math.max(this.router.lastEndUs, this.lastStopUs) : this.durationUs;
  }

  private finish(): void {
    this.finished = true;
    this.world.nowUs = this.endUs;
    this.feed?.finish(this.world.nowUs);
  }
}
