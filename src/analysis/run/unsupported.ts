import { discoveryType, isForeignType, type Cluster } from '../../config/cluster/cluster-shape.js';
import { fileProblem, type Problem, type Severity } from '../../core/problem.js';
import { clustersAsked, type ProxySpec, type RequestSpec } from '../../settings/world.js';
import type { Scenario } from '../../scenario/model.js';
import { linearRegexProblem, type RegexDialect } from '../../core/regex/linear-regex.js';
import { HEDGE_HEADER, ORIGINAL_DST_HEADER } from '../../core/proxy-names.js';
import { demand, SCENARIO } from '../../core/arguments.js';

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
  demand('unsupportedFeatures', ['scenario', scenario, SCENARIO]);
  const { clusters, proxies, workloads, requests, timeline } = scenario;
  const used = clustersAsked(scenario);
  const each = <Item>(items: readonly Item[], name: string, featuresOf: (item: Item) => readonly string[], at = '') =>
    items.flatMap((item, index) =>
      featuresOf(item).map((feature): UnsupportedFeature => ({ feature, path: `${name}[${index}]${at}` })),
    );
  return [
    ...each(clusters, 'clusters', (cluster) =>
      isForeignType(cluster) && !used.has(cluster.name) ? [] : clusterFeatures(cluster),
    ),
    ...each(proxies, 'proxies', statsFeatures, '.stats_config'),
    ...each(workloads, 'workloads', requestFeatures),
    ...each(requests, 'requests', requestFeatures),
    ...each(timeline, 'timeline', ({ action }) =>
      action.kind === 'update_cluster'
        ? clusterFeatures(action.cluster).map((feature) => `${feature} in update_cluster`)
        : [],
    ),
  ];
}

/** The same as problems of a file, which prevent a run. */
export const unsupportedProblems = (
  scenario: Scenario,
  file: string,
  severity: Severity = 'error',
): readonly Problem[] =>
  unsupportedFeatures(scenario).map(({ feature, path }) => ({
    ...fileProblem(file, 'not-supported', `not supported yet: ${feature}`),
    severity,
    path,
  }));

/** What prevents a run of a valid scenario: unknown hosts, and features that cannot be simulated yet, by name. */
export function obstaclesOf(scenario: Scenario, file: string, severity: Severity = 'error'): readonly Problem[] {
  const { unsent } = scenario.origin;
  const nothing = unsent === undefined ? [] : [{ ...fileProblem(file, 'no-hosts', unsent), severity }];
  return [...nothing, ...unsupportedProblems(scenario, file, severity)];
}

/** Every expression is run by an engine that takes linear time; expressions that it cannot run are refused. */
function statsFeatures({ statsConfig }: ProxySpec): readonly string[] {
  const { statsTags = [], statsMatcher } = statsConfig ?? {};
  const patterns = [...(statsMatcher?.inclusionList?.patterns ?? []), ...(statsMatcher?.exclusionList?.patterns ?? [])];
  const check = (expression: string | undefined, dialect: RegexDialect): readonly string[] => {
    const problem = expression === undefined ? undefined : linearRegexProblem(expression, dialect);
    return problem === undefined ? [] : [`the regular expression '${expression ?? ''}': ${problem}`];
  };
  return [
    ...statsTags.flatMap(({ regex }) => check(regex, 'ecmascript')),
    ...patterns.flatMap(({ regex, safeRegex }) => [...check(regex, 'ecmascript'), ...check(safeRegex?.regex, 're2')]),
  ];
}

const clusterFeatures = (cluster: Cluster): readonly string[] =>
  discoveryType(cluster) === undefined ? [`cluster_type ${cluster.clusterType?.name ?? ''}`] : [];

const SIMULATED: ReadonlySet<string> = new Set([ORIGINAL_DST_HEADER, HEDGE_HEADER]);

/** These headers control the proxy; any other header is for the host. */
function requestFeatures({ headers }: RequestSpec): readonly string[] {
  const names = Object.keys(headers).filter((name) => name.startsWith('x-proxy-') && !SIMULATED.has(name));
  return names.map((name) => `header ${name}`);
}
