import { assert } from '../../core/assert.js';
import { own } from '../../core/own.js';
import type { FailureCause } from '../../core/failure-cause.js';
import type { Micros } from '../../core/units.js';
import type { StatsResult } from '../../result/run-result.js';
import type { Measure } from '../../settings/measure.js';
import { clusterStat } from '../../stats/stat-names.js';
import { statsFilter } from '../../stats/matcher.js';
import { collectStats, presentClusters, statPrefix } from './cluster-stats.js';
import type { ClusterWorld } from '../cluster-world.js';
import { type MeasuredRequest, Measurement } from './measurement.js';
import type { StatLook } from './stat-mean.js';
import type { World } from '../world.js';

export class Measurements {
  private readonly measurements: readonly Measurement[];
  private readonly byMeasure: ReadonlyMap<Measure, Measurement>;
  private readonly wantedDecisions = new Map<number, string | null | undefined>();
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

  /** What was measured. @param measure one of those that the run was given, the same object. */
  of(measure: Measure): Measurement {
    const found = this.byMeasure.get(measure);
    assert(found !== undefined, 'a measure of the run');
    return found;
  }

  /** The host of the first attempt of an arrival that a measure asks for; null: none, undefined: not yet. */
  chosen(arrival: number): string | null | undefined {
    return this.wantedDecisions.get(arrival);
  }

  /** In the unit of its subject; null: there is nothing to measure. @param stats at the end. */
  valueOf(measured: Measurement, stats: StatsResult): number | null {
    return measured.value((name) => own(stats.counters, name) ?? own(stats.gauges, name) ?? this.unmoved(name));
  }

  /** The first attempt of an arrival, warm-up included. */
  firstAttempt(host: string | null): void {
    const request = this.decisions++;
    if (this.wantedDecisions.size === 0) return;
    if (this.wantedDecisions.has(request)) this.wantedDecisions.set(request, host);
  }

  decided(cluster: number, row: number, nowUs: Micros, home: ClusterWorld, request: MeasuredRequest): void {
    for (const measurement of this.measurements) {
      if (measurement.cluster === cluster) measurement.decided(row, nowUs, home, request);
    }
  }

  ended(cluster: number, cause: FailureCause | undefined, latencyUs: Micros | undefined, arrivedUs: Micros): void {
    for (const measurement of this.measurements) {
      if (measurement.cluster === cluster) measurement.finished(cause, latencyUs, arrivedUs);
    }
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
