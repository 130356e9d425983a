import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defined } from '../../src/core/values.js';
import { predict } from '../../src/predict/predict.js';
import type { PredictedSuccess } from '../../src/predict/generated/prediction.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { type Json, sometimes } from '../../src/testing/mix/mix-hosts.js';
import { scenarioOf } from '../support/run.js';

const behaviour = fc.record({
  error_rate: fc.constantFrom('0%', '30%', '30%', '70%', '100%'),
  error_status: fc.constantFrom(503, 503, 500, 409, 404),
  down: sometimes('refuse', 'hang'),
  connect_failure_rate: sometimes('40%', '100%'),
  service_time: fc.constantFrom<Json | string | undefined>(
    undefined,
    '2ms',
    '10ms',
    { exponential: { mean: '5ms' } },
    { uniform: { min: '0ms', max: '10ms' } },
  ),
});

const retries = fc.record({
  retry_on: fc.constantFrom('5xx', '5xx', '5xx,retriable-4xx', 'connect-failure', 'gateway-error'),
  num_retries: fc.integer({ min: 0, max: 4 }),
  per_try_timeout: sometimes('20ms', '50ms'),
  retry_back_off: sometimes({ base_interval: '5ms', max_interval: '20ms' }),
  host_selection_retry_max_attempts: sometimes(2, 5),
  retry_host_predicate: fc.constantFrom<Json[] | undefined>(
    undefined,
    undefined,
    [{ name: 'envoy.retry_host_predicates.previous_hosts' }],
    [{ name: 'envoy.retry_host_predicates.omit_canary_hosts' }],
  ),
  retry_priority: fc.constantFrom<Json | undefined>(undefined, undefined, {
    name: 'envoy.retry_priorities.previous_priorities',
    config: { update_frequency: 1 },
  }),
});

/** Small scenarios whose hosts fail and whose requests are retried, as a file would hold them. */
const scenarios = fc
  .record({
    version: fc.constantFrom('1.12', '1.17', '1.40', '1.40'),
    workers: fc.constantFrom(1, 1, 2),
    policy: fc.constantFrom('RANDOM', 'RANDOM', 'ROUND_ROBIN', 'LEAST_REQUEST', 'RING_HASH', 'MAGLEV'),
    fails: fc.constantFrom(true, false, false, false),
    hosts: fc.array(
      fc.record({ priority: fc.constantFrom(0, 0, 0, 1), canary: fc.boolean(), health: sometimes('UNHEALTHY') }),
      { minLength: 2, maxLength: 6 },
    ),
    alike: fc.constantFrom(true, false, false),
    behaviours: fc.array(behaviour, { minLength: 6, maxLength: 6 }),
    breakers: fc.constantFrom<Json | undefined>(
      { max_retries: 100000 },
      { max_retries: 100000 },
      { max_retries: 2 },
      undefined,
    ),
    keys: fc.constantFrom<Json | undefined>(
      undefined,
      { uniform: { keys: 200 } },
      { zipf: { keys: 100, exponent: 1 } },
      { cycle: ['a', 'b', 'c', 'd', 'e'] },
    ),
    arrivals: fc.constantFrom<unknown>(
      '300/s',
      '300/s',
      { constant: '250/s' },
      { constant: '5/s' },
      {
        ramp: [
          { at: '0s', rate: '50/s' },
          { at: '10s', rate: '500/s' },
        ],
      },
    ),
    retries,
    change: fc.constantFrom<Json | undefined>(
      undefined,
      { at: '4s', set_behavior: { hosts: {}, error_rate: '20%' } },
      { at: '4s', set_health: { hosts: '10.0.0.1', status: 'UNHEALTHY' } },
      { at: '4s', remove_hosts: '10.0.0.2' },
      { at: '4s', set_rate: { workload: 'w', rate: '100/s' } },
    ),
    seed: fc.nat({ max: 1e6 }),
  })
  .map((one) => {
    const failing = one.behaviours.slice(0, one.hosts.length);
    // Which requests need a new connection would depend on the run.
    const single = failing.some(({ connect_failure_rate: rate }) => rate === '40%')
      ? { max_requests_per_connection: 1 }
      : {};
    const hashed = one.policy === 'RING_HASH' || one.policy === 'MAGLEV';
    const ramp = typeof one.arrivals === 'object' && JSON.stringify(one.arrivals).includes('ramp');
    const constant = typeof one.arrivals === 'object' && !ramp;
    return {
      seed: one.seed,
      // What hangs at the last second is given up 15 s later.
      duration: '30s',
      proxy: { version: one.version, workers: one.workers },
      clusters: [
        defined({
          name: 'c',
          lb_policy: one.policy,
          ...single,
          common_lb_config: one.fails
            ? { healthy_panic_threshold: { value: 50 }, zone_aware_lb_config: { fail_traffic_on_panic: true } }
            : undefined,
          circuit_breakers: one.breakers && { thresholds: [one.breakers] },
        }),
      ],
      endpoints: {
        c: one.hosts.map(({ priority, canary, health }, index) =>
          defined({ address: `10.0.0.${index + 1}:80`, priority, health, metadata: canary ? { canary } : undefined }),
        ),
      },
      behavior: one.alike
        ? [{ hosts: {}, ...defined(failing[0] ?? {}) }]
        : failing.map((own, index) => ({ hosts: `10.0.0.${index + 1}`, ...defined(own) })),
      workloads: [
        defined({
          name: 'w',
          cluster: 'c',
          arrivals: one.arrivals,
          stop: '10s',
          hash_key: hashed ? one.keys : undefined,
          retry_policy: defined(one.retries),
        }),
      ],
      timeline:
        one.change === undefined || (constant && 'set_rate' in one.change) || (ramp && 'set_rate' in one.change)
          ? []
          : [one.change],
    };
  });

