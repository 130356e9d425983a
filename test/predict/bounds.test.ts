import { describe, expect, it } from 'vitest';
import { RuntimeValues } from '../../src/core/runtime-values.js';
import { PROXY_VERSIONS, quirksOf } from '../../src/core/version.js';
import type { LeastRequestConfig } from '../../src/policy/least-request.js';
import { backOffs } from '../../src/predict/under-load/attempt-chances.js';
import { busyShares, type BusyShares, type BusyClass } from '../../src/predict/under-load/busy-lists.js';
import { differenceAt } from '../../src/predict/other-version.js';
import { predict as predictFacts } from '../../src/predict/predict.js';
import type { ClusterPrediction } from '../../src/predict/generated/prediction.js';
import { predict } from '../../src/words/library.js';
import type { PredictedSuccess } from '../../src/words/results.js';
import { splitBetween } from '../../src/predict/cluster-prediction.js';
import { equilibriumOf } from '../../src/predict/under-load/supermarket.js';
import type { RequestKind } from '../../src/predict/traffic.js';
import { weightedShares } from '../../src/predict/under-load/weighted-load.js';
import { jitteredBackOffMs } from '../../src/upstream/back-off.js';
import { scenarioOf } from '../support/run.js';
import { isObstacle, type Obstacle } from '../../src/predict/obstacle.js';

const CHOICES = { choiceCount: 2, selectionMethod: 'N_CHOICES' } as LeastRequestConfig;

const host = (count: number, service: number, more: Partial<BusyClass> = {}): BusyClass => ({
  count,
  weight: 1,
  held: 0,
  wire: 0,
  service,
  servers: Infinity,
  exponential: true,
  constant: false,
  ...more,
});

function sharesOf(classes: readonly BusyClass[], rate: number, pace: 'poisson' | 'even', bias = 1): BusyShares {
  const found = busyShares(classes, { rate, pace }, CHOICES, bias);
  if (isObstacle(found)) throw new Error(found.kind);
  return found;
}

const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));

