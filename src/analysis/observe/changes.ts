import { mapValues } from '../../core/values.js';
import { listed } from '../../core/words.js';
import { NEWEST_MINOR, OLDEST_MINOR, type ProxyVersion } from '../../core/version.js';
import type { Health } from '../../host/host.js';
import { around, leafOf, type LoadBalancerConfig, type PolicySettings } from '../../hostset/lb-config.js';
import { isTablePolicy, type LbPolicy, NAMED_POLICIES } from '../../policy/registry.js';
import type { PredictedHost } from '../../predict/generated/prediction.js';
import type { Scenario } from '../../scenario/model.js';
import { worldOf } from '../../scenario/world-of.js';
import type { Assignment, EndpointGroup, EndpointState } from '../../settings/assignment.js';
import type { ClusterSettings } from '../../settings/cluster-settings.js';
import { type ProxySpec, type WorldSettings, zoneOf } from '../../settings/world.js';
import type { OBSERVED } from './generated/observed.js';

/** What would explain that hosts get something else, and what it is about. */
export interface Suspicion {
  readonly kind: keyof typeof OBSERVED.causes;
  /** Hosts or a zone; undefined: the cluster, or the proxy. */
  readonly of?: string | undefined;
  /** How that is, and how it is configured. */
  readonly is?: string | number | undefined;
  readonly configured?: string | number | undefined;
}

/** A scenario, and what is simulated of it. */
export type World = Readonly<{ scenario: Scenario; settings: WorldSettings }>;
type Change = (world: World) => World;

/** A suspicion as other settings. */
export type Candidate = Suspicion & { readonly change: Change };

const withScenario =
  (edit: (scenario: Scenario) => Partial<Scenario>): Change =>
  ({ scenario: own }) => {
    const scenario = { ...own, ...edit(own) };
    return { scenario, settings: worldOf(scenario) };
  };

const withProxies = (edit: (proxy: ProxySpec) => Partial<ProxySpec>): Change =>
  withScenario(({ proxies }) => ({ proxies: proxies.map((proxy) => ({ ...proxy, ...edit(proxy) })) }));

/** Of all clusters: a host is the same wherever it stands. */
const withGroups = (edit: (group: EndpointGroup) => EndpointGroup): Change => {
  const assigned = (assignment: Assignment): Assignment => ({ ...assignment, groups: assignment.groups.map(edit) });
  return ({ scenario, settings }) => {
    const clusters = settings.clusters.map((one) => ({ ...one, assignment: assigned(one.assignment) }));
    const assignments = new Map([...settings.assignments].map(([name, own]) => [name, assigned(own)]));
    return { scenario, settings: { ...settings, clusters, assignments } };
  };
};

type Edit = (endpoint: EndpointState) => EndpointState | readonly EndpointState[];

const withEndpoints = (edit: Edit): Change =>
  withGroups((group) => ({ ...group, endpoints: group.endpoints.flatMap(edit) }));

const withHost = (of: string, edit: Edit): Change => withEndpoints((one) => (one.address === of ? edit(one) : one));

/** Of the cluster, and of those whose hosts it uses. */
const withPolicy =
  ({ name, members }: ClusterSettings, edit: (policy: PolicySettings) => PolicySettings): Change =>
  ({ scenario, settings }) => {
    const clusters = settings.clusters.map((one): ClusterSettings => {
      if (one.name !== name && !members.includes(one.name)) return one;
      return { ...one, policies: mapValues(one.policies, (own) => own && edit(own)) };
    });
    return { scenario, settings: { ...settings, clusters } };
  };

const edited = (policy: PolicySettings, edit: (leaf: LoadBalancerConfig) => LoadBalancerConfig): PolicySettings =>
  policy.kind === 'hosts' ? edit(policy) : { ...policy, inner: edited(policy.inner, edit) };

/** Stands behind the address of a host that is listed twice. */
export const AGAIN = ' again';

const STATUSES = { healthy: 'HEALTHY', degraded: 'DEGRADED', unhealthy: 'UNHEALTHY' } as const;
const HEALTHS: readonly Health[] = ['unhealthy', 'degraded', 'healthy'];

/** What may be wrong with one host, besides its weight. */
export function ofHost({ address: of, health }: PredictedHost, growsSlowly: boolean): readonly Candidate[] {
  // A new host begins with a tenth of its weight.
  const others = withEndpoints((one) => (one.address === of ? one : { ...one, weight: 10 * one.weight }));
  const turned = HEALTHS.filter((is) => is !== health).map((is): Candidate => {
    const change = withHost(of, (one) => ({ ...one, status: STATUSES[is] }));
    return { kind: 'health', of, is, configured: health, change };
  });
  return [
    ...turned,
    { kind: 'removed', of, change: withHost(of, () => []) },
    { kind: 'listed_twice', of, change: withHost(of, (one) => [one, { ...one, address: `${of}${AGAIN}` }]) },
    ...(growsSlowly ? [{ kind: 'slow_start', of, change: others } as const] : []),
  ];
}

