import { entryOf } from '../../core/lists.js';
import { MICROS_PER_MILLI, microsToSeconds } from '../../core/units.js';
import { DurationRecorder } from '../../result/latency.js';
import type { HostResult } from '../../result/run-result.js';
import { endOf, versionsOf } from '../../settings/world.js';
import type { Scenario } from '../../scenario/model.js';
import { createSimulation } from '../run/run-scenario.js';
import {
  chosenHost,
  countedIn,
  endedRequest,
  hostKeyText,
  type Window,
  WindowCounter,
  type WindowTally,
} from '../compare/tally.js';
import { CONFIDENCE, meanInterval, ratioValues } from '../interval.js';
import { type Pause, runUntil } from '../pause.js';
import { PooledPercentiles } from './pooled-quantile.js';
import type { Dependence, Estimate, Replications } from './replications.js';
import { entryNames } from './run-numbers.js';
import { answerHead } from '../answer-head.js';

/** Batches that are independent correlate by chance with a standard deviation of 1 / √n: beyond this many of them they are not. */
const DEPENDENT_FROM = 2.33;

/**
 * The means of one long run and how well they are known, by the method of batch means: the time after the warm-up is cut into stretches of
 * equal length, whose means are taken for independent. Requests are counted in the batch in which they arrived. Means and percentiles
 * are those of all requests; there is no maximum, as that of one run says nothing of another's.
 *
 * Source: Law, Simulation Modeling and Analysis (5th ed. 2015), section 9.5.3.
 *
 * @param batches 2 or more.
 */
export async function batchMeans(scenario: Scenario, batches: number, pause: Pause): Promise<Replications> {
  const { warmupUs } = scenario;
  const lengthUs = (endOf(scenario) - warmupUs) / batches;
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
  const values = new Map<string, readonly number[]>();
  const numbers: (readonly [string, Estimate])[] = [];
  const percentiles = new PooledPercentiles('batches');
  for (const [name, counter] of counters) {
    const hosts = result.clusters[name]?.hosts ?? [];
    const tallies = counter.tallies(hosts.map(hostKeyText));
    for (const [number, list] of batchValues(name, hosts, tallies)) {
      values.set(number, list);
      const interval = meanInterval(list);
      if (interval !== undefined) numbers.push([number, interval]);
    }
    const latencies = tallies.map(({ latency }) => latency);
    numbers.push(...percentiles.of(name, latencies, DurationRecorder.sum(latencies)));
  }
  return {
    ...answerHead(scenario),
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
    notes: [...scenario.notes, ...percentiles.notes],
  };
}

/** Of each mean, one value a batch, whose mean it is. */
type BatchValues = ReadonlyMap<string, readonly number[]>;

/** Numbers of a cluster, means of all of its requests: a batch counts by how many it has. */
function batchValues(cluster: string, hosts: readonly HostResult[], tallies: readonly WindowTally[]): BatchValues {
  const values = new Map<string, readonly number[]>();
  const ratio = (name: string, part: (tally: WindowTally) => number, of: (tally: WindowTally) => number): void => {
    values.set(`clusters.${cluster}.${name}`, ratioValues(tallies.map(part), tallies.map(of)));
  };
  const decisions = (tally: WindowTally): number => tally.decisions;
  values.set(`clusters.${cluster}.requests`, tallies.map(decisions));
  ratio(
    'failed_share',
    ({ failed }) => failed,
    ({ requests }) => requests,
  );
  ratio(
    'latency_ms.mean',
    ({ latency }) => (latency.count * (latency.meanUs() ?? 0)) / MICROS_PER_MILLI,
    ({ latency }) => latency.count,
  );
  entryNames(hosts).forEach((name, index) => {
    const text = hostKeyText(hosts[index] as HostResult);
    ratio(`hosts.${name}.share`, (tally) => tally.hosts.get(text) ?? 0, decisions);
  });
  ratio('no_host.share', ({ noHost }) => noHost, decisions);
  return values;
}

/** The latency or part of failed requests whose batches are most alike to the next, if they are more than chance would have it. */
function dependenceOf(values: BatchValues): { readonly dependence?: Dependence } {
  let most: Dependence | undefined;
  for (const [number, list] of values) {
    if (!/\.(failed_share|latency_ms\.mean)$/.test(number)) continue;
    const correlation = lagOneCorrelation(list);
    if (correlation * Math.sqrt(list.length) <= DEPENDENT_FROM) continue;
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
