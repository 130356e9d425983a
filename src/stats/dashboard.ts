import { entryOf, sum } from '../core/values.js';
import { printableJson } from '../core/printable.js';
import { type Micros, MICROS_PER_SECOND, wholeMillis } from '../core/units.js';
import { DASHBOARD } from './generated/dashboard.js';
import type { LogLinearHistogram } from './log-linear-histogram.js';

/** The data of one cluster at a flush. Counters are cumulative. */
export interface DashboardCluster {
  /** As configured: neither sanitised nor `alt_stat_name`. */
  readonly name: string;
  /** Its statistic of this name, as `upstream_rq_2xx`; 0 where it has none. */
  readonly stat: (name: string) => number;
  /** Of the default priority. */
  readonly maxPendingRequests: number;
  /** Times of the interval; undefined: none can be attributed to the cluster. */
  readonly times: LogLinearHistogram | undefined;
}

const DEFAULT_BUCKETS = 10;

/** How many flushes a count stays in the window. @param numBuckets as configured. */
export const windowFlushes = (numBuckets: number): number => (numBuckets === 0 ? DEFAULT_BUCKETS : numBuckets);

/** Ends each flush in the stream. */
const PING = ':\n\n';

const QUANTILES = [0, 25, 50, 75, 90, 95, 99, 99.5, 100];

/**
 * The rolling window of one sink: a ring of `num_buckets` + 1 samples of cumulative counters per cluster; what is shown is
 * newest − oldest. It is updated only while a client watches, and the first flush fills the whole ring, so that nothing
 * earlier shows.
 */
export class DashboardWindow {
  private readonly rings = new Map<string, Rolling[]>();
  private readonly samples: number;
  private readonly flushIntervalMs: number;

  /** @param numBuckets 0: {@link DEFAULT_BUCKETS}. */
  constructor({ numBuckets, flushIntervalUs }: Readonly<{ numBuckets: number; flushIntervalUs: Micros }>) {
    this.samples = windowFlushes(numBuckets) + 1;
    this.flushIntervalMs = wholeMillis(flushIntervalUs);
  }

  /** The last client left. */
  clear(): void {
    this.rings.clear();
  }

  flush(clusters: readonly DashboardCluster[], unixUs: Micros): string {
    const names = new Set(clusters.map(({ name }) => name));
    for (const name of this.rings.keys()) if (!names.has(name)) this.rings.delete(name);
    const events = clusters.map((cluster) => {
      const command = JSON.stringify(this.command(cluster, unixUs));
      return `data: ${spaced(command)}\n\ndata: ${spaced(JSON.stringify(this.threadPool(cluster)))}\n\n`;
    });
    return printableJson(events.join('')) + PING;
  }

  /** Exported for tests of the arithmetic: the fields of one cluster's event. */
  command(cluster: DashboardCluster, unixUs: Micros): Readonly<Record<string, unknown>> {
    const { success, failure, timeout, rejected } = this.roll(cluster);
    const errors = failure + timeout + rejected;
    const total = success + errors;
    return {
      ...DASHBOARD.command,
      name: cluster.name,
      currentTime: Math.floor(unixUs / MICROS_PER_SECOND),
      errorPercentage: total === 0 ? 0 : Math.floor((100 * errors) / total),
      errorCount: failure,
      requestCount: total,
      rollingCountFailure: failure,
      rollingCountSemaphoreRejected: rejected,
      rollingCountSuccess: success,
      rollingCountTimeout: timeout,
      latencyExecute: latencies(cluster.times),
      propertyValue_executionIsolationSemaphoreMaxConcurrentRequests: cluster.maxPendingRequests,
      reportingHosts: cluster.stat('membership_total'),
      propertyValue_metricsRollingStatisticalWindowInMilliseconds: this.flushIntervalMs,
    };
  }

  private threadPool(cluster: DashboardCluster): Readonly<Record<string, unknown>> {
    return {
      ...DASHBOARD.threadPool,
      propertyValue_queueSizeRejectionThreshold: cluster.maxPendingRequests,
      reportingHosts: cluster.stat('membership_total'),
      propertyValue_metricsRollingStatisticalWindowInMilliseconds: this.flushIntervalMs,
      name: cluster.name,
    };
  }

  private roll({ name, stat }: DashboardCluster): Rolling {
    const now = rollingOf(stat);
    const ring = entryOf(this.rings, name, () => Array.from({ length: this.samples }, () => now));
    ring.push(now);
    ring.shift();
    const [oldest = now] = ring;
    const since = COUNTED.map((what) => [what, Math.max(0, now[what] - oldest[what])]);
    return Object.fromEntries(since) as Rolling;
  }
}

type Rolling = ReturnType<typeof rollingOf>;
const COUNTED = ['success', 'failure', 'timeout', 'rejected'] as const;

function rollingOf(stat: DashboardCluster['stat']) {
  const errors = ['upstream_rq_5xx', 'retry.upstream_rq_5xx', 'upstream_rq_4xx', 'retry.upstream_rq_4xx'];
  return {
    success: stat('upstream_rq_2xx'),
    failure: sum(errors.map(stat)) - stat('upstream_rq_timeout'),
    timeout: stat('upstream_rq_timeout') + stat('upstream_rq_per_try_timeout'),
    rejected: stat('upstream_rq_pending_overflow'),
  };
}

function latencies(times: LogLinearHistogram | undefined): Readonly<Record<string, number>> {
  if (times === undefined || times.count === 0) return {};
  const entries = QUANTILES.map((percent): [string, number] => {
    const value = times.quantile(percent / 100) ?? 0;
    return [String(percent), Math.round(value * 1e6) / 1e6];
  });
  return Object.fromEntries(entries);
}

/** The proxy writes a space after each separating `:` and `,`. */
const spaced = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|[:,]/g, (token) => (token === ':' || token === ',' ? `${token} ` : token));
