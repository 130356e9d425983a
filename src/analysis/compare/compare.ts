import { FORMAT } from '../../core/document-format.js';
import { quirksBetween, unknownBetween } from '../../core/version.js';
import { microsToSeconds } from '../../core/units.js';
import { defined, largest, sum } from '../../core/values.js';
import { policyName } from '../../config/lb.js';
import { predict } from '../../predict/predict.js';
import type { PredictedSplit, Prediction } from '../../predict/generated/prediction.js';
import { feltQuirks } from '../felt-quirks.js';
import { CompareOptions } from '../generated/options.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { runScenario } from '../run/run-scenario.js';
import { type ClusterRuns, type ComparedSide, type RanSides, runSides } from './cluster-runs.js';
import type {
  ClusterComparison,
  Comparison,
  HostComparison,
  ImbalanceComparison,
  Measure,
  StretchComparison,
  VersionChanges,
} from './generated/comparison.js';
import { CONFIDENCE, meanInterval } from '../interval.js';
import { compareKeys } from './moved-keys.js';
import { type HostKey, hostKeyText, sumOfTallies, type WindowTally } from './tally.js';
import { demand, SIDES } from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import { inputOf } from '../../scenario/origin.js';

/**
 * All sides run under the same seeds, run by run, so that common random variation does not hide differences; intervals
 * are Student's, of the differences. Shares that are predicted exactly for all sides are used instead of counts.
 * @param sides two or more; the others are compared with the first.
 * @throws UnsupportedError as `runScenario` does.
 */
export async function compare(sides: readonly ComparedSide[], options: CompareOptions = {}): Promise<Comparison> {
  demand('compare', ['sides', sides, SIDES], ['options', options, optionsIn(CompareOptions)]);
  return comparisonOf(await runSides(sides, options), sides, options);
}

export async function comparisonOf(
  { runs, seeds, requests, clusters: ran }: RanSides,
  sides: readonly ComparedSide[],
  { pause = NO_PAUSE, upgrade = false, ...options }: CompareOptions,
): Promise<Comparison> {
  const predictions: Prediction[] = [];
  for (const { scenario } of sides) predictions.push(await predict(scenario, { exactOnly: true }));
  const clusters: Record<string, ClusterComparison> = {};
  const unknown = unknownBetween(sides.flatMap(({ scenario }) => scenario.proxies.map(({ version }) => version)));
  const changes = upgrade ? await versionChanges(sides, pause) : undefined;
  for (const own of ran) clusters[own.name] = await compareCluster(own, sides, predictions, { ...options, pause });
  return {
    format: FORMAT,
    ...inputOf(...sides.map(({ scenario }) => scenario)),
    sides: sides.map(({ name, scenario }, index) => ({
      name,
      scenario: scenario.name,
      version: scenario.proxies[0]?.version ?? '',
      requests: requests[index] ?? 0,
    })),
    runs,
    seeds,
    confidence: CONFIDENCE,
    clusters,
    ...defined({ not_known: unknown, version_changes: changes }),
    notes: [...new Set(sides.flatMap(({ scenario }) => scenario.notes))],
  };
}

async function versionChanges(sides: readonly ComparedSide[], pause: Pause): Promise<VersionChanges | undefined> {
  const versions = sides.map(({ scenario }) => new Set(scenario.proxies.map((proxy) => proxy.version)));
  const [from, to, ...others] = versions.flatMap((own) => [...own]);
  const [first] = sides;
  if (first === undefined || from === undefined || to === undefined || from === to) return undefined;
  if (others.length > 0 || versions.some(({ size }) => size !== 1)) return undefined;
  const quirks = quirksBetween(from, to);
  const felt = await feltQuirks(first.scenario, await runScenario(first.scenario, {}, pause), quirks, pause);
  return { from, to, differences: quirks.length, felt: felt ?? null };
}

