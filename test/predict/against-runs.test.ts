import fc from 'fast-check';
import { expect, test } from 'vitest';
import { predict, runScenario } from '../../src/words/library.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { deviations } from './deviations.js';
import { scenarios } from './random-scenarios.js';
import { notAddingUp, shownElsewhere, subsetsOff } from './sums.js';

/**
 * Two derivations from the same rules, by different people and in different ways: what the simulator counts must lie
 * around what the prediction says, and both must name the same reasons.
 */
test('runs of random scenarios stay within five standard errors of their predictions, for the same reasons', async () => {
  let predicted = 0;
  await fc.assert(
    fc.asyncProperty(scenarios(), async (value) => {
      const { scenario, problems } = loadScenarioValue(value, 'random');
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      if (scenario === undefined) return;
      const [run, prediction] = [await runScenario(scenario, { predict: true }), await predict(scenario)];
      expect(notAddingUp(prediction)).toEqual([]);
      expect(shownElsewhere(run, prediction)).toEqual([]);
      expect(subsetsOff(run, prediction)).toEqual([]);
      expect(deviations(run, prediction).filter(({ z }) => Math.abs(z) >= 5)).toEqual([]);
      for (const [name, { phases }] of Object.entries(prediction.clusters)) {
        for (const phase of phases) {
          if (phase.method === 'none') continue;
          predicted++;
          const twin = run.clusters[name]?.phases.find(({ from_s: from }) => from === phase.from_s);
          expect([phase.from_s, phase.reasons]).toEqual([phase.from_s, twin?.reasons ?? phase.reasons]);
        }
      }
    }),
    { numRuns: Number(process.env['LBSIM_RUNS'] ?? 60), seed: Number(process.env['LBSIM_SEED'] ?? 1) },
  );
  // Most phases can be predicted: where none could, nothing would be compared.
  expect(predicted).toBeGreaterThan(60);
});
