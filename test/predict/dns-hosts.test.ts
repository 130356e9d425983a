import { describe, expect, it } from 'vitest';
import { predict, runScenario } from '../../src/words/library.js';
import { scenarioOf } from '../support/run.js';
import { deviations } from './deviations.js';

const NAME = 'svc.example.test';
const addresses = (...hosts: number[]) => ({ addresses: hosts.map((host) => `10.0.0.${host}`) });

/** 100 requests a second for 60 s; the name is asked for each 5 s. */
function dns(cluster: object, timeline: readonly object[], more: object = {}) {
  return scenarioOf({
    clusters: [{ name: 'c', type: 'STRICT_DNS', dns_refresh_rate: '5s', ...cluster }],
    endpoints: { c: [`${NAME}:80`] },
    dns: { [NAME]: addresses(1, 2) },
    workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '60s' }],
    timeline: timeline.map((answers, index) => ({ at: `${12 * (index + 1)}s`, dns: answers })),
    ...more,
  });
}

const CHANGES = [{ [NAME]: addresses(2, 3, 4) }, {}, { [NAME]: { fail: true } }, { [NAME]: addresses(5) }];

describe('the hosts of a DNS cluster', () => {
  it.each([
    ['STRICT_DNS', {}, '1.17'],
    ['STRICT_DNS of an old proxy', {}, '1.12'],
    ['STRICT_DNS by a table', { lb_policy: 'MAGLEV' }, '1.17'],
    ['STRICT_DNS of a modern proxy', { lb_policy: 'RANDOM' }, '1.40'],
    ['LOGICAL_DNS of a modern proxy', { type: 'LOGICAL_DNS' }, '1.40'],
  ])('%s are those that its names resolve to, from the query on that finds out', async (_, cluster, version) => {
    const scenario = dns(cluster, CHANGES, { proxy: { version } });
    const [run, prediction] = [await runScenario(scenario), await predict(scenario)];
    expect(deviations(run, prediction).filter(({ z }) => Math.abs(z) >= 5)).toEqual([]);
    const heads = (phases: readonly { from_s: number; cause: string; reasons: readonly string[] }[] = []) =>
      phases.map(({ from_s, cause, reasons }) => ({ from_s, cause, reasons }));
    const { phases, method } = prediction.clusters['c'] ?? {};
    expect(method).toBe('exact');
    expect(phases?.length).toBeGreaterThan(2);
    expect(heads(phases)).toEqual(heads(run.clusters['c']?.phases));
  });

  it('of several names come from each of them, with their weights and localities', async () => {
    const scenario = dns({}, [{ 'a.test': addresses(1), 'b.test': addresses(2, 3) }], {
      endpoints: {
        c: [
          { address: 'a.test:80', weight: 3, zone: 'a' },
          { address: 'b.test:80', zone: 'b' },
        ],
      },
      dns: { 'a.test': { ...addresses(1), ttl: '1s' }, 'b.test': addresses(2) },
    });
    const [run, prediction] = [await runScenario(scenario), await predict(scenario)];
    expect(deviations(run, prediction).filter(({ z }) => Math.abs(z) >= 5)).toEqual([]);
    const [before, after] = prediction.clusters['c']?.phases ?? [];
    expect(before?.hosts.map(({ share }) => share)).toEqual([0.75, 0.25]);
    expect(after?.from_s).toBe(15);
    expect(after?.hosts.map(({ share }) => share)).toEqual([0.6, 0.2, 0.2]);
  });

  it('are not followed through what is left to chance', async () => {
    const failing = dns({ dns_failure_refresh_rate: { base_interval: '1s' } }, CHANGES);
    const { clusters } = await predict(failing);
    const why = 'how soon a failed DNS query is repeated is drawn by chance; simulate it';
    // The answer at 24 s is empty, not failed; the one at 36 s is.
    expect(clusters['c']?.phases.map(({ method, why_not }) => [method, why_not])).toEqual([
      ['exact', undefined],
      ['exact', undefined],
      ['none', why],
    ]);
  });

  it('are not followed where connections stay with an address that a name no longer has', async () => {
    const { clusters } = await predict(dns({ type: 'LOGICAL_DNS' }, CHANGES));
    expect(clusters['c']?.why_not).toMatch(/^connections that are open stay/);
  });

  it('of health-checked clusters are for health checks to judge', async () => {
    const checked = {
      health_checks: [
        {
          timeout: '1s',
          interval: '2s',
          unhealthy_threshold: 2,
          healthy_threshold: 2,
          http_health_check: { path: '/' },
        },
      ],
    };
    const { clusters } = await predict(dns(checked, CHANGES));
    expect(clusters['c']?.why_not).toMatch(/^health checks decide/);
  });
});
