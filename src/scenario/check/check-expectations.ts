import { present, presentEntries, byKind } from '../../core/values.js';
import { type Cluster, statName } from '../../config/cluster/cluster.js';
import { discoveryType } from '../../config/cluster/cluster-shape.js';
import { didYouMean, type Path } from '../../config/reader.js';
import { factsOf, lbPolicyName, statisticsOf } from '../../policy/registry.js';
import { meanOf } from '../../random/distributions.js';
import type { References } from './references.js';
import type { Expectation } from '../model.js';
import { lossSizeOf } from '../selector.js';
import { statedBehaviors } from '../../settings/world.js';
import { CLUSTER_STATS, clusterStat, type ClusterStat, MANAGER_STATS, type StatNeed } from '../../stats/store.js';
import { asksOutOfBand, lbPolicyOf, policyNamesIn, subsetsOf } from '../../config/policy/of-cluster.js';

export function checkExpectations(refs: References): void {
  for (const [index, measure] of presentEntries(refs.parts.question)) {
    const path = ['question', index];
    checkMeasure(refs, measure, path, [...path, measure.subject.kind]);
  }
  for (const [index, expectation] of presentEntries(refs.parts.expect)) {
    const path = ['expect', index];
    checkMeasure(refs, expectation, path, [...path, expectation.subject.kind]);
    const { relativeTo, subject } = expectation;
    if (relativeTo === undefined) continue;
    const other = [...path, 'relative_to'];
    if (JSON.stringify({ ...relativeTo }) === JSON.stringify({ subject, during: expectation.during })) {
      refs.tell('with_itself', other);
      continue;
    }
    // What is as in the measure before has been looked at there.
    if (JSON.stringify(relativeTo.subject) !== JSON.stringify(subject)) checkMeasure(refs, relativeTo, other, other);
    else if (relativeTo.during !== undefined)
      refs.notAfterEnd(relativeTo.during[0], [...other, 'during', 0], 'there is nothing to measure');
  }
}

/** @param path of what has `during`; `at` of what says cluster, hosts or statistic. */
function checkMeasure(
  refs: References,
  { subject, during }: Pick<Expectation, 'subject' | 'during'>,
  path: Path,
  at: Path,
): void {
  if (during !== undefined) refs.notAfterEnd(during[0], [...path, 'during', 0], 'there is nothing to measure');
  if ('cluster' in subject && refs.clusterKnown(subject.cluster, [...at, 'cluster'])) {
    if (subject.kind === 'share') refs.checkSelector({ cluster: subject.cluster, ...subject.hosts }, [...at, 'hosts']);
    const size = subject.kind === 'survives' ? lossSizeOf(subject.lose) : undefined;
    const lost = size?.ok === true ? [...size.value.selectors.values()] : [];
    for (const selector of lost) refs.checkSelector(selector, [...at, 'lose']);
    const isOfCapacity = subject.kind === 'survives' && subject.without.every((harm) => harm === 'overload');
    if (subject.kind === 'host_load' || isOfCapacity) checkCapacity(refs, at);
  }
  if (!('name' in subject)) return;
  checkStat(refs, subject.name, at[at.length - 1] === 'relative_to' ? [...at, 'stat'] : at);
  if (subject.kind === 'stat' && during !== undefined) refs.tell('no_window', [...path, 'during']);
}

/** Where no host can be full, no host is: the expectation would always hold. */
function checkCapacity(refs: References, path: Path): void {
  const { behavior, timeline } = refs.parts;
  if (behavior.includes(undefined) || timeline.includes(undefined)) return;
  const stated = statedBehaviors({ behavior: present(behavior), timeline: present(timeline) });
  const isBounded = stated.some(({ concurrency = Infinity }) => concurrency < Infinity);
  const isBusy = stated.some(({ serviceTime }) => serviceTime !== undefined && meanOf(serviceTime) > 0);
  if (!isBounded || !isBusy) refs.tell('no_capacity', path);
}