describe('the estimate of the error of a model of busy hosts', () => {
  it.each<[string, readonly BusyClass[], number]>([
    ['much open', [host(3, 0.01), host(2, 0.08)], 300],
    ['little open', [host(3, 0.001), host(2, 0.008)], 20],
    ['queues', [host(3, 0.01, { servers: 2 }), host(2, 0.04, { servers: 1 })], 100],
    ['wires', [host(1, 0.02, { wire: 0.05 }), host(2, 0.001)], 100],
  ])('of choices is what it says: %s', (_, classes, rate) => {
    const hosts = classes.reduce((sum, { count }) => sum + count, 0);
    const [finite, infinite] = [equilibriumOf(classes, rate, 2, true), equilibriumOf(classes, rate, 2, false)];
    const shares = finite?.shares ?? [];
    const deviation = largest(shares.map((share) => share - 1 / hosts));
    const means = (finite?.open ?? []).map((states) => states.reduce((sum, part, k) => sum + part * k, 0));
    const open = means.reduce((sum, mean, index) => sum + mean * (classes[index]?.count ?? 0), 0);
    const corrected = largest(shares.map((share, index) => share - (infinite?.shares[index] ?? 0)));
    const queues = classes.some(({ servers }) => servers < Infinity) ? deviation / 2 / hosts : 0;
    const atRandom = sharesOf(classes, rate, 'poisson');
    expect(atRandom.error).toBeCloseTo(corrected + queues, 8);
    expect(atRandom.error).toBeGreaterThan(corrected + queues);
    expect(atRandom.open).toBeCloseTo(open, 9);
    expect(atRandom.idle).toEqual(classes.map(() => 1 / hosts));
    expect(atRandom.most).toBeCloseTo(Math.min(1, 2 / hosts), 9);
    const spacing = deviation * Math.min(1, open < 1 ? 1 / open / hosts : 1 / hosts);
    expect(sharesOf(classes, rate, 'even').error).toBeCloseTo(corrected + queues + spacing, 8);
    // By Little's law requests stay for open / arrivals; a host that is idle for a part of the time forgets that much slower.
    const settles = classes.map(({ servers, service, wire }, index) => {
      const arrivals = rate * (shares[index] ?? 0);
      return Math.max(
        (means[index] ?? 0) / arrivals / Math.max(1 - (arrivals * service) / servers, 0.001),
        wire + service,
      );
    });
    expect(atRandom.settlesS).toBeCloseTo(2 * Math.max(...settles), 9);
  });

  it.each<[string, readonly BusyClass[], number, number]>([
    // Kind of times, at random, at equal distances: parts of the deviation.
    ['exponential', [host(3, 0.05, { weight: 2 }), host(7, 0.1)], 1 / 10, 1 / 2],
    [
      'constant',
      [
        host(3, 0.05, { weight: 2, exponential: false, constant: true }),
        host(7, 0.1, { exponential: false, constant: true }),
      ],
      1 / 5,
      1,
    ],
    ['of any form', [host(3, 0.05, { weight: 2, exponential: false }), host(7, 0.1)], 1 / 5, 1 / 2],
    ['exponential, of few hosts', [host(1, 0.05, { weight: 2 })], 1, 1],
    ['exponential, of two hosts', [host(1, 0.05, { weight: 2 }), host(1, 0.1, { wire: 0.02, held: 1 })], 1 / 2, 1 / 2],
  ])('of a schedule is what it says: times are %s', (_, classes, byForm, byPattern) => {
    const all = [...classes, host(1, 0, { weight: 5, exponential: true, constant: true })];
    const own = byForm === 1 ? 1 / 2 : byForm === 1 / 2 ? 1 / 3 : byForm === 1 / 10 ? 1 / 11 : byForm;
    const rate = 50;
    const shares =
      weightedShares(
        all.map((one) => ({ ...one, open: one.wire + one.service })),
        rate,
        1,
      ) ?? [];
    const weights = all.map(({ weight, held }) => weight / (held + 1));
    const sum = weights.reduce((total, weight, index) => total + weight * (all[index]?.count ?? 0), 0);
    const deviation = largest(shares.map((share, index) => share - (weights[index] ?? 0) / sum));
    const found = sharesOf(all, rate, 'poisson');
    expect(found.shares).toEqual(shares);
    expect(found.error).toBeCloseTo(deviation * own, 8);
    expect(found.most).toBeCloseTo(Math.min(1, (2 * Math.max(...weights)) / sum), 9);
    expect(sharesOf(all, rate, 'even').error).toBeCloseTo(
      deviation * Math.max(own, Math.min(byPattern, byPattern === 1 && byForm !== 1 / 5 ? 1 / 2 : byPattern)),
      8,
    );
    expect(found.settlesS).toBeCloseTo(2 * Math.max(...all.map(({ wire, service }) => wire + service)), 9);
    const open = shares.reduce((total, share, index) => {
      const { count = 0, wire = 0, service = 0 } = all[index] ?? {};
      return total + count * rate * share * (wire + service);
    }, 0);
    expect(found.open).toBeCloseTo(open, 9);
  });

  it.each<[Obstacle['kind'], readonly BusyClass[], number]>([
    ['overload', [host(1, 0.1, { servers: 1 }), host(1, 0.01, { servers: 1 })], 500],
    ['queues_of_schedule', [host(1, 0.1, { weight: 2, servers: 1 }), host(1, 0.1)], 5],
    ['too_many_classes', Array.from({ length: 201 }, (_, index) => host(1, 0.1, { weight: index + 1 })), 5],
  ])('is none where there is no model: %s', (kind, classes, rate) => {
    expect(busyShares(classes, { rate, pace: 'poisson' }, CHOICES, 1)).toEqual({ kind });
  });
});

