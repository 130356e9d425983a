import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clusterOverviews, someClusters } from '../../src/result/cluster-overview.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';

/** Some fail, some panic, some have several proxies or no course. */
const SCENARIOS = ['booting-hosts-panic', 'priority-failover', 'aggregate-failover', 'fleet-over-zones'];

describe('the overview of clusters', () => {
  it.each(SCENARIOS)('is that of their results: %s', async (name) => {
    const file = `scenarios/${name}.yaml`;
    const { scenario } = loadScenario({ file, text: readFileSync(file, 'utf8') });
    if (scenario === undefined) throw new Error(file);
    const { clusters, proxies } = await runScenario(scenario);
    for (const each of [clusters, ...Object.values(proxies).map((proxy) => proxy.clusters)]) {
      // A copy has no overview of its own.
      expect(clusterOverviews(each)).toEqual(clusterOverviews({ ...each }));
    }
  });

  it('has no panic where the level in panic gets nothing, and one where it does', async () => {
    const panicOf = async (hosts: string): Promise<unknown> => {
      const text = `clusters: [{name: a}]\nendpoints: {a: [${hosts}]}\nrequests: [{at: 0s, cluster: a}]\n`;
      const { scenario } = loadScenario({ file: 'f', text });
      if (scenario === undefined) throw new Error('f');
      const { clusters } = await runScenario(scenario);
      expect(clusterOverviews({ ...clusters })).toEqual(clusterOverviews(clusters));
      return clusterOverviews(clusters)[0]?.[1].panic;
    };
    // Half of priority 1 is available, 1.4 × 50 % is below 100 %: priority 0 panics, without load. With a third, both do.
    const standby =
      '{address: 10.0.1.1:80, priority: 1}, {address: 10.0.1.2:80, count: 2, priority: 1, health: UNHEALTHY}';
    const first = '{address: 10.0.0.1:80, health: UNHEALTHY}';
    expect(
      await panicOf(
        `${first}, {address: 10.0.1.1:80, priority: 1}, {address: 10.0.1.2:80, priority: 1, health: UNHEALTHY}`,
      ),
    ).toBeUndefined();
    expect(await panicOf(`${first}, ${standby}`)).toBeDefined();
  });

  it('of some clusters leaves out the others, and builds each result once', async () => {
    const text = 'clusters: [{name: a}, {name: b}]\nendpoints: {a: [10.0.0.1:80], b: [10.0.0.2:80]}\n';
    const { scenario } = loadScenario({ file: 'f', text: `${text}requests: [{at: 0s, cluster: b}]\n` });
    if (scenario === undefined) throw new Error('f');
    const { clusters } = await runScenario(scenario);
    const some = someClusters(clusters, (name) => name === 'b');
    expect(clusterOverviews(some)).toEqual([['b', { requests: 1, failed: 0, panic: undefined, hasCourse: true }]]);
    expect(some['b']).toBe(clusters['b']);
    expect(some['b']?.hosts.map(({ requests }) => requests)).toEqual([1]);
  });
});
