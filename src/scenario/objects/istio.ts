import type { AskingOptions } from '../generated/load-options.js';
import { OBJECTS } from './generated/objects.js';
import { applyLocality, type Asking, type LocalityGroup, type LocalitySetting, weightOf } from './istio-localities.js';
import * as istioMesh from './istio-mesh.js';
import { istioRoutes } from './istio-routes.js';
import { mapped, mappedIfAny } from './mapping.js';
import type { Draft, Made, Part } from './part.js';
import type { Endpoint, KubeObject } from './services.js';
import { endpointsBy, httpOptions, isSelected, localityEndpoints, Snapshot } from './services.js';

const TABLES = OBJECTS.istio;

/** The newest release whose defaults are known from its code. */
export const DEFAULT_ISTIO = '1.30';

/** What pilot makes of services and rules, for one sidecar that asks. */
export function istioSnapshot(objects: readonly KubeObject[], nothing: Part, options: AskingOptions): Snapshot {
  const made = new Snapshot();
  const config = objects.find(({ kind }) => kind === 'MeshConfig')?.spec ?? nothing;
  const mesh = istioMesh.meshOf(objects, askingOf(objects, options, nothing), config);
  for (const service of mesh.services) {
    const rule = istioMesh.meantFor(mesh.rules, service.host);
    for (const port of service.ports.filter(({ protocol }) => protocol !== 'UDP')) {
      const endpoints = service.endpoints(port);
      const whole = rule?.policy ?? nothing;
      const policy = (istioMesh.portPolicy(whole, port.number) ?? whole).onto(defaultsOf(config), 1);
      addCluster(mesh, service, port, '', endpoints, policy, made);
      for (const one of rule?.subsets ?? []) {
        const [subset, labels] = [one.text('name'), one.table('labels')];
        if (Object.keys(labels).length > 0 && endpoints.some(({ node, hasPod }) => node && hasPod === false))
          one.refuse('subsetOfPods', { name: subset });
        const found = endpoints.filter((endpoint) => isSelected(labels, endpoint.labels));
        const said = one.at('trafficPolicy');
        // A port's settings inherit nothing but the budget, which is none of them.
        const atPort = istioMesh.portPolicy(said, port.number)?.onto(policy.only('retryBudget'), 1);
        addCluster(mesh, service, port, subset, found, atPort ?? said.onto(policy, 1), made);
      }
    }
  }
  istioRoutes(mesh, objects, made);
  return made;
}

const defaultsOf = (config: Part): Part => config.at('defaultTrafficPolicy').only('connectionPool', 'outlierDetection');

function askingOf(objects: readonly KubeObject[], options: AskingOptions, nothing: Part): Asking {
  const { istioVersion = DEFAULT_ISTIO, labels: pairs } = options;
  const [, minor] = /^1\.(\d+)(?:\.\d+)?$/.exec(istioVersion) ?? [];
  if (minor === undefined) nothing.refuse('istioVersion', { version: istioVersion });
  if (pairs?.split(',').every((pair) => /^[^=]+=/.test(pair)) === false) nothing.refuse('labels', { pairs });
  const proxy = objects.find(({ kind }) => kind === 'Proxy')?.spec;
  const written = pairs?.split(',').map((pair) => {
    const [key = '', value = ''] = pair.split('=');
    return [key, value] as const;
  });
  const place = options.locality ?? proxy?.text('locality');
  const labels = written === undefined ? proxy?.table('labels') : Object.fromEntries(written);
  const node = proxy?.text('node') ?? '';
  return {
    locality: place?.replace(/\/+$/, ''),
    labels: labels === undefined && place === undefined ? undefined : istioMesh.withPlace(labels, place ?? '', node),
    node,
    namespace: proxy?.text('namespace') ?? '',
    sendsUnhealthy: Number(minor) >= 32,
    retriesUnavailable: Number(minor) <= 26,
  };
}

function addCluster(
  mesh: istioMesh.Mesh,
  service: istioMesh.Service,
  port: istioMesh.ServicePort,
  subset: string,
  endpoints: readonly Endpoint[],
  policy: Part,
  made: Snapshot,
): void {
  const { host, resolution, distribution, object } = service;
  const { span } = object.title;
  const name = istioMesh.clusterName({ host, port: port.number, subset });
  const balancing = mapped(policy, TABLES.cluster);
  const isPassed = resolution === 'NONE' || balancing['lb_policy'] === 'CLUSTER_PROVIDED';
  const isDns = resolution.startsWith('DNS');
  if (isDns && endpoints.length === 0 && !isPassed) return;
  const outliers = policy.at('outlierDetection');
  const hasOutliers = outliers.node !== undefined;
  // Those of the mesh do not let requests fail over.
  const ejects = hasOutliers && (isDns || outliers.node !== defaultsOf(mesh.config).at('outlierDetection').node);
  const setting = settingFor(policy.at('loadBalancer'), service, mesh.config);
  const sendsUnhealthy = mesh.asking.sendsUnhealthy || distribution !== undefined;
  const sent = endpoints.filter((one) => one.isUnready !== true || (sendsUnhealthy && one.isTerminating !== true));
  const groups = endpointsBy(sent, 'locality').map(([locality, members]): LocalityGroup => {
    const all = members.map((one): Endpoint => ({ ...one, health: one.isUnready === true ? 'UNHEALTHY' : undefined }));
    return { locality, endpoints: all, priority: 0, weight: weightOf(all) };
  });
  if (!isPassed && setting !== undefined && !isPlaced(groups, setting, mesh.asking, service, ejects)) return;
  const panic = panicOf(outliers, sendsUnhealthy, distribution !== undefined);
  const message: Draft = {
    ...{ name, ...mapped(mesh.config, TABLES.mesh), ...balancing, ...protocolOf(port, policy, mesh.config) },
    common_lb_config: {
      healthy_panic_threshold: panic === undefined ? panic : { value: panic },
      ...localityConfig(setting, hasOutliers),
    },
  };
  if (isPassed) {
    const override = resolution === 'NONE' && port.target ? { upstream_port_override: port.target } : undefined;
    const own = { type: 'ORIGINAL_DST', lb_policy: 'CLUSTER_PROVIDED', original_dst_lb_config: override };
    made.addCluster(span, { ...message, ...own });
    return;
  }
  const placed = setting === undefined ? groups : applyLocality(groups, setting, mesh.asking, ejects);
  const localities = placed.map(({ locality, endpoints: own, weight, priority }) =>
    localityEndpoints(localityOf(locality), own, weight, priority),
  );
  if (!isDns) {
    made.addDiscovered(span, message, localities);
    return;
  }
  const type = resolution === 'DNS' ? 'STRICT_DNS' : 'LOGICAL_DNS';
  const own = { ...mapped(mesh.config, TABLES.dns), load_assignment: { cluster_name: name, endpoints: localities } };
  made.addCluster(span, { ...message, type, ...own });
}

