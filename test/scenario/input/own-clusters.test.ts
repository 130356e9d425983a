import { expect, it } from 'vitest';
import { loadScenario } from '../../../src/scenario/load.js';

const cluster = (name: string, port = 80, more = ''): string =>
  `  - {name: ${name}, connect_timeout: 1s, ${more} load_assignment: {cluster_name: ${name}, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: ${port}}}}}]}]}}\n`;

const service = (name: string): string => `grpc_services: [{envoy_grpc: {cluster_name: ${name}}}]`;

/** Each cluster but `web` is one that the proxy needs. */
const BOOTSTRAP = `
admin: {address: {socket_address: {address: 127.0.0.1, port_value: 9901}}}
dynamic_resources: {ads_config: {api_type: GRPC, transport_api_version: V3, ${service('xds')}}}
stats_sinks: [{name: s, typed_config: {"@type": type.googleapis.com/envoy.config.metrics.v3.StatsdSink, tcp_cluster_name: statsd}}]
cluster_manager: {load_stats_config: {api_type: GRPC, transport_api_version: V3, ${service('lrs')}}}
static_resources:
  listeners:
  - filter_chains: [{filters: [{name: hcm, typed_config: {
      "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, stat_prefix: in,
      tracing: {provider: {name: z, typed_config: {"@type": type.googleapis.com/envoy.config.trace.v3.ZipkinConfig, collector_cluster: zipkin, collector_endpoint: /}}}, ROUTES}}]}]
  clusters:
${cluster('xds')}${cluster('statsd')}${cluster('lrs')}${cluster('zipkin')}${cluster('admin', 9901)}${cluster('web')}`;

function targetsOf(
  text: string,
  clusters?: readonly string[],
): { targets: readonly string[]; says: readonly string[] } {
  const { scenario, problems } = loadScenario({ file: 'own.yaml', text }, { clusters });
  if (scenario === undefined) throw new Error(JSON.stringify(problems));
  const targets = scenario.workloads.flatMap(({ route }) => route.map((one) => one.cluster));
  return { targets, says: scenario.origin.says.filter((one) => one.startsWith('no user')) };
}

const PLAIN = BOOTSTRAP.replace('ROUTES', 'route_config: {}');
const WITHOUT_SINK = PLAIN.replace(/stats_sinks.*\n/, '');

it('clusters that the proxy needs for itself get no requests of users', () => {
  expect(targetsOf(PLAIN)).toEqual({
    targets: ['web'],
    says: [
      "no user's requests go to xds (its configuration), statsd (statistics), lrs (reports of load), zipkin (traces), admin (its admin page): the proxy needs them for itself; --cluster sends some",
    ],
  });
});

it('they do where they are asked for, or are all that there is', () => {
  expect(targetsOf(WITHOUT_SINK, ['xds', 'web'])).toEqual({ targets: ['xds', 'web'], says: [] });
  const alone = PLAIN.replace(cluster('web'), '');
  expect(targetsOf(alone)).toEqual({ targets: ['xds', 'statsd', 'lrs', 'zipkin', 'admin'], says: [] });
});

it('they do where a route leads to them', () => {
  const routes =
    'route_config: {virtual_hosts: [{name: all, domains: ["*"], routes: [{match: {prefix: /}, route: {cluster: admin}}]}]}';
  const { targets, says } = targetsOf(BOOTSTRAP.replace('ROUTES', routes));
  expect(targets).toEqual(['admin', 'web']);
  expect(says[0]).not.toContain('admin');
});
