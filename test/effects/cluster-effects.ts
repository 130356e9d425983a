import type { Effect } from './variants.js';
import { assigned, cluster, effectsOf, endpoint, TRAFFIC, typedPolicy, verdict } from './variants.js';

const TWO = `lb_endpoints: [${endpoint('10.0.0.1:80')}, ${endpoint('10.0.0.2:80')}]`;
const NEW = 'proxy: {version: "1.40"}\n';
const KEYED = 'workloads: [{cluster: b, arrivals: {constant: 500/s}, stop: 1s, hash_key: {zipf: {keys: 20}}}]\n';
const SLOW = 'behavior: [{service_time: 100ms}]\n';
const SINGLE_SLOW = 'behavior: [{hosts: 10.0.0.1:80, service_time: 500ms}]\n';
export const NAMES = '{h1.test: {addresses: [10.0.0.1]}, h2.test: {addresses: [10.0.0.2]}}';
export const RESOLVED = `endpoints: [{lb_endpoints: [${endpoint('h1.test:80')}, ${endpoint('h2.test:80')}]}]`;
const dns = (fields: string, rest = `dns: ${NAMES}\n`): string =>
  assigned(RESOLVED, `type: STRICT_DNS, ${fields}`, rest);
const TWO_CLUSTERS = (fields: string): string =>
  `clusters: [{name: b}, {name: c}, {name: a, lb_policy: CLUSTER_PROVIDED, ${fields}}]\nendpoints: {b: [10.0.0.1:80], c: [10.0.0.2:80]}\nworkloads: [{cluster: a, arrivals: {constant: 50/s}, stop: 1s}]\n`;
const FAIL_ONE = 'timeline: [{at: 500ms, set_health: {hosts: 10.0.0.1:80, status: UNHEALTHY}}]\n';

/** Sockets by metadata, for two hosts of which the first asks for TLS. */
const socketMatch = (name: string, tls: string): string =>
  `{name: ${name}, match: {tls: "${tls}"}, transport_socket: {name: proxy.transport_sockets.raw_buffer, typed_config: {"@type": type.googleapis.com/proxy.config.transport_socket.raw_buffer.v2.RawBuffer}}}`;
const ASKS_FOR_TLS = 'metadata: {filter_metadata: {envoy.transport_socket_match: {tls: "yes"}}}';
const matched = (matches: string): string =>
  assigned(
    `endpoints: [{lb_endpoints: [${endpoint('10.0.0.1:80', `, ${ASKS_FOR_TLS}`)}, ${endpoint('10.0.0.2:80')}]}]`,
    `transport_socket_matches: [${matches}]`,
  );

