import { byKind, own } from '../core/values.js';
import { type Micros, MICROS_PER_SECOND } from '../core/units.js';
import { standardError, sumOf } from '../result/expected.js';
import type { Comparator, Expectation, Scenario } from '../scenario/model.js';
import { hostPredicate, type SelectableHost, type Selector } from '../settings/selector.js';
import type * as predictions from './generated/prediction.js';
import type { PredictedPortion } from '../result/expected.js';
import type { Unjudged } from './generated/plain-obstacles.js';
import type { Obstacle } from './obstacle.js';
import { demand, madeBy, SCENARIO } from '../core/arguments.js';

/** Why only a run can tell whether an expectation holds. */
export type VerdictObstacle = Obstacle | { readonly kind: Unjudged };

/** What a prediction says of an expectation. Field names are those of `lbsim predict --json`. */
export interface PredictedExpectation {
  expectation: string;
  /** null: only a run can tell, see `obstacle`. */
  passed: boolean | null;
  /** The predicted share, 0–1; null: there is none. */
  predicted: number | null;
  obstacle?: VerdictObstacle;
}

/** Samples that stray further than this many standard errors do not occur. */
const CERTAIN = 5;

const PREDICTION = madeBy('predict', 'clusters');

/** What the prediction says of each, without words. */
export function judgeExpectations(scenario: Scenario, prediction: predictions.Prediction): PredictedExpectation[] {
  demand('judgeExpectations', ['scenario', scenario, SCENARIO], ['prediction', prediction, PREDICTION]);
  return scenario.expect.map((expectation) => {
    const found = predictedRange(expectation, prediction);
    const text = { expectation: expectation.text };
    if ('kind' in found) return { ...text, passed: null, predicted: null, obstacle: found };
    const { comparator } = expectation;
    const passed = comparator === undefined ? null : verdict(comparator, found);
    const predicted = (found.low + found.high) / 2;
    if (passed !== null) return { ...text, passed, predicted };
    return { ...text, passed, predicted, obstacle: { kind: 'close_bound' } };
  });
}

/** A share lies between these two, and a sample of it no further beyond them than the margin. */
type Range = Readonly<{ low: number; high: number; margin: number }>;

function verdict(comparator: Comparator, { low, high, margin }: Range): boolean | null {
  const bounds = boundsOf(comparator);
  if (bounds === undefined) return null;
  const [least, most] = bounds;
  if (low - margin >= least - ROUNDING && high + margin <= most + ROUNDING) return true;
  return high + margin < least - ROUNDING || low - margin > most + ROUNDING ? false : null;
}

/** The least and the most that a comparator lets through; undefined: it is no matter of bounds. */
const boundsOf = byKind<Comparator, readonly [number, number] | undefined>({
  at_least: ({ value }) => [value, Infinity],
  at_most: ({ value }) => [-Infinity, value],
  between: ({ low, high }) => [low, high],
  equals: ({ value }) => [value, value],
  within_sigma: () => undefined,
});

const ROUNDING = 1e-9;

function predictedRange(expectation: Expectation, prediction: predictions.Prediction): Range | VerdictObstacle {
  const { subject, during, comparator, relativeTo } = expectation;
  if (subject.kind !== 'share' && subject.kind !== 'no_host') return { kind: 'no_share' };
  if (relativeTo !== undefined) return { kind: 'compares_measures' };
  if (comparator?.kind === 'within_sigma') return { kind: 'compares_with_prediction' };
  const cluster = own(prediction.clusters, subject.cluster);
  if (cluster === undefined) return { kind: 'unknown_cluster' };
  const hosts = subject.kind === 'share' ? subject.hosts : undefined;
  if (hosts !== undefined && !isOfAddresses(hosts, subject.cluster)) return { kind: 'selects_by_more' };
  const matches = hosts && hostPredicate(hosts);
  const parts = partsOf(cluster, during);
  if (parts.length === 0) return { kind: 'nothing_then' };
  let requests: number | null = 0;
  const portions: PredictedPortion[] = [];
  for (const { split, part } of parts) {
    if (split.method === 'none') return split.obstacle ?? { kind: 'unpredicted_part' };
    if (split.method === 'approximate') return { kind: 'approximate' };
    const meant = matches && split.hosts.filter((host) => matches(selectable(host, subject.cluster)));
    const portion = meant === undefined ? split.no_host : sumOf(meant);
    if (portion === undefined) return { kind: 'unpredicted_part' };
    portions.push(portion);
    requests = requests === null || split.requests === null ? null : requests + split.requests * part;
  }
  const margin = marginOf(portions, requests);
  if (margin === undefined) return { kind: 'requests_unknown' };
  const error = Math.max(...parts.map(({ split }) => split.error ?? 0));
  const shares = portions.map(({ share }) => share);
  return { low: Math.min(...shares) - error, high: Math.max(...shares) + error, margin };
}

/** How far a sample may stray; undefined: it is not known of how many. */
function marginOf(portions: readonly PredictedPortion[], requests: number | null): number | undefined {
  const variance = Math.max(...portions.map((portion) => portion.variance));
  const granularity = portions.reduce((sum, portion) => sum + portion.granularity, 0);
  if (variance === 0 && granularity === 0) return 0;
  if (requests === null || requests <= 0) return undefined;
  return CERTAIN * standardError({ variance, granularity }, requests);
}

/** The whole run, or the phases of a window and the part of each that lies in it. */
export function partsOf(
  cluster: predictions.ClusterPrediction,
  during: Expectation['during'],
): readonly { readonly split: predictions.PredictedSplit; readonly part: number }[] {
  if (during === undefined) return [{ split: cluster, part: 1 }];
  return cluster.phases
    .map((phase) => ({ split: phase, part: overlap(phase, during[0], during[1]) }))
    .filter(({ part }) => part > 0);
}

/** The part of a phase that lies in a window, 0–1; requests of one instant are in it or not. */
function overlap(phase: predictions.PredictedPhase, fromUs: Micros, toUs: Micros): number {
  const from = phase.from_s * MICROS_PER_SECOND;
  const to = phase.to_s * MICROS_PER_SECOND;
  const inside = Math.min(to, toUs) - Math.max(from, fromUs);
  if (to <= from) return from >= fromUs && from < toUs ? 1 : 0;
  return inside <= 0 ? 0 : inside / (to - from);
}

/** Predictions know hosts by address, priority and locality. */
const isOfAddresses = ({ hostname, metadata, cluster }: Selector, own: string): boolean =>
  hostname === undefined && metadata === undefined && (cluster === undefined || cluster === own);

export function selectable(
  { address, priority, locality }: predictions.PredictedHost,
  cluster: string,
): SelectableHost {
  const { region, zone, sub_zone: subZone } = locality;
  return { address, hostname: '', cluster, priority, locality: { region, zone, subZone }, metadata: {} };
}
