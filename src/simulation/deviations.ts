import { own } from '../core/own.js';
import { shareOf } from '../core/rounding.js';
import { columnsOf } from '../predict/host-columns.js';
import type { PredictedHost, PredictedPortion, PredictedSplit, Prediction } from '../predict/prediction.js';
import { splitBetween } from '../predict/split-between.js';
import { standardErrorsOff } from '../predict/standard-error.js';
import type { ClusterResult, PhaseHostResult, PhaseResult, Portion, RunResult } from '../result/run-result.js';
import { hostsOf, PhaseHosts } from '../result/phase-hosts.js';
import { PortionLookup, localityText } from './portion-lookup.js';
import { groupBy } from '../core/lists.js';

/**
 * Adds the prediction to the counts: `predicted_share` and `predicted_z`, the deviation in standard errors, wherever there
 * is a prediction.
 *
 * Where circuit breakers rejected a part of the requests nothing is added: the prediction is about choices alone.
 */
export function withDeviations(result: RunResult, prediction: Prediction): RunResult {
  const clusters = Object.entries(result.clusters).map(([name, cluster]): [string, ClusterResult] => {
    const predicted = own(prediction.clusters, name);
    if (predicted === undefined || cluster.overflow.requests > 0) return [name, cluster];
    const hosts = new PhaseHosts(cluster.hosts.length, cluster.phases.length);
    const phases = cluster.phases.map((phase) =>
      phaseDeviations(phase, splitBetween(predicted, phase.from_s, phase.to_s), hosts),
    );
    return [name, { ...clusterDeviations(cluster, predicted), phases }];
  });
  return { ...result, clusters: Object.fromEntries(clusters) };
}

function clusterDeviations(cluster: ClusterResult, predicted: PredictedSplit): ClusterResult {
  if (predicted.method === 'none') return cluster;
  const { requests } = cluster;
  const rows = new PortionLookup(columnsOf(predicted));
  const localities = sums(predicted.hosts, (host) => host.locality, localityText);
  const priorities = sums(predicted.hosts, (host) => host.priority, String);
  return {
    ...cluster,
    hosts: cluster.hosts.map((host) => compared(host, rows.of(host), requests)),
    no_host: compared(cluster.no_host, predicted.no_host, requests),
    localities: cluster.localities.map((group) =>
      compared(group, localities.get(localityText(group.locality)), requests),
    ),
    priorities: cluster.priorities.map((group) => compared(group, priorities.get(String(group.priority)), requests)),
  };
}

function phaseDeviations(phase: PhaseResult, predicted: PredictedSplit | undefined, hosts: PhaseHosts): PhaseResult {
  if (predicted === undefined || predicted.method === 'none') return phase;
  const {
    from_s,
    to_s,
    cause,
    labels,
    label_times_s,
    requests,
    no_host,
    overflow,
    failed,
    failures,
    cross_zone,
    reasons,
    priorities,
  } = phase;
  const rows = (): Iterable<PhaseHostResult> => hostDeviations(phase, predicted);
  return hosts.phase({ from_s, to_s, cause, labels, label_times_s, requests }, rows, {
    no_host: compared(no_host, predicted.no_host, requests),
    overflow,
    failed,
    failures,
    ...(cross_zone && { cross_zone }),
    reasons,
    priorities,
  });
}

function* hostDeviations(phase: PhaseResult, predicted: PredictedSplit): Generator<PhaseHostResult> {
  const rows = new PortionLookup(columnsOf(predicted));
  for (const host of hostsOf(phase)) yield hostDeviation(host, rows.of(host), phase.requests);
}

/** The fields are written out, which is much faster than a spread: a large run has a million of these objects. */
function hostDeviation(
  host: PhaseHostResult,
  predicted: PredictedPortion | undefined,
  requests: number,
): PhaseHostResult {
  if (predicted === undefined) return host;
  const { address, priority, locality, weight, health, requests: own, share } = host;
  return {
    address,
    priority,
    locality,
    weight,
    health,
    requests: own,
    share,
    predicted_share: predicted.share,
    predicted_z: deviation(share, predicted, requests),
  };
}

/** The same with its prediction. */
function compared<Observed extends Portion>(
  observed: Observed,
  predicted: PredictedPortion | undefined,
  requests: number,
): Observed {
  if (predicted === undefined) return observed;
  const { share } = predicted;
  return { ...observed, predicted_share: share, predicted_z: deviation(observed.share, predicted, requests) };
}

/** JSON has no infinity: what cannot happen but did counts as a million standard errors. */
function deviation(share: number, predicted: PredictedPortion, requests: number): number {
  const z = standardErrorsOff(predicted, share, requests);
  return Number.isFinite(z) ? z : Math.sign(z) * 1e6;
}

/** The portions of groups of hosts. Hosts of one group have the same `value`, or one of few. */
function sums<Value>(
  hosts: readonly PredictedHost[],
  valueOf: (host: PredictedHost) => Value,
  keyOf: (value: Value) => string,
): Map<string, PredictedPortion> {
  const keys = new Map<Value, string>();
  const groups = groupBy(hosts, (host) => {
    const value = valueOf(host);
    let key = keys.get(value);
    if (key === undefined) keys.set(value, (key = keyOf(value)));
    return key;
  });
  return new Map([...groups].map(([key, members]) => [key, sumOf(members)]));
}

/**
 * The portion of several hosts together. Their counts are negatively correlated, so the variance is at most that of one
 * draw that hits any of them, and at most the sum of theirs.
 */
export function sumOf(portions: readonly PredictedPortion[]): PredictedPortion {
  let share = 0;
  let variance = 0;
  let granularity = 0;
  for (const portion of portions) {
    share += portion.share;
    variance += portion.variance;
    granularity += portion.granularity;
  }
  share = shareOf(share);
  return { share, variance: Math.min(variance, share * (1 - share)), granularity };
}
