import { present } from '../../core/values.js';
import type { Scenario } from '../../scenario/model.js';
import { clustersAsked } from '../../settings/world.js';
import type { SweepOptions } from '../generated/options.js';
import { type Interval, meanInterval } from '../interval.js';
import { type Axis, NoSweep } from './axis.js';

/** What is looked for. */
export type Goal = Readonly<{ measure: SweepMeasure; maximize: boolean; bounds: readonly Bound[] }>;

/** What is known of a point: of each number, one value a run. */
export type PointRuns = readonly Readonly<Record<string, number>>[];

/** Each time the best third goes on, with three times the runs. */
const KEPT = 3;
/** Of a point that is left, times the runs of the first round. */
const MOST_RUNS = 27;

export type Round = Readonly<{ points: readonly number[]; runs: number }>;

/** The next round after one whose points have been put in order, best first; undefined: that was the last. */
export function nextRound({ runs }: Round, ranked: readonly number[], first: number): Round | undefined {
  if (ranked.length <= 1 || runs * KEPT > first * MOST_RUNS) return undefined;
  return { points: ranked.slice(0, Math.ceil(ranked.length / KEPT)), runs: runs * KEPT };
}

export type Score = ReturnType<typeof scoreOf>;

/**
 * How good a point is: by how much it misses the bounds of a goal, together (Infinity: there are no numbers), then by its measure; the
 * smaller the better.
 */
export function scoreOf(runs: PointRuns, { measure, maximize, bounds }: Goal) {
  const meanOf = (number: string): number | undefined => meanInterval(runs.flatMap((run) => run[number] ?? []))?.mean;
  const wanted = meanOf(measure.number);
  if (wanted === undefined) return { miss: Infinity, value: Infinity };
  const misses = bounds.map((bound) => {
    const mean = meanOf(bound.measure.number);
    return mean === undefined ? Infinity : missOf(bound, mean);
  });
  return { miss: misses.reduce((sum, miss) => sum + miss, 0), value: maximize ? -wanted : wanted };
}

/** Negative: the first is better. */
export const byScore = (a: Score, b: Score): number =>
  // Of two that are infinite the difference is NaN.
  a.miss - b.miss || a.value - b.value || 0;

/** The difference of two points, run by run of the same seed; undefined: they have no run in common. */
export function differenceOf(a: PointRuns, b: PointRuns, { number }: SweepMeasure): Interval | undefined {
  const differences = Array.from({ length: Math.min(a.length, b.length) }, (_, run) => {
    const [first, second] = [a[run]?.[number], b[run]?.[number]];
    return first === undefined || second === undefined ? [] : [second - first];
  });
  return meanInterval(differences.flat());
}

/** A number of a run that a sweep keeps. */
export interface SweepMeasure {
  /** As tables and options call it: `p99`, with several clusters `web.p99`, or the whole name of the number. */
  readonly name: string;
  /** Its name among the numbers of a run. */
  readonly number: string;
  readonly unit: '' | '%' | 'ms';
}

const SHORT = {
  requests: ['requests', ''],
  failures: ['failed_share', '%'],
  no_host: ['no_host.share', '%'],
  mean: ['latency_ms.mean', 'ms'],
  p50: ['latency_ms.p50', 'ms'],
  p90: ['latency_ms.p90', 'ms'],
  p99: ['latency_ms.p99', 'ms'],
  max: ['latency_ms.max', 'ms'],
} as const satisfies Readonly<Record<string, readonly [string, SweepMeasure['unit']]>>;

/** Those that a table shows unless others are asked for. */
export const SHOWN: readonly string[] = ['failures', 'mean', 'p99'];

/** The measures of each cluster with traffic. */
export const measuresOf = (clusters: readonly string[]): readonly SweepMeasure[] =>
  clusters.flatMap((cluster) =>
    Object.entries(SHORT).map(([short, [number, unit]]): SweepMeasure => ({
      name: clusters.length === 1 ? short : `${cluster}.${short}`,
      number: `clusters.${cluster}.${number}`,
      unit,
    })),
  );

