import { describe, expect, test } from 'vitest';
import { Cluster, statName } from '../../src/config/cluster/cluster.js';
import { effectiveAssignment } from '../../src/config/assignment-rules.js';
import { read } from './reader/support.js';
import { EVERYTHING, staticCluster } from './samples.js';

/** Errors and warnings, as `severity rule path`. */
function findings(yaml: string): readonly string[] {
  return read(Cluster, yaml)
    .problems.filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
}

const dns = (type: string, fields = ''): string =>
  `name: a\ntype: ${type}\nload_assignment: {cluster_name: a, endpoints: [{lb_endpoints: [` +
  `{endpoint: {address: {socket_address: {address: a.example, port_value: 80}}}}]}]}\n${fields}\n`;
const EDS = 'name: a\ntype: EDS\neds_cluster_config: {eds_config: {path: /x}}\n';
const ORIGINAL_DST = 'name: a\ntype: ORIGINAL_DST\nlb_policy: CLUSTER_PROVIDED\n';

test('a cluster that sets nearly everything is read as it was meant', () => {
  const { value, problems } = read(Cluster, EVERYTHING);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(value).toMatchObject({
    name: 'backend',
    type: 'STRICT_DNS',
    connectTimeout: 250_000,
    lbPolicy: 'RING_HASH',
    ringHashLbConfig: { minimumRingSize: 1024n, maximumRingSize: 2048n, hashFunction: 'MURMUR_HASH_2' },
    commonLbConfig: { healthyPanicThreshold: { value: 33.7 }, updateMergeWindow: 1e6, localityWeightedLbConfig: {} },
    healthChecks: [
      { interval: 2e6, healthyThreshold: 2, httpHealthCheck: { expectedStatuses: [{ start: 200n, end: 300n }] } },
    ],
    circuitBreakers: { thresholds: [{ priority: 'DEFAULT', maxRetries: 4 }, { priority: 'HIGH' }] },
    outlierDetection: { consecutive5xx: 5, maxEjectionTime: 300e6 },
    dnsFailureRefreshRate: { baseInterval: 1e6, maxInterval: 10e6 },
    transportSocket: { typedConfig: { type: 'auth.UpstreamTlsContext', known: true } },
  });
  expect(value?.loadAssignment?.endpoints[0]).toMatchObject({
    locality: { region: 'eu', zone: 'a', subZone: '1' },
    loadBalancingWeight: 3,
    lbEndpoints: [
      { healthStatus: 'DEGRADED', loadBalancingWeight: 7, endpoint: { hostname: 'a' } },
      { healthStatus: 'UNKNOWN' },
    ],
  });
  expect(value?.loadAssignment?.endpoints[0]?.lbEndpoints[1]?.loadBalancingWeight).toBeUndefined();
});

test('what is absent has the default that the schema states, or stays absent', () => {
  const { value } = read(Cluster, staticCluster());
  expect(value).toMatchObject({
    type: 'STATIC',
    lbPolicy: 'ROUND_ROBIN',
    altStatName: '',
    healthChecks: [],
    hosts: [],
    dnsRefreshRate: 5e6,
    cleanupInterval: 5e6,
    dnsLookupFamily: 'AUTO',
    protocolSelection: 'USE_CONFIGURED_PROTOCOL',
    respectDnsTtl: false,
  });
  expect(value?.commonLbConfig).toBeUndefined();
  expect(value?.outlierDetection).toBeUndefined();
});