describe('the waits before retries', () => {
  const retryBackOff = { baseIntervalUs: 30_000, maxIntervalUs: 200_000 };

  it.each([
    [true, undefined],
    [false, undefined],
    [true, retryBackOff],
    [false, retryBackOff],
    [true, { baseIntervalUs: 100, maxIntervalUs: 100 }],
  ])('lie below bounds that are reached (doubles: %s)', (backOffDoubles, configured) => {
    const kind = { spec: { retryPolicy: { retryBackOff: configured } } } as unknown as RequestKind;
    const version = PROXY_VERSIONS.find((one) => quirksOf(one).backOffDoubles === backOffDoubles) ?? '1.40';
    const bounds = backOffs(kind, 7, { runtime: new RuntimeValues({}), version });
    const [least, most] = configured === undefined ? [25, 250] : configured === retryBackOff ? [30, 200] : [1, 1];
    // Bounds are below 1000, so that these draws meet each value.
    const drawn = bounds.map((_, retry) => {
      const waits = Array.from({ length: 20_000 }, (_, value) => {
        const random = { hi: 0, lo: value, next: () => undefined };
        return jitteredBackOffMs(retry + 1, least, most, random, { backOffDoubles });
      });
      return Math.max(...waits) + 1;
    });
    expect(bounds).toEqual(drawn);
  });
});

/** By the definition, with factorials. */
function erlang(limit: number, load: number): number {
  let [term, sum] = [1, 1];
  for (let k = 1; k <= limit; k++) sum += term *= load / k;
  return term / sum;
}

async function successOf(
  breaker: object,
  more: object = {},
  behavior: object = {},
): Promise<PredictedSuccess | undefined> {
  const { clusters } = await predict(
    scenarioOf({
      clusters: [{ name: 'c', lb_policy: 'RANDOM', circuit_breakers: { thresholds: [breaker] } }],
      endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] },
      behavior: [{ hosts: {}, error_rate: '50%', service_time: '100ms', ...behavior }],
      workloads: [
        {
          name: 'w',
          cluster: 'c',
          arrivals: '100/s',
          stop: '100s',
          retry_policy: { retry_on: '5xx', num_retries: 1 },
          ...more,
        },
      ],
    }),
  );
  return clusters['c']?.success;
}

describe('what circuit breakers may refuse', () => {
  // A half of 100/s is tried again, after 0–24 ms, for 100 ms.
  const load = 50 * (0.012 + 0.1);

  it.each([
    [{ max_retries: 3 }, 0.5 * erlang(3, load)],
    [{ max_retries: 8 }, 0.5 * erlang(8, load)],
    [{}, 0.5 * erlang(3, load)],
    [{ max_retries: 100, max_requests: 20 }, erlang(20, 15)],
    [{ max_retries: 5, max_connections: 18 }, 0.5 * erlang(5, load) + erlang(18, 15)],
    [{ max_retries: 0, max_requests: 1 }, 1],
  ])('%j is by Erlang’s formula', async (breaker, error) => {
    const success = await successOf(breaker);
    expect(success).toMatchObject({ method: 'numeric', chance: 0.75, after: [0.5, 0.75] });
    expect(success?.error).toBeCloseTo(error, 9);
  });

  it('is nothing where there are fewer requests than they allow, or none that is open', async () => {
    const few = { arrivals: { constant: '1/s' }, stop: '20s' };
    expect((await successOf({ max_retries: 20 }, few))?.error).toBeUndefined();
    expect((await successOf({ max_retries: 19 }, few))?.error).toBeUndefined();
    const ramp = {
      arrivals: {
        ramp: [
          { at: '0s', rate: '1/s' },
          { at: '100s', rate: '2/s' },
        ],
      },
    };
    expect((await successOf({ max_retries: 200 }, ramp))?.method).toBe('exact');
    expect((await successOf({ max_retries: 20 }, ramp))?.why_not).toMatch(/steady rates only/);
    const never = { retry_policy: undefined };
    expect((await successOf({ max_requests: 1 }, never, { service_time: '0ms' }))?.method).toBe('exact');
    expect((await successOf({ max_requests: 10 }, { ...ramp, ...never }))?.method).toBe('exact');
  });
});

