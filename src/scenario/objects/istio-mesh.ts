import { parseIp } from '../../core/ip.js';
import { own } from '../../core/own.js';
import { OBJECTS } from './generated/objects.js';
import type { Asking } from './istio-localities.js';
import type { Part } from './part.js';
import {
  type Endpoint,
  inOrder,
  isMatch,
  type KubeObject,
  PLAIN_ENDPOINT,
  type Reports,
  Services,
} from './services.js';

/** A port of a service. */
export interface ServicePort {
  readonly number: number;
  readonly name: string;
  readonly protocol: string;
  /** Of the endpoints, where it is another. */
  readonly target: Part;
}

export interface Service {
  readonly object: KubeObject;
  readonly host: string;
  readonly resolution: 'STATIC' | 'DNS' | 'DNS_ROUND_ROBIN' | 'NONE' | 'DYNAMIC_DNS';
  readonly ports: readonly ServicePort[];
  /** Its endpoints are preferred by place, as the service says: labels that have to agree. */
  readonly distribution: readonly string[] | undefined;
  readonly endpoints: (port: ServicePort) => readonly Endpoint[];
}

/** The rule of a service: of several for one host the first decides, and subsets are added. */
export interface Rule {
  readonly policy: Part;
  readonly subsets: readonly Part[];
}

export interface Mesh {
  readonly asking: Asking;
  readonly config: Part;
  readonly reports: Reports;
  readonly services: readonly Service[];
  readonly ruleFor: (host: string) => Rule | undefined;
}

const DISTRIBUTIONS: Readonly<Record<string, readonly string[]>> = OBJECTS.istioDistributions;
const PROTOCOLS: Readonly<Record<string, string>> = OBJECTS.istioProtocols;

/** What the objects say together, for one proxy that asks. */
export function meshOf(objects: readonly KubeObject[], asking: Asking, config: Part, reports: Reports): Mesh {
  const services = [...entriesOf(objects, reports), ...kubernetesOf(objects, asking, reports)];
  return { asking, config, reports, services, ruleFor: rulesOf(objects, services, reports) };
}

export function clusterName(host: string, port: number, subset = ''): string {
  return `outbound|${port}|${subset}|${host}`;
}

export function portPolicy(policy: Part | undefined, { number }: ServicePort): Part | undefined {
  return policy?.at('portLevelSettings').items.find((one) => one.at('port.number').number === number);
}

/** Rules by host: an exact one goes before those with a wildcard, of which the longest does. */
function rulesOf(
  objects: readonly KubeObject[],
  services: readonly Service[],
  { refuse, warn }: Reports,
): (host: string) => Rule | undefined {
  const rules = new Map<string, { policy: Part; subsets: Part[] }>();
  for (const { span, spec, namespace, whole } of inOrder(objects.filter(({ kind }) => kind === 'DestinationRule'))) {
    const host = fullName(spec.at('host').text ?? '', namespace);
    const meant = services.filter((one) => isMatch(host, one.host));
    if (meant.length === 0) warn(spec.at('host').spanOr(span), 'noHost', { host });
    const other = meant.find((one) => one.object.namespace !== namespace);
    if (other !== undefined) refuse(span, 'otherNamespace', { namespace, host: other.host });
    const known = rules.get(host);
    const policy = spec.at('trafficPolicy');
    if (known === undefined) rules.set(host, { policy, subsets: [...spec.at('subsets').items] });
    else {
      if (!known.policy.isThere) known.policy = policy;
      const names = known.subsets.map((one) => one.at('name').text);
      known.subsets.push(...spec.at('subsets').items.filter((one) => !names.includes(one.at('name').text)));
    }
    whole.ignore('metadata');
  }
  const hosts = [...rules.keys()].sort(
    (a, b) => Number(a.startsWith('*')) - Number(b.startsWith('*')) || b.length - a.length,
  );
  return (host) => rules.get(hosts.find((one) => isMatch(one, host)) ?? '');
}

/** `web` of a namespace as the mesh knows it; a name with dots is whole. */
export function fullName(host: string, namespace: string): string {
  return host.includes('.') || host === '*' ? host : `${host}.${namespace}.svc.cluster.local`;
}

