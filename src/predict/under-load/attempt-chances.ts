import { type Quirks, quirksOf } from '../../core/version.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import { longestOf, meanOf } from '../../random/distributions.js';
import { type Behavior, resetRateOf } from '../../settings/behavior.js';
import type { ConnectionSettings, ClusterSettings } from '../../settings/cluster-settings.js';
import { type AttemptOutcome, backOffRange, retryConditions, wouldRetry } from '../../upstream/retry.js';
import type { RequestKind, RequestFlow } from '../traffic.js';
import type { Obstacle } from '../obstacle.js';
import type { Host } from '../../host/host.js';
import type { HostRows } from '../../result/phase-hosts.js';
import type { ProxySpec } from '../../settings/world.js';
import type { ProxyClusterView } from '../proxy-view.js';

export interface LoadedCluster {
  readonly view: ProxyClusterView;
  readonly rows: HostRows;
  readonly settings: ClusterSettings;
  readonly spec: ProxySpec;
  /** All requests to the cluster, also those that never come to these proxies. */
  readonly kinds: readonly RequestKind[];
  /** The part of a kind that one of the proxies gets. */
  readonly portionOf: (kind: RequestKind) => number;
  /** The same object as long as it is the same behaviour. */
  readonly behaviorOf: (host: Host, priority: number) => Behavior;
  /** Other clusters or proxies send to hosts of this cluster. */
  readonly isShared: () => boolean;
  readonly warmupUs: Micros;
}

type Traffic = Pick<LoadedCluster, 'kinds' | 'portionOf'>;

export type SteadyFlow = ReturnType<typeof flowBetween>;

/** A stretch of time, divided where the rate of some kind changes. */
export function steadyFlows(traffic: Traffic, fromUs: Micros, toUs: Micros): readonly SteadyFlow[] {
  const boundaries = new Set([fromUs, toUs]);
  for (const { flow } of traffic.kinds)
    for (const changeUs of flow.changesUs) if (changeUs > fromUs && changeUs < toUs) boundaries.add(changeUs);
  const times = [...boundaries].sort((a, b) => a - b);
  return times.slice(1).map((end, index) => flowBetween(traffic, times[index] as Micros, end));
}

/** The requests of one proxy while no rate changes; `rate`: a second. */
function flowBetween({ kinds, portionOf }: Traffic, fromUs: Micros, toUs: Micros) {
  let rate = 0;
  let pace: RequestFlow['pace'] = 'poisson';
  for (const kind of kinds) {
    const portion = portionOf(kind);
    const [before, after] = [kind.flow.sent(fromUs), kind.flow.sent(toUs)];
    if (portion === 0 || (before === after && before !== undefined)) continue;
    if (before === undefined || after === undefined) pace = 'unsteady';
    else rate += (portion * (after - before)) / microsToSeconds(toUs - fromUs);
    if (kind.flow.pace === 'unsteady' || pace === 'unsteady') pace = 'unsteady';
    else if (kind.flow.pace === 'even') pace = 'even';
  }
  return { fromUs, toUs, rate, pace };
}

/** Outcomes of an attempt at one host, as probabilities; the rest fails and is not retried. */
export interface AttemptChances {
  /** Succeeds, and the request ends. */
  readonly done: number;
  /** Is retried, and is a success if it is the last attempt: a status below 500. */
  readonly accepted: number;
  /** Is retried, and is a failure if it is the last attempt. */
  readonly failed: number;
  /** Longest duration of the attempt, and the mean, µs. */
  readonly longestUs: Micros;
  readonly meanUs: Micros;
}

