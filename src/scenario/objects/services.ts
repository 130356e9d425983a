import type { Span } from '../../config/reader/spans.js';
import { nodeOf } from '../../config/source/trees.js';
import { groupBy } from '../../core/values.js';
import type { SourceNode } from '../../config/source/document.js';
import { type Draft, type Made, nodeFrom, type Part } from './part.js';

/** An object of Kubernetes, or one of the forms that are read beside them. */
export interface KubeObject {
  readonly root: SourceNode;
  readonly whole: Part;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Its specification; of objects without one, all of it. */
  readonly spec: Part;
  /** Its name, or where it begins. */
  readonly title: Part;
  readonly created: string;
}

export interface Endpoint {
  readonly span: Span;
  readonly address: string;
  readonly port: Made;
  readonly weight?: Made;
  readonly health?: 'UNHEALTHY' | 'DRAINING' | undefined;
  /** What a slice says of it. */
  readonly isUnready?: boolean;
  readonly isTerminating?: boolean;
  readonly isDraining?: boolean;
  readonly zone?: string;
  readonly node?: string;
  /** Whether the labels are those of a pod that is known. */
  readonly hasPod?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  /** `region/zone/sub_zone` */
  readonly locality?: string;
}

/** Whether a host, which may begin with a wildcard, means another. */
export const isMatch = (pattern: string, host: string): boolean =>
  pattern === host || pattern === '*' || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)));

/** Whether labels are all those of a selector. */
export const isSelected = (wanted: Readonly<Record<string, string>>, labels: Endpoint['labels'] = {}): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);

/** The oldest first, then by name, as the control plane has them. */
export function inOrder(objects: readonly KubeObject[], kind: string): readonly KubeObject[] {
  const key = ({ created, namespace, name }: KubeObject): string => `${created} ${name} ${namespace}`;
  return objects.filter((one) => one.kind === kind).sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Services with the endpoints that slices, pods and nodes tell of. */
export class Services {
  private readonly slices: ReadonlyMap<string, readonly KubeObject[]>;
  private readonly named: ReadonlyMap<string, KubeObject> = new Map(
    this.objects.map((one) => [`${one.kind} ${one.namespace}/${one.name}`, one]),
  );

  constructor(protected readonly objects: readonly KubeObject[]) {
    const slices = objects.filter(({ kind }) => kind === 'EndpointSlice');
    this.slices = groupBy(slices, (one) => `${one.namespace}/${one.labels['kubernetes.io/service-name'] ?? ''}`);
  }

  find(kind: string, namespace: string, name: string): KubeObject | undefined {
    return this.named.get(`${kind} ${namespace}/${name}`);
  }

  /** Where there are no slices, the service is refused. @param port its name in the service; '' where it has none. */
  endpoints({ namespace, name, title }: KubeObject, port: string, protocol = 'TCP'): readonly Endpoint[] {
    const slices = this.slices.get(`${namespace}/${name}`);
    if (slices === undefined) title.refuse('bareService', { name, namespace });
    return (slices ?? []).flatMap(({ spec }) => {
      const ports = spec
        .items('ports')
        .filter((one) => one.text('name') === port && (one.text('protocol') || 'TCP') === protocol);
      return spec.items('endpoints').flatMap((endpoint) =>
        ports.flatMap((one) =>
          endpoint.texts('addresses').map((address): Endpoint => {
            return { span: endpoint.span, address, port: one.at('port').node ?? 0, ...this.told(endpoint, namespace) };
          }),
        ),
      );
    });
  }

  private told(endpoint: Part, namespace: string) {
    const [ready, serving, terminating] = ['ready', 'serving', 'terminating'].map((name) =>
      endpoint.text(`conditions.${name}`),
    );
    const { kind, name = '' } = endpoint.table('targetRef');
    const labels = kind === 'Pod' ? this.find('Pod', namespace, name)?.labels : undefined;
    const [node, zone] = [endpoint.text('nodeName'), endpoint.text('zone')];
    const places = this.find('Node', 'default', node)?.labels ?? {};
    const own = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone', 'topology.istio.io/subzone'].map(
      (label, level) => places[label] ?? (level === 1 ? zone : ''),
    );
    return {
      isUnready: ready === 'false',
      isTerminating: ready === 'false' && terminating !== 'false',
      isDraining: serving && terminating ? terminating === 'true' || serving === 'false' : ready === 'false',
      ...{ zone, node, hasPod: labels !== undefined, labels: labels ?? {} },
      locality: own.join('/').replace(/\/+$/, ''),
    };
  }
}

