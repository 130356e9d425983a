import { describe, expect, it } from 'vitest';
import { endedRequest } from '../../src/analysis/compare/tally.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { sum } from '../../src/core/values.js';
import { predict } from '../../src/predict/predict.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

const TRACE = 'time,size\n1,1\n2,4\n3,1\n4,2.5\n';

function scenarioOf(text: string): Scenario {
  const hosts = 'clusters: [{name: web}, {name: copies}]\nendpoints: {web: [10.0.0.1:80], copies: [10.0.0.2:80]}';
  const { scenario, problems } = loadScenario(
    { file: 'sizes.yaml', text: `${hosts}\n${text}` },
    { readFile: () => TRACE },
  );
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

/** How long each request took, in ms, in the order of their ends. */
async function times(text: string): Promise<readonly number[]> {
  const found: number[] = [];
  await runScenario(scenarioOf(text), {
    onRequest: (record) => found.push((endedRequest(record).latencyUs ?? NaN) / 1000),
  });
  return found;
}

const TEN = 'behavior: [{service_time: 10ms}]';

describe('the size of a request', () => {
  it('multiplies what its host takes, but not a time of its own', async () => {
    const sizes = ['', ', size: 2.5', ', size: 3, service_time: 7ms', ', size: 1'];
    const requests = sizes.map((size, at) => `{at: ${at}s, cluster: web${size}}`);
    expect(await times(`${TEN}\nrequests: [${requests.join(', ')}]`)).toEqual([10, 25, 7, 10]);
  });

  it('is each of a list equally often', async () => {
    const found = await times(
      `${TEN}\nworkloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 400s, size: [1, 1, 1, 5]}]`,
    );
    expect(new Set(found)).toEqual(new Set([10, 50]));
    const large = found.filter((time) => time === 50).length;
    // Five standard deviations around 1,000.
    expect(Math.abs(large - 1000)).toBeLessThan(5 * Math.sqrt(4000 * 0.25 * 0.75));
  });

  it('is drawn from a distribution, by a stream of its own', async () => {
    const arrivals = `${TEN}\nworkloads: [{cluster: web, arrivals: {constant: 5/s}, stop: 400s, size: `;
    const uniform = await times(`${arrivals}{uniform: {min: 1, max: 3}}}]`);
    expect(Math.min(...uniform)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...uniform)).toBeLessThanOrEqual(30);
    expect(new Set(uniform).size).toBeGreaterThan(1000);
    const mean = sum(await times(`${arrivals}{exponential: {mean: 2}}}]`)) / 2000;
    // Five standard deviations around 20 ms.
    expect(Math.abs(mean - 20)).toBeLessThan((5 * 20) / Math.sqrt(2000));
    expect(new Set(await times(`${arrivals}{constant: 3}}]`))).toEqual(new Set([30]));
  });

  it('takes 50 days at most', async () => {
    const one = 'timeout: 0s, size: 1e30}]';
    expect(await times(`${TEN}\nrequests: [{at: 0s, cluster: web, ${one}`)).toEqual([2 ** 42 / 1000]);
  });

  it('is that of its line in a trace, in order, whichever proxy sends it', async () => {
    const traced = 'workloads: [{cluster: web, arrivals: {trace: t.csv}}]';
    expect(await times(`${TEN}\n${traced}`)).toEqual([10, 40, 10, 25]);
    expect(await times(`${TEN}\nproxies: [{count: 3}]\n${traced}`)).toEqual([10, 40, 10, 25]);
  });

  it('stays the same at a retry, and draws nothing that others draw', async () => {
    const retried = 'timeout: 0s, retry_policy: {retry_on: 5xx, num_retries: 1}';
    const text = `behavior: [{service_time: 10ms, error_rate: 100%}]\nworkloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 20s, size: [1, 4], ${retried}}]`;
    // The wait before a retry is at most 25 ms.
    for (const time of await times(text)) expect(time < 46 || (time >= 80 && time < 106)).toBe(true);
    const plain = `${TEN}\nworkloads: [{cluster: web, arrivals: 10/s, stop: 20s`;
    expect(await times(`${plain}, size: 1}]`)).toEqual(await times(`${plain}}]`));
  });

  it('refuses sizes of 0 and an empty list', () => {
    for (const size of ['0', '-1', '[]', '[1, 0]', '{constant: -1}', '{uniform: {min: -1, max: 2}}'])
      expect(() => scenarioOf(`workloads: [{cluster: web, arrivals: 1/s, stop: 1s, size: ${size}}]`)).toThrow('size');
  });

  it('is not predicted where it matters how long requests are open', async () => {
    const text = `${TEN}\nworkloads: [{cluster: web, arrivals: 50/s, stop: 9s, size: [1, 2], timeout: 30ms, retry_policy: {retry_on: 5xx}}]`;
    expect(JSON.stringify(await predict(scenarioOf(text)))).toContain('sized_requests');
  });
});