const clusterFields = effectsOf('Cluster', {
  name: 'clusters: [{name: «b|c»}]\nendpoints: {«b|c»: [10.0.0.1:80]}\nworkloads: [{cluster: «b|c», arrivals: {constant: 10/s}, stop: 1s}]\n',
  alt_stat_name: cluster('«alt_stat_name: x:y|»'),
  type:
    assigned(RESOLVED, 'type: «STRICT_DNS|LOGICAL_DNS»').replace(`, ${endpoint('h2.test:80')}`, '') +
    'dns: {h1.test: {addresses: [10.0.0.1, 10.0.0.2]}}\n',
  cluster_type:
    assigned(RESOLVED, 'cluster_type: {name: proxy.cluster.«strict_dns|logical_dns»}').replace(
      `, ${endpoint('h2.test:80')}`,
      '',
    ) + 'dns: {h1.test: {addresses: [10.0.0.1, 10.0.0.2]}}\n',
  eds_cluster_config: `clusters: [{name: b, type: EDS, eds_cluster_config: {«|service_name: s,» eds_config: {ads: {}}}}, {name: s, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}, {name: c, type: EDS, eds_cluster_config: {service_name: b, eds_config: {ads: {}}}}]\nassignments: {b: {cluster_name: b, endpoints: [{${TWO}}]}, s: {cluster_name: s}}\n${TRAFFIC}`,
  connect_timeout: cluster('connect_timeout: «5s|0.05s»', { rest: 'behavior: [{connect_time: 100ms}]\n' }),
  lb_policy: cluster('lb_policy: «ROUND_ROBIN|RANDOM»'),
  load_balancing_policy: cluster(typedPolicy('load_balancing_policy', '«random.v3.Random|maglev.v3.Maglev»', '')),
  hosts: cluster(
    'hosts: [{socket_address: {address: 10.0.0.1, port_value: 80}}«|, {socket_address: {address: 10.0.0.2, port_value: 80}}»]',
    { hosts: '' },
  ),
  load_assignment: assigned(`endpoints: [{${TWO}}]«|, policy: {overprovisioning_factor: 100}»`)
    .replace('«|, policy: {overprovisioning_factor: 100}»', '')
    .replace('10.0.0.2', '10.0.0.«2|3»'),
  health_checks: cluster(
    'health_checks: [«|{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}»]',
    { rest: 'behavior: [{hosts: 10.0.0.1:80, health_check: refuse}]\n' },
  ),
  max_requests_per_connection: cluster('max_requests_per_connection: «0|1»'),
  circuit_breakers: cluster('circuit_breakers: {«|thresholds: [{max_requests: 1}]»}, http2_protocol_options: {}', {
    rest: SLOW,
  }),
  http2_protocol_options: cluster('«|http2_protocol_options: {}»', { rest: SLOW }),
  track_timeout_budgets: cluster('track_timeout_budgets: «false|true»'),
  transport_socket_matches: matched(`«|${socketMatch('tls', 'yes')}»`),
  dns_refresh_rate: dns('dns_refresh_rate: «5s|0.5s»'),
  dns_failure_refresh_rate: dns(
    'dns_refresh_rate: 5s«|, dns_failure_refresh_rate: {base_interval: 0.1s, max_interval: 0.2s}»',
    'dns: {h1.test: {addresses: [10.0.0.1]}, h2.test: {fail: true}}\n',
  ),
  respect_dns_ttl: dns(
    'respect_dns_ttl: «false|true»',
    'dns: {h1.test: {addresses: [10.0.0.1], ttl: 1s}, h2.test: {addresses: [10.0.0.2], ttl: 1s}}\n',
  ),
  dns_lookup_family: dns(
    'dns_lookup_family: «AUTO|V4_ONLY»',
    'dns: {h1.test: {addresses: [10.0.0.1, "2001:db8::1"]}, h2.test: {addresses: [10.0.0.2]}}\n',
  ),
  outlier_detection: cluster('«|outlier_detection: {consecutive_5xx: 2, max_ejection_percent: 100}»', {
    rest: 'behavior: [{hosts: 10.0.0.1:80, error_rate: 100%}]\n',
  }),
  cleanup_interval: cluster(
    'type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED, cleanup_interval: «0.5s|5s», original_dst_lb_config: {use_http_header: true}',
    {
      hosts: '',
      traffic:
        'duration: 3s\nrequests: [{at: 0s, cluster: b, headers: {x-proxy-original-dst-host: "10.0.0.9:80"}}, {at: 2s, cluster: b, headers: {x-proxy-original-dst-host: "10.0.0.8:80"}}]\n',
    },
  ),
  lb_subset_config: cluster('lb_subset_config: {fallback_policy: ANY_ENDPOINT«|, subset_selectors: [{keys: [v]}]»}', {
    hosts: '{address: 10.0.0.1:80, metadata: {v: "1"}}, {address: 10.0.0.2:80, metadata: {v: "2"}}',
    traffic: 'workloads: [{cluster: b, arrivals: {constant: 100/s}, stop: 1s, metadata_match: {v: "1"}}]\n',
  }),
  ring_hash_lb_config: cluster('lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: «8|2048»}'),
  maglev_lb_config: cluster('lb_policy: MAGLEV, maglev_lb_config: {«|table_size: 11»}'),
  original_dst_lb_config: cluster(
    'type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED, original_dst_lb_config: {use_http_header: «false|true»}',
    {
      hosts: '',
      traffic: 'requests: [{at: 0s, cluster: b, headers: {x-proxy-original-dst-host: "10.0.0.9:80"}}]\n',
    },
  ),
  least_request_lb_config: cluster('lb_policy: LEAST_REQUEST, least_request_lb_config: {choice_count: «2|4»}', {
    rest: SINGLE_SLOW,
  }),
  round_robin_lb_config: cluster('round_robin_lb_config: {«|slow_start_config: {slow_start_window: 60s}»}', {
    rest: `${NEW}timeline: [{at: 0.5s, add_hosts: {cluster: b, endpoints: [10.0.0.9:80]}}]\n`,
  }),
  common_lb_config: cluster('common_lb_config: {healthy_panic_threshold: {value: «0|100»}}', { rest: FAIL_ONE }),
  close_connections_on_host_health_failure: cluster(
    'close_connections_on_host_health_failure: «false|true», health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]',
    {
      traffic: 'workloads: [{cluster: b, arrivals: {constant: 9/s}, stop: 1s, tcp: {lifetime: 9s}}]\n',
      rest: 'timeline: [{at: 0.5s, set_behavior: {hosts: 10.0.0.1:80, health_check: refuse}}]\n',
    },
  ),
  drain_connections_on_host_removal: cluster(
    'drain_connections_on_host_removal: «false|true», health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]',
    { rest: 'timeline: [{at: 0.5s, remove_hosts: 10.0.0.1:80}]\n' },
  ),
});

