import { unreachable } from '../core/assert.js';
import type { Micros } from '../core/units.js';
import { microsToSeconds } from '../core/units.js';
import { DurationRecorder } from '../result/latency.js';
import type { ExpectationResult, StatsResult } from '../result/run-result.js';
import type { Comparator, Expectation } from '../scenario/model.js';
import { hostPredicate } from '../scenario/selector.js';
import type { World } from './world.js';

/** What one expectation counts while the run goes on. */
interface Tracker {
  readonly expectation: Expectation;
  readonly cluster: number;
  readonly fromUs: Micros;
  readonly toUs: Micros;
  /** Which rows the selector means, by row; grows with the rows. */
  readonly meant: boolean[];
  /** Decisions in the window, and those that count. */
  decisions: number;
  hits: number;
  /** Requests that ended, and those that succeeded. */
  ended: number;
  succeeded: number;
  readonly latency: DurationRecorder;
}

/** Counts what the expectations of a scenario ask for, and judges them at the end. */
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
        meant: [],
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
    if (this.wantedDecisions.has(request)) this.wantedDecisions.set(request, host);
  }

  /** @param row the host that was chosen; -1: nobody. */
  decided(cluster: number, row: number, nowUs: Micros): void {
    for (const tracker of this.trackers) {
      if (tracker.cluster !== cluster || nowUs < tracker.fromUs || nowUs >= tracker.toUs) continue;
      tracker.decisions++;
      const { kind } = tracker.expectation.subject;
      if (kind === 'no_host' ? row === -1 : row !== -1 && this.means(tracker, row)) tracker.hits++;
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

  judge(stats: StatsResult): ExpectationResult[] {
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
      const passed = actual !== null && comparator !== undefined && holds(comparator, actual);
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
        return stats.counters[subject.name] ?? stats.gauges[subject.name] ?? null;
      case 'decision':
        return null;
      default:
        return unreachable(subject);
    }
  }

  private means(tracker: Tracker, row: number): boolean {
    const known = tracker.meant[row];
    if (known !== undefined) return known;
    const { subject } = tracker.expectation;
    const cluster = this.world.clusters[tracker.cluster];
    const host = cluster?.rows.rows[row];
    if (subject.kind !== 'share' || cluster === undefined || host === undefined) return false;
    const { address, hostname, priority, locality, metadata } = host;
    const meant = hostPredicate(subject.hosts)({
      address,
      hostname,
      cluster: cluster.name,
      priority,
      locality,
      metadata,
    });
    tracker.meant[row] = meant;
    return meant;
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
      // Refused when the scenario is read, until there is a prediction to compare with.
      return false;
  }
}
