/**
 * A million requests through a hundred hosts, as `lbsim run` simulates them, beside the bare queueing model written with
 * closures, and the same with all that looks after hosts. Part of `npm run bench`; docs/performance.md tells how to read it.
 */
import { readFileSync } from 'node:fs';
import { createKeyHasher } from '../src/hash/request-key.js';
import type { RunResult } from '../src/result/run-result.js';
import { loadScenario } from '../src/scenario/load.js';
import type { Scenario } from '../src/scenario/model.js';
import { Simulation } from '../src/simulation/simulation.js';
import { simulateWithClosures } from './rivals/closure-simulation.js';
import { sideBySide } from './side-by-side.js';

const HOSTS = 100;
const REQUESTS = 1_000_000;
const BARE = 'closures, no proxy';

const hasher = await createKeyHasher();
const bare = load('million');
const lifecycle = load('million-lifecycle');

const means = { ours: NaN, closures: NaN };
const timings = sideBySide(
  [
    { name: 'lbsim', run: () => (means.ours = (run(bare).clusters['backend']?.latency_ms.mean ?? NaN) * 1000) },
    { name: 'lbsim, all that looks after hosts', run: () => run(lifecycle) },
    { name: BARE, run: () => (means.closures = simulateWithClosures(HOSTS, REQUESTS, 100, 8000)) },
  ],
  { rounds: 3, runs: 1 },
);

console.log(`A million requests through ${HOSTS} hosts by two choices, in CPU seconds (fastest / median of 3):\n`);
const rival = timings.get(BARE);
for (const [name, { min, median }] of timings) {
  const ratio = rival === undefined ? NaN : min / rival.min;
  console.log(`  ${name.padEnd(36)} ${seconds(min)} / ${seconds(median)}   ${ratio.toFixed(1)} x ${BARE}`);
}
console.log(
  `\nMean time of a request: ${ms(means.ours)} and, without a proxy, ${ms(means.closures)} (theory: 15.6 ms).`,
);
// Five standard errors of the mean at this load and length are well below 3 %.
if (!(Math.abs(means.ours / means.closures - 1) < 0.03)) {
  console.error('The two models differ by more than chance.');
  process.exitCode = 1;
}

function load(name: string): Scenario {
  const file = `bench/${name}.yaml`;
  const { scenario } = loadScenario({ file, text: readFileSync(file, 'utf8') });
  if (scenario === undefined) throw new Error(`${file} is not valid`);
  return scenario;
}

function run(scenario: Scenario): RunResult {
  const simulation = new Simulation(scenario, hasher, {});
  while (!simulation.advance(1_000_000));
  return simulation.result();
}

function seconds(cpuMs: number): string {
  return (cpuMs / 1000).toFixed(2);
}

function ms(us: number): string {
  return `${(us / 1000).toFixed(2)} ms`;
}
