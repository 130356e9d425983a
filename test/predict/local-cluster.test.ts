import { describe, expect, it } from 'vitest';
import { predict } from '../../src/words/library.js';
import type { RunResult } from '../../src/words/results.js';
import { run, scenarioOf } from '../support/run.js';
import { deviations } from './deviations.js';

const EDS = { type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };
const two = (net: number): readonly unknown[] => [
  { address: `10.0.${net}.1:80`, zone: 'a' },
  { address: `10.0.${net}.2:80`, zone: 'b' },
];
const beyond = { address: '10.0.0.9:80', zone: 'a', priority: 1 };

function scenario(more: Record<string, unknown>): Record<string, unknown> {
  return {
    proxy: { local_cluster_name: 'edge', node: { locality: { zone: 'a' } } },
    clusters: [{ name: 'edge', ...EDS }, { name: 'web' }],
    endpoints: { edge: [...two(0), beyond], web: two(1) },
    workloads: ['edge', 'web'].map((cluster) => ({
      name: cluster,
      cluster,
      arrivals: { constant: '20/s' },
      stop: '4s',
    })),
    ...more,
  };
}

/** From, to, part without a host and shares of the hosts, of each phase of the local cluster. */
async function both(value: unknown): Promise<readonly unknown[]> {
  const result: RunResult = await run(value);
  const prediction = await predict(scenarioOf(value));
  expect(deviations(result, prediction).filter(({ z }) => Math.abs(z) >= 5)).toEqual([]);
  const told = (phases: readonly { from_s: number; to_s: number; cause: string; reasons: string[] }[] = []): unknown =>
    phases.map(({ from_s, to_s, cause, reasons }) => [from_s, to_s, cause, reasons]);
  for (const name of ['edge', 'web']) {
    expect(told(prediction.clusters[name]?.phases)).toEqual(told(result.clusters[name]?.phases));
  }
  return (prediction.clusters['edge']?.phases ?? []).map(({ from_s, to_s, no_host, hosts }) => {
    return [from_s, to_s, no_host?.share, hosts.map(({ share }) => share)];
  });
}

const assigned = {
  at: '2s',
  assign: {
    cluster_name: 'edge',
    endpoints: [
      { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.7', port_value: 80 } } } }] },
    ],
  },
};

describe('the local cluster with hosts beyond priority 0', () => {
  it('finds nobody: the proxy rejects the assignment', async () => {
    expect(await both(scenario({}))).toEqual([[0, 4, 1, []]]);
  });

  it('has hosts once an assignment keeps to priority 0', async () => {
    expect(await both(scenario({ timeline: [assigned] }))).toEqual([
      [0, 2, 1, []],
      [2, 4, 0, [1]],
    ]);
  });

  it('keeps what it had before an update that is rejected, however its hosts are said to be', async () => {
    const add = { cluster: 'edge', priority: 1, endpoints: ['10.0.0.9:80'] };
    const timeline = [
      { at: '1s', add_hosts: add },
      { at: '2s', set_health: { hosts: '10.0.0.1:80', status: 'UNHEALTHY' } },
    ];
    for (const type of [EDS, {}]) {
      const clusters = [{ name: 'edge', ...type }, { name: 'web' }];
      const value = scenario({ clusters, endpoints: { edge: two(0), web: two(1) }, timeline });
      expect(await both(value)).toEqual([[0, 4, 0, [0.5, 0.5]]]);
    }
  });

  it('is another matter for a proxy whose local cluster is another one', async () => {
    const value = scenario({ proxy: { local_cluster_name: 'web', node: { locality: { zone: 'a' } } } });
    expect(await both(value)).toEqual([[0, 4, 0, [0.5, 0.5, 0]]]);
  });

  it('is not predicted where proxies differ', async () => {
    const proxies = [{ name: 'p', local_cluster_name: 'edge', node: { locality: { zone: 'a' } } }, { name: 'q' }];
    const value = scenario({ proxy: undefined, proxies });
    const { clusters } = await predict(scenarioOf(value));
    expect(Object.values(clusters).map(({ method }) => method)).toEqual(['none', 'none']);
  });
});
