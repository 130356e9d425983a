import { type Checks, eachCluster, eachSubsets, type LintCluster, type LintGroup, type LintHost } from './subject.js';
import { isHash } from './policy-rules.js';
import { isTablePolicy, lbPolicyName } from '../../policy/registry.js';
import { formatPath } from '../../config/source/document.js';
import { LB_DEFAULTS } from '../../core/defaults.js';
import { lbMetadata } from '../../settings/assignment.js';
import { addTo, smallest } from '../../core/values.js';
import { emptyTableText, listed } from '../../core/words.js';
import { placeName } from '../../host/host.js';
import { around, weighsLocalities, zoneAwareOf } from '../../config/policy/policy.js';

/** How many of these hosts the smallest of a selector’s subsets has; Infinity if it makes none. */
function smallestSubset(hosts: readonly LintHost[], keys: readonly string[]): number {
  const subsets = new Map<string, LintHost[]>();
  for (const host of hosts) {
    const metadata = lbMetadata(host.endpoint.metadata?.filterMetadata);
    if (keys.length > 0 && keys.every((key) => Object.hasOwn(metadata, key)))
      addTo(subsets, JSON.stringify(keys.map((key) => metadata[key])), host);
  }
  return smallest([...subsets.values()].map(({ length }) => length));
}

const hasWeight = (group: LintGroup): boolean => weightOf(group) !== undefined && group.group.locality !== undefined;

/** What its localities go by, and where the setting belongs that makes it their weights. */
function insteadOf(one: LintCluster): object {
  if (around(one.policy, 'load_aware_locality') !== undefined && !isHash(one)) return { instead: 'load' };
  const place = one.placeOf(...WEIGHTED);
  if (place === undefined) return { instead: 'no_place' };
  const isZoneless = zoneAwareOf(one.policy) === undefined;
  return isZoneless ? { instead: 'nothing', place } : { instead: 'zones', place, zones: one.placeOf(...ZONE_AWARE) };
}

export const WEIGHTED = ['common_lb_config', 'locality_weighted_lb_config'] as const;

export const weighted = ({ policy }: LintCluster): boolean => weighsLocalities(policy);
const weightOf = ({ group }: LintGroup): number | undefined => group.loadBalancingWeight;

const levels = ({ groups, priorities }: LintCluster): readonly (readonly LintGroup[])[] =>
  priorities.map((priority) => groups.filter(({ group }) => group.priority === priority));

const ZONE_AWARE = ['common_lb_config', 'zone_aware_lb_config'] as const;

const isZoneAware = ({ policy }: LintCluster): boolean => zoneAwareOf(policy) !== undefined;

