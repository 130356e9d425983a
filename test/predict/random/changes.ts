import fc from 'fast-check';
import { defined } from '../../../src/core/values.js';
import { assignment, endpoint, fromPool, health, type Json, metadata } from '../../../src/testing/mix/mix-hosts.js';

/** An entry of the timeline. Selectors reach the local cluster too. */
export function change(weighted: boolean): fc.Arbitrary<Json> {
  const when = fc.constantFrom<Json>(
    { at: '0s' },
    { at: '1s' },
    { at: '1.3s' },
    { at: '2s' },
    { at: '2s' },
    { at: '3.7s' },
    { at: '4s' },
    { every: '1.5s' },
    { every: '0.7s', from: '2s', until: '4s' },
  );
  const some = fc.constantFrom<unknown>(
    {},
    { zone: 'a' },
    { zone: 'b' },
    { priority: 0 },
    { cluster: 'local', zone: 'a' },
    { cluster: 'c', zone: 'b' },
    { metadata: { v: '1' } },
    { address: '10.0.0.0/29' },
  );
  const action = fc.oneof(
    fc.record({ set_health: fc.record({ hosts: some, status: health().filter((status) => status !== 'UNKNOWN') }) }),
    fc.record({ set_weight: fc.record({ hosts: some, weight: fc.constantFrom(1, 3) }) }),
    fc.record({ set_metadata: fc.record({ hosts: some, metadata: metadata() }) }),
    fc.record({ remove_hosts: some }),
    fc.record({ add_hosts: addition('c') }),
    fc.record({ add_hosts: addition('local') }),
    fc.record({ assign: assignment('c', weighted) }),
    fc.record({
      set_runtime: fc.constantFrom<Json>(
        { 'upstream.zone_routing.enabled': 50 },
        { 'upstream.zone_routing.enabled': 0 },
        { 'upstream.zone_routing.min_cluster_size': 2 },
        { 'upstream.healthy_panic_threshold': 20 },
        { 'upstream.healthy_panic_threshold': 100 },
        { b: 0 },
      ),
    }),
    fc.record({ set_rate: fc.constant({ workload: 'w0', rate: '3000/s' }) }),
  );
  return fc.tuple(when, action).map(([time, act]) => ({ ...time, ...act }));
}

function addition(name: string): fc.Arbitrary<Json> {
  return fc
    .record({
      place: fromPool('localities'),
      priority: name === 'c' ? fc.constantFrom(0, 0, 1, 3) : fc.constant(0),
      endpoints: fc.array(endpoint(), { minLength: 1, maxLength: 3 }),
    })
    .map(({ place, priority, endpoints }) => defined({ cluster: name, priority, locality: place, endpoints }));
}
