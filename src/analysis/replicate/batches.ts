import { FORMAT } from '../../core/document-format.js';
import { entryOf } from '../../core/lists.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import type { RunResult } from '../../result/run-result.js';
import { endOf } from '../../scenario/end-time.js';
import type { Scenario } from '../../scenario/model.js';
import { versionsOf } from '../../scenario/versions.js';
import { createSimulation } from '../../simulation/simulation.js';
import {
  chosenHost,
  countedIn,
  endedRequest,
  hostKeyText,
  type Window,
  WindowCounter,
  type WindowTally,
} from '../compare/tally.js';
import { CONFIDENCE, meanInterval } from '../interval.js';
import { type Pause, runUntil } from '../pause.js';
import type { Dependence, Estimate, Replications } from './replications.js';
import { entryNames } from './run-numbers.js';

/** Batches that are independent correlate by chance with a standard deviation of 1 / √n: beyond this many of them they are not. */
const DEPENDENT_FROM = 2.33;

/**
 * The means of one long run and how well they are known, by the method of batch means: the time after the warm-up is cut into stretches of
 * equal length, whose means are taken for independent. Requests are counted in the batch in which they arrived.
 *
 * Source: Law, Simulation Modeling and Analysis (5th ed. 2015), section 9.5.3.
 *
 * @param batches 2 or more.
 */
export async function batchMeans(scenario: Scenario, batches: number, pause: Pause): Promise<Replications> {
  const { warmupUs } = scenario;
  const lengthUs = batchLengthUs(scenario, batches);
  const windows = Array.from({ length: batches }, (_, index): Window => ({
    fromUs: warmupUs + index * lengthUs,
    toUs: warmupUs + (index + 1) * lengthUs,
  }));
  const counters = new Map<string, WindowCounter>();
  const counterOf = (cluster: string): WindowCounter => entryOf(counters, cluster, () => new WindowCounter(windows));
  const simulation = await createSimulation(scenario, {
    onDecision: (record) => {
      for (const name of countedIn(record)) counterOf(name).decided(record.tUs, chosenHost(record));
    },
    onRequest: (record) => {
      const ended = endedRequest(record);
      for (const name of countedIn(record)) counterOf(name).ended(ended);
    },
  });
  await runUntil(simulation, pause);
  const result = simulation.result();
  const values = batchValues(result, counters);
  const numbers = [...values].flatMap(([name, list]) => estimated(name, list));
  return {
    format: FORMAT,
    scenario: scenario.name,
    version: versionsOf(scenario).version,
    method: 'batches',
    runs: batches,
    seeds: [scenario.seed],
    confidence: CONFIDENCE,
    warmup_s: microsToSeconds(warmupUs),
    ...dependenceOf(values),
    numbers: Object.fromEntries(numbers),
    clusters: Object.fromEntries(
      [...counters.keys()].flatMap((name) => {
        const cluster = result.clusters[name];
        return cluster === undefined ? [] : [[name, { policy: cluster.policy, hosts: entryNames(cluster.hosts) }]];
      }),
    ),
    expect: result.expect.map(({ expectation, passed }) => ({ expectation, passed: passed ? 1 : 0, runs: 1 })),
    notes: [...scenario.notes],
  };
}

/** Of each number, one value a batch; null where a batch has none. */
type BatchValues = ReadonlyMap<string, readonly (number | null)[]>;

function batchValues(result: RunResult, counters: ReadonlyMap<string, WindowCounter>): BatchValues {
  const values = new Map<string, readonly (number | null)[]>();
  for (const [cluster, counter] of counters) {
    const hosts = result.clusters[cluster]?.hosts ?? [];
    const texts = hosts.map(hostKeyText);
    const tallies = counter.tallies(texts);
    const add = (name: string, of: (tally: WindowTally) => number | null): void => {
      values.set(`clusters.${cluster}.${name}`, tallies.map(of));
    };
    add('requests', ({ decisions }) => decisions);
    add('failed_share', ({ failed, requests }) => (requests === 0 ? null : failed / requests));
    for (const measure of ['p50', 'p90', 'p99', 'max', 'mean'] as const) {
      add(`latency_ms.${measure}`, ({ latency }) => latency.summaryMs()[measure]);
    }
    entryNames(hosts).forEach((name, index) => {
      const text = texts[index] ?? '';
      add(`hosts.${name}.share`, (tally) => share(tally.hosts.get(text) ?? 0, tally));
    });
    add('no_host.share', (tally) => share(tally.noHost, tally));
  }
  return values;
}

function share(part: number, { decisions }: WindowTally): number | null {
  return decisions === 0 ? null : part / decisions;
}

function estimated(name: string, list: readonly (number | null)[]): (readonly [string, Estimate])[] {
  const present = list.filter((value) => value !== null);
  const interval = meanInterval(present);
  if (interval === undefined) return [];
  return [[name, present.length === list.length ? interval : { ...interval, runs: present.length }]];
}

/** The latency or part of failed requests whose batches are most alike to the next, if they are more than chance would have it. */
function dependenceOf(values: BatchValues): { readonly dependence?: Dependence } {
  let most: Dependence | undefined;
  for (const [number, list] of values) {
    if (!/\.(failed_share|latency_ms\.mean)$/.test(number)) continue;
    const present = list.filter((value) => value !== null);
    const correlation = lagOneCorrelation(present);
    if (correlation * Math.sqrt(present.length) <= DEPENDENT_FROM) continue;
    if (most === undefined || correlation > most.correlation) most = { number, correlation };
  }
  return most === undefined ? {} : { dependence: most };
}

/** Of each value with the next, −1 to 1; 0 where all are alike. */
export function lagOneCorrelation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (squares === 0) return 0;
  const products = values
    .slice(1)
    .reduce((sum, value, index) => sum + (value - mean) * ((values[index] ?? 0) - mean), 0);
  return products / squares;
}

/** The length of each of this many batches. */
function batchLengthUs(scenario: Scenario, batches: number): Micros {
  return (endOf(scenario) - scenario.warmupUs) / batches;
}
