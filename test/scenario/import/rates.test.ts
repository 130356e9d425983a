import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../../src/scenario/generated/load-options.js';
import { importScenario } from '../../../src/scenario/import/import.js';
import { loadScenario } from '../../../src/scenario/load.js';

const CLUSTERS = {
  file: 'clusters.json',
  text: JSON.stringify(
    ['a', 'b', 'c:1'].map((name) => ({
      name,
      connect_timeout: '1s',
      lb_policy: name === 'b' ? 'MAGLEV' : 'ROUND_ROBIN',
      load_assignment: {
        cluster_name: name,
        endpoints: [
          { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }] },
        ],
      },
    })),
  ),
};

type Counters = Readonly<Record<string, number>>;
const json = (file: string, counters: Counters): { file: string; text: string } => ({
  file,
  text: JSON.stringify({ stats: Object.entries(counters).map(([name, value]) => ({ name, value })) }),
});
const lines = (file: string, counters: Counters): { file: string; text: string } => ({
  file,
  text: Object.entries(counters)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join(''),
});
const OLD = {
  'cluster.a.upstream_rq_total': 100,
  'cluster.b.upstream_rq_total': 5,
  'cluster.c_1.upstream_rq_total': 7,
};
const NEW = {
  'cluster.a.upstream_rq_total': 700,
  'cluster.a.upstream_rq_retry': 60,
  'cluster.b.upstream_rq_total': 6,
  'cluster.c_1.upstream_rq_total': 7,
};

function workloads(pages: readonly { file: string; text: string }[], options: ImportOptions): string {
  const { text = '', problems } = importScenario([CLUSTERS, ...pages], options);
  expect(problems).toEqual([]);
  return text.slice(text.indexOf('workloads:'));
}

