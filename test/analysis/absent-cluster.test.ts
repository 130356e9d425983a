import { expect, it } from 'vitest';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { loadScenario } from '../../src/scenario/load.js';

/** Of a route half of the requests go to a cluster that is in no file. */
const FILES = `
static_resources:
  listeners:
  - filter_chains: [{filters: [{name: hcm, typed_config: {
      "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager,
      stat_prefix: in, http_filters: [{name: r, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}], route_config: {validate_clusters: false, virtual_hosts: [{name: all, domains: ["*"], routes: [
      {match: {prefix: /}, route: {weighted_clusters: {clusters: [{name: web, weight: 1}, {name: gone, weight: 1}]}}}]}]}}}]}]
  clusters:
  - {name: web, connect_timeout: 1s, load_assignment: {cluster_name: web, endpoints: [{lb_endpoints: [
      {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}}
`;

it('a run with expected shares goes on where a route leads to a cluster that is in no file', async () => {
  const { scenario } = loadScenario({ file: 'routes.yaml', text: FILES });
  if (scenario === undefined) throw new Error('it is a scenario');
  expect(scenario.absentClusters.map(({ name }) => name)).toEqual(['gone']);
  const { clusters, totals } = await runScenario(scenario, { predict: true });
  expect(clusters.web?.hosts[0]?.predicted_share).toBe(1);
  // Results are built when they are read.
  expect(clusters.gone?.hosts).toEqual([]);
  expect(totals.failed).toBeGreaterThan(0.4 * totals.requests);
});
