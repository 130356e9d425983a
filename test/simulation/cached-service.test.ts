import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endedRequest } from '../../src/analysis/compare/tally.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { predict } from '../../src/predict/predict.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

function scenarioOf(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'cache.yaml', text });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

const hosts = (cache: string, more = '', policy = 'RANDOM'): string => `
clusters: [{name: web, lb_policy: ${policy}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 1}]}
behavior: [{service_time: {hit: 2ms, miss: 9ms, cache: ${cache}}}]
${more}
`;

/** How long each request took, in ms, in their order. */
async function times(text: string): Promise<readonly number[]> {
  const found: number[] = [];
  await runScenario(scenarioOf(text), {
    onRequest: (record) => found.push((endedRequest(record).latencyUs ?? NaN) / 1000),
  });
  return found;
}

const requests = (keys: readonly string[]): string => {
  const each = keys.map((key, at) => `{at: ${at}s, cluster: web${key === '' ? '' : `, hash_key: ${key}`}}`);
  return `requests: [${each.join(', ')}]`;
};

/** The same by a list of what was asked for, the latest first. */
function expected(keys: readonly string[], entries: number): readonly number[] {
  return keys.map((key, at) => {
    if (key === '') return 9;
    const latest = [...new Set(keys.slice(0, at).reverse())].filter((one) => one !== '');
    return latest.slice(0, entries).includes(key) ? 2 : 9;
  });
}

describe('a host with a cache', () => {
  it('takes as long as a list of the keys asked for last says', async () => {
    // Skewed, as those of users are.
    const key = fc.tuple(fc.nat(7), fc.nat(7)).map(([a, b]) => (a * b === 0 ? '' : `k${Math.min(a, b)}`));
    await fc.assert(
      fc.asyncProperty(
        fc.array(key, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
        async (keys, entries) => {
          expect(await times(hosts(`{entries: ${entries}}`, requests(keys)))).toEqual(expected(keys, entries));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('takes keys of the same beginning for one', async () => {
    const keys = ['aa1', 'aa2', 'ab1', 'a', 'a', 'aa3'];
    expect(await times(hosts('{entries: 3, by: 2}', requests(keys)))).toEqual([9, 2, 9, 9, 2, 2]);
  });

  it('hits a Zipf distribution of keys as often as its list of the latest ones says', async () => {
    const workload = 'hash_key: {zipf: {keys: 200, exponent: 1}}';
    const text = hosts(
      '{entries: 20}',
      `workloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 200s, ${workload}}]`,
    );
    const found = await times(text);
    const hits = found.filter((time) => time === 2).length / found.length;
    // Che's approximation, IEEE JSAC 20 (2002): a key is there where it was asked for in the time in which 20 others are.
    const weights = Array.from({ length: 200 }, (_, rank) => 1 / (rank + 1));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const there = (time: number): readonly number[] => weights.map((weight) => 1 - Math.exp((-weight / total) * time));
    let time = 0;
    while (there(time).reduce((sum, part) => sum + part, 0) < 20) time += 0.1;
    const rate = there(time).reduce((sum, part, rank) => sum + (part * (weights[rank] ?? 0)) / total, 0);
    expect(hits).toBeGreaterThan(rate - 0.05);
    expect(hits).toBeLessThan(rate + 0.05);
  });

  it('begins without a key once its service_time changes', async () => {
    const again = 'service_time: {hit: 2ms, miss: 9ms, cache: {entries: 1}}';
    const change = `timeline: [{at: 1.5s, set_behavior: {hosts: {}, ${again}}}]`;
    expect(await times(hosts('{entries: 1}', `${requests(['a', 'a', 'a', 'a'])}\n${change}`))).toEqual([9, 2, 9, 2]);
  });

  it('is not predicted where it matters how long requests are open', async () => {
    const text = hosts('{entries: 9}', 'workloads: [{cluster: web, arrivals: 50/s, stop: 9s}]', 'LEAST_REQUEST');
    const two = text.replace('count: 1', 'count: 2').replace('[{service', '[{hosts: 10.0.0.1, service');
    expect(JSON.stringify(await predict(scenarioOf(two)))).toContain('cached_service');
  });
});
