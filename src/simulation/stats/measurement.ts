import type { FailureCause } from '../../core/failure-cause.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import { DurationRecorder } from '../../result/latency.js';
import { endOf } from '../../settings/world.js';
import type { Measure, MeasureSubject } from '../../settings/measure.js';
import { hostPredicate, selectableHost, type Selector } from '../../settings/selector.js';
import type { ClusterWorld } from '../cluster-world.js';
import { type BusiestHost, HostLoad } from '../servers/host-load.js';
import { StatMean } from './stat-mean.js';
import type { World } from '../world.js';

/** The counters of one subject in its window during the run. */
export class Measurement {
  /** Decisions in the window, and those that count. */
  decisions = 0;
  hits = 0;
  readonly fromUs: Micros;
  readonly toUs: Micros;
  readonly statMean: StatMean | undefined;
  /** Its number; -1: it is of no cluster. */
  readonly cluster: number;
  readonly subject: MeasureSubject;
  private readonly load: HostLoad | undefined;
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
    if (subject.kind === 'host_load') {
      // Nothing before it is counted.
      this.load = new HostLoad(Math.max(this.fromUs, settings.warmupUs), this.toUs, subject.overUs);
    }
  }

  /**
   * @param row  the host that was chosen; -1: none.
   * @param home the cluster of the host: for an aggregate, a member.
   */
  decided(row: number, nowUs: Micros, home: ClusterWorld): void {
    if (nowUs < this.fromUs || nowUs >= this.toUs) return;
    this.decisions++;
    const { subject, load } = this;
    if (subject.kind === 'no_host' && row === -1) this.hits++;
    if (subject.kind === 'share' && row !== -1 && this.means(subject.hosts, row, home)) this.hits++;
    if (load !== undefined && row !== -1) {
      const server = home.serverOfRow(row);
      load.given(server, this.world.servers.at(server).behavior, nowUs);
    }
  }

  /**
   * A request that arrived at `arrivedUs` is over.
   *
   * @param cause     undefined: it succeeded.
   * @param latencyUs as `latencyOf` has it.
   */
  finished(cause: FailureCause | undefined, latencyUs: Micros | undefined, arrivedUs: Micros): void {
    if (arrivedUs < this.fromUs || arrivedUs >= this.toUs) return;
    const { subject } = this;
    this.ended++;
    if (cause === undefined) this.succeeded++;
    else if (subject.kind === 'failures' && (subject.cause ?? cause) === cause) this.failed++;
    if (latencyUs !== undefined) this.latency.record(latencyUs);
  }

  /**
   * The result in the unit of the subject; null: there is nothing to measure. @param stat the final value of a statistic.
   */
  value(stat: (name: string) => number | null): number | null {
    const { subject, ended, decisions } = this;
    switch (subject.kind) {
      case 'share':
      case 'no_host':
        return decisions === 0 ? null : this.hits / decisions;
      case 'requests':
        return decisions;
      case 'success_rate':
        return ended === 0 ? null : this.succeeded / ended;
      case 'failures':
        return this.failed;
      case 'latency':
        return secondsOf(this.latency.percentileUs(subject.percentile));
      case 'mean_latency':
        return secondsOf(this.latency.meanUs());
      case 'host_load':
        return decisions === 0 ? null : (this.busiest()?.load ?? 0);
      case 'stat':
        return stat(subject.name);
      case 'mean_stat':
        return this.statMean?.mean ?? null;
      case 'decision':
        return null;
    }
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

function secondsOf(us: number | undefined): number | null {
  return us === undefined ? null : microsToSeconds(us);
}
