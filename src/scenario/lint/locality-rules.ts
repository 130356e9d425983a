import type { LintCluster, LintGroup, LintHost } from './subject.js';
import { BALANCING, eachCluster, type LintChapter, type LintRule, manual, thread } from './rule.js';
import { isHash } from './table-rules.js';
import { AT as ZONE_AWARE } from './zone-rules.js';
import type { EmptyTable } from '../../hostset/normalized-weights.js';
import { lbPolicyName } from '../../policy/registry.js';
import { metadataEntry } from '../../config/core.js';
import { smallest } from '../../core/lists.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import { around, weighsLocalities, zoneAwareOf } from '../../config/policy/policy.js';

const scaled = (weight: number): string => `${head(ON)}
    lb_subset_config: {subset_selectors: [{keys: [version]}], locality_weight_aware: true, scale_locality_weight: true}
    load_assignment:
      cluster_name: backend
      endpoints:
        - locality: {zone: a}
          load_balancing_weight: ${weight}
          lb_endpoints:
            - {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {version: "1"}}}}
            - {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {version: "1"}}}}
            - {endpoint: {address: {socket_address: {address: 10.0.0.3, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {version: "2"}}}}
`;

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

const nowhere = (rest: string): string => `
        - {${rest}lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}}]}`;

export const WEIGHTED = ['common_lb_config', 'locality_weighted_lb_config'] as const;

export const weighted = ({ policy }: LintCluster): boolean => weighsLocalities(policy);

const weightOf = ({ group }: LintGroup): number | undefined => group.loadBalancingWeight;

function levels({ groups, priorities }: LintCluster): readonly (readonly LintGroup[])[] {
  return priorities.map((priority) => groups.filter(({ group }) => group.priority === priority));
}

const hostsOf = `
    load_assignment:
      cluster_name: backend
      endpoints:`;

const east = (rest: string): string => `
        - {locality: {zone: a}, ${rest}lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}`;

const west = (rest: string): string => `
        - {locality: {zone: b}, ${rest}lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}}]}`;

const head = (rest = ''): string => `clusters:
  - name: backend
    connect_timeout: 1s${rest}`;

const ON = `
    common_lb_config: {locality_weighted_lb_config: {}}`;

const localityWeightsIgnored: LintRule = {
  name: 'locality-weights-ignored',
  severity: 'warning',
  aboutSplit: true,
  title: 'Locality weights without locality_weighted_lb_config',
  why: 'The weight of a locality counts only while `common_lb_config.locality_weighted_lb_config` is present, even if it is empty; a policy in `load_balancing_policy` has that field itself. Without it the proxy spreads requests over all hosts of the priority alike, however they are grouped.',
  sources: [
    thread(25692, 'Envoy not using locality weights for load balancing within the same priority'),
    manual(`${BALANCING}/locality_weight`, 'Locality weighted load balancing'),
  ],
  example: head() + hostsOf + east('load_balancing_weight: 9, ') + west('load_balancing_weight: 1, '),
  repaired: head(ON) + hostsOf + east('load_balancing_weight: 9, ') + west('load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    if (weighted(cluster)) return;
    const uneven = levels(cluster).some((groups) => new Set(groups.map(weightOf)).size > 1);
    const first = cluster.groups.find((group) => weightOf(group) !== undefined);
    if (!uneven || first === undefined) return;
    report([...first.path, 'load_balancing_weight'], `locality weights are ignored: ${insteadOf(cluster)}`);
  }),
};

const localityWithoutWeight: LintRule = {
  name: 'locality-without-weight',
  severity: 'warning',
  aboutSplit: true,
  title: 'A locality without a weight beside weighted ones',
  why: 'Under `locality_weighted_lb_config` a locality without `load_balancing_weight` has the weight 0: it gets no traffic as long as another locality of its priority has a weight.',
  sources: [
    manual('api-v2/api/v2/endpoint/endpoint_components.proto', 'LocalityLbEndpoints.load_balancing_weight'),
    thread(6458, 'load_balancing_weight with locality seems to behave differently than documentation'),
  ],
  example: head(ON) + hostsOf + east('load_balancing_weight: 9, ') + west(''),
  repaired: head(ON) + hostsOf + east('load_balancing_weight: 9, ') + west('load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    if (!weighted(cluster)) return;
    for (const groups of levels(cluster)) {
      if (groups.every((group) => weightOf(group) === undefined)) continue;
      for (const { group, path, hosts } of groups) {
        if (group.loadBalancingWeight !== undefined || hosts.length === 0 || group.locality === undefined) continue;
        const zone = group.locality.zone === '' ? 'this locality' : `zone ${group.locality.zone}`;
        report(
          path,
          `${zone} has no load_balancing_weight and gets no traffic: other localities of its priority have one`,
        );
      }
    }
  }),
};

const localityWeightWithoutLocality: LintRule = {
  name: 'locality-weight-without-locality',
  severity: 'warning',
  aboutSplit: true,
  title: 'A locality weight on an entry without a locality',
  why: 'The proxy keeps locality weights by locality. An entry without a `locality` message has nothing to keep the weight under: it is dropped, and beside weighted localities its hosts get nothing. `locality: {}` is enough.',
  sources: [manual(`${BALANCING}/locality_weight`, 'Locality weighted load balancing')],
  example: head(ON) + hostsOf + east('load_balancing_weight: 1, ') + nowhere('load_balancing_weight: 1, '),
  repaired:
    head(ON) + hostsOf + east('load_balancing_weight: 1, ') + nowhere('locality: {}, load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    if (!weighted(cluster)) return;
    for (const { group, path } of cluster.groups) {
      if (group.loadBalancingWeight === undefined || group.locality !== undefined) continue;
      report(
        [...path, 'load_balancing_weight'],
        'this weight is dropped: the entry has no locality. Write locality: {} beside it',
      );
    }
  }),
};

