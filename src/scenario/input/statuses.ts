import { keySpan, type SourceNode, type MapNode } from '../../config/reader.js';
import {
  fieldOf,
  isMap,
  itemsOf,
  listNode,
  mapNode,
  nodeOf,
  picked,
  type Plain,
  textOf,
  valueAt,
  withField,
  withItems,
} from '../../config/source/trees.js';
import { attempt, groupBy } from '../../core/values.js';
import { withPort } from '../../core/ip.js';
import { isClustersText, readClustersText } from './clusters-text.js';

/**
 * The hosts of a cluster as a proxy sees them now: a ClusterStatus of `/clusters`.
 * Source: admin.v3.ClusterStatus, HostStatus, HostHealthStatus.
 */
export interface HostStatus {
  readonly node: SourceNode;
  /** `10.0.0.1:80`, or the path of a pipe. */
  readonly address: string;
  /** The name that resolved to the address; undefined: none. */
  readonly hostname: string | undefined;
  /** As endpoints of an assignment have it. */
  readonly health: 'HEALTHY' | 'UNHEALTHY' | 'DRAINING' | 'DEGRADED';
}

/** Flags that keep a host from being chosen; the rest is from EDS. */
const FAILED = ['failed_active_health_check', 'failed_outlier_check', 'failed_active_hc'];
const DEGRADED = ['failed_active_degraded_check', 'failed_degraded_outlier_detection'];

export const hostStatuses = (status: SourceNode): readonly HostStatus[] =>
  itemsOf(valueAt(status, 'host_statuses')).flatMap((node) => {
    const address = addressText(valueAt(node, 'address'));
    if (address === undefined) return [];
    const hostname = textOf(valueAt(node, 'hostname'));
    return [{ node, address, hostname, health: healthOf(valueAt(node, 'health_status')) }];
  });

function healthOf(status: SourceNode | undefined): HostStatus['health'] {
  const set = (name: string): boolean => textOf(valueAt(status, name)) === 'true';
  if (FAILED.some(set)) return 'UNHEALTHY';
  const eds = textOf(valueAt(status, 'eds_health_status'));
  if (eds === 'UNHEALTHY' || eds === 'TIMEOUT') return 'UNHEALTHY';
  if (eds === 'DRAINING') return 'DRAINING';
  return eds === 'DEGRADED' || DEGRADED.some(set) ? 'DEGRADED' : 'HEALTHY';
}

/** What a page of `/clusters` counts of a host since it was added. */
export interface CountedHost extends Pick<HostStatus, 'address' | 'health'> {
  readonly requests: number;
  /** undefined: the page does not say. */
  readonly weight: number | undefined;
}

/** By cluster, as statistics call it. @returns undefined for any text that is no page of `/clusters`, in neither format. */
export function countedHosts(text: string): ReadonlyMap<string, readonly CountedHost[]> | undefined {
  const clusters = pageRoots(text)?.flatMap((root) => itemsOf(valueAt(root, 'cluster_statuses')));
  if (clusters === undefined) return undefined;
  return new Map(
    clusters.map((status) => {
      const names = ['observability_name', 'name'].map((field) => textOf(valueAt(status, field)) ?? '');
      return [names.find((name) => name !== '') ?? '', hostStatuses(status).map(countedHost)];
    }),
  );
}

