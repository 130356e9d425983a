import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { predict, runScenario, whyNot } from '../../src/words/library.js';
import type { ListPolicyModule, ModuleConfig } from '../../src/policy/foreign/policy-module.js';
import type { RunResult } from '../../src/result/run-result.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import { LatencyByLoad } from '../../src/simulation/servers/server.js';

/** When each answer came, and what it said. */
let heard: unknown[] = [];

/** Takes the first host, and asks all of them with each request. */
const curious: ListPolicyModule<ModuleConfig> = {
  name: 'CURIOUS',
  kind: 'list',
  start: (config) => {
    heard = [];
    return config;
  },
  refresh: () => undefined,
  choose: () => 0,
  probes: (_state, _source, hosts) => hosts.map((_, index) => index),
  probed: ({ clock }, { address }, { inFlight, latencyUs }) => {
    heard.push(`${clock.nowUs} ${address} ${inFlight} ${latencyUs}`);
  },
};

let serial = 0;

function load(module: unknown, text: string): Scenario {
  const name = `./probing-${serial++}.mjs`;
  const { scenario, problems } = loadScenario(
    { file: 'a.yaml', text: text.replaceAll('./own.mjs', name) },
    { policies: { [name]: module } },
  );
  expect(problems).toEqual([]);
  if (scenario === undefined) throw new Error('it does not load');
  return scenario;
}

const run = (module: unknown, text: string): Promise<RunResult> => runScenario(load(module, text));

describe('LatencyByLoad', () => {
  it('is 0 before any answer, then the median of the answers under about as much load', () => {
    const latencies = new LatencyByLoad();
    expect(latencies.near(0)).toBe(0);
    for (let answer = 0; answer < 9; answer++) latencies.answered(0, 1000 + answer);
    for (let answer = 0; answer < 9; answer++) latencies.answered(8, 9000 + answer);
    expect(latencies.near(0)).toBe(1004);
    expect(latencies.near(3)).toBe(1004);
    expect(latencies.near(5)).toBe(9004);
    expect(latencies.near(50)).toBe(9004);
  });

  it('takes the latest of those that are equally near, and forgets beyond a hundred', () => {
    const latencies = new LatencyByLoad();
    for (let answer = 0; answer < 50; answer++) latencies.answered(1, 100);
    for (let answer = 0; answer < 9; answer++) latencies.answered(1, 700);
    expect(latencies.near(1)).toBe(700);
    latencies.answered(9, 5);
    for (let answer = 0; answer < 95; answer++) latencies.answered(2, 300);
    // The 50 are gone, and 5 of the 9: four are left, and five of the others count.
    expect(latencies.near(1)).toBe(300);
    expect(latencies.near(9)).toBe(300);
  });

  it('is the median of the nine nearest of the latest hundred, of which the later come first', () => {
    const answers = fc.array(fc.tuple(fc.nat(12), fc.nat(999)), { minLength: 1, maxLength: 130 });
    fc.assert(
      fc.property(answers, fc.nat(12), (all, inFlight) => {
        const latencies = new LatencyByLoad();
        for (const [then, took] of all) latencies.answered(then, took);
        // The sort is stable.
        const nearest = all
          .slice(-100)
          .reverse()
          .sort(([a], [b]) => Math.abs(a - inFlight) - Math.abs(b - inFlight))
          .slice(0, 9)
          .map(([, took]) => took)
          .sort((a, b) => a - b);
        expect(latencies.near(inFlight)).toBe(nearest[nearest.length >> 1]);
      }),
    );
  });
});

