import { parseIp } from '../../core/ip.js';
import { own } from '../../core/values.js';
import { OBJECTS } from './generated/objects.js';
import type { Asking } from './istio-localities.js';
import type { Made, Part } from './part.js';
import { type Endpoint, inOrder, isMatch, type KubeObject, Services } from './services.js';

export interface ServicePort {
  readonly number: number;
  readonly name: string;
  readonly protocol: string;
  /** Of the endpoints, where an entry says another. */
  readonly target: Made | undefined;
}

export interface Service {
  readonly object: KubeObject;
  readonly host: string;
  /** As a ServiceEntry has it. */
  readonly resolution: string;
  readonly ports: readonly ServicePort[];
  /** Its endpoints are preferred by place, as the service says: labels that have to agree. */
  readonly distribution: readonly string[] | undefined;
  readonly endpoints: (port: ServicePort) => readonly Endpoint[];
}

export type Mesh = ReturnType<typeof meshOf>;

/** What the objects say together, for one proxy that asks. */
export function meshOf(objects: readonly KubeObject[], asking: Asking, config: Part) {
  const kube = new Services(objects);
  const services = [
    ...objects.filter(({ kind }) => kind === 'ServiceEntry').flatMap(entryServices),
    ...objects.filter(({ kind }) => kind === 'Service').map((object) => kubeService(object, kube, asking)),
  ];
  return { asking, config, services, rules: rulesOf(objects, services) };
}

export const clusterName = ({ host, port, subset }: { host: string; port: number; subset: string }): string =>
  `outbound|${port}|${subset}|${host}`;

/** What a traffic policy says of a port. */
export const portPolicy = (policy: Part, port: number): Part | undefined =>
  policy.items('portLevelSettings').find((one) => one.number('port.number') === port);

/** Of what is known by hosts, that of a host: exact ones go before those with a wildcard, of which the longest does. */
export function meantFor<Value>(byHost: ReadonlyMap<string, Value>, host: string): Value | undefined {
  const hosts = [...byHost.keys()].filter((one) => isMatch(one, host));
  hosts.sort((a, b) => Number(a.startsWith('*')) - Number(b.startsWith('*')) || b.length - a.length);
  return byHost.get(hosts[0] ?? '');
}

/** `web` of a namespace as the mesh knows it; a name with dots is whole. */
export const fullName = (host: string, namespace: string): string =>
  host.includes('.') || host === '*' ? host : `${host}.${namespace}.svc.cluster.local`;

/** Rules by their hosts: of several for one the first decides, and subsets are added. */
function rulesOf(objects: readonly KubeObject[], services: readonly Service[]) {
  const rules = new Map<string, { readonly policy: Part; readonly subsets: readonly Part[] }>();
  for (const { title, spec, namespace } of inOrder(objects, 'DestinationRule')) {
    const host = fullName(spec.text('host'), namespace);
    const meant = services.filter((one) => isMatch(host, one.host));
    if (meant.length === 0) spec.at('host').warn('noHost', { host });
    const other = meant.find((one) => one.object.namespace !== namespace);
    if (other !== undefined) title.refuse('otherNamespace', { namespace, host: other.host });
    const known = rules.get(host);
    const names = known?.subsets.map((one) => one.text('name')) ?? [];
    const added = spec.items('subsets').filter((one) => !names.includes(one.text('name')));
    const policy = known?.policy.node === undefined ? spec.at('trafficPolicy') : known.policy;
    rules.set(host, { policy, subsets: [...(known?.subsets ?? []), ...added] });
  }
  return rules;
}

