import { entryOf } from '../core/lists.js';
import { shareOf } from '../core/rounding.js';
import type {
  ClusterPrediction,
  PredictedHost,
  PredictedPhase,
  PredictedPortion,
  PredictedSplit,
} from './prediction.js';

/**
 * The split of a stretch of time that is one predicted phase or several whole ones; undefined where it is not.
 *
 * A run may see one phase where the prediction sees two (a runtime value changed which its balancers read at each pick).
 * The prediction ends with the traffic, the run with the last answer: beyond the last predicted phase nothing is decided.
 */
export function splitBetween(
  { phases }: Pick<ClusterPrediction, 'phases'>,
  fromS: number,
  toS: number,
): PredictedSplit | undefined {
  const inside = phases.filter(({ from_s: from, to_s: to, requests }) => {
    return from >= fromS && to <= toS && (from < to || requests !== 0);
  });
  const [first] = inside;
  const last = inside[inside.length - 1];
  if (first === undefined || last === undefined || first.from_s !== fromS) return undefined;
  if (last.to_s !== toS && last !== phases[phases.length - 1]) return undefined;
  return inside.length === 1 ? first : merged(inside);
}

function merged(phases: readonly PredictedPhase[]): PredictedSplit {
  const lost = phases.find((phase) => phase.method === 'none');
  const requests = phases.reduce<number | null>(
    (sum, phase) => (sum === null || phase.requests === null ? null : sum + phase.requests),
    0,
  );
  if (lost !== undefined || requests === null) {
    const obstacle = lost?.obstacle ?? { kind: 'several_phases' };
    return { method: 'none', obstacle, requests, hosts: [], localities: [], priorities: [], subsets: [] };
  }
  const part = (phase: PredictedPhase): number =>
    requests === 0 ? 1 / phases.length : (phase.requests ?? 0) / requests;
  const hosts = new Map<string, { readonly host: PredictedHost; readonly sum: PortionSum }>();
  const localities = new Map<string, PredictedSplit['localities'][number]>();
  const priorities = new Map<number, PredictedSplit['priorities'][number]>();
  const subsets = new Map<string, PredictedSplit['subsets'][number]>();
  const noHost = new PortionSum();
  for (const phase of phases) {
    const weight = part(phase);
    for (const host of phase.hosts) {
      const key = JSON.stringify([host.priority, host.locality, host.address]);
      entryOf(hosts, key, () => ({ host, sum: new PortionSum() })).sum.add(host, weight);
    }
    if (phase.no_host !== undefined) noHost.add(phase.no_host, weight);
    for (const entry of phase.localities) addShare(localities, JSON.stringify(entry.locality), entry, weight);
    for (const entry of phase.priorities) addShare(priorities, entry.priority, entry, weight);
    for (const entry of phase.subsets) addShare(subsets, entry.subset, entry, weight);
  }
  const error = phases.reduce((sum, phase) => sum + (phase.error ?? 0) * part(phase), 0);
  return {
    ...(error > 0 ? { method: 'numeric' as const, error } : { method: 'exact' as const }),
    requests,
    hosts: [...hosts.values()].map(({ host, sum }) => ({ ...host, ...sum.portion() })),
    localities: [...localities.values()].map(summed),
    priorities: [...priorities.values()].map(summed),
    subsets: [...subsets.values()].map(summed),
    no_host: noHost.portion(),
  };
}

/** Mixes portions as if each request were drawn from one of the phases, which varies at least as much as it truly does. */
class PortionSum {
  private share = 0;
  private second = 0;
  private granularitySquared = 0;

  add({ share, variance, granularity }: PredictedPortion, weight: number): void {
    this.share += weight * share;
    this.second += weight * (variance + share * share);
    this.granularitySquared += granularity * granularity;
  }

  portion(): PredictedPortion {
    const variance = Math.max(0, this.second - this.share * this.share);
    return { share: shareOf(this.share), variance, granularity: Math.sqrt(this.granularitySquared) };
  }
}

function summed<Entry extends { readonly share: number }>(entry: Entry): Entry {
  return { ...entry, share: shareOf(entry.share) };
}

function addShare<Key, Entry extends { share: number }>(
  entries: Map<Key, Entry>,
  key: Key,
  entry: Entry,
  weight: number,
): void {
  entryOf(entries, key, () => ({ ...entry, share: 0 })).share += entry.share * weight;
}
