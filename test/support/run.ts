import type { RunResult } from '../../src/words/results.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import type { SimulationHooks } from '../../src/analysis/generated/options.js';
import { runScenario } from '../../src/words/library.js';

/** A scenario from what a file would hold. @throws Error with the problems that it has. */
export function scenarioOf(value: unknown): Scenario {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  return scenario;
}

/** Runs a scenario from what a file would hold. */
export function run(value: unknown, hooks: SimulationHooks = {}): Promise<RunResult> {
  return runScenario(scenarioOf(value), hooks);
}

/** Counters, gauges and histogram counts of one cluster, without the prefix of its name. */
export function clusterStats({ stats }: RunResult, cluster = 'c'): Readonly<Record<string, number>> {
  const prefix = `cluster.${cluster}.`;
  const all = { ...stats.counters, ...stats.gauges };
  const own = Object.entries(all).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Attempts sent to each host of a cluster. */
export function requestsByHost(result: RunResult, cluster = 'c'): Readonly<Record<string, number>> {
  const hosts = result.clusters[cluster]?.hosts ?? [];
  return Object.fromEntries(hosts.map(({ address, requests }) => [address, requests]));
}

/** When each phase of a cluster begins, and why. */
export function phasesOf(result: RunResult, cluster = 'c'): readonly (readonly [number, string])[] {
  return (result.clusters[cluster]?.phases ?? []).map(({ from_s, cause }) => [from_s, cause]);
}

/** Every label in the phases of a cluster. */
export function labelsOf(result: RunResult, cluster = 'c'): readonly string[] {
  return (result.clusters[cluster]?.phases ?? []).flatMap(({ labels }) => labels);
}
