import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/scenario/model.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { headlineOf } from '../../src/report/run/headline.js';

const dns = (name: string, type: string, ...hosts: readonly string[]): string => {
  const endpoints = hosts.map(
    (host) => `{endpoint: {address: {socket_address: {address: ${host}, port_value: 8080}}}}`,
  );
  return `  - {name: ${name}, type: ${type}, connect_timeout: 1s, load_assignment: {cluster_name: ${name}, endpoints: [{lb_endpoints: [${endpoints.join(', ')}]}]}}\n`;
};
const eds = (name: string): string =>
  `  - {name: ${name}, type: EDS, connect_timeout: 1s, eds_cluster_config: {eds_config: {ads: {}, resource_api_version: V3}}}\n`;
const file = (...clusters: readonly string[]): string => `static_resources:\n  clusters:\n${clusters.join('')}`;

function loaded(text: string, options: Parameters<typeof loadScenario>[1] = {}): Scenario {
  const { scenario, problems } = loadScenario({ file: 'open.yaml', text }, { makesUpHosts: true, ...options });
  if (scenario === undefined) throw new Error(JSON.stringify(problems));
  return scenario;
}

describe('hosts that are in no file', () => {
  it('are made up: one for each name, three for a service', async () => {
    const scenario = loaded(
      file(dns('strict', 'STRICT_DNS', 'a.test', 'b.test'), dns('logical', 'LOGICAL_DNS', 'c.test'), eds('service')),
    );
    const { clusters } = await runScenario(scenario);
    expect(Object.entries(clusters).map(([name, { hosts }]) => [name, hosts.length])).toEqual([
      ['strict', 2],
      ['logical', 1],
      ['service', 3],
    ]);
    for (const { hosts } of Object.values(clusters)) expect(hosts.every((host) => host.made_up === true)).toBe(true);
    const [says] = scenario.origin.says.filter((one) => one.includes('made up'));
    expect(says).toMatch(
      /^the hosts of 3 of 3 clusters are in none of the files, and made up here: strict \(a\.test and other names\), logical \(c\.test\), service \(EDS\)\. Shares can be trusted; failures, and which host a key goes to, cannot be told\. To give the real ones:\n/,
    );
  });

  it('have addresses that do not depend on other clusters', () => {
    const hostsOf = (scenario: Scenario): unknown =>
      [...scenario.assignments.values()].find(({ clusterName }) => clusterName === 'b');
    expect(hostsOf(loaded(file(eds('b'))))).toEqual(hostsOf(loaded(file(eds('a'), eds('c'), eds('b')))));
  });

  it('leave alone what is known, given by an option, or of a scenario', () => {
    const known = file(dns('known', 'STRICT_DNS', '10.0.0.1'), eds('given'), eds('open'));
    const scenario = loaded(known, { hosts: ['given=10.0.0.2:80'] });
    expect([...scenario.origin.madeUpHosts]).toHaveLength(3);
    expect(() =>
      loaded(`clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]\n`),
    ).not.toThrow();
    expect(
      loaded('clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]\nduration: 1s\n').origin,
    ).toMatchObject({
      unknownHosts: ['web'],
      madeUpHosts: new Set(),
    });
  });

  it('are not judged by rules about hosts', () => {
    const weighted = eds('b').replace(
      'type: EDS,',
      'type: EDS, lb_policy: RING_HASH, ring_hash_lb_config: {maximum_ring_size: 2},',
    );
    const rules = (options: object): readonly string[] =>
      loadScenario({ file: 'open.yaml', text: file(weighted) }, { lint: true, ...options }).problems.map(
        ({ rule }) => rule,
      );
    expect(rules({ makesUpHosts: true })).toEqual(rules({}));
  });
});

describe('where no cluster has two hosts', () => {
  const headline = async (text: string): Promise<string> => headlineOf(await runScenario(loaded(text))).text;

  it('the answer is what breaks', async () => {
    expect(await headline(file(dns('one', 'STATIC', '10.0.0.1')))).toBe(
      'one has one host: if it fails, every request to it does.',
    );
    expect(await headline(file(dns('one', 'STATIC', '10.0.0.1'), dns('two', 'STATIC', '10.0.0.2')))).toBe(
      'Each of the 2 clusters has one host: if it fails, every request to it does.',
    );
  });

  it('nothing is said of the failure of a host that is made up', async () => {
    expect(await headline(file(dns('one', 'STRICT_DNS', 'a.test')))).toBe(
      'one has one made-up host here: there is nothing to balance.',
    );
    expect(await headline(file(dns('one', 'STRICT_DNS', 'a.test'), dns('two', 'STATIC', '10.0.0.2')))).toBe(
      'Each of the 2 clusters has one host (1 of them made up): if it fails, every request to it does.',
    );
  });
});
