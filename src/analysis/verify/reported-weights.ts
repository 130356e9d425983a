import { aggregated } from '../../config/cluster/discovery.js';
import type { Cluster } from '../../config/types.js';
import { weighingIn } from './host-answers.js';
import type { Decisions } from './own-decisions.js';
import type { Traffic } from './situations.js';
import type { Stage } from './stages.js';

/** Weights by reports have been updated by then. */
const WEIGHED_MS = 300;

/** Clusters that get requests of which some go to hosts that weigh as they report, of members, too. @returns whether that is soon. */
export function reportedIn(clusters: readonly Cluster[], traffic: readonly Traffic[]): ReadonlyMap<string, boolean> {
  const kinds = new Map(clusters.map((cluster) => [cluster.name, weighingIn(cluster)]));
  const members = new Map(clusters.map((cluster) => [cluster.name, aggregated(cluster) ?? []]));
  return new Map(
    traffic.flatMap(({ cluster }): [string, boolean][] => {
      const own = [cluster, ...(members.get(cluster) ?? [])].flatMap((name) => kinds.get(name) ?? []);
      return own.length === 0 ? [] : [[cluster, own.includes('soon')]];
    }),
  );
}

/** Hosts report first; then, with the weights that follow, all is compared. */
export function reportsFirst<Own extends Stage>(
  stages: readonly Own[],
  reported: ReadonlyMap<string, boolean>,
): readonly Own[] {
  const soon = new Set([...reported].flatMap(([name, isSoon]) => (isSoon ? [name] : [])));
  if (soon.size === 0) return stages;
  return stages.flatMap((stage) => [
    { ...stage, asked: soon },
    { ...stage, updates: [], waitMs: WEIGHED_MS },
  ]);
}

type Sides = Readonly<Record<'proxy' | 'lbsim', Decisions>>;

/**
 * Clusters whose hosts weigh by reports that not the same hosts have sent on both sides.
 *
 * @param both all stages until this one.
 */
export function weighedOtherwise(
  both: readonly Sides[],
  traffic: readonly Traffic[],
  reported: ReadonlyMap<string, boolean>,
): ReadonlySet<string> {
  const answered = (side: keyof Sides, cluster: string, until: number): string => {
    const hosts = both
      .slice(0, until)
      .flatMap((one) => one[side].hosts.flatMap((all, index) => (traffic[index]?.cluster === cluster ? all : [])));
    return [...new Set(hosts.filter((place) => typeof place === 'string'))].sort().join();
  };
  return new Set(
    [...reported].flatMap(([name, isSoon]) => {
      const until = isSoon ? both.length : both.length - 1;
      return answered('proxy', name, until) === answered('lbsim', name, until) ? [] : [name];
    }),
  );
}
