import fc from 'fast-check';
import { defined } from '../../scenario/defined.js';
import type { ClusterPlan } from './mix-cluster.js';
import { cluster, metadataMatch } from './mix-cluster.js';
import type { Json } from './mix-fields.js';
import { assignment, changed, endpoint } from './mix-hosts.js';

/** A proxy as its balancers see it: where it runs, its runtime, the hosts of its local cluster. */
export interface MixProxy {
  readonly locality: Json;
  readonly workers: number;
  readonly runtime: Json;
  /** undefined: it has none. */
  readonly local: readonly Json[] | undefined;
}

/** One cluster, its hosts, and what requests ask of it. */
export interface Mix {
  readonly plan: ClusterPlan;
  readonly assignment: Json;
  /** Assignments that replace it, one after the other. */
  readonly updates: readonly Json[];
  /** Its name sorts after the local cluster's. */
  readonly startsLate: boolean;
  /** Metadata criteria, one for each stream of requests. */
  readonly matches: readonly (Json | undefined)[];
  /** Requests have keys. */
  readonly hasKeys: boolean;
}

/** The name of the local cluster: in the middle of those of the mixes. */
export const LOCAL = 'local';

export function mixProxy(): fc.Arbitrary<MixProxy> {
  const host = fc.record({ zone: fc.constantFrom('a', 'b', 'c'), host: endpoint() });
  return fc.record({
    locality: fc.constantFrom<Json>({ zone: 'a' }, { zone: 'a' }, { zone: 'b' }, { zone: 'd' }, {}),
    workers: fc.constantFrom(1, 1, 2),
    runtime: fc.constantFrom<Json>(
      {},
      {},
      {},
      { 'upstream.zone_routing.min_cluster_size': 1, b: '0.5' },
      { 'upstream.zone_routing.enabled': 60, 'upstream.healthy_panic_threshold': 30 },
    ),
    local: fc.option(
      fc
        .array(host, { minLength: 1, maxLength: 8 })
        .map((hosts) => hosts.map(({ zone, host: one }) => ({ locality: { zone }, lb_endpoints: [one] }))),
      { nil: undefined, freq: 3 },
    ),
  });
}

export function mix(): fc.Arbitrary<Mix> {
  return cluster().chain((plan) => {
    const looksUp = looksUpKeys(plan);
    const hosts = assignment('c', isWeighted(plan));
    return fc
      .record({
        plan: fc.constant(plan),
        assignment: looksUp ? hosts.map(withOwnKeys) : hosts,
        startsLate: fc.boolean(),
        matches: plan.mode.startsWith('subsets')
          ? fc.array(metadataMatch(), { minLength: 1, maxLength: 2 })
          : fc.constant([undefined]),
        hasKeys: looksUp ? fc.constantFrom(true, true, false) : fc.boolean(),
      })
      .map((one) => ({ ...one, updates: [] }));
  });
}

/** A mix whose hosts change: a few of them, or all. */
export function mixWithTimeline(): fc.Arbitrary<Mix> {
  return mix().chain((one) => {
    const { plan } = one;
    const update = fc.oneof(
      { arbitrary: changed(one.assignment), weight: 3 },
      { arbitrary: assignment('c', isWeighted(plan)), weight: 1 },
    );
    const hosts = looksUpKeys(plan) ? update.map(withOwnKeys) : update;
    return fc.array(hosts, { minLength: 1, maxLength: 3 }).map((updates) => ({ ...one, updates }));
  });
}

/** The mix with the hosts that it has after so many updates. */
export function afterUpdates(one: Mix, updates: number): Mix {
  const { assignment: first, updates: all } = one;
  return { ...one, assignment: all[Math.min(updates, all.length) - 1] ?? first, updates: [] };
}

function looksUpKeys({ policy }: ClusterPlan): boolean {
  return policy === 'RING_HASH' || policy === 'MAGLEV';
}

function isWeighted({ mode }: ClusterPlan): boolean {
  return mode.endsWith('localities');
}

/** Which of two hosts with the same key owns it is nowhere specified. */
function withOwnKeys(hosts: Json): Json {
  return withoutRepeatedKeys(hosts, new Set()) as Json;
}

/** Hash keys that an earlier host has are left out. */
function withoutRepeatedKeys(value: unknown, seen: Set<unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutRepeatedKeys(item, seen));
  const entries = Object.entries(value).filter(([name, item]) => {
    if (name !== 'hash_key') return true;
    const isNew = !seen.has(item);
    seen.add(item);
    return isNew;
  });
  return Object.fromEntries(entries.map(([name, item]) => [name, withoutRepeatedKeys(item, seen)]));
}

/** The cluster of a mix, in the API that all versions read. */
export function clusterOf(one: Mix, index: number): Json {
  const name = nameOf(one, index);
  return {
    name,
    connect_timeout: '1s',
    type: 'STATIC',
    ...one.plan.fields,
    load_assignment: { ...one.assignment, cluster_name: name },
  };
}

export function nameOf({ startsLate }: Mix, index: number): string {
  return `${startsLate ? 'mix' : 'a'}-${index}`;
}

/** These mixes beside each other in one proxy, as a scenario file would hold it. */
export function mixScenario(proxy: MixProxy, mixes: readonly Mix[], version: string): Json {
  const { locality, workers, runtime, local } = proxy;
  const timeline = mixes.flatMap((one, index) =>
    one.updates.map((hosts, update) => ({
      at: `${update + 1}s`,
      assign: { ...hosts, cluster_name: nameOf(one, index) },
    })),
  );
  const seconds = mixes.reduce((most, { updates }) => Math.max(most, updates.length + 1), 1);
  return {
    proxy: defined({
      version,
      workers: workers === 1 ? undefined : workers,
      node: { id: 'mixed', cluster: LOCAL, locality },
      local_cluster_name: local && LOCAL,
      runtime: Object.keys(runtime).length === 0 ? undefined : runtime,
    }),
    clusters: [
      ...mixes.map(clusterOf),
      ...(local === undefined
        ? []
        : [
            {
              name: LOCAL,
              connect_timeout: '1s',
              type: 'STATIC',
              load_assignment: { cluster_name: LOCAL, endpoints: local },
            },
          ]),
    ],
    workloads: mixes.flatMap((one, index) =>
      one.matches.map((match, stream) =>
        defined({
          name: `${nameOf(one, index)}/${stream}`,
          cluster: nameOf(one, index),
          arrivals: { constant: '100/s' },
          stop: `${seconds}s`,
          metadata_match: match,
          hash_key: one.hasKeys ? { sequence: { keys: 100, prefix: 'k' } } : undefined,
        }),
      ),
    ),
    ...(timeline.length > 0 && { timeline }),
  };
}
