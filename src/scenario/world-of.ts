import { clusterSettings, readAssignment, readEndpoint } from '../config/to-settings.js';
import type { ProxyVersion } from '../core/version.js';
import type * as settings from '../settings/world.js';
import type { WorldSettings } from '../settings/world.js';
import type { Action, Scenario, TimelineEntry } from './model.js';

/** What is simulated of a scenario: its messages become settings. */
export function worldOf(scenario: Scenario): WorldSettings {
  const { clusters, absentClusters, assignments, proxies, timeline } = scenario;
  const versions = [...new Set(proxies.map(({ version }) => version))];
  return {
    ...scenario,
    clusters: clusters.map((cluster) => clusterSettings(cluster, versions)),
    absentClusters: absentClusters.map((cluster) => clusterSettings(cluster, versions)),
    assignments: new Map([...assignments].map(([name, written]) => [name, readAssignment(written)])),
    timeline: timeline.map((entry) => entrySettings(entry, versions)),
  };
}

export function entrySettings(entry: TimelineEntry, versions: readonly ProxyVersion[]): settings.TimelineEntry {
  return { ...entry, action: actionSettings(entry.action, versions) };
}

function actionSettings(action: Action, versions: readonly ProxyVersion[]): settings.Action {
  if (action.kind === 'add_hosts') return { ...action, endpoints: action.endpoints.map(readEndpoint) };
  if (action.kind === 'assign') return { ...action, assignment: readAssignment(action.assignment) };
  if (action.kind === 'update_cluster') return { ...action, cluster: clusterSettings(action.cluster, versions) };
  return action;
}