export function attemptChances(
  behavior: Behavior,
  { spec }: RequestKind,
  { connectTimeoutUs, maxRequestsPerConnection, http2 }: ConnectionSettings,
  quirks: Quirks,
): AttemptChances | Obstacle {
  const { retryPolicy, headers, timeoutUs } = spec;
  const conditions = retryPolicy && retryConditions(retryPolicy, headers, quirks);
  const retries = (outcome: AttemptOutcome): boolean => conditions !== undefined && wouldRetry(conditions, outcome);
  const perTryUs = retryPolicy?.perTryTimeoutUs ?? 0;
  const { down, connectFailureRate, errorRate, errorStatus, errorHeaders, concurrency } = behavior;
  const failing = (portion: number, outcome: AttemptOutcome, accepted = false) => ({
    accepted: accepted && retries(outcome) ? portion : 0,
    failed: !accepted && retries(outcome) ? portion : 0,
  });
  if (down === 'refuse') return { done: 0, ...failing(1, { kind: 'connect-failure' }), longestUs: 0, meanUs: 0 };
  const sometimes = connectFailureRate > 0 && connectFailureRate < 1;
  // A try that hangs ends with its connection, but for HTTP/2.
  const isAlwaysNew = maxRequestsPerConnection === 1 || (down === 'hang' && !http2);
  if (sometimes && !isAlwaysNew) return { kind: 'fails_new_connections' };
  if (meanOf(behavior.connectTime) > 0 && longestOf(behavior.connectTime) > connectTimeoutUs)
    return { kind: 'slow_connections' };
  const refused = failing(connectFailureRate, { kind: 'connect-failure' });
  const connected = 1 - connectFailureRate;
  if (down === 'hang' && connected > 0) {
    if (perTryUs === 0 && timeoutUs === 0) return { kind: 'never_ends' };
    // Without a limit of its own a try lasts until the request is given up.
    const given = perTryUs > 0 ? failing(connected, { kind: 'per-try-timeout' }).failed : 0;
    return {
      done: 0,
      accepted: 0,
      failed: refused.failed + given,
      longestUs: longestOf(behavior.connectTime) + perTryUs,
      meanUs: meanOf(behavior.connectTime) + connected * (perTryUs > 0 ? perTryUs : timeoutUs),
    };
  }
  if (behavior.serviceTime.kind === 'cached') return { kind: 'cached_service' };
  if (spec.size !== undefined && meanOf(behavior.serviceTime) > 0) return { kind: 'sized_requests' };
  const times = [behavior.serviceTime, behavior.networkLatency, behavior.connectTime];
  const longestUs = times.reduce((sum, time) => sum + longestOf(time), 0);
  if (longestUs > 0 && concurrency < Infinity) return { kind: 'waits_in_queue' };
  if ((perTryUs > 0 && longestUs > perTryUs) || (timeoutUs > 0 && longestUs > timeoutUs))
    return { kind: 'late_answers' };
  const status: AttemptOutcome = { kind: 'status', status: errorStatus, headers: errorHeaders };
  const isAccepted = errorStatus < 500;
  const answered = connected * (1 - resetRateOf(behavior));
  const isRefused = http2 && behavior.closes === 'refused';
  const reset = failing(connected - answered, { kind: isRefused ? 'refused-stream' : 'reset' });
  const error = failing(answered * errorRate, status, isAccepted);
  const final = isAccepted && !retries(status) ? answered * errorRate : 0;
  return {
    done: answered * (1 - errorRate) + final,
    accepted: error.accepted,
    failed: error.failed + refused.failed + reset.failed,
    longestUs,
    meanUs: times.reduce((sum, time) => sum + meanOf(time), 0),
  };
}

/** By retry what its wait is below, whole ms, as `backOffUs` of a run draws it: all values are equally likely. */
export function backOffs(kind: RequestKind, retries: number, view: Pick<ProxyClusterView, 'runtime' | 'version'>) {
  const { backOffDoubles: doubles } = quirksOf(view.version);
  const { least, most } = backOffRange(kind.spec.retryPolicy ?? { retryBackOff: undefined }, view.runtime);
  return Array.from({ length: retries }, (_, retry) => {
    const factor = doubles ? Math.pow(2, retry) : Math.pow(2, retry + 1) - 1;
    return doubles ? Math.min(most, least * factor) : Math.min(most + 1, least * factor);
  });
}
