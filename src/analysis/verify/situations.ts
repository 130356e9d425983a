import { namedPolicy, type Cluster, aggregated, isForeignType } from '../../config/cluster/cluster-shape.js';
import { own, entryOf, mapValues, present } from '../../core/values.js';
import { KEY_HEADER } from '../../hostset/request-hash.js';
import { PLAIN_REQUEST } from '../../scenario/fields/retry-policy.js';
import { NOT_COMPARED } from './generated/not-compared.js';
import { policyName } from '../../config/lb.js';
import { firstAssignment } from '../../config/assignment-rules.js';
import { microsToSeconds, MICROS_PER_SECOND } from '../../core/units.js';
import { isProxyPolicy, isTablePolicy, lbPolicyName } from '../../policy/registry.js';
import type { RequestSpec, RouteCluster, TcpSpec, Workload } from '../../settings/world.js';
import type { Scenario } from '../../scenario/model.js';
import type { Pause } from '../pause.js';
import { capture, type Capture, hostsOf } from './capture.js';
import { changesOfDiscovery, hasHostsOfOneKey, writtenAssignment } from './cluster-message.js';
import type { NotCompared } from './verification.js';
import { leafOf, slowStartOf, around } from '../../config/policy/policy.js';
import { lbPolicyOf, policyOf, subsetsOf } from '../../config/policy/of-cluster.js';
import { type Behavior, Behaviors } from '../../settings/behavior.js';
import type { SelectableHost } from '../../settings/selector.js';

/** What hosts do as long as the scenario lasts, by address. @param reports they report loads, too. */
export function lastingAnswers(
  { behavior, timeline }: Scenario,
  situations: readonly Pick<Capture, 'clusters'>[],
  reports: boolean,
): ReadonlyMap<string, Partial<Behavior>> {
  if (timeline.some(({ action }) => action.kind === 'set_behavior')) return new Map();
  const behaviors = new Behaviors(behavior);
  return new Map(
    [...selectableHosts(situations)].map(([address, named]) => {
      const { errorRate, errorStatus, loadReport, ...own } = behaviors.of(named);
      const report = reports && typeof loadReport === 'object' ? loadReport : 'none';
      const closes = closesSeen(own) ? own.closes : 'never';
      return [address, { errorRate: errorRate === 1 ? 1 : 0, errorStatus, loadReport: report, closes }];
    }),
  );
}

/** By address; one may be in several clusters. */
export function selectableHosts(situations: readonly Pick<Capture, 'clusters'>[]) {
  const hosts = new Map<string, SelectableHost[]>();
  for (const { clusters } of situations) {
    for (const [cluster, levels] of clusters) {
      for (const { host, level, locality } of hostsOf(levels))
        entryOf(hosts, host.address, () => []).push({ ...host, cluster, priority: level.priority, locality });
    }
  }
  return hosts;
}

const LASTS: ReadonlySet<string> = new Set<keyof Behavior>([
  ...(['errorRate', 'errorStatus', 'loadReport', 'closes', 'closeRate'] as const),
]);

/** It closes all its connections, and the proxy knows that before the next request. */
const closesSeen = ({ closes = 'never', closeRate = 1 }: Partial<Behavior>): boolean =>
  closes === 'never' || (closes !== 'silent' && closeRate === 1);

/** Whether nothing else is said of hosts than what {@link lastingAnswers} has. */
export const hasLastingAnswers = ({ behavior, timeline }: Scenario): boolean =>
  timeline.every(({ action }) => action.kind !== 'set_behavior') &&
  behavior.every(
    ({ behavior: { errorRate = 0, loadReport, ...own } }) =>
      Object.keys(own).every((field) => LASTS.has(field)) &&
      closesSeen(own) &&
      (errorRate === 0 || errorRate === 1) &&
      loadReport !== 'measured',
  );

/**
 * When hosts weigh as they report: soon, so that all can wait for it; only where hosts change, as no update comes in the time that a
 * comparison takes; or in between, where it depends on how long requests take.
 */
type Weighing = 'soon' | 'at changes' | 'in between';

/** A cluster is settled within this time, or is not waited for. */
const SOON_US = 100_000;
/** No comparison takes so long. */
const LONG_US = 3600 * MICROS_PER_SECOND;

