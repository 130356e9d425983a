import { assert } from '../../core/assert.js';
import { byKind, own } from '../../core/values.js';
import type { FailureCause } from '../../core/failure-cause.js';
import { type Micros, microsToSeconds, MICROS_PER_SECOND } from '../../core/units.js';
import type { StatsResult } from '../../result/run-result.js';
import type { Measure, MeasureSubject } from '../../settings/generated/measures.js';
import { clusterStat } from '../../stats/store.js';
import { statsFilter } from '../../stats/matcher.js';
import { collectStats, presentClusters, statPrefix } from './cluster-stats.js';
import type { ClusterWorld } from '../environment.js';
import type { World } from '../world.js';
import { crosses } from '../../result/fleet.js';
import { DurationRecorder } from '../../result/latency.js';
import { endOf, type ProxySpec } from '../../settings/world.js';
import { hostPredicate, selectableHost, type Selector } from '../../settings/selector.js';
import { type BusiestHost, HostLoad } from '../servers/server.js';

/** So many looks at a window: what is constant half of the time is off by a thousandth at most. */
const LOOKS = 1000;
/** Its multiples are spread evenly over a step, and no two of the first thousand are close. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A statistic as it is at one moment; undefined: it does not exist. */
export type StatLook = Readonly<{ kind: 'counter' | 'gauge'; value: number }>;

interface StatWatch {
  timeUs(index: number): Micros | undefined;
  see(look: StatLook, atUs: Micros): void;
}

/**
 * The mean of a statistic over a window of time: of a gauge the mean of what it is at moments all over the window, of a
 * counter what it grew by from the first moment to the last, per second.
 * The moments lie one in each of equal steps, at another place of each, so that what happens at an even pace is met at all
 * of its phases.
 */
export class StatMean implements StatWatch {
  /** When to look, ascending. */
  private readonly timesUs: readonly Micros[];
  private looks = 0;
  private sum = 0;
  private first: (StatLook & { readonly atUs: Micros }) | undefined;
  private last: (StatLook & { readonly atUs: Micros }) | undefined;

  constructor(fromUs: Micros, toUs: Micros) {
    const step = (toUs - fromUs) / LOOKS;
    const inside = Array.from({ length: LOOKS }, (_, index) =>
      Math.round(fromUs + step * (index + ((index * GOLDEN) % 1))),
    );
    this.timesUs = toUs > fromUs ? [fromUs, ...inside, toUs] : [];
  }

  /** undefined: no more. */
  timeUs(index: number): Micros | undefined {
    return this.timesUs[index];
  }

  see(look: StatLook, atUs: Micros): void {
    const seen = { ...look, atUs };
    this.first ??= seen;
    this.last = seen;
    this.looks++;
    this.sum += look.value;
  }

  /** null: it did not exist. */
  get mean(): number | null {
    const { first, last } = this;
    if (first === undefined || last === undefined) return null;
    if (first.kind === 'gauge') return this.sum / this.looks;
    const seconds = (last.atUs - first.atUs) / MICROS_PER_SECOND;
    return seconds === 0 ? null : (last.value - first.value) / seconds;
  }
}

/** By which flushes of a proxy a statistic has grown first and last. */
export class StatGrowth implements StatWatch {
  firstUs: Micros | undefined;
  lastUs: Micros | undefined;
  private before = 0;

  constructor(
    private readonly everyUs: Micros,
    private readonly endUs: Micros,
  ) {}

  timeUs(index: number): Micros | undefined {
    const atUs = (index + 1) * this.everyUs;
    return atUs < this.endUs ? atUs : undefined;
  }

  see({ kind, value }: StatLook, atUs: Micros): void {
    if (kind === 'counter' && value > this.before) {
      this.firstUs ??= atUs;
      this.lastUs = atUs;
    }
    this.before = value;
  }
}

/** What measures ask of a request besides its host: its hash, in two halves, and the place of its proxy. */
export interface MeasuredRequest {
  readonly plan: { readonly hashed: boolean };
  readonly hashHi: number;
  readonly hashLo: number;
  readonly size: number;
  readonly upstream: { readonly proxy: { readonly spec: Pick<ProxySpec, 'node'> } };
}

/** The server of each key: before a window, or the first in it; and the last in it, of keys that came before. */
class MovedKeys {
  private readonly before = new Map<number, number>();
  private readonly after = new Map<number, number>();

  /** @param fromTheStart nothing comes before the window: the first host of each key counts as the one before. */
  constructor(private readonly fromTheStart: boolean) {}

  seen({ hashHi, hashLo }: MeasuredRequest, server: number, inside: boolean): void {
    // As good as the 64 bits: of a million keys two share a number once in 10,000 runs.
    const key = hashHi * 2 ** 32 + hashLo;
    if (inside && this.before.has(key)) this.after.set(key, server);
    else if (!inside || this.fromTheStart) this.before.set(key, server);
  }

  /** null: no key came again. */
  moved(): number | null {
    return this.part(() => true);
  }

  /** Those that left a host which still has others. */
  needless(): number | null {
    const alive = new Set(this.after.values());
    return this.part((before) => alive.has(before));
  }

