import type { Span } from '../../config/reader/spans.js';
import { nodeOf } from '../../config/source/trees.js';
import { groupBy } from '../../core/lists.js';
import { OBJECTS } from './generated/objects.js';
import { type Draft, type Made, nodeFrom, type Part, type Tell } from './part.js';

/** An object of Kubernetes, or one of the forms that are read beside them. */
export interface KubeObject {
  readonly kind: string;
  readonly group: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly whole: Part;
  readonly spec: Part;
  readonly span: Span;
}

/** How a control plane tells what cannot be read, at its place. */
export interface Reports {
  /** It cannot be read honestly: there is no scenario. */
  readonly refuse: Tell;
  readonly warn: Tell;
}

export interface MadeResources {
  readonly clusters: Made[];
  readonly endpoints: Made[];
  readonly routes: Made[];
  readonly listeners: Made[];
}

export interface Endpoint {
  readonly span: Span;
  readonly address: string;
  readonly port: number | Part;
  readonly health?: 'UNHEALTHY' | 'DRAINING';
  /** What a slice says of it. */
  readonly ready: boolean;
  readonly terminating: boolean;
  readonly draining: boolean;
  readonly zone: string | undefined;
  readonly node: string | undefined;
  readonly pod: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** `region/zone/sub_zone` */
  readonly locality: string;
  readonly weight: number | Part;
}

/** An endpoint that only has an address. */
export const PLAIN_ENDPOINT = {
  ...{ ready: true, terminating: false, draining: false, zone: undefined, node: undefined, pod: undefined },
  ...{ labels: {}, locality: '', weight: 1 },
};

/** Whether a host, which may begin with a wildcard, means another. */
export function isMatch(pattern: string, host: string): boolean {
  return (
    pattern === host ||
    pattern === '*' ||
    (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)) && host !== pattern)
  );
}

/** The oldest first, then by name, as the control plane has them. */
export function inOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  const key = ({ whole, namespace, name }: KubeObject): string =>
    `${whole.at('metadata.creationTimestamp').text ?? ''} ${name} ${namespace}`;
  return [...objects].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const LABELS = { region: 'topology.kubernetes.io/region', zone: 'topology.kubernetes.io/zone' };

/** Services with the endpoints that slices, pods and nodes tell of. */
export class Services {
  private readonly slices: ReadonlyMap<string, readonly KubeObject[]>;
  private readonly byKey: ReadonlyMap<string, KubeObject>;

  constructor(objects: readonly KubeObject[]) {
    const slices = objects.filter(({ kind }) => kind === 'EndpointSlice');
    this.slices = groupBy(
      slices,
      ({ namespace, labels }) => `${namespace}/${labels['kubernetes.io/service-name'] ?? ''}`,
    );
    const kinds: readonly string[] = OBJECTS.shared.v1;
    const known = objects.filter(({ kind }) => kinds.includes(kind));
    this.byKey = new Map(known.map((one) => [keyOf(one.kind, one.namespace, one.name), one]));
  }

  find(namespace: string, name: string): KubeObject | undefined {
    return this.byKey.get(keyOf('Service', namespace, name));
  }

  hasSlices({ namespace, name }: KubeObject): boolean {
    return this.slices.has(`${namespace}/${name}`);
  }

  /** @param port its name in the service; '' where it has none. */
  endpoints({ namespace, name }: KubeObject, port: string, protocol = 'TCP'): readonly Endpoint[] {
    return (this.slices.get(`${namespace}/${name}`) ?? []).flatMap((slice) => {
      const ports = slice.whole.at('ports').items.filter((one) => {
        return (one.at('name').text ?? '') === port && (one.at('protocol').text ?? 'TCP') === protocol;
      });
      slice.whole.ignore('addressType');
      return slice.whole
        .at('endpoints')
        .items.flatMap((endpoint) =>
          ports.flatMap((one) =>
            endpoint
              .at('addresses')
              .texts.map((address) => this.endpoint(endpoint, address, one.at('port'), namespace)),
          ),
        );
    });
  }