describe('splits of phases', () => {
  const phases = async (more: object[] = []) => {
    const { clusters } = await predictFacts(
      scenarioOf({
        clusters: [{ name: 'c', lb_policy: 'RANDOM' }],
        endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] },
        workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '9s' }],
        timeline: [
          { at: '2s', remove_hosts: '10.0.0.1' },
          { at: '5s', add_hosts: { cluster: 'c', endpoints: ['10.0.0.3:80'] } },
          ...more,
        ],
      }),
    );
    return clusters['c'] as ClusterPrediction;
  };

  it.each<[number, number, number | undefined]>([
    [0, 2, 20],
    [0, 5, 50],
    [2, 9, 70],
    [2, 20, 70],
    [0, 9, 90],
    [1, 5, undefined],
    [0, 4, undefined],
    [5, 8, undefined],
    [9, 10, undefined],
  ])('are known of whole ones, from %s to %s s', async (from, to, requests) => {
    expect(splitBetween(await phases(), from, to)?.requests).toBe(requests);
  });

  it('are mixed by their requests', async () => {
    const predicted = await phases();
    const { method, hosts, localities, priorities } = splitBetween(predicted, 0, 5) ?? {};
    expect(method).toBe('exact');
    // 20 requests to both hosts, 30 to the second.
    const variance: unknown = expect.closeTo(0.16, 12);
    expect(hosts).toMatchObject([
      { address: '10.0.0.1:80', share: 0.2, variance },
      { address: '10.0.0.2:80', share: 0.8, variance },
    ]);
    expect(priorities).toEqual([{ priority: 0, share: 1 }]);
    expect(localities).toMatchObject([{ share: 1 }]);
    expect(splitBetween(predicted, 2, 5)).toBe(predicted.phases[1]);
  });

  it('are none where one of them is', async () => {
    const lost = await phases([
      { at: '7s', set_behavior: { hosts: {}, error_rate: '1%' } },
      { at: '7s', update_cluster: { name: 'c' } },
    ]);
    expect(splitBetween(lost, 2, 20)).toMatchObject({ method: 'none', obstacle: { kind: 'cluster_updated' } });
  });
});

describe('the difference that another version makes', () => {
  // Newer versions draw the host from the value that chose the priority: of 0–69 mod 4, more are below 2.
  const scenario = (more: number, clusters = 2, dns: readonly string[] = []) =>
    scenarioOf({
      proxy: { version: '1.12' },
      dns: { 'c1.internal': { addresses: dns } },
      clusters: Array.from({ length: clusters }, (_, index) => ({
        name: `c${index}`,
        ...(index === 1 && dns.length > 0
          ? {
              type: 'STRICT_DNS',
              connect_timeout: '1s',
              hosts: [{ socket_address: { address: 'c1.internal', port_value: 80 } }],
            }
          : { type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }),
        lb_policy: 'RANDOM',
      })),
      endpoints: {
        c0: [
          { address: '10.0.0.1:80', count: 2, zone: 'a' },
          { address: '10.0.1.1:80', count: 2, zone: 'b' },
          { address: '10.0.2.1:80', count: 4, zone: 'b', health: 'UNHEALTHY' },
          { address: '10.0.3.1:80', count: 4, zone: 'c', priority: 1 },
        ],
        ...(more > 0 && { c1: [{ address: '10.1.0.1:80', count: more }] }),
      },
      workloads: [{ cluster: 'c0', arrivals: '100/s', stop: '10s' }],
    });

  const difference = async (of: ReturnType<typeof scenario>, version: '1.12' | '1.40' = '1.40') =>
    differenceAt(of, { prediction: await predict(of) }, version);

  it('is the largest of all shares, of clusters that are no larger than it compares', async () => {
    const small = scenario(1);
    const found = await difference(small);
    expect(found).toMatchObject({ cluster: 'c0', from_s: 0, to_s: 10, of: { kind: 'locality' }, version: '1.40' });
    const shares = [found?.share, found?.other_share].map((share) => Math.round(100 * (share ?? 0)));
    expect([
      [35, 36],
      [35, 34],
    ]).toContainEqual(shares);
    expect(await difference(small, '1.12')).toBeUndefined();
    expect(await differenceAt(small, { prediction: undefined }, '1.40')).toBeUndefined();
    expect(await difference(scenario(1988))).toBeDefined();
    expect(await difference(scenario(1989))).toBeUndefined();
    expect(await difference(scenario(1, 200))).toBeDefined();
    expect(await difference(scenario(1, 201))).toBeUndefined();
    const answers = Array.from({ length: 1989 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
    expect(await difference(scenario(0, 2, answers.slice(1)))).toBeDefined();
    expect(await difference(scenario(0, 2, answers))).toBeUndefined();
  });
});
