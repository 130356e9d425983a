import { describe, expect, it } from 'vitest';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runWithInvariants } from './invariants.js';
import { modernScenario } from './modern-scenario.js';
import { randomScenario } from './random-scenario.js';
import { stallSince } from './sound.js';

/** SWARM_SEED=17 SWARM_RUNS=5000 npx vitest run test/swarm runs more, from another seed. */
const FIRST = Number(process.env['SWARM_SEED'] ?? 1);
const RUNS = Number(process.env['SWARM_RUNS'] ?? 8);

describe.each([
  ['v2', randomScenario],
  ['v3', modernScenario],
] as const)('random scenarios of every feature together, in %s', (api, make) => {
  it(`hold the laws of every run, from seed ${FIRST} on`, async () => {
    const failures: string[] = [];
    for (let seed = FIRST; seed < FIRST + RUNS && failures.length < 10; seed++) {
      const before = process.cpuUsage();
      try {
        const { scenario, problems } = loadScenarioValue(make(seed), `swarm-${api}-${seed}`);
        if (scenario === undefined) {
          const errors = problems.filter(({ severity }) => severity === 'error');
          throw new Error(errors.map(({ path, message }) => `${path}: ${message}`).join('\n'));
        }
        await runWithInvariants(scenario);
      } catch (error) {
        failures.push(`seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
      const stall = stallSince(before);
      if (stall !== undefined) failures.push(`seed ${seed}: ${stall}`);
    }
    expect(failures.join('\n\n')).toBe('');
  }, 3_600_000);
});
