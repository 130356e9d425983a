import type { Span } from '../../config/reader/spans.js';
import { OBJECTS } from './generated/objects.js';
import { mapped, mappedIfAny } from './mapping.js';
import { type Draft, draftIn, type Made, nodeFrom, type Part } from './part.js';
import { addDiscovered, type Endpoint, httpOptions, lbEndpoint, type MadeResources, typed } from './services.js';

const TABLES = OBJECTS.gateway;

/** A backend of a rule, as a locality or a cluster is made of it. */
export interface Setting {
  readonly name: string;
  readonly span: Span;
  readonly weight: number;
  readonly endpoints: readonly Endpoint[];
  /** Addresses or names; undefined: it has none. */
  readonly type: 'ip' | 'name' | 'mixed' | undefined;
  /** It does not exist, or may not be used. */
  readonly isInvalid: boolean;
  /** Hosts of one zone are preferred from so many on, as its service says. */
  readonly preferredFrom: number | undefined;
  readonly isFallback: boolean;
  readonly isHttp2: boolean;
  readonly hasFilters: boolean;
}

/** What clusters are made of beside their hosts. */
export interface Traffic {
  readonly policy: Part;
  /** The first host name of the route, for health checks. */
  readonly hostname: string;
  readonly ipFamily: string | undefined;
  /** What health checks log, where the policy does not say. */
  readonly checkLog: Part;
}

/** Whether each backend has to be a cluster, as one cluster cannot hold them together. */
export function needsClusterEach(settings: readonly Setting[], policy: Part): boolean {
  const zones = policy.at('loadBalancer.zoneAware');
  if (zones.at('preferLocal').isThere || zones.at('weightedZones').items.length > 0) return true;
  if (settings.some((one) => one.isInvalid || one.endpoints.length === 0)) return true;
  const types = new Set(settings.flatMap(({ type }) => type ?? []));
  if (types.has('mixed') || (types.has('name') && types.size > 1)) return true;
  return (
    settings.some(({ hasFilters }) => hasFilters) ||
    (settings.length > 1 && settings.some((one) => one.preferredFrom !== undefined))
  );
}

export function addCluster(name: string, settings: readonly Setting[], traffic: Traffic, made: MadeResources): void {
  const { policy } = traffic;
  const [first] = settings;
  const span = first?.span ?? { start: 0, end: 0 };
  const breaker = policy.at('circuitBreaker');
  const message: Draft = {
    name,
    ...mapped(policy, TABLES.cluster),
    load_balancing_policy: balancing(policy, settings),
  };
  message['circuit_breakers'] = breakersOf(breaker);
  const http2 = settings.some(({ isHttp2 }) => isHttp2) ? {} : undefined;
  Object.assign(message, httpOptions(mappedIfAny(policy, TABLES.http), http2));
  const panic = policy.at('healthCheck.panicThreshold');
  // The proxy's own default is not written.
  if (panic.isThere && panic.number !== 50)
    draftIn(message, 'common_lb_config')['healthy_panic_threshold'] = { value: panic.node ?? 0 };
  const active = policy.at('healthCheck.active');
  if (active.isThere) message['health_checks'] = [activeCheck(active, traffic)];
  const passive = policy.at('healthCheck.passive');
  if (passive.isThere) message['outlier_detection'] = mapped(passive, TABLES.outlierDetection);
  const family = dnsFamily(policy, traffic.ipFamily);
  const dns: Draft = { ...mapped(policy.at('dns'), TABLES.dns), ...family };
  if (policy.at('dns.respectDnsTtl').text === 'false') delete dns['respect_dns_ttl'];
  const endpoints = settings.flatMap((one) => localitiesOf(one, policy));
  if (first?.type === 'name') {
    const config = typed('envoy.extensions.clusters.dns.v3.DnsCluster', dns);
    const type = { name: 'envoy.cluster.dns', typed_config: config };
    const own = { cluster_type: type, load_assignment: { cluster_name: name, endpoints } };
    made.clusters.push(nodeFrom({ ...message, ...own }, span));
  } else {
    policy.ignore('dns');
    addDiscovered(made, span, message, endpoints);
  }
}

/** A family of addresses for all that the gateway does goes before that of a policy, but for both. */
function dnsFamily(policy: Part, family: string | undefined): Draft {
  const own = policy.at('dns.lookupFamily').isThere;
  if (family === 'IPv4') return { dns_lookup_family: 'V4_ONLY' };
  if (family === 'IPv6') return { dns_lookup_family: 'V6_ONLY' };
  return family === 'DualStack' && !own ? { dns_lookup_family: 'ALL' } : {};
}

function breakersOf(breaker: Part): Made {
  const thresholds = mapped(breaker, TABLES.thresholds);
  const budget = breaker.at('retryBudget');
  if (budget.isThere) {
    const percent =
      (100 * (budget.at('percent.numerator').number ?? 0)) / (budget.at('percent.denominator').number ?? 100);
    const least = budget.at('minRetryConcurrency');
    thresholds['retry_budget'] = {
      budget_percent: { value: percent },
      ...(least.number !== 3 && { min_retry_concurrency: least.node }),
    };
  }
  const each = mappedIfAny(breaker, TABLES.perEndpoint);
  return { thresholds: [thresholds], ...(each !== undefined && { per_host_thresholds: [each] }) };
}