/** undefined: by no reports. */
export function weighingIn(cluster: Cluster): Weighing | undefined {
  const policy = policyOf(cluster);
  if (around(policy, 'load_aware_locality') !== undefined) return 'in between';
  const leaf = leafOf(policy);
  if (leaf.kind !== 'client_side_weighted_round_robin') return undefined;
  const { weightUpdatePeriod: updateUs = MICROS_PER_SECOND, blackoutPeriod: blackoutUs } = leaf;
  if (updateUs >= LONG_US) return 'at changes';
  return blackoutUs === 0 && updateUs <= SOON_US ? 'soon' : 'in between';
}

export const canWaitForReports = (clusters: readonly Cluster[]): boolean =>
  clusters.every((cluster) => weighingIn(cluster) !== 'in between');

/** Requests that are alike but for their keys. */
export interface Traffic {
  readonly workload: string;
  readonly cluster: string;
  /** What their route says, as far as it counts where hosts answer at once. */
  readonly spec: RequestSpec;
  readonly route: readonly RouteCluster[];
  /** With a place for the key, `{key}`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The keys of the requests, over and over; empty: they have none. */
  readonly keys: readonly string[];
  /** The route hashes the key. */
  readonly routeHash: boolean;
  /** So many send them, in turn, each with its cookies: more than one where these or addresses are hashed. */
  readonly clients: number;
  /** Further clusters that get them: of an aggregate, of the route, and those with copies. */
  readonly members: readonly string[];
  readonly hasSubsets: boolean;
  /** It looks the host of a key up in a table; an aggregate draws a level first. */
  readonly looksUpKeys: boolean;
  /** The hosts of one list take turns: round robin, and subsets have no lists of their own. */
  readonly takesTurns: boolean;
}

/** Connections over TCP that never meet. */
const SHORT: TcpSpec['lifetime'] = { kind: 'constant', value: 1 };

/** The headers of the `index`-th of these requests. */
export function headersAt({ headers, keys }: Traffic, index: number): Readonly<Record<string, string>> {
  const key = keys[index % keys.length];
  const written = mapValues(headers, (value) => value.replaceAll('{key}', key ?? ''));
  return key === undefined || key === '' ? written : { ...written, [KEY_HEADER]: key };
}

/** The same for what is the same: the message of a hash policy says all of it. */
export const keyText = (value: unknown): string =>
  JSON.stringify(value, (name, item: unknown) => (name === 'rewrite' ? undefined : item));

export interface Situation extends Capture {
  readonly traffic: readonly Traffic[];
}

export type Situations = Readonly<{ situations: readonly Situation[]; notCompared: readonly NotCompared[] }>;

/** More situations than that take too long, one after the other. */
const MOST_SITUATIONS = 24;
const MOST_KEYS = 1000;
const CLIENTS = 12;

/**
 * The situations of a scenario that a real proxy can be put into, each once.
 * @param live one proxy goes through them: those that come again do so, and other answers of DNS make one.
 */
export async function situationsOf(scenario: Scenario, pause: Pause, live = false): Promise<Situations> {
  const refused = clustersLeftOut(scenario, live);
  const known = new Set<string>();
  const situations: Situation[] = [];
  for (const captured of await capture(scenario, pause, live ? changesOfDiscovery(scenario) : undefined)) {
    const one = { ...captured, clusters: new Map([...captured.clusters].filter(([name]) => !refused.has(name))) };
    const isThere = ({ cluster }: { readonly cluster: string }): boolean => cluster === '' || one.clusters.has(cluster);
    const traffic = trafficOf(scenario, one).filter(
      ({ route, spec: { requestMirrorPolicies = [] } }) => route.every(isThere) && requestMirrorPolicies.every(isThere),
    );
    if (traffic.length === 0) continue;
    const key = keyText([one.spec, [...one.clusters], traffic, live && one.fromUs]);
    if (known.has(key)) continue;
    known.add(key);
    situations.push({ ...one, traffic });
  }
  const notCompared = [...[...refused].map(([what, why]) => ({ what, why })), ...leftOut(scenario)];
  const [late, ...later] = situations.slice(MOST_SITUATIONS);
  if (late !== undefined) {
    const what = `${later.length + 1} situations from ${microsToSeconds(late.fromUs)} s on`;
    notCompared.push({ what, why: `the first ${MOST_SITUATIONS} are compared` });
  }
  return { situations: situations.slice(0, MOST_SITUATIONS), notCompared };
}

