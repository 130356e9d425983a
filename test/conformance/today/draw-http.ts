import fc from 'fast-check';
import type { HostBehavior, TodayRequest } from './case.js';
import type { CaseToRecord } from './record.js';
import { ADDED_HEADERS } from './headers.js';

/** Random cases about routes: who hashes what, which cluster of several, copies, hedges and retries, hosts that change. */

type Json = Readonly<Record<string, unknown>>;

/** Mostly none. */
export const rarely = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const REWRITES = [
  { pattern: { regex: '\\d' }, substitution: '#' },
  { pattern: { regex: '^u(\\d+)$' }, substitution: '\\1' },
];

const hashed = (): fc.Arbitrary<Json> =>
  fc
    .record({
      source: fc.oneof(
        fc.record({
          header: fc
            .record({
              header_name: fc.constantFrom('x-user', 'x-user', 'x-some', 'x-none', ':path'),
              regex_rewrite: rarely(...REWRITES),
            })
            .map(defined),
        }),
        fc.record({ query_parameter: fc.constant({ name: 'id' }) }),
        fc.record({ connection_properties: fc.constant({ source_ip: true }) }),
        fc.record({ filter_state: fc.constant({ key: 'none' }) }),
        fc.record({
          cookie: fc
            .record({
              name: fc.constantFrom('sid', 'other'),
              ttl: rarely('60s', '0s', '10.5s'),
              path: rarely('/', '/shop'),
            })
            .map(defined),
        }),
      ),
      terminal: rarely(true),
    })
    .map(({ source, terminal }) => defined({ ...source, terminal }));

const hashes = (): fc.Arbitrary<readonly Json[]> => fc.array(hashed(), { minLength: 1, maxLength: 3 });

const defined = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const STATUSES = [404, 500, 503];

const drawnCluster = () =>
  fc.record({
    hosts: fc.integer({ min: 1, max: 4 }),
    policy: fc.constantFrom('RING_HASH', 'RING_HASH', 'MAGLEV', 'MAGLEV', 'ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM'),
    weights: rarely([1, 2, 3, 1], [4, 1, 1, 2]),
    hash_policy: rarely(true),
    hashes: hashes(),
    weight: fc.constantFrom(0, 1, 1, 2, 3),
  });

const drawnRoute = () =>
  fc.record({
    clusters: fc.array(drawnCluster(), { minLength: 1, maxLength: 3 }),
    hashes: hashes(),
    chosenBy: fc.constantFrom('hash', 'hash', 'hash', 'chance', 'header'),
    runtime: rarely({ 'rt.c0': 3 }, { 'rt.c1': 0 }),
    mirror: rarely<Json>({}, {}, { runtime_fraction: { default_value: { numerator: 40 } } }),
    mirrorHosts: fc.integer({ min: 1, max: 3 }),
    retry: rarely(
      { retry_on: '5xx', num_retries: 2 },
      { retry_on: 'gateway-error', num_retries: 1 },
      { retry_on: 'retriable-status-codes', retriable_status_codes: [404], num_retries: 3 },
      {
        retry_on: '5xx',
        num_retries: 2,
        retry_host_predicate: [
          {
            name: 'envoy.retry_host_predicates.previous_hosts',
            typed_config: {
              '@type': 'type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate',
            },
          },
        ],
        host_selection_retry_max_attempts: 3,
      },
    ),
    failing: fc.array(rarely(...STATUSES), { minLength: 12, maxLength: 12 }),
    trusts: rarely({ use_remote_address: true }, { xff_num_trusted_hops: 1 }),
    requests: fc.array(
      fc.record({
        client: fc.nat(5),
        connection: fc.nat(1),
        user: fc.nat(9),
        some: fc.boolean(),
        id: rarely(1, 2, 3),
        keeps: fc.boolean(),
        forwarded: rarely('10.1.2.3', '10.1.2.3, 10.4.5.6'),
        target: fc.nat(7),
      }),
      { minLength: 10, maxLength: 24 },
    ),
  });

