import { describe, expect, it } from 'vitest';
import {
  answersAt,
  answersAtLoopback,
  hasHostsOfOneKey,
  namedAddresses,
  namedClusters,
  namedMessage,
  namesIn,
} from '../../../src/analysis/verify/cluster-message.js';
import { loadScenario } from '../../../src/scenario/load.js';
import type { Scenario } from '../../../src/scenario/model.js';

const CHECKS =
  'health_checks: [{interval: 1s, timeout: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]';

function scenario(): Scenario {
  const text = `
proxy: {version: "1.40"}
clusters:
  - {name: web, type: STRICT_DNS, lb_policy: MAGLEV, dns_refresh_rate: 30s}
  - {name: checked, type: STRICT_DNS, ${CHECKS}}
  - {name: fixed}
endpoints: {web: [A.test:80, "10.0.0.9:81"], checked: [a.test:80], fixed: [10.0.0.1:80]}
dns: {a.test: {addresses: [10.0.0.1, 10.0.0.2]}}
timeline:
  - {at: 10s, dns: {a.test: {fail: true}}}
  - {every: 10s, from: 20s, until: 40s, dns: {a.test: {addresses: [10.0.0.3]}}}
  - {at: 25s, dns: {}}
workloads: [{cluster: web, arrivals: 1/s, stop: 50s}]
`;
  const { scenario: found, problems } = loadScenario({ file: 'named.yaml', text });
  if (found === undefined) throw new Error(problems.map(({ message }) => message).join('; '));
  return found;
}

const loopback = { ipAt: (ip: string) => ip.replace('10.0', '127.1'), portAt: (port: string) => `90${port}` };

describe('clusters that stay those of DNS', () => {
  it('are those without health checks, and with IPv4 alone', () => {
    const { clusters, notCompared } = namedClusters(scenario());
    expect([...clusters.keys()]).toEqual(['web']);
    expect(notCompared.map(({ what }) => what)).toEqual(['DNS of checked']);
    expect(namedClusters(withIpv6()).clusters.size).toBe(0);
  });

  it('have every address that a name is ever answered, and names to look up', () => {
    const told = scenario();
    const { clusters } = namedClusters(told);
    expect([...namedAddresses(told, clusters.values())]).toEqual([
      '10.0.0.1:80',
      '10.0.0.2:80',
      '10.0.0.3:80',
      '10.0.0.9:81',
    ]);
    expect([...clusters.values()].map(namesIn)).toEqual([['A.test']]);
  });

  it.each([
    [0, { addresses: ['127.1.0.1', '127.1.0.2'], ttlUs: undefined }],
    [10, { fail: true }],
    [20, { addresses: ['127.1.0.3'], ttlUs: undefined }],
    [25, undefined],
    [30, { addresses: ['127.1.0.3'], ttlUs: undefined }],
    [45, { addresses: ['127.1.0.3'], ttlUs: undefined }],
  ])('are answered at %d s as the timeline says', (second, expected) => {
    const answers = answersAtLoopback(answersAt(scenario(), second * 1e6), loopback);
    expect(answers.get('a.test')).toEqual(expected);
  });

  it('keep their names at ports of loopback', () => {
    const web = namedClusters(scenario()).clusters.get('web');
    if (web === undefined) throw new Error('no cluster');
    const message = namedMessage(web, loopback);
    expect(message).toMatchObject({ type: 'STRICT_DNS', dns_refresh_rate: '0.05s' });
    const text = JSON.stringify(message);
    expect(text).toContain('envoy.extensions.load_balancing_policies.');
    expect(text).toContain('{"address":"A.test","port_value":9080}');
    expect(text).toContain('{"address":"127.1.0.9","port_value":9081}');
  });

  it('have keys that nobody owns where all addresses of a name are hashed alike', () => {
    const told = scenario();
    const [web] = told.clusters;
    if (web === undefined) throw new Error('no cluster');
    expect(hasHostsOfOneKey(told, web)).toBe(false);
    const byName = { ...web, commonLbConfig: { consistentHashingLbConfig: { useHostnameForHashing: true } } };
    const other = { ...told, clusters: [byName] } as unknown as Scenario;
    expect(hasHostsOfOneKey(other, byName as unknown as typeof web)).toBe(true);
  });
});

function withIpv6(): Scenario {
  const told = scenario();
  return { ...told, dns: new Map([['a.test', { addresses: ['2001:db8::1'], ttlUs: undefined }]]) };
}
