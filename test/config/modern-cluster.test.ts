import { describe, expect, it } from 'vitest';
import { discoveryType, lookupsOf, type Cluster } from '../../src/config/cluster/cluster-shape.js';
import { consistentHashing, policySettings } from '../../src/config/lb.js';
import { type Policy } from '../../src/config/policy/policy.js';
import { policyOf } from '../../src/config/policy/of-cluster.js';
import { clusterSettings } from '../../src/config/to-settings.js';
import { loadScenario } from '../../src/scenario/load.js';

/** What v3 says in messages of extensions is what the cluster's own fields say. */

const POLICIES = 'type.googleapis.com/envoy.extensions.load_balancing_policies';

function read(fields: object): { readonly cluster: Cluster | undefined; readonly errors: readonly string[] } {
  const { scenario, problems } = loadScenario({ file: 'a.json', text: JSON.stringify({ name: 'a', ...fields }) });
  const errors = problems.filter(({ severity }) => severity === 'error');
  return { cluster: scenario?.clusters[0], errors: errors.map(({ rule, message }) => `${rule}: ${message}`) };
}

function typed(message: string, settings: object = {}): object {
  const config = { name: message, typed_config: { '@type': `${POLICIES}.${message}`, ...settings } };
  return { load_balancing_policy: { policies: [{ typed_extension_config: config }] } };
}

function policyIn(fields: object): Policy | undefined {
  const { cluster } = read(fields);
  return cluster && policyOf(cluster);
}

