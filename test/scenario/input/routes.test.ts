import { describe, expect, it } from 'vitest';
import { importScenario } from '../../../src/scenario/import/import.js';
import { loadScenario } from '../../../src/scenario/load.js';
import { explain } from '../../../src/words/library.js';
import { headlineOf } from '../../../src/report/run/headline.js';
import { runScenario } from '../../../src/analysis/run/run-scenario.js';
import type { Scenario } from '../../../src/scenario/model.js';

/** Routes of the proxy's own files are the traffic of files that have no other. */

const CLUSTERS = ['a', 'b', 'ring'].map((name) => ({
  name,
  ...(name === 'ring' && { lb_policy: 'RING_HASH' }),
  load_assignment: {
    cluster_name: name,
    endpoints: [
      { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }] },
    ],
  },
}));
const DISCOVERED = { name: 'eds', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };

const weighted = (...clusters: readonly object[]): object => ({ weighted_clusters: { clusters } });
const subset = (version: string): object => ({ filter_metadata: { 'envoy.lb': { version } } });
const configuration = (...actions: readonly object[]): object => ({
  name: 'rds',
  virtual_hosts: [
    { name: 'host', domains: ['*'], routes: actions.map((route) => ({ match: { prefix: '/' }, route })) },
  ],
});

function load(...values: readonly unknown[]): Scenario {
  const inputs = values.map((value, index) => ({ file: `${index}.json`, text: JSON.stringify(value) }));
  const { scenario, problems } = loadScenario(inputs);
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

const traffic = (scenario: Scenario): unknown =>
  scenario.workloads.map(({ name, route, hashKey, metadataMatch }) => ({
    name,
    to: route.map(({ cluster, weight, metadataMatch: own }) =>
      [cluster, weight, own].filter((one) => one !== undefined),
    ),
    ...(hashKey && { keys: true }),
    ...(metadataMatch && { metadataMatch }),
  }));

const SPLIT = weighted({ name: 'a', weight: 80 }, { name: 'b', weight: 20, metadata_match: subset('2') });

describe('the routes of files', () => {
  it('are the traffic: weights, subsets, hashes; other clusters get plain requests', () => {
    const scenario = load(CLUSTERS, [configuration({ ...SPLIT, metadata_match: subset('1') })]);
    expect(traffic(scenario)).toEqual([
      {
        name: 'host-1',
        to: [
          ['a', 80, { version: '1' }],
          ['b', 20, { version: '2' }],
        ],
        metadataMatch: { version: '1' },
      },
      { name: 'ring', to: [['ring', 1]], keys: true },
    ]);
    expect(scenario.origin.says).toContain(
      'traffic follows one route of the files: weights, metadata_match and hash_policy',
    );
    expect(scenario.origin.says).toContain('the route sends 80 % to a, 20 % to b');
    expect(scenario.notes).toEqual([
      'no workloads given: 1000/s for 10 s to each of these routes and to ring, every request with a key of its own',
    ]);
  });

  it('give keys to a hash policy, or give it none', () => {
    const hash = { cluster: 'ring', hash_policy: [{ header: { header_name: 'x-user' } }] };
    const scenario = load(CLUSTERS, [configuration(hash, { cluster: 'ring' })]);
    expect(traffic(scenario)).toMatchObject([
      { name: 'host-1', keys: true },
      { name: 'host-2', to: [['ring', 1]] },
      { name: 'a' },
      { name: 'b' },
    ]);
    expect(scenario.notes).toContain(
      'host-2 has no hash_policy: each of its requests takes a random place in the table of ring',
    );
  });

  it('say where a hash is of several things, as a policy that is not terminal makes it', async () => {
    const header = { header: { header_name: 'x-tenant' } };
    const cookie = { cookie: { name: 'sid', ttl: '3600s' } };
    const source = { connection_properties: { source_ip: true }, terminal: true };
    const told = (cluster: string, ...policies: readonly object[]): readonly string[] =>
      load(CLUSTERS, [configuration({ cluster, hash_policy: policies })]).notes.filter((note) => /together/.test(note));
    const words = 'together: a key here stands for all of it, and requests that share only a part of it may go to';
    expect(told('ring', header, cookie)).toEqual([
      `host-1 hashes header x-tenant and cookie sid ${words} different hosts`,
    ]);
    expect(told('ring', header, source, cookie)[0]).toContain('header x-tenant and the address of the client together');
    expect(told('ring', { ...header, terminal: true }, cookie)).toEqual([]);
    expect(told('ring', cookie)).toEqual([]);
    expect(told('ring', header, header)).toEqual([]);
    const both = load(CLUSTERS, [configuration({ cluster: 'ring', hash_policy: [header, cookie] })]);
    expect((await explain(both, { cluster: 'ring', hashKey: 'tenant-7' })).notes[1]).toContain('cookie sid together');
    expect(told('a', header, cookie)).toEqual([]);
  });

  it('say that a key stands for what a regex_rewrite leaves of the value', () => {
    const plain = { header: { header_name: 'x-user' } };
    const rewritten = {
      header: { header_name: 'x-user', regex_rewrite: { pattern: { regex: '^(.)' }, substitution: '' } },
    };
    const told = (header: object): readonly string[] =>
      load(CLUSTERS, [configuration({ cluster: 'ring', hash_policy: [header] })]).origin.says;
    const sentence =
      'regex_rewrite of header x-user (host-1): a key here stands for what is left of the value, as it is hashed';
    expect(told(rewritten)).toContain(sentence);
    expect(told(plain)).not.toContain(sentence);
  });

  it('count once, however many prefixes lead there', () => {
    expect(traffic(load(CLUSTERS, [configuration(SPLIT, SPLIT, { cluster: 'a' })]))).toMatchObject([
      { name: 'host-1' },
      { name: 'host-3' },
      { name: 'ring' },
    ]);
  });

  it('lead nowhere without hosts', () => {
    const route = weighted({ name: 'a', weight: 1 }, { name: 'eds', weight: 1 });
    const scenario = load([...CLUSTERS, DISCOVERED], [configuration(route, { cluster: 'eds' })]);
    expect(traffic(scenario)).toMatchObject([{ to: [['a', 1]] }, { name: 'b' }, { name: 'ring' }]);
    expect(scenario.origin.says).toContain('the route sends 50 % to a, 50 % to eds; here all of it goes to a');
    // Of no cluster are hosts known: each has plain requests, which wait for hosts to be named.
    expect(traffic(load([DISCOVERED], [configuration({ cluster: 'eds' })]))).toEqual([
      { name: 'eds', to: [['eds', 1]] },
    ]);
  });

  it('fail the part of a cluster that is not in the files, and say which lead nowhere else', async () => {
    const route = weighted({ name: 'a', weight: 1 }, { name: 'gone', weight: 2 });
    const scenario = load(CLUSTERS, [configuration(route, { cluster: 'lost' })]);
    expect(scenario.notes).toContain('routes lead to clusters that are not in the files, requests to them fail: gone');
    expect(scenario.origin.says).toContain(
      'nothing is sent to routes that lead only to clusters that are not in the files: lost. A proxy without them fails every request there',
    );
    const result = await runScenario(scenario);
    const { totals, failures, clusters } = result;
    expect(failures.no_cluster).toBe(totals.failed);
    expect(clusters['gone']).toMatchObject({ failed: totals.failed });
    expect(headlineOf(result).text).toMatch(/^Every request to gone failed.*: the proxy does not know the cluster\.$/);
    // Of 10,000 requests to this route two thirds, within 5 standard errors.
    expect(Math.abs(totals.failed / (totals.failed + (clusters['a']?.success ?? 0)) - 2 / 3)).toBeLessThan(0.024);
  });

  it('fail their part where a cluster is known to have no hosts', () => {
    const route = weighted({ name: 'a', weight: 1 }, { name: 'empty', weight: 1 });
    expect(traffic(load([...CLUSTERS, { name: 'empty', type: 'STATIC' }], [configuration(route)]))).toMatchObject([
      {
        to: [
          ['a', 1],
          ['empty', 1],
        ],
      },
      { name: 'b' },
      { name: 'ring' },
    ]);
  });

  const manager = { typed_config: { route_config: configuration(SPLIT) } };
  const listener = {
    name: 'in',
    filter_chains: [{ filters: [{ name: 'envoy.http_connection_manager', ...manager }] }],
  };
  const admin = 'type.googleapis.com/envoy.admin.v3';
  it.each([
    ['a bootstrap', [{ static_resources: { clusters: CLUSTERS, listeners: [listener] } }]],
    ['lists', [CLUSTERS, [listener]]],
    ['answers of a management server', [{ resources: CLUSTERS }, { resources: [configuration(SPLIT)] }]],
    [
      'camel case',
      [
        JSON.parse(
          JSON.stringify([CLUSTERS, [configuration(SPLIT)]])
            .replaceAll('_c', 'C')
            .replaceAll('_h', 'H'),
        ),
      ].flat(),
    ],
    [
      'a config_dump',
      [
        {
          configs: [
            { '@type': `${admin}.ClustersConfigDump`, static_clusters: CLUSTERS.map((cluster) => ({ cluster })) },
            { '@type': `${admin}.RoutesConfigDump`, dynamic_route_configs: [{ route_config: configuration(SPLIT) }] },
          ],
        },
      ],
    ],
  ])('are found in %s', (_, values: readonly unknown[]) => {
    expect(traffic(load(...values))).toMatchObject([
      {
        name: 'host-1',
        to: [
          ['a', 80],
          ['b', 20, { version: '2' }],
        ],
      },
      { name: 'ring' },
    ]);
  });

  it('say how requests are retried, in the words of either API, or their virtual host does', () => {
    const type = (name: string): object => ({ '@type': `type.googleapis.com/envoy.extensions.retry.${name}` });
    const policy = {
      retryOn: '5xx,Connect-Failure',
      numRetries: { value: 2 },
      perTryTimeout: '0.250s',
      hostSelectionRetryMaxAttempts: '5',
      retryHostPredicate: [
        { name: 'any', typedConfig: type('host.previous_hosts.v3.PreviousHostsPredicate') },
        { name: 'envoy.retry_host_predicates.omit_canary_hosts' },
      ],
      retryPriority: {
        name: 'any',
        typedConfig: { ...type('priority.previous_priorities.v3.PreviousPrioritiesConfig'), update_frequency: 2 },
      },
      retryBackOff: { baseInterval: '0.010s' },
      rateLimitedRetryBackOff: { resetHeaders: [{ name: 'Retry-After' }, { name: 'at', format: 'UNIX_TIMESTAMP' }] },
      retryOptionsPredicates: [{ name: 'own' }],
      perTryIdleTimeout: '1s',
    };
    const retriesOf = (route: object, host: object): unknown => {
      const virtual_hosts = [{ name: 'host', domains: ['*'], ...host, routes: [{ match: { prefix: '/' }, route }] }];
      return load(CLUSTERS, [{ name: 'routes', virtual_hosts }]).workloads[0]?.retryPolicy;
    };
    const read = {
      retryOn: ['5xx', 'connect-failure'],
      numRetries: 2,
      perTryTimeoutUs: 250_000,
      hostSelectionRetryMaxAttempts: 5,
      retryHostPredicate: [{ kind: 'previous_hosts' }, { kind: 'omit_canary_hosts' }],
      retryPriority: { updateFrequency: 2 },
      retryBackOff: { baseIntervalUs: 10_000, maxIntervalUs: 100_000 },
      rateLimitedBackOff: { headers: ['retry-after'], maxIntervalUs: 300_000_000 },
    };
    expect(retriesOf({ cluster: 'a', retryPolicy: policy }, {})).toMatchObject(read);
    expect(retriesOf({ cluster: 'a' }, { retryPolicy: policy })).toMatchObject(read);
    expect(retriesOf({ cluster: 'a', retry_policy: { retry_on: 'reset' } }, { retryPolicy: policy })).toMatchObject({
      retryOn: ['reset'],
      numRetries: 1,
    });
    expect(retriesOf({ cluster: 'a', retry_policy: { num_retries: 3 } }, {})).toBeUndefined();
    const limited = { cluster: 'a', retry_policy: { per_try_timeout: '1s' } };
    expect(retriesOf(limited, {})).toMatchObject({ retryOn: [], perTryTimeoutUs: 1_000_000 });
  });

  it('say how long requests may take and which limits they share; what else they say is named', async () => {
    const actions = [
      { cluster: 'a', timeout: '0.1s', priority: 'HIGH', idle_timeout: '1s' },
      { cluster: 'a', timeout: '0s', request_mirror_policies: [{ cluster: 'b' }] },
      { cluster: 'a', retry_policy: { retry_on: '5xx', per_try_idle_timeout: '1s' } },
    ];
    const slow = { timeline: [{ at: '0s', set_behavior: { hosts: {}, service_time: '1s' } }] };
    const scenario = load(CLUSTERS, [configuration(...actions)], slow);
    const found = scenario.workloads.slice(0, 3);
    expect(found.map(({ timeoutUs, priority }) => [timeoutUs, priority])).toEqual([
      [100_000, 'HIGH'],
      [0, 'DEFAULT'],
      [15_000_000, 'DEFAULT'],
    ]);
    expect(scenario.origin.says).toContain(
      'traffic follows 3 routes of the files: weights, metadata_match, hash_policy, timeout, priority, retry_policy and request_mirror_policies',
    );
    expect(scenario.origin.lacking.map((one) => one.split(' ')[0])).toEqual(['idle_timeout', 'per_try_idle_timeout']);
    expect(scenario.origin.says[1]).toMatch(
      /^per_try_idle_timeout is not simulated: .*route\.retry_policy\.per_try_idle_timeout\)$/,
    );
    const one = { ...scenario, workloads: found.slice(0, 1) };
    const { totals, failures } = await runScenario(one);
    expect(failures.timeout + failures.overflow).toBe(totals.requests);
  });

  it('are refused where no proxy can parse them', () => {
    const both = {
      weighted_clusters: { clusters: [{ name: 'a', weight: 1 }], header_name: 'x', use_hash_policy: true },
    };
    expect(() => load(CLUSTERS, [configuration(both)])).toThrow('use_hash_policy cannot stand beside header_name');
  });

  it('are TCP proxies, too: connections as each filter chain sends them', () => {
    const filter = (config: object, name = 'envoy.filters.network.tcp_proxy'): object => ({
      filters: [{ name, config: { stat_prefix: 'x', ...config } }],
    });
    const full = {
      ...weighted({ name: 'a', weight: 1 }, { name: 'ring', weight: 3, metadata_match: subset('2') }),
      metadata_match: subset('1'),
      hash_policy: [{ source_ip: {} }],
      max_connect_attempts: { value: 3 },
      max_downstream_connection_duration: '60s',
      idle_timeout: '5s',
    };
    const chains = [{ name: 'own', ...filter(full) }, filter({ cluster: 'b' }, 'envoy.tcp_proxy')];
    const scenario = load(CLUSTERS, [
      { name: 'in', filter_chains: chains, default_filter_chain: filter({ cluster: 'a' }, 'envoy.other') },
    ]);
    const tcp = { lifetime: { kind: 'constant', value: 10_000 } };
    expect(traffic(scenario)).toEqual([
      {
        name: 'own',
        to: [
          ['a', 1, { version: '1' }],
          ['ring', 3, { version: '2' }],
        ],
        keys: true,
        metadataMatch: { version: '1' },
      },
      { name: 'in', to: [['b', 1]] },
    ]);
    expect(scenario.workloads).toMatchObject([
      { timeoutUs: 60_000_000, tcp: { ...tcp, maxConnectAttempts: 3 } },
      { timeoutUs: 0, tcp: { ...tcp, maxConnectAttempts: 1 } },
    ]);
    expect(scenario.origin.lacking[0]).toMatch(/^idle_timeout is not simulated: /);
    expect(scenario.origin.says).toContain(
      'traffic follows 2 routes of the files: weights, metadata_match, hash_policy and connections over TCP',
    );
    const text = importScenario([
      { file: 'x', text: JSON.stringify([...CLUSTERS, { name: 'in', filter_chains: chains }]) },
    ]);
    expect(text.text).toContain(
      'tcp: {lifetime: 10ms, max_connect_attempts: 3, max_downstream_connection_duration: 60s}',
    );
  });

  it('do not matter where a scenario has its own traffic', () => {
    const own = { workloads: [{ cluster: 'b', arrivals: '1/s', stop: '1s' }] };
    expect(traffic(load(CLUSTERS, [configuration(SPLIT)], own))).toMatchObject([{ name: 'workload', to: [['b', 1]] }]);
  });
});
