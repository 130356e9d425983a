import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ImportOptions } from '../../../src/scenario/generated/load-options.js';
import { type Imported, importScenario } from '../../../src/scenario/import/import.js';
import { loadScenario } from '../../../src/scenario/load.js';
import type { Scenario } from '../../../src/scenario/model.js';
import { runScenario } from '../../../src/analysis/run/run-scenario.js';
import { sharedFolder } from '../../conformance/shared.js';

const V3 = 'type.googleapis.com/envoy.config.cluster.v3.Cluster';

interface File {
  readonly file: string;
  readonly text: string;
}

const file = (value: unknown, name = 'config.json'): File => ({
  file: name,
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

/** @param path below the folder of recorded data. */
const shared = (path: string): File => ({ file: path, text: readFileSync(join(sharedFolder, path), 'utf8') });

function imported(inputs: readonly File[], options: ImportOptions = {}): Imported & { readonly text: string } {
  const result = importScenario(inputs, options);
  expect(result.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (result.text === undefined) throw new Error('nothing was imported');
  return { ...result, text: result.text };
}

const endpoint = (host: string, more: object = {}): object => ({
  endpoint: { address: { socket_address: { address: host, port_value: 80 } } },
  ...more,
});
const assigned = (...groups: readonly object[]): object => ({ cluster_name: 'backend', endpoints: groups });
const written = (cluster: object): string =>
  imported([file([{ name: 'backend', connect_timeout: '1s', ...cluster }])]).text;

describe('the hosts of a cluster', () => {
  it('stand in the short form, runs of them in a line', () => {
    const hosts = [1, 2, 3].map((last) => endpoint(`10.0.0.${last}`));
    const text = written({
      load_assignment: assigned(
        { locality: { zone: 'a' }, lb_endpoints: hosts },
        {
          locality: { region: 'r', zone: 'b' },
          priority: 1,
          lb_endpoints: [endpoint('10.0.1.1', { load_balancing_weight: 3, health_status: 'DRAINING' })],
        },
        { lb_endpoints: [endpoint('10.0.2.1', { health_status: 'HEALTHY' }), endpoint('::1')] },
      ),
    });
    expect(text).toContain(`
endpoints:
  backend:
    - {address: 10.0.0.1:80, count: 3, zone: a}
    - {address: 10.0.1.1:80, weight: 3, priority: 1, locality: {region: r, zone: b}, health: DRAINING}
    - 10.0.2.1:80
    - "[::1]:80"
`);
    expect(text).not.toContain('load_assignment');
  });

  it('do so without the weights of localities where nothing is balanced by them', () => {
    const load_assignment = assigned({ load_balancing_weight: 3, lb_endpoints: [endpoint('10.0.0.1')] });
    expect(written({ load_assignment })).toContain('  backend: [10.0.0.1:80]\n');
    expect(written({ load_assignment })).toContain('# left out: weights of localities\n');
    const weighed = { load_assignment, common_lb_config: { locality_weighted_lb_config: {} } };
    expect(written(weighed)).toContain('load_balancing_weight: 3');
  });

  it.each<readonly [string, object]>([
    ['a policy', { ...assigned({ lb_endpoints: [endpoint('10.0.0.1')] }), policy: { overprovisioning_factor: 200 } }],
    [
      'groups that would merge',
      assigned(
        { locality: { zone: 'a' }, lb_endpoints: [endpoint('10.0.0.1')] },
        { locality: { zone: 'b' }, lb_endpoints: [endpoint('10.0.0.2')] },
        { locality: { zone: 'a' }, lb_endpoints: [endpoint('10.0.0.3')] },
      ),
    ],
  ])('stand as they are where there are %s', (_, load_assignment) => {
    const text = written({ load_assignment });
    expect(text).toContain('load_assignment');
    expect(text).not.toContain('endpoints:\n  backend:');
  });

  it('keep of their metadata what subsets are made of', () => {
    const lb = { version: '2', token: 'hunter2', canary: true };
    const metadata = { filter_metadata: { 'envoy.lb': lb, istio: { workload: 'w' } } };
    const text = written({
      lb_subset_config: { fallback_policy: 'ANY_ENDPOINT', subset_selectors: [{ keys: ['version'] }] },
      load_assignment: assigned({ lb_endpoints: [endpoint('10.0.0.1', { metadata })] }),
    });
    expect(text).toContain('{address: 10.0.0.1:80, metadata: {version: "2", canary: true}}');
    expect(text).not.toMatch(/hunter2|istio/);
  });
});

describe('what chooses hosts', () => {
  const ANY = 'type.googleapis.com/envoy.extensions';

  it('stays, however protobuf names the field in JSON', () => {
    const outlierDetection = { consecutive5xx: 3, enforcingConsecutive5xx: 50, consecutiveGatewayFailure: 4 };
    const text = written({ outlierDetection });
    expect(text).toContain('{consecutive_5xx: 3, enforcing_consecutive_5xx: 50, consecutive_gateway_failure: 4}');
    expect(text).not.toContain('left out:');
  });

  it('stays whole in a typed policy: where a hash comes from, and how it is rewritten', () => {
    const regexRewrite = { pattern: { regex: '^(.)' }, substitution: '\\1' };
    const config = {
      '@type': `${ANY}.load_balancing_policies.maglev.v3.Maglev`,
      consistentHashingLbConfig: { hashPolicy: [{ header: { headerName: 'x-user', regexRewrite }, terminal: true }] },
    };
    const policies = [{ typedExtensionConfig: { name: 'maglev', typedConfig: config } }];
    const cluster = { '@type': V3, name: 'backend', loadBalancingPolicy: { policies }, load_assignment: assigned() };
    const { text } = imported([file({ resources: [cluster] })]);
    expect(parse(text)).toMatchObject({
      clusters: [
        {
          load_balancing_policy: {
            policies: [
              {
                typed_extension_config: {
                  typed_config: {
                    consistent_hashing_lb_config: {
                      hash_policy: [
                        {
                          header: {
                            header_name: 'x-user',
                            regex_rewrite: { pattern: { regex: '^(.)' }, substitution: '\\1' },
                          },
                          terminal: true,
                        },
                      ],
                    },
                  },
                },
              },
            ],
          },
        },
      ],
    });
  });

  it('is kept: a hash_policy of the cluster itself', () => {
    const options = {
      '@type': `${ANY}.upstreams.http.v3.HttpProtocolOptions`,
      explicitHttpConfig: { httpProtocolOptions: { acceptHttp10: true } },
      hashPolicy: [{ header: { headerName: 'x-user' } }],
    };
    const typedExtensionProtocolOptions = { [`envoy.extensions.upstreams.http.v3.HttpProtocolOptions`]: options };
    const cluster = { '@type': V3, name: 'backend', typedExtensionProtocolOptions, load_assignment: assigned() };
    const { text, says } = imported([file({ resources: [cluster] })]);
    expect(text).toContain('x-user');
    expect(says.filter((line) => line.includes('not simulated'))).toEqual([]);
  });

  it('is kept: HTTP/2 of those who ask, which health checks by gRPC need', () => {
    const options = {
      '@type': `${ANY}.upstreams.http.v3.HttpProtocolOptions`,
      use_downstream_protocol_config: { http2_protocol_options: { max_concurrent_streams: 7 } },
    };
    const check = {
      timeout: '1s',
      interval: '5s',
      unhealthy_threshold: 1,
      healthy_threshold: 1,
      grpc_health_check: {},
    };
    const cluster = { '@type': V3, name: 'backend', health_checks: [check], load_assignment: assigned() };
    const { text } = imported([
      file({
        resources: [
          {
            ...cluster,
            typed_extension_protocol_options: { [`envoy.extensions.upstreams.http.v3.HttpProtocolOptions`]: options },
          },
        ],
      }),
    ]);
    expect(text).toContain('max_concurrent_streams: 7');
  });

  const source = { eds_config: { ads: {}, resource_api_version: 'V3' } };
  it.each<readonly [string, object, string]>([
    ['a source of assignments in a cluster of another type', { eds_cluster_config: source }, 'no load_assignment'],
    ['no source in an EDS cluster', { type: 'EDS' }, 'its hosts are not known'],
    ['a source that is nowhere', { type: 'EDS', eds_cluster_config: { service_name: 's' } }, 'its hosts are not known'],
  ])('is written so that it is read again, as a running proxy tells it: %s', (_, fields, words) => {
    const list = file({ resources: [{ '@type': V3, name: 'backend', ...fields }] });
    for (const input of [list, file(imported([list]).text, 'x.yaml')]) {
      const { scenario, problems } = loadScenario(input);
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect([...problems.map(({ message }) => message), ...(scenario?.origin.says ?? [])].join()).toContain(words);
    }
  });
});

describe('what is left out', () => {
  const cluster = {
    '@type': V3,
    name: 'backend',
    type: 'STATIC',
    connect_timeout: '1s',
    transport_socket: {
      name: 'envoy.transport_sockets.tls',
      typed_config: {
        '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
        common_tls_context: { tls_certificates: [{ private_key: { inline_string: '-----BEGIN PRIVATE KEY-----' } }] },
      },
    },
    x_token_abc: 'hunter2',
    load_assignment: { cluster_name: 'backend', endpoints: [{ lb_endpoints: [endpoint('10.0.0.1')] }] },
  };

  it('is said by the names of fields, in the file and beside it', () => {
    const { text, says } = imported([file({ resources: [cluster] })]);
    expect(text).toContain('    # left out: transport_socket (TLS: certificates, keys), what is not known here\n');
    expect(says.join('\n')).toContain('transport_socket (TLS: certificates, keys) of 1');
    expect(text + says.join('\n')).not.toMatch(/PRIVATE|hunter2|x_token/);
  });

  it('is told apart where a proxy acts on it: with what it does', () => {
    const acting = { ...cluster, connection_pool_per_downstream_connection: true };
    const { text, says } = imported([file({ resources: [acting, { ...acting, name: 'second' }] })]);
    const told =
      'connection_pool_per_downstream_connection of 2 clusters: in a proxy each client then has its own connections';
    expect(text.replaceAll('\n# ', ' ')).toContain(`Not simulated: ${told}`);
    expect(text).not.toContain('#   connection_pool');
    expect(says.join('\n')).toContain(`left out, as it is not simulated: ${told}`);
    expect(says.find((line) => line.includes('balances nothing'))).not.toContain('connection_pool');
  });

  it('is not quoted where a file cannot be read', () => {
    for (const text of [
      JSON.stringify({ resources: [cluster] }).replace('"x_token_abc"', 'x_token_abc ]'),
      `private_key: {inline_string: *hunter2}`,
      `private_key: hunter2\n\t- hunter2`,
      `"hunter2`,
    ]) {
      const { problems, text: made } = importScenario([file(text)]);
      expect(made).toBeUndefined();
      expect(problems.length).toBeGreaterThan(0);
      expect(JSON.stringify(problems)).not.toMatch(/PRIVATE|hunter2|x_token/);
    }
  });

  it('is not needed to be right', () => {
    const wrong = { ...cluster, transport_socket: { name: 7, typed_config: 'hunter2' } };
    expect(imported([file({ resources: [wrong] })]).text).toContain('  backend: [10.0.0.1:80]');
  });

  it('may be clusters', () => {
    const others = { ...cluster, name: 'other' };
    const { text } = imported([file({ resources: [cluster, others] })], { clusters: ['oth*'] });
    expect(text).toContain('name: other');
    expect(text).not.toContain('backend:');
  });
});

describe('what is written', () => {
  it('begins with what a reader asks first, and has no hollow messages', () => {
    const text = written({
      outlier_detection: {},
      circuit_breakers: { thresholds: [] },
      common_lb_config: { zone_aware_lb_config: {} },
      lb_policy: 'RANDOM',
      type: 'STATIC',
      load_assignment: assigned({ locality: {}, lb_endpoints: [endpoint('10.0.0.1', { metadata: {} })] }),
    });
    expect(text).toContain(`
  - name: backend
    type: STATIC
    lb_policy: RANDOM
    connect_timeout: 1s
    outlier_detection: {}
    common_lb_config: {zone_aware_lb_config: {}}
`);
    expect(written({ common_lb_config: {}, circuit_breakers: {} })).not.toMatch(/common_lb|circuit/);
  });

  it('is v3 where the source is, and says so', () => {
    const { text } = imported([file({ resources: [{ '@type': V3, name: 'backend', type: 'STATIC' }] })]);
    expect(text).toContain('\napi: v3\nproxy:\n  version: "1.40"\n');
    const { scenario } = loadScenario(file(text, 'x.yaml'));
    expect(scenario?.proxies.map(({ version }) => version)).toEqual(['1.40']);
    expect(written({ drain_connections_on_host_removal: true })).not.toContain('api:');
  });

  it('has names of clusters as they are, whatever they look like', () => {
    for (const name of ['007', 'true', 'a: b', '#x', '- y', '{z}', '"q"', 'é\u2028\u001b', "it's", '1e3', '::', '~']) {
      const { text } = imported([
        file([{ name, type: 'STATIC', load_assignment: assigned({ lb_endpoints: [endpoint('10.0.0.1')] }) }]),
      ]);
      expect(loadScenario(file(text, 'x.yaml')).scenario?.clusters.map((one) => one.name)).toEqual([name]);
      expect(text).not.toMatch(/[\u001b\u2028]/);
    }
  });

  it('is refused for what is a scenario already, and for what is nothing of the proxy', () => {
    const refused = (value: unknown): string[] => importScenario([file(value)]).problems.map(({ message }) => message);
    expect(refused({ clusters: [{ name: 'a' }], workloads: [] })).toEqual([
      'this is a scenario already: lbsim run takes it as it is',
    ]);
    expect(refused({ apiVersion: 'v1', kind: 'Secret', data: { key: 'hunter2' } })[0]).toMatch(
      /^this is a Kubernetes object/,
    );
    expect(refused('x: {{ .Values.token }}')).toEqual(['this is a template: render it first, and give what comes out']);
  });

  it('says whose hosts are not known', () => {
    const eds = { name: 'b', type: 'EDS', connect_timeout: '1s', eds_cluster_config: { eds_config: { ads: {} } } };
    const { text, says } = imported([file([eds])]);
    expect(text).toContain(
      '\n# its hosts are not known from here: b (EDS). To add them:\n#   --hosts b=10.0.0.1:80,10.0.0.2:80 ',
    );
    expect(says.join('\n')).toContain('its hosts are not known from here: b (EDS)');
  });
});

// --- what a proxy tells ---------------------------------------------------------------------------------------------

describe.skipIf(!existsSync(join(sharedFolder, 'fixtures')))('what a real proxy told', () => {
  const admin = (name: string): File => shared(join('fixtures', 'admin', name));
  const pages = (): File[] => ['stats.txt', 'stats-used.json', 'prometheus.txt'].map(admin);

  it('is a scenario, with the health of the moment and the traffic of its statistics', async () => {
    const inputs = [admin('config_dump.json'), admin('clusters.json')];
    const { text, says } = imported([...inputs, ...pages().slice(0, 1)], { uptime: '60s' });
    expect(text).toContain('    - {address: 127.0.0.1:20513, health: UNHEALTHY}\n');
    expect(text).toContain('  - {name: outlier, cluster: outlier, arrivals: 0.4/s, stop: 86s}  # 24 requests\n');
    expect(text).toContain('  - {name: dns, cluster: dns, arrivals: 0.1/s, stop: 86s}  # 6 requests\n');
    expect(text).toContain('# no requests: local\n');
    expect(says).toContain('the workloads are mean rates over 60 s: 9 of 10 clusters have requests');
    const { scenario } = loadScenario(file(text, 'x.yaml'));
    if (scenario === undefined) throw new Error('it does not run');
    const { clusters } = await runScenario(scenario);
    expect(clusters['outlier']?.hosts[2]).toMatchObject({ requests: 0 });
  });

  it('has the same rates in every format', () => {
    const texts = pages().map((page) => imported([admin('config_dump.json'), page], { uptime: '60s' }).text);
    const workloads = texts.map((text) => text.slice(text.indexOf('workloads:')));
    expect(new Set(workloads).size).toBe(1);
  });
});

it('says which routes are left out since their clusters are in no file', () => {
  const routes = [
    { match: { prefix: '/gone' }, route: { cluster: 'nowhere' } },
    { match: { prefix: '/' }, route: { cluster: 'backend' } },
  ];
  const table = { name: 'r', virtual_hosts: [{ name: 'v', domains: ['*'], routes }] };
  const cluster = {
    name: 'backend',
    connect_timeout: '1s',
    load_assignment: assigned({ lb_endpoints: [endpoint('10.0.0.1')] }),
  };
  const { text, says } = imported([file([cluster]), file(table, 'routes.json')]);
  const sentence = 'nothing is sent to routes that lead only to clusters that are not in the files: nowhere';
  expect(text.replace(/\n# /g, ' ')).toContain(` ${sentence}`);
  expect(says.join(' ')).toContain(sentence);
});

describe('the traffic of routes', () => {
  const names = (type: string): object[] =>
    ['a', 'b'].map((name) => ({
      name,
      type,
      connect_timeout: '1s',
      load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [endpoint(`${name}.test`)] }] },
    }));
  const table = (...actions: readonly object[]): File => {
    const routes = actions.map((route) => ({ match: { prefix: '/' }, route }));
    return file({ name: 'r', virtual_hosts: [{ name: 'v', domains: ['*'], routes }] }, 'routes.json');
  };
  const SPLIT = {
    weighted_clusters: {
      clusters: [
        { name: 'a', weight: 100 },
        { name: 'b', weight: 0 },
      ],
    },
  };

  it('is kept where the hosts of its clusters are not known', () => {
    const retry_policy = { retry_on: '5xx', num_retries: 2 };
    const { text } = imported([file(names('STRICT_DNS')), table({ ...SPLIT, retry_policy })]);
    expect(parse(text)).toMatchObject({
      workloads: [
        {
          route: [
            { cluster: 'a', weight: 100 },
            { cluster: 'b', weight: 0 },
          ],
          retry_policy: { retry_on: '5xx', num_retries: 2 },
        },
      ],
    });
  });

  it('is refused by a run as the file itself is, until hosts are given', () => {
    const inputs = [file(names('STRICT_DNS')), table(SPLIT)];
    const written = file(imported(inputs).text, 'x.yaml');
    expect(loadScenario(inputs).scenario?.origin.unsent).toMatch(/^no cluster has hosts that are known from here/);
    expect(loadScenario(written).scenario?.origin.unsent).toMatch(
      /^no cluster that requests go to has hosts that are known from here, so nothing can be sent: a \(a\.test\)/,
    );
    expect(loadScenario(written, { hosts: ['a=1'] }).scenario?.origin.unsent).toBeUndefined();
  });

  it('is made up for no cluster that gets copies alone', () => {
    const mirrored = { cluster: 'a', request_mirror_policies: [{ cluster: 'b' }] };
    const { text, says } = imported([
      file(names('STATIC').map((one) => ({ ...one, type: 'STRICT_DNS' }))),
      table(mirrored),
    ]);
    expect((parse(text) as { workloads: { cluster: string }[] }).workloads.map(({ cluster }) => cluster)).toEqual([
      'a',
    ]);
    expect(says).toContain('nothing but copies of requests is sent to b, as routes say');
  });

  it('has what routes hash beside its keys, and names what is not simulated', () => {
    const hash_policy = [
      { cookie: { name: 'sid', ttl: '60s' }, terminal: true },
      { header: { header_name: 'x-user', regex_rewrite: { pattern: { regex: '^(.)' }, substitution: 'u' } } },
    ];
    const action = { ...SPLIT, hash_policy, hedge_policy: { hedge_on_per_try_timeout: true } };
    const split = { weighted_clusters: { ...SPLIT.weighted_clusters, use_hash_policy: true } };
    const clusters = names('STRICT_DNS').map((one) => ({ ...one, lb_policy: 'MAGLEV' }));
    const { text, says } = imported([file(clusters), table({ ...action, ...split })]);
    expect(text.replaceAll(/\n *# /g, ' ')).toContain(
      'a key stands for what the route hashes, cookie sid (ttl 60s, terminal true); header x-user (regex ^(.), substitution u)',
    );
    const [workload] = (parse(text) as { workloads: readonly object[] }).workloads;
    expect(workload).toMatchObject({ use_hash_policy: true, hedge_policy: { hedge_on_per_try_timeout: true } });
    expect(says.filter((line) => line.startsWith('of the routes this is not simulated: '))).toEqual([]);
  });

  it('may be sent to hosts that the import is given', async () => {
    const service = { type: 'EDS', eds_cluster_config: { service_name: 's', eds_config: { ads: {} } } };
    const inputs = [
      file([...names('STRICT_DNS'), { name: 'e', connect_timeout: '1s', ...service }]),
      table(SPLIT, { cluster: 'e' }),
    ];
    const hosts = ['e=10.0.0.1:80@weight=3,10.0.0.2:80@zone=b', 'a=10.0.1.1:80', '*=2'];
    const { text, says } = imported(inputs, { hosts });
    expect(text).toContain('{address: 10.0.0.1:80, weight: 3}');
    expect(says.join('\n')).toContain('2 hosts are made up (from 198.18.0.1 on)');
    const rows = async (scenario: Scenario | undefined): Promise<unknown> => {
      if (scenario === undefined) throw new Error('it does not run');
      const { clusters } = await runScenario(scenario);
      return Object.values(clusters).map((one) =>
        one.hosts.map(({ address, weight, requests }) => [address, weight, requests]),
      );
    };
    const again = loadScenario(file(text, 'x.yaml'), { durationText: '100ms' });
    expect(await rows(again.scenario)).toEqual(
      await rows(loadScenario(inputs, { durationText: '100ms', hosts }).scenario),
    );
  });
});
