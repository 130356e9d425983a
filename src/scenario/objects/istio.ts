import { OBJECTS } from './generated/objects.js';
import { applyLocality, type Asking, type LocalityGroup, type LocalitySetting } from './istio-localities.js';
import { clusterName, type Mesh, meshOf, portPolicy, type Service, type ServicePort } from './istio-mesh.js';
import { istioRoutes } from './istio-routes.js';
import { mapped, mappedIfAny } from './mapping.js';
import { type Draft, draftIn, type Made, nodeFrom, type Part } from './part.js';
import {
  addDiscovered,
  type Endpoint,
  httpOptions,
  type KubeObject,
  lbEndpoint,
  localityOf,
  type MadeResources,
  numberOf,
  type Reports,
} from './services.js';

const TABLES = OBJECTS.istio;

/** What pilot makes of services and rules, for one sidecar that asks. */
export function istioResources(
  objects: readonly KubeObject[],
  asking: Asking,
  config: Part,
  reports: Reports,
): MadeResources {
  const mesh = meshOf(objects, asking, config, reports);
  const made: MadeResources = { clusters: [], endpoints: [], routes: [], listeners: [] };
  for (const service of mesh.services) {
    const rule = mesh.ruleFor(service.host);
    for (const port of service.ports.filter(({ protocol }) => protocol !== 'UDP')) {
      const endpoints = service.endpoints(port);
      const general = withMeshDefaults(policyAt(rule?.policy, port), config);
      cluster(mesh, service, port, endpoints, general, '', made);
      for (const subset of rule?.subsets ?? []) {
        const labels = Object.entries(subset.at('labels').table);
        const unknown = endpoints.find(({ node, pod }) => node !== undefined && pod === undefined);
        if (unknown !== undefined && labels.length > 0) {
          reports.refuse(subset.spanOr(service.object.span), 'subsetOfPods', { name: subset.at('name').text ?? '' });
          return made;
        }
        const own = endpoints.filter((one) => labels.every(([key, value]) => one.labels[key] === value));
        const policy = mergedPolicy(
          general,
          policyAt(subset.at('trafficPolicy'), port),
          hasOwnPort(subset.at('trafficPolicy'), port),
        );
        cluster(mesh, service, port, own, policy, subset.at('name').text ?? '', made);
      }
    }
  }
  made.routes.push(...istioRoutes(mesh, objects));
  return made;
}

/** The parts of a traffic policy, each of which a subset or a port replaces as a whole. */
export interface Policy {
  readonly connectionPool?: Part;
  readonly outlierDetection?: Part;
  readonly loadBalancer?: Part;
  readonly retryBudget?: Part;
  /** It is the rule's, not the mesh's: ejections let requests fail over. */
  readonly ejects?: boolean;
}

function hasOwnPort(policy: Part, port: ServicePort): boolean {
  return portPolicy(policy, port) !== undefined;
}

function policyAt(policy: Part | undefined, port: ServicePort): Policy {
  const own = portPolicy(policy, port);
  const from = own ?? policy;
  if (from === undefined) return {};
  const part = (name: string): Part | undefined => (from.at(name).isThere ? from.at(name) : undefined);
  const [connectionPool, outlierDetection, loadBalancer] = ['connectionPool', 'outlierDetection', 'loadBalancer'].map(
    part,
  );
  const retryBudget = own === undefined ? part('retryBudget') : undefined;
  return {
    ...(connectionPool && { connectionPool }),
    ...(outlierDetection && { outlierDetection, ejects: true }),
    ...(loadBalancer && { loadBalancer }),
    ...(retryBudget && { retryBudget }),
  };
}

/** @param isWhole the policy of a port, which inherits nothing. */
function mergedPolicy(base: Policy, own: Policy, isWhole: boolean): Policy {
  return isWhole ? { ...(base.retryBudget && { retryBudget: base.retryBudget }), ...own } : { ...base, ...own };
}

function withMeshDefaults(policy: Policy, config: Part): Policy {
  const [connectionPool, outlierDetection] = ['connectionPool', 'outlierDetection'].map((name) =>
    config.at(`defaultTrafficPolicy.${name}`),
  );
  return {
    ...(connectionPool?.isThere === true && { connectionPool }),
    ...(outlierDetection?.isThere === true && { outlierDetection }),
    ...policy,
  };
}