/** In standard errors of the chance that is nearest to what was seen, of all that the error allows. */
function distance({ chance = 0, error = 0 }: PredictedSuccess, good: number, requests: number): number {
  const seen = good / requests;
  const nearest = Math.min(Math.max(seen, chance - error, 0), chance + error, 1);
  const off = Math.max(0, Math.abs(seen - nearest) - 1 / requests);
  return off / Math.sqrt(Math.max(nearest * (1 - nearest), 1 / requests) / requests);
}

/**
 * Two derivations of what becomes of requests: chains of chances, and hosts that fail one by one. Where the prediction says
 * nothing the run decides nothing.
 */
test('requests of random scenarios succeed as often as predicted, within five standard errors, by any number of tries', async () => {
  let predicted = 0;
  await fc.assert(
    fc.asyncProperty(scenarios, fc.nat({ max: 3 }), async (value, fewer) => {
      const scenario = scenarioOf(value);
      const { success } = (await predict(scenario)).clusters['c'] ?? {};
      if (success === undefined || success.method === 'none') return;
      predicted++;
      const { clusters, totals } = await runScenario(scenario);
      expect(totals.in_flight).toBe(0);
      const { success: good = 0, failed = 0 } = clusters['c'] ?? {};
      const z = distance(success, good, good + failed);
      expect([success, good, good + failed, z < 5]).toEqual([success, good, good + failed, true]);
      const { after = [], method, error = 0 } = success;
      expect(after.at(-1)).toBe(success.chance);
      const falls = after.some((part, tries) => part < (after[tries - 1] ?? 0) - 1e-12);
      // What retriable-4xx retries has succeeded already, and its retry may fail.
      const retriesGood = value.workloads[0]?.retry_policy['retry_on'] === '5xx,retriable-4xx';
      expect(falls && method !== 'approximate' && !retriesGood).toBe(false);
      const [workload] = value.workloads;
      const retry_policy = { ...value.workloads[0]?.retry_policy, num_retries: fewer };
      if (fewer > (value.workloads[0]?.retry_policy.num_retries ?? 0)) return;
      const less = await predict(scenarioOf({ ...value, workloads: [{ ...workload, retry_policy }] }));
      const own = less.clusters['c']?.success;
      // A retry takes a turn of a rotation: the first tries of requests with fewer retries go elsewhere.
      if (own?.chance === undefined || value.clusters[0]?.['lb_policy'] === 'ROUND_ROBIN') return;
      expect(Math.abs(own.chance - (after[fewer] ?? after.at(-1) ?? 0))).toBeLessThan(
        1e-9 + (method === 'approximate' ? error + (own.error ?? 0) : 0),
      );
    }),
    { numRuns: Number(process.env['LBSIM_RUNS'] ?? 60), seed: Number(process.env['LBSIM_SEED'] ?? 1) },
  );
  expect(predicted).toBeGreaterThan(20);
});