const socketOf = (ip: string, port: number): Json => ({
  address: { socket_address: { address: ip, port_value: port } },
});
const HTTP_OPTIONS = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
const TYPES = 'type.googleapis.com/envoy.extensions.filters.';

const clusterOf = (
  name: string,
  policy: string,
  addresses: readonly string[],
  weights: readonly number[] | undefined,
  more: Json = {},
): Json => ({
  name,
  type: 'STATIC',
  connect_timeout: '1s',
  lb_policy: policy,
  ...more,
  load_assignment: {
    cluster_name: name,
    endpoints: [
      {
        lb_endpoints: addresses.map((address, index) => ({
          endpoint: socketOf(address.split(':')[0] ?? '', Number(address.split(':')[1])),
          ...(weights !== undefined && { load_balancing_weight: weights[index] }),
        })),
      },
    ],
  },
});

const options = (fields: Json): Json => ({
  typed_extension_protocol_options: {
    [HTTP_OPTIONS]: {
      '@type': `type.googleapis.com/${HTTP_OPTIONS}`,
      explicit_http_config: { http_protocol_options: {} },
      ...fields,
    },
  },
});

/** A listener at `….250`, with one route to everything. */
function listenerOf(net: string, manager: Json, route: Json): Json {
  const typed = {
    '@type': `${TYPES}network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'in',
    generate_request_id: false,
    ...manager,
    http_filters: [{ name: 'r', typed_config: { '@type': `${TYPES}http.router.v3.Router` } }],
    route_config: {
      name: 'r',
      response_headers_to_add: ADDED_HEADERS,
      virtual_hosts: [
        {
          name: 'v',
          domains: ['*'],
          include_request_attempt_count: true,
          include_attempt_count_in_response: true,
          routes: [{ match: { prefix: '/' }, route }],
        },
      ],
    },
  };
  return {
    name: 'l',
    ...socketOf(`${net}.250`, 10200),
    filter_chains: [{ filters: [{ name: 'f', typed_config: typed }] }],
  };
}

const BACK_OFF = { retry_back_off: { base_interval: '0.001s', max_interval: '0.001s' } };

/** Nothing of it is a matter of time. @param salt makes the ports of its clients, which nobody used a moment ago. */
function routeCase(number: number, net: string, salt: number): CaseToRecord {
  const [made] = fc.sample(drawnRoute(), { seed: number, numRuns: 1 });
  if (made === undefined) throw new Error('nothing was drawn');
  const { hashes: routeHashes, chosenBy, runtime, mirror, mirrorHosts, retry, failing, trusts } = made;
  const weighted = made.clusters.length > 1;
  // Somebody has to have a weight.
  const clusters = made.clusters.map((one, index) => (index === 0 && one.weight === 0 ? { ...one, weight: 1 } : one));
  const addressOf = (cluster: number, host: number): string => `${net}.${cluster * 10 + host + 1}:10100`;
  const addresses = clusters.map(({ hosts }, cluster) =>
    Array.from({ length: hosts }, (_, host) => addressOf(cluster, host)),
  );
  const copies = Array.from({ length: mirrorHosts }, (_, host) => addressOf(9, host));
  const messages = clusters.map(({ policy, weights, ...own }, index) =>
    clusterOf(
      `c${index}`,
      policy,
      addresses[index] ?? [],
      weights,
      own.hash_policy === true ? options({ hash_policy: own.hashes }) : {},
    ),
  );
  const route = {
    ...(weighted
      ? {
          weighted_clusters: {
            clusters: clusters.map(({ weight }, index) => ({ name: `c${index}`, weight })),
            ...(chosenBy === 'hash' && { use_hash_policy: true }),
            ...(chosenBy === 'header' && { header_name: 'x-target' }),
            ...(runtime !== undefined && { runtime_key_prefix: 'rt' }),
          },
        }
      : { cluster: 'c0' }),
    timeout: '3s',
    hash_policy: routeHashes,
    ...(mirror !== undefined && { request_mirror_policies: [{ cluster: 'm', ...mirror }] }),
    ...(retry !== undefined && { retry_policy: { ...retry, ...BACK_OFF } }),
  };
  const behaviors = addresses.flat().map((address, index): [string, HostBehavior] => {
    const status = failing[index];
    return [address, status === undefined ? {} : { status }];
  });
  // The last request of a client whose answer may have had a cookie.
  const last = new Map<number, number>();
  const requests = made.requests.map(
    ({ client, connection, user, some, id, keeps, forwarded, target }, index): TodayRequest => {
      const from = last.get(client);
      if (from === undefined) last.set(client, index);
      const headers = {
        'x-user': `u${user}`,
        ...(some && { 'x-some': [`s${user % 3}`, 's'] }),
        ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
        ...(chosenBy === 'header' && { 'x-target': String(target) }),
      };
      return {
        path: id === undefined ? '/' : `/?id=${id}`,
        headers,
        client,
        connection,
        source: `${net}.${100 + client}:${20000 + ((salt * 16 + client * 2 + connection) % 10000)}`,
        pause_s: 0.005,
        ...(keeps && from !== undefined && { cookie_from: from }),
      };
    },
  );
  return {
    name: `random-route-${number}`,
    area: 'mixed',
    hosts: Object.fromEntries([...behaviors, ...copies.map((address): [string, HostBehavior] => [address, {}])]),
    config: {
      ...(runtime !== undefined && { layered_runtime: { layers: [{ name: 's', static_layer: runtime }] } }),
      static_resources: {
        listeners: [listenerOf(net, trusts ?? {}, route)],
        clusters: [...messages, ...(mirror === undefined ? [] : [clusterOf('m', 'ROUND_ROBIN', copies, undefined)])],
      },
    },
    requests,
  };
}

/** Times in which hosts answer, in ms: none of them ends close to another one, or to a time-out. */
const DELAYS = [0, 0, 0, 30, 130, 230, 430];

const drawnTimes = () =>
  fc.record({
    protocol: fc.constantFrom('http1', 'http1', 'h2'),
    hosts: fc.integer({ min: 1, max: 4 }),
    policy: fc.constantFrom('ROUND_ROBIN', 'ROUND_ROBIN', 'RING_HASH', 'MAGLEV', 'LEAST_REQUEST'),
    weights: rarely([1, 2, 3, 1], [4, 1, 1, 2]),
    timeout: fc.constantFrom('0.3s', '0.62s', '3s'),
    perTry: fc.constantFrom(undefined, '0.091s', '0.191s'),
    hedges: fc.boolean(),
    retryOn: fc.constantFrom(undefined, '5xx', 'connect-failure', 'reset', 'gateway-error'),
    retries: fc.constantFrom(0, 1, 2, 3),
    byAttempt: rarely(true),
    behaviors: fc.array(behavior(), { minLength: 4, maxLength: 4 }),
    limits: rarely(
      { max_requests: 2 },
      { max_retries: 0 },
      { max_retries: 1 },
      { max_pending_requests: 1, max_connections: 1 },
      { max_connections: 2 },
    ),
    life: rarely({ idle_timeout: '0.166s' }, { max_connection_duration: '0.27s' }, { max_requests_per_connection: 2 }),
    mirror: fc.constantFrom<Json | undefined>(
      undefined,
      undefined,
      undefined,
      {},
      { runtime_fraction: { default_value: { numerator: 50 } } },
    ),
    copies: fc.array(behavior(), { minLength: 1, maxLength: 2 }),
    ejects: rarely(2, 3),
    changes: fc.array(
      fc.record({ after: fc.nat(11), host: fc.nat(3), set: behavior().filter(({ hang }) => hang !== true) }),
      { maxLength: 4 },
    ),
    count: fc.integer({ min: 6, max: 14 }),
    step: fc.constantFrom(0.021, 0.051, 0.107),
    users: fc.array(fc.nat(9), { minLength: 14, maxLength: 14 }),
  });

function behavior(): fc.Arbitrary<HostBehavior> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(...DELAYS)
        .map((delayMs): HostBehavior => (delayMs === 0 ? {} : { delay_ms: delayMs })),
    },
    {
      weight: 2,
      arbitrary: fc.record({ status: fc.constantFrom(...STATUSES), delay_ms: fc.constantFrom(1, 30, 130) }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<HostBehavior>({ hang: true }, { close_before: true }, { connection_close: true }),
    },
  );
}

/** Requests overlap, hosts are slow or hang and change, and what takes too long is tried again or beside. */
function timedCase(number: number, net: string): CaseToRecord {
  const [made] = fc.sample(drawnTimes(), { seed: number, numRuns: 1 });
  if (made === undefined) throw new Error('nothing was drawn');
  const {
    protocol,
    hosts,
    policy,
    weights,
    perTry,
    hedges,
    retryOn,
    retries,
    byAttempt,
    limits,
    life,
    ejects,
    step,
    count,
  } = made;
  const addresses = Array.from({ length: hosts }, (_, host) => `${net}.${host + 1}:10100`);
  const copies = made.copies.map((_, host) => `${net}.${91 + host}:10100`);
  const own = protocol === 'h2' ? { protocol: 'h2' as const } : {};
  // What an attempt gets is the same at all hosts, also of copies.
  const isAlike = byAttempt === true;
  const mirror = isAlike ? undefined : made.mirror;
  // As HTTP/2 has it.
  const spoken = ({ connection_close: closes, ...one }: HostBehavior): HostBehavior =>
    closes === undefined
      ? one
      : protocol === 'h2'
        ? { ...one, goaway_after: true }
        : { ...one, connection_close: true };
  const byAttempts = made.behaviors.map(({ status, delay_ms: delayMs = 0 }) => ({
    delay_ms: delayMs,
    ...(status !== undefined && { status }),
  }));
  const behaviorOf = (host: number): HostBehavior =>
    isAlike ? { by_attempt: byAttempts } : spoken(made.behaviors[host] ?? {});
  const protocolOptions = {
    explicit_http_config: protocol === 'h2' ? { http2_protocol_options: {} } : { http_protocol_options: {} },
    ...(life !== undefined && { common_http_protocol_options: life }),
  };
  const cluster = clusterOf('c', policy, addresses, weights, {
    ...options(protocolOptions),
    ...(policy === 'LEAST_REQUEST' && {
      load_balancing_policy: {
        policies: [
          {
            typed_extension_config: {
              name: 'l',
              typed_config: {
                '@type': 'type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest',
                selection_method: 'FULL_SCAN',
              },
            },
          },
        ],
      },
    }),
    ...(limits !== undefined && { circuit_breakers: { thresholds: [limits] } }),
    ...(ejects !== undefined && {
      outlier_detection: {
        consecutive_5xx: ejects,
        consecutive_gateway_failure: 0,
        enforcing_success_rate: 0,
        max_ejection_percent: 100,
        interval: '100s',
        base_ejection_time: '100s',
      },
    }),
  });
  const isRetried = retryOn !== undefined;
  const route = {
    cluster: 'c',
    timeout: made.timeout,
    hash_policy: [{ header: { header_name: 'x-user' } }],
    ...((isRetried || perTry !== undefined) && {
      retry_policy: {
        ...(isRetried && { retry_on: retryOn, num_retries: retries }),
        ...(perTry !== undefined && { per_try_timeout: perTry }),
        // Ejections take a moment to reach the workers.
        retry_back_off: { base_interval: '0.01s', max_interval: '0.01s' },
      },
    }),
    ...(hedges && { hedge_policy: { hedge_on_per_try_timeout: true } }),
    ...(mirror !== undefined && { request_mirror_policies: [{ cluster: 'm', ...mirror }] }),
  };
  const requests = Array.from({ length: count }, (_, index) => ({
    at: 0.1 + step * index,
    headers: { 'x-user': `u${made.users[index] ?? 0}` },
  }));
  return {
    name: `random-time-${number}`,
    area: 'mixed',
    driver: 'timed',
    timing: true,
    hosts: Object.fromEntries([
      ...addresses.map((address, host) => [address, { ...behaviorOf(host), ...own }]),
      ...(mirror === undefined ? [] : copies.map((address, host) => [address, made.copies[host] ?? {}])),
    ]) as CaseToRecord['hosts'],
    config: {
      static_resources: {
        listeners: [listenerOf(net, {}, route)],
        clusters: [cluster, ...(mirror === undefined ? [] : [clusterOf('m', 'ROUND_ROBIN', copies, undefined)])],
      },
    },
    requests,
    ...(!isAlike && {
      changes: made.changes.flatMap(({ after, host, set }) =>
        host < hosts
          ? [{ at: 0.1 + step * (after + 0.5), host: addresses[host] ?? '', set: { ...spoken(set), ...own } }]
          : [],
      ),
    }),
  };
}

/** Connections come one after the other to the workers of a proxy, each with some requests. */
const drawnWorkers = () =>
  fc.record({
    workers: fc.integer({ min: 2, max: 4 }),
    exact: fc.boolean(),
    hosts: fc.integer({ min: 1, max: 5 }),
    policy: fc.constantFrom('ROUND_ROBIN', 'ROUND_ROBIN', 'RING_HASH', 'MAGLEV'),
    weights: rarely([1, 2, 3, 1, 1], [4, 1, 1, 2, 2]),
    connections: fc.integer({ min: 2, max: 8 }),
    turns: fc.array(fc.nat(7), { minLength: 20, maxLength: 60 }),
  });

function workersCase(number: number, net: string): CaseToRecord {
  const [made] = fc.sample(drawnWorkers(), { seed: number, numRuns: 1 });
  if (made === undefined) throw new Error('nothing was drawn');
  const { workers, exact, policy, weights, connections } = made;
  const addresses = Array.from({ length: made.hosts }, (_, host) => `${net}.${host + 1}:10100`);
  const listener = listenerOf(net, {}, { cluster: 'c', hash_policy: [{ header: { header_name: 'x-user' } }] });
  const balance = exact ? { connection_balance_config: { exact_balance: {} } } : {};
  return {
    name: `random-workers-${number}`,
    area: 'workers',
    driver: 'workers',
    concurrency: workers,
    draws: 200,
    hosts: Object.fromEntries(addresses.map((address) => [address, {}])),
    config: {
      static_resources: {
        listeners: [{ ...listener, ...balance }],
        clusters: [clusterOf('c', policy, addresses, weights)],
      },
    },
    requests: made.turns.map((turn) => ({ headers: { 'x-user': `u${turn}` }, connections: [turn % connections] })),
  };
}

const KINDS = { route: routeCase, time: timedCase, workers: workersCase };
export type HttpKind = keyof typeof KINDS;
export const isHttpKind = (kind: string): kind is HttpKind => Object.hasOwn(KINDS, kind);

/** The case of a number; its listener is at `….250`. */
export function randomHttpCase(kind: HttpKind, number: number, salt: number) {
  const net = netOf(number);
  return { one: KINDS[kind](number, net, salt), ip: `${net}.250`, port: 10200 };
}

/** Addresses that no other case has. */
export const netOf = (number: number): string => `127.${100 + (number % 100)}.${1 + (Math.floor(number / 100) % 250)}`;
