import { describe, expect, it } from 'vitest';
import { writtenAssignment } from '../../../src/analysis/verify/cluster-message.js';
import { hasLastingAnswers, lastingAnswers, situationsOf } from '../../../src/analysis/verify/situations.js';
import { answerOf } from '../../../src/real-proxy/answering-host.js';
import type { Scenario } from '../../../src/scenario/model.js';
import { scenarioOf } from '../../support/run.js';

const endpoint = (ip: string, more: object = {}) => ({
  endpoint: { address: { socket_address: { address: ip, port_value: 80 } } },
  ...more,
});
const assignment = (...hosts: readonly object[]) => ({ cluster_name: 'web', endpoints: [{ lb_endpoints: hosts }] });

const TEAPOT = { hosts: { address: '10.0.0.1' }, error_rate: '100%', error_status: 418, load_report: { eps: 2 } };

const web = (behavior: readonly object[], more: object = {}): Scenario =>
  scenarioOf({
    api: 'v3',
    clusters: [
      {
        name: 'web',
        connect_timeout: '1s',
        type: 'STATIC',
        load_assignment: assignment(endpoint('10.0.0.1', { health_status: 'TIMEOUT' }), endpoint('10.0.0.1')),
      },
    ],
    behavior,
    workloads: [{ cluster: 'web', arrivals: '10/s', stop: '3s' }],
    ...more,
  });

const situations = async (scenario: Scenario) => (await situationsOf(scenario, async () => {})).situations;

describe('the answers of hosts', () => {
  it('are those that last, and their reports where these can be waited for', async () => {
    const scenario = web([TEAPOT]);
    const found = lastingAnswers(scenario, await situations(scenario), true);
    const report = { cpu_utilization: 0, mem_utilization: 0, application_utilization: 0, rps_fractional: 0, eps: 2 };
    const message = JSON.stringify({ ...report, named_metrics: {}, utilization: {} });
    expect(answerOf(found.get('10.0.0.1:80'))).toEqual({
      status: 418,
      headers: { 'endpoint-load-metrics': `JSON ${message}` },
    });
    const unreported = lastingAnswers(scenario, await situations(scenario), false);
    expect(answerOf(unreported.get('10.0.0.1:80'))).toEqual({ status: 418, headers: {} });
  });

  it('are none where a host ends its connections instead, and say so where it ends them afterwards', async () => {
    const found = async (closes: string) => {
      const scenario = web([{ hosts: '10.0.0.1', closes }]);
      return lastingAnswers(scenario, await situations(scenario), true).get('10.0.0.1:80');
    };
    expect((await found('instead'))?.closes).toBe('instead');
    expect(answerOf(await found('announced'))).toEqual({ status: 200, headers: { connection: 'close' } });
    expect((await found('silent'))?.closes).toBe('never');
  });

  it.each([
    [[TEAPOT], {}, true],
    [[{ error_rate: '50%' }], {}, false],
    [[{ service_time: '1ms' }], {}, false],
    [[{ load_report: 'measured' }], {}, false],
    [[{ ...TEAPOT, closes: 'instead' }], {}, true],
    [[{ closes: 'announced', close_rate: '50%' }], {}, false],
    [[{ closes: 'silent' }], {}, false],
    [[TEAPOT], { timeline: [{ at: '1s', set_behavior: { hosts: '10.0.0.1', error_rate: '0%' } }] }, false],
  ])('%j, %j: last %s', async (behavior, more, lasts) => {
    const scenario = web(behavior, more);
    expect(hasLastingAnswers(scenario)).toBe(lasts);
    const found = lastingAnswers(scenario, await situations(scenario), true);
    if (!lasts) expect(answerOf(found.get('10.0.0.1:80'))).toEqual({ status: 200, headers: {} });
  });
});

describe('the assignment as it is written', () => {
  const at = (address: string): string => `127.0.0.1:1${address.length}`;
  const hostsOf = (scenario: Scenario, atUs: number): unknown => {
    const [cluster] = scenario.clusters;
    return cluster && writtenAssignment(scenario, cluster, atUs, at)?.['endpoints'];
  };

  it('names hosts twice and with every health, and changes with the timeline', () => {
    const scenario = web([], { timeline: [{ at: '1s', assign: assignment(endpoint('10.0.0.9')) }] });
    expect(JSON.stringify(hostsOf(scenario, 0))).toMatch(/TIMEOUT.*127\.0\.0\.1.*127\.0\.0\.1|127\.0\.0\.1.*TIMEOUT/);
    expect(hostsOf(scenario, 1_000_000)).toHaveLength(1);
    expect(JSON.stringify(hostsOf(scenario, 1_000_000))).toContain('"hash_key":"10.0.0.9:80"');
  });

  it('is not asked for where something else says how hosts are', () => {
    const told = { timeline: [{ at: '1s', set_health: { hosts: '10.0.0.1', status: 'UNHEALTHY' } }] };
    expect(hostsOf(web([], told), 0)).toBeUndefined();
  });
});