describe('a typed policy', () => {
  it.each([
    ['round_robin.v3.RoundRobin', {}, { kind: 'round_robin' }],
    ['random.v3.Random', {}, { kind: 'random' }],
    ['least_request.v3.LeastRequest', { choice_count: 3 }, { choiceCount: 3 }],
    ['ring_hash.v3.RingHash', { minimum_ring_size: 7 }, { minimumRingSize: 7n }],
    ['ring_hash.v3.RingHash', { hash_function: 'DEFAULT_HASH' }, { hashFunction: 'XX_HASH' }],
    ['maglev.v3.Maglev', { table_size: 7 }, { kind: 'maglev', tableSize: 7n }],
    [
      'least_request.v3.LeastRequest',
      { locality_lb_config: { zone_aware_lb_config: { force_local_zone: { min_size: 2 } } } },
      { localityLbConfig: { zoneAwareLbConfig: { forceLocalZone: { minSize: 2 } } } },
    ],
    [
      'random.v3.Random',
      { locality_lb_config: { zone_aware_lb_config: { force_locality_direct_routing: true } } },
      { localityLbConfig: { zoneAwareLbConfig: { forceLocalZone: {} } } },
    ],
    [
      'maglev.v3.Maglev',
      { locality_weighted_lb_config: {}, consistent_hashing_lb_config: { hash_balance_factor: 120 } },
      { localityWeightedLbConfig: {}, consistentHashingLbConfig: { hashBalanceFactor: 120 } },
    ],
  ])('%s %j', (message, settings, expected) => {
    const { cluster, errors } = read(typed(message, settings));
    expect(errors).toEqual([]);
    expect(cluster && policyOf(cluster)).toMatchObject(expected);
  });

  it.each([
    ['ring_hash.v3.RingHash', { maximum_ring_size: 9_000_000 }, { maximumRingSize: 9_000_000n }],
    ['maglev.v3.Maglev', { table_size: 6_000_011 }, { tableSize: 6_000_011n }],
    ['least_request.v3.LeastRequest', { choice_count: 1 }, { choiceCount: 1 }],
  ])('%s %j is beyond a limit that the proxy checks of the older field only', (message, settings, expected) => {
    const { cluster, errors } = read(typed(message, settings));
    expect(errors).toEqual([]);
    expect(cluster && policyOf(cluster)).toMatchObject(expected);
    const older = read({ least_request_lb_config: { choice_count: 1 }, lb_policy: 'LEAST_REQUEST' });
    expect(older.errors).toEqual([expect.stringContaining('range')]);
  });

  it('has no share that is no number', () => {
    const zones = { locality_lb_config: { zone_aware_lb_config: { routing_enabled: { value: 'NaN' } } } };
    const { errors } = read(typed('round_robin.v3.RoundRobin', zones));
    expect(errors).toEqual([expect.stringContaining('NaN')]);
  });

  it('goes before lb_policy and its settings', () => {
    const fields = {
      ...typed('random.v3.Random'),
      lb_policy: 'RING_HASH',
      ring_hash_lb_config: { minimum_ring_size: 7 },
    };
    expect(policyIn(fields)).toEqual({ kind: 'random' });
  });

  it('goes before fields that are checked all the same', () => {
    const typed_policy = typed('random.v3.Random');
    expect(read({ ...typed_policy, lb_policy: 'LOAD_BALANCING_POLICY_CONFIG' }).errors).toEqual([]);
    expect(read({ ...typed_policy, lb_policy: 'NONE' }).errors).toEqual([expect.stringMatching(/^enum/)]);
    expect(read({ lb_policy: 'LOAD_BALANCING_POLICY_CONFIG', ignore_health_on_host_removal: true }).errors).toEqual([
      'enum: lb_policy: LOAD_BALANCING_POLICY_CONFIG says that there is a load_balancing_policy, and there is none',
    ]);
  });

  it('is the one within subsets', () => {
    const subset = {
      subset_selectors: [{ keys: ['v'] }],
      subset_lb_policy: typed('random.v3.Random')['load_balancing_policy' as never],
    };
    expect(policyIn(typed('subset.v3.Subset', subset))).toMatchObject({
      kind: 'subset',
      inner: { kind: 'random' },
      subsetSelectors: [{ keys: ['v'] }],
    });
  });

  it('is the first that the proxy knows', () => {
    const unknown = { typed_extension_config: { name: 'x', typed_config: { '@type': 'type.googleapis.com/x.Y' } } };
    const known = typed('random.v3.Random') as {
      readonly load_balancing_policy: { readonly policies: readonly object[] };
    };
    const policies = [unknown, ...known.load_balancing_policy.policies];
    expect(policyIn({ load_balancing_policy: { policies } })).toEqual({ kind: 'random' });
    expect(read({ load_balancing_policy: { policies: [unknown] } }).errors).toEqual([
      'load-balancing-policy: load_balancing_policy names no policy that the proxy knows',
    ]);
  });

  it.each([
    ['@type', { '@type': 'type.googleapis.com/acme.Policy' }, 'warning', 'a proxy that does not have it refuses'],
    [
      'a TypedStruct',
      { '@type': 'type.googleapis.com/xds.type.v3.TypedStruct', type_url: 'type.googleapis.com/acme.Policy' },
      'note',
      'passed over',
    ],
  ])('tells what it passes over: %s', (_, config, severity, words) => {
    const known = typed('random.v3.Random') as {
      readonly load_balancing_policy: { readonly policies: readonly object[] };
    };
    const unknown = { typed_extension_config: { name: 'acme', typed_config: config } };
    const policies = [unknown, ...known.load_balancing_policy.policies];
    const { problems } = loadScenario({
      file: 'a.json',
      text: JSON.stringify({ name: 'a', load_balancing_policy: { policies } }),
    });
    const told = problems.filter(({ message }) => message.startsWith('acme.Policy is not a policy'));
    expect(told).toMatchObject([{ severity, message: expect.stringContaining(words) as string }]);
  });

  it.each(['xds.type.v3', 'udpa.type.v1'])('is the same as a TypedStruct of %s', (of) => {
    const config = {
      '@type': `type.googleapis.com/${of}.TypedStruct`,
      type_url: `${POLICIES}.ring_hash.v3.RingHash`,
      value: { minimum_ring_size: 7 },
    };
    const policies = [{ typed_extension_config: { name: 'a', typed_config: config } }];
    const { cluster, errors } = read({ load_balancing_policy: { policies } });
    expect(errors).toEqual([]);
    expect(cluster && policyOf(cluster)).toMatchObject({ kind: 'ring_hash', minimumRingSize: 7n });
  });

  it('is no TypedStruct as the type of a cluster, as a 1.40.0 shows', () => {
    const config = {
      '@type': 'type.googleapis.com/xds.type.v3.TypedStruct',
      type_url: 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig',
      value: { clusters: ['b'] },
    };
    const fields = { lb_policy: 'CLUSTER_PROVIDED', cluster_type: { name: 'aggregate', typed_config: config } };
    expect(read(fields).errors).toContainEqual(expect.stringMatching(/^cluster-type:/));
  });

  it('stands alone: the proxy refuses what it has itself', () => {
    const beside = { ...typed('random.v3.Random'), common_lb_config: { locality_weighted_lb_config: {} } };
    expect(read(beside).errors).toEqual([
      'load-balancing-policy: locality_weighted_lb_config cannot stand beside load_balancing_policy: it belongs into the policy there, as load_balancing_policy.policies[0].typed_extension_config.typed_config.locality_lb_config.locality_weighted_lb_config',
    ]);
  });

  it('is refused by name where it is not simulated', () => {
    expect(read(typed('dynamic_modules.v3.DynamicModulesLoadBalancerConfig')).errors).toEqual([
      'not-simulated: the policy dynamic_modules is not simulated: a library of your own chooses the host, in a way that is unknown here',
    ]);
  });
});

