import { entryOf } from '../../core/values.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../../core/units.js';
import { DurationRecorder } from '../../result/latency.js';
import { answerCategories, isCanary, isInternal, type RequestStats } from '../../stats/request-stats.js';

export interface ClusterHistogram {
  /** Its name after `cluster.<name>.` */
  readonly stat: string;
  readonly values: DurationRecorder;
  /** One of its unit in recorded units: 1000 where ms are recorded as µs. */
  readonly unit: number;
}

/** One of its unit in recorded units. */
const UNITS = {
  upstream_cx_connect_ms: MICROS_PER_MILLI,
  upstream_cx_length_ms: MICROS_PER_MILLI,
  upstream_rq_per_cx: 1,
  upstream_rq_timeout_budget_percent_used: 1,
  upstream_rq_timeout_budget_per_try_percent_used: 1,
} as const;

const newRecorder = (): DurationRecorder => new DurationRecorder();

/** The histograms of one cluster in one proxy. Those of requests are kept by zone and canary, and combined on demand. */
export class ClusterHistograms {
  /** Called with each value as it occurs: whole ms, or a count. */
  onSample: ((stat: string, value: number) => void) | undefined;
  /** Called when histograms and counters restart, after an update of the cluster. */
  onRestart: (() => void) | undefined;
  /** By {@link originOf}; undefined: no answer came from there. */
  private readonly requestTimes: (DurationRecorder | undefined)[] = [];
  /** Made on demand: most clusters have values of few. */
  private readonly others = new Map<string, DurationRecorder>();

  constructor(
    private readonly requests: RequestStats,
    /** Zone of the proxy; '' where its node states none. */
    private readonly fromZone: string,
    /** Since 1.36: how many requests a connection carried. */
    private readonly countsRequestsPerConnection: boolean,
  ) {
    requests.onRestart = () => this.restart();
  }

  /** From arrival to the final answer of a host, warm-up included. */
  requestTime(origin: number, latencyUs: Micros): void {
    (this.requestTimes[origin] ??= newRecorder()).record(latencyUs);
    if (this.onSample !== undefined) this.recordRequestTime(this.onSample, origin, latencyUs);
  }

  /** Any but the times of requests. @param value µs, percent, or a number. */
  record(stat: keyof typeof UNITS, value: number): void {
    entryOf(this.others, stat, newRecorder).record(value);
    this.onSample?.(stat, Math.floor(value / UNITS[stat]));
  }

  /** @param requests how many it carried; undefined: it was never made. */
  connectionClosed(lengthUs: Micros, requests: number | undefined): void {
    this.record('upstream_cx_length_ms', lengthUs);
    if (requests !== undefined && this.countsRequestsPerConnection) this.record('upstream_rq_per_cx', requests);
  }

  all(): readonly ClusterHistogram[] {
    const times = answerCategories(this.requests, this.fromZone).map(({ prefix, origins }): ClusterHistogram => {
      const values = DurationRecorder.sum(origins.flatMap((origin) => this.requestTimes[origin] ?? []));
      return { stat: `${prefix}upstream_rq_time`, values, unit: MICROS_PER_MILLI };
    });
    const others = Object.entries(UNITS).flatMap(([stat, unit]) => {
      const values = this.others.get(stat);
      return values === undefined ? [] : [{ stat, values, unit }];
    });
    return [...times, ...others].filter(({ values }) => values.count > 0);
  }

  private restart(): void {
    this.requestTimes.forEach((_, origin) => {
      if (!this.requests.hasAnswers(origin)) this.requestTimes[origin] = undefined;
    });
    this.onRestart?.();
  }

  private recordRequestTime(record: (stat: string, value: number) => void, origin: number, latencyUs: Micros): void {
    const ms = wholeMillis(latencyUs);
    record('upstream_rq_time', ms);
    record(`${isInternal(origin) ? 'internal' : 'external'}.upstream_rq_time`, ms);
    if (isCanary(origin)) record('canary.upstream_rq_time', ms);
    const zone = this.requests.zones.nameOf(origin);
    if (this.fromZone !== '' && zone !== '') record(`zone.${this.fromZone}.${zone}.upstream_rq_time`, ms);
  }
}
