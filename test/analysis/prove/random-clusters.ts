import fc from 'fast-check';
import { defined } from '../../../src/core/values.js';
import type { Json } from '../../../src/testing/mix/mix-hosts.js';
import { scenarios } from '../../predict/random-scenarios.js';

const FEW_ARE_ENOUGH = { 'upstream.zone_routing.min_cluster_size': 1 };

const CHECK = { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} };

/** Clusters of at most so many hosts with everything that decides on losses, and capacities near what they get. */
export function clusters(most: number): fc.Arbitrary<Json> {
  return fc
    .record({
      scenario: scenarios(),
      notices: fc.constantFrom<Json>(
        {},
        { health_checks: [CHECK] },
        { health_checks: [CHECK] },
        { health_checks: [CHECK] },
        { outlier_detection: { max_ejection_percent: 40 } },
      ),
      listed: fc.constantFrom('as it is', 'plain', 'plain', 'plain', 'with subsets', 'with subsets'),
      policy: fc.constantFrom<Json>(
        ...['ROUND_ROBIN', 'ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM'].map((name) => ({ lb_policy: name })),
        ...[9, 60, 1024].map((size) => ({ lb_policy: 'RING_HASH', ring_hash_lb_config: { minimum_ring_size: size } })),
        ...[11, 101, 65537].map((size) => ({ lb_policy: 'MAGLEV', maglev_lb_config: { table_size: size } })),
      ),
      keys: fc.constantFrom<unknown>(
        undefined,
        undefined,
        { uniform: { keys: 50 } },
        { zipf: { keys: 200, exponent: 1.1 } },
        { cycle: ['a', 'b', 'c', 'd', 'e'] },
      ),
      isEven: fc.boolean(),
      isZoned: fc.boolean(),
      oneProxy: fc.constantFrom(true, true, true, false),
      capacities: fc.array(
        fc.record({ ip: fc.integer({ min: 1, max: 12 }), concurrency: fc.integer({ min: 1, max: 30 }) }),
        { maxLength: 4 },
      ),
      capacity: fc.integer({ min: 6, max: 60 }),
      slow: fc.constantFrom(undefined, undefined, 3, 5),
      admitted: fc.integer({ min: 2, max: 40 }),
      down: fc.constantFrom(undefined, undefined, undefined, 1, 2),
    })
    .map((drawn) => {
      const { scenario, notices, listed, policy, keys, isEven, isZoned, oneProxy } = drawn;
      const { capacities, capacity, slow, admitted, down } = drawn;
      const [main, ...others] = scenario['clusters'] as Json[];
      const taking = (concurrency: number): Json => ({ service_time: '25ms', concurrency });
      const { lb_subset_config: subsets, ...fields } = main as Json;
      const isPlain = listed !== 'as it is';
      const hashKey = isPlain && (policy['lb_policy'] === 'RING_HASH' || policy['lb_policy'] === 'MAGLEV') && keys;
      const cluster = {
        ...fields,
        ...(isPlain && policy),
        ...(listed !== 'plain' && defined({ lb_subset_config: subsets })),
        ...notices,
        circuit_breakers: { thresholds: [{ max_requests: admitted }] },
      };
      const { behavior: _, timeline: __, proxies, workloads, requests, assignments, ...kept } = scenario;
      return defined({
        ...kept,
        ...(!isPlain && defined({ requests })),
        clusters: [fewer(cluster, most, isPlain, isEven), ...others],
        assignments: assignments && { c: limited((assignments as Json)['c'] as Json, most, isPlain, isEven) },
        proxies: oneProxy
          ? (proxies as Json[])
              .slice(0, 1)
              .map((one) => ({ ...one, count: 1, ...(isZoned && { runtime: FEW_ARE_ENOUGH }) }))
          : proxies,
        behavior: [
          { hosts: {}, ...taking(capacity) },
          ...capacities.map(({ ip, concurrency }) => ({ hosts: `10.0.0.${ip}:80`, ...taking(concurrency) })),
          ...(slow === undefined ? [] : [{ hosts: `10.0.0.${slow}:80`, network_latency: '50ms' }]),
        ],
        workloads: isPlain
          ? (workloads as Json[]).slice(0, 1).map(({ route: _route, metadata_match: match, ...own }) => ({
              cluster: 'c',
              ...own,
              ...defined({ hash_key: hashKey || undefined }),
              ...(listed === 'with subsets' && defined({ metadata_match: match })),
            }))
          : workloads,
        timeline: down === undefined ? undefined : [{ at: '0s', fail: `10.0.0.${down}:80` }],
      });
    });
}

