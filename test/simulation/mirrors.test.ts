import { expect, it } from 'vitest';
import type { DecisionRecord } from '../../src/result/run-result.js';
import type { RequestRecord } from '../../src/result/request-record.js';
import { clusterStats, run } from '../support/run.js';

const MIRRORED = {
  clusters: ['main', 'shadow'].map((name) => ({ name, lb_policy: 'ROUND_ROBIN' })),
  endpoints: { main: ['10.0.0.1:80'], shadow: ['10.1.0.1:80', '10.1.0.2:80'] },
  behavior: [{ hosts: { cluster: 'shadow' }, error_rate: '100%' }],
};

async function mirrored(policy: object, requests: number, more: object = {}) {
  const decisions: DecisionRecord[] = [];
  const records: RequestRecord[] = [];
  const one = { cluster: 'main', request_mirror_policies: [{ cluster: 'shadow', ...policy }], ...more };
  const result = await run(
    { ...MIRRORED, requests: Array.from({ length: requests }, (_, index) => ({ ...one, at: `${index}ms` })) },
    { onDecision: (decision) => decisions.push(decision), onRequest: (record) => records.push(record) },
  );
  return { result, records, copies: decisions.filter((decision) => decision.mirrored === true) };
}

it('a copy goes to the next host of the other cluster, and nobody hears of its end', async () => {
  const retry_policy = { retry_on: '5xx', num_retries: 3 };
  const { result, records, copies } = await mirrored({}, 4, { retry_policy });
  expect(copies.map(({ request }) => request)).toEqual([0, 1, 2, 3]);
  expect(new Set(copies.slice(0, 2).map(({ host }) => host))).toEqual(new Set(MIRRORED.endpoints.shadow));
  expect(records.map(({ cluster, status, attempts }) => [cluster, status, attempts])).toEqual(
    Array.from({ length: 4 }, () => ['main', 200, 1]),
  );
  expect(result.totals).toMatchObject({ requests: 4, success: 4, failed: 0, retries: 0 });
  expect(clusterStats(result, 'shadow')).toMatchObject({ upstream_rq_total: 4, upstream_rq_503: 4 });
  // The proxy itself has sent them.
  expect(clusterStats(result, 'shadow')).toMatchObject({ 'internal.upstream_rq_503': 4 });
  expect(clusterStats(result, 'main')).toMatchObject({ 'external.upstream_rq_200': 4 });
});

it('a copy asks for the subset that its request asks for', async () => {
  const copies: DecisionRecord[] = [];
  const shadow = {
    name: 'shadow',
    lb_subset_config: { fallback_policy: 'NO_FALLBACK', subset_selectors: [{ keys: ['v'] }] },
  };
  const hosts = ['1', '2'].map((v) => ({ address: `10.1.0.${v}:80`, metadata: { v } }));
  const one = { cluster: 'main', metadata_match: { v: '2' }, request_mirror_policies: [{ cluster: 'shadow' }] };
  await run(
    {
      clusters: [{ name: 'main' }, shadow],
      endpoints: { main: MIRRORED.endpoints.main, shadow: hosts },
      requests: [0, 1, 2, 3].map((index) => ({ ...one, at: `${index}ms` })),
    },
    { onDecision: (decision) => copies.push(...(decision.mirrored === true ? [decision] : [])) },
  );
  expect(copies.map(({ host }) => host)).toEqual(Array.from({ length: 4 }, () => '10.1.0.2:80'));
});

it('a part of them is copied, as runtime_fraction says', async () => {
  const runtime_fraction = { default_value: { numerator: 25 } };
  const { copies } = await mirrored({ runtime_fraction }, 1000);
  // 250 with a deviation of 13.7.
  expect(Math.abs(copies.length - 250)).toBeLessThan(70);
});

it('nothing is copied of what a circuit breaker rejects at once', async () => {
  const limits = { circuit_breakers: { thresholds: [{ max_connections: 1, max_pending_requests: 1 }] } };
  const records: RequestRecord[] = [];
  const copies: DecisionRecord[] = [];
  await run(
    {
      clusters: [{ name: 'main', ...limits }, { name: 'shadow' }],
      endpoints: { main: ['10.0.0.1:80'], shadow: ['10.1.0.1:80'] },
      behavior: [{ hosts: { cluster: 'main' }, service_time: '1s' }],
      requests: [0, 1, 2].map((index) => ({
        at: `${index}ms`,
        cluster: 'main',
        request_mirror_policies: [{ cluster: 'shadow' }],
      })),
    },
    {
      onRequest: (record) => records.push(record),
      onDecision: (decision) => {
        if (decision.mirrored === true) copies.push(decision);
      },
    },
  );
  expect(records.map(({ outcome }) => outcome)).toEqual(['overflow', 'answered', 'answered']);
  expect(copies.map(({ request }) => request)).toEqual([0, 1]);
});
