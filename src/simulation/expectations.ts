import { own } from '../core/own.js';
import type { FailureCause } from '../core/failure-cause.js';
import { type Micros, microsToSeconds } from '../core/units.js';
import type { Prediction } from '../predict/prediction.js';
import type { ExpectationResult, StatsResult } from '../result/run-result.js';
import type { Comparator, Expectation } from '../scenario/model.js';
import { clusterStat } from '../stats/stat-names.js';
import { statsFilter } from '../stats/matcher.js';
import { isAsPredicted } from './as-predicted.js';
import { collectStats, presentClusters, statPrefix } from './cluster-stats.js';
import type { ClusterWorld } from './cluster-world.js';
import { Measurement } from './measurement.js';
import type { StatLook } from './stat-mean.js';
import type { World } from './world.js';

/** One expectation, and what is measured for it. */
interface Tracker {
  readonly expectation: Expectation;
  readonly measured: Measurement;
  /** What it is compared with; undefined: with numbers. */
  readonly reference: Measurement | undefined;
}

/** Measures what the expectations of a scenario need, and evaluates them at the end. */
export class ExpectationTrackers {
  private readonly trackers: readonly Tracker[];
  private readonly measurements: readonly Measurement[];
  private readonly wantedDecisions = new Map<number, string | null | undefined>();
  private decisions = 0;

  constructor(private readonly world: World) {
    this.trackers = world.scenario.expect.map((expectation) => {
      const { subject, relativeTo } = expectation;
      if (subject.kind === 'decision') this.wantedDecisions.set(subject.request, undefined);
      return {
        expectation,
        measured: new Measurement(expectation, world),
        reference: relativeTo && new Measurement(relativeTo, world),
      };
    });
    this.measurements = this.trackers.flatMap(({ measured, reference }) =>
      reference === undefined ? [measured] : [measured, reference],
    );
    for (const measurement of this.measurements) this.lookLater(measurement, 0);
  }

  /** The first attempt of an arrival, warm-up included. */
  firstAttempt(host: string | null): void {
    const request = this.decisions++;
    if (this.wantedDecisions.size === 0) return;
    if (this.wantedDecisions.has(request)) this.wantedDecisions.set(request, host);
  }

  /** See {@link Measurement.decided}. */
  decided(cluster: number, row: number, nowUs: Micros, home: ClusterWorld): void {
    for (const measurement of this.measurements) {
      if (measurement.cluster === cluster) measurement.decided(row, nowUs, home);
    }
  }

  /** See {@link Measurement.finished}. */
  ended(cluster: number, cause: FailureCause | undefined, latencyUs: Micros | undefined, arrivedUs: Micros): void {
    for (const measurement of this.measurements) {
      if (measurement.cluster === cluster) measurement.finished(cause, latencyUs, arrivedUs);
    }
  }

  /** @param prediction needed by those who compare with it; see {@link comparesWithPrediction}. */
  judge(stats: StatsResult, prediction?: Prediction): ExpectationResult[] {
    const stat = (name: string): number | null =>
      own(stats.counters, name) ?? own(stats.gauges, name) ?? this.unmoved(name);
    return this.trackers.map(({ expectation, measured, reference }): ExpectationResult => {
      const { subject, comparator, text } = expectation;
      if (subject.kind === 'decision') {
        const actual = this.wantedDecisions.get(subject.request);
        return { expectation: text, passed: actual === subject.host, actual: actual ?? null };
      }
      const value = measured.value(stat);
      if (comparator?.kind === 'within_sigma') {
        const passed = isAsPredicted(measured, comparator.value, prediction, this.world);
        return { expectation: text, passed, actual: value };
      }
      const other = reference === undefined ? 1 : reference.value(stat);
      const passed = value !== null && other !== null && comparator !== undefined && holds(comparator, value, other);
      return {
        expectation: text,
        passed,
        actual: reference === undefined ? value : ratio(value, other),
        ...(reference !== undefined && { value, reference: other }),
        ...answeredShareOf(measured),
        ...this.busiestOf(measured),
      };
    });
  }

  private busiestOf(measured: Measurement): Pick<ExpectationResult, 'busiest'> {
    const busiest = measured.busiest();
    if (busiest === undefined) return {};
    const { server, fromUs, toUs } = busiest;
    const { address } = this.world.servers.at(server);
    return { busiest: { address, from_s: microsToSeconds(fromUs), to_s: microsToSeconds(toUs) } };
  }

  /** Looks at the statistic of a measurement at its times, one after the other. */
  private lookLater(measurement: Measurement, index: number): void {
    const { subject, statMean } = measurement;
    const atUs = statMean?.timesUs[index];
    if (statMean === undefined || atUs === undefined || subject.kind !== 'mean_stat') return;
    this.world.timers.at(atUs, () => {
      const look = this.lookAt(subject.name);
      if (look !== undefined) statMean.see(look, atUs);
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

/** Multiples of what something is compared with; 1 where it is compared with numbers. */
function holds(comparator: Comparator, actual: number, unit: number): boolean {
  switch (comparator.kind) {
    case 'equals':
      return actual === comparator.value * unit;
    case 'at_least':
      return actual >= comparator.value * unit;
    case 'at_most':
      return actual <= comparator.value * unit;
    case 'between':
      return actual >= comparator.low * unit && actual <= comparator.high * unit;
    case 'within_sigma':
      // Judged apart: it needs more than the number.
      return false;
  }
}

function answeredShareOf(measured: Measurement): Pick<ExpectationResult, 'answered_share'> {
  const share = measured.answeredShare();
  return share === undefined ? {} : { answered_share: share };
}

/** null: there is none. */
function ratio(value: number | null, reference: number | null): number | null {
  return value === null || reference === null || reference === 0 ? null : value / reference;
}

/** Whether an expectation asks for the prediction. */
export function comparesWithPrediction(expectation: Expectation): boolean {
  return expectation.comparator?.kind === 'within_sigma';
}
