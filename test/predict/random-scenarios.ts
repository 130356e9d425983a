import fc from 'fast-check';

/** Scenarios as a file would hold them, of everything that decides where a request goes and that can be predicted. */
export function scenarios(): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record({
      shape: fc.record({
        policy: fc.constantFrom('ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'RING_HASH', 'MAGLEV'),
        type: fc.constantFrom('STATIC', 'EDS'),
        mode: fc.constantFrom('plain', 'zones', 'localities', 'subsets', 'subsets+localities'),
        version: fc.constantFrom('1.12', '1.14', '1.17', '1.40'),
        threshold: fc.constantFrom(undefined, 0, 29, 50, 80, 100),
        failOnPanic: fc.boolean(),
        factor: fc.constantFrom(undefined, 100, 140, 200),
        window: fc.constantFrom(undefined, '0s', '0.5s'),
        workers: fc.integer({ min: 1, max: 2 }),
        otherZone: fc.boolean(),
        routingEnabled: fc.constantFrom(undefined, 0, 37, 100),
        minClusterSize: fc.constantFrom(undefined, 1, 3),
        tableSize: fc.constantFrom(undefined, 5, 101, 1009),
        choices: fc.constantFrom(undefined, 2, 3),
        keys: fc.constantFrom('none', 'uniform', 'zipf', 'sequence', 'cycle'),
        arrivals: fc.constantFrom('poisson', 'constant'),
        seed: fc.integer({ min: 0, max: 1e6 }),
      }),
      hosts: fc.array(host(), { minLength: 1, maxLength: 14 }),
      localHosts: fc.array(fc.record({ zone: zone(), health: health() }), { minLength: 0, maxLength: 8 }),
      zoneWeights: fc.record({ a: localityWeight(), b: localityWeight(), c: localityWeight() }),
      subsets: fc.record({
        fallback: fc.constantFrom('NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'),
        selectors: fc.array(selector(), { minLength: 1, maxLength: 3 }),
        defaultSubset: fc.constantFrom({ v: '1' }, { v: '3', s: 'x' }, {}),
        panicModeAny: fc.boolean(),
        listAsAny: fc.boolean(),
        weightAware: fc.boolean(),
        scale: fc.boolean(),
        matches: fc.array(
          fc.constantFrom<unknown>(
            undefined,
            { v: '1' },
            { v: '2' },
            { v: '9' },
            { s: 'x' },
            { v: '1', s: 'x' },
            { t: 1 },
          ),
          {
            minLength: 1,
            maxLength: 2,
          },
        ),
      }),
      timeline: fc.array(change(), { maxLength: 5 }),
    })
    .map(build);
}

const zone = (): fc.Arbitrary<string> => fc.constantFrom('a', 'b', 'c');
const health = (): fc.Arbitrary<string> =>
  fc.constantFrom('HEALTHY', 'HEALTHY', 'HEALTHY', 'UNHEALTHY', 'DEGRADED', 'DRAINING');
const localityWeight = (): fc.Arbitrary<number | undefined> => fc.constantFrom(undefined, 1, 2, 5);
const value = (): fc.Arbitrary<unknown> => fc.constantFrom<unknown>('1', '2', ['1', '2'], undefined);

function host(): fc.Arbitrary<HostPlan> {
  return fc.record({
    zone: zone(),
    priority: fc.constantFrom(0, 0, 0, 1, 2),
    health: health(),
    weight: fc.constantFrom(1, 1, 1, 2, 5),
    v: value(),
    s: fc.constantFrom('x', 'y', undefined),
    active: fc.constantFrom(0, 0, 0, 1, 3),
  });
}

interface HostPlan {
  readonly zone: string;
  readonly priority: number;
  readonly health: string;
  readonly weight: number;
  readonly v: unknown;
  readonly s: string | undefined;
  readonly active: number;
}

function selector(): fc.Arbitrary<Record<string, unknown>> {
  return fc.constantFrom(
    { keys: ['v'] },
    { keys: ['s'], fallback_policy: 'NO_FALLBACK' },
    { keys: ['v', 's'], fallback_policy: 'KEYS_SUBSET', fallback_keys_subset: ['s'] },
    { keys: ['v', 's'], fallback_policy: 'ANY_ENDPOINT' },
    { keys: ['s', 'v'], fallback_policy: 'KEYS_SUBSET', fallback_keys_subset: ['v'] },
    { keys: ['v'], fallback_policy: 'DEFAULT_SUBSET' },
  );
}

