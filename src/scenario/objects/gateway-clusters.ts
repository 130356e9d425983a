import type { Span } from '../../config/reader/spans.js';
import { OBJECTS } from './generated/objects.js';
import { mapped, mappedIfAny } from './mapping.js';
import type { Draft, Made, Part } from './part.js';
import { type Endpoint, endpointsBy, httpOptions, localityEndpoints, type Snapshot, typed } from './services.js';

const TABLES = OBJECTS.gateway;

/** A backend of a rule, as a locality or a cluster is made of it. */
export interface Setting {
  readonly name: string;
  readonly span: Span;
  readonly weight: number;
  readonly endpoints: readonly Endpoint[];
  /** Addresses or names; undefined: it does not exist, or may not be used. */
  readonly type?: 'ip' | 'name';
  /** Hosts of one zone are preferred from so many on, as its service says. */
  readonly preferredFrom?: number | undefined;
  readonly isFallback?: boolean;
  readonly isHttp2: boolean;
  readonly hasFilters: boolean;
}

type Settings = readonly Setting[];

/** Whether each backend has to be a cluster, as one cluster cannot hold them together. */
export function needsClusterEach(settings: Settings, policy: Part): boolean {
  const zones = policy.at('loadBalancer.zoneAware');
  if (zones.has('preferLocal') || zones.items('weightedZones').length > 0) return true;
  const isSingle = settings.length === 1;
  const types = new Set(settings.map(({ type }) => type));
  const standsAlone = ({ endpoints, hasFilters, preferredFrom }: Setting): boolean =>
    endpoints.length === 0 || hasFilters || (!isSingle && preferredFrom !== undefined);
  return types.size > 1 || settings.some(standsAlone);
}

/** @param proxy what holds for all that the gateway does. */
export function addCluster(name: string, settings: Settings, policy: Part, proxy: Part, made: Snapshot): void {
  const [first] = settings;
  const span = first?.span ?? policy.span;
  const http2 = settings.some(({ isHttp2 }) => isHttp2) ? {} : undefined;
  const message: Draft = {
    name,
    ...mapped(policy, TABLES.cluster),
    ...httpOptions(mappedIfAny(policy, TABLES.http), http2),
    load_balancing_policy: balancing(policy.at('loadBalancer'), settings),
  };
  const endpoints = settings.flatMap((one) => localitiesOf(one, policy.at('loadBalancer.zoneAware')));
  if (first?.type !== 'name') {
    policy.ignore('dns');
    made.addDiscovered(span, message, endpoints);
    return;
  }
  const dns = mapped(policy.at('dns'), TABLES.dns);
  const family = proxy.at('ipFamily');
  // Both families leave the choice to the policy.
  if (family.text() !== 'DualStack' || !policy.has('dns.lookupFamily'))
    Object.assign(dns, family.node && mapped(family, TABLES.ipFamily));
  const config = typed('envoy.extensions.clusters.dns.v3.DnsCluster', dns);
  const type = { name: 'envoy.cluster.dns', typed_config: config };
  made.addCluster(span, { ...message, cluster_type: type, load_assignment: { cluster_name: name, endpoints } });
}

const TYPES: Readonly<Record<string, readonly string[]>> = OBJECTS.gatewayPolicies;

function policyList([name = '', type = '']: readonly string[], fields: Draft): Made {
  const config = typed(`envoy.extensions.load_balancing_policies.${name}.v3.${type}`, fields);
  const extension = { name: `envoy.load_balancing_policies.${name}`, typed_config: config };
  return { policies: [{ typed_extension_config: extension }] };
}

function balancing(lb: Part, [only, ...others]: Settings): Made {
  const type = lb.text('type') || 'LeastRequest';
  const message = mapped(lb, TABLES.balancing);
  const least = others.length === 0 && !lb.has('zoneAware.preferLocal') ? only?.preferredFrom : undefined;
  if (least !== undefined && 'locality_lb_config' in message) {
    const zones = { min_cluster_size: least, force_local_zone: { min_size: least } };
    message['locality_lb_config'] = { zone_aware_lb_config: zones };
  }
  const extracted = lb.items('endpointOverride.extractFrom');
  const sources = extracted.map((one): Made => ({ header: one.at('header').node ?? '' }));
  const isWeighed = type === 'BackendUtilization';
  const isBare = sources.length > 0 && !isWeighed;
  const isByZones = isWeighed && lb.items('zoneAware.weightedZones').length > 0;
  const own = policyList(TYPES[type] ?? [], isBare ? {} : message);
  const placed = isByZones ? policyList(['wrr_locality', 'WrrLocality'], { endpoint_picking_policy: own }) : own;
  if (sources.length === 0) return placed;
  return policyList(['override_host', 'OverrideHost'], { override_host_sources: sources, fallback_policy: placed });
}

/** One that carries the weight of the backend; or one for each zone, where zones decide. */
function localitiesOf({ endpoints, name, weight, isFallback, preferredFrom }: Setting, zones: Part): readonly Made[] {
  const priority = isFallback === true ? 1 : 0;
  const all = endpoints.map((one): Endpoint => ({ ...one, health: one.isDraining === true ? 'DRAINING' : undefined }));
  const weighted = zones.items('weightedZones');
  const weights = new Map(weighted.map((one) => [one.text('zone'), one.number('weight') ?? 1]));
  if (weights.size === 0 && !zones.has('preferLocal') && preferredFrom === undefined)
    return [localityEndpoints({ region: name }, all, weight, priority)];
  return endpointsBy(all, 'zone').map(([zone, members]) =>
    localityEndpoints({ zone }, members, weights.size > 0 ? (weights.get(zone) ?? 1) : undefined, priority),
  );
}
