import { type Checks, eachCluster, eachSubsets, type LintCluster, type LintGroup, type LintHost } from './subject.js';
import { isHash } from './policy-rules.js';
import type { EmptyTable } from '../../hostset/normalized-weights.js';
import { isTablePolicy, lbPolicyName } from '../../policy/registry.js';
import { formatPath } from '../../config/source/document.js';
import { LB_DEFAULTS } from '../../core/defaults.js';
import { metadataEntry } from '../../config/core.js';
import { smallest } from '../../core/values.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import { around, weighsLocalities, zoneAwareOf } from '../../config/policy/policy.js';

/** How many of these hosts the smallest of a selector’s subsets has; Infinity if it makes none. */
function smallestSubset(hosts: readonly LintHost[], keys: readonly string[]): number {
  const sizes = new Map<string, number>();
  for (const { endpoint } of hosts) {
    const metadata = metadataEntry(endpoint.metadata, LB_NAMESPACE);
    if (keys.length === 0 || !keys.every((key) => Object.hasOwn(metadata, key))) continue;
    const subset = JSON.stringify(keys.map((key) => metadata[key]));
    sizes.set(subset, (sizes.get(subset) ?? 0) + 1);
  }
  return smallest(sizes.values());
}

const hasWeight = (group: LintGroup): boolean => weightOf(group) !== undefined && group.group.locality !== undefined;

/** "no locality of priority 1 has a load_balancing_weight, so its RING_HASH table is empty". */
export function emptyTableText(why: EmptyTable, policy: string, priority: number | undefined): string {
  const [of, its] = priority === undefined ? ['', 'the'] : [` of priority ${priority}`, 'its'];
  const lacks =
    why === 'no-weight'
      ? `no locality${of} has a load_balancing_weight`
      : `no locality${of} with a load_balancing_weight has a host available`;
  return `${lacks}, so ${its} ${policy} table is empty`;
}

/** What its localities go by, and where the setting belongs that makes it their weights. */
function insteadOf(one: LintCluster): string {
  const { name } = one.cluster;
  if (around(one.policy, 'load_aware_locality') !== undefined && !isHash(one))
    return `load_aware_locality of ${name} goes by the load that hosts report`;
  const place = one.placeOf(...WEIGHTED);
  if (place === undefined)
    return `${name} has no wrr_locality around client_side_weighted_round_robin, so all hosts of a priority count alike`;
  if (zoneAwareOf(one.policy) === undefined) return `${name} has no ${place}, so all hosts of a priority count alike`;
  return `${name} has ${one.placeOf(...ZONE_AWARE) ?? ''}, which looks at zones; ${place} goes in its place`;
}

export const WEIGHTED = ['common_lb_config', 'locality_weighted_lb_config'] as const;

export const weighted = ({ policy }: LintCluster): boolean => weighsLocalities(policy);
const weightOf = ({ group }: LintGroup): number | undefined => group.loadBalancingWeight;

function levels({ groups, priorities }: LintCluster): readonly (readonly LintGroup[])[] {
  return priorities.map((priority) => groups.filter(({ group }) => group.priority === priority));
}

const ZONE_AWARE = ['common_lb_config', 'zone_aware_lb_config'] as const;

const isZoneAware = ({ policy }: LintCluster): boolean => zoneAwareOf(policy) !== undefined;

