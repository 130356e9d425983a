import { clusterSettings, readAssignment, readEndpoint } from '../config/to-settings.js';
import type { Assignment } from '../settings/assignment.js';
import type { ClusterSettings } from '../settings/cluster-settings.js';
import type { ProxyVersion } from '../core/version.js';
import { type Action, actionsOf } from '../settings/timeline-entry.js';
import type { ProxySpec, WorldSettings } from '../settings/world.js';

type EndpointChange = Extract<
  Action,
  { readonly kind: 'set_health' | 'set_weight' | 'set_metadata' | 'remove_hosts' | 'add_hosts' | 'assign' }
>;

/** What config sources say at the start of a run. */
interface FirstClusters {
  readonly clusters: readonly ClusterSettings[];
  /** Clusters that requests may ask for: those that only `update_cluster` adds do not exist yet, absent ones never. */
  readonly notYet: readonly ClusterSettings[];
  readonly assignments: ReadonlyMap<string, Assignment>;
}

export function firstClusters(
  scenario: Pick<WorldSettings, 'clusters' | 'absentClusters' | 'timeline' | 'assignments' | 'proxies'>,
): FirstClusters {
  const { clusters, absentClusters, timeline } = scenario;
  const versions = versionsIn(scenario);
  const names = new Set(clusters.map(({ name }) => name));
  const updated = actionsOf(timeline, 'update_cluster').map(({ cluster }) => cluster);
  const notYet = [...updated, ...absentClusters].filter(({ name }) => !names.has(name) && names.add(name));
  return {
    clusters: clusters.map((cluster) => clusterSettings(cluster, versions)),
    notYet: notYet.map((cluster) => clusterSettings(cluster, versions)),
    assignments: assignmentsOf(scenario),
  };
}

export function assignmentsOf({ assignments }: Pick<WorldSettings, 'assignments'>): ReadonlyMap<string, Assignment> {
  return new Map([...assignments].map(([name, written]) => [name, readAssignment(written)]));
}

/** A change of endpoints with what it says of them as settings. */
export function endpointChange(action: EndpointChange) {
  switch (action.kind) {
    case 'add_hosts':
      return { ...action, endpoints: action.endpoints.map(readEndpoint) };
    case 'assign': {
      const { kind, assignment } = action;
      return { kind, name: assignment.clusterName, assignment: readAssignment(assignment) };
    }
    case 'set_health':
    case 'set_weight':
    case 'set_metadata':
    case 'remove_hosts':
      return action;
  }
}

/** The versions of the proxies, each once. */
export function versionsIn({ proxies }: { readonly proxies: readonly ProxySpec[] }): readonly ProxyVersion[] {
  return [...new Set(proxies.map(({ version }) => version))];
}