/** `cluster.NAME.…` or `cluster_manager.…`: a statistic that no result has cannot be expected. */
function checkStat(refs: References, name: string, path: Path): void {
  if (!name.startsWith(CLUSTER)) {
    if (MANAGER_STATS.includes(name)) checkManagerStat(refs, name, path);
    else reportUnknown(refs, path, name, '', [...MANAGER_STATS, CLUSTER.slice(0, -1)]);
    return;
  }
  const scopes = countedAs(refs);
  const scoped = name.slice(CLUSTER.length);
  // Names may have dots: one may begin with another.
  const found = scopes.filter((scope) => scoped.startsWith(`${scope}.`));
  const [first] = found;
  if (first === undefined) {
    if (scopes.includes(scoped)) refs.tell('cluster_itself', path, { name });
    else checkScope(refs, scoped, scopes, path);
    return;
  }
  for (const scope of found) {
    const stat = clusterStat(scoped.slice(scope.length + 1));
    if (stat === undefined) continue;
    checkCounted(refs, scope, stat, path);
    return;
  }
  const rest = scoped.slice(first.length + 1);
  const names = CLUSTER_STATS.map((stat) => stat.name);
  reportUnknown(refs, path, rest, ' of a cluster', names);
}

const CLUSTER = 'cluster.';

const reportUnknown = (refs: References, path: Path, name: string, whose: string, options: readonly string[]): void =>
  refs.tell('no_statistic', path, { name, whose, near: didYouMean(name, options) });

/** Names of clusters in statistics, where `:` becomes `_`. */
function countedAs(refs: References): string[] {
  const configs = [...refs.byName.values(), ...refs.updates];
  const alternatives = configs.flatMap(({ altStatName }) => (altStatName === '' ? [] : [altStatName]));
  // A cluster with an `alt_stat_name` in all its versions has no statistics under its own name.
  const renamed = (name: string): boolean => {
    const versions = configs.filter((config) => config.name === name);
    return versions.length > 0 && versions.every(({ altStatName }) => altStatName !== '' && altStatName !== name);
  };
  const own = refs.parts.clusterNames.filter((name) => !renamed(name));
  return [...new Set([...own, ...alternatives])].map((name) => name.replaceAll(':', '_'));
}

function checkScope(refs: References, scoped: string, scopes: readonly string[], path: Path): void {
  const [wanted = ''] = scoped.split('.');
  const near = didYouMean(wanted, scopes);
  // A cluster with errors may have this name in statistics.
  if (!refs.parts.clustersNamed || (near === '' && refs.parts.clusters.includes(undefined))) return;
  refs.tell('no_scope', path, { name: wanted, near });
}

function checkCounted(refs: References, counted: string, { name, kind, needs }: ClusterStat, path: Path): void {
  if (kind === 'histogram') {
    refs.tell('histogram', path, { name });
    return;
  }
  if (needs === undefined || refs.parts.clusters.includes(undefined) || refs.parts.timeline.includes(undefined)) return;
  const versions = [...refs.byName.values(), ...refs.updates].filter((cluster) => statName(cluster) === counted);
  const [first] = versions;
  if (first === undefined || versions.some((cluster) => meets(needs, cluster))) return;
  const isTyped = first.loadBalancingPolicy !== undefined;
  const named = policyNamesIn(first, needs.kind === 'policy' ? needs.policy : 'SUBSET');
  const own = lbPolicyName(lbPolicyOf(first));
  refs.tell('absent', path, { cluster: counted, name, need: needs.kind, isTyped, named, own });
}

function checkManagerStat(refs: References, name: string, path: Path): void {
  const { timeline } = refs.parts;
  const changes = ['update_cluster', 'remove_cluster'];
  if (!name.startsWith('cluster_manager.cds.') || timeline.includes(undefined)) return;
  if (!present(timeline).some(({ action }) => changes.includes(action.kind))) refs.tell('no_cds', path, { name });
}

/** Whether a cluster ever has the statistics that need this. */
const meets = byKind<StatNeed, boolean, [cluster: Cluster]>({
  eds: (_, cluster) => discoveryType(cluster) === 'EDS',
  track_remaining: (_, { circuitBreakers }) => circuitBreakers?.thresholds.some((one) => one.trackRemaining) === true,
  subsets: (_, cluster) => subsetsOf(cluster) !== undefined,
  policy_statistics: (_, cluster) => {
    const lbPolicy = lbPolicyOf(cluster);
    return statisticsOf(lbPolicy).length > 0 || factsOf(lbPolicy) === undefined;
  },
  policy: ({ policy }, cluster) => lbPolicyOf(cluster) === policy,
  out_of_band: (_, cluster) => asksOutOfBand(cluster),
  health_checks: (_, { healthChecks }) => healthChecks.length > 0,
  outlier_detection: (_, { outlierDetection }) => outlierDetection !== undefined,
});
