import fc from 'fast-check';
import { addressesIn } from '../../analysis/verify/cluster-message.js';
import { clusterIn } from '../../config/cluster/cluster.js';
import { policyOf } from '../../config/policy/of-cluster.js';
import { withPolicy } from '../../config/write-cluster.js';
import { type Struct, defined } from '../../core/values.js';
import { isTablePolicy } from '../../policy/registry.js';
import { cluster, type ClusterPlan, HASHED_HEADERS, varied, WEIGHING } from './mix-cluster.js';
import {
  answers,
  assignment,
  changed,
  endpoint,
  fromPool,
  type Json,
  recordOf,
  withDrops,
  withFewHosts,
} from './mix-hosts.js';

export interface MixProxy {
  readonly locality: Json;
  readonly workers: number;
  readonly runtime: Json;
  /** undefined: it has none. */
  readonly local: readonly Json[] | undefined;
  /** `behavior` of the hosts of all mixes. */
  readonly answers: readonly Json[];
}

export type MixMember = Readonly<{ plan: ClusterPlan; assignment: Json }>;

/** Parts of a smaller mix may be missing. */
type Timed = Readonly<{ cluster?: Json; workload?: Json; behavior?: readonly Json[]; timeline?: readonly Json[] }>;

export interface Mix extends MixMember {
  /** An aggregate of the cluster and this one gets the requests. */
  readonly backup?: MixMember | undefined;
  /** A route leads to both instead, see pools.yaml. */
  readonly routed?: Json | undefined;
  /** It is played in real time, with more in its clusters and requests: see pools.yaml. */
  readonly timed?: Timed | undefined;
  /** Requests of one more stream name hosts: addresses, as `override_host` reads them. */
  readonly wanted?: string | undefined;
  /** Assignments that replace it, one after the other. */
  readonly updates: readonly Json[];
  /** Its name sorts after the local cluster's. */
  readonly startsLate: boolean;
  /** Metadata criteria, one for each stream of requests. */
  readonly matches: readonly (Json | undefined)[];
  readonly hasKeys: boolean;
}

const WANTED_HEADER = 'x-wanted-host';

/** The name of the local cluster: in the middle of those of the mixes. */
const LOCAL = 'local';

export function mixProxy(): fc.Arbitrary<MixProxy> {
  const host = fc.record({ zone: fc.constantFrom('a', 'b', 'c'), host: endpoint() });
  return fc.record({
    locality: fc.constantFrom<Json>({ zone: 'a' }, { zone: 'a' }, { zone: 'b' }, { zone: 'd' }, {}),
    workers: fc.constantFrom(1, 1, 2, 3, 4),
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
    answers: answers(),
  });
}

export const mix = (): fc.Arbitrary<Mix> =>
  member().chain(({ plan, assignment: hosts }) => {
    return fc
      .record({
        plan: fc.constant(plan),
        assignment: fc.constant(hosts),
        startsLate: fc.boolean(),
        matches: plan.mode.startsWith('subsets')
          ? fc.array(fromPool('matches'), { minLength: 1, maxLength: 2 })
          : fc.constant([undefined]),
        hasKeys: isTablePolicy(plan.policy) ? fc.constantFrom(true, true, false) : fc.boolean(),
        backup: atTimes(member()),
        wanted: atTimes(wantedHosts()),
      })
      .map((one) => ({ ...one, updates: [] }));
  });

/** One time in five. */
const atTimes = <T>(drawn: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, { arbitrary: drawn, weight: 1 });

const member = (): fc.Arbitrary<MixMember> =>
  cluster()
    .chain(varied)
    .chain((plan) => fc.record({ plan: fc.constant(plan), assignment: hostsOf(plan).chain(withDrops) }));

function hostsOf(plan: ClusterPlan, drawn = assignment('c', plan.mode.endsWith('localities'))): fc.Arbitrary<Json> {
  if (isTablePolicy(plan.policy))
    // Which of two hosts with the same key owns it is nowhere specified.
    return drawn.map(withoutRepeatedKeys);
  return plan.policy !== WEIGHING ? drawn : drawn.map(withLowWeights);
}

/** Few requests reach each host, which then has reported its load. */
const withLowWeights = (hosts: Json): Json =>
  changedIn(hosts, (name, item) => (name === 'load_balancing_weight' ? Math.min(Number(item), 3) : item));

/** The same with each member changed, the inner ones first; undefined: it is left out. */
const changedIn = (hosts: Json, change: (name: string, item: unknown) => unknown): Json =>
  JSON.parse(JSON.stringify(hosts), change) as Json;

/** Some may be no host of the cluster. */
function wantedHosts(): fc.Arbitrary<string> {
  const address = fc.integer({ min: 1, max: 30 }).map((ip) => `10.0.0.${ip}:80`);
  return fc.array(address, { minLength: 1, maxLength: 4 }).map((addresses) => addresses.join(','));
}