  private part(counts: (before: number) => boolean): number | null {
    let moved = 0;
    for (const [key, server] of this.after) {
      const before = this.before.get(key);
      if (before !== undefined && before !== server && counts(before)) moved++;
    }
    return this.after.size === 0 ? null : moved / this.after.size;
  }
}

export class Measurement {
  /** Decisions in the window, and those that count. */
  decisions = 0;
  hits = 0;
  readonly fromUs: Micros;
  readonly toUs: Micros;
  readonly statMean: StatMean | undefined;
  /** Of a statistic that sinks get. */
  readonly statGrowth: StatGrowth | undefined;
  /** Its number; -1: it is of no cluster. */
  readonly cluster: number;
  readonly subject: MeasureSubject;
  private readonly load: HostLoad | undefined;
  private readonly keys: MovedKeys | undefined;
  /** Decisions of proxies with a place. */
  private placed = 0;
  /** Requests that ended, that succeeded, and that failed with the given cause. */
  private ended = 0;
  private succeeded = 0;
  private failed = 0;
  private readonly latency = new DurationRecorder();
  /** Which rows the selector matches, by cluster and row; grows with the rows. */
  private readonly matching: boolean[][] = [];

  constructor(
    { subject, during }: Measure,
    private readonly world: World,
  ) {
    const { settings } = world;
    this.subject = subject;
    this.cluster = 'cluster' in subject ? world.clusterIndex(subject.cluster) : -1;
    this.fromUs = during?.[0] ?? 0;
    this.toUs = during?.[1] ?? Infinity;
    if (subject.kind === 'mean_stat') this.statMean = new StatMean(this.fromUs, Math.min(this.toUs, endOf(settings)));
    const sends = world.proxies.find(({ spec }) => spec.statsSinks.length > 0)?.spec;
    if (subject.kind === 'stat' && sends !== undefined)
      this.statGrowth = new StatGrowth(sends.statsFlushIntervalUs, endOf(settings));
    if (subject.kind === 'moved_keys') this.keys = new MovedKeys(this.fromUs === 0);
    if (subject.kind === 'host_load') {
      // Nothing before it is counted.
      this.load = new HostLoad(Math.max(this.fromUs, settings.warmupUs), this.toUs, subject.overUs);
    }
  }

  /** @param row the chosen host; -1: none. @param home the cluster of the host: for an aggregate, a member. */
  decided(row: number, nowUs: Micros, home: ClusterWorld, request: MeasuredRequest): void {
    if (nowUs >= this.toUs) return;
    const { keys, subject, load } = this;
    if (row !== -1 && request.plan.hashed) keys?.seen(request, home.serverOf(row).index, nowUs >= this.fromUs);
    if (nowUs < this.fromUs) return;
    this.decisions++;
    if (subject.kind === 'crosses_zones' && row !== -1) {
      const from = request.upstream.proxy.spec.node?.locality;
      // Proxies without a place are in none.
      if (from !== undefined) this.placed++;
      if (from !== undefined && crosses(from, home.rows.rows[row]?.locality)) this.hits++;
    }
    if (subject.kind === 'no_host' && row === -1) this.hits++;
    if (subject.kind === 'share' && row !== -1 && this.means(subject.hosts, row, home)) this.hits++;
    if (row !== -1) load?.given(home.serverOf(row), request.size, nowUs);
  }

  /** A request is over. @param cause undefined: it succeeded. @param latencyUs as `latencyOf` has it. */
  finished(cause: FailureCause | undefined, latencyUs: Micros | undefined, arrivedUs: Micros): void {
    if (arrivedUs < this.fromUs || arrivedUs >= this.toUs) return;
    const { subject } = this;
    this.ended++;
    if (cause === undefined) this.succeeded++;
    else if (subject.kind === 'failures' && (subject.cause ?? cause) === cause) this.failed++;
    if (latencyUs !== undefined) this.latency.record(latencyUs);
  }

  /** Of `moved_keys` those whose host is still there, 0–1; null: there is nothing to measure. */
  get needless(): number | null {
    return this.keys?.needless() ?? null;
  }

  /** In the unit of the subject; null: there is nothing to measure. @param stat the final value of a statistic. */
  value(stat: (name: string) => number | null): number | null {
    const { ended, decisions } = this;
    const share = decisions === 0 ? null : this.hits / decisions;
    return byKind<MeasureSubject, number | null>({
      share: () => share,
      no_host: () => share,
      crosses_zones: () => (this.placed === 0 ? null : this.hits / this.placed),
      moved_keys: () => this.keys?.moved() ?? null,
      requests: () => decisions,
      success_rate: () => (ended === 0 ? null : this.succeeded / ended),
      failures: () => this.failed,
      latency: ({ percentile }) => secondsOf(this.latency.percentileUs(percentile)),
      mean_latency: () => secondsOf(this.latency.meanUs()),
      host_load: () => (decisions === 0 ? null : (this.busiest()?.load ?? 0)),
      stat: ({ name }) => stat(name),
      mean_stat: () => this.statMean?.mean ?? null,
      survives: () => null,
      decision: () => null,
    })(this.subject);
  }