const noLocalityHasWeight: LintRule = {
  name: 'no-locality-has-weight',
  severity: 'warning',
  aboutSplit: true,
  title: 'locality_weighted_lb_config where no locality has a weight',
  why: 'With weighted localities switched on and no weight anywhere, ROUND_ROBIN, LEAST_REQUEST and RANDOM fall back to plain balancing over all hosts, while RING_HASH and MAGLEV build empty tables and find no host at all. With them that holds for each priority: one in which no locality has a weight answers nothing when traffic fails over to it.',
  sources: [manual(`${BALANCING}/locality_weight`, 'Locality weighted load balancing')],
  example: head(ON) + hostsOf + east('') + west(''),
  repaired: head(ON) + hostsOf + east('load_balancing_weight: 1, ') + west('load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    if (!weighted(cluster) || !cluster.fixed) return;
    const without = levels(cluster).filter((groups) => !groups.some(hasWeight));
    if (without.length === cluster.priorities.length) {
      const effect = isHash(cluster)
        ? `${lbPolicyName(cluster.lbPolicy)} then finds no host`
        : 'localities then count for nothing';
      report([...cluster.path, ...WEIGHTED], `no locality has a load_balancing_weight: ${effect}`);
      return;
    }
    // Other policies then balance over all hosts of the level, as if nothing were asked for.
    if (!isHash(cluster)) return;
    for (const groups of without) {
      const first = groups.find(({ hosts }) => hosts.length > 0);
      if (first === undefined) continue;
      const { priority } = first.group;
      const text = emptyTableText('no-weight', lbPolicyName(cluster.lbPolicy), priority);
      report(first.path, `${text}: it finds no host when traffic comes. Give the locality a load_balancing_weight`);
    }
  }),
};

const scaledLocalityWeight: LintRule = {
  name: 'scaled-locality-weight-zero',
  severity: 'warning',
  aboutSplit: true,
  title: 'scale_locality_weight with weights that are too small to scale',
  why: 'A subset’s locality weight is the weight times the locality’s share of hosts that are in the subset, rounded to a whole number: 1 × ⅓ is 0, and those hosts get nothing. Weights of 100 or more leave room.',
  sources: [
    thread(5074, 'add option to scale locality weights in subset lb'),
    manual('api-v2/api/v2/cluster.proto', 'LbSubsetConfig.scale_locality_weight'),
  ],
  example: scaled(1),
  repaired: scaled(100),
  check: eachCluster(({ subsets: config, groups }, report) => {
    if (config?.scaleLocalityWeight !== true || !config.localityWeightAware) return;
    for (const { group, path, hosts } of groups) {
      const weight = group.loadBalancingWeight;
      if (weight === undefined || group.locality === undefined) continue;
      const fewest = smallest(config.subsetSelectors.map(({ keys }) => smallestSubset(hosts, keys)));
      if (Math.round((weight * fewest) / hosts.length) > 0) continue;
      const text = `${fewest} of ${hosts.length} hosts are in a subset: ${weight} × ${fewest}/${hosts.length} rounds to 0, and they get nothing`;
      report([...path, 'load_balancing_weight'], `${text}. Use larger weights in the same proportion`);
    }
  }),
};

const overprovisioningWithoutChoice: LintRule = {
  name: 'overprovisioning-without-choice',
  severity: 'note',
  title: 'An overprovisioning factor where there is nothing to fail over to',
  why: 'The factor decides how unhealthy a priority, or a weighted locality, may become before its traffic moves to the next. With one priority and no weighted localities there is no next: only the panic threshold matters, and the factor only scales the total that panic is measured by.',
  sources: [
    manual(`${BALANCING}/overprovisioning`, 'Overprovisioning factor'),
    thread(3222, 'Make priority/locality overprovision factor configurable'),
  ],
  example: `${head()}
    load_assignment:
      cluster_name: backend
      policy: {overprovisioning_factor: 200}
      endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]`,
  repaired: `${head()}
    outlier_detection: {max_ejection_percent: 50}
    load_assignment:
      cluster_name: backend
      policy: {overprovisioning_factor: 200}
      endpoints:
        - lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]
        - {priority: 1, lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}}]}`,
  check: eachCluster((cluster, report) => {
    const factor = cluster.assignment?.policy?.overprovisioningFactor;
    if (factor === undefined || weighted(cluster) || cluster.priorities.length !== 1 || !cluster.fixed) return;
    const text = 'overprovisioning_factor moves no traffic: there is one priority and localities have no weights';
    report([...cluster.assignmentPath, 'policy', 'overprovisioning_factor'], text);
  }),
};

export const localitiesChapter: LintChapter = {
  title: 'Localities',
  rules: [
    localityWeightsIgnored,
    localityWithoutWeight,
    localityWeightWithoutLocality,
    noLocalityHasWeight,
    scaledLocalityWeight,
    overprovisioningWithoutChoice,
  ],
};
