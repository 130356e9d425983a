import { localityKey } from '../host/host.js';
import type { PredictedHost, PredictedPortion, PredictedSplit, Prediction } from '../predict/prediction.js';
import { splitBetween } from '../predict/split-between.js';
import { standardErrorsOff } from '../predict/standard-error.js';
import type {
  ClusterResult,
  LocalityResult,
  PhaseResult,
  Portion,
  Predicted,
  RunResult,
} from '../result/run-result.js';

/**
 * Puts the prediction beside what was counted: `predicted_share` and `predicted_z`, the deviation in standard errors,
 * wherever there is a prediction.
 *
 * A split of which a part was turned away by circuit breakers is left without: the prediction speaks of choices alone.
 */
export function withPrediction(result: RunResult, prediction: Prediction): RunResult {
  const clusters = Object.entries(result.clusters).map(([name, cluster]): [string, ClusterResult] => {
    const predicted = prediction.clusters[name];
    if (predicted === undefined || cluster.overflow.requests > 0) return [name, cluster];
    return [
      name,
      {
        ...beside(cluster, predicted),
        phases: cluster.phases.map((phase) => besidePhase(phase, splitBetween(predicted, phase.from_s, phase.to_s))),
      },
    ];
  });
  return { ...result, clusters: Object.fromEntries(clusters) };
}

function beside(cluster: ClusterResult, predicted: PredictedSplit): ClusterResult {
  if (predicted.method === 'none') return cluster;
  const { requests } = cluster;
  const hosts = new Map(predicted.hosts.map((host) => [hostKey(host), host]));
  const localities = sums(predicted.hosts, (host) => placeKey(host.locality));
  const priorities = sums(predicted.hosts, (host) => String(host.priority));
  return {
    ...cluster,
    hosts: cluster.hosts.map((host) => ({ ...host, ...compared(host, hosts.get(hostKey(host)), requests) })),
    no_host: { ...cluster.no_host, ...compared(cluster.no_host, predicted.no_host, requests) },
    localities: cluster.localities.map((group) => ({
      ...group,
      ...compared(group, localities.get(placeKey(group.locality)), requests),
    })),
    priorities: cluster.priorities.map((group) => ({
      ...group,
      ...compared(group, priorities.get(String(group.priority)), requests),
    })),
  };
}

function besidePhase(phase: PhaseResult, predicted: PredictedSplit | undefined): PhaseResult {
  if (predicted === undefined || predicted.method === 'none') return phase;
  const hosts = new Map(predicted.hosts.map((host) => [hostKey(host), host]));
  return {
    ...phase,
    hosts: phase.hosts.map((host) => ({ ...host, ...compared(host, hosts.get(hostKey(host)), phase.requests) })),
    no_host: { ...phase.no_host, ...compared(phase.no_host, predicted.no_host, phase.requests) },
  };
}

function compared(observed: Portion, predicted: PredictedPortion | undefined, requests: number): Predicted {
  if (predicted === undefined) return {};
  const z = standardErrorsOff(predicted, observed.share, requests);
  // JSON has no infinity: what must never happen and did is a million standard errors off.
  return { predicted_share: predicted.share, predicted_z: Number.isFinite(z) ? z : Math.sign(z) * 1e6 };
}

/** The portions of groups of hosts. */
function sums(hosts: readonly PredictedHost[], keyOf: (host: PredictedHost) => string): Map<string, PredictedPortion> {
  const groups = new Map<string, PredictedHost[]>();
  for (const host of hosts) {
    const group = groups.get(keyOf(host));
    if (group === undefined) groups.set(keyOf(host), [host]);
    else group.push(host);
  }
  return new Map([...groups].map(([key, members]) => [key, sumOf(members)]));
}

/**
 * The portion of several hosts together. Their counts hinder each other, so the variance is at most that of one draw
 * that hits any of them, and at most the sum of theirs.
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
  share = Math.min(share, 1);
  return { share, variance: Math.min(variance, share * (1 - share)), granularity };
}

function hostKey(host: {
  readonly priority: number;
  readonly locality: LocalityResult;
  readonly address: string;
}): string {
  return `${host.priority}\u0000${host.address}\u0000${placeKey(host.locality)}`;
}

function placeKey(locality: LocalityResult): string {
  return localityKey({ region: locality.region, zone: locality.zone, subZone: locality.sub_zone });
}