const ZONED =
  '{address: 10.0.0.1:80, zone: a}, {address: 10.0.0.2:80, zone: a}, {address: 10.0.0.3:80, zone: b}, {address: 10.0.0.4:80, zone: b}, {address: 10.0.0.5:80, zone: b}, {address: 10.0.0.6:80, zone: b}';
/** Proxies in zone a, a third of the hosts in it. */
const zoned = (
  config: string,
  { hosts = ZONED, rest = '', version = '1.17', web = '10.1.0.1:80, zone: a}, {address: 10.1.0.2:80, zone: b' } = {},
): string =>
  `clusters: [{name: b, common_lb_config: {${config}}}, {name: web}]
endpoints: {b: [${hosts}], web: [{address: ${web}}]}
proxy: {version: "${version}", node: {locality: {zone: a}}, local_cluster_name: web}
${TRAFFIC}${rest}`;

const commonLb = [
  ...effectsOf('Cluster.TransportSocketMatch', {
    name: matched(socketMatch('«tls|mtls»', 'yes')),
    match: matched(socketMatch('tls', '«yes|no»')),
  }),
  ...effectsOf('Cluster.CommonLbConfig', {
    close_connections_on_host_set_change: cluster(
      'common_lb_config: {close_connections_on_host_set_change: «false|true»}',
      {
        rest: 'timeline: [{at: 1s, remove_hosts: 10.0.0.1:80}]\n',
      },
    ),
    healthy_panic_threshold: cluster('common_lb_config: {healthy_panic_threshold: {value: «0|100»}}', {
      rest: FAIL_ONE,
    }),
    zone_aware_lb_config: zoned('«|zone_aware_lb_config: {routing_enabled: {value: 0}}»'),
    locality_weighted_lb_config: assigned(
      `endpoints: [{locality: {zone: a}, load_balancing_weight: 1, lb_endpoints: [${endpoint('10.0.0.1:80')}]}, {locality: {zone: b}, load_balancing_weight: 9, lb_endpoints: [${endpoint('10.0.0.2:80')}]}]`,
      'common_lb_config: {«|locality_weighted_lb_config: {}»}',
    ),
    update_merge_window: cluster('common_lb_config: {update_merge_window: «0s|1s»}', {
      rest: 'timeline: [{at: 0.5s, set_weight: {hosts: 10.0.0.1:80, weight: 2}}, {at: 0.6s, set_weight: {hosts: 10.0.0.1:80, weight: 50}}]\n',
    }),
    ignore_new_hosts_until_first_hc: cluster(
      'common_lb_config: {ignore_new_hosts_until_first_hc: «false|true»}, health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]',
      {
        hosts: '10.0.0.1:80, {address: 10.0.1.1:80, priority: 1}',
        rest: 'behavior: [{hosts: 10.0.0.9/30, health_check: hang}]\ntimeline: [{at: 0.5s, add_hosts: {cluster: b, endpoints: [10.0.0.8:80, 10.0.0.9:80, 10.0.0.10:80]}}]\n',
      },
    ),
    consistent_hashing_lb_config: cluster(
      'lb_policy: RING_HASH, common_lb_config: {consistent_hashing_lb_config: {«|hash_balance_factor: 100»}}',
      { traffic: KEYED, rest: NEW + SLOW },
    ),
  }),
  ...effectsOf('Cluster.CommonLbConfig.ConsistentHashingLbConfig', {
    use_hostname_for_hashing: dns(
      'lb_policy: RING_HASH, common_lb_config: {consistent_hashing_lb_config: {use_hostname_for_hashing: «false|true»}}',
    ),
    hash_balance_factor: cluster(
      'lb_policy: MAGLEV, common_lb_config: {consistent_hashing_lb_config: {hash_balance_factor: «101|1000»}}',
      { traffic: KEYED, rest: NEW + SLOW },
    ),
  }),
  ...effectsOf('Cluster.CommonLbConfig.ZoneAwareLbConfig', {
    routing_enabled: zoned('zone_aware_lb_config: {routing_enabled: {value: «100|0»}}'),
    min_cluster_size: zoned('zone_aware_lb_config: {min_cluster_size: «6|7»}'),
    fail_traffic_on_panic: zoned('zone_aware_lb_config: {fail_traffic_on_panic: «false|true»}', {
      rest: 'timeline: [{at: 0s, set_health: {hosts: {cluster: b}, status: UNHEALTHY}}]\n',
    }),
    force_local_zone: zoned('zone_aware_lb_config: {«|force_local_zone: {}»}', { version: '1.40' }),
    locality_basis: zoned('zone_aware_lb_config: {locality_basis: «HEALTHY_HOSTS_NUM|HEALTHY_HOSTS_WEIGHT»}', {
      version: '1.40',
      hosts: ZONED.replace('zone: a}', 'zone: a, weight: 3}'),
    }),
  }),
  ...effectsOf('Cluster.CommonLbConfig.ZoneAwareLbConfig.ForceLocalZone', {
    min_size: zoned('zone_aware_lb_config: {force_local_zone: {min_size: «1|5»}}', { version: '1.40' }),
  }),
  ...effectsOf('type.Percent', {
    value: cluster('common_lb_config: {healthy_panic_threshold: {value: «0|100»}}', { rest: FAIL_ONE }),
  }),
];

