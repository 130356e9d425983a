import { entryOf, sameJson, type Struct, groupBy, sum, without } from '../../core/values.js';
import { shortSeconds } from '../../core/words.js';
import { factsOf } from '../../policy/registry.js';
import type { MirrorPolicy, RetryPolicy } from '../../settings/world.js';
import type { RouteRequest } from '../input/routes.js';
import type { Scenario } from '../model.js';
import { nodeOf, type Plain } from '../../config/source/trees.js';
import { durationOf, MOST_REQUESTS } from '../assemble/default-traffic.js';
import { PLAIN_REQUEST } from '../fields/retry-policy.js';
import { formatDuration, formatRate } from '../fields/units.js';
import { comment, yamlLines } from './yaml-text.js';
import type { Rate, Rates } from '../input/rates.js';
import { type Cluster, statName } from '../../config/cluster/cluster.js';
import { aggregated, isForeignType } from '../../config/cluster/cluster-shape.js';
import { lbPolicyOf } from '../../config/policy/of-cluster.js';

/** Of what is in no file. */
export const NO_PLACE = { start: 0, end: 0 };

/** `workloads`, and sentences about them. */
export interface Traffic {
  readonly lines: readonly string[];
  readonly says: readonly string[];
  /** Clusters that it leads to and that are in no file. */
  readonly absent: readonly string[];
}

/** Workloads with the rates of /stats pages; without pages a comment on the default traffic. */
export function trafficOf(scenario: Scenario, rates: Rates | undefined, isWritten: boolean): Traffic {
  if (rates === undefined && isWritten) return routed(scenario);
  if (rates === undefined) {
    const workload = { cluster: scenario.clusters[0]?.name ?? 'backend', arrivals: '100/s', stop: '60s' };
    const example = yamlLines(nodeOf([workload], NO_PLACE), 2);
    return {
      lines: [
        ...comment('The traffic is not known: without workloads there are 1000/s for 10 s to each cluster with hosts.'),
        ...comment('A page of /stats gives it: lbsim import … stats.json. Or write it:'),
        ...comment('workloads:'),
        ...example.flatMap((line) => comment(line)),
      ],
      says: ['no page of /stats was given: the traffic is the default one'],
      absent: [],
    };
  }
  return counted(scenario, rates);
}

function counted(scenario: Scenario, rates: Rates): Traffic {
  const { clusters } = scenario;
  const ways = waysOf(scenario);
  const aggregates = clusters.filter((cluster) => aggregated(cluster) !== undefined && ways.has(cluster.name));
  const asked = groupBy(clusters, (cluster) => (ways.has(cluster.name) ? cluster : askedFor(cluster, aggregates)));
  const found = [...asked].flatMap(([cluster, counting]) => {
    const counts = counting.flatMap((one) => rates.clusters.get(statName(one)) ?? []);
    const total = (of: (count: Rate) => number): number => sum(counts.map(of));
    const rate = {
      requests: total(({ requests }) => requests),
      perSecond: total(({ perSecond }) => perSecond),
      retries: total(({ retries }) => retries),
    };
    return rate.requests === 0 ? [] : [{ cluster, counting, rate }];
  });
  const sent = found.filter(({ cluster }) => !isForeignType(cluster));
  const restarted = clusters.filter((cluster) => rates.restarted.has(statName(cluster))).map(({ name }) => name);
  const lost = restarted.length === 0 ? [] : [`counters were reset between the pages: ${restarted.join(', ')}`];
  for (const { cluster, rate } of without(found, sent))
    lost.push(`${rate.requests} requests to ${cluster.name} are left out: its cluster_type is not simulated`);
  if (sent.length === 0) {
    const none = 'the pages of /stats tell of no request to any of these clusters';
    const what = `${none}; without workloads there are 1000/s for 10 s to each cluster with hosts.`;
    return { lines: [...comment(what), ...lost.flatMap((text) => comment(text))], says: [none, ...lost], absent: [] };
  }
  const stop = `${durationOf(sum(sent.map(({ rate }) => rate.perSecond)))}s`;
  const lines = comment(
    `Requests as counted by the proxy in ${shortSeconds(rates.seconds)}, upstream_rq_total${rates.ofHosts ? ' (or rq_total of the hosts)' : ''} without upstream_rq_retry: their mean rates.`,
  );
  lines.push('workloads:');
  let keyed = false;
  for (const { cluster, rate } of sent) {
    const own = ways.get(cluster.name) ?? [PLAIN];
    for (const [index, { metadataMatch, hashes, ...request }] of own.entries()) {
      keyed ||= hashes;
      const workload = {
        name: index === 0 ? cluster.name : `${cluster.name}-${index + 1}`,
        cluster: cluster.name,
        metadata_match: metadataMatch,
        arrivals: formatRate(Number((rate.perSecond / own.length).toPrecision(6))),
        stop,
        hash_key: hashes ? { sequence: { keys: MOST_REQUESTS, prefix: 'key-' } } : undefined,
        ...requestFields(request),
      };
      const [first = '', ...more] = yamlLines(nodeOf([workload], NO_PLACE), 2);
      const retried = rate.retries === 0 ? '' : `, and ${rate.retries} retries`;
      const shared = own.length === 1 ? '' : `, in ${own.length} equal parts: what each route sent is not known`;
      lines.push(`${first}  # ${rate.requests} requests${retried}${shared}`, ...more);
    }
  }
  if (keyed) lines.push(...comment('hash_key: which keys there were is not known; here each request has its own.', 2));
  for (const text of lost) lines.push(...comment(text, 2));
  const covered = sent.flatMap(({ cluster, counting }) => [cluster, ...counting].map(({ name }) => name));
  const idle = without(
    clusters.map(({ name }) => name),
    [...covered, ...restarted],
  );
  if (idle.length > 0) lines.push(...comment(`no requests: ${idle.join(', ')}`, 2));
  const over = `the workloads are mean rates over ${shortSeconds(rates.seconds)}`;
  return { lines, says: [`${over}: ${sent.length} of ${clusters.length} clusters have requests`, ...lost], absent: [] };
}

