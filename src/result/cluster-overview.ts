import { lazily } from '../core/values.js';
import type { ClusterResult, PhaseResult, PriorityResult, RunResult } from './run-result.js';

type Clusters = RunResult['clusters'];

/** What summaries of many clusters need of each. */
export interface ClusterOverview {
  readonly requests: number;
  /** Requests, not attempts, that failed. */
  readonly failed: number;
  /** From the first to the last phase with requests in which some priority was in panic; undefined: there was none. */
  readonly panic: { readonly from_s: number; readonly to_s: number } | undefined;
  readonly hasCourse: boolean;
  readonly over_tcp?: true;
}

type Overviews = readonly (readonly [name: string, overview: ClusterOverview])[];

const overviewsOf = new WeakMap<Clusters, () => Overviews>();

type ClusterOnDemand = Readonly<{ name: string; overview: () => ClusterOverview; result: () => ClusterResult }>;

/** The results of thousands of clusters, of which a report shows a few: each is built when it is first read. */
export function clustersOnDemand(parts: readonly ClusterOnDemand[]): Clusters {
  const results = Object.fromEntries(parts.map(({ name, result }) => [name, result]));
  return withOverviews(lazily({}, results), () => parts.map(({ name, overview }) => [name, overview()]));
}

/** The same clusters, each changed when it is first read. */
export function changedClusters<Result extends ClusterResult>(
  clusters: Clusters,
  change: (cluster: ClusterResult) => Result,
): Record<string, Result> {
  const changed = Object.keys(clusters).map((name) => [name, () => change(clusters[name] as ClusterResult)] as const);
  return withOverviews(lazily({}, Object.fromEntries(changed)), () => clusterOverviews(clusters));
}

function withOverviews<Of extends Clusters>(clusters: Of, overviews: () => Overviews): Of {
  overviewsOf.set(clusters, overviews);
  return clusters;
}

export const someClusters = (clusters: Clusters, picks: (name: string) => boolean): Clusters =>
  clustersOnDemand(
    [...new Map(clusterOverviews(clusters))].flatMap(([name, overview]) =>
      picks(name) ? [{ name, overview: () => overview, result: () => clusters[name] as ClusterResult }] : [],
    ),
  );

/** All clusters in their order, without building results that were not read yet. */
export const clusterOverviews = (clusters: Clusters): Overviews =>
  overviewsOf.get(clusters)?.() ?? Object.entries(clusters).map(([name, cluster]) => [name, overviewOf(cluster)]);

/** Whether requests were sent to a level while it was in panic: that of a level without load has no effect. */
export const panicsUnderLoad = ({ panic, healthy_load: healthy, degraded_load: degraded }: PriorityResult): boolean =>
  panic && healthy + degraded > 0;

function overviewOf({ requests, failed, phases, course, over_tcp }: ClusterResult): ClusterOverview {
  const inPanic = phases.filter((phase) => phase.requests > 0 && phase.priorities.some(panicsUnderLoad));
  const panic = spanOf(inPanic);
  return { requests, failed, panic, hasCourse: course !== undefined, ...(over_tcp && { over_tcp }) };
}

export function spanOf(phases: readonly Pick<PhaseResult, 'from_s' | 'to_s'>[]): ClusterOverview['panic'] {
  const [first, last] = [phases[0], phases.at(-1)];
  return first && last && { from_s: first.from_s, to_s: last.to_s };
}