function change(): fc.Arbitrary<Record<string, unknown>> {
  const at = fc.constantFrom('0s', '1s', '1.3s', '2s', '3.7s', '4s');
  const some = fc.constantFrom<unknown>({ zone: 'a' }, { zone: 'b' }, '10.0.0.1:80', '10.0.0.2:80', { priority: 0 });
  return fc.oneof(
    fc.record({ at, set_health: fc.record({ hosts: some, status: health() }) }),
    fc.record({ at, set_weight: fc.record({ hosts: some, weight: fc.constantFrom(1, 3) }) }),
    fc.record({
      at,
      set_metadata: fc.record({ hosts: some, metadata: fc.constantFrom({ v: '1' }, { v: '2', s: 'x' }) }),
    }),
    fc.record({ at, remove_hosts: some }),
    fc.record({
      at,
      add_hosts: fc.record({
        cluster: fc.constant('c'),
        zone: zone(),
        priority: fc.constantFrom(0, 1),
        endpoints: fc.constant(['10.0.9.1:80', '10.0.9.2:80']),
      }),
    }),
    fc.record({
      at,
      set_runtime: fc.constantFrom({ 'upstream.zone_routing.enabled': 50 }, { 'upstream.healthy_panic_threshold': 20 }),
    }),
    fc.record({ at, set_rate: fc.constant({ workload: 'w0', rate: '3000/s' }) }),
  );
}

function build(plan: {
  readonly shape: {
    readonly policy: string;
    readonly type: string;
    readonly mode: string;
    readonly version: string;
    readonly threshold: number | undefined;
    readonly failOnPanic: boolean;
    readonly factor: number | undefined;
    readonly window: string | undefined;
    readonly workers: number;
    readonly otherZone: boolean;
    readonly routingEnabled: number | undefined;
    readonly minClusterSize: number | undefined;
    readonly tableSize: number | undefined;
    readonly choices: number | undefined;
    readonly keys: string;
    readonly arrivals: string;
    readonly seed: number;
  };
  readonly hosts: readonly HostPlan[];
  readonly localHosts: readonly { readonly zone: string; readonly health: string }[];
  readonly zoneWeights: Readonly<Record<string, number | undefined>>;
  readonly subsets: {
    readonly fallback: string;
    readonly selectors: readonly Record<string, unknown>[];
    readonly defaultSubset: Record<string, string | undefined>;
    readonly panicModeAny: boolean;
    readonly listAsAny: boolean;
    readonly weightAware: boolean;
    readonly scale: boolean;
    readonly matches: readonly unknown[];
  };
  readonly timeline: readonly Record<string, unknown>[];
}): Record<string, unknown> {
  const { hosts, subsets } = plan;
  const shape = plan.shape.version === '1.40' ? { ...plan.shape, type: 'EDS' } : plan.shape;
  const weighted = shape.mode === 'localities' || shape.mode === 'subsets+localities';
  const subsetted = shape.mode.startsWith('subsets');
  const zones = shape.mode === 'zones';
  const hashed = shape.policy === 'RING_HASH' || shape.policy === 'MAGLEV';
  const assignment = {
    cluster_name: 'c',
    ...(shape.factor === undefined ? {} : { policy: { overprovisioning_factor: shape.factor } }),
    endpoints: groups(hosts, plan.zoneWeights, weighted),
  };
  const cluster = {
    name: 'c',
    connect_timeout: '1s',
    type: shape.type,
    ...(shape.type === 'STATIC'
      ? { load_assignment: assignment }
      : { eds_cluster_config: { eds_config: { ads: {} } } }),
    lb_policy: shape.policy,
    common_lb_config: {
      ...(shape.threshold === undefined ? {} : { healthy_panic_threshold: { value: shape.threshold } }),
      ...(shape.window === undefined ? {} : { update_merge_window: shape.window }),
      ...(weighted
        ? { locality_weighted_lb_config: {} }
        : {
            zone_aware_lb_config: {
              fail_traffic_on_panic: shape.failOnPanic,
              ...(shape.routingEnabled === undefined ? {} : { routing_enabled: { value: shape.routingEnabled } }),
              ...(shape.minClusterSize === undefined ? {} : { min_cluster_size: shape.minClusterSize }),
            },
          }),
    },
    ...(shape.policy === 'MAGLEV' && shape.tableSize !== undefined
      ? { maglev_lb_config: { table_size: shape.tableSize } }
      : {}),
    ...(shape.policy === 'RING_HASH' && shape.tableSize !== undefined
      ? { ring_hash_lb_config: { minimum_ring_size: shape.tableSize } }
      : {}),
    ...(shape.policy === 'LEAST_REQUEST' && shape.choices !== undefined
      ? { least_request_lb_config: { choice_count: shape.choices } }
      : {}),
    ...(subsetted
      ? {
          lb_subset_config: {
            fallback_policy: subsets.fallback,
            default_subset: subsets.defaultSubset,
            subset_selectors: subsets.selectors,
            panic_mode_any: subsets.panicModeAny,
            list_as_any: subsets.listAsAny,
            locality_weight_aware: subsets.weightAware && weighted,
            scale_locality_weight: subsets.scale,
          },
        }
      : {}),
  };
  const local = {
    name: 'local',
    connect_timeout: '1s',
    type: 'STATIC',
    lb_policy: 'ROUND_ROBIN',
    load_assignment: {
      cluster_name: 'local',
      endpoints: plan.localHosts.map(({ zone: place, health: status }, index) => ({
        locality: { zone: place },
        lb_endpoints: [endpoint(`11.0.0.${index + 1}`, status, 1, {})],
      })),
    },
  };
  const proxy = {
    version: shape.version,
    workers: shape.workers,
    ...(zones ? { local_cluster_name: 'local', node: { locality: { zone: 'a' } } } : {}),
  };
  const active = hosts.flatMap(({ active: requests }, index) =>
    requests > 0 ? [{ hosts: `10.0.0.${index + 1}:80`, initial_active_requests: requests }] : [],
  );
  const matches = subsetted ? subsets.matches : [undefined];
  return {
    seed: shape.seed,
    duration: '6s',
    proxies: [
      { name: 'p', ...proxy },
      ...(zones && shape.otherZone ? [{ name: 'q', ...proxy, node: { locality: { zone: 'b' } } }] : []),
    ],
    clusters: zones ? [cluster, local] : [cluster],
    ...(shape.type === 'EDS' ? { assignments: { c: assignment } } : {}),
    ...(active.length > 0 && !hashed ? { behavior: active } : {}),
    workloads: matches.map((match, index) => ({
      name: `w${index}`,
      cluster: 'c',
      arrivals: { [shape.arrivals]: index === 0 ? '2000/s' : '1500/s' },
      stop: '6s',
      ...(match === undefined ? {} : { metadata_match: match }),
      ...(hashed && shape.keys !== 'none' ? { hash_key: hashKey(shape.keys) } : {}),
    })),
    timeline: plan.timeline,
  };
}

