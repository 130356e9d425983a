import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importScenario } from '../../../src/scenario/import/import.js';
import { loadScenario } from '../../../src/scenario/load.js';
import { applyLocality, type Asking, type LocalityGroup } from '../../../src/scenario/objects/istio-localities.js';
import { secondsOf } from '../../../src/scenario/objects/mapping.js';

/** Objects that people edit, and the messages that their control plane makes of them: small pairs of our own. */

const object = (apiVersion: string, kind: string, name: string, spec: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: default}\nspec:\n${spec.replace(/^(?=.)/gm, '  ')}\n`;
const together = (...documents: readonly string[]): string => documents.join('---\n');
const xdsOf = (text: string, options = {}) => importScenario([{ file: 'a.yaml', text }], options);
const messages = (text: string, options = {}): readonly string[] =>
  loadScenario({ file: 'a.yaml', text }, options).problems.map(({ message }) => message);

const PROXY = 'kind: Proxy\nlocality: r1/z1/s1\nlabels: {rack: a}\n';
const ENTRY = object(
  'networking.istio.io/v1',
  'ServiceEntry',
  'web',
  `hosts: [web.example.org]
resolution: STATIC
ports: [{number: 80, name: http, protocol: HTTP}]
endpoints:
- {address: 10.0.0.1, locality: r1/z1/s1, labels: {version: v1, rack: a}}
- {address: 10.0.0.2, locality: r1/z2/s1, labels: {version: v2, rack: b}, weight: 3}
- {address: 10.0.0.3, locality: r2/z1/s1, labels: {version: v1, rack: a}}`,
);
const rule = (spec: string, name = 'web'): string =>
  object('networking.istio.io/v1', 'DestinationRule', name, `host: web.example.org\n${spec}`);

describe('Istio', () => {
  const clusters = (text: string, options = {}) => xdsOf(text, options).xds?.clusters ?? [];

  it.each([
    ['no rule', '', { lb_policy: 'LEAST_REQUEST', connect_timeout: '10s' }],
    [
      'a table without a named one',
      'loadBalancer: {consistentHash: {httpHeaderName: x}}',
      { ring_hash_lb_config: { minimum_ring_size: 1024 } },
    ],
    [
      'Maglev',
      'loadBalancer: {consistentHash: {httpHeaderName: x, maglev: {tableSize: 101}}}',
      { lb_policy: 'MAGLEV', maglev_lb_config: { table_size: 101 } },
    ],
    ['an old name', 'loadBalancer: {simple: LEAST_CONN}', { lb_policy: 'LEAST_REQUEST' }],
    ['no endpoints', 'loadBalancer: {simple: PASSTHROUGH}', { type: 'ORIGINAL_DST', lb_policy: 'CLUSTER_PROVIDED' }],
    [
      'warm-up',
      'loadBalancer: {simple: ROUND_ROBIN, warmup: {duration: 1m}}',
      {
        round_robin_lb_config: {
          slow_start_config: {
            slow_start_window: '60s',
            aggression: { default_value: 1, runtime_key: '(' },
            min_weight_percent: { value: 10 },
          },
        },
      },
    ],
    [
      'a limit',
      'connectionPool: {tcp: {maxConnections: 5, connectTimeout: 250ms}}',
      {
        connect_timeout: '0.25s',
        circuit_breakers: { thresholds: [{ max_connections: 5, max_requests: 4294967295 }] },
      },
    ],
    [
      'a limit of 0, which is none',
      'connectionPool: {tcp: {maxConnections: 0}}',
      { circuit_breakers: { thresholds: [{ max_connections: 4294967295 }] } },
    ],
    [
      'ejections',
      'outlierDetection: {consecutive5xxErrors: 0, minHealthPercent: 30}',
      {
        outlier_detection: { consecutive_5xx: 0, enforcing_consecutive_5xx: 0, enforcing_success_rate: 0 },
        common_lb_config: { healthy_panic_threshold: { value: 30 } },
      },
    ],
    [
      'errors of its own, none of which ejects',
      'outlierDetection: {splitExternalLocalOriginErrors: true, consecutiveLocalOriginFailures: 0}',
      { outlier_detection: expect.not.objectContaining({ enforcing_consecutive_local_origin_failure: 0 }) as unknown },
    ],
  ])('%s', (_, policy, expected) => {
    const text = together(PROXY, ENTRY, ...(policy === '' ? [] : [rule(`trafficPolicy: {${policy}}`)]));
    expect(clusters(text)).toMatchObject([{ name: 'outbound|80||web.example.org', ...expected }]);
  });

  it('the mesh says how long all wait, a rule how long for its host', () => {
    const mesh = together(PROXY, ENTRY, 'kind: MeshConfig\nconnectTimeout: 3s\n');
    expect(clusters(mesh)).toMatchObject([{ connect_timeout: '3s' }]);
    const own = rule('trafficPolicy: {connectionPool: {tcp: {connectTimeout: 1s}}}');
    expect(clusters(together(mesh, own))).toMatchObject([{ connect_timeout: '1s' }]);
  });

  it('a subset has the hosts of its labels, and parts of the rule that it does not replace', () => {
    const text = together(
      PROXY,
      ENTRY,
      rule(
        'trafficPolicy: {loadBalancer: {simple: RANDOM}, connectionPool: {http: {maxRetries: 2}}}\nsubsets: [{name: v1, labels: {version: v1}, trafficPolicy: {connectionPool: {tcp: {maxConnections: 4}}}}]',
      ),
    );
    const { xds } = xdsOf(text);
    expect(xds?.clusters).toMatchObject([
      { name: 'outbound|80||web.example.org', lb_policy: 'RANDOM' },
      {
        name: 'outbound|80|v1|web.example.org',
        lb_policy: 'RANDOM',
        circuit_breakers: { thresholds: [{ max_connections: 4, max_retries: 4294967295 }] },
      },
    ]);
    expect(JSON.stringify(xds?.endpoints[1])).not.toContain('10.0.0.2');
  });

  it.each([
    ['1.26', [503], undefined],
    ['1.30', undefined, undefined],
    ['1.32', undefined, { value: 0 }],
  ])('%s: what its defaults are', (istioVersion, codes, panic) => {
    const { xds } = xdsOf(together(PROXY, ENTRY), { istioVersion });
    const [cluster] = xds?.clusters as readonly { common_lb_config: { healthy_panic_threshold?: object } }[];
    expect(cluster?.common_lb_config.healthy_panic_threshold).toEqual(panic);
    const retry = { retry_on: 'connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes' };
    const route = { retry_policy: { ...retry, ...(codes && { retriable_status_codes: codes }) } };
    expect(xds?.routes).toMatchObject([{ virtual_hosts: [{ routes: [{ route }] }] }]);
    expect(JSON.stringify(xds?.routes).includes('503')).toBe(codes !== undefined);
  });

  it('nearer hosts go first once something ejects others: --locality says where that is', () => {
    const text = together(ENTRY, rule('trafficPolicy: {outlierDetection: {consecutive5xxErrors: 5}}'));
    const priorities = (locality: string) =>
      (
        xdsOf(text, { locality }).xds?.endpoints as readonly { endpoints: readonly { priority?: number }[] }[]
      )[0]?.endpoints.map(({ priority = 0 }) => priority);
    expect(priorities('r1/z1/s1')).toEqual([0, 1, 2]);
    expect(priorities('r2/z1/s1')).toEqual([1, 1, 0]);
    expect(priorities('r3')).toEqual([0, 0, 0]);
    expect(messages(text)).toEqual([
      'the priorities of web.example.org depend on where the proxy is that asks: give it with --locality REGION/ZONE/SUBZONE',
    ]);
  });

  it('by labels: --labels says which the proxy has', () => {
    const text = together(
      ENTRY,
      rule('trafficPolicy: {outlierDetection: {}, loadBalancer: {localityLbSetting: {failoverPriority: [rack]}}}'),
    );
    expect(messages(text)[0]).toMatch(/depend on the labels of the proxy that asks: give them with --labels/);
    const { xds } = xdsOf(text, { labels: 'rack=b' });
    expect(xds?.endpoints).toMatchObject([{ endpoints: [{ priority: 1 }, {}, { priority: 1 }] }]);
  });

  it('a virtual service makes the routes', () => {
    const spec = `hosts: [web.example.org]\nhttp:\n- match: [{uri: {prefix: /a}}]\n  timeout: 3s\n  retries: {attempts: 0}\n  route: [{destination: {host: web.example.org}}]\n- route: [{destination: {host: web.example.org}, weight: 3}, {destination: {host: other.example.org}, weight: 0}]`;
    const { xds } = xdsOf(together(PROXY, ENTRY, object('networking.istio.io/v1', 'VirtualService', 'web', spec)));
    const [first, second] =
      (xds?.routes as readonly { virtual_hosts: readonly { routes: readonly object[] }[] }[])[0]?.virtual_hosts[0]
        ?.routes ?? [];
    expect(first).toEqual({
      match: { prefix: '/a', case_sensitive: true },
      route: { cluster: 'outbound|80||web.example.org', timeout: '3s' },
    });
    expect(second).toMatchObject({
      route: { weighted_clusters: { clusters: [{ name: 'outbound|80||web.example.org', weight: 3 }] } },
    });
  });

  it.each([
    [
      'a Sidecar',
      object('networking.istio.io/v1', 'Sidecar', 's', 'egress: []'),
      /^Sidecar s cannot be read: it changes which/,
    ],
    [
      'an EnvoyFilter',
      object('networking.istio.io/v1alpha3', 'EnvoyFilter', 'f', 'configPatches: []'),
      /^EnvoyFilter f cannot be read: it patches/,
    ],
    ['exportTo', rule('exportTo: [.]'), /is exported to \. only: whether a proxy sees it/],
    [
      'a workload selector',
      rule('workloadSelector: {matchLabels: {a: b}}'),
      /^workloadSelector of DestinationRule web: whether the rule/,
    ],
    [
      'a rule of another namespace',
      rule('trafficPolicy: {}').replace('namespace: default', 'namespace: other'),
      /^the rule is in another namespace \(other\)/,
    ],
    [
      'a bare service',
      object('v1', 'Service', 'w', 'ports: [{port: 80}]'),
      /^which hosts the service w has only the cluster knows: give its EndpointSlices/,
    ],
    [
      'a value of another kind',
      rule('trafficPolicy: {loadBalancer: {simple: FASTEST}}'),
      /^expected one of UNSPECIFIED, .*, found FASTEST$/,
    ],
    [
      'no duration',
      rule('trafficPolicy: {outlierDetection: {interval: soon}}'),
      /^expected a duration such as 1m30s, found soon$/,
    ],
  ])('%s is refused in a sentence, and makes no scenario', (_, more, sentence) => {
    const { scenario, problems } = loadScenario({ file: 'a.yaml', text: together(PROXY, ENTRY, more) });
    expect(scenario).toBeUndefined();
    expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
      expect.stringMatching(sentence),
    ]);
  });

  it('names each field that is not read, once, at its line', () => {
    const text = together(
      PROXY,
      ENTRY,
      rule('trafficPolicy:\n  tls: {mode: ISTIO_MUTUAL}\n  loadBalancer: {simple: RANDOM}'),
    );
    const { problems } = loadScenario({ file: 'a.yaml', text });
    const line = text.split('\n').findIndex((one) => one.includes('tls:')) + 1;
    expect(problems).toMatchObject([
      {
        severity: 'warning',
        message: 'trafficPolicy.tls is not read',
        path: 'DestinationRule.web.trafficPolicy.tls',
        line,
      },
    ]);
  });

  it('what is wrong with the cluster is told at the line of the object, and is no v3 JSON', () => {
    const text = together(PROXY, ENTRY, rule('trafficPolicy:\n  outlierDetection:\n    maxEjectionPercent: 200'));
    const line = text.split('\n').findIndex((one) => one.includes('200')) + 1;
    expect(loadScenario({ file: 'a.yaml', text }).problems).toMatchObject([{ severity: 'error', line }]);
    expect(xdsOf(text)).not.toHaveProperty('xds');
  });

  it.each([
    ['no host', rule('', 'x').replace('host: web.example.org', 'subsets: []'), 'DestinationRule.x', 'host is missing'],
    ['a port without a number', ENTRY.replace('number: 80, ', ''), 'ServiceEntry.web.ports[0]', 'number is missing'],
    [
      'a weight in words',
      ENTRY.replace('weight: 3', 'weight: three'),
      'ServiceEntry.web.endpoints[1].weight',
      'expected a number of at least 0, found three',
    ],
    [
      'a word of no kind',
      ENTRY.replace('STATIC', 'STATIK'),
      'ServiceEntry.web.resolution',
      'expected one of NONE, STATIC, DNS, DNS_ROUND_ROBIN, DYNAMIC_DNS, found STATIK',
    ],
    [
      'one in place of a list',
      ENTRY.replace('[web.example.org]', 'web.example.org'),
      'ServiceEntry.web.hosts',
      'expected a list, found web.example.org',
    ],
  ])('%s: the API server does not take it', (_, object_, path, message) => {
    const text = together(PROXY, object_, ...(object_.includes('ServiceEntry') ? [] : [ENTRY]));
    expect(loadScenario({ file: 'a.yaml', text }).problems).toMatchObject([{ severity: 'error', path, message }]);
  });

  it.each([
    [{ istioVersion: 'newest' }, '--istio-version is a version such as 1.32, not newest'],
    [{ labels: 'app' }, '--labels are KEY=VALUE,…, not app'],
  ])('%o says nothing', (options, message) => {
    expect(messages(ENTRY, options)).toEqual([message]);
  });

  it('a rule alone has no hosts', () => {
    expect(messages(rule('trafficPolicy: {}'))).toEqual([
      expect.stringMatching(/; or give the objects that have its hosts, too$/),
    ]);
  });
});

describe('places', () => {
  const place = fc
    .tuple(fc.constantFrom('r1', 'r2', 'r3'), fc.constantFrom('z1', 'z2'), fc.constantFrom('s1', 's2'))
    .map((parts) => parts.join('/'));
  const groups = fc.uniqueArray(place, { minLength: 1, maxLength: 8 }).chain((places) =>
    fc.tuple(
      ...places.map((locality) =>
        fc.integer({ min: 1, max: 3 }).map((count): LocalityGroup => {
          const endpoints = Array.from({ length: count }, (_, index) => ({
            span: { start: 0, end: 0 },
            address: `${locality}-${index}`,
            port: 80,
            labels: { rack: String(index) },
          }));
          return { locality, endpoints, priority: 0, weight: count };
        }),
      ),
    ),
  );
  const asking = (locality: string): Asking => ({
    locality,
    labels: { rack: '0' },
    node: '',
    namespace: '',
    sendsUnhealthy: true,
    retriesUnavailable: false,
  });
  const setting = fc.record({
    force: fc.boolean(),
    failoverPriority: fc.constantFrom([], ['rack'], ['rack=1', 'other']),
    failover: fc.constantFrom({}, { r1: 'r2' }),
    distribute: fc.constant([]),
  });

  it('no host is lost, no priority is left out, and weights are those of the hosts', () => {
    fc.assert(
      fc.property(groups, place, setting, fc.boolean(), (all, own, how, ejects) => {
        const placed = applyLocality(all, how, asking(own), ejects);
        const hosts = (list: readonly LocalityGroup[]) =>
          list.flatMap(({ endpoints }) => endpoints.map(({ address }) => address)).sort();
        expect(hosts(placed)).toEqual(hosts(all));
        const priorities = [...new Set(placed.map(({ priority }) => priority))].sort((a, b) => a - b);
        expect(priorities).toEqual(priorities.map((_, index) => index));
        for (const { weight, endpoints } of placed) expect(weight).toBe(endpoints.length);
      }),
    );
  });
});

describe('Envoy Gateway', () => {
  const GATEWAY = object(
    'gateway.networking.k8s.io/v1',
    'Gateway',
    'g',
    'gatewayClassName: c\nlisteners: [{name: http, protocol: HTTP, port: 80}]',
  );
  const route = (backends: string, more = ''): string =>
    object(
      'gateway.networking.k8s.io/v1',
      'HTTPRoute',
      'web',
      `parentRefs: [{name: g}]\nrules: [{backendRefs: [${backends}]${more}}]`,
    );
  const backend = (name: string, endpoint: string, more = ''): string =>
    object('gateway.envoyproxy.io/v1alpha1', 'Backend', name, `endpoints: [${endpoint}]${more}`);
  const policy = (spec: string, target = '{group: gateway.networking.k8s.io, kind: HTTPRoute, name: web}'): string =>
    object('gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', 'p', `targetRefs: [${target}]\n${spec}`);
  const ref = (name: string, weight = 1): string =>
    `{group: gateway.envoyproxy.io, kind: Backend, name: ${name}, weight: ${weight}}`;
  const A = backend('a', '{ip: {address: 10.0.0.1, port: 80}}');
  const B = backend('b', '{fqdn: {hostname: b.example.com, port: 80}}');

  it('a cluster for a rule, with a locality that carries the weight of each backend', () => {
    const more = backend('c', '{ip: {address: 10.0.0.2, port: 80}}', '\nfallback: true');
    const { xds } = xdsOf(together(GATEWAY, route(`${ref('a', 3)}, ${ref('c')}`), A, more));
    expect(xds?.clusters).toMatchObject([
      { name: 'httproute/default/web/rule/0', ignore_health_on_host_removal: true },
    ]);
    expect(xds?.endpoints).toMatchObject([
      {
        endpoints: [
          { locality: { region: 'httproute/default/web/rule/0/backend/0' }, load_balancing_weight: 3 },
          { priority: 1 },
        ],
      },
    ]);
  });

  it('a cluster for each backend where names and addresses are mixed', () => {
    const { xds } = xdsOf(together(GATEWAY, route(`${ref('a', 3)}, ${ref('b')}`), A, B));
    expect(xds?.clusters).toMatchObject([{ type: 'EDS' }, { cluster_type: { name: 'envoy.cluster.dns' } }]);
    expect(xds?.routes).toMatchObject([
      { virtual_hosts: [{ routes: [{ route: { weighted_clusters: { clusters: [{ weight: 3 }, { weight: 1 }] } } }] }] },
    ]);
  });

  it('the schema fills in what is not written, before anything is read', () => {
    const { xds } = xdsOf(
      together(GATEWAY, route(ref('a')), A, policy('circuitBreaker: {maxConnections: 50}\nhealthCheck: {passive: {}}')),
    );
    expect(xds?.clusters).toMatchObject([
      {
        circuit_breakers: {
          thresholds: [{ max_connections: 50, max_pending_requests: 1024, max_requests: 1024, max_retries: 1024 }],
        },
        outlier_detection: { consecutive_5xx: 5, interval: '3s', base_ejection_time: '30s', max_ejection_percent: 10 },
      },
    ]);
  });

  it('the policy of the route goes before that of the gateway, or is merged into it', () => {
    const general = policy(
      'loadBalancer: {type: Random}\ntimeout: {tcp: {connectTimeout: 7s}}',
      '{kind: Gateway, name: g}',
    ).replace('name: p', 'name: q');
    const timeout = (merge: string) => {
      const { xds } = xdsOf(together(GATEWAY, route(ref('a')), A, general, policy(`${merge}circuitBreaker: {}`)));
      return (xds?.clusters as readonly { connect_timeout: string }[])[0]?.connect_timeout;
    };
    expect(timeout('')).toBe('10s');
    expect(timeout('mergeType: StrategicMerge\n')).toBe('7s');
  });

  it('a policy says how a service is reached, before the proxy does', () => {
    const service = object('v1', 'Service', 's', 'clusterIP: 10.1.1.1\nports: [{name: http, port: 80}]');
    const slice =
      'apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: s-1, namespace: default, labels: {kubernetes.io/service-name: s}}\nports: [{name: http, port: 8080}]\nendpoints: [{addresses: [10.0.0.7]}]\n';
    const hosts = (routingType: string) => {
      const all = together(
        GATEWAY,
        route('{name: s, port: 80}'),
        service,
        slice,
        policy(`routingType: ${routingType}`),
      );
      return JSON.stringify(xdsOf(all).xds?.endpoints);
    };
    expect(hosts('Endpoint')).toContain('10.0.0.7');
    expect(hosts('Service')).toContain('10.1.1.1');
  });

  it('a socket is no backend of a route', () => {
    const socket = backend('b', '{unix: {path: /run/b.sock}}');
    const { xds } = xdsOf(together(GATEWAY, route(`${ref('a')}, ${ref('b')}`), A, socket));
    expect(xds?.routes).toMatchObject([
      {
        virtual_hosts: [
          { routes: [{ route: { weighted_clusters: { clusters: [{ name: 'invalid-backend-cluster' }, {}] } } }] },
        ],
      },
    ]);
  });

  it.each([
    [
      'merged backends',
      together(
        GATEWAY,
        route(ref('a')),
        A,
        object('gateway.envoyproxy.io/v1alpha1', 'EnvoyProxy', 'e', 'mergeBackends: {selector: {}}'),
      ),
      /^mergeBackends makes one cluster/,
    ],
    [
      'a class of another controller',
      together(
        GATEWAY,
        route(ref('a')),
        A,
        object('gateway.networking.k8s.io/v1', 'GatewayClass', 'c', 'controllerName: example.com/other'),
      ),
      /^the class c is of another controller/,
    ],
    [
      'objects of two',
      together(ENTRY, GATEWAY, route(ref('a')), A),
      /^there are objects of Istio and of Envoy Gateway/,
    ],
  ])('%s is refused', (_, text, sentence) => {
    expect(messages(text)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
    expect(loadScenario({ file: 'a', text }).scenario).toBeUndefined();
  });
});

describe('Consul', () => {
  const entry = (kind: string, name: string, more: string): string => `Kind: ${kind}\nName: ${name}\n${more}\n`;
  const HTTP = entry('proxy-defaults', 'global', 'Config: {protocol: http}');
  const instance = (address: string, status: string, version: string) => ({
    Node: { Address: '10.9.9.9' },
    Service: { Service: 'web', Address: address, Port: 80, Meta: { version }, Weights: { Passing: 2, Warning: 1 } },
    Checks: [{ Status: status }],
  });
  const CATALOG = JSON.stringify([
    instance('10.0.0.1', 'passing', 'v1'),
    instance('10.0.0.2', 'critical', 'v2'),
    instance('', 'warning', 'v1'),
  ]);

  it('shares in shares, and a cluster for each service', () => {
    const text = together(
      HTTP,
      entry('service-splitter', 'web', 'Splits: [{Weight: 60, Service: a}, {Weight: 40}]'),
      entry('service-splitter', 'a', 'Splits: [{Weight: 50, Service: b}, {Weight: 50, Service: c}]'),
    );
    const { xds } = xdsOf(text);
    const clusters = [
      { name: 'b.default.dc1', weight: 3000 },
      { name: 'c.default.dc1', weight: 3000 },
      { name: 'web.default.dc1', weight: 4000 },
    ];
    expect(xds?.routes).toMatchObject([
      { virtual_hosts: [{ routes: [{ route: { weighted_clusters: { clusters } } }] }] },
    ]);
    expect(xds?.clusters).toHaveLength(3);
  });

  it('a route to the service itself is split, too; splits that lead back end', () => {
    const splits = 'Splits: [{Weight: 90}, {Weight: 10, Service: b}]';
    const router = 'Routes: [{Match: {HTTP: {PathPrefix: /a}}, Destination: {RequestTimeout: 3s}}]';
    const back = entry('service-splitter', 'b', 'Splits: [{Weight: 100, Service: web}]');
    const { xds } = xdsOf(
      together(HTTP, entry('service-router', 'web', router), entry('service-splitter', 'web', splits), back),
    );
    const shares = [
      { name: 'web.default.dc1', weight: 9000 },
      { name: 'web.default.dc1', weight: 1000 },
    ];
    const split = { route: { weighted_clusters: { clusters: shares } } };
    expect(xds?.routes).toMatchObject([{ virtual_hosts: [{ routes: [split, split] }] }]);
  });

  it('instances and their health are those of the catalog; subsets choose among them', () => {
    const resolver = entry(
      'service-resolver',
      'web',
      'DefaultSubset: v1\nSubsets: {v1: {Filter: Service.Meta.version == v1}}\nLoadBalancer: {Policy: maglev}',
    );
    const all = [
      { file: 'a.yaml', text: resolver },
      { file: 'web.json', text: CATALOG },
    ];
    const { xds } = importScenario(all);
    expect(xds?.clusters).toMatchObject([{ name: 'v1.web.default.dc1', lb_policy: 'MAGLEV' }]);
    const hosts = [
      { endpoint: { address: { socket_address: { address: '10.0.0.1' } } }, load_balancing_weight: 2 },
      { endpoint: { address: { socket_address: { address: '10.9.9.9' } } }, load_balancing_weight: 1 },
    ];
    expect(xds?.endpoints).toMatchObject([{ endpoints: [{ lb_endpoints: hosts }] }]);
  });

  it('what is said of an upstream holds for all that its chain leads to', () => {
    const defaults = 'UpstreamConfig: {Overrides: [{Name: web, ConnectTimeoutMs: 1500, Limits: {MaxConnections: 5}}]}';
    const resolver = entry('service-resolver', 'web', 'ConnectTimeout: 9s\nRedirect: {Service: other}');
    const { xds } = xdsOf(together(entry('service-defaults', 'asking', defaults), resolver));
    const limits = { thresholds: [{ max_connections: 5 }] };
    expect(xds?.clusters).toMatchObject([
      { name: 'other.default.dc1', connect_timeout: '1.5s', circuit_breakers: limits },
    ]);
  });

  it('another service takes over by an aggregate cluster', () => {
    const { xds } = xdsOf(entry('service-resolver', 'web', 'Failover: {"*": {Service: other}}'));
    expect(xds?.clusters.map((one) => (one as { name: string }).name)).toEqual([
      'failover-target~0~web.default.dc1',
      'failover-target~1~web.default.dc1',
      'web.default.dc1',
    ]);
  });

  it('as objects of Kubernetes, too', () => {
    const { xds } = xdsOf(
      object(
        'consul.hashicorp.com/v1alpha1',
        'ServiceResolver',
        'web',
        'connectTimeout: 3s\nloadBalancer: {policy: ring_hash, ringHashConfig: {minimumRingSize: 20}}',
      ),
    );
    expect(xds?.clusters).toMatchObject([
      { name: 'web.default.dc1', connect_timeout: '3s', ring_hash_lb_config: { minimum_ring_size: 20 } },
    ]);
  });

  it('other datacenters are refused', () => {
    expect(messages(entry('service-resolver', 'web', 'Failover: {"*": {Datacenters: [dc2]}}'))).toEqual([
      'other datacenters and peers are reached through gateways, whose health only the catalog knows',
    ]);
  });
});

describe('durations', () => {
  it('are sums of their parts', () => {
    fc.assert(
      fc.property(fc.nat(99), fc.nat(59), fc.nat(59), fc.nat(999), (h, m, s, ms) => {
        expect(secondsOf(`${h}h${m}m${s}s${ms}ms`)).toBeCloseTo(3600 * h + 60 * m + s + ms / 1000, 6);
      }),
    );
    for (const text of ['', '5', '5x', 's', '-1s']) expect(secondsOf(text)).toBeUndefined();
  });
});