export const localitiesRules = {
  'locality-weights-ignored': eachCluster((cluster, report) => {
    if (weighted(cluster)) return;
    const uneven = levels(cluster).some((groups) => new Set(groups.map(weightOf)).size > 1);
    const first = cluster.groups.find((group) => weightOf(group) !== undefined);
    if (!uneven || first === undefined) return;
    report('load_balancing_weight', `locality weights are ignored: ${insteadOf(cluster)}`, first);
  }),

  'locality-without-weight': eachCluster((cluster, report) => {
    if (!weighted(cluster)) return;
    for (const groups of levels(cluster)) {
      if (groups.every((group) => weightOf(group) === undefined)) continue;
      for (const one of groups) {
        const { locality } = one.group;
        if (weightOf(one) !== undefined || one.hosts.length === 0 || locality === undefined) continue;
        const zone = locality.zone === '' ? 'this locality' : `zone ${locality.zone}`;
        const text = 'has no load_balancing_weight and gets no traffic: other localities of its priority have one';
        report('', `${zone} ${text}`, one);
      }
    }
  }),

  'locality-weight-without-locality': eachCluster((cluster, report) => {
    if (!weighted(cluster)) return;
    for (const one of cluster.groups) {
      if (weightOf(one) === undefined || one.group.locality !== undefined) continue;
      const text = 'this weight is dropped: the entry has no locality. Write locality: {} beside it';
      report('load_balancing_weight', text, one);
    }
  }),

  'no-locality-has-weight': eachCluster((cluster, report) => {
    if (!weighted(cluster) || !cluster.fixed) return;
    const without = levels(cluster).filter((groups) => !groups.some(hasWeight));
    if (without.length === cluster.priorities.length) {
      const effect = isHash(cluster)
        ? `${lbPolicyName(cluster.lbPolicy)} then finds no host`
        : 'localities then count for nothing';
      report(WEIGHTED.join('.'), `no locality has a load_balancing_weight: ${effect}`);
      return;
    }
    // Other policies then balance over all hosts of the level, as if nothing were asked for.
    if (!isHash(cluster)) return;
    for (const groups of without) {
      const first = groups.find(({ hosts }) => hosts.length > 0);
      if (first === undefined) continue;
      const { priority } = first.group;
      const text = emptyTableText('no-weight', lbPolicyName(cluster.lbPolicy), priority);
      report('', `${text}: it finds no host when traffic comes. Give the locality a load_balancing_weight`, first);
    }
  }),

  'scaled-locality-weight-zero': eachSubsets((config, report, { groups }) => {
    if (!config.scaleLocalityWeight || !config.localityWeightAware) return;
    for (const one of groups) {
      const { hosts } = one;
      const weight = weightOf(one);
      if (weight === undefined || one.group.locality === undefined) continue;
      const fewest = smallest(config.subsetSelectors.map(({ keys }) => smallestSubset(hosts, keys)));
      if (Math.round((weight * fewest) / hosts.length) > 0) continue;
      const text = `${fewest} of ${hosts.length} hosts are in a subset: ${weight} × ${fewest}/${hosts.length} rounds to 0, and they get nothing`;
      report('load_balancing_weight', `${text}. Use larger weights in the same proportion`, one);
    }
  }),

  'overprovisioning-without-choice': eachCluster((cluster, report) => {
    const factor = cluster.assignment?.policy?.overprovisioningFactor;
    if (factor === undefined || weighted(cluster) || cluster.priorities.length !== 1 || !cluster.fixed) return;
    const text = 'overprovisioning_factor moves no traffic: there is one priority and localities have no weights';
    report('policy.overprovisioning_factor', text, { path: cluster.assignmentPath });
  }),

  'zone-aware-without-local-cluster': (subject, report) => {
    if (subject.alone || subject.proxies.some(({ proxy }) => proxy.localClusterName !== undefined)) return;
    const cluster = subject.clusters.find(isZoneAware);
    if (cluster === undefined) return;
    const name = formatPath([...(subject.proxies[0]?.path ?? []), 'local_cluster_name']);
    const text = `zone-aware routing is off: there is no ${name}, the cluster that the proxies themselves are in`;
    report([...cluster.path, ...ZONE_AWARE], text);
  },

  'zone-aware-without-zone': (subject, report) => {
    if (!subject.clusters.some(isZoneAware)) return;
    for (const { proxy, path } of subject.proxies) {
      if (proxy.localClusterName === undefined || proxy.node?.locality !== undefined) continue;
      report(path, `${proxy.name} has no node.locality: it is in no zone, and zone-aware routing does nothing`);
    }
  },

  'zone-aware-cluster-too-small': eachCluster((cluster, report, { proxies }) => {
    const zone = zoneAwareOf(cluster.policy);
    if (zone === undefined || !cluster.fixed || zone.forceLocalZone !== undefined) return;
    if (proxies.some(({ proxy }) => 'upstream.zone_routing.min_cluster_size' in proxy.runtime)) return;
    const wanted = Number(zone.minClusterSize ?? LB_DEFAULTS.minClusterSize);
    const hosts = cluster.hosts.filter(({ priority }) => priority === 0).length;
    if (hosts >= wanted) return;
    const found = zone.minClusterSize === undefined ? `${wanted}, the default of min_cluster_size` : `${wanted}`;
    const text = `zone-aware routing is off: ${cluster.cluster.name} has ${hosts === 1 ? '1 host' : `${hosts} hosts`} in priority 0, fewer than ${found}`;
    report([...ZONE_AWARE, ...(zone.minClusterSize === undefined ? [] : ['min_cluster_size'])].join('.'), text);
  }),

  'zone-aware-hash': eachCluster((cluster, report) => {
    const { lbPolicy } = cluster;
    const zone = cluster.cluster.commonLbConfig?.zoneAwareLbConfig;
    if (zone === undefined || !isTablePolicy(lbPolicy) || zone.failTrafficOnPanic) return;
    const text = `${lbPolicyName(lbPolicy)} ignores zones: zone_aware_lb_config has no effect`;
    report(ZONE_AWARE.join('.'), text);
  }),
} satisfies Checks;
