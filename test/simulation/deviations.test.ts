import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/result/run-result.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';

async function run(text: string): Promise<RunResult> {
  const { scenario, problems } = loadScenario({ file: 'test.yaml', text }, {});
  if (scenario === undefined) throw new Error(problems.map((problem) => problem.message).join('\n'));
  return runScenario(scenario, { predict: true });
}

const CANARY = `
clusters: [{name: backend}]
endpoints: {backend: [{address: 10.0.0.1:80, weight: 3}, {address: 10.0.0.2:80, zone: b}]}
workloads: [{cluster: backend, arrivals: 1000/s, stop: 4s}]
timeline: [{at: 2s, set_health: {hosts: 10.0.0.1:80, status: UNHEALTHY}}]
`;

describe('predictions beside a run', () => {
  it('stand beside hosts, localities, priorities and phases, with the deviation', async () => {
    const { clusters } = await run(CANARY);
    const backend = clusters['backend'];
    const first = backend?.phases[0]?.hosts.map((host) => host.predicted_share);
    expect(first).toEqual([0.75, 0.25]);
    const second = backend?.phases[1]?.hosts.map((host) => [host.predicted_share, host.share, host.predicted_z]);
    // One of two hosts is healthy: 50 % is not below 50 %, so there is no panic.
    expect(second).toEqual([
      [0, 0, 0],
      [1, 1, 0],
    ]);
    for (const group of [...(backend?.localities ?? []), ...(backend?.priorities ?? []), ...(backend?.hosts ?? [])]) {
      expect(group.predicted_share).toBeDefined();
      expect(Math.abs(group.predicted_z ?? Infinity)).toBeLessThan(5);
    }
  });

  it('stand in the last phase too, which lasts until the last answer', async () => {
    const { clusters } = await run(`${CANARY}behavior: [{service_time: 300ms}]`);
    const last = clusters['backend']?.phases.at(-1);
    expect(last?.to_s).toBeGreaterThan(4);
    expect(last?.hosts.map((host) => host.predicted_share)).toEqual([0, 1]);
  });

  it('are left out where there is no closed form', async () => {
    const busy = `
clusters: [{name: backend, lb_policy: LEAST_REQUEST}]
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80]}
behavior: [{service_time: 10ms}]
workloads: [{cluster: backend, arrivals: 500/s, stop: 2s}]
`;
    const hosts = (await run(busy)).clusters['backend']?.hosts ?? [];
    expect(hosts).toHaveLength(2);
    expect(hosts.every((host) => !('predicted_share' in host) && !('predicted_z' in host))).toBe(true);
  });

  it('judge within_sigma: a split that is as it must be holds, one that is not fails, none without a prediction', async () => {
    const random = (during: string): string => `
clusters: [{name: backend, lb_policy: RANDOM}]
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80]}
workloads: [{cluster: backend, arrivals: 1000/s, stop: 4s}]
expect: [{share: {cluster: backend, hosts: 10.0.0.1:80}, within_sigma: 5${during}}, {no_host: {cluster: backend}, within_sigma: 5}]
`;
    expect((await run(random(''))).expect.map(({ passed }) => passed)).toEqual([true, true]);
    expect((await run(random(', during: [1s, 2s]'))).expect.map(({ passed }) => passed)).toEqual([true, true]);
    // A thousandth of a standard error is less than any sample keeps.
    const strict = `seed: 2${random('').replace('within_sigma: 5}', 'within_sigma: 0.001}')}`;
    expect((await run(strict)).expect.map(({ passed }) => passed)).toEqual([false, true]);
    const under = random('')
      .replace('RANDOM', 'LEAST_REQUEST')
      .replace('workloads', 'behavior: [{service_time: 9ms}]\nworkloads');
    expect((await run(under)).expect.map(({ passed }) => passed)).toEqual([false, false]);
  });
});