function localityOf(text: string): Made | undefined {
  const [region = '', zone = '', ...rest] = text.split('/');
  const named = { region, zone, sub_zone: rest.join('/') };
  if (region + zone === '') return undefined;
  return Object.fromEntries(Object.entries(named).filter(([, part]) => part !== ''));
}

function panicOf(outliers: Part, sendsUnhealthy: boolean, isDistributed: boolean): Made | undefined {
  const least = outliers.at('minHealthPercent');
  if (outliers.node !== undefined && (least.number() ?? 0) >= 0) return isDistributed ? 0 : (least.node ?? 0);
  return sendsUnhealthy ? 0 : undefined;
}

/** Whether it is known where the proxy is, where that matters; else it is refused. */
function isPlaced(
  groups: readonly LocalityGroup[],
  { failoverPriority, failover, distribute, force, zoneAware }: LocalitySetting,
  { labels, locality }: Asking,
  { object, host }: istioMesh.Service,
  ejects: boolean,
): boolean {
  if (groups.length === 0) return true;
  const fails = ejects || force;
  const isByLabel = failoverPriority.length > 0 && fails;
  if (isByLabel && labels === undefined) {
    object.title.refuse('byLabels', { host });
    return false;
  }
  const isSpread = groups.length > 1 ? fails || distribute.length > 0 : distribute.length > 0;
  const isByPlace = !isByLabel || zoneAware !== undefined || Object.keys(failover).length > 0;
  if (!isSpread || !isByPlace || locality !== undefined) return true;
  object.title.refuse('byPlace', { host });
  return false;
}

function localityConfig(setting: LocalitySetting | undefined, hasOutliers: boolean): Draft {
  if (setting === undefined) return {};
  const { zoneAware, failover, failoverPriority, distribute, force } = setting;
  if (zoneAware !== undefined) return { zone_aware_lb_config: mapped(zoneAware, TABLES.zoneAware) };
  const fails = (force || hasOutliers) && failoverPriority.length + Object.keys(failover).length > 0;
  return fails || distribute.length > 0 ? { locality_weighted_lb_config: {} } : {};
}

/** The rule's setting goes first, then what the service says, then the mesh's. */
function settingFor(lb: Part, { distribution }: istioMesh.Service, config: Part): LocalitySetting | undefined {
  const isOwn = lb.has('zoneAwareLbSetting') || lb.has('localityLbSetting');
  if (!isOwn && distribution !== undefined)
    return { force: true, failoverPriority: distribution, failover: {}, distribute: [] };
  const from = isOwn ? lb : config;
  const isZoneAware = from.has('zoneAwareLbSetting');
  const part = from.at(isZoneAware ? 'zoneAwareLbSetting' : 'localityLbSetting');
  part.ignore('distribute');
  const isOff = part.text('enabled') === 'false';
  if (isOff && !isZoneAware) return undefined;
  return {
    force: isZoneAware && !isOff,
    failoverPriority: part.texts('failoverPriority'),
    failover: Object.fromEntries(part.items('failover').map((one) => [one.text('from'), one.text('to')])),
    distribute: isZoneAware ? [] : part.items('distribute'),
    ...(isZoneAware && { zoneAware: part }),
  };
}

/** HTTP/2 where the port speaks it or the rule upgrades to it, and what ejects by other codes. */
function protocolOf({ protocol }: istioMesh.ServicePort, policy: Part, config: Part): Draft {
  const isHttp2 = ['HTTP2', 'GRPC', 'GRPC-WEB'].includes(protocol);
  const upgrade = policy.text('connectionPool.http.h2UpgradePolicy') || 'DEFAULT';
  const byMesh = (isHttp2 || protocol === 'HTTP') && config.text('h2UpgradePolicy') === 'UPGRADE';
  const isUpgraded = upgrade === 'UPGRADE' || (upgrade === 'DEFAULT' && byMesh);
  const isClients = policy.isTrue('connectionPool.http.useClientProtocol');
  const http2 = isHttp2 || (isUpgraded && !isClients) ? mapped(policy, TABLES.http2) : undefined;
  const rules = policy.texts('outlierDetection.outlierDetectionHttpErrorCodes').map((exact): Made => ({
    http_response_headers_match: { headers: [{ name: ':status', string_match: { exact } }] },
  }));
  const error_matcher = rules.length > 1 ? { or_match: { rules } } : rules[0];
  const others = error_matcher === undefined ? {} : { outlier_detection: { error_matcher } };
  return httpOptions(mappedIfAny(policy, TABLES.http), http2, others);
}
