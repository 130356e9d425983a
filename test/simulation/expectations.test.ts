import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measuredText } from '../../src/report/format.js';
import type { ExpectationResult } from '../../src/result/run-result.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import { createSimulation, runScenario } from '../../src/analysis/run/run-scenario.js';

/** What `expect` measures, on runs whose numbers a reader can follow. */

const TWO = `
clusters: [{name: web, connect_timeout: 1s}, {name: other, connect_timeout: 1s}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80], other: [10.0.1.1:80]}
workloads:
  - {name: users, cluster: web, arrivals: {constant: 100/s}, stop: 4s}
  - {name: others, cluster: other, arrivals: {constant: 20/s}, stop: 4s}
`;
/** Each host takes 100/s and gets 50/s; from 2 s on the first takes 33.3/s. */
const SLOWER = `${TWO}
behavior: [{hosts: {}, service_time: 10ms, concurrency: 1}]
timeline: [{at: 2s, set_behavior: {hosts: 10.0.0.1:80, service_time: 30ms}}]
`;
const FAILING = `${TWO}
behavior: [{hosts: 10.0.0.1:80, error_rate: 100%}, {hosts: 10.0.0.2:80, down: hang}]
`;

function scenarioOf(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

async function judged(text: string, expectation: string): Promise<ExpectationResult> {
  const { expect: results } = await runScenario(scenarioOf(`${text}expect: [${expectation}]\n`));
  const [only] = results;
  if (only === undefined) throw new Error('nothing was judged');
  return only;
}

describe('an expectation measures', () => {
  it.each([
    ['the mean of latency', SLOWER, 'mean_latency: {cluster: web}, during: [0s, 2s], equals: 10ms', 0.01],
    ['attempts', TWO, 'requests: {cluster: web}, equals: 400', 400],
    ['attempts of a window', TWO, 'requests: {cluster: web}, during: [1s, 2s], equals: 100', 100],
    ['failures', FAILING, 'failures: {cluster: web}, equals: 400', 400],
    ['failures by cause', FAILING, 'failures: {cluster: web, cause: error_status}, equals: 200', 200],
    ['those of another cause', FAILING, 'failures: {cluster: web, cause: timeout}, equals: 200', 200],
    ['failures where there are none', FAILING, 'failures: {cluster: other}, equals: 0', 0],
    ['a counter per second', TWO, 'mean_stat: cluster.web.upstream_rq_total, during: [1s, 3s], equals: 100', 100],
    ['a gauge that stands still', TWO, 'mean_stat: cluster.web.membership_total, equals: 2', 2],
    ['a counter that never moves', TWO, 'mean_stat: cluster.web.upstream_rq_5xx, equals: 0', 0],
    ['no load without any request', SLOWER, 'host_load: {cluster: web}, during: [3999ms, 4s], equals: 0%', null],
  ])('%s', async (_, text, expectation, actual) => {
    const expected = actual === null ? { passed: false, actual } : { passed: true, actual };
    expect(await judged(text, `{${expectation}}`)).toMatchObject(expected);
  });

  it('nothing of a request that never comes, not that no host was chosen for it', async () => {
    const hostless = TWO.replace('web: [10.0.0.1:80, 10.0.0.2:80]', 'web: []');
    expect(await judged(hostless, '{decision: 0, host: null}')).toMatchObject({ passed: true, actual: null });
    expect(await judged(hostless, '{decision: 9999, host: null}')).toMatchObject({ passed: false, actual: null });
  });

  it('a gauge over time, whatever the pace of what moves it', async () => {
    // 100 requests a second, each 10 ms on its way: one at any time; those of the other cluster 0.2.
    for (const [cluster, mean] of [
      ['web', 1],
      ['other', 0.2],
    ] as const) {
      const { actual } = await judged(
        SLOWER,
        `{mean_stat: cluster.${cluster}.upstream_rq_active, during: [0s, 2s], at_least: 0}`,
      );
      expect(actual).toBeGreaterThan(mean - 0.01);
      expect(actual).toBeLessThan(mean + 0.01);
    }
  });

  it('the load of the busiest host against what it can take at that time', async () => {
    expect(await judged(SLOWER, '{host_load: {cluster: web}, during: [0s, 2s], at_most: 100%}')).toMatchObject({
      passed: true,
      actual: expect.closeTo(0.5, 9) as number,
    });
    expect(await judged(SLOWER, '{host_load: {cluster: web}, at_most: 100%}')).toMatchObject({
      passed: false,
      actual: expect.closeTo(1.5, 9) as number,
      busiest: { address: '10.0.0.1:80', from_s: 2, to_s: 3 },
    });
    // Half of the stretch is at 50 %, half at 150 %.
    expect(await judged(SLOWER, '{host_load: {cluster: web, over: 4s}, at_most: 100%}')).toMatchObject({
      passed: true,
      actual: expect.closeTo(1, 9) as number,
    });
  });

  it('a load so that a look at it in between changes nothing', async () => {
    const scenario = scenarioOf(`${SLOWER}expect: [{host_load: {cluster: web}, at_most: 100%}]\n`);
    const simulation = await createSimulation(scenario);
    while (!simulation.advance(50)) simulation.result();
    expect(simulation.result().expect).toEqual((await runScenario(scenario)).expect);
  });

  it('without changing the run', async () => {
    const { expect: nothing, ...plain } = await runScenario(scenarioOf(SLOWER));
    expect(nothing).toEqual([]);
    const expectations =
      'expect: [{mean_stat: cluster.web.upstream_rq_active, at_least: 0}, {host_load: {cluster: web}, at_least: 0%}]';
    const { expect: judgedToo, ...watched } = await runScenario(scenarioOf(`${SLOWER}${expectations}\n`));
    expect(judgedToo).toHaveLength(2);
    expect(JSON.stringify(watched)).toBe(JSON.stringify(plain));
  });
});

describe('relative_to', () => {
  it.each([
    [
      'another time',
      'latency: {cluster: web, percentile: 99}, during: [2s, 4s], at_least: 50, relative_to: {during: [0s, 2s]}',
      1,
      0.01,
    ],
    ['another cluster', 'requests: {cluster: other}, equals: 0.2, relative_to: {cluster: web}', 80, 400],
    [
      'other hosts',
      'share: {cluster: web, hosts: 10.0.0.1:80}, equals: 1, relative_to: {hosts: 10.0.0.2:80}',
      0.5,
      0.5,
    ],
    [
      'another percentile',
      'latency: {cluster: other, percentile: 99}, equals: 1, relative_to: {percentile: 50}',
      0.01,
      0.01,
    ],
    [
      'another statistic',
      'stat: cluster.web.upstream_rq_total, equals: 5, relative_to: {stat: cluster.other.upstream_rq_total}',
      400,
      80,
    ],
    ['nothing, where there was none', 'failures: {cluster: web}, at_most: 2, relative_to: {cluster: other}', 0, 0],
  ])('compares with %s', async (_, expectation, value, reference) => {
    const result = await judged(SLOWER, `{${expectation}}`);
    expect(result).toMatchObject({ passed: true, reference: expect.closeTo(reference, 3) as number });
    expect(result.value).toBeCloseTo(value, 1);
    if (reference === 0) expect(result.actual).toBeNull();
    else expect(result.actual).toBeCloseTo((result.value ?? NaN) / (result.reference ?? NaN), 9);
  });

  it('another cause', async () => {
    const text = '{failures: {cluster: web, cause: timeout}, equals: 1, relative_to: {cause: error_status}}';
    expect(await judged(FAILING, text)).toMatchObject({ passed: true, actual: 1, value: 200, reference: 200 });
  });

  it('has nothing to say where one of the two was not there', async () => {
    const text =
      '{latency: {cluster: web, percentile: 50}, during: [1s, 2s], at_most: 9, relative_to: {during: [7s, 8s]}}';
    expect(await judged(TWO, text)).toMatchObject({ passed: false, actual: null, reference: null });
  });

  it('holds exactly where the figures hold, for any multiple', async () => {
    const scenario = scenarioOf(SLOWER);
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 10, noNaN: true }), async (bound) => {
        const [at] = scenarioOf(
          `${SLOWER}expect: [{requests: {cluster: other}, at_most: ${String(bound)}, relative_to: {cluster: web}}]\n`,
        ).expect;
        if (at === undefined) throw new Error('it has no expectation');
        const [result] = (await runScenario({ ...scenario, expect: [at] })).expect;
        expect(result?.passed).toBe(80 <= bound * 400);
      }),
      { numRuns: 10 },
    );
  });
});