export const localitiesRules = {
  'locality-weights-ignored': eachCluster((one) => {
    const uneven = levels(one).some((groups) => new Set(groups.map(weightOf)).size > 1);
    const of = one.groups.find((group) => weightOf(group) !== undefined);
    return uneven && of !== undefined && !weighted(one) && { of, ...insteadOf(one) };
  }),

  'locality-without-weight': eachCluster((one) => {
    const beside = levels(one).filter((groups) => groups.some((group) => weightOf(group) !== undefined));
    return (weighted(one) ? beside.flat() : []).flatMap((of) => {
      const { locality } = of.group;
      const isBare = weightOf(of) === undefined && of.hosts.length > 0;
      return isBare && locality !== undefined ? [{ of, zone: locality.zone }] : [];
    });
  }),

  'locality-weight-without-locality': eachCluster((one) => {
    const without = one.groups.filter((group) => weightOf(group) !== undefined && !hasWeight(group));
    return weighted(one) && without.map((of) => ({ of }));
  }),

  'no-locality-has-weight': eachCluster((one) => {
    if (!weighted(one) || !one.fixed) return undefined;
    const without = levels(one).filter((groups) => !groups.some(hasWeight));
    if (without.length === one.priorities.length) return { at: WEIGHTED.join('.'), hashes: isHash(one) };
    // Other policies then balance over all hosts of the level, as if nothing were asked for.
    const levelsToTell = isHash(one) ? without : [];
    return levelsToTell.flatMap((groups) => {
      const of = groups.find(({ hosts }) => hosts.length > 0);
      const empty = of && emptyTableText('no-weight', lbPolicyName(one.lbPolicy), of.group.priority);
      return empty === undefined ? [] : [{ of, empty }];
    });
  }),

  'scaled-locality-weight-zero': eachSubsets((config, { groups }) => {
    if (!config.scaleLocalityWeight || !config.localityWeightAware) return undefined;
    return groups.flatMap((of) => {
      const weight = weightOf(of);
      const { length: hosts } = of.hosts;
      if (weight === undefined || !hasWeight(of)) return [];
      const fewest = smallest(config.subsetSelectors.map(({ keys }) => smallestSubset(of.hosts, keys)));
      return Math.round((weight * fewest) / hosts) > 0 ? [] : [{ of, fewest, hosts, weight }];
    });
  }),

  'overprovisioning-without-choice': eachCluster((one) => {
    const factor = one.assignment?.policy?.overprovisioningFactor;
    if (factor === undefined || weighted(one) || one.priorities.length !== 1 || !one.fixed) return undefined;
    return { of: { path: one.assignmentPath } };
  }),

  'zone-aware-without-local-cluster': (subject) => {
    if (subject.alone || subject.proxies.some(({ proxy }) => proxy.localClusterName !== undefined)) return [];
    const of = subject.clusters.find(isZoneAware);
    const place = formatPath([...(subject.proxies[0]?.path ?? []), 'local_cluster_name']);
    return of === undefined ? [] : [{ of, place }];
  },

  'zone-aware-without-zone': (subject) =>
    subject.proxies.flatMap(({ proxy, path }) => {
      const { localClusterName, node, name } = proxy;
      const isNowhere = localClusterName !== undefined && node?.locality === undefined;
      return isNowhere && subject.clusters.some(isZoneAware) ? [{ of: { path }, name }] : [];
    }),

  'zone-aware-place-apart': eachCluster((one, { proxies }) => {
    const own = proxies.find(({ proxy }) => proxy.localClusterName !== undefined)?.proxy.node?.locality;
    const places = one.groups.flatMap(({ group, hosts }) => (hosts.length > 0 ? (group.locality ?? []) : []));
    const others = [...new Set(places.filter(({ zone }) => zone !== '' && zone === own?.zone).map(placeName))];
    if (own === undefined || others.length === 0 || others.includes(placeName(own))) return undefined;
    return !isTablePolicy(one.lbPolicy) && !weighted(one) && { place: placeName(own), others: listed(others) };
  }),

  'zone-aware-cluster-too-small': eachCluster((one, { proxies }) => {
    const zone = zoneAwareOf(one.policy);
    if (zone === undefined || !one.fixed || zone.forceLocalZone !== undefined) return undefined;
    if (proxies.some(({ proxy }) => 'upstream.zone_routing.min_cluster_size' in proxy.runtime)) return undefined;
    const written = zone.minClusterSize;
    const wanted = Number(written ?? LB_DEFAULTS.minClusterSize);
    const { length } = one.hosts.filter(({ priority }) => priority === 0);
    const at = [...ZONE_AWARE, ...(written === undefined ? [] : ['min_cluster_size'])].join('.');
    const hosts = length === 1 ? '1 host' : `${length} hosts`;
    return length < wanted && { at, hosts, wanted, unwritten: written === undefined ? 'the default' : undefined };
  }),

  'zone-aware-hash': eachCluster(({ lbPolicy, cluster }) => {
    const zone = cluster.commonLbConfig?.zoneAwareLbConfig;
    return zone !== undefined && isTablePolicy(lbPolicy) && !zone.failTrafficOnPanic && {};
  }),
} satisfies Checks;