/** The cluster that requests name: the proxy counts those of an aggregate in its members alone. */
function askedFor(cluster: Cluster, aggregates: readonly Cluster[]): Cluster {
  const [only, ...others] = aggregates.filter((one) => aggregated(one)?.includes(cluster.name) === true);
  return only === undefined || others.length > 0 ? cluster : only;
}

interface Way extends RouteRequest {
  readonly metadataMatch: Struct | undefined;
  readonly hashes: boolean;
}

const { timeoutUs: USUAL_TIMEOUT_US, priority: USUAL_PRIORITY } = PLAIN_REQUEST;
const PLAIN: Way = { ...PLAIN_REQUEST, metadataMatch: undefined, hashes: false };

/** The distinct kinds of requests to a cluster: from routes, or the default traffic. */
function waysOf({ workloads, clusters }: Scenario): ReadonlyMap<string, readonly Way[]> {
  const found = new Map<string, Map<string, Way>>();
  const keyed = new Set(clusters.filter(readsKeys).map(({ name }) => name));
  for (const { route, hashKey, timeoutUs, priority, retryPolicy } of workloads) {
    for (const { cluster, metadataMatch } of route) {
      const hashes = hashKey !== undefined && keyed.has(cluster);
      const way: Way = { metadataMatch, hashes, timeoutUs, priority, retryPolicy };
      entryOf(found, cluster, () => new Map<string, Way>()).set(JSON.stringify(way), way);
    }
  }
  return new Map([...found].map(([cluster, ways]) => [cluster, [...ways.values()]]));
}