function* entriesOf(objects: readonly KubeObject[], reports: Reports): Iterable<Service> {
  for (const object of objects.filter(({ kind }) => kind === 'ServiceEntry')) {
    const { spec, annotations } = object;
    spec.ignore('location', 'addresses', 'subjectAltNames');
    const resolution = (spec.at('resolution').text ?? 'NONE') as Service['resolution'];
    const ports = spec.at('ports').items.map((one) => ({
      number: one.at('number').number ?? 0,
      name: one.at('name').text ?? '',
      protocol: (one.at('protocol').text ?? 'TCP').toUpperCase(),
      target: one.at('targetPort'),
    }));
    const written = spec.at('endpoints').items;
    if (written.some((one) => one.at('network').isThere)) reports.refuse(object.span, 'networks');
    for (const host of spec.at('hosts').items) {
      const name = host.text ?? '';
      if (resolution === 'DYNAMIC_DNS') reports.refuse(host.spanOr(object.span), 'dynamicHosts', { name });
      yield {
        object,
        host: name,
        resolution,
        ports,
        distribution: distributionOf(undefined, annotations),
        endpoints: (port) => {
          const isDns = resolution.startsWith('DNS');
          if (written.length === 0 && isDns)
            return [{ ...PLAIN_ENDPOINT, span: host.spanOr(object.span), address: name, port: targetOf(port) }];
          const all = written.map((one) => entryEndpoint(one, port));
          return isDns
            ? all
            : all.filter(({ address }) => parseIp(address) !== undefined || address.startsWith('unix:'));
        },
      };
    }
  }
}

function targetOf({ target, number }: ServicePort): number | Part {
  return (target.number ?? 0) > 0 ? target : number;
}

function entryEndpoint(part: Part, port: ServicePort): Endpoint {
  part.ignore('serviceAccount');
  const labels = part.at('labels').table;
  const locality = part.at('locality').text ?? (labels['istio-locality'] ?? '').replaceAll('.', '/');
  const named = part.at('ports').entries.find(([name]) => name === port.name)?.[1];
  const weight = part.at('weight');
  return {
    ...PLAIN_ENDPOINT,
    span: part.spanOr({ start: 0, end: 0 }),
    address: part.at('address').text ?? '',
    port: (named?.number ?? 0) > 0 && named !== undefined ? named : targetOf(port),
    labels: withPlace(labels, locality),
    locality,
    weight: (weight.number ?? 0) > 0 ? weight : 1,
  };
}

/** The labels of a workload, with those that say where it is. */
export function withPlace(
  labels: Readonly<Record<string, string>>,
  locality: string,
  node?: string,
): Readonly<Record<string, string>> {
  const [region = '', zone = '', ...rest] = locality.split('/');
  const places = [region, zone, rest.join('/'), node ?? ''];
  const written = OBJECTS.istioPlaces.map((name, index) => [name, places[index] ?? ''] as const);
  return { ...labels, ...Object.fromEntries(written.filter(([, text]) => text !== '')) };
}

function distributionOf(
  written: string | undefined,
  annotations: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  const text = written ?? annotations['networking.istio.io/traffic-distribution'] ?? '';
  return own(DISTRIBUTIONS, text.toLowerCase());
}

function* kubernetesOf(objects: readonly KubeObject[], asking: Asking, { refuse }: Reports): Iterable<Service> {
  const kube = new Services(objects);
  for (const object of objects.filter(({ kind }) => kind === 'Service')) {
    const { spec, name, namespace, labels, annotations, span } = object;
    spec.ignore('selector', 'type', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'sessionAffinity');
    const isHeadless = spec.at('clusterIP').text === 'None';
    if (!isHeadless && !kube.hasSlices(object)) {
      refuse(span, 'bareService', { name, namespace });
      continue;
    }
    if (labels['istio.io/use-waypoint'] !== undefined) refuse(span, 'waypoint', { name });
    const isLocal = spec.at('internalTrafficPolicy').text === 'Local';
    if (isLocal && asking.node === undefined) refuse(span, 'onNode', { name });
    yield {
      object,
      host: `${name}.${namespace}.svc.cluster.local`,
      resolution: isHeadless ? 'NONE' : 'STATIC',
      ports: spec.at('ports').items.map((one) => {
        one.ignore('targetPort', 'nodePort');
        const protocol =
          one.at('protocol').text === 'UDP'
            ? 'UDP'
            : protocolNamed(one.at('appProtocol').text, one.at('name').text ?? '');
        return {
          number: one.at('port').number ?? 0,
          name: one.at('name').text ?? '',
          protocol,
          target: one.at('nothing'),
        };
      }),
      distribution: distributionOf(spec.at('trafficDistribution').text, annotations),
      endpoints: (port) => {
        const all = kube
          .endpoints(object, port.name)
          .map((one) => ({ ...one, labels: withPlace(one.labels, one.locality, one.node) }));
        return isLocal ? all.filter(({ node }) => node === asking.node) : all;
      },
    };
  }
}

/** Of the application's protocol, or of the name `http-web`; unknown: the proxy looks at the first bytes. */
function protocolNamed(application: string | undefined, name: string): string {
  const word = (application ?? name.replace(/^grpc-web.*/, 'grpc').replace(/-.*/, '')).toLowerCase();
  return own(PROTOCOLS, word) ?? 'AUTO';
}
