import { describe, expect, it } from 'vitest';
import { loadScenarioValue } from '../../src/scenario/load.js';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const typed = { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' };

function findings(parts: { http?: object; listener?: object; cluster?: object; root?: object }, forStart = true) {
  const hcm = { '@type': HCM, http_filters: [{ name: 'r', typed_config: typed }], ...parts.http };
  const listener = { filter_chains: [{ filters: [{ name: 'h', typed_config: hcm }] }], ...parts.listener };
  const load_assignment = {
    cluster_name: 'c',
    endpoints: [
      { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }] },
    ],
  };
  const clusters = [{ name: 'c', connect_timeout: '1s', load_assignment, ...parts.cluster }];
  const bootstrap = { static_resources: { listeners: [listener], clusters }, ...parts.root };
  const { scenario, problems } = loadScenarioValue(bootstrap, 'f', { forStart });
  const found = problems.filter(({ rule }) => rule === 'extension-config');
  return { runs: scenario !== undefined, found: found.map(({ severity, path }) => `${severity} ${path}`) };
}

const named = (name: string): object => ({ name });
const MANAGER = 'static_resources.listeners[0].filter_chains[0].filters[0].typed_config';

/** Each asked of a proxy 1.40.0 with `--mode validate`. */
describe('an extension of v3 that only has a name', () => {
  it.each<[string, Parameters<typeof findings>[0], string]>([
    [
      'an HTTP filter',
      { http: { http_filters: [named('envoy.filters.http.router')] } },
      `${MANAGER}.http_filters[0].name`,
    ],
    ['a disabled one', { http: { httpFilters: [{ name: 'x', disabled: true }] } }, `${MANAGER}.httpFilters[0].name`],
    [
      'an access log',
      { http: { access_log: [named('envoy.access_loggers.stdout')] } },
      `${MANAGER}.access_log[0].name`,
    ],
    [
      'a tracer',
      { http: { tracing: { provider: named('envoy.tracers.zipkin') } } },
      `${MANAGER}.tracing.provider.name`,
    ],
    [
      'a listener filter',
      { listener: { listener_filters: [{ name: 'envoy.filters.listener.tls_inspector', typed_config: {} }] } },
      'static_resources.listeners[0].listener_filters[0].name',
    ],
    [
      'a filter of a cluster',
      { cluster: { filters: [named('envoy.filters.network.upstream_codec')] } },
      'static_resources.clusters[0].filters[0].name',
    ],
    [
      'a resource monitor',
      { root: { overload_manager: { resource_monitors: [named('m')] } } },
      'overload_manager.resource_monitors[0].name',
    ],
  ])('%s refuses the proxy, and is a warning for a run', (_, parts, path) => {
    expect(findings(parts)).toEqual({ runs: false, found: [`error ${path}`] });
    expect(findings(parts, false)).toEqual({ runs: true, found: [`warning ${path}`] });
  });

  it.each([
    ['with its type', {}],
    ['optional', { http: { http_filters: [{ name: 'envoy.filters.http.cors', is_optional: true }] } }],
    ['sent later', { http: { http_filters: [{ name: 'x', config_discovery: {} }] } }],
  ])('but not one that is %s', (_, parts) => {
    expect(findings(parts)).toEqual({ runs: true, found: [] });
  });

  it('is told once for each name', () => {
    const filters = { http_filters: [named('a'), named('b'), named('a')] };
    expect(findings({ http: filters }).found).toHaveLength(2);
  });

  it('is known to a running proxy, whose dump may be of another release', () => {
    const address = { socket_address: { address: '10.0.0.1', port_value: 80 } };
    const cluster = {
      '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
      ...{ name: 'c', type: 'STATIC', connect_timeout: '1s' },
      load_assignment: { cluster_name: 'c', endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
      transport_socket_matches: [
        { name: 'm', match: {}, transport_socket: named('envoy.transport_sockets.raw_buffer') },
      ],
    };
    const part = {
      '@type': 'type.googleapis.com/envoy.admin.v3.ClustersConfigDump',
      dynamic_active_clusters: [{ cluster }],
    };
    const { scenario, problems } = loadScenarioValue({ configs: [part] }, 'f', { forStart: true });
    expect(scenario).toBeDefined();
    expect(problems).toContainEqual(expect.objectContaining({ severity: 'warning', rule: 'extension-config' }));
  });
});
