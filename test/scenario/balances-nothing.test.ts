import { describe, expect, it } from 'vitest';
import type { LoadOptions } from '../../src/scenario/generated/load-options.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Problem } from '../../src/core/problem.js';
import { unsupportedFeatures } from '../../src/analysis/run/unsupported.js';

/** What a configuration has beside its clusters keeps none of them from being simulated. */

const CLUSTERS = 'static_resources: {clusters: [{name: a, load_assignment: {cluster_name: a}}]}\n';

function problems(text: string, options: LoadOptions = {}): readonly Pick<Problem, 'severity' | 'path' | 'rule'>[] {
  return loadScenario({ file: 'a.yaml', text: `${CLUSTERS}${text}` }, options).problems.map(
    ({ severity, path, rule }) => ({ severity, path, rule }),
  );
}

describe('a sink of another kind', () => {
  const sink = (name: string, type: string): string =>
    `stats_sinks: [{name: ${name}, typed_config: {"@type": type.googleapis.com/${type}}}]\n`;
  const service = 'grpc_service: {envoy_grpc: {cluster_name: a}}';

  it.each([
    ['envoy.metrics_service', 'envoy.config.metrics.v2.MetricsServiceConfig'],
    ['envoy.stat_sinks.metrics_service', 'envoy.config.metrics.v3.MetricsServiceConfig'],
    ['envoy.stat_sinks.open_telemetry', 'envoy.extensions.stat_sinks.open_telemetry.v3.SinkConfig'],
    ['my-sink', 'envoy.extensions.stat_sinks.open_telemetry.v3.SinkConfig'],
  ])('is told: %s', (name, type) => {
    const text = sink(name, type).replace('}}]', `, ${service}}}]`);
    const found = problems(text);
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(found).toContainEqual({ severity: 'warning', path: 'stats_sinks[0].name', rule: 'not-simulated' });
  });

  it('is known by its type in v3', () => {
    const type = 'envoy.config.metrics.v3.StatsdSink';
    const text = sink('mine', type).replace(
      '}}]',
      ', address: {socket_address: {address: 10.0.0.1, port_value: 1}}}}]',
    );
    expect(problems(text).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('is an error if nobody knows it', () => {
    expect(problems(sink('proxy.stat_sinks.statd', 'google.protobuf.Struct'))).toContainEqual({
      severity: 'error',
      path: 'stats_sinks[0].name',
      rule: 'sink-name',
    });
  });
});

describe('a cluster of a type that is not simulated', () => {
  const type = 'type.googleapis.com/envoy.extensions.clusters.dynamic_forward_proxy.v3.ClusterConfig';
  const forward = `{name: forward, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.dynamic_forward_proxy, typed_config: {"@type": ${type}, dns_cache_config: {name: a}}}}`;
  const host = '{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}';
  const text = `static_resources: {clusters: [${forward}, {name: a, load_assignment: {cluster_name: a, endpoints: [{lb_endpoints: [${host}]}]}}]}`;

  it('is a warning, and gets no requests', () => {
    const { scenario, problems: found } = loadScenario({ file: 'a.yaml', text });
    expect(found.flatMap(({ severity, rule }) => (severity === 'note' ? [] : [`${severity} ${rule}`]))).toEqual([
      'warning cluster-type',
    ]);
    expect(scenario?.workloads.map(({ name }) => name)).toEqual(['a']);
    expect(scenario && unsupportedFeatures(scenario)).toEqual([]);
  });
});

describe('a copy of requests', () => {
  it('may go to a cluster that a header names', () => {
    const route = '{cluster: a, request_mirror_policies: [{cluster_header: x-shadow}]}';
    const routes = `{name: v, domains: ["*"], routes: [{match: {prefix: /}, route: ${route}}]}`;
    const type =
      'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
    const manager = `{"@type": ${type}, stat_prefix: s, route_config: {virtual_hosts: [${routes}]}}`;
    const listener = `{name: l, filter_chains: [{filters: [{name: f, typed_config: ${manager}}]}]}`;
    const text = `static_resources: {clusters: [{name: a}], listeners: [${listener}]}\n`;
    const { problems: found } = loadScenario({ file: 'a.yaml', text });
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('an EDS cluster that says nothing of where its hosts come from', () => {
  it.each([
    ['v2', '{ads: {}}'],
    ['v3', '{ads: {}, resource_api_version: V3}'],
  ] as const)('is told the two lines to add: %s', (api, source) => {
    const [problem, ...others] = loadScenario({ file: 'a.yaml', text: '{name: a, type: EDS}' }, { api }).problems;
    expect(others).toEqual([]);
    const [, ...lines] = (problem?.message ?? '').split('\n');
    expect(lines).toEqual(['  eds_cluster_config:', `    eds_config: ${source}`]);
    const text = `name: a\ntype: EDS\n${lines.map((line) => line.slice(2)).join('\n')}\n`;
    expect(loadScenario({ file: 'a.yaml', text }, { api }).scenario?.origin.unknownHosts).toEqual(['a']);
  });
});

describe('a tag that takes more than linear time', () => {
  const tags = 'stats_config: {stats_tags: [{tag_name: a, regex: "^a(b)"}, {tag_name: c, regex: "^a(?=b)(c)"}]}\n';

  it('is left out, where no statistics are asked for', () => {
    expect(problems(tags, { statistics: false })).toEqual([
      { severity: 'warning', path: 'stats_config.stats_tags[1].regex', rule: 'costly-tag' },
    ]);
    const { scenario } = loadScenario({ file: 'a.yaml', text: `${CLUSTERS}${tags}` }, { statistics: false });
    expect(scenario?.proxies[0]?.statsConfig?.statsTags.map(({ tagName }) => tagName)).toEqual(['a']);
  });

  it('stays, where they are', () => {
    const { scenario } = loadScenario({ file: 'a.yaml', text: `${CLUSTERS}${tags}` });
    expect(scenario?.proxies[0]?.statsConfig?.statsTags).toHaveLength(2);
  });
});

describe('default traffic', () => {
  it('is no more to many clusters than to ten, and less to more than a hundred', () => {
    const of = (count: number): unknown => {
      const clusters = Array.from({ length: count }, (_, index) => `{name: c${index}}`).join(', ');
      const { scenario } = loadScenario({ file: 'a.yaml', text: `static_resources: {clusters: [${clusters}]}` });
      return scenario?.workloads[0]?.arrivals;
    };
    expect(of(1)).toEqual({ kind: 'poisson', perSecond: 1000 });
    expect(of(10)).toEqual({ kind: 'poisson', perSecond: 1000 });
    expect(of(100)).toEqual({ kind: 'poisson', perSecond: 100 });
    expect(of(101)).toEqual({ kind: 'poisson', perSecond: 19 });
    expect(of(2000)).toEqual({ kind: 'poisson', perSecond: 1 });
    expect(of(3000)).toEqual({ kind: 'poisson', perSecond: 1 });
  });
});
