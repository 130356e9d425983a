import { type Micros, microsToSeconds } from '../core/units.js';
import { countFailures, Counts, type Failures, noFailures } from './failures.js';
import type { FailureCause } from '../core/failure-cause.js';
import { DurationRecorder, NO_LATENCY } from './latency.js';
import type { CourseResult, LatencyOrNone } from './run-result.js';

/**
 * An interval is kept as a summary, so that its memory does not depend on the number of requests. Counts by host are the
 * exception: they are dropped, for the whole course of a cluster, where hosts times intervals are more than `cells`.
 */
export interface CourseGrid {
  readonly everyUs: Micros;
  /** Maximum number of intervals; the last one lasts to the end. */
  readonly most: number;
  readonly cells: number;
}

export const MAX_INTERVALS = 10_000;
/** Limits of hosts times intervals for counts by host: on request, and by default. */
const MAX_REQUESTED_CELLS = 2_000_000;
const CELLS_BY_DEFAULT = 20_000;
/** About as many intervals as there are columns to draw them in. */
const BY_DEFAULT = 60;
/** Answers come after the last request: twice as many intervals are allowed. */
const SLACK = 2;

/** Intervals of an even length, about 60 of them between 0 and `endUs`. */
export function defaultGrid(endUs: Micros): CourseGrid {
  const fair = Math.max(1, endUs / BY_DEFAULT);
  const power = 10 ** Math.floor(Math.log10(fair));
  const everyUs = [1, 2, 5, 10].map((step) => step * power).find((length) => length >= fair - 1e-9) ?? fair;
  return { everyUs: Math.round(everyUs), most: SLACK * BY_DEFAULT, cells: CELLS_BY_DEFAULT };
}

export function requestedGrid(everyUs: Micros): CourseGrid {
  return { everyUs, most: MAX_INTERVALS, cells: MAX_REQUESTED_CELLS };
}

/** All of one shape: each event of a run counts in one. */
class Interval {
  requests = 0;
  no_host = 0;
  success = 0;
  failures: Failures | undefined = undefined;
  /** By row; undefined: no host got requests, or there are too many. */
  hosts: Counts | undefined = undefined;
  /** Attempts that failed, by row; undefined: none, or there are too many hosts. */
  errors: Counts | undefined = undefined;
  latency_ms: LatencyOrNone = NO_LATENCY;

  constructor(
    public in_flight = 0,
    public ejected = 0,
  ) {}
}

/** Time comes from `clock` and never goes back. */
export class CourseRecorder {
  private readonly intervals: Interval[] = [];
  private index = 0;
  private endUs: Micros = this.grid.everyUs;
  private current = new Interval();
  private latency = new DurationRecorder();
  private open = 0;
  private ejectedNow = 0;
  private rows = 0;
  private keepsHosts = true;

  constructor(
    readonly grid: CourseGrid,
    private readonly clock: { readonly nowUs: Micros },
  ) {}

  chosen(row: number): void {
    const interval = this.now();
    interval.requests++;
    this.open++;
    if (!this.keepsHosts) return;
    if (row >= this.rows) this.rows = row + 1;
    (interval.hosts ??= new Counts()).add(row, 1);
  }

  /** An attempt that no host of this cluster got; or an aggregate's, which has no hosts. */
  withoutHost(noHost: boolean): void {
    const interval = this.now();
    interval.requests++;
    if (noHost) interval.no_host++;
  }

  /** An attempt that was {@link chosen} for a host is over. @param failedAt the row that did not serve it; undefined: none. */
  attemptEnded(failedAt?: number): void {
    const interval = this.now();
    this.open--;
    if (failedAt !== undefined && this.keepsHosts) (interval.errors ??= new Counts()).add(failedAt, 1);
  }

  /** A request is over. @param latencyUs as `latencyOf` has it. */
  ended(latencyUs: Micros | undefined, failed: FailureCause | undefined): void {
    const interval = this.now();
    if (latencyUs !== undefined) this.latency.record(latencyUs);
    if (failed === undefined) interval.success++;
    else (interval.failures ??= noFailures())[failed]++;
  }

  /** A proxy ejected a host (+1), or its ejection ended (−1). */
  ejected(by: number): void {
    this.now();
    this.ejectedNow += by;
  }

  /** @param addresses of the rows, in the order of reports. */
  result(
    endUs: Micros,
    rows: readonly { readonly index: number; readonly address: string; readonly priority: number }[],
  ): CourseResult {
    const { everyUs } = this.grid;
    const last = Math.max(1, Math.min(this.grid.most, Math.ceil(endUs / everyUs)));
    const done = [...this.intervals.slice(0, this.index), this.closed()];
    while (done.length < last) done.push(new Interval(this.open, this.ejectedNow));
    const hosts = (this.keepsHosts ? rows : []).map(({ index, address, priority }) => {
      const requests = done.map((interval) => interval.hosts?.of(index) ?? 0);
      const errors = done.map((interval) => interval.errors?.of(index) ?? 0);
      return { address, priority, requests, ...(errors.some((count) => count > 0) && { errors }) };
    });
    return {
      every_s: microsToSeconds(everyUs),
      intervals: done.map(({ requests, no_host, success, failures, in_flight, ejected, latency_ms }, at) => ({
        from_s: microsToSeconds(at * everyUs),
        to_s: microsToSeconds(at === done.length - 1 ? Math.max(endUs, at * everyUs) : (at + 1) * everyUs),
        ...{ requests, no_host, success },
        failed: failures === undefined ? 0 : countFailures(failures),
        failures: Object.fromEntries(Object.entries(failures ?? {}).filter(([, count]) => count > 0)),
        ...{ in_flight, ejected, latency_ms },
      })),
      ...(this.keepsHosts && { hosts }),
    };
  }

  private now(): Interval {
    if (this.clock.nowUs >= this.endUs) this.advance();
    return this.current;
  }

  private advance(): void {
    const { everyUs, most, cells } = this.grid;
    const index = Math.min(Math.floor(this.clock.nowUs / everyUs), most - 1);
    if (index === this.index) {
      this.endUs = Infinity;
      return;
    }
    this.intervals[this.index] = this.closed();
    for (let idle = this.index + 1; idle < index; idle++)
      this.intervals[idle] = new Interval(this.open, this.ejectedNow);
    if (this.keepsHosts && this.rows * index > cells) {
      this.keepsHosts = false;
      for (const interval of this.intervals) interval.hosts = interval.errors = undefined;
    }
    this.index = index;
    this.endUs = index === most - 1 ? Infinity : (index + 1) * everyUs;
    this.current = new Interval();
    this.latency = new DurationRecorder();
  }

  /** The current interval, as if it ended now. */
  private closed(): Interval {
    const { current } = this;
    current.latency_ms = this.latency.summaryMs();
    current.in_flight = this.open;
    current.ejected = this.ejectedNow;
    if (!this.keepsHosts) current.hosts = current.errors = undefined;
    return current;
  }
}