/** Clusters whose decisions a real proxy cannot repeat, and why. */
export function clustersLeftOut(scenario: Scenario, live: boolean): ReadonlyMap<string, string> {
  const { clusters, timeline } = scenario;
  const updated = new Set(
    timeline.flatMap(({ action }) => (action.kind === 'update_cluster' ? [action.cluster.name] : [])),
  );
  const reasonOf = (cluster: Cluster): string | undefined => {
    const { name, type } = cluster;
    const lbPolicy = lbPolicyOf(cluster);
    if (isForeignType(cluster)) return 'its cluster_type is none of the proxy’s own';
    if (type === 'ORIGINAL_DST') return 'ORIGINAL_DST: its requests choose their hosts themselves';
    if (namedPolicy(cluster)?.clientSubset !== undefined) return 'subsetting: the proxy has no client-side subsets';
    if (updated.has(name)) return 'update_cluster gives it another configuration in the course of the scenario';
    if (lbPolicy !== 'CLUSTER_PROVIDED' && !isProxyPolicy(lbPolicy))
      return `the proxy has no policy ${lbPolicyName(lbPolicy)}`;
    if (live && hasHostsOfOneKey(scenario, cluster))
      return 'the addresses of a name are hashed by one key: which of them owns it is nowhere specified';
    return undefined;
  };
  const refused = new Map<string, string>();
  for (const cluster of clusters) {
    const reason = reasonOf(cluster);
    if (reason !== undefined) refused.set(cluster.name, reason);
  }
  for (const cluster of clusters) {
    const member = aggregated(cluster)?.find((name) => refused.has(name));
    if (member !== undefined) refused.set(cluster.name, `its member ${member} is not compared`);
  }
  return refused;
}

function leftOut(scenario: Scenario): readonly NotCompared[] {
  const { clusters, behavior, timeline, requests, proxies, assignments, workloads } = scenario;
  const isThere: Readonly<Record<keyof typeof NOT_COMPARED, boolean>> = {
    'health checks and outlier detection': clusters.some(
      ({ healthChecks, outlierDetection }) => healthChecks.length > 0 || outlierDetection !== undefined,
    ),
    'behavior of hosts': !hasLastingAnswers(scenario),
    'load reports':
      behavior.some(({ behavior: { loadReport = 'none' } }) => loadReport !== 'none') && !canWaitForReports(clusters),
    'circuit breakers': clusters.some(({ circuitBreakers }) => circuitBreakers !== undefined),
    'slow start': clusters.some((cluster) => slowStartOf(leafOf(policyOf(cluster))) !== undefined),
    drop_overloads: clusters.some(
      (cluster) =>
        (firstAssignment(cluster, assignments)?.policy?.dropOverloads ?? []).length > 0 &&
        writtenAssignment(scenario, cluster, 0, (address) => `at ${address}`) === undefined,
    ),
    'keys of connections over TCP': workloads.some(({ tcp, hashKey }) => tcp !== undefined && hashKey !== undefined),
    set_runtime: timeline.some(({ action }) => action.kind === 'set_runtime'),
    '`hash` and `random` of requests': requests.some(({ hash, random }) => (hash ?? random) !== undefined),
    init_random: proxies.some(({ initRandom }) => initRandom !== undefined),
  };
  const found = Object.entries<string>(NOT_COMPARED).map(([what, why]) => ({ what, why }));
  return found.filter(({ what }) => own(isThere, what) === true);
}