describe('options of a policy', () => {
  test.each([
    ['ring_hash_lb_config: {}', 'ROUND_ROBIN', 'error lb-config-mismatch ring_hash_lb_config'],
    ['least_request_lb_config: {}', 'RING_HASH', 'error lb-config-mismatch least_request_lb_config'],
    ['maglev_lb_config: {}', 'RING_HASH', 'warning lb-config-mismatch maglev_lb_config'],
    ['round_robin_lb_config: {}', 'RANDOM', 'warning lb-config-mismatch round_robin_lb_config'],
    [
      'ring_hash_lb_config: {minimum_ring_size: 8388609}',
      'RING_HASH',
      'error range ring_hash_lb_config.minimum_ring_size',
    ],
    [
      'ring_hash_lb_config: {maximum_ring_size: 1023}',
      'RING_HASH',
      'error ring-size-order ring_hash_lb_config.maximum_ring_size',
    ],
    ['least_request_lb_config: {choice_count: 1}', 'LEAST_REQUEST', 'error range least_request_lb_config.choice_count'],
    ['maglev_lb_config: {table_size: 65536}', 'MAGLEV', 'error maglev-prime maglev_lb_config.table_size'],
    ['maglev_lb_config: {table_size: 5000012}', 'MAGLEV', 'error range maglev_lb_config.table_size'],
  ])('%s under %s', (block, policy, expected) => {
    expect(findings(staticCluster(`lb_policy: ${policy}\n${block}`))).toEqual([expected]);
  });

  test.each([
    ['ring_hash_lb_config: {minimum_ring_size: 0, maximum_ring_size: 0}', 'RING_HASH'],
    ['ring_hash_lb_config: {minimum_ring_size: 8388608}', 'RING_HASH'],
    ['maglev_lb_config: {table_size: 5000011}', 'MAGLEV'],
    ['original_dst_lb_config: {}', 'RANDOM'],
  ])('%s is right under %s', (block, policy) => {
    expect(findings(staticCluster(`lb_policy: ${policy}\n${block}`))).toEqual([]);
  });

  test('the message says what to do', () => {
    const { problems } = read(Cluster, staticCluster('ring_hash_lb_config: {}'));
    expect(problems[0]?.message).toBe(
      'ring_hash_lb_config is set while lb_policy is ROUND_ROBIN (the default); the proxy refuses this at runtime. ' +
        'Set lb_policy: RING_HASH, or remove the block.',
    );
    const sizes = 'lb_policy: RING_HASH\nring_hash_lb_config: {minimum_ring_size: 100, maximum_ring_size: 10}';
    expect(read(Cluster, staticCluster(sizes)).problems[0]?.message).toBe(
      'ring hash: minimum_ring_size (100) > maximum_ring_size (10)',
    );
    const prime = read(Cluster, staticCluster('lb_policy: MAGLEV\nmaglev_lb_config: {table_size: 100}'));
    expect(prime.problems.at(-1)?.message).toContain('the next prime is 101');
  });

  test('under subsets, ring sizes in the wrong order are a warning', () => {
    const fields =
      'lb_policy: RING_HASH\nring_hash_lb_config: {minimum_ring_size: 2, maximum_ring_size: 1}\n' +
      'lb_subset_config: {subset_selectors: [{keys: [v]}]}';
    expect(findings(staticCluster(fields))).toEqual(['warning ring-size-order ring_hash_lb_config.maximum_ring_size']);
  });

  test('are a one-of', () => {
    const fields = 'lb_policy: RING_HASH\nring_hash_lb_config: {}\noriginal_dst_lb_config: {}';
    expect(findings(staticCluster(fields))).toEqual(['error one-of original_dst_lb_config']);
  });
});

