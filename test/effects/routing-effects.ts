import { cluster, type Effect, effectsOf, HOSTS, verdict } from './variants.js';

/** What chooses clusters and hosts by the contents of requests, and what sends more requests than came. */

const CLIENTS = 'clients: {count: 20, keys: sequence}';
const CARRIED = 'headers: {x-user: "u{client}", x-other: "{client}", cookie: "s={client}", ":path": "/?q={client}"}';
const sending = (fields: string): string =>
  `workloads: [{cluster: b, arrivals: {constant: 100/s}, stop: 1s, ${fields}}]\n`;
/** @param policies of the route: entries as the proxy has them. */
export const hashed = (policies: string, clients = CLIENTS): string =>
  cluster('lb_policy: MAGLEV', { traffic: sending(`hash_policy: [${policies}], ${clients}, ${CARRIED}`) });

const TWO = `clusters: [{name: b, lb_policy: MAGLEV}, {name: c, lb_policy: MAGLEV}]\nendpoints: {b: [${HOSTS}], c: [10.0.1.1:80, 10.0.1.2:80]}\n`;
const routed = (fields: string, rest = ''): string =>
  `${TWO}${rest}workloads: [{route: [{cluster: b, weight: 1}, {cluster: c, weight: 1}], arrivals: {constant: 100/s}, stop: 1s, ${CLIENTS}, ${CARRIED}, hash_policy: [{header: {header_name: x-user}}], ${fields}}]\n`;
const single = (fields: string): string =>
  `${TWO}requests: [${Array.from({ length: 40 }, (_, key) => `{at: 0s, route: [{cluster: b, weight: 1}, {cluster: c, weight: 1}], headers: {x-user: "${key}", x-n: "${key}"}, ${fields}}`).join(', ')}]\n`;

export const mirrored = (policy: string, rest = ''): string =>
  `${TWO}${rest}workloads: [{cluster: b, arrivals: {constant: 100/s}, stop: 1s, request_mirror_policies: [{${policy}}]}]\n`;
const LATE = 'behavior: [{hosts: 10.0.0.1:80, service_time: 200ms}]\n';
const RETRIES = 'retry_policy: {retry_on: 5xx, per_try_timeout: 50ms}';
const hedged = (value: string): string =>
  cluster('', { traffic: sending(`hedge_policy: {hedge_on_per_try_timeout: ${value}}, ${RETRIES}`), rest: LATE });
/** Connections that take a while to be made, and close. */
const closing = (option: string): string =>
  cluster(`common_http_protocol_options: {${option}}`, { rest: 'behavior: [{connect_time: 5ms}]\n' });
/** Connections over TCP, of which one host takes none. */
const held = (tcp: string): string =>
  cluster('', { traffic: sending(`tcp: {${tcp}}`), rest: 'behavior: [{hosts: 10.0.0.1:80, down: refuse}]\n' });
const RUNTIME = 'proxy: {runtime: {m: 0}}\n';
const FROM = 'connection_properties: {source_ip: true}';

const HASH_POLICY = 'route.RouteAction.HashPolicy';

export const ROUTING_EFFECTS: readonly Effect[] = [
  ...effectsOf(HASH_POLICY, {
    header: hashed('{header: {header_name: «x-user|x-other»}}'),
    cookie: hashed('{cookie: {name: «s|none»}}'),
    connection_properties: hashed('{connection_properties: {source_ip: «true|false»}}'),
    query_parameter: hashed('{query_parameter: {name: «q|none»}}'),
    terminal: hashed('{header: {header_name: x-user}, terminal: «true|false»}, {header: {header_name: x-other}}'),
  }),
  ...effectsOf(`${HASH_POLICY}.ConnectionProperties`, {
    source_ip: hashed('{connection_properties: {source_ip: «true|false»}}'),
  }),
  ...effectsOf(`${HASH_POLICY}.Cookie`, {
    name: hashed('{cookie: {name: «s|none»}}'),
    ttl: hashed('{cookie: {name: made«|, ttl: 3600s»}}'),
  }),
  ...effectsOf(`${HASH_POLICY}.Header`, { header_name: hashed('{header: {header_name: «x-user|x-other»}}') }),
  ...effectsOf(`${HASH_POLICY}.QueryParameter`, { name: hashed('{query_parameter: {name: «q|none»}}') }),
  ...effectsOf('core.HttpProtocolOptions', {
    idle_timeout: closing('idle_timeout: «0s|0.01s»'),
    max_connection_duration: closing('max_connection_duration: «10s|0.05s»'),
  }),
  ...effectsOf('route.HedgePolicy', { hedge_on_per_try_timeout: hedged('«false|true»') }),
  ...effectsOf('route.RouteAction.RequestMirrorPolicy', {
    cluster: mirrored('cluster: «b|c»'),
    runtime_fraction: mirrored('cluster: c, runtime_fraction: {default_value: {numerator: «0|100»}}'),
  }),
  verdict('route.RouteAction.RequestMirrorPolicy.runtime_key', mirrored('cluster: c«|, runtime_key: m»')),
  ...effectsOf('core.RuntimeFractionalPercent', {
    default_value: mirrored('cluster: c, runtime_fraction: {default_value: {numerator: «0|100»}}'),
    runtime_key: mirrored(
      'cluster: c, runtime_fraction: {default_value: {numerator: 100}, runtime_key: «m|k»}',
      RUNTIME,
    ),
  }),
];