export function weightOf(of: string, configured: number, is: number): Candidate {
  return { kind: 'weight', of, is, configured, change: withHost(of, (one) => ({ ...one, weight: is })) };
}

/** Of the locality of a zone. */
export function zoneWeightIn({ settings }: World, own: ClusterSettings, zone: string): number {
  const { groups } = settings.assignments.get(own.serviceName) ?? own.assignment;
  return groups.find(({ locality }) => locality.zone === zone)?.weight ?? 1;
}

export function zoneWeightOf(of: string, configured: number, is: number): Candidate {
  const change = withGroups((group) => (group.locality.zone === of ? { ...group, weight: is } : group));
  return { kind: 'zone_weight', of, is, configured, change };
}

/** Hosts, all of them together. @param zone where they are all of a zone. */
export function outOf(hosts: readonly string[], zone?: string): Candidate {
  const change = withEndpoints((one) => (hosts.includes(one.address) ? { ...one, status: 'UNHEALTHY' } : one));
  return { kind: zone === undefined ? 'hosts_health' : 'zone_health', of: zone ?? listed(hosts), change };
}

const VERSIONS = Array.from(
  { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
  (_, index): ProxyVersion => `1.${NEWEST_MINOR - index}`,
);
const FALLBACKS = ['NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'] as const;

/** What may be otherwise in the settings of a cluster, or of its proxies. */
export function ofCluster({ scenario }: World, own: ClusterSettings, zones: readonly string[]): readonly Candidate[] {
  const { proxies, workloads, origin } = scenario;
  const [proxy] = proxies;
  const policy = proxy && own.policies[proxy.version];
  if (proxy === undefined || policy === undefined) return [];
  const leaf = leafOf(policy);
  const { localityWeighted, zoneAware, healthyPanicThreshold: panic } = leaf;
  const found: Candidate[] = [];
  /** One candidate for each of the values that is not configured. */
  function each<Is extends string | number>(
    kind: Candidate['kind'],
    configured: string | number | undefined,
    values: readonly Is[],
    changeTo: (is: Is) => Change,
  ): void {
    const others = values.filter((is) => is !== configured);
    found.push(...others.map((is) => ({ kind, is, configured, change: changeTo(is) })));
  }
  const withLeaf = (edit: Partial<LoadBalancerConfig>): Change =>
    withPolicy(own, (outer) => edited(outer, (one) => ({ ...one, ...edit })));
  const hasKeys = !origin.bare && workloads.some(({ hashKey }) => hashKey !== undefined);
  const isAlike = (one: LbPolicy): boolean => hasKeys || isTablePolicy(one) === isTablePolicy(leaf.lbPolicy);
  each('policy', own.policyName, NAMED_POLICIES.filter(isAlike), (lbPolicy) => withLeaf({ lbPolicy }));
  each('version', proxy.version, VERSIONS, (version) => withProxies(() => ({ version })));
  each('workers', proxy.workers, [1, 2, 4, 8, 16, 32], (workers) => withProxies(() => ({ workers })));
  each('equal_weights', 'on', ['off'], () => withEndpoints((one) => ({ ...one, weight: 1 })));
  const switched = { localityWeighted: !localityWeighted };
  each('locality_weights', undefined, [localityWeighted ? 'off' : 'on'], () => withLeaf(switched));
  const off = { ...zoneAware, routingEnabled: 0, forceLocalZone: undefined };
  each('zone_routing', undefined, ['on', 'off'], (is) =>
    withLeaf({ zoneAware: is === 'off' ? off : { ...zoneAware, routingEnabled: 100, minClusterSize: 1 } }),
  );
  if (proxy.localClusterName !== undefined)
    each('proxy_zone', zoneOf(proxy), zones, (zone) =>
      withProxies(({ node }) => ({
        node: node && { ...node, locality: { region: '', subZone: '', ...node.locality, zone } },
      })),
    );
  each('panic', panic, [0, 100], (healthyPanicThreshold) => withLeaf({ healthyPanicThreshold }));
  const subset = around(policy, 'subset');
  if (subset === undefined) return found;
  each('fallback', subset.fallbackPolicy, FALLBACKS, (fallbackPolicy) =>
    withPolicy(own, (outer) => (outer.kind === 'subset' ? { ...outer, fallbackPolicy } : outer)),
  );
  const unasked = workloads.map((one) => {
    return { ...one, route: one.route.map((target) => ({ ...target, metadataMatch: undefined })) };
  });
  return [...found, { kind: 'no_criteria', change: withScenario(() => ({ workloads: unasked })) }];
}