async function compareCluster(
  { name, phases, hosts, endUs, tallies }: ClusterRuns,
  sides: readonly ComparedSide[],
  predictions: readonly Prediction[],
  options: CompareOptions & { readonly pause: Pause },
): Promise<ClusterComparison> {
  const predicted = predictions.map(({ clusters }) => clusters[name]);
  const stretch = (exact: readonly (PredictedSplit | undefined)[], phase?: number): StretchComparison => {
    const own = tallies.map((runs, side) => ({
      tallies: runs.map((windows) => sumOfTallies(phase === undefined ? windows : windows.slice(phase, phase + 1))),
      exact: exactShares(exact[side]),
    }));
    return compareStretch(own, hosts);
  };
  const keys = await compareKeys(name, sides, phases, options);
  return {
    policy: sides.map(({ scenario }) => {
      const cluster = scenario.clusters.find((one) => one.name === name);
      return cluster === undefined ? null : policyName(cluster);
    }),
    whole: stretch(predicted),
    phases: phases.map(({ fromUs, toUs, began }, index) => {
      const middle = microsToSeconds((fromUs + toUs) / 2);
      const exact = predicted.map((one) => one?.phases.find(({ from_s, to_s }) => from_s <= middle && middle < to_s));
      return {
        from_s: microsToSeconds(fromUs),
        to_s: microsToSeconds(Math.min(toUs, Math.max(endUs, fromUs))),
        began,
        ...stretch(exact, index),
      };
    }),
    ...(keys !== undefined && { keys }),
  };
}

function exactShares(split: PredictedSplit | undefined): ExactShares | undefined {
  if (split?.method !== 'exact') return undefined;
  const hosts = new Map(split.hosts.map((host) => [hostKeyText(host), host.share]));
  return { hosts, noHost: split.no_host?.share ?? 0 };
}

/** How unevenly something is spread; null of each where there is nothing to spread. Source of the index: Jain, Chiu and Hawe, DEC-TR-301 (1984). */
export type Imbalance = Readonly<Record<keyof ImbalanceComparison, number | null>>;

/** @param counts one for each that might have got something, 0 or more. */
export function imbalanceOf(counts: readonly number[]): Imbalance {
  const whole = sum(counts);
  if (whole === 0) return { peak_to_mean: null, jain: null, cov: null };
  const squares = sum(counts.map((count) => count * count));
  const n = counts.length;
  const mean = whole / n;
  // E[x²] − E[x]² may come out a rounding error below 0.
  const cov = Math.sqrt(Math.max(0, squares / n - mean * mean)) / mean;
  return { peak_to_mean: largest(counts) / mean, jain: (whole * whole) / (n * squares), cov };
}

type ExactShares = Pick<WindowTally, 'hosts' | 'noHost'>;

export interface SideStretch {
  /** By run; empty: the side has no such cluster. */
  readonly tallies: readonly WindowTally[];
  readonly exact: ExactShares | undefined;
}

export function compareStretch(sides: readonly SideStretch[], hosts: readonly HostKey[]): StretchComparison {
  const measured = (of: (tally: WindowTally) => number | null): Measure =>
    measure(sides.map(({ tallies }) => tallies.map(of)));
  const texts = hosts.map(hostKeyText);
  const uneven = (of: keyof Imbalance): Measure =>
    measured((tally) => imbalanceOf(texts.map((text) => tally.hosts.get(text) ?? 0))[of]);
  const share = (part: (of: ExactShares) => number): Measure => {
    const exact = sides.map((side) => side.exact && part(side.exact));
    if (exact.every((value) => value !== undefined)) return exactMeasure(exact);
    return measured((tally) => ratio(part(tally), tally.decisions));
  };
  const latency = (of: 'mean' | 'p50' | 'p99'): Measure => measured((tally) => tally.latency.summaryMs()[of]);
  return {
    requests: measured(({ requests }) => requests),
    failed: measured(({ failed, requests }) => ratio(failed, requests)),
    latency_ms: { mean: latency('mean'), p50: latency('p50'), p99: latency('p99') },
    hosts: hosts.map(({ address, priority, locality }, index): HostComparison => {
      const text = texts[index] ?? '';
      return { address, priority, locality, ...share((of) => of.hosts.get(text) ?? 0) };
    }),
    no_host: share(({ noHost }) => noHost),
    imbalance: { peak_to_mean: uneven('peak_to_mean'), jain: uneven('jain'), cov: uneven('cov') },
  };
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** @param values by side and run. */
function measure(values: readonly (readonly (number | null)[])[]): Measure {
  const [first = [], ...others] = values;
  return {
    mean: values.map((runs) => meanInterval(runs.filter((value) => value !== null))?.mean ?? null),
    change: others.map((runs) => {
      const differences = runs.flatMap((value, run) => {
        const before = first[run] ?? null;
        return value === null || before === null ? [] : [value - before];
      });
      return meanInterval(differences) ?? null;
    }),
  };
}

function exactMeasure(values: readonly number[]): Measure {
  const [first = 0, ...others] = values;
  return {
    mean: values,
    change: others.map((value) => ({ mean: value - first, low: value - first, high: value - first })),
    exact: true,
  };
}
