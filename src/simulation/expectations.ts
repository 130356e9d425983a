import { own } from '../core/own.js';
import { unreachable } from '../core/assert.js';
import type { Micros } from '../core/units.js';
import { MICROS_PER_SECOND, microsToSeconds } from '../core/units.js';
import type { PredictedHost, PredictedPhase, PredictedPortion, Prediction } from '../predict/prediction.js';
import { standardErrorsOff } from '../predict/standard-error.js';
import { DurationRecorder } from '../result/latency.js';
import type { ExpectationResult, StatsResult } from '../result/run-result.js';
import type { Comparator, Expectation, ExpectationSubject } from '../scenario/model.js';
import { hostPredicate } from '../scenario/selector.js';
import { clusterStat } from '../scenario/stat-names.js';
import { statsFilter } from '../stats/matcher.js';
import { sumOf } from './deviations.js';
import { statPrefix } from './cluster-stats.js';
import type { ClusterWorld } from './cluster-world.js';
import type { World } from './world.js';

/** What one expectation counts while the run goes on. */
interface Tracker {
  readonly expectation: Expectation;
  readonly cluster: number;
  readonly fromUs: Micros;
  readonly toUs: Micros;
  /** Which rows the selector matches, by cluster and row; grows with the rows. */
  readonly matching: boolean[][];
  /** Decisions in the window, and those that count. */
  decisions: number;
  hits: number;
  /** Requests that ended, and those that succeeded. */
  ended: number;
  succeeded: number;
  readonly latency: DurationRecorder;
}

/** Counts what the expectations of a scenario need, and evaluates them at the end. */
export class ExpectationTrackers {
  private readonly trackers: Tracker[];
  private readonly wantedDecisions = new Map<number, string | null | undefined>();
  private decisions = 0;

  constructor(private readonly world: World) {
    this.trackers = world.scenario.expect.map((expectation) => {
      const { subject, during } = expectation;
      if (subject.kind === 'decision') this.wantedDecisions.set(subject.request, undefined);
      return {
        expectation,
        cluster: 'cluster' in subject ? world.clusterIndex(subject.cluster) : -1,
        fromUs: during?.[0] ?? 0,
        toUs: during?.[1] ?? Infinity,
        matching: [],
        decisions: 0,
        hits: 0,
        ended: 0,
        succeeded: 0,
        latency: new DurationRecorder(),
      };
    });
  }

  /** The first attempt of an arrival, warm-up included. */
  firstAttempt(host: string | null): void {
    const request = this.decisions++;
    if (this.wantedDecisions.size === 0) return;
    if (this.wantedDecisions.has(request)) this.wantedDecisions.set(request, host);
  }

  /**
   * @param row  the host that was chosen; -1: none.
   * @param home the cluster of the host: for an aggregate, a member.
   */
  decided(cluster: number, row: number, nowUs: Micros, home: ClusterWorld): void {
    for (const tracker of this.trackers) {
      if (tracker.cluster !== cluster || nowUs < tracker.fromUs || nowUs >= tracker.toUs) continue;
      tracker.decisions++;
      const { kind } = tracker.expectation.subject;
      if (kind === 'no_host' ? row === -1 : row !== -1 && this.means(tracker, row, home)) tracker.hits++;
    }
  }

  /** A request that arrived at `arrivedUs` got its final answer. */
  ended(cluster: number, status: number, latencyUs: Micros, arrivedUs: Micros): void {
    for (const tracker of this.trackers) {
      if (tracker.cluster !== cluster || arrivedUs < tracker.fromUs || arrivedUs >= tracker.toUs) continue;
      tracker.ended++;
      if (status < 500) tracker.succeeded++;
      tracker.latency.record(latencyUs);
    }
  }

  /** @param prediction needed by expectations that compare with it; see {@link comparesWithPrediction}. */
  judge(stats: StatsResult, prediction?: Prediction): ExpectationResult[] {
    return this.trackers.map((tracker) => {
      const { expectation } = tracker;
      if (expectation.subject.kind === 'decision') {
        const actual = this.wantedDecisions.get(expectation.subject.request);
        return {
          expectation: expectation.text,
          passed: actual === expectation.subject.host,
          actual: actual ?? null,
        };
      }
      const actual = this.measure(tracker, stats);
      const { comparator } = expectation;
      const passed =
        comparator?.kind === 'within_sigma'
          ? this.isAsPredicted(tracker, comparator.value, prediction)
          : actual !== null && comparator !== undefined && holds(comparator, actual);
      return { expectation: expectation.text, passed, actual };
    });
  }