const VERSIONED =
  '{address: 10.0.0.1:80, metadata: {v: "1", stage: prod}}, {address: 10.0.0.2:80, metadata: {v: "2", stage: prod}}, {address: 10.0.0.3:80, metadata: {v: ["3", "4"]}}';
const subset = (config: string, match: string, more = '', rest = '', hosts = VERSIONED): string =>
  cluster(`lb_subset_config: {${config}}${more}`, {
    hosts,
    traffic: `workloads: [{cluster: b, arrivals: {constant: 100/s}, stop: 1s, metadata_match: ${match}}]\n`,
    rest,
  });
const SELECT_V = 'subset_selectors: [{keys: [v]}]';
const LOCALITIES = (weighted: string, scale: string): string =>
  assigned(
    `endpoints: [{locality: {zone: a}, load_balancing_weight: 1, lb_endpoints: [${endpoint('10.0.0.1:80', ', metadata: {filter_metadata: {envoy.lb: {v: "1"}}}')}, ${endpoint('10.0.0.3:80')}, ${endpoint('10.0.0.4:80')}]}, {locality: {zone: b}, load_balancing_weight: 1, lb_endpoints: [${endpoint('10.0.0.2:80', ', metadata: {filter_metadata: {envoy.lb: {v: "1"}}}')}, ${endpoint('10.0.0.5:80', ', metadata: {filter_metadata: {envoy.lb: {v: "1"}}}')}]}]`,
    `common_lb_config: {locality_weighted_lb_config: {}}, lb_subset_config: {${SELECT_V}, locality_weight_aware: ${weighted}, scale_locality_weight: ${scale}}`,
  ).replace(TRAFFIC, 'workloads: [{cluster: b, arrivals: {constant: 100/s}, stop: 2s, metadata_match: {v: "1"}}]\n');