function entryServices(object: KubeObject): readonly Service[] {
  const { spec, annotations, title } = object;
  const resolution = spec.text('resolution') || 'NONE';
  const isDns = resolution.startsWith('DNS');
  const written = spec.items('endpoints');
  if (written.some((one) => one.has('network'))) title.refuse('networks');
  const ports = spec.items('ports').map((one): ServicePort => {
    const target = one.at('targetPort');
    return {
      number: one.number('number') ?? 0,
      name: one.text('name'),
      protocol: (one.text('protocol') || 'TCP').toUpperCase(),
      target: (target.number() ?? 0) > 0 ? target.node : undefined,
    };
  });
  return spec.items('hosts').map((host) => {
    const name = host.text();
    if (resolution === 'DYNAMIC_DNS') host.refuse('dynamicHosts', { name });
    const endpoints = (port: ServicePort): readonly Endpoint[] => {
      const all = written.map((one) => entryEndpoint(one, port));
      if (!isDns) return all.filter(({ address }) => parseIp(address) !== undefined || address.startsWith('unix:'));
      return all.length > 0 ? all : [{ span: host.span, address: name, port: port.target ?? port.number }];
    };
    return { object, host: name, resolution, ports, distribution: distributionOf('', annotations), endpoints };
  });
}

function entryEndpoint(part: Part, port: ServicePort): Endpoint {
  const labels = part.table('labels');
  const locality = part.text('locality') || (labels['istio-locality'] ?? '').replaceAll('.', '/');
  const named = part.entries('ports').find(([name, one]) => name === port.name && (one.number() ?? 0) > 0)?.[1].node;
  return {
    span: part.span,
    address: part.text('address'),
    port: named ?? port.target ?? port.number,
    labels: withPlace(labels, locality, ''),
    locality,
    weight: (part.number('weight') ?? 0) > 0 ? (part.at('weight').node ?? 1) : 1,
  };
}

/** The labels of a workload, with those that say where it is. */
export function withPlace(labels: Endpoint['labels'], locality: string, node: string) {
  const [region = '', zone = '', ...rest] = locality.split('/');
  const places = [region, zone, rest.join('/'), node];
  const written = OBJECTS.istioPlaces.map((name, index) => [name, places[index] ?? ''] as const);
  return { ...labels, ...Object.fromEntries(written.filter(([, text]) => text !== '')) };
}

function distributionOf(written: string, annotations: KubeObject['annotations']): readonly string[] | undefined {
  const text = written || (annotations['networking.istio.io/traffic-distribution'] ?? '');
  return own(OBJECTS.istioDistributions, text.toLowerCase());
}

function kubeService(object: KubeObject, kube: Services, asking: Asking): Service {
  const { spec, name, namespace, labels, annotations, title } = object;
  const isHeadless = spec.text('clusterIP') === 'None';
  if (labels['istio.io/use-waypoint'] !== undefined) title.refuse('waypoint', { name });
  const isLocal = spec.text('internalTrafficPolicy') === 'Local';
  if (isLocal && asking.node === '') title.refuse('onNode', { name });
  return {
    object,
    host: `${name}.${namespace}.svc.cluster.local`,
    resolution: isHeadless ? 'NONE' : 'STATIC',
    ports: spec.items('ports').map((one) => {
      const protocol = one.text('protocol') === 'UDP' ? 'UDP' : protocolOf(one);
      return { number: one.number('port') ?? 0, name: one.text('name'), protocol, target: undefined };
    }),
    distribution: distributionOf(spec.text('trafficDistribution'), annotations),
    endpoints: (port) => {
      if (isHeadless) return [];
      const all = kube
        .endpoints(object, port.name)
        .map((one) => ({ ...one, labels: withPlace(one.labels, one.locality ?? '', one.node ?? '') }));
      return isLocal ? all.filter(({ node }) => node === asking.node) : all;
    },
  };
}

/** Of the application's protocol, or of the name `http-web`; unknown: the proxy looks at the first bytes. */
function protocolOf(port: Part): string {
  const name = port
    .text('name')
    .replace(/^grpc-web.*/, 'grpc')
    .replace(/-.*/, '');
  return own(OBJECTS.istioProtocols, (port.text('appProtocol') || name).toLowerCase()) ?? 'AUTO';
}