function cluster(
  mesh: Mesh,
  service: Service,
  port: ServicePort,
  endpoints: readonly Endpoint[],
  policy: Policy,
  subset: string,
  made: MadeResources,
): void {
  const { asking, config, reports } = mesh;
  const name = clusterName(service.host, port.number, subset);
  const isDns = service.resolution.startsWith('DNS');
  const lb = policy.loadBalancer;
  const balancing = policyOf(lb ?? config.as(undefined));
  const isPassed = service.resolution === 'NONE' || balancing['lb_policy'] === 'CLUSTER_PROVIDED';
  if (isDns && endpoints.length === 0 && !isPassed) return;
  const nothing = config.as(undefined);
  const pool = policy.connectionPool ?? nothing;
  const thresholds = mapped(pool, TABLES.thresholds);
  const message: Draft = { name, ...mapped(config, TABLES.cluster), ...mapped(pool, TABLES.pool), ...balancing };
  const common = draftIn(message, 'common_lb_config');
  const unhealthy = asking.sendsUnhealthy || service.distribution !== undefined;
  if (unhealthy) common['healthy_panic_threshold'] = { value: 0 };
  if (policy.outlierDetection !== undefined) {
    message['outlier_detection'] = outlierOf(policy.outlierDetection);
    const percent = policy.outlierDetection.at('minHealthPercent');
    const isForced = service.distribution !== undefined || !percent.isThere;
    if ((percent.number ?? 0) >= 0) common['healthy_panic_threshold'] = { value: isForced ? 0 : (percent.node ?? 0) };
  }
  const setting = effectiveSetting(lb, service, config);
  const groups = grouped(endpoints.filter((one) => isSent(one, unhealthy)));
  const place: Placing = {
    setting,
    groups,
    ejects: isDns ? policy.outlierDetection !== undefined : policy.ejects === true,
  };
  if (!isPassed && needsPlace(place, reports, asking, service)) return;
  const config3 = localityConfig(place, policy.outlierDetection !== undefined);
  if (config3 !== undefined) Object.assign(common, config3);
  if (policy.retryBudget !== undefined) thresholds['retry_budget'] = mapped(policy.retryBudget, TABLES.retryBudget);
  message['circuit_breakers'] = { thresholds: [thresholds] };
  Object.assign(message, protocolOf(port, pool, policy, config));
  const { span } = service.object;
  const placed = isPassed ? [] : applyLocality(place.groups, setting, asking, place.ejects).map(localityEndpoints);
  if (!isPassed && !isDns) {
    addDiscovered(made, span, message, placed);
    return;
  }
  const type = isPassed ? 'ORIGINAL_DST' : service.resolution === 'DNS' ? 'STRICT_DNS' : 'LOGICAL_DNS';
  const own = isPassed
    ? { lb_policy: 'CLUSTER_PROVIDED', ...portOverride(service, port) }
    : { ...mapped(config, TABLES.dns), load_assignment: { cluster_name: name, endpoints: placed } };
  made.clusters.push(nodeFrom({ ...message, type, ...own }, span));
}

function portOverride({ resolution }: Service, { target }: ServicePort): { readonly [name: string]: Made } {
  const port = target.number ?? 0;
  return resolution === 'NONE' && port > 0
    ? { original_dst_lb_config: { upstream_port_override: target.node ?? port } }
    : {};
}

function isSent({ ready, terminating }: Endpoint, unhealthy: boolean): boolean {
  return ready || (unhealthy && !terminating);
}

function grouped(endpoints: readonly Endpoint[]): readonly LocalityGroup[] {
  const places = [...new Set(endpoints.map(({ locality }) => locality))].sort((a, b) => (a < b ? -1 : 1));
  return places.map((locality) => {
    const members = endpoints.filter((one) => one.locality === locality);
    return {
      locality,
      endpoints: members,
      priority: 0,
      weight: members.reduce((sum, { weight }) => sum + numberOf(weight), 0),
    };
  });
}

function localityEndpoints({ locality, endpoints, priority, weight }: LocalityGroup): Made {
  return {
    locality: localityOf(locality),
    lb_endpoints: endpoints.map((one) => lbEndpoint(one.ready ? one : { ...one, health: 'UNHEALTHY' })),
    load_balancing_weight: weight,
    ...(priority > 0 && { priority }),
  };
}

interface Placing {
  readonly setting: LocalitySetting | undefined;
  readonly groups: readonly LocalityGroup[];
  readonly ejects: boolean;
}

/** Whether it matters where the proxy is, and nobody has said so: then it is refused. */
function needsPlace(
  { setting, groups, ejects }: Placing,
  { refuse }: Reports,
  asking: Asking,
  service: Service,
): boolean {
  if (setting === undefined || groups.length === 0) return false;
  const byLabel = setting.failoverPriority.length > 0 && (ejects || setting.force);
  const acts = setting.distribute.length > 0 || ejects || setting.force;
  if (byLabel && asking.labels === undefined) {
    refuse(service.object.span, 'byLabels', { host: service.host });
    return true;
  }
  const isSpread = groups.length > 1 || setting.distribute.length > 0;
  const isByPlace = !byLabel || setting.zoneAware !== undefined || setting.failover.length > 0;
  if (!acts || !isSpread || !isByPlace || asking.locality !== undefined) return false;
  refuse(service.object.span, 'byPlace', { host: service.host });
  return true;
}

