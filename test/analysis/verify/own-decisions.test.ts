import { describe, expect, it } from 'vitest';
import { ownDecisions, assignedByFile } from '../../../src/analysis/verify/own-decisions.js';
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
  const decisions = await ownDecisions(assignedByFile(clusters, stages), spec, stages, [], 10, async () => {});
  expect(decisions[0]?.unsettled).toEqual(new Set());
  return [...(decisions[1]?.unsettled ?? [])];
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
    const [decided] = await ownDecisions(assignedByFile(clusters, stages), spec, stages, failing, 6, async () => {});
    // In turn: whoever is sent to the first one goes on to the second.
    expect(decided?.hosts).toEqual([Array.from({ length: 6 }, () => '10.0.0.1:80')]);
    expect([5, 6, 7]).toContain(decided?.stats.get('cluster.web.upstream_rq_retry'));
  });

  it('but none that panic as a whole', async () => {
    expect(await unsettledAfter(assigned([['UNHEALTHY', 1]], [['UNHEALTHY', 1]]))).toEqual([]);
  });
});