/** A mix whose hosts change: a few of them, or all. */
export const mixWithTimeline = (): fc.Arbitrary<Mix> =>
  mix().chain((one) => {
    const { plan } = one;
    const update = fc.oneof(
      { arbitrary: hostsOf(plan, changed(one.assignment)), weight: 3 },
      { arbitrary: hostsOf(plan), weight: 1 },
    );
    return fc.array(update, { minLength: 1, maxLength: 3 }).map((updates) => ({ ...one, updates }));
  });

/** A mix whose requests a route sends to one of two clusters, by a hash or a header, some with copies. */
export const mixWithRoute = (): fc.Arbitrary<Mix> =>
  fc.record({ one: mix(), backup: member(), routed: recordOf('route') }).map(({ one, backup, routed }) => {
    // What a request and its copy do to each other's load is a matter of microseconds.
    const countsLoads = /LEAST_REQUEST|balance_?factor/i.test(JSON.stringify([one.plan, backup.plan]));
    const { copied: _, ...uncopied } = routed;
    return { ...one, backup, wanted: undefined, hasKeys: true, routed: countsLoads ? uncopied : routed };
  });

/** A mix that is played: hosts that are slow, fail, hang, close and change, and what a proxy does about it in time. */
export const mixInTime = (): fc.Arbitrary<Mix> =>
  fc
    .record({
      one: fc.oneof({ arbitrary: mix(), weight: 2 }, { arbitrary: mixWithRoute(), weight: 1 }),
      timed: recordOf('timed'),
      behaviors: fc.array(fromPool('behaviors'), { minLength: HOSTS, maxLength: HOSTS }),
      changes: fc.array(
        fc.record({
          tenths: fc.integer({ min: 3, max: 10 * PLAYED_S - 5 }),
          host: fc.nat(),
          set: fromPool('behaviors'),
        }),
        { maxLength: 5 },
      ),
    })
    .map(({ one, timed, behaviors, changes }) => {
      const fewer = ({ plan, assignment: hosts }: MixMember): MixMember => ({ plan, assignment: withFewHosts(hosts) });
      const [first, backup] = [fewer(one), one.backup && fewer(one.backup)];
      const { hash_policy: hashed, ...unhashed } = one.routed ?? {};
      // Requests of nobody in particular keep no cookies.
      const routed = /cookie|source_ip/.test(JSON.stringify(hashed ?? [])) ? unhashed : one.routed;
      const hosts = [...new Set(addressesIn([first.assignment, backup?.assignment ?? {}] as readonly Struct[]))];
      const behavior = hosts.flatMap((address, index) => {
        const own = behaviors[index % HOSTS];
        return own === undefined ? [] : [{ hosts: { address }, ...own }];
      });
      const timeline = changes.flatMap(({ tenths, host, set }) => {
        const address = hosts[host % hosts.length];
        if (address === undefined || set === undefined) return [];
        return [{ at: `${tenths / 10}s`, set_behavior: { hosts: { address }, ...set } }];
      });
      const all = [{ service_time: '20ms' }, ...behavior];
      return { ...one, ...first, backup, routed, timed: { ...timed, behavior: all, timeline } };
    });

/** So many hosts of a mix behave differently. */
const HOSTS = 12;
/** How long one is played, in seconds. */
export const PLAYED_S = 4;

/** Hash keys that an earlier host has are left out. */
function withoutRepeatedKeys(hosts: Json): Json {
  const seen = new Set<unknown>();
  return changedIn(hosts, (name, item) => {
    const { size } = seen;
    return name !== 'hash_key' || seen.add(item).size > size ? item : undefined;
  });
}

function clustersOf(one: Mix, index: number): readonly Json[] {
  const [name, backup, aggregate] = namesOf(one, index);
  const first = memberMessage(name, one, one.timed);
  const own = one.wanted === undefined ? first : withOverrideHost(first as Struct);
  if (one.backup === undefined) return [own];
  const both = [own, memberMessage(backup, one.backup, one.timed)];
  if (one.routed !== undefined) return both;
  return [
    ...both,
    {
      name: aggregate,
      connect_timeout: '1s',
      lb_policy: 'CLUSTER_PROVIDED',
      cluster_type: {
        name: 'envoy.clusters.aggregate',
        typed_config: {
          '@type': 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig',
          clusters: [name, backup],
        },
      },
    },
  ];
}

/** Its policy as the fallback of one that reads addresses from a header. */
function withOverrideHost(message: Struct): Struct {
  // Its hosts may lack what a smaller mix leaves out.
  const { load_assignment: _, ...rest } = message;
  const cluster = clusterIn(rest);
  // A smaller mix may lack what its policy needs: it is refused where it is loaded.
  if (cluster === undefined) return message;
  const overrideHostSources = [{ header: WANTED_HEADER }];
  return withPolicy(message, { kind: 'override_host', overrideHostSources, inner: policyOf(cluster) });
}

