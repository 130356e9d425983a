import { entryOf, groupBy, largest, sum } from '../../core/values.js';
import { predict } from '../../predict/predict.js';
import type { ClusterPrediction, PredictedHost, PredictionMethod } from '../../predict/generated/prediction.js';
import { sumOf } from '../../result/expected.js';
import type { HostResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import type { BalancerOptions } from '../generated/options.js';
import { NO_PAUSE, type Pause, seedOfRun } from '../pause.js';
import { runScenario } from '../run/run-scenario.js';

/** Of a proxy whose files do not say. */
const DEFAULT_WORKERS = 8;

/** Each worker of each proxy takes turns for itself. @param told by what was seen. */
export function withBalancers(
  scenario: Scenario,
  { workers, proxies: count }: BalancerOptions,
  told?: number,
): Scenario {
  const known = workers ?? told ?? (scenario.origin.bare ? DEFAULT_WORKERS : undefined);
  const proxies = scenario.proxies.map((proxy) => {
    return { ...proxy, workers: known ?? proxy.workers, count: count ?? proxy.count };
  });
  return { ...scenario, proxies };
}

/** What each host of a cluster gets of the cluster's requests, and how that varies. */
export interface ExpectedCluster extends Pick<ClusterPrediction, 'policy' | 'requests'> {
  /** `simulated`: there is no formula, the shares are means of runs. */
  readonly method: Exclude<PredictionMethod, 'none'> | 'simulated';
  /** How far a share may be off, 0–1. */
  readonly error: number;
  /** One for each address. */
  readonly hosts: readonly PredictedHost[];
}

const FEW_RUNS = 20;

/** Of all clusters that are reported, where there is no formula by runs. */
export async function expectedOf(scenario: Scenario, pause = NO_PAUSE): Promise<ReadonlyMap<string, ExpectedCluster>> {
  const { clusters } = await predict(scenario);
  const found = new Map<string, ExpectedCluster>();
  for (const [name, one] of Object.entries(clusters)) {
    const expected = expectedIn(one);
    if (expected !== undefined) found.set(name, expected);
  }
  const open = Object.keys(clusters).filter((name) => !found.has(name));
  const samples = open.length === 0 ? [] : await samplesOf(scenario, FEW_RUNS, pause);
  return new Map([...found, ...[...samples].filter(([name]) => open.includes(name))]);
}

/** undefined: there is no formula. */
export function expectedIn(prediction: ClusterPrediction): ExpectedCluster | undefined {
  const { policy, method, error = 0, hosts, requests } = prediction;
  return method === 'none' ? undefined : { policy, method, error, hosts: byAddress(hosts), requests };
}

/** An address that stands in two priorities or zones is counted once. */
const byAddress = (hosts: readonly PredictedHost[]): readonly PredictedHost[] =>
  [...groupBy(hosts, ({ address }) => address).values()].flatMap((same) =>
    same.slice(0, 1).map((host) => (same.length === 1 ? host : { ...host, ...sumOf(same) })),
  );

interface SampledCluster extends ExpectedCluster {
  /** `off`: how far what a host got was off its mean, in requests, by run. */
  readonly hosts: readonly (PredictedHost & { readonly off: readonly number[] })[];
}

interface Counts {
  readonly policy: string;
  /** By run. */
  readonly requests: number[];
  readonly hosts: Map<string, { readonly host: HostResult; readonly counts: number[] }>;
}

/** What runs under several seeds give the hosts of each cluster that gets requests. */
export async function samplesOf(
  scenario: Scenario,
  number: number,
  pause: Pause,
): Promise<ReadonlyMap<string, SampledCluster>> {
  const seen = new Map<string, Counts>();
  for (let run = 0; run < number; run++) {
    const { clusters } = await runScenario({ ...scenario, expect: [], seed: seedOfRun(scenario.seed, run) });
    for (const [name, { policy, hosts, no_host: none }] of Object.entries(clusters)) {
      const own = entryOf(seen, name, (): Counts => ({ policy, requests: [], hosts: new Map() }));
      own.requests[run] = sum(hosts.map(({ requests }) => requests)) + none.requests;
      for (const host of hosts) {
        const { counts } = entryOf(own.hosts, host.address, () => ({ host, counts: [] }));
        counts[run] = (counts[run] ?? 0) + host.requests;
      }
    }
    await pause((run + 1) / number);
  }
  return new Map([...seen].flatMap(([name, own]) => (sum(own.requests) === 0 ? [] : [[name, meanOf(own)]])));
}

function meanOf({ policy, requests, hosts: rows }: Counts): SampledCluster {
  const all = sum(requests);
  const mean = all / requests.length;
  const hosts = [...rows.values()].map(({ host: { address, priority, locality, weight, health }, counts }) => {
    const share = sum(counts) / all;
    const off = requests.map((attempts, run) => (counts[run] ?? 0) - attempts * share);
    const variance = varianceOf(off) / mean;
    return { address, priority, locality, weight, health, share, variance, granularity: 0, off };
  });
  const variances = hosts.map(({ variance }) => variance);
  // Three standard errors of a mean of these runs.
  return { policy, method: 'simulated', error: 3 * Math.sqrt(largest(variances, 0) / all), hosts, requests: mean };
}

/** @param off deviations from a mean that was estimated from them. */
export const varianceOf = (off: readonly number[]): number =>
  sum(off.map((one) => one ** 2)) / Math.max(1, off.length - 1);