  /** For a latency: the part of the requests that have one, 0–1. undefined: all that ended. */
  answeredShare(): number | undefined {
    const { kind } = this.subject;
    const isLatency = kind === 'latency' || kind === 'mean_latency';
    return isLatency && this.latency.count < this.ended ? this.latency.count / this.ended : undefined;
  }

  /** For the load of hosts: the host. */
  busiest(): BusiestHost | undefined {
    return this.load?.busiest(this.world.nowUs);
  }

  private means(hosts: Selector, row: number, cluster: ClusterWorld): boolean {
    const rows = (this.matching[cluster.index] ??= []);
    const known = rows[row];
    if (known !== undefined) return known;
    const host = cluster.rows.rows[row];
    if (host === undefined) return false;
    return (rows[row] = hostPredicate(hosts)(selectableHost(host, cluster.name, host.priority)));
  }
}

const secondsOf = (us: number | undefined): number | null => (us === undefined ? null : microsToSeconds(us));

/** `host`: its address; null: none was chosen. */
type FirstAttempt = Readonly<{ cluster: string; host: string | null }>;

export class Measurements {
  private readonly measurements: readonly Measurement[];
  private readonly byMeasure: ReadonlyMap<Measure, Measurement>;
  private readonly wantedDecisions = new Map<number, FirstAttempt | undefined>();
  private decisions = 0;

  constructor(
    private readonly world: World,
    measures: readonly Measure[],
  ) {
    for (const { subject } of measures)
      if (subject.kind === 'decision') this.wantedDecisions.set(subject.request, undefined);
    this.byMeasure = new Map(measures.map((measure) => [measure, new Measurement(measure, world)]));
    this.measurements = [...this.byMeasure.values()];
    for (const measurement of this.measurements) this.lookLater(measurement, 0);
  }

  of(measure: Measure): Measurement {
    const found = this.byMeasure.get(measure);
    assert(found !== undefined, 'a measure of the run');
    return found;
  }

  /** The first attempt of an arrival that a measure asks for; undefined: it has not come yet. */
  chosen(arrival: number): FirstAttempt | undefined {
    return this.wantedDecisions.get(arrival);
  }

  /** In the unit of its subject; null: there is nothing to measure. @param stats at the end. */
  valueOf(measured: Measurement, stats: StatsResult): number | null {
    return measured.value((name) => own(stats.counters, name) ?? own(stats.gauges, name) ?? this.unmoved(name));
  }

  /** The first attempt of an arrival, warm-up included. */
  firstAttempt(cluster: string, host: string | null): void {
    const request = this.decisions++;
    if (this.wantedDecisions.size === 0) return;
    if (this.wantedDecisions.has(request)) this.wantedDecisions.set(request, { cluster, host });
  }

  decided(cluster: number, row: number, nowUs: Micros, home: ClusterWorld, request: MeasuredRequest): void {
    for (const measurement of this.measurements)
      if (measurement.cluster === cluster) measurement.decided(row, nowUs, home, request);
  }

  ended(cluster: number, cause: FailureCause | undefined, latencyUs: Micros | undefined, arrivedUs: Micros): void {
    for (const measurement of this.measurements)
      if (measurement.cluster === cluster) measurement.finished(cause, latencyUs, arrivedUs);
  }

  private lookLater(measurement: Measurement, index: number): void {
    const { subject, statMean, statGrowth } = measurement;
    const watch = statMean ?? statGrowth;
    const atUs = watch?.timeUs(index);
    if (watch === undefined || atUs === undefined || !('name' in subject)) return;
    this.world.timers.at(atUs, () => {
      const look = this.lookAt(subject.name);
      if (look !== undefined) watch.see(look, atUs);
      this.lookLater(measurement, index + 1);
    });
  }

  /** As {@link StatsResult} has it: counters of all proxies, the gauges of the first. undefined: there is none. */
  private lookAt(name: string): StatLook | undefined {
    let sum: number | undefined;
    for (const proxy of this.world.proxies) {
      if (!statsFilter(proxy.spec.statsConfig?.statsMatcher)(name)) continue;
      const clusters = presentClusters(proxy).filter((cluster) => name.startsWith(statPrefix(cluster)));
      const { counters, gauges } = collectStats(proxy, clusters);
      const gauge = own(gauges, name);
      if (gauge !== undefined) return { kind: 'gauge', value: gauge };
      const counter = own(counters, name);
      if (counter !== undefined) sum = (sum ?? 0) + counter;
    }
    const value = sum ?? this.unmoved(name);
    return value === null ? undefined : { kind: 'counter', value };
  }

  /** A statistic that exists once it moves is 0 before; null: there is none of that name. */
  private unmoved(name: string): number | null {
    const exists = this.world.proxies.some(({ spec, clusters }) => {
      if (!statsFilter(spec.statsConfig?.statsMatcher)(name)) return false;
      return clusters.some((cluster) => {
        const prefix = statPrefix(cluster);
        return (
          cluster.world.present && name.startsWith(prefix) && clusterStat(name.slice(prefix.length))?.lazy === true
        );
      });
    });
    return exists ? 0 : null;
  }
}
