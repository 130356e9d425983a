import { describe, expect, it } from 'vitest';
import { ownDecisions, type Decisions, type Sent } from '../../../src/analysis/verify/own-decisions.js';
import type { Struct } from '../../../src/core/values.js';
import { loadScenarioValue } from '../../../src/scenario/load.js';
import { PLAIN_TRAFFIC } from './plain-traffic.js';

/** Hosts of two priorities, as a status and a weight. */
function assigned(...levels: readonly (readonly (readonly [string, number])[])[]): Struct {
  return {
    cluster_name: 'web',
    policy: { weighted_priority_health: true },
    endpoints: levels.map((hosts, priority) => ({
      priority,
      lb_endpoints: hosts.map(([status, weight], index) => ({
        endpoint: { address: { socket_address: { address: `10.0.${priority}.${index}`, port_value: 80 } } },
        health_status: status,
        load_balancing_weight: weight,
      })),
    })),
  };
}

/** What a real proxy was sent of one traffic, by somebody. */
const sentPlainly = (requests: number, more: readonly Sent[] = []): Decisions => ({
  ...{ hosts: [], stats: new Map(), requests },
  sent: [Array.from({ length: requests }, (_, index) => more[index] ?? { cookie: '', address: '127.0.0.1:4000' })],
});

async function unsettledAfter(update: Struct): Promise<readonly string[]> {
  const first = assigned([['HEALTHY', 1]], [['HEALTHY', 1]]);
  const clusters = [{ name: 'web', connect_timeout: '1s', type: 'STATIC', load_assignment: first }];
  const { scenario } = loadScenarioValue({ api: 'v3', clusters, requests: [{ at: '0s', cluster: 'web' }] }, 'a test');
  const [spec] = scenario?.proxies ?? [];
  if (spec === undefined) throw new Error('the test has no proxy');
  const traffic = [PLAIN_TRAFFIC];
  const stages = [
    { updates: [], traffic },
    { updates: [update], traffic },
  ];
  const real = [sentPlainly(10), sentPlainly(10)];
  const both = await ownDecisions(
    { spec, clusters, stages },
    { address: '127.0.0.1:80', stages: real },
    async () => {},
    1,
  );
  expect(both[0]?.lbsim.unsettled).toEqual(new Set());
  return [...(both[1]?.lbsim.unsettled ?? [])];
}

describe('what lbsim decides', () => {
  it('names clusters whose loads the proxy leaves to chance: nothing is available, and a level does not panic', async () => {
    // Priority 1: 1.4 · 1/301 is no whole percent, but half of its hosts are healthy.
    const most: readonly [string, number][] = [
      ['UNHEALTHY', 300],
      ['HEALTHY', 1],
    ];
    expect(await unsettledAfter(assigned([['UNHEALTHY', 1]], most))).toEqual(['web']);
  });

  it('sends requests again as their route says, and none meets another', async () => {
    const two = assigned([
      ['HEALTHY', 1],
      ['HEALTHY', 1],
    ]);
    const clusters = [{ name: 'web', connect_timeout: '1s', type: 'STATIC', load_assignment: two }];
    const { scenario } = loadScenarioValue(
      { api: 'v3', clusters, requests: [{ at: '0s', cluster: 'web', retry_policy: { retry_on: '5xx' } }] },
      'a test',
    );
    const [spec] = scenario?.proxies ?? [];
    const [retried] = scenario?.requests ?? [];
    if (spec === undefined || retried === undefined) throw new Error('the test has a proxy and a request');
    const stages = [{ updates: [], traffic: [{ ...PLAIN_TRAFFIC, spec: retried }] }];
    const failing = [{ hosts: { address: '10.0.0.0:80' }, behavior: { errorRate: 1 } }];
    const [decided] = await ownDecisions(
      { spec, clusters, stages, behavior: failing },
      { address: '127.0.0.1:80', stages: [sentPlainly(3)] },
      async () => {},
    );
    // In turn: whoever is sent to the first one goes on to the second.
    expect(decided?.lbsim.hosts).toEqual([Array.from({ length: 6 }, () => '10.0.0.1:80')]);
    expect([5, 6, 7]).toContain(decided?.lbsim.stats.get('cluster.web.upstream_rq_retry'));
  });

  it('hashes the address and the cookies that each request was really sent with', async () => {
    const hosts = assigned(['HEALTHY', 'HEALTHY', 'HEALTHY', 'HEALTHY'].map((status) => [status, 1] as const));
    const clusters = [
      { name: 'web', connect_timeout: '1s', type: 'STATIC', lb_policy: 'MAGLEV', load_assignment: hosts },
    ];
    const hashed = [{ cookie: { name: 'sid', ttl: '60s' } }, { connection_properties: { source_ip: true } }];
    const { scenario } = loadScenarioValue(
      { api: 'v3', clusters, requests: [{ at: '0s', cluster: 'web', hash_policy: hashed }] },
      'a test',
    );
    const [spec] = scenario?.proxies ?? [];
    const [request] = scenario?.requests ?? [];
    if (spec === undefined || request === undefined) throw new Error('the test has a proxy and a request');
    const stages = [{ updates: [], traffic: [{ ...PLAIN_TRAFFIC, spec: request, clients: 2 }] }];
    const answerersOf = async (sent: readonly Sent[]) => {
      const both = await ownDecisions(
        { spec, clusters, stages },
        { address: '127.0.0.1:80', stages: [sentPlainly(8, sent)] },
        async () => {},
        1,
      );
      return new Set(both[0]?.lbsim.hosts[0]);
    };
    const all = Array.from({ length: 8 }, (_, index) => index);
    const cookied = { cookie: 'sid="7"', address: '127.0.0.1:4000' };
    expect(await answerersOf(all.map(() => cookied))).toHaveProperty('size', 1);
    const cookies = await answerersOf(all.map((index) => ({ ...cookied, cookie: `sid="${index}"` })));
    expect(cookies.size).toBeGreaterThan(1);
    const addresses = await answerersOf(all.map((index) => ({ cookie: 'sid="7"', address: `127.2.0.${index}:4000` })));
    expect(addresses.size).toBeGreaterThan(1);
  });

  it('but none that panic as a whole', async () => {
    expect(await unsettledAfter(assigned([['UNHEALTHY', 1]], [['UNHEALTHY', 1]]))).toEqual([]);
  });
});
