import { describe, expect, it } from 'vitest';
import type { LoadOptions } from '../../../src/scenario/generated/load-options.js';
import { loadScenario } from '../../../src/scenario/load.js';

/** Whatever a configuration comes in: the same cluster with the same hosts. */

const ENDPOINTS = {
  endpoints: [
    {
      locality: { zone: 'a' },
      lb_endpoints: [1, 2].map((last) => ({
        endpoint: { address: { socket_address: { address: `10.0.0.${last}`, port_value: 80 } } },
      })),
    },
  ],
};
const TYPE = 'type.googleapis.com/envoy.config';
const ASSIGNMENT = { '@type': `${TYPE}.endpoint.v3.ClusterLoadAssignment`, cluster_name: 'backend', ...ENDPOINTS };
const DISCOVERED = {
  '@type': `${TYPE}.cluster.v3.Cluster`,
  name: 'backend',
  type: 'EDS',
  lb_policy: 'RANDOM',
  eds_cluster_config: { eds_config: { ads: {}, resource_api_version: 'V3' } },
};
const STATIC = { name: 'backend', lb_policy: 'RANDOM', load_assignment: { cluster_name: 'backend', ...ENDPOINTS } };
const DUMP = {
  configs: [
    {
      '@type': 'type.googleapis.com/envoy.admin.v3.ClustersConfigDump',
      dynamic_active_clusters: [{ cluster: DISCOVERED }],
    },
    {
      '@type': 'type.googleapis.com/envoy.admin.v3.EndpointsConfigDump',
      dynamic_endpoint_configs: [{ endpoint_config: ASSIGNMENT }],
    },
  ],
};

function inputs(...values: readonly unknown[]): { readonly file: string; readonly text: string }[] {
  return values.map((value, index) => ({ file: `${index}.json`, text: JSON.stringify(value) }));
}

function hostsOf(...values: readonly unknown[]): unknown {
  const { scenario, problems } = loadScenario(inputs(...values));
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [cluster, ...others] = scenario?.clusters ?? [];
  expect(others).toEqual([]);
  expect(cluster).toMatchObject({ name: 'backend', lbPolicy: 'RANDOM' });
  const assignment = cluster?.loadAssignment ?? scenario?.assignments.get('backend');
  return assignment?.endpoints.map(({ lbEndpoints }) =>
    lbEndpoints.map(({ endpoint, healthStatus }) => `${endpoint.address.socketAddress?.address ?? ''} ${healthStatus}`),
  );
}

const BOTH = [['10.0.0.1 UNKNOWN', '10.0.0.2 UNKNOWN']];

describe('every outer form', () => {
  it.each([
    ['a bare cluster', [STATIC]],
    ['a bootstrap', [{ static_resources: { clusters: [STATIC] } }]],
    ['a list of clusters', [[STATIC]]],
    ['a list of clusters and one of assignments', [[DISCOVERED], [ASSIGNMENT]]],
    ['answers of a management server', [{ resources: [DISCOVERED] }, { version_info: '1', resources: [ASSIGNMENT] }]],
    ['named resources', [{ resources: [{ name: 'backend', resource: DISCOVERED }, { resource: ASSIGNMENT }] }]],
    ['a config_dump with its endpoints', [DUMP]],
    ['the same within the keys of a tool', [{ xds: { 'default/gateway': DUMP } }]],
    ['a cluster and a scenario', [[STATIC], { workloads: [{ cluster: 'backend', arrivals: '1/s', stop: '1s' }] }]],
  ])('%s', (_, values) => {
    expect(hostsOf(...values)).toEqual(BOTH);
  });

  it.each<readonly [string, unknown]>([
    ['{}', {}],
    ['null', null],
    ['an empty list', []],
    ['an answer whose empty list of resources is left out', { versionInfo: '1', typeUrl: 'x/y', nonce: '1' }],
    ['an answer with null', { version_info: '1', resources: null }],
  ])('with a part that has nothing in it: %s', (_, hollow) => {
    expect(hostsOf([DISCOVERED], hollow, [ASSIGNMENT])).toEqual(BOTH);
    const { problems } = loadScenario(inputs(hollow));
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(/^there is no cluster in an? /)]);
  });

  it('many documents in one file', () => {
    const text = `${JSON.stringify(DISCOVERED)}\n---\n${JSON.stringify(ASSIGNMENT)}\n`;
    const { scenario } = loadScenario({ file: 'a.yaml', text });
    expect(scenario?.assignments.get('backend')?.endpoints).toHaveLength(1);
  });
});

