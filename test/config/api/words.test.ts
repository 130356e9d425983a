import { expect, it } from 'vitest';
import { loadScenario } from '../../../src/scenario/load.js';
import { v3Fields } from '../../support/v3-fields.js';

it('every field that only v3 has is read, or says why it is not', () => {
  const fields = v3Fields();
  expect(fields.length).toBeGreaterThan(100);
  expect(fields.filter(({ isRead, isTold }) => !isRead && !isTold).map(({ id }) => id)).toEqual([]);
});

const HOST = '{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}, FIELDS}}';

/** What is said of a cluster of v3 with these fields. */
function said(fields: string, ofHost = 'hostname: a', type = 'STATIC', ofLocality = 'priority: 0'): readonly string[] {
  const endpoints = `[{${ofLocality}, lb_endpoints: [${HOST.replace('FIELDS', ofHost)}]}]`;
  const text = `api: v3\nclusters: [{name: a, type: ${type}, load_assignment: {cluster_name: a, endpoints: ${endpoints}}, ${fields}}]\n`;
  const { problems } = loadScenario({ file: 'a.yaml', text });
  return problems.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`);
}

it('what is not simulated is a warning that says what it would change', () => {
  expect(
    said(
      'preconnect_policy: {preconnect_enabled_metadata: {filter: f, path: [{key: k}], value: {present_match: true}}}',
    ),
  ).toEqual([
    'warning not-simulated: preconnect_enabled_metadata is not simulated: here connections are opened ahead to all healthy hosts',
  ]);
  expect(said('connection_pool_per_downstream_connection: false')).toEqual([]);
});

it('what changes nothing is a note that says why', () => {
  expect(said('wait_for_warm_on_init: false')).toEqual([
    'note no-effect: wait_for_warm_on_init has no effect in the simulation: a run starts at once, whatever its clusters still wait for',
  ]);
  expect(said('track_cluster_stats: {timeout_budgets: true}', 'observability_name: b')).toEqual([
    'note no-effect: observability_name has no effect in the simulation: the proxy’s own log is not simulated',
  ]);
});

it('of the thresholds of a host max_connections alone may be set', () => {
  const limits = (one: string): readonly string[] => said(`circuit_breakers: {per_host_thresholds: [${one}]}`);
  expect(limits('{max_connections: 3, track_remaining: true}')).toEqual([]);
  expect(limits('{max_requests: 3}')).toEqual(['error per-host-thresholds: Unsupported field in per_host_thresholds']);
});

it('retriable statuses are held to the limits of expected ones', () => {
  const check = (range: string): string =>
    said(
      `health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, http_health_check: {path: /, retriable_statuses: [${range}]}}]`,
    ).filter((text) => text.startsWith('error'))[0] ?? '';
  expect(check('{start: 200, end: 300}')).toBe('');
  expect(check('{start: 500, end: 500}')).toBe(
    'error expected-statuses: Invalid http retriable status range: expecting start < end, but found start=500 and end=500',
  );
  expect(check('{start: 500, end: 700}')).toMatch('Invalid http retriable status range: expecting end <= 600');
});

it('hosts in load_balancer_endpoints are none, as the proxy reads lb_endpoints alone', () => {
  expect(said('', 'hostname: a', 'STATIC', 'load_balancer_endpoints: {}').at(-1)).toBe(
    'warning load-balancer-endpoints: the proxy does not read load_balancer_endpoints: write its hosts as lb_endpoints of the locality',
  );
});

const LEDS =
  'leds_cluster_locality_config: {leds_config: {ads: {}, resource_api_version: V3}, leds_collection_name: xdstp://a/envoy.config.endpoint.v3.LbEndpoint/a/*}';

it.each([
  ['STATIC', 'error leds: LEDS is only supported when EDS is used. Static cluster a cannot use LEDS.'],
  ['STRICT_DNS', 'warning leds: a STRICT_DNS cluster ignores leds_cluster_locality_config: its hosts are lb_endpoints'],
])('LEDS under %s', (type, expected) => {
  expect(said('', 'hostname: a', type, LEDS)).toContain(expected);
});

it('hosts that LEDS has are to be written out', () => {
  const eds = '{name: a, type: EDS, eds_cluster_config: {eds_config: {ads: {}, resource_api_version: V3}}}';
  const text = `api: v3\nclusters: [${eds}]\nassignments: {a: {cluster_name: a, endpoints: [{${LEDS}}]}}\n`;
  const { problems } = loadScenario({ file: 'a.yaml', text });
  expect(problems.map(({ severity, path, message }) => `${severity} ${path}: ${message}`)).toContain(
    'warning assignments.a.endpoints[0].leds_cluster_locality_config: the hosts of this locality come from LEDS, which no file shows: it has none here; write them as lb_endpoints',
  );
});