describe('the rates of workloads', () => {
  it('are what two pages differ by, retries taken off', () => {
    const found = workloads([json('1.json', OLD), json('2.json', NEW)], { statsInterval: '60s' });
    expect(found).toContain('  - {name: a, cluster: a, arrivals: 9/s, stop: 60s}  # 540 requests, and 60 retries\n');
    expect(found).toContain('arrivals: 0.0166667/s');
    expect(found).toContain('# no requests: c:1\n');
  });

  it('are told the time between them by the proxy itself', () => {
    const pages = [
      lines('1.txt', { ...OLD, 'server.uptime': 1000 }),
      lines('2.txt', { ...NEW, 'server.uptime': 1030 }),
    ];
    expect(workloads(pages, {})).toContain('arrivals: 18/s');
  });

  it('are a mean since the start where there is one page', () => {
    expect(workloads([json('1.json', { ...NEW, 'server.uptime': 320 })], {})).toContain('arrivals: 2/s');
    expect(workloads([json('1.json', { ...NEW, 'server.uptime': 320 })], { uptime: '64s' })).toContain(
      'arrivals: 10/s',
    );
  });

  it('are those that hosts count where the cluster has no statistic', () => {
    const hosts = { 'cluster.a.endpoint.10.0.0.1_80.rq_total': 50, 'cluster.a.endpoint.10.0.0.2_80.rq_total': 70 };
    expect(workloads([lines('1.txt', { ...hosts, 'server.uptime': 10 })], {})).toContain('arrivals: 12/s');
    const series = ['1', '2'].map(
      (host) =>
        `envoy_cluster_endpoint_rq_total{envoy_cluster_name="a",envoy_endpoint_address="10.0.0.${host}:80"} 60\n`,
    );
    const text = `# TYPE envoy_cluster_endpoint_rq_total counter\n${series.join('')}`;
    expect(workloads([{ file: 'prometheus.txt', text }], { uptime: '10s' })).toContain('arrivals: 12/s');
  });

  it('are those of /clusters where /stats has none, as old as the page beside it', () => {
    const status = (name: string, requests: string): object => ({
      name,
      observability_name: name,
      host_statuses: [
        {
          address: { socket_address: { address: '10.0.0.1', port_value: 80 } },
          stats: [{ name: 'rq_total', value: requests }],
        },
      ],
    });
    const asJson = { cluster_statuses: [status('a', '90'), status('c:1', '30')] };
    const asText = 'a::observability_name::a\na::10.0.0.1:80::rq_total::90\nc:1::10.0.0.1:80::rq_total::30\n';
    const info = { file: 'server_info.json', text: '{"version": "1.40.0", "uptime_current_epoch": "30s"}' };
    for (const text of [JSON.stringify(asJson), asText]) {
      const status = { file: 'status', text };
      const found = workloads([status, info], {});
      expect(found).toContain('{name: a, cluster: a, arrivals: 3/s, stop: 60s}  # 90 requests');
      expect(found).toContain('cluster: c:1, arrivals: 1/s');
      expect(workloads([status], { uptime: '10s' })).toContain('arrivals: 9/s');
      expect(workloads([status, json('s.json', { ...NEW, 'server.uptime': 320 })], {})).toContain('arrivals: 2/s');
      const { scenario, problems } = loadScenario([CLUSTERS, status, info]);
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(scenario?.workloads.map((one) => [one.name, one.arrivals])).toEqual([
        ['a', { kind: 'poisson', perSecond: 3 }],
        ['c:1', { kind: 'poisson', perSecond: 1 }],
      ]);
      const alone = loadScenario([CLUSTERS, status]).scenario?.workloads ?? [];
      expect(alone.map(({ name }) => name)).toEqual(['a', 'b', 'c:1']);
    }
  });

  it('are not known of clusters whose counters began anew', () => {
    const found = workloads(
      [
        json('1.json', NEW),
        json('2.json', { ...NEW, 'cluster.b.upstream_rq_total': 1, 'cluster.a.upstream_rq_total': 710 }),
      ],
      {
        statsInterval: '10s',
      },
    );
    expect(found).toContain('# counters were reset between the pages: b\n');
    expect(found).toContain('arrivals: 1/s');
  });

  it('ask of subsets and of hashes what the routes ask', () => {
    const route = (metadata: object | undefined, more: object = {}): object => ({
      match: { prefix: '/' },
      route: {
        cluster: 'b',
        ...(metadata === undefined ? {} : { metadata_match: { filter_metadata: { 'envoy.lb': metadata } } }),
        ...more,
      },
    });
    const routes = {
      file: 'routes.json',
      text: JSON.stringify({
        name: 'r',
        virtual_hosts: [
          {
            name: 'v',
            domains: ['*'],
            routes: [route({ stage: 'prod' }), route(undefined, { hash_policy: [{ header: { header_name: 'x' } }] })],
          },
        ],
      }),
    };
    const found = workloads([routes, json('1.json', NEW)], { uptime: '6s' });
    expect(found).toContain(
      '  - {name: b, cluster: b, metadata_match: {stage: prod}, arrivals: 0.5/s, stop: 60s}' +
        '  # 6 requests, in 2 equal parts: what each route sent is not known\n',
    );
    expect(found).toContain('  - {name: b-2, cluster: b, arrivals: 0.5/s, stop: 60s, hash_key: {sequence: ');
  });

  it('wait and are retried as the routes say, with and without a page, and read again as the same', () => {
    const retry_policy = {
      retry_on: '5xx',
      num_retries: 3,
      per_try_timeout: '0.250s',
      retry_host_predicate: [
        { name: 'envoy.retry_host_predicates.previous_hosts' },
        {
          name: 'any',
          typed_config: {
            '@type': 'type.googleapis.com/envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig',
            metadata_match: { filter_metadata: { 'envoy.lb': { stage: 'old' } } },
          },
        },
      ],
      host_selection_retry_max_attempts: 4,
      rate_limited_retry_back_off: { reset_headers: [{ name: 'retry-after', format: 'SECONDS' }], max_interval: '9s' },
    };
    const route = { cluster: 'b', timeout: '0s', priority: 'HIGH', retry_policy };
    const virtual_hosts = [{ name: 'v', domains: ['*'], routes: [{ match: { prefix: '/' }, route }] }];
    const routes = { file: 'routes.json', text: JSON.stringify({ name: 'r', virtual_hosts }) };
    for (const pages of [[], [json('1.json', NEW)]]) {
      const { text = '' } = importScenario([CLUSTERS, routes, ...pages], pages.length === 0 ? {} : { uptime: '6s' });
      const { scenario } = loadScenario({ file: 'again.yaml', text });
      const again = scenario?.workloads.find(({ name }) => name === 'b' || name === 'v-1');
      expect(again).toMatchObject({ timeoutUs: 0, priority: 'HIGH' });
      expect(again?.retryPolicy).toMatchObject({
        retryOn: ['5xx'],
        numRetries: 3,
        perTryTimeoutUs: 250_000,
        retryHostPredicate: [
          { kind: 'previous_hosts' },
          { kind: 'omit_host_metadata', metadataMatch: { stage: 'old' } },
        ],
        hostSelectionRetryMaxAttempts: 4,
        rateLimitedBackOff: { headers: ['retry-after'], maxIntervalUs: 9_000_000 },
      });
    }
  });

  it('are hedged and mirrored as the routes say; what the proxy asks for itself is told', () => {
    const hedge_policy = { hedge_on_per_try_timeout: true };
    const route = { cluster: 'b', hedge_policy, request_mirror_policies: [{ cluster: 'c:1' }] };
    const virtual_hosts = [{ name: 'v', domains: ['*'], routes: [{ match: { prefix: '/' }, route }] }];
    const xds = { api_config_source: { api_type: 'GRPC', grpc_services: [{ envoy_grpc: { cluster_name: 'a' } }] } };
    const files = [
      { file: 'routes.json', text: JSON.stringify({ name: 'r', virtual_hosts }) },
      { file: 'bootstrap.json', text: JSON.stringify({ dynamic_resources: { cds_config: xds } }) },
    ];
    const found = workloads([...files, json('1.json', NEW)], { uptime: '6s' });
    expect(found).toContain('hedge_policy: {hedge_on_per_try_timeout: true}');
    expect(found).toContain('request_mirror_policies: [{cluster: c:1}]');
    expect(found).toContain('# 640 requests to a are left out: they are not of users, or it has no hosts\n');
  });

  it('end a run of many requests sooner, and one of few later', () => {
    const many = { 'cluster.a.upstream_rq_total': 6_000_000 };
    expect(workloads([json('1.json', many)], { uptime: '60s' })).toContain('stop: 10s');
    expect(workloads([json('1.json', { 'cluster.a.upstream_rq_total': 60 })], { uptime: '600s' })).toContain(
      'stop: 1000s',
    );
  });

  it('of Prometheus are read under any prefix, with labels as they are escaped', () => {
    const text = `# TYPE acme_cluster_upstream_rq_total counter
acme_cluster_upstream_rq_total{acme_cluster_name="a",zone="x{1}"} 120
acme_cluster_upstream_rq_total{acme_cluster_name="c_1"} 60 1700000000000
# TYPE acme_server_uptime gauge
acme_server_uptime{} 60
`;
    const found = workloads([{ file: 'prom.txt', text }], {});
    expect(found).toContain('arrivals: 2/s');
    expect(found).toContain('cluster: c:1, arrivals: 1/s');
  });

  it.each<readonly [string, readonly { file: string; text: string }[], ImportOptions, string]>([
    [
      'one page without its age',
      [json('1.json', OLD)],
      {},
      'does not say server.uptime: give its age to lbsim import (--uptime), or name a second page',
    ],
    [
      'two pages without a time',
      [json('1.json', OLD), json('2.json', NEW)],
      {},
      'need the time between them, the older page first: lbsim import has --stats-interval',
    ],
    ['an interval for one page', [json('1.json', OLD)], { statsInterval: '1s' }, 'time between two pages of /stats'],
    ['an age for two', [json('1.json', OLD), json('2.json', NEW)], { uptime: '1s' }, 'of one page of /stats'],
    ['a time without pages', [], { uptime: '1s' }, 'of one page of /stats'],
    ['a time that is none', [json('1.json', OLD)], { uptime: 'soon' }, '"soon"'],
    ['no time at all', [json('1.json', OLD)], { uptime: '0s' }, 'longer than 0'],
    [
      'three pages',
      [json('1.json', OLD), json('2.json', NEW), json('3.json', NEW)],
      { statsInterval: '1s' },
      'there are 3 pages',
    ],
  ])('are refused for %s', (_, pages, options, words) => {
    const { text, problems } = importScenario([CLUSTERS, ...pages], options);
    expect(text).toBeUndefined();
    expect(problems.map(({ message }) => message).join('\n')).toContain(words);
  });

  it('need clusters to be of', () => {
    const { problems } = importScenario([json('1.json', OLD)], { uptime: '1s' });
    expect(problems.map(({ message }) => message)).toEqual([
      'there is no cluster in pages of /stats: name the configuration, too',
    ]);
  });
});

