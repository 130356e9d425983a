import fc from 'fast-check';
import { expect, test } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/simulation/simulation.js';
import { deviations } from './deviations.js';
import { scenarios } from './random-scenarios.js';

/**
 * Two derivations from the same rules, by different people and in different ways: what the simulator counts must lie
 * around what the prediction says.
 */
test('runs of random scenarios stay within five standard errors of their predictions', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios(), async (value) => {
      const { scenario, problems } = loadScenarioValue(value, 'random');
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      if (scenario === undefined) return;
      const [run, prediction] = [await runScenario(scenario), await predict(scenario)];
      expect(deviations(run, prediction).filter(({ z }) => Math.abs(z) >= 5)).toEqual([]);
    }),
    { numRuns: Number(process.env['LBSIM_RUNS'] ?? 60), seed: Number(process.env['LBSIM_SEED'] ?? 1) },
  );
}, 600_000);
