import { z } from 'zod';
import { discoveryType, type DiscoveryType } from '../config/discovery.js';
import { formatIp } from '../config/ip.js';
import {
  block,
  check,
  defaulted,
  optional,
  problemAt,
  required,
  type Schema,
  SourceDocument,
} from '../config/reader.js';
import type { Problem } from '../core/problem.js';
import type { HealthStatus, Locality } from '../host/host.js';
import { type HostPort, ipAfter, parseHostPort } from './address.js';
import { integer, Name, scalar } from './fields.js';
import { MetadataMap, type Namespaces } from './metadata.js';
import type { Plain, SourceNode } from './nodes.js';
import { fieldOf, itemsOf, nodeOf, textOf, withField } from './nodes.js';
import { LocalityBlock, Place } from './selector-schema.js';

/**
 * The shorthand for endpoints, and what it stands for: an ordinary ClusterLoadAssignment, put into the tree of the
 * document before anything else reads it.
 */
export interface EndpointSpec {
  readonly address: HostPort;
  /** This many hosts at consecutive addresses. */
  readonly count: number;
  readonly weight: number | undefined;
  readonly priority: number;
  /** undefined: the endpoints stand in a group without a locality. */
  readonly locality: Locality | undefined;
  readonly health: HealthStatus | undefined;
  readonly metadata: Namespaces | undefined;
  readonly hostname: string | undefined;
}

export const MAX_WEIGHT = 4294967295;
const MAX_COUNT = 1_000_000;

const HostAddress: Schema<HostPort> = scalar('address', 'address', parseHostPort);

const EndpointBlock = block(
  'endpoint',
  {
    address: required(HostAddress, '`ip:port`; in a DNS cluster also `name:port`.'),
    count: defaulted(integer('count', 1, MAX_COUNT), 1, 'How many hosts, at consecutive addresses. Default 1.'),
    weight: optional(integer('weight', 1, MAX_WEIGHT), 'load_balancing_weight of each. Default 1.'),
    priority: defaulted(integer('priority', 0, 127), 0, 'Priority; 0 is the first. Default 0.'),
    zone: optional(Place, 'Short for locality: {zone}.'),
    locality: optional(LocalityBlock, 'Where the hosts are: region, zone, sub_zone.'),
    health: optional(
      z.enum(['UNKNOWN', 'HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED']),
      'health_status as discovery tells it. Default UNKNOWN, which counts as healthy.',
    ),
    metadata: optional(MetadataMap, 'Entries under proxy.lb, or a whole core.Metadata {filter_metadata: …}.'),
    hostname: optional(Name, 'Host name of the endpoint.'),
  },
  {
    doc: 'One host, or several alike at consecutive addresses.',
    oneOfs: [{ name: 'place', fields: ['zone', 'locality'] }],
    hints: {
      endpoint: 'this is the shorthand; an LbEndpoint belongs into load_assignment or assignments',
      lb_endpoints: 'this is the shorthand; groups of endpoints belong into load_assignment or assignments',
      load_balancing_weight: 'write weight',
      health_status: 'write health',
      port: 'write it behind the address, as 10.0.0.1:80',
      region: 'write locality: {region: …}',
    },
    rules: [
      {
        name: 'endpoint-count',
        reads: ['address', 'count'],
        check: ({ address, count }, report) => {
          if (count === 1) return;
          if (address.ip === undefined) report('count needs an IP address: a name has no next one', ['count']);
          else if (ipAfter(address.ip, count - 1) === undefined) {
            report(`${count} addresses from ${address.host} on pass the last one`, ['count']);
          }
        },
      },
    ],
  },
);

/** `"ip:port"` or a map. */
export const Endpoint: Schema<EndpointSpec> = z.union([EndpointBlock, HostAddress]).transform((value): EndpointSpec => {
  if ('host' in value) {
    const plain = { count: 1, weight: undefined, priority: 0, locality: undefined };
    return { ...plain, address: value, health: undefined, metadata: undefined, hostname: undefined };
  }
  const { zone, locality } = value;
  const place = locality ?? (zone === undefined ? undefined : { zone });
  return {
    address: value.address,
    count: value.count,
    weight: value.weight,
    priority: value.priority,
    locality: place && localityOf(place),
    health: value.health,
    metadata: value.metadata,
    hostname: value.hostname,
  };
});

export function localityOf(place: {
  region?: string | undefined;
  zone?: string | undefined;
  subZone?: string | undefined;
}): Locality {
  return { region: place.region ?? '', zone: place.zone ?? '', subZone: place.subZone ?? '' };
}

/** `endpoints`: per cluster a list of hosts. */
export const EndpointLists = z.record(z.string(), z.array(Endpoint));

/** The LbEndpoints that a shorthand stands for, as they would be written. */
export function lbEndpointsOf(spec: EndpointSpec): Plain[] {
  return Array.from({ length: spec.count }, (_, index) => {
    const ip = spec.address.ip && ipAfter(spec.address.ip, index);
    const address = ip === undefined ? spec.address.host : formatIp(ip);
    return {
      endpoint: {
        address: { socket_address: { address, port_value: spec.address.port } },
        hostname: spec.hostname,
      },
      health_status: spec.health,
      load_balancing_weight: spec.weight,
      metadata: spec.metadata && { filter_metadata: spec.metadata as Plain },
    };
  });
}

export interface Expansion {
  readonly document: SourceDocument;
  readonly problems: readonly Problem[];
}

/**
 * The document with the shorthand written out.
 *
 * Hosts are grouped by priority and locality, groups in the order of their first host. Endpoints that cannot be read
 * are left out; the check of the whole document reports them.
 */