it('of an aggregate are those that its members count, if nothing else leads there', () => {
  const config = {
    '@type': 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig',
    clusters: ['a', 'b'],
  };
  const all = {
    name: 'all',
    connect_timeout: '1s',
    lb_policy: 'CLUSTER_PROVIDED',
    cluster_type: { name: 'envoy.clusters.aggregate', typed_config: config },
  };
  const parts = { file: 'all.json', text: JSON.stringify([all]) };
  const count = (routes: readonly object[]): string => {
    const table = { name: 'r', virtual_hosts: [{ name: 'v', domains: ['*'], routes }] };
    const files = [parts, ...(routes.length === 0 ? [] : [{ file: 'r.json', text: JSON.stringify(table) }])];
    const { text = '' } = importScenario([CLUSTERS, ...files, json('1.json', OLD)], { uptime: '10s' });
    return text.slice(text.indexOf('workloads:'));
  };
  const whole = count([]);
  expect(whole).toMatch(/name: all {2}# 105 requests\n +cluster: all\n +arrivals: 10\.5\/s\n/);
  expect(whole).not.toMatch(/cluster: [ab]\b|no requests/);
  const direct = count([
    { match: { prefix: '/a' }, route: { cluster: 'a' } },
    { match: { prefix: '/' }, route: { cluster: 'all' } },
  ]);
  expect(direct).toContain('cluster: a, arrivals: 10/s');
  expect(direct).toContain('cluster: all, arrivals: 0.5/s');
});