describe('what a typed policy says', () => {
  const within = (field: string, inner: object): object => ({
    [field]: (inner as { readonly load_balancing_policy: object }).load_balancing_policy,
  });
  const at = 'load_balancing_policy.policies[0].typed_extension_config.typed_config';

  it.each<readonly [string, object, string]>([
    ['a field that it has not', typed('random.v3.Random', { nonsense: 1 }), `${at}.nonsense`],
    [
      'a field that is rewritten',
      typed('ring_hash.v3.RingHash', { minimum_ring_size: 'x' }),
      `${at}.minimum_ring_size`,
    ],
    [
      'localities',
      typed('maglev.v3.Maglev', { locality_weighted_lb_config: { x: 1 } }),
      `${at}.locality_weighted_lb_config.x`,
    ],
    [
      'hashing',
      typed('maglev.v3.Maglev', { consistent_hashing_lb_config: { hash_policy: [{ header: {} }] } }),
      `${at}.consistent_hashing_lb_config.hash_policy[0].header`,
    ],
    [
      'the policy inside',
      typed('subset.v3.Subset', within('subset_lb_policy', typed('maglev.v3.Maglev', { table_size: 'x' }))),
      `${at}.subset_lb_policy.policies[0].typed_extension_config.typed_config.table_size`,
    ],
  ])('is told where it is written: %s', (_, fields, path) => {
    const text = JSON.stringify({ name: 'a', ...fields });
    const { problems } = loadScenario({ file: 'a.json', text });
    expect(problems.filter(({ severity }) => severity === 'error').map((problem) => problem.path)).toContain(path);
  });

  it('is checked around its settings, too', () => {
    const policy = {
      typed_extension_config: { nxame: 'a', typed_config: { '@type': `${POLICIES}.random.v3.Random` } },
    };
    const text = JSON.stringify({ name: 'a', load_balancing_policy: { policies: [policy] } });
    const { problems } = loadScenario({ file: 'a.json', text });
    expect(problems.map(({ rule }) => rule)).toContain('unknown-field');
  });

  it.each(['', '1', false, []])('has a message of localities, not %j', (localityLbConfig) => {
    const { errors } = read(typed('random.v3.Random', { locality_lb_config: localityLbConfig }));
    expect(errors).toEqual([expect.stringMatching(/^type: expected a map \(.*LocalityLbConfig\), found /)]);
  });

  it('has host names of any cluster hashed, and any factor', () => {
    const hashing = {
      use_hostname_for_hashing: true,
      hash_balance_factor: 99,
      hash_policy: [{ header: { header_name: 'a' } }],
    };
    const { cluster, errors } = read(typed('ring_hash.v3.RingHash', { consistent_hashing_lb_config: hashing }));
    expect(errors).toEqual([]);
    expect(cluster && consistentHashing(cluster, '1.40')).toMatchObject({
      useHostnameForHashing: true,
      hashBalanceFactor: 99,
      hashSources: [{ header: 'a', terminal: false }],
    });
  });

  it('counts in RingHash itself where there is no consistent_hashing_lb_config', () => {
    const former = { use_hostname_for_hashing: true, hash_balance_factor: 150 };
    const of = (more: object): unknown => {
      const { cluster } = read(typed('ring_hash.v3.RingHash', { ...former, ...more }));
      return cluster && consistentHashing(cluster, '1.40');
    };
    expect(of({})).toMatchObject({ useHostnameForHashing: true, hashBalanceFactor: 150 });
    const other = { consistent_hashing_lb_config: { hash_balance_factor: 120 } };
    expect(of(other)).toMatchObject({ useHostnameForHashing: false, hashBalanceFactor: 120 });
  });

  it('keeps traffic local under either name, the newer one first', () => {
    const zones = (zone_aware_lb_config: object): unknown =>
      policyIn(typed('random.v3.Random', { locality_lb_config: { zone_aware_lb_config } }));
    const former = { force_locality_direct_routing: true };
    expect(zones(former)).toMatchObject({ localityLbConfig: { zoneAwareLbConfig: { forceLocalZone: {} } } });
    const both = { ...former, force_local_zone: { min_size: 3 } };
    expect(zones(both)).toMatchObject({ localityLbConfig: { zoneAwareLbConfig: { forceLocalZone: { minSize: 3 } } } });
    const nothing = typed('round_robin.v3.RoundRobin', {
      locality_lb_config: { zone_aware_lb_config: { force_locality_direct_routing: null, min_cluster_size: 3 } },
    });
    expect(read(nothing)).toMatchObject({
      cluster: { loadBalancingPolicy: { localityLbConfig: { zoneAwareLbConfig: { minClusterSize: 3n } } } },
      errors: [],
    });
  });

  it.each([
    ['round_robin.v3.RoundRobin', {}, /^load-balancing-policy: wrr_locality takes client_side_weighted/],
    [
      'wrr_locality.v3.WrrLocality',
      within('endpoint_picking_policy', typed('client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin')),
      /^not-simulated: wrr_locality inside of wrr_locality is not simulated$/,
    ],
  ])('takes no %s within wrr_locality', (message, settings, error) => {
    const inner = within('endpoint_picking_policy', typed(message, settings));
    expect(read(typed('wrr_locality.v3.WrrLocality', inner)).errors).toEqual([expect.stringMatching(error)]);
  });

  it('is not looked at behind the policy that counts, beyond what any file is', () => {
    const inner = within('endpoint_picking_policy', typed('round_robin.v3.RoundRobin', { slow_start_config: {} }));
    const [counts, other] = [typed('random.v3.Random'), typed('wrr_locality.v3.WrrLocality', inner)] as readonly {
      readonly load_balancing_policy: { readonly policies: readonly object[] };
    }[];
    const policies = [counts, other].flatMap((one) => one?.load_balancing_policy.policies ?? []);
    expect(read({ load_balancing_policy: { policies } }).errors).toEqual([]);
    expect(policyIn({ load_balancing_policy: { policies } })).toEqual({ kind: 'random' });
  });

  it('weighs localities and hosts in wrr_locality', () => {
    const inner = typed('client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin', { blackout_period: '2s' });
    const { cluster, errors } = read(typed('wrr_locality.v3.WrrLocality', within('endpoint_picking_policy', inner)));
    expect(errors).toEqual([]);
    expect(cluster && policySettings(cluster, '1.40')).toMatchObject({
      lbPolicy: 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN',
      localityWeighted: true,
      clientSideWeights: { blackoutUs: 2_000_000, errorPenalty: 0 },
    });
  });
});

