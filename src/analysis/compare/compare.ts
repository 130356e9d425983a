import { FORMAT } from '../../core/document-format.js';
import type { Micros } from '../../core/units.js';
import { MICROS_PER_SECOND, microsToSeconds } from '../../core/units.js';
import { policyName } from '../../config/lb.js';
import { predict } from '../../predict/predict.js';
import type { PredictedSplit, Prediction } from '../../predict/prediction.js';
import { demandScenario } from '../../scenario/argument-checks.js';
import type { Scenario } from '../../scenario/model.js';
import type { Pause } from '../pause.js';
import { NO_PAUSE } from '../pause.js';
import { seedOfRun } from '../seeds.js';
import type { ClusterComparison, Comparison } from './comparison.js';
import { CONFIDENCE } from '../interval.js';
import { compareKeys } from './moved-keys.js';
import type { ExactShares } from './measures.js';
import { compareStretch } from './measures.js';
import type { SideRun } from './side-run.js';
import { runSide, withSeed } from './side-run.js';
import type { HostKey, WindowTally } from './tally.js';
import { hostKeyText, sumOfTallies } from './tally.js';
import type { SharedPhase } from './windows.js';
import { sharedPhases } from './windows.js';

export interface ComparedSide {
  readonly name: string;
  readonly scenario: Scenario;
}

export interface CompareOptions {
  /** Runs of each side, each with its own seed. Default: ten, fewer where there are very many requests. */
  readonly runs?: number | undefined;
  /** Lose each host by itself, to see which keys move. */
  readonly singleHostFailures?: boolean | undefined;
  /** The same of each zone. */
  readonly zoneFailures?: boolean | undefined;
  readonly pause?: Pause | undefined;
}

/** Default number of runs of each side, and the number of requests from which fewer are enough. */
const MOST_RUNS = 10;
const FEWEST_RUNS = 3;
const ENOUGH_REQUESTS = 1_000_000;

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
  const { pause = NO_PAUSE } = options;
  const [first] = sides;
  if (first === undefined || sides.length < 2) throw new RangeError('compare takes two sides or more');
  for (const side of sides) demandScenario(side.scenario, 'each side of compare');
  const { seed } = first.scenario;
  const runOnce = async (run: number, of: number): Promise<readonly SideRun[]> => {
    const ran: SideRun[] = [];
    for (const [index, side] of sides.entries()) {
      const done = (run * sides.length + index) / (of * sides.length);
      await pause(done);
      const scenario = withSeed(side.scenario, seedOfRun(seed, run));
      ran.push(await runSide(scenario, (own) => pause(done + own / (of * sides.length))));
    }
    return ran;
  };
  const firstRuns = await runOnce(0, options.runs ?? MOST_RUNS);
  const requests = firstRuns.map(({ result }) => result.totals.requests);
  const runs = options.runs ?? runsFor(Math.max(...requests));
  const names = [...new Set(firstRuns.flatMap(({ result }) => Object.keys(result.clusters)))];
  const logs = names.map((name) => new ClusterRuns(name, firstRuns));
  for (let run = 1; run < runs; run++) {
    const ran = await runOnce(run, runs);
    for (const log of logs) log.add(ran);
  }

  const predictions: Prediction[] = [];
  for (const { scenario } of sides) predictions.push(await predict(scenario, { exactOnly: true }));
  const clusters: Record<string, ClusterComparison> = {};
  for (const log of logs) clusters[log.name] = await compareCluster(log, sides, predictions, { ...options, pause });
  return {
    format: FORMAT,
    sides: sides.map(({ name, scenario }, index) => ({
      name,
      scenario: scenario.name,
      version: scenario.proxies[0]?.version ?? '',
      requests: requests[index] ?? 0,
    })),
    runs,
    seeds: Array.from({ length: runs }, (_, run) => seedOfRun(seed, run)),
    confidence: CONFIDENCE,
    clusters,
    notes: [...new Set(sides.flatMap(({ scenario }) => scenario.notes))],
  };
}

function runsFor(requests: number): number {
  const enough = Math.floor((ENOUGH_REQUESTS * MOST_RUNS) / Math.max(1, requests) / MOST_RUNS);
  return Math.max(FEWEST_RUNS, Math.min(MOST_RUNS, enough));
}

/** The data of the runs for one cluster: counts by phase, where phases are those of the first runs. */
class ClusterRuns {
  readonly phases: readonly SharedPhase[];
  readonly hosts: readonly HostKey[];
  readonly endUs: Micros;
  /** By side, run and phase. */
  readonly tallies: readonly (readonly WindowTally[])[][];
  private readonly there: readonly boolean[];

  constructor(
    readonly name: string,
    firstRuns: readonly SideRun[],
  ) {
    const results = firstRuns.map(({ result }) => result.clusters[name]);
    this.endUs = firstRuns.reduce<Micros>((end, ran) => Math.max(end, Math.ceil(endOf(ran))), 0);
    this.phases = sharedPhases(results, this.endUs);
    this.hosts = hostsOf(results.map((result) => result?.hosts ?? []));
    this.there = results.map((result) => result !== undefined);
    this.tallies = firstRuns.map(() => []);
    this.add(firstRuns);
  }

  add(ran: readonly SideRun[]): void {
    ran.forEach(({ tally }, side) => {
      if (this.there[side] === true) this.tallies[side]?.push(tally.count(this.name, this.phases));
    });
  }
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
      causes: phase.causes,
      ...stretch(
        predicted.map((prediction) => prediction?.phases.find((one) => covers(one, phase))),
        index,
      ),
    })),
    ...(keys !== undefined && { keys }),
  };
}

function endOf({ result }: SideRun): Micros {
  return result.duration_s * MICROS_PER_SECOND;
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

/** Each once, those of the first side first. */
function hostsOf(sides: readonly (readonly HostKey[])[]): readonly HostKey[] {
  const known = new Map<string, HostKey>();
  for (const host of sides.flat()) {
    const text = hostKeyText(host);
    if (!known.has(text)) known.set(text, host);
  }
  return [...known.values()];
}