function activeCheck(active: Part, { hostname, checkLog }: Traffic): Made {
  const check = mapped(active, TABLES.healthCheck);
  const own = active.at('healthCheckLog');
  const log = own.isThere ? own : checkLog;
  const logged = log.at('matches').texts;
  log.ignore('sinks');
  if (log.isThere && (logged.length === 0 || logged.includes('Failure')))
    check['always_log_health_check_failures'] = true;
  active.ignore('overrides');
  const http = check['http_health_check'];
  return http === undefined
    ? check
    : { ...check, http_health_check: { host: hostname, ...draftIn(check, 'http_health_check') } };
}

const TYPES: Readonly<Record<string, readonly string[]>> = OBJECTS.gatewayPolicies;

function policyList(name: string, type: string, fields: Draft = {}): Made {
  const config = typed(`envoy.extensions.load_balancing_policies.${name}.v3.${type}`, fields);
  return {
    policies: [{ typed_extension_config: { name: `envoy.load_balancing_policies.${name}`, typed_config: config } }],
  };
}

function balancing(policy: Part, settings: readonly Setting[]): Made {
  const lb = policy.at('loadBalancer');
  const type = lb.at('type').text ?? 'LeastRequest';
  const [name = '', message = ''] = TYPES[type] ?? [];
  const isByZones = lb.at('zoneAware.weightedZones').items.length > 0;
  const sources = lb.at('endpointOverride.extractFrom');
  if (sources.isThere) {
    const own = type === 'BackendUtilization' ? utilization(lb, isByZones) : policyList(name, message);
    const headers = sources.items.map((one): Made => ({ header: one.at('header').node ?? '' }));
    return policyList('override_host', 'OverrideHost', { override_host_sources: headers, fallback_policy: own });
  }
  switch (type) {
    case 'BackendUtilization':
      return utilization(lb, isByZones);
    case 'ConsistentHash': {
      const size = lb.at('consistentHash.tableSize');
      const table = {
        ...(size.isThere && { table_size: size.node }),
        ...(isByZones && { locality_weighted_lb_config: {} }),
      };
      return policyList(name, message, table);
    }
    default: {
      const local = lb.at('zoneAware.preferLocal');
      const [only, ...others] = settings;
      const least = others.length === 0 ? only?.preferredFrom : undefined;
      const places: Made = local.isThere
        ? {
            zone_aware_lb_config: {
              ...mapped(local, TABLES.zoneAware),
              ...(local.at('force').isThere &&
                !local.at('force.minEndpointsInZoneThreshold').isThere && { force_local_zone: { min_size: 1 } }),
            },
          }
        : least === undefined
          ? { locality_weighted_lb_config: {} }
          : { zone_aware_lb_config: { min_cluster_size: least, force_local_zone: { min_size: least } } };
      return policyList(name, message, {
        locality_lb_config: places,
        ...(type !== 'Random' && mapped(lb, TABLES.slowStart)),
      });
    }
  }
}

function utilization(lb: Part, isByZones: boolean): Made {
  const own = lb.at('backendUtilization');
  own.ignore('keepResponseHeaders');
  const [name, type] = OBJECTS.gatewayPolicies.BackendUtilization;
  const fields = { ...mapped(own, TABLES.utilization), ...mapped(lb, TABLES.slowStart) };
  if (own.at('outOfBand').isThere) fields['enable_oob_load_report'] = true;
  const policy = policyList(name, type, fields);
  return isByZones ? policyList('wrr_locality', 'WrrLocality', { endpoint_picking_policy: policy }) : policy;
}

/** One that carries the weight of the backend; or one for each zone, where zones decide. */
function localitiesOf(setting: Setting, policy: Part): readonly Made[] {
  const { endpoints, name, weight } = setting;
  const zoneAware = policy.at('loadBalancer.zoneAware');
  const priority = setting.isFallback ? { priority: 1 } : {};
  const weights = new Map(
    zoneAware.at('weightedZones').items.map((one) => [one.at('zone').text ?? '', one.at('weight').number ?? 1]),
  );
  const isZonal = weights.size > 0 || zoneAware.at('preferLocal').isThere || setting.preferredFrom !== undefined;
  if (!isZonal) {
    return [
      { locality: { region: name }, lb_endpoints: endpoints.map(healthOf), load_balancing_weight: weight, ...priority },
    ];
  }
  const zones = [...new Set(endpoints.map(({ zone }) => zone ?? ''))].sort((a, b) => (a < b ? -1 : 1));
  return zones.map((zone) => ({
    locality: { zone },
    lb_endpoints: endpoints.filter((one) => (one.zone ?? '') === zone).map(healthOf),
    ...(weights.size > 0 && { load_balancing_weight: weights.get(zone) ?? 1 }),
    ...priority,
  }));
}

function healthOf(endpoint: Endpoint): Made {
  return lbEndpoint(endpoint.draining ? { ...endpoint, health: 'DRAINING' } : endpoint);
}