/** What an entry of a route asks and the route does not. */
function beyond(entry: Struct | undefined, route: Struct = {}): Struct | undefined {
  const own = Object.entries(entry ?? {}).filter(([key, value]) => {
    const asked = route[key];
    return asked === undefined || !sameJson(asked, value);
  });
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** The traffic of routes, which a scenario without them would not have. */
function routed({ workloads, clusters, absentClusters, origin }: Scenario): Traffic {
  const keyed = new Set(clusters.filter(readsKeys).map(({ name }) => name));
  const isRouted = origin.hashPolicies.size > 0;
  const what = isRouted ? 'The traffic as the routes send it.' : 'To clusters that are not for the proxy itself.';
  const lines = comment(`${what} Rates are made up: a page of /stats gives them.`);
  lines.push('workloads:');
  let isPlain = !isRouted;
  for (const { name, route, arrivals, stopUs, hashKey, metadataMatch, ...request } of workloads) {
    const hashes = origin.hashPolicies.get(name);
    if (hashes === undefined && !isPlain) lines.push(...comment('To these clusters no route leads:', 2));
    isPlain ||= hashes === undefined;
    const [only, ...more] = route;
    const target = { cluster: only?.cluster, metadata_match: only?.metadataMatch };
    const entries = route.map(({ metadataMatch: own, ...entry }) => {
      return { ...entry, metadata_match: beyond(own, metadataMatch) };
    });
    const several = { route: entries, metadata_match: metadataMatch };
    const workload = {
      name,
      ...(more.length === 0 ? target : several),
      arrivals: formatRate(arrivals.kind === 'poisson' ? arrivals.perSecond : 0),
      stop: stopUs === undefined ? undefined : formatDuration(stopUs),
      hash_key:
        hashKey?.kind === 'sequence' && (request.useHashPolicy || route.some(({ cluster }) => keyed.has(cluster)))
          ? { sequence: { keys: hashKey.keys, prefix: hashKey.prefix } }
          : undefined,
      ...requestFields(request),
    };
    lines.push(...yamlLines(nodeOf([workload], NO_PLACE), 2));
    if (workload.hash_key !== undefined && hashes !== undefined)
      lines.push(...comment(`hash_key: a key stands for what the route hashes, ${hashes.join('; ')}`, 4));
  }
  const absent = absentClusters.map(({ name }) => name);
  const says = isRouted ? 'the traffic follows the routes of the files; its rates' : 'the rates of the traffic';
  return { lines, says: [`${says} are made up`], absent };
}

/** What is not the default. */
function requestFields(request: RouteRequest): Readonly<Record<string, Plain | undefined>> {
  const { timeoutUs, priority, retryPolicy, useHashPolicy, runtimeKeyPrefix } = request;
  return {
    use_hash_policy: useHashPolicy,
    runtime_key_prefix: runtimeKeyPrefix,
    timeout: timeoutUs === USUAL_TIMEOUT_US ? undefined : formatDuration(timeoutUs),
    priority: priority === USUAL_PRIORITY ? undefined : priority,
    retry_policy: retryPolicy && writtenPolicy(retryPolicy),
    hedge_policy: request.hedgePolicy && { hedge_on_per_try_timeout: true },
    request_mirror_policies: request.requestMirrorPolicies?.map(writtenMirror),
  };
}

function writtenMirror({ cluster, clusterHeader, portion, runtimeKey }: MirrorPolicy): Plain {
  const default_value = { numerator: Math.round(portion * 1_000_000), denominator: 'MILLION' };
  const isAll = portion === 1 && runtimeKey === undefined;
  const runtime_fraction = isAll ? undefined : { default_value, runtime_key: runtimeKey };
  return { ...(clusterHeader === undefined ? { cluster } : { cluster_header: clusterHeader }), runtime_fraction };
}

function writtenPolicy(policy: RetryPolicy): Plain {
  const { perTryTimeoutUs, hostSelectionRetryMaxAttempts: attempts, retryHostPredicate, retryPriority } = policy;
  const { retryBackOff, rateLimitedBackOff, retriableStatusCodes } = policy;
  return {
    retry_on: policy.retryOn.length === 0 ? undefined : policy.retryOn.join(','),
    num_retries: policy.numRetries,
    per_try_timeout: perTryTimeoutUs === 0 ? undefined : formatDuration(perTryTimeoutUs),
    retry_host_predicate: retryHostPredicate.length === 0 ? undefined : retryHostPredicate.map(writtenPredicate),
    host_selection_retry_max_attempts: attempts === 1 ? undefined : attempts,
    retry_priority: retryPriority && {
      name: 'proxy.retry_priorities.previous_priorities',
      config: { update_frequency: retryPriority.updateFrequency },
    },
    retriable_status_codes: retriableStatusCodes.length === 0 ? undefined : retriableStatusCodes,
    retry_back_off: retryBackOff && {
      base_interval: formatDuration(retryBackOff.baseIntervalUs),
      max_interval: formatDuration(retryBackOff.maxIntervalUs),
    },
    rate_limited_retry_back_off: rateLimitedBackOff && {
      reset_headers: rateLimitedBackOff.headers.map((name) => ({ name })),
      max_interval: formatDuration(rateLimitedBackOff.maxIntervalUs),
    },
  };
}

function writtenPredicate(predicate: RetryPolicy['retryHostPredicate'][number]): Plain {
  const name = `proxy.retry_host_predicates.${predicate.kind}`;
  return predicate.kind === 'omit_host_metadata' ? { name, config: { metadata_match: predicate.metadataMatch } } : name;
}

/** Where a key makes no difference, none is written. */
const readsKeys = (cluster: Cluster): boolean =>
  factsOf(lbPolicyOf(cluster))?.kind !== 'list' || cluster.loadBalancingPolicy !== undefined;
