import { groupBy, entryOf, largest, sum } from '../../core/values.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import { factsOf, isTablePolicy } from '../../policy/registry.js';
import type { RunFact } from '../../result/generated/facts.js';
import { busiestOf, hostsOf } from '../../result/phase-hosts.js';
import type * as clusterSettings from '../../settings/cluster-settings.js';
import { canonicalName } from '../../settings/world.js';
import type { HostReturn } from '../environment.js';
import { type ClusterRun, inProxy, loadFeedback } from './load-feedback.js';
import { quirksOf } from '../../core/version.js';
import type { PhaseResult } from '../../result/run-result.js';

/** In the order in which a report gives them. */
const MAKERS: readonly ((run: ClusterRun) => RunFact | readonly RunFact[])[] = [
  everyAddress,
  firstAddress,
  connectTimeouts,
  loadFeedback,
  restartedTurns,
  severalRotations,
  workersByConnection,
  ejectionTimes,
  ejectionsRefused,
  refusedRetries,
  retriesKeepHost,
  defaultLimits,
];

export const runFacts = (run: ClusterRun): RunFact[] =>
  run.result.requests === 0 ? [] : MAKERS.flatMap((make) => make(run));

const MAX_NAMES = 4;

/** STRICT_DNS: each address is a host and has the weight of its name, so that a name counts as often as it has addresses. */
function everyAddress({ world, result }: ClusterRun): RunFact[] {
  if (world.type !== 'STRICT_DNS') return [];
  const present = result.hosts.filter(({ removed_at_s: removed }) => removed === undefined);
  const names = groupBy(present, ({ priority, hostname, weight }) => JSON.stringify([priority, hostname, weight]));
  const sizes = new Set([...names.values()].map((hosts) => hosts.length));
  // If all names have equally many, weights mean what they seem to.
  if (names.size < 2 || sizes.size < 2 || names.size > MAX_NAMES) return [];
  const usesWeights = factsOf(result.policy)?.usesWeights === true;
  const parts = [...names.values()].map((hosts) => {
    const { hostname: name = '', weight = 1 } = hosts[0] ?? {};
    return { name, addresses: hosts.length, weight, share: hosts.reduce((sum, host) => sum + host.share, 0) };
  });
  return [{ kind: 'names_by_addresses', uses_weights: usesWeights, names: parts }];
}

/** LOGICAL_DNS: one host, at the first address of the answer. */
function firstAddress({ settings, world, result }: ClusterRun): RunFact[] {
  if (world.type !== 'LOGICAL_DNS') return [];
  const names = world.assignment.groups.flatMap(({ endpoints }) => endpoints.map(({ address }) => address));
  const used = result.hosts.filter(({ requests }) => requests > 0).map(({ address }) => address);
  const [addresses] = names.flatMap((address) => {
    const name = canonicalName(address.slice(0, address.lastIndexOf(':')));
    const [, answer] = [...settings.dns].find(([key]) => canonicalName(key) === name) ?? [];
    if (answer === undefined || 'fail' in answer || answer.addresses.length < 2) return [];
    return [answer.addresses.length];
  });
  const [only, ...more] = used;
  if (addresses === undefined || only === undefined || more.length > 0) return [];
  return [{ kind: 'first_address', addresses, used: only }];
}

function connectTimeouts({ world, clusters }: ClusterRun): RunFact[] {
  const timedOut = clusters.some(({ connections }) => connections.upstreamCxConnectTimeout > 0);
  return timedOut
    ? [{ kind: 'connect_timeouts', timeout_s: microsToSeconds(world.settings.connections.connectTimeoutUs) }]
    : [];
}

/** With more hosts than this, only the events show their times. */
const MAX_KINDS = 2;

function ejectionTimes(run: ClusterRun): RunFact[] {
  const { returns } = run.world;
  const proxies = new Set(run.proxies.map(({ name }) => name));
  const known = returns.find(({ proxy }) => proxies.has(proxy));
  if (known === undefined) return [];
  const inOne = returns.filter(({ proxy }) => proxy === known.proxy);
  const byHost = groupBy(inOne, ({ address }) => address);
  const kinds = groupBy(byHost.values(), (times) => times.map(outUs).join());
  const shown = [...kinds.values()].slice(0, MAX_KINDS);
  return shown.map((alike) => {
    const hosts = alike.flatMap(([first]) => first?.address ?? []);
    return { kind: 'ejection_times', hosts, ...timesOf(alike[0] ?? []), ...inProxy(run, known.proxy) };
  });
}