describe('where hosts come from', () => {
  test.each([
    ['a static cluster without any', 'name: a\n', 'warning load-assignment-required '],
    [
      'the same by cluster_type',
      'name: a\ncluster_type: {name: envoy.cluster.strict_dns}\n',
      'warning load-assignment-required ',
    ],
    [
      'a custom cluster type',
      'name: a\ncluster_type: {name: proxy.cluster.sttic}\n',
      'error cluster-type cluster_type.name',
    ],
    ['EDS without its configuration', 'name: a\ntype: EDS\n', 'error eds-config type'],
    ['EDS without a source', 'name: a\ntype: EDS\neds_cluster_config: {}\n', 'error eds-config eds_cluster_config'],
    [
      'EDS by cluster_type',
      'name: a\ncluster_type: {name: envoy.cluster.eds}\neds_cluster_config: {eds_config: {ads: {}}}\n',
      'error eds-config eds_cluster_config',
    ],
    [
      'ORIGINAL_DST by cluster_type and its policy',
      'name: a\ncluster_type: {name: envoy.cluster.original_dst}\nlb_policy: ORIGINAL_DST_LB\n',
      'error cluster-provided lb_policy',
    ],
    [
      'subsets of what is provided',
      'name: a\ntype: ORIGINAL_DST\nlb_policy: ORIGINAL_DST_LB\nlb_subset_config: {subset_selectors: [{keys: [a]}]}\n',
      'error subset-cluster-provided lb_subset_config',
    ],
    ['EDS configuration elsewhere', staticCluster('eds_cluster_config: {}'), 'error eds-config eds_cluster_config'],
    [
      'EDS with a load assignment',
      `${EDS}load_assignment: {cluster_name: a}\n`,
      'warning eds-load-assignment load_assignment',
    ],
    [
      'ORIGINAL_DST with one',
      `${ORIGINAL_DST}load_assignment: {cluster_name: a}\n`,
      'error original-dst load_assignment',
    ],
    [
      'EDS through itself',
      'name: a\ntype: EDS\neds_cluster_config: {eds_config: {api_config_source: {api_type: GRPC, ' +
        'grpc_services: [{envoy_grpc: {cluster_name: a}}]}}}\n',
      'error config-source-cluster eds_cluster_config.eds_config.api_config_source',
    ],
    ['ORIGINAL_DST and a policy', 'name: a\ntype: ORIGINAL_DST\n', 'error cluster-provided type'],
    ['a provided policy elsewhere', staticCluster('lb_policy: CLUSTER_PROVIDED'), 'error cluster-provided lb_policy'],
    [
      'both kinds of type',
      staticCluster('type: STATIC\ncluster_type: {name: proxy.cluster.static}'),
      'error one-of cluster_type',
    ],
    [
      'a resolver that is no address',
      dns('STRICT_DNS', 'dns_resolvers: [{pipe: {path: /x}}]'),
      'error dns-resolver dns_resolvers[0]',
    ],
    [
      'hashing names elsewhere',
      staticCluster('common_lb_config: {consistent_hashing_lb_config: {use_hostname_for_hashing: true}}'),
      'error hostname-hashing common_lb_config.consistent_hashing_lb_config.use_hostname_for_hashing',
    ],
    [
      'hashing names of a cluster_type',
      dns('STRICT_DNS', 'common_lb_config: {consistent_hashing_lb_config: {use_hostname_for_hashing: true}}').replace(
        'type: STRICT_DNS',
        'cluster_type: {name: envoy.cluster.strict_dns}',
      ),
      'error hostname-hashing common_lb_config.consistent_hashing_lb_config.use_hostname_for_hashing',
    ],
  ])('%s', (_, yaml, expected) => {
    expect(findings(yaml)).toEqual([expected]);
  });

  test.each([EDS, ORIGINAL_DST, dns('STRICT_DNS'), dns('LOGICAL_DNS'), staticCluster()])('right: %s', (yaml) => {
    expect(findings(yaml)).toEqual([]);
  });

  test('a static host must be an IP address, and the proxy says how to use a name', () => {
    const { problems } = read(Cluster, dns('STATIC'));
    expect(problems).toMatchObject([
      { rule: 'endpoint-address', line: 3, path: expect.stringContaining('socket_address.address') as string },
    ]);
    expect(problems[0]?.message).toContain('malformed IP address: a.example. Consider setting resolver_name');
  });

  test('LOGICAL_DNS has one endpoint', () => {
    const none = 'name: a\ntype: LOGICAL_DNS\nload_assignment: {cluster_name: a}\n';
    expect(findings(none)).toEqual(['error logical-dns load_assignment.endpoints']);
  });

  test('deprecated hosts are the assignment, unless there is one', () => {
    const yaml =
      'name: a\nhosts: [{socket_address: {address: 127.0.0.1, port_value: 80}}, {socket_address: {address: x, port_value: 1}}]\n';
    const { problems } = read(Cluster, yaml);
    expect(problems.map(({ severity, path }) => `${severity} ${path}`)).toEqual([
      'deprecation hosts',
      'error hosts[1].socket_address.address',
    ]);
    const { value } = read(Cluster, yaml.replace('address: x', 'address: 127.0.0.2'));
    if (value === undefined) throw new Error('refused');
    expect(effectiveAssignment(value)).toMatchObject({
      clusterName: 'a',
      endpoints: [{ priority: 0, lbEndpoints: [{ endpoint: { address: value.hosts[0] } }, {}] }],
    });
    expect(findings(staticCluster('hosts: [{pipe: {path: /x}}]'))).toEqual(['warning superseded hosts']);
  });
});