/** Clusters of up to 60 hosts of up to four kinds, of which sets are few enough to count. @param isShared hosts are of several subsets. */
export function largeClusters(isShared = false): fc.Arbitrary<Json> {
  const kind = fc.record({
    count: fc.integer({ min: 1, max: 15 }),
    zone: fc.constantFrom('a', 'b', 'b', 'c'),
    priority: fc.constantFrom(0, 0, 1),
    weight: fc.constantFrom(1, 1, 2, 3),
    health: fc.constantFrom('HEALTHY', 'HEALTHY', 'HEALTHY', 'DEGRADED', 'UNHEALTHY'),
    concurrency: fc.constantFrom(undefined, undefined, 2, 3, 6),
    latency: fc.constantFrom(0, 0, 0, 20),
    v: fc.constantFrom('1', '1', '2'),
  });
  const subsets = fc.record({
    fallback_policy: fc.constantFrom('NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'),
    default_subset: fc.constantFrom<Json>({ v: '2' }, { v: '3' }),
    subset_selectors: fc.constantFrom<Json[]>(
      [{ keys: ['v'] }],
      [{ keys: ['v'] }],
      ...(isShared ? [] : [[{ keys: ['u'] }], [{ keys: ['v'], single_host_per_subset: true }]]),
    ),
    panic_mode_any: isShared ? fc.constant(false) : fc.boolean(),
    locality_weight_aware: fc.boolean(),
  });
  return fc
    .record({
      kinds: fc.array(kind, { minLength: 1, maxLength: 4 }),
      weighted: isShared ? fc.constant(false) : fc.boolean(),
      policy: fc.constantFrom('ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM'),
      threshold: fc.constantFrom(undefined, 0, 30, 70),
      factor: fc.constantFrom(undefined, 100, 200),
      byWeight: fc.constantFrom(undefined, undefined, undefined, true),
      version: fc.constantFrom('1.12', '1.17', '1.40'),
      isDns: isShared ? fc.constant(false) : fc.constantFrom(false, false, false, true),
      failsOnPanic: fc.boolean(),
      concurrency: fc.integer({ min: 1, max: 4 }),
      admitted: fc.integer({ min: 15, max: 40 }),
      subsets: isShared ? subsets : fc.option(subsets, { freq: 2, nil: undefined }),
      // Some requests ask a subset, and others all hosts, or another subset.
      second: fc.constantFrom<Json | undefined>(
        ...(isShared ? [] : [undefined, undefined]),
        {},
        { metadata_match: { v: '2' } },
      ),
      routing: fc.option(
        fc.record({
          local: fc.array(fc.constantFrom('a', 'a', 'b', 'c'), { minLength: 1, maxLength: 7 }),
          least: fc.constantFrom(0, 1, 6, 12),
          forced: fc.constantFrom(undefined, undefined, undefined, 0, 2, 5),
          // Proxies in a second zone, which hosts of the cluster may be in or not.
          second: fc.constantFrom(undefined, undefined, 'b', 'd'),
        }),
        { nil: undefined },
      ),
    })
    .map(
      ({
        kinds,
        weighted,
        policy,
        threshold,
        factor,
        byWeight,
        version,
        isDns,
        failsOnPanic,
        concurrency,
        admitted,
        subsets,
        second,
        routing,
      }) => {
        const groups = kinds.map(({ count, zone, priority, weight, health, v }, index) => ({
          locality: { zone },
          priority,
          // One place of a priority has one weight.
          ...(weighted && { load_balancing_weight: zone === 'a' ? 1 : 3 }),
          lb_endpoints: Array.from({ length: isDns ? 1 : count }, (_, host) => ({
            endpoint: {
              address: {
                socket_address: { address: isDns ? `n${index}.test` : `10.0.${index}.${host + 1}`, port_value: 80 },
              },
            },
            ...(!isDns && { health_status: health }),
            load_balancing_weight: weight,
            ...(subsets && { metadata: { filter_metadata: { 'proxy.lb': { v } } } }),
          })),
        }));
        const addresses = kinds.map(({ count }, index) =>
          Array.from({ length: count }, (_, host) => `10.0.${index}.${host + 1}`),
        );
        return defined({
          clusters: [
            defined({
              name: 'c',
              type: isDns ? 'STRICT_DNS' : 'STATIC',
              lb_policy: policy,
              load_assignment: {
                cluster_name: 'c',
                endpoints: groups,
                policy: defined({ overprovisioning_factor: factor, weighted_priority_health: byWeight }),
              },
              common_lb_config: defined({
                healthy_panic_threshold: threshold === undefined ? undefined : { value: threshold },
                ...(weighted
                  ? { locality_weighted_lb_config: {} }
                  : {
                      zone_aware_lb_config: defined({
                        fail_traffic_on_panic: failsOnPanic,
                        min_cluster_size: routing?.least,
                        force_local_zone: routing?.forced === undefined ? undefined : { min_size: routing.forced },
                      }),
                    }),
              }),
              health_checks: isDns ? undefined : [CHECK],
              lb_subset_config: subsets,
              circuit_breakers: { thresholds: [{ max_requests: admitted }] },
            }),
            ...(routing === undefined ? [] : [localCluster(routing.local)]),
          ],
          dns: isDns
            ? Object.fromEntries(addresses.map((own, index) => [`n${index}.test`, { addresses: own }]))
            : undefined,
          proxies: [
            defined({
              name: 'p',
              version,
              node: { locality: { zone: 'a' } },
              local_cluster_name: routing === undefined ? undefined : 'local',
            }),
            ...(routing?.second === undefined
              ? []
              : [{ name: 'q', version, node: { locality: { zone: routing.second } }, local_cluster_name: 'local' }]),
          ],
          behavior: [
            { hosts: {}, service_time: '50ms', concurrency },
            ...kinds.map(({ latency }, index) => ({ hosts: `10.0.${index}.0/24`, network_latency: `${latency}ms` })),
            ...kinds.flatMap(({ concurrency: own }, index) =>
              own === undefined ? [] : [{ hosts: `10.0.${index}.0/24`, service_time: '50ms', concurrency: own }],
            ),
          ],
          workloads: [
            defined({
              cluster: 'c',
              arrivals: { constant: '500/s' },
              stop: '2s',
              metadata_match: subsets && { v: '1' },
            }),
            ...(subsets && second ? [{ cluster: 'c', arrivals: { constant: '400/s' }, stop: '2s', ...second }] : []),
          ],
        });
      },
    );
}