const subsets = [
  ...effectsOf('Cluster.LbSubsetConfig', {
    fallback_policy: subset(`fallback_policy: «NO_FALLBACK|ANY_ENDPOINT», ${SELECT_V}`, '{v: "9"}'),
    default_subset: subset(`fallback_policy: DEFAULT_SUBSET, default_subset: {v: "«1|2»"}, ${SELECT_V}`, '{v: "9"}'),
    subset_selectors: subset('subset_selectors: [{keys: [«v|stage»]}]', '{v: "1"}'),
    locality_weight_aware: LOCALITIES('«false|true»', 'false'),
    scale_locality_weight: LOCALITIES('true', '«false|true»'),
    panic_mode_any: subset(
      `fallback_policy: DEFAULT_SUBSET, default_subset: {v: "9"}, panic_mode_any: «false|true», ${SELECT_V}`,
      '{v: "8"}',
    ),
    list_as_any: subset(`list_as_any: «false|true», ${SELECT_V}`, '{v: "3"}'),
    metadata_fallback_policy: subset(
      `metadata_fallback_policy: «METADATA_NO_FALLBACK|FALLBACK_LIST», ${SELECT_V}`,
      '{fallback_list: [{v: "9"}, {v: "2"}]}',
      '',
      NEW,
    ),
    allow_redundant_keys: subset(`allow_redundant_keys: «false|true», ${SELECT_V}`, '{v: "1", other: x}', '', NEW),
  }),
  ...effectsOf('Cluster.LbSubsetConfig.LbSubsetSelector', {
    keys: subset('subset_selectors: [{keys: [«v|stage»]}]', '{v: "1"}'),
    fallback_policy: subset(`subset_selectors: [{keys: [v], fallback_policy: «NO_FALLBACK|ANY_ENDPOINT»}]`, '{v: "9"}'),
    fallback_keys_subset: subset(
      'subset_selectors: [{keys: [stage, v], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [«stage|v»]}, {keys: [stage]}, {keys: [v]}]',
      '{stage: prod, v: "9"}',
    ),
    single_host_per_subset: subset(
      'subset_selectors: [{keys: [v], single_host_per_subset: «false|true»}]',
      '{v: "1"}',
      '',
      NEW,
      VERSIONED.replace('v: "2"', 'v: "1"'),
    ),
  }),
];

const ADD_HOST = 'timeline: [{at: 0.5s, add_hosts: {cluster: b, endpoints: [10.0.0.9:80]}}]\n';
const slowStart = (config: string): string =>
  cluster(`round_robin_lb_config: {slow_start_config: {${config}}}`, { rest: NEW + ADD_HOST });
const runtimeDouble = (bias: string, runtime: string): string =>
  cluster(`lb_policy: LEAST_REQUEST, least_request_lb_config: {active_request_bias: ${bias}}`, {
    hosts: '{address: 10.0.0.1:80, weight: 5}, 10.0.0.2:80',
    rest: `proxy: {version: "1.40", runtime: ${runtime}}\n${SINGLE_SLOW}`,
  });