describe('a probe', () => {
  it('takes a round trip, and tells of the requests of all proxies and of what they took', async () => {
    const text = `
proxies: [{name: a}, {name: b}]
clusters: [{name: web, lb_policy: ./own.mjs}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
behavior: [{hosts: {}, service_time: 100ms, network_latency: 10ms, concurrency: 1}]
requests:
- {at: 0s, cluster: web, proxy: a}
- {at: 20ms, cluster: web, proxy: b}
- {at: 300ms, cluster: web, proxy: b}
`;
    await run(curious, text);
    expect(heard).toEqual([
      // One request is there, its own; it came at the same time.
      '10000 10.0.0.1:80 1 0',
      '10000 10.0.0.2:80 0 0',
      // Another proxy's is in service, its own in the queue.
      '30000 10.0.0.1:80 2 0',
      '30000 10.0.0.2:80 0 0',
      // Of two answers the upper median: one took 100 ms, one waited until 105 for the first, and took 180.
      '310000 10.0.0.1:80 1 180000',
      '310000 10.0.0.2:80 0 0',
    ]);
  });

  it('does not change what requests meet', async () => {
    const text = (policy: string): string => `
clusters: [{name: web, lb_policy: ${policy}}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
behavior: [{hosts: {}, service_time: {exponential: {mean: 5ms}}, network_latency: {uniform: {min: 1ms, max: 9ms}}}]
workloads: [{cluster: web, arrivals: 100/s, stop: 2s}]
`;
    const asking = await run(curious, text('./own.mjs'));
    expect(heard.length).toBeGreaterThan(300);
    const quiet = await run({ ...curious, probes: undefined, probed: undefined }, text('./own.mjs'));
    const latencyOf = ({ clusters }: RunResult): unknown => clusters['web']?.hosts.map((host) => host.latency_ms);
    expect(latencyOf(asking)).toEqual(latencyOf(quiet));
  });

  it('of a host that is down has no answer', async () => {
    const text = `
clusters: [{name: web, lb_policy: ./own.mjs}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
behavior: [{hosts: {address: 10.0.0.2:80}, down: hang}]
requests: [{at: 0s, cluster: web}]
`;
    await run(curious, text);
    expect(heard).toEqual(['0 10.0.0.1:80 0 0']);
  });

  it.each([
    [() => 1, 'CURIOUS.probes returned 1: it has to be a list of indices into hosts'],
    [() => [0, 2], 'CURIOUS.probes returned a list with 2 for 2 hosts: each has to be a whole number from 0 to 1'],
    [() => ['0'], "CURIOUS.probes returned a list with '0' for 2 hosts"],
    [
      () => {
        throw new Error('shy');
      },
      'CURIOUS.probes threw Error: shy',
    ],
  ])('%#: wrong lists are named', async (probes, message) => {
    const text = `
clusters: [{name: web, lb_policy: ./own.mjs}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
requests: [{at: 0s, cluster: web}]
`;
    await expect(run({ ...curious, probes }, text)).rejects.toThrow(message);
  });

  it('goes with somebody who hears the answer', () => {
    const deaf = { ...curious, probed: undefined };
    const text = 'clusters: [{name: web, lb_policy: ./deaf.mjs}]\nendpoints: {web: [10.0.0.1:80]}\n';
    const { problems } = loadScenario({ file: 'a.yaml', text }, { policies: { './deaf.mjs': deaf } });
    expect(problems[0]?.message).toContain('probes and probed go together');
  });
});

describe('what is said of a slow host', () => {
  const text = (policy: string): string => `
clusters: [{name: web, lb_policy: ${policy}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
behavior: [{hosts: {}, service_time: 5ms}, {hosts: {address: 10.0.0.4:80}, service_time: 50ms}]
workloads: [{cluster: web, arrivals: 500/s, stop: 10s}]
`;

  it.each([
    ['LEAST_REQUEST', /the others in [\d.]+ ms, so it has more requests open$/],
    ['PEAK_EWMA', /, which PEAK_EWMA remembers, and it has more requests open$/],
    ['PREQUAL', /, and it tells PREQUAL so when probed$/],
  ])('%s: why not', async (policy, why) => {
    const [cluster] = (await whyNot(load(undefined, text(policy)), '10.0.0.4')).clusters;
    expect(cluster?.phases[0]?.why[0]).toMatch(why);
  });

  it('PREQUAL: nothing can be predicted', async () => {
    const { clusters } = await predict(load(undefined, text('PREQUAL')));
    expect(JSON.stringify(clusters)).toContain(
      'PREQUAL has no formula, as it goes by what hosts answer to probes; simulate it',
    );
  });
});