describe('endpoints', () => {
  test.each([
    [', load_balancing_weight: 0', 'error range load_assignment.endpoints[0].lb_endpoints[0].load_balancing_weight'],
    [', health_status: SICK', 'error enum load_assignment.endpoints[0].lb_endpoints[0].health_status'],
    [', endpoint_name: x', 'error one-of load_assignment.endpoints[0].lb_endpoints[0].endpoint_name'],
  ])('%s', (field, expected) => {
    expect(findings(staticCluster('', field))).toEqual([expected]);
  });

  const groups = (policy: string, first: string, second: string, fields = ''): string =>
    `name: a\nlb_policy: ${policy}\n${fields}\nload_assignment:\n  cluster_name: a\n  endpoints:\n` +
    [first, second]
      .map((extra, index) => {
        const address = `{socket_address: {address: 127.0.0.${index + 1}, port_value: 80}}`;
        const [host, locality = ''] = extra.split('|');
        return `    - {lb_endpoints: [{endpoint: {address: ${address}}${host ?? ''}}]${locality}}\n`;
      })
      .join('');
  const MAX = ', load_balancing_weight: 4294967295';

  test('weights of a priority must fit 32 bits where a table is built from them', () => {
    expect(findings(groups('MAGLEV', MAX, ''))).toEqual([
      'error weight-sum load_assignment.endpoints[1].lb_endpoints[0].load_balancing_weight',
    ]);
    expect(findings(groups('MAGLEV', MAX, '|, priority: 1'))).toEqual([]);
    expect(findings(groups('ROUND_ROBIN', MAX, ''))).toEqual([]);
  });

  test('so must weights of localities, where they count', () => {
    const weighted = 'common_lb_config: {locality_weighted_lb_config: {}}';
    const first = `|${MAX}`;
    const second = '|, load_balancing_weight: 1';
    expect(findings(groups('RING_HASH', first, second, weighted))).toEqual([
      'error weight-sum load_assignment.endpoints[1].load_balancing_weight',
    ]);
    expect(findings(groups('RING_HASH', first, second))).toEqual([]);
  });

  test.each([
    ['policy: {overprovisioning_factor: 0}', 'error range load_assignment.policy.overprovisioning_factor'],
    [
      'policy: {drop_overloads: [{category: x}, {category: z}]}',
      'error drop-categories load_assignment.policy.drop_overloads[1]',
    ],
    [
      'policy: {drop_overloads: [{category: x, drop_percentage: {numerator: 101}}]}',
      'error drop-ratio load_assignment.policy.drop_overloads[0].drop_percentage.numerator',
    ],
    ['policy: {endpoint_stale_after: 0s}', 'error range load_assignment.policy.endpoint_stale_after'],
    ['endpoints: [{priority: 129}]', 'error range load_assignment.endpoints[0].priority'],
    ['endpoints: [{lb_endpoints: [{}]}]', 'error required load_assignment.endpoints[0].lb_endpoints[0]'],
  ])('%s', (field, expected) => {
    expect(findings(`name: a\nload_assignment: {cluster_name: a, ${field}}`)).toEqual([expected]);
  });
});

