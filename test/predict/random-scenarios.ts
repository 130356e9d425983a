import fc from 'fast-check';
import { defined } from '../../src/core/values.js';
import { change } from './random/changes.js';
import { cluster, type ClusterPlan } from '../../src/testing/mix/mix-cluster.js';
import { assignment, endpoint, fromPool, type Json, sometimes } from '../../src/testing/mix/mix-hosts.js';

/** Scenarios as a file would hold them, of everything that decides where a request goes and that can be predicted. */
export function scenarios(): fc.Arbitrary<Json> {
  return cluster().chain((plan) => {
    const weighted = plan.mode.endsWith('localities');
    return fc
      .record({
        plan: fc.constant(plan),
        type: fc.constantFrom('STATIC', 'EDS'),
        hosts: assignment('c', weighted),
        local: fc.array(fc.record({ zone: fc.constantFrom('a', 'b', 'c'), host: endpoint() }), { maxLength: 8 }),
        proxies: fc.array(proxy(), { minLength: 1, maxLength: 2 }),
        active: fc.array(fc.record({ ip: fc.integer({ min: 1, max: 12 }), requests: fc.integer({ min: 1, max: 3 }) }), {
          maxLength: 3,
        }),
        // Only the rate of the first is ever changed, and not every kind of arrivals has one.
        first: workload(fc.constantFrom<unknown>('2000/s', { constant: '1500/s' })),
        workloads: fc.array(workload(arrivals()), { maxLength: 2 }),
        requests: fc.array(fc.constantFrom('k1', 'k2', 'k3'), { maxLength: 3 }),
        warmup: sometimes('0.5s', '2s'),
        timeline: fc.array(change(weighted), { maxLength: 5 }),
        seed: fc.integer({ min: 0, max: 1e6 }),
      })
      .map(build);
  });
}

interface WorkloadPlan {
  readonly keys: string;
  readonly arrivals: unknown;
  readonly matches: readonly (Json | undefined)[];
  readonly weights: readonly number[];
}

function workload(own: fc.Arbitrary<unknown>): fc.Arbitrary<WorkloadPlan> {
  return fc.record({
    keys: fc.constantFrom('none', 'uniform', 'zipf', 'sequence', 'cycle'),
    arrivals: own,
    // Two of them are the clusters of a route.
    matches: fc.array(fromPool('matches'), { minLength: 1, maxLength: 2 }),
    weights: fc.constantFrom([1, 1], [3, 1], [1, 0]),
  });
}

function arrivals(): fc.Arbitrary<unknown> {
  return fc.constantFrom<unknown>(
    '1500/s',
    { constant: '700/s' },
    { closed: { users: 20, think_time: '20ms' } },
    {
      ramp: [
        { at: '0s', rate: '100/s' },
        { at: '5s', rate: '3000/s' },
      ],
    },
  );
}

function proxy(): fc.Arbitrary<Json> {
  return fc.record({
    version: fc.constantFrom('1.12', '1.14', '1.17', '1.40', '1.40'),
    workers: fc.integer({ min: 1, max: 2 }),
    count: fc.constantFrom(1, 1, 2),
    share: fc.constantFrom(1, 1, 3),
    place: fc.constantFrom<unknown>({ zone: 'a' }, { zone: 'a' }, { zone: 'b' }, { zone: 'd' }, {}, undefined),
    runtime: fc.constantFrom<Json>(
      {},
      {},
      { 'envoy.reloadable_features.enable_batch_aware_update': false },
      { 'upstream.zone_routing.min_cluster_size': 1, b: '0.5' },
    ),
  });
}

function build(scenario: {
  readonly plan: ClusterPlan;
  readonly type: string;
  readonly hosts: Json;
  readonly local: readonly { readonly zone: string; readonly host: Json }[];
  readonly proxies: readonly Json[];
  readonly active: readonly { readonly ip: number; readonly requests: number }[];
  readonly first: WorkloadPlan;
  readonly workloads: readonly WorkloadPlan[];
  readonly requests: readonly string[];
  readonly warmup: string | undefined;
  readonly timeline: readonly Json[];
  readonly seed: number;
}): Json {
  const { plan, type, hosts, active } = scenario;
  const zones = plan.mode.endsWith('zones');
  const hashed = plan.policy === 'RING_HASH' || plan.policy === 'MAGLEV';
  const main = {
    name: 'c',
    connect_timeout: '1s',
    type,
    ...(type === 'STATIC' ? { load_assignment: hosts } : { eds_cluster_config: { eds_config: { ads: {} } } }),
    ...plan.fields,
  };
  return defined({
    seed: scenario.seed,
    duration: '6s',
    warmup: scenario.warmup,
    proxies: scenario.proxies.map(({ place, ...fields }, index) => ({
      name: `p${index}`,
      ...fields,
      ...(zones ? { local_cluster_name: 'local', node: defined({ locality: place }) } : {}),
    })),
    clusters: zones ? [main, localCluster(scenario.local)] : [main],
    assignments: type === 'EDS' ? { c: hosts } : undefined,
    behavior:
      active.length > 0 && !hashed
        ? active.map(({ ip, requests }) => ({ hosts: `10.0.0.${ip}:80`, initial_active_requests: requests }))
        : undefined,
    workloads: [scenario.first, ...scenario.workloads].map((own, index) =>
      defined({
        name: `w${index}`,
        ...target(own, plan.mode.startsWith('subsets')),
        arrivals: own.arrivals,
        stop: '6s',
        hash_key: hashed ? hashKey(own.keys) : undefined,
      }),
    ),
    requests: hashed
      ? scenario.requests.map((key, index) => ({ at: `${index + 1}s`, cluster: 'c', hash_key: key }))
      : undefined,
    timeline: scenario.timeline.filter((entry) => zones || !JSON.stringify(entry).includes('"local"')),
  });
}

function localCluster(hosts: readonly { readonly zone: string; readonly host: Json }[]): Json {
  return {
    name: 'local',
    connect_timeout: '1s',
    type: 'STATIC',
    lb_policy: 'ROUND_ROBIN',
    load_assignment: {
      cluster_name: 'local',
      endpoints: hosts.map(({ zone, host }) => ({ locality: { zone }, lb_endpoints: [host] })),
    },
  };
}

function target({ matches, weights }: WorkloadPlan, subsets: boolean): Json {
  if (!subsets) return { cluster: 'c' };
  const [first] = matches;
  if (matches.length === 1) return defined({ cluster: 'c', metadata_match: first });
  return {
    route: matches.map((match, index) => defined({ cluster: 'c', weight: weights[index], metadata_match: match })),
  };
}

function hashKey(kind: string): unknown {
  switch (kind) {
    case 'none':
      return undefined;
    case 'zipf':
      return { zipf: { keys: 200, exponent: 1.1, prefix: 'k' } };
    case 'cycle':
      return { cycle: ['a', 'b', 'c', 'd', 'e'] };
    default:
      return { [kind]: { keys: 300, prefix: 'k' } };
  }
}
