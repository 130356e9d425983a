import { type Struct, entryOf, firstNotBelow, groupBy, sum } from '../core/values.js';
import type { Micros } from '../core/units.js';
import { xxhash64String } from '../hash/text-hashes.js';
import type * as worlds from '../settings/world.js';
import type { Scenario } from '../scenario/model.js';
import { ExpectedArrivals, rateChanges } from '../scenario/check/expected-arrivals.js';
import { clientHashes, type HashedKeys, hashedKeys } from './request-hashes.js';
import { hashesItself } from '../config/policy/policy.js';
import { policyOf } from '../config/policy/of-cluster.js';

/** Requests that are equal in everything that decides where they go. */
export interface RequestKind {
  readonly cluster: string;
  readonly metadataMatch: Struct | undefined;
  readonly hash: RequestHash;
  /** Its part of the traffic of each proxy specification, parallel to the scenario's; 0: none. */
  readonly portions: readonly number[];
  /** Expected number of requests before a moment, warm-up left out; undefined: it depends on how the run goes. */
  readonly before: (atUs: Micros) => number | undefined;
  readonly retried: boolean;
  /** As it came; of explicit requests, of those that are alike. */
  readonly spec: Pick<
    worlds.RequestSpec,
    'headers' | 'priority' | 'timeoutUs' | 'retryPolicy' | 'hashPolicy' | 'size' | 'tcp'
  >;
  /** Its cluster is chosen by what requests carry, not by weight alone. */
  readonly routed?: boolean;
  readonly flow: RequestFlow;
  /** Decisions of these requests follow a script, as far as they draw anything. */
  readonly scripted: boolean;
  /** Explicit requests that stay open for a while: from, until. */
  readonly open: readonly (readonly [Micros, Micros])[];
}

export interface RequestFlow {
  /** `poisson`: independently of each other; `even`: at equal distances; `unsteady`: at a rate that is not a constant. */
  readonly pace: 'poisson' | 'even' | 'unsteady';
  /** When it begins, ends, or has another rate. */
  readonly changesUs: readonly Micros[];
  /** Expected number before a moment, those of the warm-up too; undefined: it depends on how the run goes. */
  readonly sent: (atUs: Micros) => number | undefined;
}

export type RequestHash =
  | { readonly kind: 'none' }
  | KeyHash
  /** Hashes of explicit requests, in time order. */
  | { readonly kind: 'given'; readonly requests: readonly GivenHash[] };

/** Keys of a workload, or its clients; those in turn are counted by `numberBefore`, over all requests of the workload. */
interface KeyHash {
  readonly kind: 'keys';
  readonly keys: HashedKeys;
  readonly numberBefore: (atUs: Micros) => number | undefined;
  readonly certain: boolean;
  /** They are what the route hashes of clients. */
  readonly ofClients?: true;
}

export type GivenHash = Readonly<{ atUs: Micros; hi: number; lo: number }>;

export function requestKinds(scenario: Scenario, endUs: Micros, busy: boolean): RequestKind[] {
  const hashing = new Set(
    scenario.clusters.filter((cluster) => hashesItself(policyOf(cluster))).map(({ name }) => name),
  );
  // Workloads with the same keys share their hashes and the order of these.
  const hashed = new Map<string, HashedKeys>();
  const keysOf = (keys: worlds.KeyDistribution): HashedKeys =>
    entryOf(hashed, JSON.stringify(keys), () => hashedKeys(keys));
  return [
    ...scenario.workloads.flatMap((workload) => workloadKinds(scenario, workload, hashing, endUs, busy, keysOf)),
    ...explicitKinds(scenario),
  ];
}

/** @param hashing names of clusters whose policy hashes headers by itself. */
function workloadKinds(
  scenario: Scenario,
  workload: worlds.Workload,
  hashing: ReadonlySet<string>,
  endUs: Micros,
  busy: boolean,
  keysOf: (keys: worlds.KeyDistribution) => HashedKeys,
): RequestKind[] {
  const portions = dispatch(scenario.proxies, workload.proxies);
  const spread = sum(scenario.proxies.map(({ count }, index) => ((portions[index] ?? 0) > 0 ? count : 0)));
  const changes = rateChanges(scenario.timeline, workload.name, endUs);
  const stopUs = Math.min(workload.stopUs ?? endUs, endUs);
  const arrivals = new ExpectedArrivals(
    workload.arrivals,
    workload.startUs,
    stopUs,
    changes,
    // Users stay at one proxy: with several proxies, the number of users of each is drawn once.
    busy || spread > 1,
  );
  const early = arrivals.before(scenario.warmupUs);
  const flow: RequestFlow = {
    pace: PACES[workload.arrivals.kind],
    changesUs: [workload.startUs, stopUs, ...changes.map(({ atUs }) => atUs)],
    sent: (atUs) => arrivals.before(atUs),
  };
  const counted = (atUs: Micros): number | undefined => {
    const all = arrivals.before(atUs);
    return all === undefined || early === undefined ? undefined : Math.max(0, all - early);
  };
  const weights = workload.route.reduce((sum, target) => sum + target.weight, 0);
  const { hashKey, hashPolicy } = workload;
  const hashOf = (keys: HashedKeys | undefined): RequestHash =>
    keys === undefined
      ? { kind: 'none' }
      : {
          kind: 'keys',
          keys,
          // Requests of the warm-up advance the keys, but are not counted themselves.
          numberBefore: (atUs) => arrivals.before(Math.max(atUs, scenario.warmupUs)),
          certain: arrivals.certain && workload.route.length === 1 && spread === 1,
        };
  const hash = hashOf(hashKey && keysOf(hashKey));
  const ofClients = hashOf(hashPolicy && clientHashes(workload));
  const ofKey: RequestHash = workload.routeHash ? hash : { kind: 'none' };
  const routeHash: RequestHash = ofClients.kind === 'keys' ? { ...ofClients, ofClients: true } : ofKey;
  return workload.route.map((target) => {
    const part = weights === 0 ? 0 : target.weight / weights;
    return {
      cluster: target.cluster,
      metadataMatch: target.metadataMatch,
      hash: hashing.has(target.cluster) ? hash : routeHash,
      portions: portions.map((portion) => portion * part),
      before: counted,
      retried: isRetried(workload),
      routed: isRouted(workload),
      spec: workload,
      flow,
      scripted: false,
      open: [],
    };
  });
}

