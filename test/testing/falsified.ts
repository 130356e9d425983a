import { expect } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { LawFalsified } from '../../src/testing/index.js';

/** Runs `law`, which has to fail, and the scenario it prints, as its reader would. @returns the reason it gives. */
export async function reasonOf(law: () => void): Promise<string> {
  let error: unknown;
  try {
    law();
  } catch (thrown) {
    error = thrown;
  }
  if (!(error instanceof LawFalsified)) throw new Error('the law holds', { cause: error });
  expect(error.message).toContain(error.scenario);
  const { scenario, problems } = loadScenario({ file: 'falsified.yaml', text: error.scenario });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (scenario === undefined) throw new Error('it does not load');
  const result = await runScenario(scenario);
  expect(result.totals.requests).toBe(scenario.requests.length + shareRequests(error.scenario));
  expect(error.scenario).toMatch(/^# Falsified: a balancer .*\.$/m);
  return error.reason;
}

/** Requests of the workload, at one a millisecond. */
function shareRequests(text: string): number {
  return Number(/stop: (\d+)ms/.exec(text)?.[1] ?? 0);
}