describe('a typed cluster type', () => {
  it.each([
    [false, 'STRICT_DNS'],
    [true, 'LOGICAL_DNS'],
  ])('of names, all addresses in one endpoint: %s', (single, type) => {
    const typedConfig = {
      '@type': 'type.googleapis.com/envoy.extensions.clusters.dns.v3.DnsCluster',
      dns_refresh_rate: '3s',
      all_addresses_in_single_endpoint: single,
    };
    const address = { socket_address: { address: 'a.example', port_value: 80 } };
    const { cluster, errors } = read({
      cluster_type: { name: 'envoy.cluster.dns', typed_config: typedConfig },
      load_assignment: { cluster_name: 'a', endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
    });
    expect(errors).toEqual([]);
    expect(cluster && discoveryType(cluster)).toBe(type);
    expect(cluster && lookupsOf(cluster)).toMatchObject({ refreshRate: 3_000_000, family: 'AUTO' });
  });

  it('of names is one host per address where only its name stands', () => {
    const address = { socket_address: { address: 'a.example', port_value: 80 } };
    const { cluster, errors } = read({
      cluster_type: { name: 'envoy.cluster.dns' },
      ignore_health_on_host_removal: true,
      load_assignment: { cluster_name: 'a', endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
    });
    expect(errors).toEqual([]);
    expect(cluster && discoveryType(cluster)).toBe('STRICT_DNS');
  });
});

describe('typed protocol options', () => {
  const HTTP = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
  const options = (fields: object): object => ({
    typed_extension_protocol_options: { [HTTP]: { '@type': `type.googleapis.com/${HTTP}`, ...fields } },
  });
  const connections = (fields: object): unknown => {
    const { cluster } = read(fields);
    return cluster && clusterSettings(cluster, ['1.40']).connections;
  };

  it('say HTTP/2, and how many requests a connection serves', () => {
    const typed = options({
      explicit_http_config: { http2_protocol_options: { max_concurrent_streams: 5 } },
      common_http_protocol_options: { max_requests_per_connection: 9 },
    });
    expect(connections(typed)).toMatchObject({ http2: true, maxConcurrentStreams: 5, maxRequestsPerConnection: 9 });
  });

  it('go before those of the cluster', () => {
    const http1 = options({ explicit_http_config: { http_protocol_options: {} } });
    expect(connections({ ...http1, http2_protocol_options: {} })).toMatchObject({ http2: false });
    const http2 = options({ explicit_http_config: { http2_protocol_options: {} } });
    expect(read({ ...http2, http_protocol_options: {} }).errors).toEqual([]);
  });

  it('of the cluster itself end connections, too', () => {
    const common = { common_http_protocol_options: { max_requests_per_connection: 7 } };
    const v3 = { ignore_health_on_host_removal: true };
    expect(connections({ ...v3, ...common })).toMatchObject({ maxRequestsPerConnection: 7 });
    const both = {
      ...options({ explicit_http_config: { http_protocol_options: {} }, ...common }),
      max_requests_per_connection: 3,
    };
    expect(read(both).errors).toEqual([expect.stringContaining('Only one of max_requests_per_connection')]);
  });

  it.each<readonly [string, object]>([
    ['HTTP/2', { explicit_http_config: { http2_protocol_options: {} } }],
    ['what TLS agrees on', { auto_config: {} }],
    ['what clients speak', { use_downstream_protocol_config: { http2_protocol_options: {} } }],
  ])('let a cluster have gRPC health checks: %s', (_, fields) => {
    const checks = { health_checks: [{ ...CHECK, grpc_health_check: {} }] };
    expect(read({ ...options(fields), ...checks }).errors).toEqual([]);
    const http1 = options({ explicit_http_config: { http_protocol_options: {} } });
    expect(read({ ...http1, ...checks, http2_protocol_options: {} }).errors).toEqual([
      expect.stringContaining('must support HTTP/2'),
    ]);
  });

  it('are told once, where they stand', () => {
    const streams = { explicit_http_config: { http2_protocol_options: { max_concurrent_streams: 0 } } };
    const text = JSON.stringify({ name: 'a', ...options(streams) });
    const { problems } = loadScenario({ file: 'a.json', text });
    expect(problems.filter(({ severity }) => severity === 'error').map(({ path }) => path)).toEqual([
      `typed_extension_protocol_options["${HTTP}"].explicit_http_config.http2_protocol_options.max_concurrent_streams`,
    ]);
  });
});

const CHECK = { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1 };

describe('an extension without typed_config', () => {
  it('is found by its name in v2 alone', () => {
    const check = { ...CHECK, custom_health_check: { name: 'envoy.health_checkers.redis' } };
    const found = read({ ...typed('random.v3.Random'), health_checks: [check] });
    expect(read({ health_checks: [check], drain_connections_on_host_removal: true }).errors).toEqual([]);
    expect(found.errors).toEqual([
      "extension-config: Didn't find a registered implementation for 'envoy.health_checkers.redis' with type URL: ''; in v3 an extension is found by the type of its typed_config: write typed_config: {\"@type\": type.googleapis.com/envoy.extensions.health_checkers.redis.v3.Redis}",
    ]);
  });
});

describe('a field without effect', () => {
  it('may be wrong: it is told and nothing stops', () => {
    const { cluster, errors } = read({
      ...typed('random.v3.Random'),
      upstream_connection_options: { happy_eyeballs_config: { first_address_family_count: 0 } },
    });
    expect(errors).toEqual([]);
    expect(cluster && policyOf(cluster)).toEqual({ kind: 'random' });
  });
});

describe('a field that is not known', () => {
  const extension = { name: 'a', typed_config: { '@type': `${POLICIES}.random.v3.Random` } };
  const policies = (policy: object, beside: object = {}): object => ({
    load_balancing_policy: { policies: [policy], ...beside },
  });
  const options = (fields: object): object => ({
    typed_extension_protocol_options: {
      http: { '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions', ...fields },
    },
  });

  it.each<[string, object, string]>([
    ['beside the policies', policies({ typed_extension_config: extension }, { policys: [] }), 'did you mean policies?'],
    ['of a policy', policies({ typed_extension_config: extension, typed_config: {} }), 'LoadBalancingPolicy.Policy'],
    ['beside its type', policies({ typed_extension_config: { ...extension, typed: {} } }), 'TypedExtensionConfig'],
    ['of protocols', options({ explicit_http_configs: {} }), 'did you mean explicit_http_config?'],
    [
      'of connections',
      options({ explicit_http_config: {}, common_http_protocol_options: { max_request_per_connection: 3 } }),
      'did you mean max_requests_per_connection?',
    ],
  ])('is a mistake where it may be meant to act: %s', (_, fields, advice) => {
    const [error = '', ...more] = read({ lb_policy: 'RANDOM', ...fields }).errors.filter((text) =>
      /^unknown-field/.test(text),
    );
    expect(more).toEqual([]);
    expect(error).toContain(advice);
  });

  it('is one note where nothing is balanced by it, wherever it stands', () => {
    const tls = 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext';
    const text = JSON.stringify({
      name: 'a',
      load_balancing_policy: { policies: [{ typed_extension_config: extension }] },
      transport_socket: {
        name: 'tls',
        later: 1,
        typed_config: { '@type': tls, later: 2, common_tls_context: { later: 3 } },
      },
      upstream_connection_options: { later: 4, tcp_keepalive: { later: 5 } },
      metadata: { later: 6 },
    });
    const { scenario, problems } = loadScenario({ file: 'a.json', text });
    expect(scenario?.clusters).toHaveLength(1);
    const unknown = problems.filter(({ rule }) => rule === 'unknown-field');
    expect(unknown.map(({ severity, message }) => [severity, message])).toEqual([
      ['note', expect.stringMatching(/^later is not a field of .* as it is known here; it balances nothing$/)],
    ]);
  });
});

describe('servers that a proxy asks later', () => {
  it('are not looked at before, as in a 1.40.0', () => {
    const cluster_manager = { load_stats_config: { api_type: 'GRPC', transport_api_version: 'V3' } };
    const text = JSON.stringify({ cluster_manager, static_resources: { clusters: [{ name: 'a' }] } });
    const { problems } = loadScenario({ file: 'a.json', text });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