  private endpoint(endpoint: Part, address: string, port: Part, namespace: string): Endpoint {
    const [ready, serving, terminating] = ['ready', 'serving', 'terminating'].map(
      (name) => endpoint.at(`conditions.${name}`).text,
    );
    const pod = endpoint.at('targetRef.kind').text === 'Pod' ? endpoint.at('targetRef.name').text : undefined;
    endpoint.ignore('targetRef', 'hints');
    const labels = pod === undefined ? undefined : this.byKey.get(keyOf('Pod', namespace, pod))?.labels;
    const node = endpoint.at('nodeName').text;
    const places = (node === undefined ? undefined : this.byKey.get(keyOf('Node', '', node))?.labels) ?? {};
    const zone = endpoint.at('zone').text;
    const parts = [places[LABELS.region], places[LABELS.zone] ?? zone, places['topology.istio.io/subzone']];
    return {
      span: endpoint.spanOr({ start: 0, end: 0 }),
      address,
      port,
      ready: ready !== 'false',
      terminating: ready === 'false' && terminating !== 'false',
      draining:
        serving !== undefined && terminating !== undefined
          ? terminating === 'true' || serving === 'false'
          : ready === 'false',
      zone,
      node,
      pod: labels === undefined ? undefined : pod,
      labels: labels ?? {},
      locality: parts
        .map((part) => part ?? '')
        .join('/')
        .replace(/\/+$/, ''),
      weight: 1,
    };
  }
}

function keyOf(kind: string, namespace: string, name: string): string {
  return kind === 'Node' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** One of v3, at the place of what it was made of. */
export function lbEndpoint({ span, address, port, health, weight }: Endpoint): Made {
  const path = address.startsWith('unix://') ? address.slice('unix://'.length) : undefined;
  const at = nodeOf(path ?? address, span);
  return {
    endpoint: {
      address:
        path === undefined ? { socket_address: { address: at, port_value: madeOf(port) } } : { pipe: { path: at } },
    },
    ...(health !== undefined && { health_status: health }),
    load_balancing_weight: madeOf(weight),
  };
}

export function madeOf(value: number | Part): Made {
  return typeof value === 'number' ? value : (value.node ?? 0);
}

export function numberOf(value: number | Part): number {
  return typeof value === 'number' ? value : (value.number ?? 0);
}

export function localityOf(text: string): Made | undefined {
  const [region = '', zone = '', ...rest] = text.split('/');
  const subZone = rest.join('/');
  if (region === '' && zone === '') return undefined;
  return { ...(region && { region }), ...(zone && { zone }), ...(subZone && { sub_zone: subZone }) };
}

/** A cluster that asks for its endpoints, and what it is told; undefined: nobody knows. */
export function addDiscovered(made: MadeResources, span: Span, message: Draft, endpoints?: readonly Made[]): void {
  const name = message['name'] ?? '';
  const source = { eds_config: { ads: {}, resource_api_version: 'V3' }, service_name: name };
  made.clusters.push(nodeFrom({ ...message, type: 'EDS', eds_cluster_config: source }, span));
  if (endpoints !== undefined) made.endpoints.push(nodeFrom({ cluster_name: name, endpoints }, span));
}

/** Connections of a listener, all of which go one way. */
export function addConnections(made: MadeResources, span: Span, name: string, action: Draft): void {
  const config = typed('envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy', { stat_prefix: name, ...action });
  const filters = [{ name: 'envoy.filters.network.tcp_proxy', typed_config: config }];
  made.listeners.push(nodeFrom({ name, filter_chains: [{ filters }] }, span));
}

/** Of a dump's extension: its type and its fields. */
export function typed(type: string, fields: { readonly [name: string]: Made | undefined } = {}): Made {
  return { '@type': `type.googleapis.com/${type}`, ...fields };
}

/** What holds for HTTP only, in the place where v3 has it. */
export function httpOptions(
  http: Made | undefined,
  http2: Made | undefined,
  others: { readonly [name: string]: Made } = {},
): { readonly [name: string]: Made } {
  if (http === undefined && http2 === undefined && Object.keys(others).length === 0) return {};
  const type = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
  const protocol: Made = http2 === undefined ? { http_protocol_options: {} } : { http2_protocol_options: http2 };
  const options = typed(type, { common_http_protocol_options: http, explicit_http_config: protocol, ...others });
  return { typed_extension_protocol_options: { [type]: options } };
}

export const PREVIOUS_HOSTS: Made = [
  {
    name: 'envoy.retry_host_predicates.previous_hosts',
    typed_config: typed('envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate'),
  },
];

export function previousPriorities(frequency: Made): Made {
  const type = 'envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig';
  return {
    name: 'envoy.retry_priorities.previous_priorities',
    typed_config: typed(type, { update_frequency: frequency }),
  };
}
