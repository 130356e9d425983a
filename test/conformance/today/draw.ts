import fc from 'fast-check';
import type { HostBehavior, TcpAction } from './case.js';
import type { CaseToRecord } from './record.js';

/** Random cases about connections: how many there are, to whom, and how they end. */

const PROTOCOLS = ['tcp', 'http1', 'h2'] as const;
type Protocol = (typeof PROTOCOLS)[number];

/** Mostly none. */
const rarely = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const BEHAVIORS: Readonly<Record<Protocol, readonly HostBehavior[]>> = {
  tcp: [{ refuse: true }],
  http1: [{ status: 503 }, { connection_close: true }, { close_after: true }, { close_before: true }],
  h2: [{ status: 503 }, { goaway_after: true }, { refused_stream: true }, { close_before: true }],
};

const RETRIES = ['5xx', 'reset', 'connect-failure', 'refused-stream'] as const;

const drawn = (protocol: Protocol) =>
  fc.record({
    behaviors: fc.array(rarely(...BEHAVIORS[protocol]), { minLength: 1, maxLength: 4 }),
    weights: rarely([1, 2, 3, 1], [4, 1, 1, 2]),
    policy: fc.constantFrom('ROUND_ROBIN', 'ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'MAGLEV'),
    preconnect: rarely(
      { per_upstream_preconnect_ratio: 1.5 },
      { per_upstream_preconnect_ratio: 2 },
      { predictive_preconnect_ratio: 1.5 },
      { predictive_preconnect_ratio: 2 },
      { predictive_preconnect_ratio: 3 },
      { predictive_preconnect_ratio: 2, per_upstream_preconnect_ratio: 2 },
    ),
    limit: rarely(1, 2, 3),
    perConnection: rarely(1, 2, 3),
    retry: rarely(...RETRIES),
    attempts: rarely(2, 3),
    held: rarely(true),
    closes: fc.array(fc.tuple(fc.nat(3), fc.boolean()), { minLength: 8, maxLength: 12 }),
  });

type Drawn = ReturnType<typeof drawn> extends fc.Arbitrary<infer T> ? T : never;

const socketOf = (ip: string, port: number): object => ({
  address: { socket_address: { address: ip, port_value: port } },
});
const HTTP_OPTIONS = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
const TYPES = 'type.googleapis.com/envoy.extensions.filters.network.';

/** The case of a number, whose addresses no other has; its listener is at `….250`. */
export function randomCase(number: number): { readonly one: CaseToRecord; readonly ip: string; readonly port: number } {
  const [protocol = 'tcp'] = fc.sample(fc.constantFrom(...PROTOCOLS), { seed: number, numRuns: 1 });
  const [made] = fc.sample(drawn(protocol), { seed: number, numRuns: 1 });
  if (made === undefined) throw new Error('nothing was drawn');
  const net = `127.${100 + (number % 100)}.${1 + (Math.floor(number / 100) % 250)}`;
  return { one: caseOf(number, protocol, made, net), ip: `${net}.250`, port: 10200 };
}

function caseOf(number: number, protocol: Protocol, made: Drawn, net: string): CaseToRecord {
  const { behaviors, weights, policy, preconnect, limit, perConnection, retry, attempts, held, closes } = made;
  const isHeld = held === true && protocol !== 'tcp';
  const hosts = behaviors.map((own = {}, index) => [
    `${net}.${index + 1}:10100`,
    {
      ...(isHeld ? { delay_ms: 700 } : own),
      ...(protocol === 'tcp' && { protocol }),
      ...(protocol === 'h2' && { protocol }),
    },
  ]);
  const options = {
    ...(protocol === 'h2'
      ? { explicit_http_config: { http2_protocol_options: {} } }
      : { explicit_http_config: { http_protocol_options: {} } }),
    ...(perConnection !== undefined && {
      common_http_protocol_options: { max_requests_per_connection: perConnection },
    }),
  };
  const cluster = {
    name: 'c',
    type: 'STATIC',
    connect_timeout: '1s',
    lb_policy: policy,
    ...(preconnect !== undefined && { preconnect_policy: preconnect }),
    ...(limit !== undefined && { circuit_breakers: { thresholds: [{ max_connections: limit }] } }),
    typed_extension_protocol_options: {
      [HTTP_OPTIONS]: { '@type': `type.googleapis.com/${HTTP_OPTIONS}`, ...options },
    },
    load_assignment: {
      cluster_name: 'c',
      endpoints: [
        {
          lb_endpoints: hosts.map((_, index) => ({
            endpoint: socketOf(`${net}.${index + 1}`, 10100),
            ...(weights !== undefined && { load_balancing_weight: weights[index] }),
          })),
        },
      ],
    },
  };
  const route = {
    cluster: 'c',
    timeout: '3s',
    ...(retry !== undefined && !isHeld && { retry_policy: { retry_on: retry, num_retries: 1 } }),
  };
  const typed =
    protocol === 'tcp'
      ? {
          '@type': `${TYPES}tcp_proxy.v3.TcpProxy`,
          stat_prefix: 'in',
          cluster: 'c',
          ...(attempts !== undefined && { max_connect_attempts: attempts }),
        }
      : {
          '@type': `${TYPES}http_connection_manager.v3.HttpConnectionManager`,
          stat_prefix: 'in',
          http_filters: [
            {
              name: 'r',
              typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
            },
          ],
          route_config: {
            name: 'r',
            virtual_hosts: [
              {
                name: 'v',
                domains: ['*'],
                include_attempt_count_in_response: true,
                routes: [{ match: { prefix: '/' }, route }],
              },
            ],
          },
        };
  const listener = {
    name: 'l',
    ...socketOf(`${net}.250`, 10200),
    filter_chains: [{ filters: [{ name: 'f', typed_config: typed }] }],
  };
  return {
    name: `random-${number}`,
    draws: policy === 'ROUND_ROBIN' ? 30 : 300,
    area: protocol === 'tcp' ? 'tcp' : preconnect !== undefined || isHeld ? 'preconnect' : 'closing',
    driver: protocol === 'tcp' ? 'tcp' : isHeld ? 'timed' : 'requests',
    hosts: Object.fromEntries(hosts) as CaseToRecord['hosts'],
    config: { static_resources: { listeners: [listener], clusters: [cluster] } },
    ...(protocol === 'tcp'
      ? { actions: actionsOf(closes) }
      : { requests: closes.map((_, index) => (isHeld ? { at: 0.1 + 0.04 * index } : { pause_s: 0.03 })) }),
  };
}

/** Opens one connection after the other, and closes some of those that are open. */
function actionsOf(closes: Drawn['closes']): readonly TcpAction[] {
  const open: number[] = [];
  return closes.flatMap(([which, isClosing], index) => {
    open.push(index);
    const [closed] = isClosing ? open.splice(which % open.length, 1) : [];
    return [{ open: index }, ...(closed === undefined ? [] : [{ close: closed }])];
  });
}
