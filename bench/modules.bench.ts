/**
 * What a policy module costs over the same policy built in: a run's requests, with every call watched and without.
 *
 * Part of `npm run bench`; ends with exit code 1 where it is more than a tenth.
 */
import { readFileSync } from 'node:fs';
import { DEFAULT_PROXY_VERSION } from '../src/core/version.js';
import { peakEwma } from '../src/policy/extensions/peak-ewma.js';
import { powerOfD } from '../src/policy/extensions/power-of-d.js';
import type { PolicyModule, TablePolicyModule } from '../src/policy/foreign/policy-module.js';
import { maglev, type MaglevTable } from '../src/policy/maglev.js';
import { loadScenario } from '../src/scenario/load.js';
import type { Scenario } from '../src/scenario/model.js';
import { worldOf } from '../src/scenario/world-of.js';
import { Simulation } from '../src/simulation/simulation.js';
import { print } from './print.js';
import { sideBySide } from '../src/cli/bench/side-by-side.js';

const MOST = 1.1;
/** Virtual time of a run: about 100,000 requests. */
const DURATION = '10s';

const text = readFileSync('bench/million.yaml', 'utf8');

const config = maglev.configOf({ maglev: { tableSize: 65_537 } }, DEFAULT_PROXY_VERSION);

/** The proxy's Maglev table. */
const table: TablePolicyModule<MaglevTable> = {
  name: 'OWN_MAGLEV',
  kind: 'table',
  usesWeights: true,
  build: (hosts) => maglev.build(hosts, config),
  choose: (own, hashHi, hashLo, attempt) => maglev.choose(own, hashHi, hashLo, attempt),
};

/** The same, which looks at the load of the host that it names. */
const watching: TablePolicyModule<MaglevTable> = {
  ...table,
  choose: (own, hashHi, hashLo, attempt, _trace, input) => {
    const host = maglev.choose(own, hashHi, hashLo, attempt);
    return (input?.hosts[host]?.activeRequests ?? 0) < Infinity ? host : -1;
  },
};

const rows = [];
for (const [name, policy, module] of [
  ['POWER_OF_D', powerOfD.name, powerOfD],
  ['PEAK_EWMA, which hears answers', peakEwma.name, peakEwma],
  ['MAGLEV, a table', 'MAGLEV', table],
  ['MAGLEV, which asks for loads', 'MAGLEV', watching],
] as const) {
  const builtIn = scenarioOf(policy, {});
  const own = scenarioOf('./own.mjs', { './own.mjs': { ...module } });
  const timings = sideBySide(
    [
      { name: 'built in', run: () => run(builtIn) },
      { name: 'module', run: () => run(own) },
    ],
    7,
  );
  const [first, second] = [timings.get('built in'), timings.get('module')];
  if (first === undefined || second === undefined) throw new Error('nothing was timed');
  const ratio = second.min / first.min;
  rows.push({ policy: name, 'built in': first.median, module: second.median, 'ratio of the fastest': ratio });
  if (ratio > MOST) {
    console.error(`${name}: a module costs ${ratio.toFixed(2)} times as much, and may cost ${MOST}.`);
    process.exitCode = 1;
  }
}

print({ title: 'A policy module over the same policy built in, CPU ms of 100,000 requests, median of 7', rows });

function scenarioOf(policy: string, policies: Readonly<Record<string, PolicyModule>>): Scenario {
  const set = [`clusters.0.lb_policy=${policy}`];
  const { scenario, problems } = loadScenario(
    { file: 'bench/million.yaml', text },
    { set, policies, durationText: DURATION },
  );
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

function run(scenario: Scenario): void {
  const simulation = new Simulation(worldOf(scenario), {});
  while (!simulation.advance(1_000_000));
}