function memberMessage(name: string, { plan, assignment: hosts }: MixMember, timed: Timed = {}): Json {
  const assigned = { ...hosts, cluster_name: name };
  const own = { ...plan.fields, ...timed.cluster };
  return { name, connect_timeout: '1s', type: 'STATIC', ...own, load_assignment: assigned };
}

/** Of the cluster whose hosts change, and those that a mix may have besides: its backup, and the aggregate of both. */
export function namesOf({ startsLate }: Mix, index: number): readonly [string, string, string] {
  const name = `${startsLate ? 'mix' : 'a'}-${index}`;
  return [name, `${name}-backup`, `${name}-all`];
}

/** These mixes beside each other in one proxy, as a scenario file would hold it. */
export function mixScenario(proxy: MixProxy, mixes: readonly Mix[], version: string): Json {
  const { locality, workers, runtime, local } = proxy;
  const timeline = mixes.flatMap((one, index) => [
    ...one.updates.map((hosts, update) => ({
      at: `${update + 1}s`,
      assign: { ...hosts, cluster_name: namesOf(one, index)[0] },
    })),
    ...(one.timed?.timeline ?? []),
  ]);
  const localMessage = {
    name: LOCAL,
    connect_timeout: '1s',
    type: 'STATIC',
    load_assignment: { cluster_name: LOCAL, endpoints: local },
  };
  const clusters = [...mixes.flatMap(clustersOf), ...(local === undefined ? [] : [localMessage])];
  const hosts = addressesIn({ clusters, timeline } as Struct);
  const secondsOf = ({ updates, timed }: Mix): number => (timed === undefined ? updates.length + 1 : PLAYED_S);
  const seconds = mixes.reduce((most, one) => Math.max(most, secondsOf(one)), 1);
  const isTimed = mixes.some(({ timed }) => timed !== undefined);
  return {
    proxy: defined({
      version,
      workers: workers === 1 ? undefined : workers,
      node: { id: 'mixed', cluster: LOCAL, locality },
      local_cluster_name: local && LOCAL,
      runtime: Object.keys(runtime).length === 0 ? undefined : runtime,
    }),
    clusters,
    workloads: mixes.flatMap((one, index) => {
      const [name, , aggregate] = namesOf(one, index);
      return streamsOf(one).map(({ match, wanted }, stream) =>
        defined({
          name: `${name}/${stream}`,
          ...(one.routed === undefined
            ? { cluster: one.backup === undefined ? name : aggregate }
            : routeOf(one, index)),
          arrivals: { constant: '100/s' },
          stop: `${seconds}s`,
          metadata_match: match,
          headers: headersOf(one, wanted),
          hash_key: one.hasKeys ? { sequence: { keys: 100, prefix: one.routed === undefined ? 'k' : '' } } : undefined,
          ...one.timed?.workload,
        }),
      );
    }),
    // Where hosts change, their behaviour is said by them alone.
    behavior: isTimed
      ? mixes.flatMap(({ timed }) => timed?.behavior ?? [])
      : proxy.answers.filter((one) => hosts.includes((one['hosts'] as Json)['address'] as string)),
    ...(timeline.length > 0 && { timeline }),
  };
}

function routeOf(one: Mix, index: number): Json {
  const [name, backup] = namesOf(one, index);
  const { choice, weights, copied, ...route } = one.routed ?? {};
  const [first = 1, second = 1] = (weights ?? []) as readonly number[];
  const fraction = { default_value: { numerator: copied } };
  return {
    ...{ ...route, ...(choice as Json | undefined) },
    route: [
      { cluster: name, weight: first },
      { cluster: backup, weight: second },
    ],
    ...(copied !== undefined && { request_mirror_policies: [{ cluster: backup, runtime_fraction: fraction }] }),
  };
}

function headersOf(one: Mix, wanted: string | undefined): Json | undefined {
  const [, user] = HASHED_HEADERS;
  const isHashed = JSON.stringify([one.plan, one.backup]).includes(user);
  const byRoute = one.routed !== undefined && { 'x-number': '{key}', ':path': '/?id={key}' };
  const headers = defined({ ...(isHashed && { [user]: 'one' }), ...byRoute, [WANTED_HEADER]: wanted });
  return Object.keys(headers).length === 0 ? undefined : headers;
}

/** What its requests ask for: a stream for each of its criteria, and one that names hosts. */
export function streamsOf({ matches, wanted }: Mix) {
  const streams = matches.map((match) => ({ match, wanted: undefined }));
  return wanted === undefined ? streams : [...streams, { match: matches[0], wanted }];
}
