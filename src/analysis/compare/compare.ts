import { FORMAT } from '../../core/document-format.js';
import { unknownBetween } from '../../core/version.js';
import { microsToSeconds } from '../../core/units.js';
import { policyName } from '../../config/lb.js';
import { predict } from '../../predict/predict.js';
import type { PredictedSplit, Prediction } from '../../predict/prediction.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { type ClusterRuns, type ComparedSide, type RanSides, runSides } from './cluster-runs.js';
import type { ClusterComparison, Comparison } from './comparison.js';
import { CONFIDENCE } from '../interval.js';
import { compareKeys, type KeyOptions } from './moved-keys.js';
import { compareStretch, type ExactShares } from './measures.js';
import { runnerHere, type SharedPhase } from './side-run.js';
import { hostKeyText, sumOfTallies } from './tally.js';
import { COUNT, demand, FLAG, FUNCTION, optionsOf, SIDES } from '../../core/arguments.js';
import { inputOf } from '../../scenario/origin.js';

export interface CompareOptions extends Omit<KeyOptions, 'pause'> {
  /** Runs of each side, each with its own seed. Default: ten, fewer where there are very many requests. */
  readonly runs?: number | undefined;
  readonly pause?: Pause | undefined;
}

export const COMPARE_OPTIONS = optionsOf<CompareOptions>({
  runs: COUNT,
  pause: FUNCTION,
  singleHostFailures: FLAG,
  zoneFailures: FLAG,
});

/**
 * Compares scenarios: shares, failures and latency of every phase, each change with its confidence interval; for hash
 * policies, the keys that move.
 *
 * All sides run under the same seeds, run by run, so that common random variation does not hide differences; intervals are
 * Student's, of the differences. Shares that are predicted exactly for all sides are used instead of counts.
 *
 * @param sides two or more; the others are compared with the first.
 * @throws UnsupportedError as `runScenario` does.
 */
export async function compare(sides: readonly ComparedSide[], options: CompareOptions = {}): Promise<Comparison> {
  demand('compare', ['sides', sides, SIDES], ['options', options, COMPARE_OPTIONS]);
  return comparisonOf(await runSides(sides, options, runnerHere(sides)), sides, options);
}

export async function comparisonOf(
  { runs, seeds, requests, clusters: ran }: RanSides,
  sides: readonly ComparedSide[],
  { pause = NO_PAUSE, ...options }: CompareOptions,
): Promise<Comparison> {
  const predictions: Prediction[] = [];
  for (const { scenario } of sides) predictions.push(await predict(scenario, { exactOnly: true }));
  const clusters: Record<string, ClusterComparison> = {};
  const unknown = unknownBetween(sides.flatMap(({ scenario }) => scenario.proxies.map(({ version }) => version)));
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
    ...(unknown !== undefined && { not_known: unknown }),
    notes: [...new Set(sides.flatMap(({ scenario }) => scenario.notes))],
  };
}

async function compareCluster(
  { name, phases, hosts, endUs, tallies }: ClusterRuns,
  sides: readonly ComparedSide[],
  predictions: readonly Prediction[],
  options: CompareOptions & { readonly pause: Pause },
): Promise<ClusterComparison> {
  const predicted = predictions.map(({ clusters }) => clusters[name]);
  const stretch = (
    exact: readonly (PredictedSplit | undefined)[],
    phase: number | undefined,
  ): ReturnType<typeof compareStretch> =>
    compareStretch(
      tallies.map((runs, side) => ({
        tallies: runs.map((windows) => sumOfTallies(phase === undefined ? windows : windows.slice(phase, phase + 1))),
        exact: exactShares(exact[side]),
      })),
      hosts,
    );
  const keys = await compareKeys(name, sides, phases, options);
  return {
    policy: sides.map(({ scenario }) => {
      const cluster = scenario.clusters.find((one) => one.name === name);
      return cluster === undefined ? null : policyName(cluster);
    }),
    whole: stretch(predicted, undefined),
    phases: phases.map((phase, index) => ({
      from_s: microsToSeconds(phase.fromUs),
      to_s: microsToSeconds(Math.min(phase.toUs, Math.max(endUs, phase.fromUs))),
      began: phase.began,
      ...stretch(
        predicted.map((prediction) => prediction?.phases.find((one) => covers(one, phase))),
        index,
      ),
    })),
    ...(keys !== undefined && { keys }),
  };
}

function covers({ from_s: from, to_s: to }: { readonly from_s: number; readonly to_s: number }, phase: SharedPhase) {
  const middle = microsToSeconds((phase.fromUs + phase.toUs) / 2);
  return from <= middle && middle < to;
}

function exactShares(split: PredictedSplit | undefined): ExactShares | undefined {
  if (split?.method !== 'exact') return undefined;
  const hosts = new Map(split.hosts.map((host) => [hostKeyText(host), host.share]));
  return { hosts, noHost: split.no_host?.share ?? 0 };
}