/** The requests of every workload that is active. */
function trafficOf(scenario: Scenario, { fromUs, toUs, spec }: Capture): readonly Traffic[] {
  const { workloads, requests, proxies } = scenario;
  const proxy = proxies[spec]?.name ?? '';
  const active = workloads.filter(
    ({ startUs, stopUs = Infinity, proxies: named }) =>
      startUs < toUs && stopUs > fromUs && (named === undefined || named.includes(proxy)),
  );
  const streams = active.flatMap((workload) =>
    waysOf(workload, workload.route).map((route) => ({
      ...trafficBase(scenario, workload, workload.name, route),
      keys: keysOf(workload),
      routeHash: workload.routeHash,
    })),
  );
  const single = requests.filter(({ atUs, hash, proxy: named }) => {
    return atUs >= fromUs && atUs < toUs && hash === undefined && (named === undefined || named === proxy);
  });
  const groups = new Map<string, Traffic & { readonly keys: string[] }>();
  for (const request of single) {
    const { cluster, metadataMatch, hashKey } = request;
    for (const route of waysOf(request, request.route ?? [{ cluster, weight: 1, metadataMatch }])) {
      const base = trafficBase(scenario, request, 'requests', route);
      const group = keyText([base, hashKey === undefined]);
      const one = entryOf(groups, group, () => ({ ...base, keys: [], routeHash: true }));
      if (
        hashKey !== undefined &&
        request.tcp === undefined &&
        one.keys.length < MOST_KEYS &&
        !one.keys.includes(hashKey)
      )
        one.keys.push(hashKey);
    }
  }
  return [...streams, ...groups.values()];
}

/** Requests as they are, whatever chooses their cluster; they have no keys yet. */
export const wholeTraffic = (
  scenario: Scenario,
  spec: RequestSpec & Pick<Workload, 'name' | 'route' | 'routeHash'>,
): Traffic => ({ ...trafficBase(scenario, spec, spec.name, spec.route), spec, keys: [], routeHash: spec.routeHash });

/** All clusters together where a hash or a header chooses; each by itself where chance does. */
function waysOf(spec: RequestSpec, route: readonly RouteCluster[]): readonly (readonly RouteCluster[])[] {
  const isChosen = spec.useHashPolicy === true || spec.headerName !== undefined;
  return isChosen ? [route] : route.map((one) => [one]);
}

function trafficBase(
  { clusters }: Scenario,
  request: RequestSpec,
  workload: string,
  route: readonly RouteCluster[],
): Omit<Traffic, 'keys' | 'routeHash'> {
  const { headers, hashPolicy, useHashPolicy, headerName, runtimeKeyPrefix } = request;
  const { requestMirrorPolicies, retryPolicy, tcp } = request;
  const named = (name: string): Cluster | undefined => clusters.find((one) => one.name === name);
  const configs = present(route.map(({ cluster }) => named(cluster)));
  const copied = requestMirrorPolicies?.map(({ cluster }) => cluster) ?? [];
  const members = [...configs.flatMap((config) => aggregated(config) ?? []), ...copied];
  const [first, ...more] = route.map(({ cluster }) => cluster);
  const all = [...more, ...members];
  return {
    workload,
    cluster: first ?? '',
    spec: {
      ...{ ...PLAIN_REQUEST, hashPolicy, useHashPolicy, headerName, runtimeKeyPrefix },
      ...{ requestMirrorPolicies, retryPolicy },
      tcp: tcp && { ...tcp, lifetime: SHORT },
    },
    route,
    headers,
    clients: hashPolicy?.some(({ byAddress, makes }) => byAddress === true || makes !== undefined) ? CLIENTS : 1,
    members: all,
    hasSubsets: [first ?? '', ...all].map(named).some((one) => one !== undefined && subsetsOf(one) !== undefined),
    looksUpKeys: configs.every((config) => isTablePolicy(lbPolicyOf(config))),
    takesTurns: configs.every((config) => policyName(config) === 'ROUND_ROBIN' && subsetsOf(config) === undefined),
  };
}

/** Connections over TCP have none: a TCP proxy hashes addresses alone. */
function keysOf({ hashKey: distribution, tcp }: Workload): readonly string[] {
  if (distribution === undefined || tcp !== undefined) return [];
  if (distribution.kind === 'cycle') return [...new Set(distribution.keys)].slice(0, MOST_KEYS);
  const { keys, prefix } = distribution;
  return Array.from({ length: Math.min(keys, MOST_KEYS) }, (_, index) => `${prefix}${index}`);
}

export function addressesOf(situations: readonly Pick<Capture, 'clusters'>[]): ReadonlySet<string> {
  const levels = situations.flatMap(({ clusters }) => [...clusters.values()].flat());
  return new Set(hostsOf(levels).map(({ host }) => host.address));
}