const client = (fields: string, policy = FROM): string => hashed(`{${policy}}`, `clients: {${fields}}`);
/** One client, who says which addresses its requests came from. */
const forwarded = (proxy: string): string =>
  cluster('lb_policy: MAGLEV', {
    traffic: sending(
      `hash_policy: [{${FROM}}], clients: {count: 1}, headers: {x-forwarded-for: "1.1.1.1,7.7.7.7,3.3.3.3"}`,
    ),
    rest: `proxy: {${proxy}}\n`,
  });
const COOKIE = '{cookie: {name: made, ttl: 3600s}}';

const SLOW = 'behavior: [{service_time: 5ms}]\n';

export const ROUTING_WORDS: readonly Effect[] = [
  ...effectsOf('workload', {
    hash_policy: hashed('{header: {header_name: «x-user|x-other»}}'),
    use_hash_policy: routed('use_hash_policy: «true|false»'),
    header_name: routed('header_name: «x-other|x-none»'),
    runtime_key_prefix: routed('runtime_key_prefix: «m|k»', 'proxy: {runtime: {m.b: 99}}\n'),
    clients: client('count: «1|9», keys: sequence'),
    hedge_policy: hedged('«false|true»'),
    request_mirror_policies: mirrored('cluster: «b|c»'),
    size: cluster('', { traffic: sending('size: «1|2»'), rest: SLOW }),
    tcp: cluster('', { traffic: sending('«|tcp: {lifetime: 10ms}»') }),
  }),
  ...effectsOf('tcp', {
    lifetime: held('lifetime: «10ms|20ms»'),
    max_connect_attempts: held('lifetime: 10ms, max_connect_attempts: «1|2»'),
    max_downstream_connection_duration: held('lifetime: 10ms, max_downstream_connection_duration: «0s|5ms»'),
  }),
  ...effectsOf('clients', {
    count: client('count: «1|9», keys: sequence'),
    keys: client('count: 9, keys: «sequence|zipf»'),
    address: client('count: 9, keys: sequence, address: 10.«8|9».0.0/16'),
    // A cookie that is yet to be made does not count for the cluster.
    cookie: routed('use_hash_policy: true')
      .replace('{header: {header_name: x-user}}', COOKIE)
      .replace(CLIENTS, 'clients: {count: 9, keys: sequence, cookie: «keep|drop»}'),
  }),
  ...effectsOf('request', {
    route: `${TWO}requests: [{at: 0s, route: [{cluster: «b|c», weight: 1}]}]\n`,
    address: cluster('lb_policy: MAGLEV', {
      traffic: `requests: [{at: 0s, cluster: b, address: 10.9.0.«1|7»:4000, hash_policy: [{${FROM}}]}]\n`,
    }),
    answers: cluster('', { traffic: 'requests: [{at: 0s, cluster: b, answers: [{service_time: «1ms|9ms»}]}]\n' }),
    hash_policy: single('hash_policy: [{header: {header_name: «x-user|x-none»}}]'),
    use_hash_policy: single('hash_policy: [{header: {header_name: x-user}}], use_hash_policy: «true|false»'),
    header_name: single('header_name: «x-n|x-none»'),
    runtime_key_prefix: `proxy: {runtime: {m.b: 0}}\n${single('runtime_key_prefix: «m|k»')}`,
    hedge_policy: cluster('', {
      traffic: `requests: [{at: 0s, cluster: b, answers: [{service_time: 200ms}], hedge_policy: {hedge_on_per_try_timeout: «false|true»}, ${RETRIES}}]\n`,
    }),
    size: cluster('', { traffic: 'requests: [{at: 0s, cluster: b, size: «1|2»}]\n', rest: SLOW }),
    tcp: cluster('', { traffic: 'requests: [{at: 0s, cluster: b«|, tcp: {lifetime: 10ms}»}]\n' }),
    request_mirror_policies: `${TWO}requests: [{at: 0s, cluster: b, request_mirror_policies: [{cluster: «b|c»}]}]\n`,
  }),
  ...effectsOf('answer', {
    service_time: cluster('', { traffic: 'requests: [{at: 0s, cluster: b, answers: [{service_time: «1ms|9ms»}]}]\n' }),
    status: cluster('', { traffic: 'requests: [{at: 0s, cluster: b, answers: [{status: «200|503»}]}]\n' }),
  }),
  ...effectsOf('proxy', {
    at: cluster(
      'health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, http_health_check: {path: /}}]',
      { rest: 'proxy: {at: «life|birth»}\nbehavior: [{network_latency: 300ms}]\n' },
    ),
    address: cluster('lb_policy: MAGLEV', {
      traffic: sending(`hash_policy: [${COOKIE}], clients: {count: 9, keys: sequence}`),
      rest: 'proxy: {address: 10.0.9.«1|2»:80}\n',
    }),
    exact_balance: cluster('', {
      traffic: sending(CLIENTS),
      rest: 'proxy: {workers: 4, exact_balance: «true|false»}\n',
    }),
    use_remote_address: forwarded('use_remote_address: «true|false»'),
    xff_num_trusted_hops: forwarded('xff_num_trusted_hops: «0|1»'),
  }),
];
