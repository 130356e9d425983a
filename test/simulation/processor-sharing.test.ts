import { describe, expect, it } from 'vitest';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { scenarioOf } from '../support/run.js';

const SHARED = { concurrency: 1, discipline: 'processor_sharing' };

const web = (fields: object) =>
  scenarioOf({ clusters: [{ name: 'web' }], endpoints: { web: ['10.0.0.1:80'] }, ...fields });

/** When each request ends, ms; 0: without an answer of its host. */
async function endsOf(behavior: object, requests: readonly object[], more: object = {}): Promise<number[]> {
  const ends: number[] = [];
  const listed = requests.map((one) => ({ cluster: 'web', ...one }));
  await runScenario(web({ behavior: [behavior], requests: listed, ...more }), {
    onRequest: ({ request, tUs, latencyUs, outcome, status }) =>
      void (ends[request] = outcome === 'answered' && status === 200 ? (tUs + latencyUs) / 1000 : 0),
  });
  return ends;
}

const at = (ms: number, work: number, more: object = {}) => ({ at: `${ms}ms`, service_time: `${work}ms`, ...more });

describe('processor sharing', () => {
  it('serves two together at half the pace each, and one alone at its own', async () => {
    // The first is alone for 10 ms, shares until it has had its 20, and leaves 10 to the second.
    expect(await endsOf(SHARED, [at(0, 20), at(10, 20)])).toEqual([30, 40]);
    expect(await endsOf(SHARED, [at(0, 30), at(0, 10), at(0, 20)])).toEqual([60, 30, 50]);
  });

  it('slows nobody down while there are no more than concurrency', async () => {
    const requests = [at(0, 20), at(1, 7), at(2, 30), at(100, 5)];
    expect(await endsOf({ ...SHARED, concurrency: 3 }, requests)).toEqual(await endsOf({}, requests));
    expect(await endsOf({ ...SHARED, concurrency: 2 }, [at(0, 20), at(0, 20), at(0, 20)])).toEqual([30, 30, 30]);
  });

  it('refuses those above concurrency and queue_limit', async () => {
    expect(await endsOf({ ...SHARED, queue_limit: 1 }, [at(0, 20), at(0, 20), at(0, 20)])).toEqual([40, 40, 0]);
  });

  it('works on for whom the proxy gave up, as hosts with a queue do', async () => {
    expect(await endsOf(SHARED, [at(0, 20, { timeout: '5ms' }), at(0, 20)])).toEqual([0, 40]);
  });

  it.each([
    ['more room', { set_behavior: { hosts: {}, concurrency: 2 } }, [25, 25, 111]],
    ['no sharing from then on', { set_behavior: { hosts: {}, discipline: 'first_come_first_served' } }, [40, 40, 111]],
    ['a host that goes down', { fail: {} }, [0, 0, 0]],
  ])('goes on as the host behaves then: %s', async (_, action, expected) => {
    const timeline = [{ at: '10ms', ...action }];
    expect(await endsOf(SHARED, [at(0, 20), at(0, 20), at(100, 11)], { timeline })).toEqual(expected);
  });

  it('takes over the queue of a host that begins to share', async () => {
    const timeline = [{ at: '10ms', set_behavior: { hosts: {}, discipline: 'processor_sharing' } }];
    // The one in service keeps its pace; the two behind it share.
    expect(await endsOf({ concurrency: 1 }, [at(0, 20), at(0, 20), at(0, 20)], { timeline })).toEqual([20, 50, 50]);
  });
});

/** μ = 100/s and λ = 50/s: a request takes 1/(μ − λ) = 20 ms, whatever its distribution. */
const TIMES = {
  constant: { constant: '10ms' },
  exponential: { exponential: { mean: '10ms' } },
  hyperexponential: {
    hyperexponential: [
      { mean: '2ms', weight: 9 },
      { mean: '82ms', weight: 1 },
    ],
  },
};

async function meanMs(behavior: object): Promise<number> {
  const workloads = [{ cluster: 'web', arrivals: '50/s', stop: '4000s' }];
  const expectations = [{ mean_latency: { cluster: 'web' }, at_most: '1s' }];
  const result = await runScenario(web({ behavior: [behavior], workloads, expect: expectations }));
  return 1000 * Number(result.expect[0]?.actual);
}

describe('M/G/1', () => {
  it.each(Object.entries(TIMES))('takes 1/(μ − λ) where %s times share the host', async (_, service_time) => {
    expect(Math.abs((await meanMs({ ...SHARED, service_time })) - 20)).toBeLessThan(0.5);
  });

  it.each([
    ['constant', 15],
    ['exponential', 20],
    ['hyperexponential', 76],
  ] as const)('and by Pollaczek and Khinchine where %s times wait in a queue', async (kind, mean) => {
    expect(Math.abs((await meanMs({ concurrency: 1, service_time: TIMES[kind] })) / mean - 1)).toBeLessThan(0.05);
  });
});