function localCluster(zones: readonly string[]): Json {
  const endpoints = zones.map((zone, host) => ({
    locality: { zone },
    lb_endpoints: [{ endpoint: { address: { socket_address: { address: `10.9.0.${host + 1}`, port_value: 80 } } } }],
  }));
  return { name: 'local', type: 'STATIC', load_assignment: { cluster_name: 'local', endpoints } };
}

/** Some of its hosts; with addresses of their own and without weighted health where `isPlain`. */
function fewer(cluster: Json, most: number, isPlain: boolean, isEven: boolean): Json {
  const { load_assignment: hosts } = cluster;
  return hosts === undefined ? cluster : { ...cluster, load_assignment: limited(hosts as Json, most, isPlain, isEven) };
}

function limited(assignment: Json, most: number, isPlain: boolean, isEven: boolean): Json {
  let used = 0;
  const endpoints = (assignment['endpoints'] as Json[]).map((group) => {
    const hosts = (group['lb_endpoints'] as Json[]).slice(0, most - used).map((host) => {
      used++;
      if (!isPlain) return host;
      const { load_balancing_weight: _, ...even } = host;
      return {
        ...(isEven ? even : host),
        endpoint: { address: { socket_address: { address: `10.0.0.${used}`, port_value: 80 } } },
      };
    });
    return { ...group, lb_endpoints: hosts };
  });
  const { overprovisioning_factor: factor } = assignment['policy'] as Json;
  return { ...assignment, endpoints, ...(isPlain && { policy: defined({ overprovisioning_factor: factor }) }) };
}