const policies = [
  ...effectsOf('Cluster.LeastRequestLbConfig', {
    choice_count: cluster('lb_policy: LEAST_REQUEST, least_request_lb_config: {choice_count: «2|4»}', {
      rest: SINGLE_SLOW,
    }),
    active_request_bias: runtimeDouble('{default_value: «0.0|2.0», runtime_key: k}', '{}'),
    slow_start_config: cluster(
      'lb_policy: LEAST_REQUEST, least_request_lb_config: {«|slow_start_config: {slow_start_window: 60s}»}',
      { rest: NEW + ADD_HOST },
    ),
    selection_method: cluster(
      'lb_policy: LEAST_REQUEST, least_request_lb_config: {selection_method: «N_CHOICES|FULL_SCAN»}',
      { rest: NEW + SINGLE_SLOW },
    ),
  }),
  ...effectsOf('core.RuntimeDouble', {
    default_value: runtimeDouble('{default_value: «0.0|2.0», runtime_key: k}', '{}'),
    runtime_key: runtimeDouble('{default_value: 0.0, runtime_key: «k|other»}', '{k: 2.0}'),
  }),
  ...effectsOf('Cluster.RoundRobinLbConfig', { slow_start_config: slowStart('slow_start_window: «0s|60s»') }),
  ...effectsOf('Cluster.SlowStartConfig', {
    slow_start_window: slowStart('slow_start_window: «1s|60s»'),
    aggression: slowStart('slow_start_window: 2s, aggression: {default_value: «1.0|5.0», runtime_key: k}'),
    min_weight_percent: slowStart('slow_start_window: 60s, min_weight_percent: {value: «1|90»}'),
  }),
  ...effectsOf('Cluster.RingHashLbConfig', {
    minimum_ring_size: cluster('lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: «8|2048»}'),
    maximum_ring_size: cluster(
      'lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: 4, maximum_ring_size: «4|1024»}',
      {
        hosts: '{address: 10.0.0.1:80, weight: 7}, {address: 10.0.0.2:80, weight: 13}',
      },
    ),
    hash_function: cluster('lb_policy: RING_HASH, ring_hash_lb_config: {hash_function: «XX_HASH|MURMUR_HASH_2»}'),
  }),
  ...effectsOf('Cluster.MaglevLbConfig', {
    table_size: cluster('lb_policy: MAGLEV, maglev_lb_config: {table_size: «11|4099»}'),
  }),
  ...effectsOf('Cluster.OriginalDstLbConfig', {
    http_header_name: cluster(
      'type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED, original_dst_lb_config: {use_http_header: true, http_header_name: «x-a|x-b»}',
      {
        hosts: '',
        traffic: 'workloads: [{cluster: b, arrivals: {constant: 10/s}, stop: 1s, headers: {x-a: "10.0.0.9:80"}}]\n',
      },
    ),
    upstream_port_override: cluster(
      'type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED, original_dst_lb_config: {use_http_header: true, upstream_port_override: «81|82»}',
      {
        hosts: '',
        traffic:
          'workloads: [{cluster: b, arrivals: {constant: 10/s}, stop: 1s, headers: {x-proxy-original-dst-host: "10.0.0.9:80"}}]\n',
      },
    ),
    use_http_header: cluster(
      'type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED, original_dst_lb_config: {use_http_header: «false|true»}',
      {
        hosts: '',
        traffic: 'requests: [{at: 0s, cluster: b, headers: {x-proxy-original-dst-host: "10.0.0.9:80"}}]\n',
      },
    ),
  }),
  ...effectsOf('Cluster.CustomClusterType', {
    typed_config: TWO_CLUSTERS(
      'cluster_type: {name: a, typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [«b|c»]}}',
    ),
    name:
      assigned(RESOLVED, 'cluster_type: {name: proxy.cluster.«strict_dns|logical_dns»}').replace(
        `, ${endpoint('h2.test:80')}`,
        '',
      ) + 'dns: {h1.test: {addresses: [10.0.0.1, 10.0.0.2]}}\n',
  }),
  ...effectsOf('Cluster.EdsClusterConfig', {
    service_name: `clusters: [{name: b, type: EDS, eds_cluster_config: {service_name: «s|t», eds_config: {ads: {}}}}, {name: c, type: EDS, eds_cluster_config: {service_name: «t|s», eds_config: {ads: {}}}}]\nassignments: {s: {cluster_name: s, endpoints: [{${TWO}}]}, t: {cluster_name: t}}\n${TRAFFIC}`,
  }),
  ...effectsOf('Cluster.RefreshRate', {
    base_interval: dns(
      'dns_refresh_rate: 5s, dns_failure_refresh_rate: {base_interval: «0.1s|0.01s», max_interval: 1s}',
      'dns: {h1.test: {addresses: [10.0.0.1]}, h2.test: {fail: true}}\n',
    ),
    max_interval: dns(
      'dns_refresh_rate: 5s, dns_failure_refresh_rate: {base_interval: 0.01s, max_interval: «0.02s|2s»}',
      'dns: {h1.test: {addresses: [10.0.0.1]}, h2.test: {fail: true}}\n',
    ),
  }),
];