const PACES: Readonly<Record<worlds.Arrivals['kind'], RequestFlow['pace']>> = {
  poisson: 'poisson',
  constant: 'even',
  ramp: 'unsteady',
  closed: 'unsteady',
  trace: 'unsteady',
};

const isRetried = ({ retryPolicy, tcp }: worlds.RequestSpec): boolean =>
  (tcp === undefined ? (retryPolicy?.numRetries ?? 0) : tcp.maxConnectAttempts - 1) > 0;

function isRouted({ route = [], ...spec }: Pick<worlds.ExplicitRequest, 'route'> & worlds.RequestSpec): boolean {
  const { useHashPolicy, headerName, runtimeKeyPrefix } = spec;
  return route.length > 1 && (useHashPolicy === true || headerName !== undefined || runtimeKeyPrefix !== undefined);
}

function explicitKinds(scenario: Scenario): RequestKind[] {
  // One for each cluster that it may go to.
  const requests = scenario.requests.flatMap((request) =>
    (request.route ?? [request]).map(({ cluster, metadataMatch }) => ({ ...request, cluster, metadataMatch })),
  );
  const kinds = groupBy(requests, (request) => {
    const { cluster, proxy, metadataMatch, random, retryPolicy, headers, timeoutUs, size, tcp } = request;
    const told = [
      cluster,
      proxy,
      metadataMatch,
      isHashed(request),
      random !== undefined,
      request.route !== undefined,
      request.hashPolicy !== undefined,
      retryPolicy !== undefined && [retryPolicy, headers, timeoutUs],
      size,
      tcp,
    ];
    return JSON.stringify(told, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  });
  return [...kinds.values()].map((requests) => {
    const first = requests[0] as worlds.ExplicitRequest;
    requests.sort((a, b) => a.atUs - b.atUs);
    const spec = first.proxy === undefined ? 0 : specOf(scenario.proxies, first.proxy);
    const counted = requests.filter(({ atUs }) => atUs >= scenario.warmupUs);
    const times = counted.map(({ atUs }) => atUs);
    const allTimes = requests.map(({ atUs }) => atUs);
    const hashed = isHashed(first);
    return {
      cluster: first.cluster,
      metadataMatch: first.metadataMatch,
      hash: hashed ? { kind: 'given' as const, requests: counted.map(givenHash) } : { kind: 'none' as const },
      portions: scenario.proxies.map((_, index) => (index === spec ? 1 : 0)),
      before: (atUs: Micros) => firstNotBelow(times, atUs),
      retried: isRetried(first),
      routed: (first.route ?? []).length > 1,
      spec: first,
      flow: { pace: 'unsteady' as const, changesUs: [], sent: (atUs: Micros) => firstNotBelow(allTimes, atUs) },
      scripted: first.random !== undefined,
      open: requests.flatMap(({ atUs, answers: [{ serviceUs = 0 } = {}] = [] }) =>
        serviceUs > 0 ? [[atUs, atUs + serviceUs] as const] : [],
      ),
    };
  });
}

/** An empty key is no key. */
const isHashed = ({ hash, hashKey = '' }: worlds.ExplicitRequest): boolean => hash !== undefined || hashKey !== '';

const givenHash = ({ atUs, hash, hashKey = '' }: worlds.ExplicitRequest): GivenHash => ({
  atUs,
  ...(hash ?? xxhash64String(hashKey)),
});

/** By the shares of the proxies that take part. */
function dispatch(proxies: readonly worlds.ProxySpec[], names: readonly string[] | undefined): number[] {
  const shares = proxies.map(({ name, share, count }) => (names?.includes(name) === false ? 0 : share * count));
  const whole = sum(shares);
  return shares.map((share) => (whole === 0 ? 0 : share / whole));
}

/** The specification of a proxy by its name, or of one of its instances. */
function specOf(proxies: readonly worlds.ProxySpec[], name: string): number {
  const exact = proxies.findIndex((proxy) => proxy.name === name);
  if (exact >= 0) return exact;
  return proxies.findIndex(({ name: base, count }) => {
    const instance = name.startsWith(`${base}-`) ? Number(name.slice(base.length + 1)) : NaN;
    return instance >= 1 && instance <= count;
  });
}