/** Endpoints of one place, as a message of v3. */
export function localityEndpoints(
  locality: Made | undefined,
  endpoints: readonly Endpoint[],
  weight?: number,
  priority = 0,
): Made {
  const lb = { lb_endpoints: endpoints.map(lbEndpoint), load_balancing_weight: weight };
  return { locality, ...lb, ...(priority > 0 && { priority }) };
}

function lbEndpoint({ span, address, port, health, weight = 1 }: Endpoint): Made {
  const path = address.replace(/^unix:\/\//, '');
  const at = nodeOf(path, span);
  const where = path === address ? { socket_address: { address: at, port_value: port } } : { pipe: { path: at } };
  return { endpoint: { address: where }, health_status: health, load_balancing_weight: weight };
}

/** That a cluster gets copies of so many percent of the requests; undefined: of all. */
export function mirrorTo(
  cluster: string,
  percent: number | undefined,
  denominator: 'HUNDRED' | 'MILLION',
): readonly Made[] {
  const numerator = denominator === 'MILLION' ? Math.trunc((percent ?? 100) * 10_000) : (percent ?? 100);
  return numerator > 0 ? [{ cluster, runtime_fraction: { default_value: { numerator, denominator } } }] : [];
}

/** Endpoints by a text of theirs, in the order of these. */
export const endpointsBy = (
  endpoints: readonly Endpoint[],
  name: 'zone' | 'locality',
): readonly (readonly [string, readonly Endpoint[]])[] =>
  [...groupBy(endpoints, (one) => one[name] ?? '')].sort(([a], [b]) => (a < b ? -1 : 1));

/** What a control plane makes. */
export class Snapshot {
  readonly clusters: SourceNode[] = [];
  readonly endpoints: SourceNode[] = [];
  readonly routes: SourceNode[] = [];
  readonly listeners: SourceNode[] = [];

  addCluster(span: Span, message: Draft): void {
    this.clusters.push(nodeFrom(message, span));
  }

  /** A cluster that asks for its endpoints, and what it is told; undefined: nobody knows. */
  addDiscovered(span: Span, message: Draft, endpoints: readonly Made[] | undefined): void {
    const name = message['name'] ?? '';
    const source = { eds_config: { ads: {}, resource_api_version: 'V3' }, service_name: name };
    this.addCluster(span, { ...message, type: 'EDS', eds_cluster_config: source });
    if (endpoints !== undefined) this.endpoints.push(nodeFrom({ cluster_name: name, endpoints }, span));
  }

  addRoutes(span: Span, name: string, hosts: readonly Made[]): void {
    this.routes.push(nodeFrom({ name, virtual_hosts: hosts }, span));
  }

  /** Connections of a listener, all of which go one way. */
  addConnections(span: Span, name: string, action: Draft): void {
    const config = typed('envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy', { stat_prefix: name, ...action });
    const filters = [{ name: 'envoy.filters.network.tcp_proxy', typed_config: config }];
    this.listeners.push(nodeFrom({ name, filter_chains: [{ filters }] }, span));
  }
}

/** Of a dump's extension: its type and its fields. */
export const typed = (type: string, fields: Draft = {}): Made => ({
  '@type': `type.googleapis.com/${type}`,
  ...fields,
});

/** What holds for HTTP only, in the place where v3 has it. */
export function httpOptions(http: Draft | undefined, http2: Draft | undefined, others: Draft = {}): Draft {
  if (http === undefined && http2 === undefined && Object.keys(others).length === 0) return {};
  const type = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
  const protocol = http2 === undefined ? { http_protocol_options: {} } : { http2_protocol_options: http2 };
  const options = typed(type, { common_http_protocol_options: http, explicit_http_config: protocol, ...others });
  return { typed_extension_protocol_options: { [type]: options } };
}