const ONE_GROUP = (group: string): string => assigned(`endpoints: [${group}]`);
const LEVELS = (policy: string): string =>
  assigned(
    `endpoints: [{lb_endpoints: [${endpoint('10.0.0.1:80')}, ${endpoint('10.0.0.2:80', ', health_status: UNHEALTHY, load_balancing_weight: 9')}]}, {priority: 1, lb_endpoints: [${endpoint('10.0.1.1:80')}]}], policy: {${policy}}`,
    'common_lb_config: {healthy_panic_threshold: {value: 0}}',
    NEW,
  );
const checks =
  'health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]';
/** A host whose health checks go elsewhere from some time on is another host. */
const CHECKED_ELSEWHERE = (config: string): string =>
  `clusters: [{name: b, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, ${checks}}]
assignments: {b: {cluster_name: b, endpoints: [{lb_endpoints: [${endpoint('10.0.0.1:80')}]}]}}
timeline: [{at: 0.5s, assign: {cluster_name: b, endpoints: [{lb_endpoints: [${endpoint('10.0.0.1:80', '', `, health_check_config: {${config}}`)}]}]}}]
${TRAFFIC}`;

const DROPS = (percentage: string): string =>
  assigned(
    `endpoints: [{${TWO}}], policy: {drop_overloads: [{category: x, drop_percentage: {${percentage}}}]}`,
    'lb_policy: RANDOM',
    NEW,
  );