function timesOf(returns: readonly HostReturn[]): Pick<Extract<RunFact, { kind: 'ejection_times' }>, 'out_s' | 'rule'> {
  const out_s = returns.map((one) => microsToSeconds(outUs(one)));
  const byTime = returns.filter(({ cause }) => cause === 'ejection_time_over');
  const [first] = byTime;
  if (first === undefined) return { out_s };
  const limitUs = byTime.find(({ time }) => time.limitUs !== undefined)?.time.limitUs;
  return {
    out_s,
    rule: {
      base_s: microsToSeconds(first.time.baseUs),
      factors: byTime.map(({ time }) => time.factor),
      ...(limitUs !== undefined && { max_s: microsToSeconds(limitUs) }),
      jitter: byTime.some(({ time }) => time.jitterUs > 0),
      interval_s: microsToSeconds(first.intervalUs),
    },
  };
}

const outUs = ({ ejectedAtUs, backAtUs }: HostReturn): Micros => backAtUs - ejectedAtUs;

function ejectionsRefused(run: ClusterRun): RunFact[] {
  const [worst] = run.clusters
    .flatMap(({ parts: { outliers }, proxyName }) => (outliers === undefined ? [] : [{ outliers, proxyName }]))
    .sort((a, b) => b.outliers.stats.ejectionsOverflow - a.outliers.stats.ejectionsOverflow);
  const refused = worst?.outliers.stats.ejectionsOverflow ?? 0;
  if (worst === undefined || refused === 0) return [];
  const { maxEjectionPercent, hosts, mayBeOut } = worst.outliers.detector;
  const limits = { max_ejection_percent: maxEjectionPercent, may_be_out: mayBeOut, hosts };
  return [{ kind: 'ejections_refused', times: refused, ...inProxy(run, worst.proxyName), ...limits }];
}

function refusedRetries(run: ClusterRun): RunFact | [] {
  const [worst] = [...run.clusters].sort((a, b) => b.recorder.retryOverflow - a.recorder.retryOverflow);
  const { retryOverflow: refused = 0, retriesAllowed: allowed } = worst?.recorder ?? {};
  if (worst === undefined || refused === 0 || allowed === undefined) return [];
  const { least, most, budget } = allowed;
  const load = largest(run.result.phases.map((phase) => busiestOf(phase)?.load ?? 0));
  return {
    kind: 'retries_refused',
    retries: refused,
    ...inProxy(run, worst.proxyName),
    least_allowed: least,
    most_allowed: most,
    is_default: budget === undefined && most === breakersOf(run).maxRetries && !isConfigured(run, 'max_retries'),
    ...(budget && { budget: { percent: budget.budgetPercent, min_retry_concurrency: budget.minRetryConcurrency } }),
    ...(load > 1 && { most_load: load }),
  };
}

/** Requests that failed although they were retried: a retry has the key of its request. */
function retriesKeepHost({ settings, world, result }: ClusterRun): RunFact[] {
  const { policy, failed, success, requests } = result;
  if (failed === 0 || requests <= failed + success || !isTablePolicy(policy)) return [];
  const retried = settings.workloads.flatMap(({ hashKey, retryPolicy, route }) =>
    hashKey !== undefined && route.some(({ cluster }) => cluster === world.name) ? (retryPolicy ?? []) : [],
  );
  const asked = retried.map(({ retryHostPredicate, hostSelectionRetryMaxAttempts: times }) =>
    retryHostPredicate.some(({ kind }) => kind === 'previous_hosts') ? times : 0,
  );
  return asked.length === 0 ? [] : [{ kind: 'retries_keep_host', policy, asks_again: Math.min(...asked) }];
}

function defaultLimits(run: ClusterRun): RunFact[] {
  const reached = (['max_connections', 'max_pending_requests', 'max_requests'] as const).filter(
    (limit) => run.world.limitsReached.has(limit) && !isConfigured(run, limit),
  );
  if (reached.length === 0) return [];
  const values = breakersOf(run);
  const limits = reached.map((limit) => ({ limit, value: values[FIELDS[limit]] }));
  return [{ kind: 'default_limits', limits, refused: run.result.overflow.requests }];
}

const FIELDS = {
  max_connections: 'maxConnections',
  max_pending_requests: 'maxPendingRequests',
  max_requests: 'maxRequests',
  max_retries: 'maxRetries',
} as const satisfies Record<clusterSettings.CircuitBreakerLimit, keyof clusterSettings.CircuitBreakerLimits>;