describe('subsets', () => {
  const selector = (fields: string): string => staticCluster(`lb_subset_config: {subset_selectors: [{${fields}}]}`);
  const at = 'lb_subset_config.subset_selectors[0].fallback_keys_subset';

  test.each([
    ['keys: [a, b], fallback_policy: KEYS_SUBSET', 'cannot be empty'],
    ['keys: [a, b], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [b, a]', 'cannot be equal to keys'],
    ['keys: [a, b], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [c]', 'must be a subset of keys: c'],
    ['keys: [a, b], fallback_keys_subset: [a]', 'can be set only for KEYS_SUBSET'],
  ])('%s', (fields, message) => {
    const { problems } = read(Cluster, selector(fields));
    expect(problems).toMatchObject([{ rule: 'fallback-keys-subset', path: at }]);
    expect(problems[0]?.message).toContain(message);
  });

  test('a proper subset is right, in any order and with repetitions', () => {
    expect(findings(selector('keys: [a, b], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [a, a]'))).toEqual([]);
  });

  test('that weigh localities need weighted localities', () => {
    const fields = 'lb_subset_config: {locality_weight_aware: true}';
    expect(findings(staticCluster(fields))).toEqual([
      'error subset-locality-weights lb_subset_config.locality_weight_aware',
    ]);
    expect(findings(staticCluster(`${fields}\ncommon_lb_config: {locality_weighted_lb_config: {}}`))).toEqual([]);
  });

  test('do not go with a provided policy', () => {
    expect(findings(`${ORIGINAL_DST}lb_subset_config: {subset_selectors: [{keys: [a]}]}`)).toEqual([
      'error subset-cluster-provided lb_subset_config',
    ]);
    expect(findings(`${ORIGINAL_DST}lb_subset_config: {}`)).toEqual([]);
  });
});