function hashKey(kind: string): unknown {
  switch (kind) {
    case 'zipf':
      return { zipf: { keys: 200, exponent: 1.1, prefix: 'k' } };
    case 'cycle':
      return { cycle: ['a', 'b', 'c', 'd', 'e'] };
    default:
      return { [kind]: { keys: 300, prefix: 'k' } };
  }
}

function groups(
  hosts: readonly HostPlan[],
  zoneWeights: Readonly<Record<string, number | undefined>>,
  weighted: boolean,
): unknown[] {
  const found = new Map<string, { priority: number; zone: string; endpoints: unknown[] }>();
  for (const [index, plan] of hosts.entries()) {
    const key = `${plan.priority} ${plan.zone}`;
    const group = found.get(key) ?? { priority: plan.priority, zone: plan.zone, endpoints: [] };
    found.set(key, group);
    const metadata = {
      ...(plan.v === undefined ? {} : { v: plan.v }),
      ...(plan.s === undefined ? {} : { s: plan.s }),
    };
    group.endpoints.push(endpoint(`10.0.0.${index + 1}`, plan.health, plan.weight, metadata));
  }
  return [...found.values()].map(({ priority, zone: place, endpoints }) => ({
    priority,
    locality: { zone: place },
    lb_endpoints: endpoints,
    ...(weighted && zoneWeights[place] !== undefined ? { load_balancing_weight: zoneWeights[place] } : {}),
  }));
}

function endpoint(ip: string, status: string, weight: number, metadata: object): unknown {
  return {
    endpoint: { address: { socket_address: { address: ip, port_value: 80 } } },
    health_status: status,
    load_balancing_weight: weight,
    metadata: { filter_metadata: { 'proxy.lb': metadata } },
  };
}
