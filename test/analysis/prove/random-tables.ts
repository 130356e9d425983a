import fc from 'fast-check';
import { defined } from '../../../src/core/values.js';
import type { Json } from '../../../src/testing/mix/mix-hosts.js';

const CHECK = { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} };

/** Rings and Maglev tables of 6 to 20 hosts with capacities near what the busiest of them gets. */
export function tables(): fc.Arbitrary<Json> {
  return fc
    .record({
      policy: fc.constantFrom<Json>(
        ...[9, 100, 1024].map((size) => ({ lb_policy: 'RING_HASH', ring_hash_lb_config: { minimum_ring_size: size } })),
        ...[2, 5, 11, 101, 1009].map((size) => ({ lb_policy: 'MAGLEV', maglev_lb_config: { table_size: size } })),
      ),
      hosts: fc.array(
        fc.record({
          zone: fc.constantFrom('a', 'a', 'b', 'c'),
          priority: fc.constantFrom(0, 0, 0, 1),
          weight: fc.constantFrom(1, 1, 1, 2, 5),
          health: fc.constantFrom('HEALTHY', 'HEALTHY', 'HEALTHY', 'HEALTHY', 'DEGRADED', 'UNHEALTHY'),
        }),
        { minLength: 6, maxLength: 20 },
      ),
      isEven: fc.boolean(),
      isWell: fc.boolean(),
      isOnePriority: fc.boolean(),
      weights: fc.constantFrom<Readonly<Record<string, number>> | undefined>(
        undefined,
        undefined,
        { a: 1, b: 3, c: 2 },
        { a: 2, b: 0, c: 1 },
      ),
      keys: fc.constantFrom<unknown>(
        undefined,
        { uniform: { keys: 50 } },
        { zipf: { keys: 200, exponent: 1.1 } },
        { cycle: ['a', 'b', 'c', 'd', 'e'] },
      ),
      threshold: fc.constantFrom(undefined, undefined, 0, 100),
      version: fc.constantFrom('1.17', '1.30', '1.40'),
      notices: fc.constantFrom<Json>({ health_checks: [CHECK] }, { health_checks: [CHECK] }, {}),
      concurrency: fc.integer({ min: 6, max: 36 }),
      down: fc.constantFrom(undefined, undefined, undefined, 2),
    })
    .map((drawn) => {
      const { policy, hosts, isEven, isWell, isOnePriority, weights, keys, threshold, version, notices } = drawn;
      const priorities = isOnePriority || hosts.every(({ priority }) => priority > 0);
      const endpoints = hosts.map(({ zone, priority, weight, health }, index) =>
        defined({
          locality: { zone },
          priority: priorities ? 0 : priority,
          load_balancing_weight: weights?.[zone],
          lb_endpoints: [
            {
              endpoint: { address: { socket_address: { address: `10.0.0.${index + 1}`, port_value: 80 } } },
              load_balancing_weight: isEven ? 1 : weight,
              health_status: isWell ? 'HEALTHY' : health,
            },
          ],
        }),
      );
      return defined({
        clusters: [
          {
            name: 'c',
            type: 'STATIC',
            ...policy,
            ...notices,
            load_assignment: { cluster_name: 'c', endpoints },
            common_lb_config: defined({
              healthy_panic_threshold: threshold === undefined ? undefined : { value: threshold },
              locality_weighted_lb_config: weights && {},
            }),
          },
        ],
        proxies: [{ name: 'p', version, node: { locality: { zone: 'a' } } }],
        behavior: [{ hosts: {}, service_time: '50ms', concurrency: drawn.concurrency }],
        workloads: [defined({ cluster: 'c', arrivals: { constant: '1000/s' }, stop: '2s', hash_key: keys })],
        timeline: drawn.down === undefined ? undefined : [{ at: '0s', fail: `10.0.0.${drawn.down}:80` }],
      });
    });
}