describe('the rest', () => {
  test('failed queries may wait as long at first as at last', () => {
    const fields = 'type: STRICT_DNS\ndns_failure_refresh_rate: {base_interval: 1s, max_interval: 1s}';
    expect(findings(staticCluster(fields).replace('type: STATIC\n', ''))).toEqual([]);
  });

  const check = 'timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1';

  test.each([
    [
      'common_lb_config: {healthy_panic_threshold: {value: 100.0001}}',
      'error range common_lb_config.healthy_panic_threshold.value',
    ],
    [
      'common_lb_config: {zone_aware_lb_config: {}, locality_weighted_lb_config: {}}',
      'error one-of common_lb_config.locality_weighted_lb_config',
    ],
    ['dns_refresh_rate: 0.000999999s', 'error range dns_refresh_rate'],
    [
      'dns_failure_refresh_rate: {base_interval: 1.0001s, max_interval: 1s}',
      'error refresh-rate-order dns_failure_refresh_rate.max_interval',
    ],
    ['dns_failure_refresh_rate: {max_interval: 1s}', 'error required dns_failure_refresh_rate'],
    [`health_checks: [{${check}}]`, 'error one-of-none health_checks[0]'],
    [
      `health_checks: [{${check}, grpc_health_check: {}}]`,
      'error grpc-health-check health_checks[0].grpc_health_check',
    ],
    [
      `health_checks: [{${check}, tcp_health_check: {send: {text: zz}}}]`,
      'error hex health_checks[0].tcp_health_check.send.text',
    ],
    [
      `health_checks: [{${check}, http_health_check: {path: /, expected_statuses: [{start: 200, end: 601}]}}]`,
      'error expected-statuses health_checks[0].http_health_check.expected_statuses[0].end',
    ],
    [
      `health_checks: [{${check}, http_health_check: {path: /, request_headers_to_add: [{header: {key: ":path"}}]}}]`,
      'error header-name health_checks[0].http_health_check.request_headers_to_add[0].header.key',
    ],
    [
      `health_checks: [{${check}, http_health_check: {path: /, request_headers_to_add: [{header: {key: k, value: 5%}}]}}]`,
      'error header-format health_checks[0].http_health_check.request_headers_to_add[0].header.value',
    ],
    [
      `health_checks: [{${check}, http_health_check: {path: /}}, {${check}, tcp_health_check: {}}]`,
      'warning health-checks health_checks[1]',
    ],
    ['http_protocol_options: {}\nhttp2_protocol_options: {}', 'error http-protocols http_protocol_options'],
    ['outlier_detection: {max_ejection_percent: 101}', 'error range outlier_detection.max_ejection_percent'],
    [
      'outlier_detection: {base_ejection_time: 2s, max_ejection_time: 1s}',
      'error ejection-time-order outlier_detection.max_ejection_time',
    ],
    ['circuit_breakers: {thresholds: [{}, {}]}', 'warning circuit-breaker-priority circuit_breakers.thresholds[1]'],
    [
      'upstream_bind_config: {source_address: {address: x, port_value: 0}}',
      'error ip-address upstream_bind_config.source_address.address',
    ],
    ...[
      'max_concurrent_streams: 5, custom_settings_parameters: [{identifier: 3, value: 1}]',
      'hpack_table_size: 5, custom_settings_parameters: [{identifier: 1, value: 1}]',
      'custom_settings_parameters: [{identifier: 2, value: 1}]',
      'custom_settings_parameters: [{identifier: 8, value: 0}]',
    ].map((options): [string, string] => [
      `http2_protocol_options: {${options}}`,
      'error http2-settings http2_protocol_options.custom_settings_parameters[0].identifier',
    ]),
    [
      'http2_protocol_options: {custom_settings_parameters: [{identifier: 16, value: 1}, {identifier: 16, value: 2}]}',
      'error http2-settings http2_protocol_options.custom_settings_parameters[1].identifier',
    ],
    [
      'http2_protocol_options: {custom_settings_parameters: [{identifier: 65536, value: 1}]}',
      'error range http2_protocol_options.custom_settings_parameters[0].identifier',
    ],
    [
      'extension_protocol_options: {}\ntyped_extension_protocol_options: {}',
      'error protocol-options extension_protocol_options',
    ],
    [
      'typed_extension_protocol_options: {nope: {"@type": x/envoy.y}}',
      'error key typed_extension_protocol_options.nope',
    ],
    ['transport_socket: {name: envoy.transport_sockets.tsl}', 'error extension-config transport_socket.name'],
    ['transport_socket: {name: constructor}', 'error extension-config transport_socket.name'],
    ['transport_socket: {name: nope, config: {}}', 'error extension-config transport_socket.name'],
    ['transport_socket: {name: envoy.transport_sockets.alts}', 'error extension-config transport_socket.name'],
    [
      'transport_socket: {name: x, typed_config: {"@type": x/constructor}}',
      'error any-type transport_socket.typed_config',
    ],
    [
      `health_checks: [{${check}, http_health_check: {path: /, host: "a\\nb"}}]`,
      'error format health_checks[0].http_health_check.host',
    ],
    [
      `health_checks: [{${check}, http_health_check: {path: /, request_headers_to_remove: [Host]}}]`,
      'error header-name health_checks[0].http_health_check.request_headers_to_remove[0]',
    ],
    [
      `health_checks: [{${check}, http_health_check: {path: /, request_headers_to_add: [{header: {key: k, value: "%BOGUS%"}}]}}]`,
      'error header-format health_checks[0].http_health_check.request_headers_to_add[0].header.value',
    ],
    ['transport_socket: {name: x, typed_config: {a: 1}}', 'error any-type transport_socket.typed_config'],
    ['transport_socket_matches: [{name: m}]', 'error required transport_socket_matches[0]'],
    ['tls_context: {}\ntransport_socket: {name: tls, config: {}}', 'warning superseded tls_context'],
    ['filters: [{name: nope}]', 'error extension-name filters[0].name'],
    ['metadata: {filter_metadata: {"": {}}}', 'error key metadata.filter_metadata[""]'],
    ['name: b', 'warning duplicate-key name'],
  ])('%s', (fields, expected) => {
    expect(findings(staticCluster(fields))).toEqual([expected]);
  });

  test.each([
    'common_http_protocol_options: {}\nhttp2_protocol_options: {}',
    'http2_protocol_options: {custom_settings_parameters: [{identifier: 3, value: 1}, {identifier: 2, value: 0}]}',
    'http2_protocol_options: {custom_settings_parameters: [{identifier: 16, value: 1}, {identifier: 16, value: 1}]}',
    'http2_protocol_options: {custom_settings_parameters: [{identifier: 0, value: 1}, {identifier: 65535, value: 1}]}',
  ])('protocols may have options: %s', (fields) => {
    expect(findings(staticCluster(fields))).toEqual([]);
  });

  test('the caller’s protocol may be chosen, which no run does', () => {
    const fields = 'protocol_selection: USE_DOWNSTREAM_PROTOCOL\nhttp_protocol_options: {}\nhttp2_protocol_options: {}';
    expect(findings(staticCluster(fields))).toEqual(['warning not-simulated protocol_selection']);
  });

  test('a host at a pipe has one address', () => {
    const at = (port: number): string =>
      `name: a\nload_assignment: {cluster_name: a, endpoints: [{lb_endpoints: [{endpoint: ` +
      `{address: {pipe: {path: /x}}, health_check_config: {port_value: ${port}}}}]}]}\n`;
    expect(findings(at(0))).toEqual([]);
    expect(findings(at(80))).toEqual([
      'error health-check-port load_assignment.endpoints[0].lb_endpoints[0].endpoint.health_check_config.port_value',
    ]);
  });

  /** As every mesh of the v2 era wrote them. */
  test.each([
    'transport_socket: {name: envoy.transport_sockets.raw_buffer}',
    'transport_socket: {name: tls}',
    'transport_socket: {name: envoy.transport_sockets.alts, config: {handshaker_service: x}}',
    'transport_socket_matches: [{name: m, match: {}, transport_socket: {name: envoy.transport_sockets.raw_buffer}}]',
    'filters: [{name: envoy.filters.network.x}]',
  ])('an extension is found by its name: %s', (fields) => {
    expect(findings(staticCluster(fields))).toEqual([]);
  });

  test.each([
    'auth.UpstreamTlsContext',
    'envoy.api.v2.auth.UpstreamTlsContext',
    'proxy.api.v2.auth.UpstreamTlsContext',
    'envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
  ])('%s is the message of our page', (type) => {
    const socket = (fields: string): string =>
      `transport_socket: {name: tls, typed_config: {"@type": type.googleapis.com/${type}, ${fields}}}`;
    expect(findings(staticCluster(socket('sni: x')))).toEqual([]);
    expect(findings(staticCluster(socket('snj: x')))).toEqual([
      'error unknown-field transport_socket.typed_config.snj',
    ]);
  });

  test.each([
    ['load_balancing_policy: {}', 'it is v3; name the policy in lb_policy'],
    ['ignore_health_on_host_removal: true', 'drain_connections_on_host_removal'],
  ])('v3 only: %s', (fields, hint) => {
    expect(read(Cluster, staticCluster(fields)).problems[0]?.message).toContain(hint);
  });

  test('v3 types of protocol options are refused with a word on what to write', () => {
    const options =
      'typed_extension_protocol_options: {envoy.extensions.upstreams.http.v3.HttpProtocolOptions: ' +
      '{"@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions}}';
    const { problems } = read(Cluster, staticCluster(options));
    expect(problems.find(({ rule }) => rule === 'v3-only')?.message).toContain('http2_protocol_options');
  });

  test('several mistakes are told together', () => {
    const yaml = staticCluster(
      'ring_hash_lb_config: {}\ncommon_lb_config: {healthy_panic_threshold: 50}\nlb_subset_config: {x: 1}',
    );
    expect(findings(yaml.replace('port_value: 80', 'port_value: 65536'))).toHaveLength(4);
  });

  test('names in statistics have no colon', () => {
    expect(statName({ name: 'a:b', altStatName: '' })).toBe('a_b');
    expect(statName({ name: 'a', altStatName: 'x:y:z' })).toBe('x_y_z');
  });
});
