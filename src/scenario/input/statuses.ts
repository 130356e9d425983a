import type { SourceNode } from '../../config/reader.js';
import type { MapNode } from '../../config/source/document.js';
import { fieldOf, isMap, itemsOf, nodeOf, textOf, withField } from '../nodes.js';

/**
 * The hosts of a cluster as a proxy sees them now: a ClusterStatus of `/clusters?format=json`.
 *
 * Source: admin.v3.ClusterStatus, HostStatus, HostHealthStatus.
 */
export interface HostStatus {
  readonly node: SourceNode;
  /** `10.0.0.1:80`, or the path of a pipe. */
  readonly address: string;
  /** The name that was resolved to the address; undefined: none. */
  readonly hostname: string | undefined;
  /** As endpoints of an assignment have it. */
  readonly health: 'HEALTHY' | 'UNHEALTHY' | 'DRAINING' | 'DEGRADED';
}

/** Flags of a host that keep it from being chosen; EDS says the rest. */
const FAILED = ['failed_active_health_check', 'failed_outlier_check', 'failed_active_hc'];
const DEGRADED = ['failed_active_degraded_check', 'failed_degraded_outlier_detection'];

export function hostStatuses(status: SourceNode): readonly HostStatus[] {
  return itemsOf(fieldOf(status, 'host_statuses')?.value).flatMap((node) => {
    const address = addressText(fieldOf(node, 'address')?.value);
    if (address === undefined) return [];
    const hostname = textOf(fieldOf(node, 'hostname')?.value);
    return [{ node, address, hostname, health: healthOf(fieldOf(node, 'health_status')?.value) }];
  });
}

function healthOf(status: SourceNode | undefined): HostStatus['health'] {
  const set = (name: string): boolean => textOf(fieldOf(status, name)?.value) === 'true';
  if (FAILED.some(set)) return 'UNHEALTHY';
  const eds = textOf(fieldOf(status, 'eds_health_status')?.value);
  if (eds === 'UNHEALTHY' || eds === 'TIMEOUT') return 'UNHEALTHY';
  if (eds === 'DRAINING') return 'DRAINING';
  return eds === 'DEGRADED' || DEGRADED.some(set) ? 'DEGRADED' : 'HEALTHY';
}

/** `10.0.0.1:80` of a core.Address. */
export function addressText(address: SourceNode | undefined): string | undefined {
  const socket = fieldOf(address, 'socket_address')?.value;
  if (socket === undefined) return textOf(fieldOf(fieldOf(address, 'pipe')?.value, 'path')?.value);
  const host = textOf(fieldOf(socket, 'address')?.value);
  const port = textOf(fieldOf(socket, 'port_value')?.value) ?? '0';
  if (host === undefined) return undefined;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** An assignment with the health that its hosts have now. Hosts without a status stay as they are. */
export function withHealth(assignment: MapNode, hosts: readonly HostStatus[]): MapNode {
  const byAddress = new Map(hosts.map((host) => [host.address, host]));
  return withItems(assignment, 'endpoints', (group) =>
    withItems(group, 'lb_endpoints', (endpoint) => {
      const host = byAddress.get(addressText(fieldOf(fieldOf(endpoint, 'endpoint')?.value, 'address')?.value) ?? '');
      return host === undefined
        ? endpoint
        : withField(endpoint, 'health_status', nodeOf(host.health, host.node), host.node);
    }),
  );
}

function withItems(node: MapNode, name: string, change: (item: MapNode) => MapNode): MapNode {
  const field = fieldOf(node, name);
  if (field?.value.kind !== 'list') return node;
  const items = field.value.items.map((item) => (isMap(item) ? change(item) : item));
  return withField(node, name, { ...field.value, items }, { start: field.keyStart, end: field.keyEnd });
}

/** The assignment that a cluster's hosts make by themselves, with their weights, localities and priorities. */
export function assignmentOf(cluster: string, hosts: readonly HostStatus[], status: SourceNode): MapNode {
  const groups = new Map<string, { readonly host: HostStatus; readonly endpoints: SourceNode[] }>();
  for (const host of hosts) {
    const locality = fieldOf(host.node, 'locality')?.value;
    const parts = ['region', 'zone', 'sub_zone'].map((name) => textOf(fieldOf(locality, name)?.value) ?? '');
    const key = JSON.stringify([...parts, textOf(fieldOf(host.node, 'priority')?.value) ?? '0']);
    const group = groups.get(key) ?? { host, endpoints: [] };
    groups.set(key, group);
    group.endpoints.push(endpointOf(host));
  }
  const endpoints = [...groups.values()].map(({ host: { node }, endpoints: list }) => {
    const fields = { ...pick(node, 'locality'), ...pick(node, 'priority') };
    return mapNode({ ...fields, lb_endpoints: { kind: 'list', items: list, start: node.start, end: node.end } }, node);
  });
  const { start, end } = status;
  return mapNode(
    { cluster_name: nodeOf(cluster, status), endpoints: { kind: 'list', items: endpoints, start, end } },
    status,
  );
}

function endpointOf({ node, health }: HostStatus): SourceNode {
  const endpoint = mapNode({ ...pick(node, 'address'), ...pick(node, 'hostname') }, node);
  const weight = textOf(fieldOf(node, 'weight')?.value);
  // A host without a weight is told with 0 or 1.
  const weighted =
    weight === undefined || weight === '0' ? {} : { load_balancing_weight: nodeOf(Number(weight), node) };
  return mapNode({ endpoint, health_status: nodeOf(health, node), ...weighted }, node);
}

type Fields = Readonly<Record<string, SourceNode>>;

function pick(node: SourceNode, name: string): Fields {
  const field = fieldOf(node, name);
  return field === undefined ? {} : { [name]: field.value };
}

/** A map whose keys stand where a value does. */
export function mapNode(fields: Fields, { start, end }: { readonly start: number; readonly end: number }): MapNode {
  const entries = Object.entries(fields).map(([key, value]) => ({ key, keyStart: start, keyEnd: end, value }));
  return { kind: 'map', entries, start, end };
}