describe('a page of /clusters', () => {
  const status = (address: string, health: object): object => ({
    address: { socket_address: { address, port_value: 80 } },
    health_status: health,
    weight: 1,
    locality: { zone: 'a' },
  });
  const page = {
    cluster_statuses: [
      {
        name: 'backend',
        host_statuses: [
          status('10.0.0.1', { eds_health_status: 'HEALTHY' }),
          status('10.0.0.2', { failed_active_health_check: true, eds_health_status: 'HEALTHY' }),
        ],
      },
    ],
  };

  it('says how the hosts of a dump are now', () => {
    expect(hostsOf(DUMP, page)).toEqual([['10.0.0.1 HEALTHY', '10.0.0.2 UNHEALTHY']]);
  });

  it('gives the hosts where the dump has none', () => {
    expect(hostsOf([DISCOVERED], page)).toEqual([['10.0.0.1 HEALTHY', '10.0.0.2 UNHEALTHY']]);
  });

  it('is a cluster by itself', () => {
    const { scenario } = loadScenario(inputs(page));
    expect(scenario?.clusters).toMatchObject([{ name: 'backend', lbPolicy: 'ROUND_ROBIN' }]);
  });
});

describe('what a real proxy tells', () => {
  it('has 0 for the weight of a locality without one', () => {
    const group = { ...ENDPOINTS.endpoints[0], load_balancing_weight: 0 };
    const told: unknown = JSON.parse(
      JSON.stringify(DUMP).replace(JSON.stringify(ENDPOINTS.endpoints[0]), JSON.stringify(group)),
    );
    expect(JSON.stringify(told)).toContain('"load_balancing_weight":0');
    expect(hostsOf(told)).toEqual(BOTH);
    const { problems } = loadScenario(inputs({ ...DISCOVERED }, { ...ASSIGNMENT, endpoints: [group] }));
    expect(problems.map(({ rule }) => rule)).toContain('range');
  });

  const address = (host: string): object => ({ socket_address: { address: host, port_value: 80 } });
  const named = (type: string): object => {
    const metadata = { filter_metadata: { 'envoy.lb': { version: 'v2' } } };
    const endpoints = [{ lb_endpoints: [{ endpoint: { address: address('svc.test') }, metadata }] }];
    return { name: 'backend', type, lb_policy: 'RANDOM', load_assignment: { cluster_name: 'backend', endpoints } };
  };
  const told = [
    { address: address('10.0.0.7'), hostname: 'svc.test' },
    { address: address('10.0.0.8'), hostname: 'svc.test', health_status: { eds_health_status: 'UNHEALTHY' } },
  ];
  const page = { cluster_statuses: [{ name: 'backend', host_statuses: told }] };

  it('says what names resolved to, and how it is', () => {
    expect(hostsOf([named('STRICT_DNS')], page)).toEqual([['10.0.0.7 HEALTHY', '10.0.0.8 UNHEALTHY']]);
    expect(hostsOf([named('LOGICAL_DNS')], page)).toEqual([['10.0.0.7 HEALTHY']]);
    const { scenario } = loadScenario(inputs([named('STRICT_DNS')], page));
    const [, second] = scenario?.clusters[0]?.loadAssignment?.endpoints[0]?.lbEndpoints ?? [];
    expect(second).toMatchObject({
      endpoint: { hostname: 'svc.test' },
      metadata: { filterMetadata: { 'envoy.lb': { version: 'v2' } } },
    });
  });

  it('shows what names resolved to in a dump, too', () => {
    const endpoint = { endpoint: { address: address('10.0.0.7'), hostname: 'svc.test' }, health_status: 'HEALTHY' };
    const endpoint_config = { cluster_name: 'backend', endpoints: [{ lb_endpoints: [endpoint] }] };
    const dump = {
      configs: [
        {
          '@type': `${TYPE.replace('config', 'admin.v3')}.ClustersConfigDump`,
          static_clusters: [{ cluster: named('STRICT_DNS') }],
        },
        {
          '@type': `${TYPE.replace('config', 'admin.v3')}.EndpointsConfigDump`,
          static_endpoint_configs: [{ endpoint_config }],
        },
      ],
    };
    expect(hostsOf(dump)).toEqual([['10.0.0.7 HEALTHY']]);
  });

  it('is v3 under either name of a type', () => {
    const neutral: unknown = JSON.parse(JSON.stringify(DUMP).replaceAll('envoy.', 'proxy.'));
    const { scenario } = loadScenario(inputs(neutral));
    expect(scenario?.proxies.map(({ version }) => version)).toEqual(['1.40']);
  });
});

