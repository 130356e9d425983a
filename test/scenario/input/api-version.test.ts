import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../../src/scenario/load.js';

const ENDPOINT = 'endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}';

function cluster(fields: string, ofHost = 'health_status: HEALTHY'): string {
  const hosts = `[{lb_endpoints: [{${ENDPOINT}, ${ofHost}}]}]`;
  return `static_resources:\n  clusters: [{name: a, connect_timeout: 1s, load_assignment: {cluster_name: a, endpoints: ${hosts}}, ${fields}}]\n`;
}

/** What a file is read as, and what in it says so. */
function readAs(text: string): string | undefined {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text });
  if (scenario === undefined) return problems.map(({ message }) => message).join('\n');
  return scenario.origin.says.find((one) => one.startsWith('read as'));
}

describe('a file that says of itself neither v2 nor v3', () => {
  it.each([
    ['circuit_breakers: {per_host_thresholds: [{max_connections: 1}]}', 'per_host_thresholds'],
    ['circuitBreakers: {perHostThresholds: [{maxConnections: 1}]}', 'perHostThresholds'],
    ['wait_for_warm_on_init: true', 'wait_for_warm_on_init'],
    ['ignore_health_on_host_removal: true', 'ignore_health_on_host_removal'],
    ['round_robin_lb_config: {slow_start_config: {slow_start_window: 60s}}', 'round_robin_lb_config'],
    ['leastRequestLbConfig: {slowStartConfig: {slowStartWindow: 60s}}', 'slowStartConfig'],
  ])('is v3 where a field is of v3 alone: %s', (fields, name) => {
    expect(readAs(cluster(fields))).toBe(`read as v3 (field ${name})`);
  });

  it.each([
    ['hosts: [{socket_address: {address: 10.0.0.1, port_value: 80}}]', 'field hosts'],
    ['tls_context: {}', 'field tls_context'],
    ['drain_connections_on_host_removal: true', 'field drain_connections_on_host_removal'],
    ['drainConnectionsOnHostRemoval: true', 'field drainConnectionsOnHostRemoval'],
    ['transport_socket: {name: envoy.transport_sockets.tls, config: {}}', 'field config'],
    ['tlsContext: {}', 'field tlsContext'],
  ])('is v2 where only v2 has it: %s', (fields, by) => {
    expect(readAs(cluster(fields))).toBe(`read as v2 (${by})`);
  });

  it('is v3 where a name is one of a user', () => {
    expect(readAs(cluster('', 'metadata: {filter_metadata: {envoy.lb: {additional_addresses: "a"}}}'))).toBe(
      'read as v3 (nothing in it says v2)',
    );
  });
});

it('a scenario may have fields that came after v2 in clusters of v2', () => {
  const text = `clusters: [{name: a, lb_policy: MAGLEV, maglev_lb_config: {table_size: 11}}]\nendpoints: {a: [10.0.0.1:80]}\n`;
  expect(readAs(text)).toBeUndefined();
  expect(loadScenario({ file: 'a.yaml', text }).scenario?.proxies[0]?.version).toBe('1.17');
});

it('a scenario’s own words say nothing of its clusters', () => {
  const text =
    'clusters: [{name: a, drain_connections_on_host_removal: true}]\nendpoints: {a: [10.0.0.1:80]}\nworkloads: [{cluster: a, arrivals: {constant: 1/s}, stop: 1s, retry_policy: {retry_on: 5xx, rate_limited_retry_back_off: {reset_headers: [{name: a}]}}}]\n';
  const { problems } = loadScenario({ file: 'a.yaml', text });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

it('a field of v3 in a file of v2 is refused with the way to read it', () => {
  const text = `api: v2\nclusters: [{name: a, load_assignment: {cluster_name: a, endpoints: [{load_balancer_endpoints: {}}]}}]\n`;
  const { problems } = loadScenario({ file: 'a.yaml', text });
  expect(problems.map(({ message }) => message)).toContain(
    'load_balancer_endpoints is not a field of endpoint.LocalityLbEndpoints: v3 has it; `--api v3`, or `api: v3` in a scenario, reads the file so',
  );
});