/** A cluster beside others in an aggregate, which has its name. */
export function inAggregates(clusters: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const kind = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    zone: fc.constantFrom('a', 'b'),
    priority: fc.constantFrom(0, 0, 1),
    weight: fc.constantFrom(1, 1, 2),
    health: fc.constantFrom('HEALTHY', 'HEALTHY', 'HEALTHY', 'DEGRADED', 'UNHEALTHY'),
  });
  const threshold = fc.constantFrom(undefined, undefined, 0, 30, 80);
  return fc
    .record({
      scenario: clusters,
      kinds: fc.array(kind, { minLength: 1, maxLength: 2 }),
      isFirst: fc.boolean(),
      policy: fc.constantFrom('ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM'),
      factor: fc.constantFrom(undefined, 100, 200),
      own: threshold,
      whole: threshold,
      version: fc.constantFrom('1.14', '1.40', '1.40'),
      // Nothing notices losses of that one.
      blind: fc.constantFrom(undefined, undefined, 'main', 'beside'),
      other: fc.constantFrom(undefined, undefined, undefined, 'STATIC', 'STRICT_DNS'),
    })
    .map(({ scenario, kinds, isFirst, policy, factor, own, whole, version, blind, other }) => {
      const [{ health_checks: checks, ...main } = {}, ...others] = scenario['clusters'] as Json[];
      const { outlier_detection: outliers } = main;
      const type = outliers === undefined && other !== undefined ? other : main['type'];
      const checksOf = (name: string): unknown => (name === blind ? undefined : checks);
      const panic = (value?: number): Json =>
        value === undefined ? {} : { common_lb_config: { healthy_panic_threshold: { value } } };
      const isDns = type === 'STRICT_DNS';
      const groups = kinds.map(({ count, zone, priority, weight, health }, index) => ({
        locality: { zone },
        priority,
        lb_endpoints: Array.from({ length: isDns ? 1 : count }, (_, host) => ({
          endpoint: {
            address: {
              socket_address: { address: isDns ? `m${index}.test` : `10.1.${index}.${host + 1}`, port_value: 80 },
            },
          },
          ...(!isDns && { health_status: health }),
          load_balancing_weight: weight,
        })),
      }));
      const names = kinds.map(({ count }, index): [string, Json] => [
        `m${index}.test`,
        { addresses: Array.from({ length: count }, (_, host) => `10.1.${index}.${host + 1}`) },
      ]);
      const beside = defined({
        name: 'beside',
        type: type === 'EDS' ? 'STATIC' : type,
        lb_policy: policy,
        health_checks:
          type !== 'STRICT_DNS' && outliers === undefined && blind !== 'beside' ? [CHECK] : checksOf('beside'),
        outlier_detection: outliers,
        load_assignment: {
          cluster_name: 'beside',
          endpoints: groups,
          policy: defined({ overprovisioning_factor: factor }),
        },
        ...panic(own),
      });
      const members = ['main', 'beside'];
      const { assignments, dns, proxies } = scenario as Readonly<Record<string, Json>>;
      return defined({
        ...scenario,
        clusters: [
          {
            name: 'c',
            connect_timeout: '1s',
            lb_policy: 'CLUSTER_PROVIDED',
            cluster_type: {
              name: 'envoy.clusters.aggregate',
              typed_config: {
                '@type': 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig',
                clusters: isFirst ? members : members.reverse(),
              },
            },
            ...panic(whole),
          },
          defined({ ...main, name: 'main', health_checks: checksOf('main') }),
          beside,
          ...others,
        ],
        proxies: (proxies as unknown as Json[]).map((proxy) => ({ ...proxy, version })),
        assignments: assignments && { main: assignments['c'] },
        dns: isDns ? { ...dns, ...Object.fromEntries(names) } : dns,
      });
    });
}