describe('what was measured is told in its unit', () => {
  it.each([
    ['host_load: {cluster: web}, at_most: 1%', '150 %, 10.0.0.1:80 from 2 s to 3 s'],
    ['mean_latency: {cluster: other}, at_most: 1ms', '10.0 ms'],
    ['requests: {cluster: other}, at_least: 2, relative_to: {cluster: web}', '0.2 ×, 80 to 400'],
    ['latency: {cluster: web, percentile: 50}, at_least: 2, relative_to: {cluster: other}', '1 ×, 10.0 ms to 10.0 ms'],
  ])('%s', async (text, words) => {
    const scenario = scenarioOf(`${SLOWER}expect: [{${text}}]\n`);
    const [result] = (await runScenario(scenario)).expect;
    if (result === undefined) throw new Error('nothing was judged');
    expect(result.passed).toBe(false);
    expect(measuredText(result, scenario.expect[0])).toBe(words);
  });
});

describe('the sentence of an expectation', () => {
  it.each([
    ['mean_latency: {cluster: web}, at_most: 20ms', 'mean latency of web at most 20 ms'],
    ['host_load: {cluster: web, over: 10s}, at_most: 120%', 'load of the busiest host of web over 10 s at most 120 %'],
    ['failures: {cluster: web, cause: no_host}, equals: 3', 'failed requests of web (no_host) 3'],
    [
      'latency: {cluster: web, percentile: 99}, during: [2s, 4s], at_most: 2, relative_to: {during: [0s, 2s]}',
      'p99 latency of web from 2 s to 4 s at most 2 × that from 0 s to 2 s',
    ],
    [
      'share: {cluster: web, hosts: {zone: a}}, between: [0.9, 1.1], relative_to: {cluster: other}',
      'share of zone a of web between 0.9 × and 1.1 × share of zone a of other',
    ],
    [
      'requests: {cluster: web}, at_least: 1, relative_to: {cluster: other, during: [1s, 2s]}',
      'attempts of web at least 1 × attempts of other from 1 s to 2 s',
    ],
  ])('%s', (text, sentence) => {
    expect(scenarioOf(`${SLOWER}expect: [{${text}}]\n`).expect[0]?.text).toBe(sentence);
  });
});