const endpoints = [
  ...effectsOf('ClusterLoadAssignment', {
    cluster_name: `clusters: [{name: b, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}, {name: c, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]\ntimeline: [{at: 0.5s, assign: {cluster_name: «b|c», endpoints: [{${TWO}}]}}]\n${TRAFFIC}`,
    endpoints: ONE_GROUP(`{lb_endpoints: [${endpoint('10.0.0.1:80')}«|, ${endpoint('10.0.0.2:80')}»]}`),
    policy: LEVELS('«|overprovisioning_factor: 100»'),
  }),
  ...effectsOf('ClusterLoadAssignment.Policy', {
    drop_overloads: DROPS('numerator: «0|50»'),
    endpoint_stale_after: `clusters: [{name: b, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]\nassignments: {b: {cluster_name: b, endpoints: [{${TWO}}], policy: {endpoint_stale_after: «0.5s|90s»}}}\n${TRAFFIC}`,
    overprovisioning_factor: LEVELS('overprovisioning_factor: «100|140»'),
    weighted_priority_health: LEVELS('weighted_priority_health: «false|true»'),
  }),
  ...effectsOf('ClusterLoadAssignment.Policy.DropOverload', { drop_percentage: DROPS('numerator: «0|50»') }),
  ...effectsOf('type.FractionalPercent', {
    numerator: DROPS('numerator: «0|50»'),
    denominator: DROPS('numerator: 50, denominator: «HUNDRED|MILLION»'),
  }),
  ...effectsOf('endpoint.LocalityLbEndpoints', {
    locality: ONE_GROUP(`{«|locality: {zone: z},» ${TWO}}`),
    lb_endpoints: ONE_GROUP(`{lb_endpoints: [${endpoint('10.0.0.1:80')}«|, ${endpoint('10.0.0.2:80')}»]}`),
    load_balancing_weight: assigned(
      `endpoints: [{locality: {zone: a}, load_balancing_weight: «1|9», lb_endpoints: [${endpoint('10.0.0.1:80')}]}, {locality: {zone: b}, load_balancing_weight: 1, lb_endpoints: [${endpoint('10.0.0.2:80')}]}]`,
      'common_lb_config: {locality_weighted_lb_config: {}}',
    ),
    metadata: assigned(
      `endpoints: [{${TWO}«|, ${ASKS_FOR_TLS}»}]`,
      `transport_socket_matches: [${socketMatch('tls', 'yes')}]`,
      NEW,
    ),
    priority: ONE_GROUP(`{${TWO}}, {priority: «0|1», lb_endpoints: [${endpoint('10.0.0.3:80')}]}`),
  }),
  ...effectsOf('endpoint.LbEndpoint', {
    endpoint: ONE_GROUP(`{lb_endpoints: [${endpoint('10.0.0.«1|2»:80')}]}`),
    health_status: ONE_GROUP(
      `{lb_endpoints: [${endpoint('10.0.0.1:80', ', health_status: «HEALTHY|UNHEALTHY»')}, ${endpoint('10.0.0.2:80')}]}`,
    ),
    metadata: assigned(
      `endpoints: [{lb_endpoints: [${endpoint('10.0.0.1:80', ', metadata: {filter_metadata: {envoy.lb: {v: "«1|2»"}}}')}]}]`,
      `lb_subset_config: {${SELECT_V}}`,
    ).replace('hash_key', 'metadata_match: {v: "1"}, hash_key'),
    load_balancing_weight: ONE_GROUP(
      `{lb_endpoints: [${endpoint('10.0.0.1:80', ', load_balancing_weight: «1|3»')}, ${endpoint('10.0.0.2:80')}]}`,
    ),
  }),
  ...effectsOf('endpoint.Endpoint', {
    address: ONE_GROUP(`{lb_endpoints: [${endpoint('10.0.0.«1|2»:80')}]}`),
    health_check_config: CHECKED_ELSEWHERE('«|port_value: 9999»'),
    hostname: ONE_GROUP(`{lb_endpoints: [${endpoint('10.0.0.1:80', '', ', hostname: «x.test|y.test»')}]}`),
  }),
  ...effectsOf('endpoint.Endpoint.HealthCheckConfig', { port_value: CHECKED_ELSEWHERE('port_value: «80|9999»') }),
  ...effectsOf('core.Locality', {
    region: ONE_GROUP(`{locality: {region: «r|s»}, ${TWO}}`),
    zone: ONE_GROUP(`{locality: {zone: «r|s»}, ${TWO}}`),
    sub_zone: ONE_GROUP(`{locality: {sub_zone: «r|s»}, ${TWO}}`),
  }),
  ...effectsOf('core.Metadata', {
    filter_metadata: assigned(
      `endpoints: [{lb_endpoints: [${endpoint('10.0.0.1:80', ', metadata: {filter_metadata: {«envoy.lb|other»: {v: "1"}}}')}]}]`,
      `lb_subset_config: {${SELECT_V}}`,
    ).replace('hash_key', 'metadata_match: {v: "1"}, hash_key'),
  }),
  ...effectsOf('core.SocketAddress', {
    address: ONE_GROUP(`{lb_endpoints: [${endpoint('10.0.0.«1|2»:80')}]}`),
    port_value: ONE_GROUP(`{lb_endpoints: [${endpoint('10.0.0.1:«80|81»')}]}`),
  }),
  ...effectsOf('core.Address', {
    socket_address: ONE_GROUP(`{lb_endpoints: [${endpoint('10.0.0.«1|2»:80')}]}`),
    pipe: ONE_GROUP('{lb_endpoints: [{endpoint: {address: {pipe: {path: /tmp/«a|b»}}}}]}'),
  }),
  ...effectsOf('core.Pipe', { path: ONE_GROUP('{lb_endpoints: [{endpoint: {address: {pipe: {path: /tmp/«a|b»}}}}]}') }),
  verdict(
    'core.SocketAddress.named_port',
    ONE_GROUP(
      `{lb_endpoints: [${endpoint('10.0.0.1:80').replace('port_value: 80', '«port_value: 80|named_port: http»')}]}`,
    ),
  ),
  verdict(
    'core.SocketAddress.resolver_name',
    ONE_GROUP(
      `{lb_endpoints: [${endpoint('10.0.0.1:80').replace('port_value: 80', 'port_value: 80, resolver_name: «proxy.ip|consul»')}]}`,
    ),
  ),
];

export const CLUSTER_EFFECTS: readonly Effect[] = [
  ...clusterFields,
  ...commonLb,
  ...subsets,
  ...policies,
  ...endpoints,
];