describe('a problem in one of several files', () => {
  it('names that file, and the place in it', () => {
    const files = [
      { file: 'clusters.yaml', text: '- name: backend\n  lb_policy: RANDOM\n' },
      { file: 'endpoints.yaml', text: '- cluster_name: other\n  endpoints:\n  - priority: many\n' },
    ];
    expect(loadScenario(files).problems).toMatchObject([
      { file: 'clusters.yaml', line: 1 },
      { severity: 'error', file: 'endpoints.yaml', line: 3, column: 15 },
    ]);
  });
});

describe('what a live proxy told', () => {
  it('may have fields that are not known here', () => {
    const cluster = { ...DISCOVERED, shiny_new_field: 1 };
    const dump = { configs: [{ ...DUMP.configs[0], dynamic_active_clusters: [{ cluster }] }, DUMP.configs[1]] };
    const unknown = (values: readonly unknown[], options: LoadOptions = {}): unknown =>
      loadScenario(inputs(...values), options).problems.flatMap(({ severity, rule }) =>
        rule === 'unknown-field' ? [severity] : [],
      );
    expect(unknown([dump])).toEqual(['warning']);
    expect(unknown([{ version_info: '1', resources: [cluster] }, [ASSIGNMENT]])).toEqual(['warning']);
    expect(unknown([[cluster], [ASSIGNMENT]])).toEqual(['error']);
    expect(unknown([[cluster], [ASSIGNMENT]], { allowUnknownFields: true })).toEqual(['warning']);
  });
});

describe('a resource of a type that no API has', () => {
  const strange = { '@type': `${TYPE}.cluster.v3.Clustr`, name: 'lost' };

  it.each([
    ['bare', strange, 'resources[1]["@type"]'],
    ['with its name around it', { name: 'lost', resource: strange }, 'resources[1].resource["@type"]'],
  ])('is told beside others, %s', (_, resource, path) => {
    const { scenario, problems } = loadScenario(inputs({ resources: [DISCOVERED, resource, resource] }, [ASSIGNMENT]));
    expect(scenario?.clusters.map(({ name }) => name)).toEqual(['backend']);
    const told = problems.filter(({ rule }) => rule === 'any-type');
    expect(told).toMatchObject([
      {
        severity: 'warning',
        path,
        message: expect.stringMatching(/Clustr is no message .*mean Cluster\?.*passed over/) as string,
      },
    ]);
  });

  it('is not one of a type without clusters', () => {
    const other = { '@type': `${TYPE}.route.v3.ScopedRouteConfiguration`, name: 'a' };
    const runtime = { '@type': 'type.googleapis.com/envoy.service.runtime.v3.Runtime', name: 'b' };
    const extension = { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' };
    const { problems } = loadScenario(inputs({ resources: [DISCOVERED, other, runtime, extension] }, [ASSIGNMENT]));
    expect(problems.filter(({ rule }) => rule === 'any-type')).toEqual([]);
  });
});

describe('what another build of a proxy told', () => {
  const filter = { name: 'mesh.metadata_exchange', typed_config: { '@type': 'type.googleapis.com/mesh.Exchange' } };
  const clusters = ['backend', 'other'].map((name) => ({ ...DISCOVERED, name, filters: [filter], shiny: 1 }));
  const dump = { configs: [{ ...DUMP.configs[0], dynamic_active_clusters: clusters.map((cluster) => ({ cluster })) }] };
  const found = (value: unknown): unknown =>
    loadScenario(inputs(value), { hosts: ['*=1'] }).problems.flatMap(({ severity, rule }) =>
      severity === 'error' || severity === 'warning' ? [`${severity} ${rule}`] : [],
    );

  it('is worth one word for all clusters, and no error', () => {
    expect(found(dump)).toEqual(['warning any-type', 'warning unknown-field']);
    expect(found(clusters)).toContain('error any-type');
  });
});

describe('the API of a file', () => {
  it('is v3 by what it says of itself, and its proxy the modern one', () => {
    expect(loadScenario(inputs(DUMP)).scenario?.proxies).toMatchObject([{ version: '1.40' }]);
    expect(loadScenario(inputs(STATIC)).scenario?.proxies).toMatchObject([{ version: '1.40' }]);
    expect(loadScenario(inputs(STATIC), { api: 'v2' }).scenario?.proxies).toMatchObject([{ version: '1.17' }]);
  });
});