function localityConfig({ setting }: Placing, hasOutliers: boolean): { readonly [name: string]: Made } | undefined {
  if (setting === undefined) return undefined;
  if (setting.zoneAware !== undefined) {
    const routing = setting.zoneAware.isOff ? { routing_enabled: { value: 0 } } : {};
    return { zone_aware_lb_config: { ...routing, ...mapped(setting.zoneAware.part, TABLES.zoneAware) } };
  }
  const fails = (setting.force || hasOutliers) && (setting.failover.length > 0 || setting.failoverPriority.length > 0);
  return fails || setting.distribute.length > 0 ? { locality_weighted_lb_config: {} } : undefined;
}

/** The rule's setting goes first, then what the service says, then the mesh's. */
function effectiveSetting(lb: Part | undefined, { distribution }: Service, config: Part): LocalitySetting | undefined {
  const ofZones = lb?.at('zoneAwareLbSetting');
  if (ofZones?.isThere === true) return settingOf(ofZones, true);
  const ofPlaces = lb?.at('localityLbSetting');
  if (ofPlaces?.isThere === true) return settingOf(ofPlaces, false);
  if (distribution !== undefined) return { force: true, failoverPriority: distribution, failover: [], distribute: [] };
  const meshZones = config.at('zoneAwareLbSetting');
  return meshZones.isThere ? settingOf(meshZones, true) : settingOf(config.at('localityLbSetting'), false);
}

function settingOf(part: Part, isZoneAware: boolean): LocalitySetting | undefined {
  const isOff = part.at('enabled').text === 'false';
  if (isOff && !isZoneAware) return undefined;
  const failover = part
    .at('failover')
    .items.map((one) => ({ from: one.at('from').text ?? '', to: one.at('to').text ?? '' }));
  const distribute = isZoneAware ? [] : part.at('distribute').items;
  return {
    force: isZoneAware && !isOff,
    failoverPriority: part.at('failoverPriority').texts,
    failover,
    distribute: distribute.map((one) => ({
      from: one.at('from').text ?? '',
      to: one.at('to').entries.map(([to, weight]) => [to, weight.number ?? 0] as const),
    })),
    ...(isZoneAware && { zoneAware: { isOff, part } }),
  };
}

function outlierOf(outlier: Part): Made {
  const message = mapped(outlier, TABLES.outlierDetection);
  const codes = outlier.at('outlierDetectionHttpErrorCodes');
  codes.ignore();
  return outlier.at('splitExternalLocalOriginErrors').isTrue
    ? { ...message, ...mapped(outlier, TABLES.splitErrors) }
    : message;
}

/** HTTP/2 where the port speaks it or the rule upgrades to it, and what ejects by other codes. */
function protocolOf(
  { protocol }: ServicePort,
  pool: Part,
  { outlierDetection }: Policy,
  config: Part,
): { readonly [name: string]: Made } {
  const upgrade = pool.at('http.h2UpgradePolicy').text ?? 'DEFAULT';
  const isHttp = ['HTTP', 'HTTP2', 'GRPC', 'GRPC-WEB'].includes(protocol);
  const byMesh = isHttp && config.at('h2UpgradePolicy').text === 'UPGRADE';
  const isClients = pool.at('http.useClientProtocol').isTrue;
  const isUpgraded = !isClients && (upgrade === 'UPGRADE' || (upgrade === 'DEFAULT' && byMesh));
  const http2 = isUpgraded || ['HTTP2', 'GRPC', 'GRPC-WEB'].includes(protocol) ? mapped(pool, TABLES.http2) : undefined;
  const codes = outlierDetection?.at('outlierDetectionHttpErrorCodes').texts ?? [];
  const rules = codes.map((exact): Made => ({
    http_response_headers_match: { headers: [{ name: ':status', string_match: { exact } }] },
  }));
  const [only] = rules;
  const matcher = rules.length > 1 ? { or_match: { rules } } : only;
  return httpOptions(
    mappedIfAny(pool, TABLES.http),
    http2,
    matcher === undefined ? {} : { outlier_detection: { error_matcher: matcher } },
  );
}

/** The configurations that take slow start. */
const SLOW_STARTS = [
  ['LEAST_REQUEST', 'least_request_lb_config'],
  ['ROUND_ROBIN', 'round_robin_lb_config'],
] as const;

function policyOf(lb: Part): Draft {
  const { lb_policy: policy = 'LEAST_REQUEST' } = mapped(lb, TABLES.policy);
  const warmup = lb.at('warmup');
  const hash = lb.at('consistentHash');
  if (hash.isThere) {
    lb.ignore('warmup', 'warmupDurationSecs');
    mapped(hash, TABLES.hash);
    if (hash.at('maglev').isThere) return { lb_policy: 'MAGLEV', ...mapped(hash, TABLES.maglev) };
    return { lb_policy: 'RING_HASH', ...mapped(hash, hash.at('ringHash').isThere ? TABLES.ring : TABLES.oldRing) };
  }
  const [, field] = SLOW_STARTS.find(([name]) => name === policy) ?? [];
  const slow = warmup.isThere ? mapped(warmup, TABLES.warmup) : mappedIfAny(lb, TABLES.oldWarmup);
  return {
    lb_policy: policy,
    ...(slow !== undefined && field !== undefined && { [field]: { slow_start_config: slow } }),
  };
}