/** A measure by its name; any other number of a run by its whole name. @returns what is wrong with the name otherwise. */
export function measureNamed(name: string, known: readonly SweepMeasure[]): SweepMeasure | string {
  const found = known.find((measure) => measure.name === name || measure.number === name);
  if (found !== undefined) return found;
  if (/^(clusters|proxies|stats|totals|failures)\..|^duration_s$/.test(name)) return { name, number: name, unit: '' };
  const names = known.map((measure) => measure.name);
  return `there is no ${name}: there are ${names.join(', ')}, and every number of lbsim run --json by its whole name, as totals.retries`;
}

/** The measures that are kept of each run, those of a goal among them. */
export interface SweepMeasures {
  readonly kept: readonly SweepMeasure[];
  /** Of these the ones that were asked for by name. */
  readonly asked: readonly SweepMeasure[];
  readonly goal: Goal | undefined;
}

/** Of these, what says which points there are, and what is told of them. */
export type SweepChoices = Omit<SweepOptions, 'vary' | 'load' | 'pause'>;

/** A varied field of plain numbers may be looked for, and bounded, like a number of a run. */
export function measuresFor(scenario: Scenario, axes: readonly Axis[], options: SweepChoices): SweepMeasures {
  const busy = clustersAsked(scenario);
  const ran = measuresOf(scenario.clusters.flatMap(({ name }) => (busy.has(name) ? [name] : [])));
  const fields = axes.flatMap(({ path, isNumber }): SweepMeasure[] =>
    isNumber ? [{ name: path, number: path, unit: '' }] : [],
  );
  const known = [...ran, ...fields];
  const fitting = <Found>(option: string, text: string, found: Found | string): Found => {
    if (typeof found === 'string') throw new NoSweep(`${option} ${text}: ${found}`);
    return found;
  };
  const named = (option: string, name: string): SweepMeasure => fitting(option, name, measureNamed(name, known));
  const { minimize, subjectTo = [], measure: more = [] } = options;
  const wanted = minimize ?? options.maximize;
  const asked = more.map((name) => named('--measure', name));
  const bounds = subjectTo.map((text) => fitting('--subject-to', text, parseBound(text, known)));
  const maximize = minimize === undefined;
  const measure = wanted === undefined ? undefined : named(maximize ? '--maximize' : '--minimize', wanted);
  const every = [...ran, ...asked, ...bounds.map((bound) => bound.measure), ...present([measure])];
  const kept = new Map(every.flatMap((one) => (fields.includes(one) ? [] : [[one.number, one]])));
  return { kept: [...kept.values()], asked, goal: measure && { measure, maximize, bounds } };
}

/** What stands beside a latency, which is that of answered requests alone: the failures of its cluster. undefined: it is none. */
export function failuresBeside({ number }: SweepMeasure, known: readonly SweepMeasure[]): SweepMeasure | undefined {
  const [cluster, latency] = number.split('.latency_ms.');
  return latency === undefined ? undefined : known.find((other) => other.number === `${cluster ?? ''}.failed_share`);
}

/** A bound on a measure: `failures<0.1%`, `p99<=50ms`. */
export type Bound = Readonly<{ text: string; measure: SweepMeasure; above: boolean; limit: number }>;

/** @returns the bound, or what is wrong with the text. */
export function parseBound(text: string, known: readonly SweepMeasure[]): Bound | string {
  const match = /^\s*([^<>=\s]+)\s*(<=?|>=?)\s*(\d+(?:\.\d+)?)\s*(%|ms|s|us)?\s*$/.exec(text);
  if (match === null) return `write a measure and its bound, as failures<0.1% or p99<=50ms`;
  const [, name = '', sign = '', number = '', unit = ''] = match;
  const measure = measureNamed(name, known);
  if (typeof measure === 'string') return measure;
  const factors: Readonly<Record<string, number>> =
    measure.unit === 'ms' ? { ms: 1, s: 1000, us: 0.001 } : { '': 1, '%': 0.01 };
  const factor = factors[unit];
  if (factor === undefined)
    return measure.unit === 'ms' ? `${name} is a time: write ${number}ms` : `${name} has no unit ${unit}`;
  return { text: text.trim(), measure, above: sign.startsWith('>'), limit: Number(number) * factor };
}

/** By how much a mean misses its bound, relative to it; 0: it does not. */
export function missOf({ above, limit }: Bound, mean: number): number {
  const by = above ? limit - mean : mean - limit;
  return by <= 0 ? 0 : by / Math.max(Math.abs(limit), Number.EPSILON);
}