function pageRoots(text: string): readonly SourceNode[] | undefined {
  if (isClustersText(text)) return readClustersText(text).roots;
  if (!/^\s*\{\s*"cluster_statuses"\s*:/.test(text)) return undefined;
  const page = attempt(() => JSON.parse(text) as Plain, undefined);
  return page === undefined ? undefined : [nodeOf(page, { start: 0, end: text.length })];
}

function countedHost({ node, address, health }: HostStatus): CountedHost {
  const total = itemsOf(valueAt(node, 'stats')).find((stat) => textOf(valueAt(stat, 'name')) === 'rq_total');
  const weight = textOf(valueAt(node, 'weight'));
  const requests = Number(textOf(valueAt(total, 'value')) ?? 0);
  return { address, health, requests, weight: weight === undefined ? undefined : Number(weight) };
}

/** `10.0.0.1:80` of a core.Address. */
function addressText(address: SourceNode | undefined): string | undefined {
  const internal = valueAt(address, 'envoy_internal_address');
  if (internal !== undefined) {
    const part = (name: string): string => textOf(valueAt(internal, name)) ?? '';
    return `envoy://${part('server_listener_name')}/${part('endpoint_id')}`;
  }
  const socket = valueAt(address, 'socket_address');
  if (socket === undefined) return textOf(valueAt(address, 'pipe', 'path'));
  const host = textOf(valueAt(socket, 'address'));
  const port = textOf(valueAt(socket, 'port_value')) ?? '0';
  return host === undefined ? undefined : withPort(host, port);
}

/** The hosts that a proxy shows in a dump of its endpoints, as in a page of `/clusters`. */
export const dumpedHosts = (assignment: SourceNode): readonly HostStatus[] =>
  itemsOf(valueAt(assignment, 'endpoints')).flatMap((group) =>
    itemsOf(valueAt(group, 'lb_endpoints')).flatMap((node): HostStatus[] => {
      const endpoint = valueAt(node, 'endpoint');
      const address = addressText(valueAt(endpoint, 'address'));
      if (address === undefined || endpoint === undefined) return [];
      const hostname = textOf(valueAt(endpoint, 'hostname'));
      const health = textOf(valueAt(node, 'health_status'));
      return [{ node: endpoint, address, hostname, health: HEALTHS.find((one) => one === health) ?? 'HEALTHY' }];
    }),
  );

const HEALTHS: readonly HostStatus['health'][] = ['HEALTHY', 'UNHEALTHY', 'DRAINING', 'DEGRADED'];

/**
 * An assignment with its current state: hosts with their health, names with their resolved addresses. Parts without a
 * status do not change. @param single the cluster has one host at a time, however many addresses its name has.
 */
export function withStatuses(assignment: MapNode, hosts: readonly HostStatus[], single = false): MapNode {
  const byAddress = new Map(hosts.map((host) => [host.address, host]));
  const named = hosts.filter(({ hostname }) => hostname !== undefined);
  // `:80` of `10.0.0.1:80`
  const byName = groupBy(named, ({ hostname = '', address }) => hostname + address.slice(address.lastIndexOf(':')));
  return withItems(assignment, 'endpoints', (group) => [
    withItems(group, 'lb_endpoints', (endpoint) => {
      const address = addressText(valueAt(endpoint, 'endpoint', 'address')) ?? '';
      const host = byAddress.get(address);
      if (host !== undefined) return [withField(endpoint, 'health_status', nodeOf(host.health, host.node), host.node)];
      const resolved = byName.get(address) ?? [];
      if (resolved.length === 0) return [endpoint];
      return (single ? resolved.slice(0, 1) : resolved).map((one) => atAddress(endpoint, one));
    }),
  ]);
}

function atAddress(endpoint: MapNode, { node, hostname = '', health }: HostStatus): MapNode {
  const field = fieldOf(endpoint, 'endpoint');
  const address = valueAt(node, 'address');
  if (field === undefined || !isMap(field.value) || address === undefined) return endpoint;
  const key = keySpan(field);
  let inner = withField(field.value, 'address', address, key);
  if (fieldOf(inner, 'hostname') === undefined) inner = withField(inner, 'hostname', nodeOf(hostname, node), key);
  return withField(withField(endpoint, 'endpoint', inner, key), 'health_status', nodeOf(health, node), key);
}

/** The assignment of a cluster's hosts alone, with their weights, localities and priorities. */
export function assignmentOf(cluster: string, hosts: readonly HostStatus[], status: SourceNode): MapNode {
  const groups = groupBy(hosts, ({ node }) => {
    const parts = ['region', 'zone', 'sub_zone'].map((name) => textOf(valueAt(node, 'locality', name)) ?? '');
    return JSON.stringify([...parts, textOf(valueAt(node, 'priority')) ?? '0']);
  });
  const endpoints = [...groups.values()].map((group) => {
    const { node } = group[0] as HostStatus;
    const lists = { lb_endpoints: listNode(group.map(endpointOf), node) };
    return mapNode({ ...picked(node, 'locality', 'priority'), ...lists }, node);
  });
  return mapNode({ cluster_name: nodeOf(cluster, status), endpoints: listNode(endpoints, status) }, status);
}

function endpointOf({ node, health }: HostStatus): SourceNode {
  const endpoint = mapNode(picked(node, 'address', 'hostname'), node);
  const weight = textOf(valueAt(node, 'weight'));
  // A host without a weight is shown with 0 or 1.
  const load_balancing_weight = weight === undefined || weight === '0' ? undefined : nodeOf(Number(weight), node);
  return mapNode({ endpoint, health_status: nodeOf(health, node), load_balancing_weight }, node);
}