  private measure(tracker: Tracker, stats: StatsResult): number | null {
    const { subject } = tracker.expectation;
    switch (subject.kind) {
      case 'share':
      case 'no_host':
        return tracker.decisions === 0 ? null : tracker.hits / tracker.decisions;
      case 'success_rate':
        return tracker.ended === 0 ? null : tracker.succeeded / tracker.ended;
      case 'latency': {
        const us = tracker.latency.percentileUs(subject.percentile);
        return us === undefined ? null : microsToSeconds(us);
      }
      case 'stat':
        return own(stats.counters, subject.name) ?? own(stats.gauges, subject.name) ?? this.unmoved(subject.name);
      case 'decision':
        return null;
      default:
        return unreachable(subject);
    }
  }

  /** A statistic that appears with its first change is 0 before; null: there is none of that name. */
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

  /** Whether what was counted lies within `sigmas` standard errors of the prediction; false without one. */
  private isAsPredicted(tracker: Tracker, sigmas: number, prediction: Prediction | undefined): boolean {
    const cluster = this.world.clusters[tracker.cluster];
    if (cluster === undefined || prediction === undefined || tracker.decisions === 0) return false;
    const predicted = own(prediction.clusters, cluster.name);
    if (predicted === undefined) return false;
    const { subject, during } = tracker.expectation;
    const portions: { readonly portion: PredictedPortion; readonly weight: number }[] = [];
    for (const phase of during === undefined ? [predicted] : predicted.phases) {
      const weight = during === undefined ? 1 : overlap(phase as PredictedPhase, tracker.fromUs, tracker.toUs);
      if (weight === 0) continue;
      if (phase.method === 'none') return false;
      const portion = subject.kind === 'no_host' ? phase.no_host : this.portionOf(subject, cluster.name, phase.hosts);
      if (portion === undefined) return false;
      portions.push({ portion, weight: weight * (phase.requests ?? 1) });
    }
    const total = portions.reduce((sum, { weight }) => sum + weight, 0);
    if (total === 0) return false;
    const mean = (of: (portion: PredictedPortion) => number): number =>
      portions.reduce((sum, { portion, weight }) => sum + of(portion) * weight, 0) / total;
    const expected = {
      share: mean((portion) => portion.share),
      variance: mean((portion) => portion.variance),
      granularity: portions.reduce((sum, { portion }) => sum + portion.granularity, 0),
    };
    const off = standardErrorsOff(expected, tracker.hits / tracker.decisions, tracker.decisions);
    return Math.abs(off) <= sigmas;
  }

  private portionOf(
    subject: ExpectationSubject,
    cluster: string,
    hosts: readonly PredictedHost[],
  ): PredictedPortion | undefined {
    if (subject.kind !== 'share') return undefined;
    const means = hostPredicate(subject.hosts);
    const rows = this.world.clusters[this.world.clusterIndex(cluster)]?.rows.rows ?? [];
    const matching = hosts.filter(({ address, priority, locality }) => {
      const row = rows.find(
        (candidate) =>
          candidate.address === address &&
          candidate.priority === priority &&
          candidate.locality.zone === locality.zone &&
          candidate.locality.region === locality.region &&
          candidate.locality.subZone === locality.sub_zone,
      );
      return row !== undefined && means({ ...row, cluster });
    });
    return sumOf(matching);
  }

  private means(tracker: Tracker, row: number, cluster: ClusterWorld): boolean {
    const rows = (tracker.matching[cluster.index] ??= []);
    const known = rows[row];
    if (known !== undefined) return known;
    const { subject } = tracker.expectation;
    const host = cluster.rows.rows[row];
    if (subject.kind !== 'share' || host === undefined) return false;
    const { address, hostname, priority, locality, metadata } = host;
    const matching = hostPredicate(subject.hosts)({
      address,
      hostname,
      cluster: cluster.name,
      priority,
      locality,
      metadata,
    });
    rows[row] = matching;
    return matching;
  }
}

function holds(comparator: Comparator, actual: number): boolean {
  switch (comparator.kind) {
    case 'equals':
      return actual === comparator.value;
    case 'at_least':
      return actual >= comparator.value;
    case 'at_most':
      return actual <= comparator.value;
    case 'between':
      return actual >= comparator.low && actual <= comparator.high;
    case 'within_sigma':
      // Evaluated elsewhere: it needs more than the number.
      return false;
  }
}

/** Whether an expectation asks for the prediction. */
export function comparesWithPrediction(expectation: Expectation): boolean {
  return expectation.comparator?.kind === 'within_sigma';
}

/** The part of a phase that lies in a window, 0–1; requests of one instant are in it or not. */
function overlap(phase: PredictedPhase, fromUs: Micros, toUs: Micros): number {
  const from = phase.from_s * MICROS_PER_SECOND;
  const to = phase.to_s * MICROS_PER_SECOND;
  const inside = Math.min(to, toUs) - Math.max(from, fromUs);
  if (to <= from) return from >= fromUs && from < toUs ? 1 : 0;
  return inside <= 0 ? 0 : inside / (to - from);
}
