import { own } from '../../core/own.js';
import { microsToSeconds } from '../../core/units.js';
import { overlap } from '../../predict/judge-expectations.js';
import type { PredictedHost, PredictedPhase, PredictedPortion, Prediction } from '../../predict/prediction.js';
import { standardErrorsOff, sumOf } from '../../result/expected.js';
import type { ExpectationResult, QuestionResult, StatsResult } from '../../result/run-result.js';
import type { Comparator, Expectation, Scenario } from '../../scenario/model.js';
import { type Measure, MEASURE_UNITS, type MeasureSubject } from '../../settings/measure.js';
import { hostPredicate } from '../../settings/selector.js';
import type { Measurement, Measurements } from '../../simulation/stats/measurements.js';
import type { World } from '../../simulation/world.js';

/** What a run has to measure for these. */
export function measuresOf({ expect, question }: Pick<Scenario, 'expect' | 'question'>): readonly Measure[] {
  return [...question, ...expect.flatMap((one) => (one.relativeTo === undefined ? [one] : [one, one.relativeTo]))];
}

/** The numbers that a scenario is about. */
export function answersTo(
  question: readonly Measure[],
  measurements: Measurements,
  stats: StatsResult,
): QuestionResult[] {
  return question.map((measure) => {
    const { subject, during } = measure;
    const measured = measurements.of(measure);
    return {
      subject,
      ...(during && { from_s: microsToSeconds(during[0]), to_s: microsToSeconds(during[1]) }),
      value: measurements.valueOf(measured, stats),
      unit: MEASURE_UNITS[subject.kind],
    };
  });
}

/** By what a run that was given {@link measuresOf} them measured. @param prediction for those of `within_sigma`. */
export function judge(
  expect: readonly Expectation[],
  measurements: Measurements,
  stats: StatsResult,
  prediction: Prediction | undefined,
  world: World,
): ExpectationResult[] {
  const valueOf = (measured: Measurement): number | null => measurements.valueOf(measured, stats);
  return expect.map((expectation): ExpectationResult => {
    const { subject, comparator, relativeTo, text } = expectation;
    if (subject.kind === 'decision') {
      const actual = measurements.chosen(subject.request);
      return { expectation: text, passed: actual === subject.host, actual: actual ?? null };
    }
    const measured = measurements.of(expectation);
    const value = valueOf(measured);
    if (comparator?.kind === 'within_sigma') {
      const passed = isAsPredicted(measured, comparator.value, prediction, world);
      return { expectation: text, passed, actual: value };
    }
    const other = relativeTo === undefined ? 1 : valueOf(measurements.of(relativeTo));
    const passed = value !== null && other !== null && comparator !== undefined && holds(comparator, value, other);
    return {
      expectation: text,
      passed,
      actual: relativeTo === undefined ? value : ratio(value, other),
      ...(relativeTo !== undefined && { value, reference: other }),
      ...answeredShareOf(measured),
      ...busiestOf(measured, world),
    };
  });
}

function busiestOf(measured: Measurement, { servers }: World): Pick<ExpectationResult, 'busiest'> {
  const busiest = measured.busiest();
  if (busiest === undefined) return {};
  const { server, fromUs, toUs } = busiest;
  const { address } = servers.at(server);
  return { busiest: { address, from_s: microsToSeconds(fromUs), to_s: microsToSeconds(toUs) } };
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

/** Whether a share that was counted lies within `sigmas` standard errors of the prediction; false without one. */
function isAsPredicted(
  measured: Measurement,
  sigmas: number,
  prediction: Prediction | undefined,
  world: World,
): boolean {
  const cluster = world.clusters[measured.cluster];
  if (cluster === undefined || prediction === undefined || measured.decisions === 0) return false;
  const predicted = own(prediction.clusters, cluster.name);
  if (predicted === undefined) return false;
  const { subject, fromUs, toUs } = measured;
  const isWhole = fromUs === 0 && toUs === Infinity;
  const portions: { readonly portion: PredictedPortion; readonly weight: number }[] = [];
  for (const phase of isWhole ? [predicted] : predicted.phases) {
    const weight = isWhole ? 1 : overlap(phase as PredictedPhase, fromUs, toUs);
    if (weight === 0) continue;
    if (phase.method === 'none') return false;
    const portion = subject.kind === 'no_host' ? phase.no_host : portionOf(subject, cluster.name, phase.hosts, world);
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
  const off = standardErrorsOff(expected, measured.hits / measured.decisions, measured.decisions);
  return Math.abs(off) <= sigmas;
}

function portionOf(
  subject: MeasureSubject,
  cluster: string,
  hosts: readonly PredictedHost[],
  world: World,
): PredictedPortion | undefined {
  if (subject.kind !== 'share') return undefined;
  const means = hostPredicate(subject.hosts);
  const rows = world.clusters[world.clusterIndex(cluster)]?.rows.rows ?? [];
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