export function expandEndpoints(document: SourceDocument): Expansion {
  const problems: Problem[] = [];
  const { root } = document;
  const endpoints = fieldOf(root, 'endpoints');
  if (root.kind !== 'map' || endpoints?.value.kind !== 'map') return { document, problems };
  const clusters = [...itemsOf(fieldOf(root, 'clusters')?.value)];
  const names = clusters.map((cluster) => textOf(fieldOf(cluster, 'name')?.value));
  let assignments = fieldOf(root, 'assignments')?.value;
  for (const entry of endpoints.value.entries) {
    const { key: name, value: list } = entry;
    const index = names.indexOf(name);
    const cluster = clusters[index];
    const path = ['endpoints', name];
    const error = (rule: string, message: string): void => {
      problems.push(problemAt(document, path, 'error', rule, message));
    };
    // A cluster that is not there is reported with all other names, see references.ts.
    if (cluster?.kind !== 'map' || list.kind !== 'list') continue;
    const type = typeOf(cluster);
    const rival = fieldOf(cluster, 'load_assignment') ?? fieldOf(cluster, 'hosts');
    if (rival !== undefined) {
      error('endpoints', `${name} has a ${rival.key} of its own: write its endpoints in one place`);
      continue;
    }
    if (type === 'ORIGINAL_DST') {
      error('endpoints', `${name} is an ORIGINAL_DST cluster: its hosts come from the requests, it takes no endpoints`);
      continue;
    }
    const specs = list.items.map((item, at) => ({
      item,
      spec: check(Endpoint, document, { vocabulary: 'scenario', node: item, path: [...path, at] }).value,
    }));
    const resolves = type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
    for (const [at, { spec }] of specs.entries()) {
      if (resolves || spec === undefined || spec.address.ip !== undefined) continue;
      const text = `${spec.address.host} is a name: give the hosts of ${name} IP addresses, or the cluster type: STRICT_DNS`;
      problems.push(problemAt(document, [...path, at], 'error', 'address', text));
    }
    const eds = type === 'EDS';
    const service = textOf(fieldOf(fieldOf(cluster, 'eds_cluster_config')?.value, 'service_name')?.value);
    const assignmentName = eds ? (service ?? name) : name;
    const given = [name, service].find((key) => key !== undefined && fieldOf(assignments, key) !== undefined);
    if (eds && given !== undefined) {
      error('endpoints', `assignments has ${given} already: write the endpoints of ${name} in one place`);
      continue;
    }
    const key = { start: entry.keyStart, end: entry.keyEnd };
    const assignment = assignmentNode(assignmentName, specs, resolves, key);
    if (eds) {
      const map: SourceNode = assignments?.kind === 'map' ? assignments : nodeOf({}, key);
      if (map.kind === 'map') assignments = withField(map, assignmentName, assignment, key);
    } else clusters[index] = withField(cluster, 'load_assignment', assignment, key);
  }
  const list = fieldOf(root, 'clusters');
  let expanded = root;
  if (list?.value.kind === 'list') {
    expanded = withField(
      expanded,
      'clusters',
      { ...list.value, items: clusters },
      { start: list.keyStart, end: list.keyEnd },
    );
  }
  if (assignments !== undefined) {
    expanded = withField(expanded, 'assignments', assignments, { start: endpoints.keyStart, end: endpoints.keyEnd });
  }
  return { document: new SourceDocument(document.file, document.text, expanded, document.json), problems };
}

const DISCOVERY_TYPES: readonly DiscoveryType[] = ['STATIC', 'STRICT_DNS', 'LOGICAL_DNS', 'EDS', 'ORIGINAL_DST'];

/** Of a cluster that has not been checked yet; enums go by name in any case or by number. */
function typeOf(cluster: SourceNode): DiscoveryType | undefined {
  const name = textOf(fieldOf(fieldOf(cluster, 'cluster_type')?.value, 'name')?.value);
  if (name !== undefined) return discoveryType({ type: 'STATIC', clusterType: { name } });
  const text = textOf(fieldOf(cluster, 'type')?.value) ?? 'STATIC';
  return DISCOVERY_TYPES[Number(text)] ?? DISCOVERY_TYPES.find((type) => type === text.toUpperCase());
}

interface Placed {
  readonly item: SourceNode;
  readonly spec: EndpointSpec | undefined;
}

/** @param names whether a host may be a name. */
function assignmentNode(
  name: string,
  specs: readonly Placed[],
  names: boolean,
  key: { start: number; end: number },
): SourceNode {
  const groups = new Map<string, { readonly first: EndpointSpec; readonly hosts: SourceNode[] }>();
  for (const { item, spec } of specs) {
    if (spec === undefined || (spec.address.ip === undefined && !names)) continue;
    const id = JSON.stringify([spec.priority, spec.locality]);
    const group = groups.get(id) ?? { first: spec, hosts: [] };
    groups.set(id, group);
    const span = item.kind === 'scalar' ? item : { start: item.start, end: item.start + 1 };
    group.hosts.push(...lbEndpointsOf(spec).map((endpoint) => nodeOf(endpoint, span)));
  }
  const written = [...groups.values()].map(({ first, hosts }): SourceNode => {
    const { locality } = first;
    const place = locality && { region: locality.region, zone: locality.zone, sub_zone: locality.subZone };
    const head = nodeOf({ priority: first.priority, locality: place }, key);
    const list: SourceNode = { kind: 'list', items: hosts, ...key };
    return head.kind === 'map' ? withField(head, 'lb_endpoints', list, key) : head;
  });
  const body = nodeOf({ cluster_name: name }, key);
  const list: SourceNode = { kind: 'list', items: written, ...key };
  return body.kind === 'map' ? withField(body, 'endpoints', list, key) : body;
}