const breakersOf = ({ world }: ClusterRun): clusterSettings.CircuitBreakerSettings => world.settings.breakers.DEFAULT;

const isConfigured = (run: ClusterRun, limit: clusterSettings.CircuitBreakerLimit): boolean =>
  breakersOf(run).stated.includes(limit);

/** With more hosts than this they are not compared. */
const MAX_HOSTS = 1000;
/** Counts that differ by less than this part of their mean look equal. */
const EVEN = 0.1;

/** Each worker of each proxy has its own rotation with its own start: with few requests for each the counts differ. */
export function severalRotations({ proxies, world, result }: ClusterRun): RunFact[] {
  const facts = factsOf(result.policy);
  if (facts?.kind !== 'list' || facts.drawsHosts || facts.looksAtLoad) return [];
  const busy = proxies.filter((proxy) =>
    proxy.clusterAt(world.index).recorder.phases.some(({ requests }) => requests > 0),
  );
  const rotations = busy.reduce((sum, { spec }) => sum + spec.workers, 0);
  if (rotations < 2 || world.rows.rows.length > MAX_HOSTS) return [];
  const uneven = result.phases.flatMap((phase) => unevenness(phase, rotations));
  const [worst] = uneven.sort((a, b) => b.most - b.least - (a.most - a.least));
  if (worst === undefined) return [];
  return [{ kind: 'several_rotations', rotations, proxies: busy.length, ...worst }];
}

function unevenness(phase: PhaseResult, rotations: number): { least: number; most: number; mean: number }[] {
  const healthy = [...hostsOf(phase)].filter(({ health }) => health === 'healthy');
  const equal = groupBy(healthy, ({ priority, locality, weight }) => JSON.stringify([priority, locality, weight]));
  return [...equal.values()].flatMap((hosts) => {
    const counts = hosts.map(({ requests }) => requests);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
    // A single rotation leaves a difference of at most one.
    return most - least > 1 && most - least <= rotations && most - least > EVEN * mean ? [{ least, most, mean }] : [];
  });
}

/** From this many times the requests of another worker on, one has too much to do. */
const TOO_MUCH = 1.5;

function workersByConnection(run: ClusterRun): RunFact[] {
  for (const { sentByWorker, proxy, proxyName } of run.clusters) {
    const counts = Array.from({ length: proxy.spec.workers }, (_, worker) => sentByWorker[worker] ?? 0);
    const shares = counts.map((count) => count / sum(counts));
    if (largest(counts) > TOO_MUCH * Math.min(...counts))
      return [{ kind: 'workers_by_connection', shares, ...inProxy(run, proxyName) }];
  }
  return [];
}

/** With more hosts or phases than this they are not compared. */
const MAX_ROWS = 100_000;
/** A host that gets less than this part of its share by weight counts as starved. */
const PASSED_OVER = 0.5;

/** A schedule by weight restarts with every update: a host of small weight, whose turn is late, may never get it. */
export function restartedTurns({ result, world, clusters }: ClusterRun): RunFact[] {
  const facts = factsOf(result.policy);
  const [cluster] = clusters;
  if (facts?.kind !== 'list' || !facts.usesWeights || facts.drawsHosts || cluster === undefined) return [];
  if (quirksOf(cluster.proxy.spec.version).schedulesFromSeed || result.phases.length < 2) return [];
  if (result.phases.length * world.rows.rows.length > MAX_ROWS) return [];
  const passed = new Map<string, { got: number; due: number; firstTurn: number; longest: number }>();
  for (const phase of result.phases) {
    const hosts = [...hostsOf(phase)].filter(({ health }) => health === 'healthy');
    const weights = hosts.reduce((sum, { weight }) => sum + weight, 0);
    for (const { address, weight, requests } of hosts) {
      if (phase.priorities.length > 1 || weight * hosts.length >= weights) continue;
      const own = entryOf(passed, address, () => ({ got: 0, due: 0, firstTurn: 0, longest: 0 }));
      own.got += requests;
      own.due += (phase.requests * weight) / weights;
      own.firstTurn = Math.max(own.firstTurn, Math.floor(weights / weight));
      own.longest = Math.max(own.longest, phase.requests);
    }
  }
  for (const [host, { got, due, firstTurn, longest }] of passed)
    if (due >= 5 && got < PASSED_OVER * due && firstTurn > longest)
      return [{ kind: 'restarted_turns', host, before: firstTurn - 1, longest, got, due }];
  return [];
}
