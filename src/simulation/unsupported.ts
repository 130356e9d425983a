import { discoveryType, isForeignType } from '../config/discovery.js';
import type { Cluster, StatsConfig } from '../config/types.js';
import type { Action, RequestSpec, Scenario } from '../scenario/model.js';
import { linearRegexProblem } from '../core/regex/linear-regex.js';
import type { RegexDialect } from '../core/regex/tree.js';
import { ORIGINAL_DST_HEADER } from '../upstream/discovery/original-dst.js';

/** A feature of a scenario that the simulation does not have yet. */
export interface UnsupportedFeature {
  /** As a user knows it: `health_checks`, `retry_policy`, `timeline dns`. */
  readonly feature: string;
  /** Where it is used. */
  readonly path: string;
}

/** The scenario needs features that the simulation does not have. */
export class UnsupportedError extends Error {
  constructor(readonly features: readonly UnsupportedFeature[]) {
    super(`not supported yet: ${features.map(({ feature, path }) => `${feature} (${path})`).join(', ')}`);
    this.name = 'UnsupportedError';
  }
}

/**
 * The features of a scenario that cannot be simulated yet. A run refuses them by name: to leave one out silently would
 * answer another question.
 */
export function unsupportedFeatures(scenario: Scenario): readonly UnsupportedFeature[] {
  const found: UnsupportedFeature[] = [];
  const add = (feature: string, path: string): void => {
    found.push({ feature, path });
  };
  const used = new Set([
    ...scenario.workloads.flatMap(({ route }) => route.map(({ cluster }) => cluster)),
    ...scenario.requests.map(({ cluster }) => cluster),
  ]);
  for (const [index, cluster] of scenario.clusters.entries()) {
    if (isForeignType(cluster) && !used.has(cluster.name)) continue;
    clusterFeatures(cluster, (feature) => add(feature, `clusters[${index}]`));
  }
  for (const [index, proxy] of scenario.proxies.entries()) {
    if (proxy.statsConfig !== undefined) {
      statsFeatures(proxy.statsConfig, (feature) => add(feature, `proxies[${index}].stats_config`));
    }
  }
  for (const [index, workload] of scenario.workloads.entries()) {
    requestFeatures(workload, (feature) => add(feature, `workloads[${index}]`));
  }
  for (const [index, request] of scenario.requests.entries()) {
    requestFeatures(request, (feature) => add(feature, `requests[${index}]`));
  }
  for (const [index, entry] of scenario.timeline.entries()) {
    actionFeatures(entry.action, (feature) => add(feature, `timeline[${index}]`));
  }
  return found;
}

type Report = (feature: string) => void;

/** Every expression is run by an engine that takes linear time; expressions that it cannot run are refused. */
function statsFeatures({ statsTags, statsMatcher }: StatsConfig, report: Report): void {
  const patterns = [...(statsMatcher?.inclusionList?.patterns ?? []), ...(statsMatcher?.exclusionList?.patterns ?? [])];
  const check = (expression: string | undefined, dialect: RegexDialect): void => {
    const problem = expression === undefined ? undefined : linearRegexProblem(expression, dialect);
    if (problem !== undefined) report(`the regular expression '${expression}': ${problem}`);
  };
  for (const { regex } of statsTags) check(regex, 'ecmascript');
  for (const { regex, safeRegex } of patterns) {
    check(regex, 'ecmascript');
    check(safeRegex?.regex, 're2');
  }
}

function clusterFeatures(cluster: Cluster, report: Report): void {
  if (discoveryType(cluster) === undefined) report(`cluster_type ${cluster.clusterType?.name ?? ''}`);
}

function requestFeatures(request: RequestSpec, report: Report): void {
  for (const name of Object.keys(request.headers)) {
    // These headers control the proxy; any other header is for the host.
    if (name.startsWith('x-proxy-') && name !== ORIGINAL_DST_HEADER) report(`header ${name}`);
  }
}

function actionFeatures(action: Action, report: Report): void {
  switch (action.kind) {
    case 'update_cluster':
      clusterFeatures(action.cluster, (feature) => report(`${feature} in update_cluster`));
      return;
    case 'set_behavior':
    case 'set_health':
    case 'set_weight':
    case 'set_metadata':
    case 'add_hosts':
    case 'remove_hosts':
    case 'assign':
    case 'set_rate':
    case 'set_runtime':
    case 'dns':
    case 'remove_cluster':
    case 'note':
      return;
  }
}
