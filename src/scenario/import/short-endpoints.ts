import { present } from '../../core/lists.js';
import { canonicalName } from '../../config/any.js';
import { formatIp, ipAfter, parseIp, withPort } from '../../core/ip.js';
import type { SourceNode } from '../../config/reader.js';
import { parseHostPort } from '../fields/host-port.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import {
  fieldOf,
  isMap,
  itemsOf,
  listNode,
  mapNode,
  nodeOf,
  textOf,
  valueAt,
  type Fields,
  type Plain,
} from '../../config/source/trees.js';

/** At least this many equal hosts at consecutive addresses become one entry. */
const MIN_RUN = 3;

interface ShortHost {
  readonly host: string;
  readonly port: number;
  /** The fields beside the address. */
  readonly fields: Fields;
  /** A key that is the same for equal hosts. */
  readonly key: string;
}

/**
 * The hosts of an assignment in the short form of `endpoints`.
 *
 * @returns undefined where the short form cannot express it: weights of localities, a policy, groups that would merge.
 */
export function shortEndpoints(assignment: SourceNode): SourceNode | undefined {
  if (!hasOnly(assignment, ['cluster_name', 'endpoints', 'policy'])) return undefined;
  const policy = valueAt(assignment, 'policy');
  const factor = textOf(valueAt(policy, 'overprovisioning_factor')) ?? '140';
  if (factor !== '140' || !hasOnly(policy, ['overprovisioning_factor'])) return undefined;
  const hosts: ShortHost[] = [];
  const seen = new Set<string>();
  for (const group of itemsOf(valueAt(assignment, 'endpoints'))) {
    if (!hasOnly(group, ['locality', 'lb_endpoints', 'priority'])) return undefined;
    const place = placeOf(group);
    // Two groups at one place would become one, with another order of hosts.
    if (seen.has(place.key)) return undefined;
    seen.add(place.key);
    const endpoints = itemsOf(valueAt(group, 'lb_endpoints'));
    if (endpoints.length === 0) return undefined;
    for (const endpoint of endpoints) {
      const host = shortHost(endpoint, place);
      if (host === undefined) return undefined;
      hosts.push(host);
    }
  }
  return runNodes(hosts, assignment);
}

/** The addresses of a v2 cluster's `hosts`. */
export function shortHosts(addresses: SourceNode): SourceNode | undefined {
  const hosts = itemsOf(addresses).map((address) => hostAt(address, {}));
  const known = present(hosts);
  return known.length < hosts.length ? undefined : runNodes(known, addresses);
}

interface LocalityAndPriority {
  readonly key: string;
  readonly fields: Fields;
}

function placeOf(group: SourceNode): LocalityAndPriority {
  const locality = valueAt(group, 'locality');
  const parts = ['region', 'zone', 'sub_zone'].flatMap((name): [string, SourceNode][] => {
    const value = valueAt(locality, name);
    return value === undefined || textOf(value) === undefined ? [] : [[name, value]];
  });
  const priority = valueAt(group, 'priority');
  const isFirst = (textOf(priority) ?? '0') === '0';
  const [only, ...others] = parts;
  const isZone = only?.[0] === 'zone' && others.length === 0;
  return {
    key: JSON.stringify([isFirst ? '0' : textOf(priority), parts.map(([name, value]) => [name, textOf(value)])]),
    fields: {
      priority: isFirst ? undefined : priority,
      zone: isZone ? only[1] : undefined,
      locality: isZone || only === undefined ? undefined : mapNode(Object.fromEntries(parts), group),
    },
  };
}

const STATUSES = ['HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED'];

function shortHost(node: SourceNode, place: LocalityAndPriority): ShortHost | undefined {
  if (!hasOnly(node, ['endpoint', 'health_status', 'metadata', 'load_balancing_weight'])) return undefined;
  const endpoint = valueAt(node, 'endpoint');
  if (!hasOnly(endpoint, ['address', 'hostname', 'health_check_config'])) return undefined;
  const checks = valueAt(endpoint, 'health_check_config');
  const isCheckedElsewhere =
    isMap(checks) && checks.entries.some(({ value }) => !/^(?:0|false)$/.test(textOf(value) ?? ''));
  const status = valueAt(node, 'health_status');
  const known = (textOf(status) ?? 'UNKNOWN') === 'UNKNOWN' || STATUSES.includes(textOf(status) ?? '');
  const filters = valueAt(node, 'metadata', 'filter_metadata');
  const [lb, ...others] = isMap(filters) ? filters.entries : [];
  const labels = lb !== undefined && canonicalName(lb.key) === LB_NAMESPACE && isMap(lb.value) ? lb.value : undefined;
  const odd = others.length > 0 || (lb !== undefined && labels === undefined);
  if (isCheckedElsewhere || !known || odd || fieldOf(labels, 'filter_metadata') !== undefined) return undefined;
  const weight = valueAt(node, 'load_balancing_weight');
  const hostname = valueAt(endpoint, 'hostname');
  const isWell = status === undefined || ['UNKNOWN', 'HEALTHY'].includes(textOf(status) ?? '');
  return hostAt(valueAt(endpoint, 'address'), {
    weight: textOf(weight) === '1' ? undefined : weight,
    ...place.fields,
    health: isWell ? undefined : status,
    hostname: textOf(hostname) === undefined ? undefined : hostname,
    metadata: labels,
  });
}

function hostAt(address: SourceNode | undefined, fields: ShortHost['fields']): ShortHost | undefined {
  const socket = valueAt(address, 'socket_address');
  if (!hasOnly(address, ['socket_address']) || !hasOnly(socket, ['address', 'port_value'])) return undefined;
  const host = textOf(valueAt(socket, 'address'));
  const port = Number(textOf(valueAt(socket, 'port_value')) ?? NaN);
  if (host === undefined || !parseHostPort(withPort(host, port)).ok) return undefined;
  return { host, port, fields, key: JSON.stringify([port, fields], keyReplacer) };
}

/** Places in the file make no difference. */
function keyReplacer(name: string, value: unknown): unknown {
  return ['start', 'end', 'keyStart', 'keyEnd'].includes(name) ? undefined : value;
}

interface Run {
  readonly first: ShortHost;
  readonly count: number;
}

/** Groups equal hosts with consecutive addresses. */
function runs(hosts: readonly ShortHost[]): readonly Run[] {
  const found: Run[] = [];
  for (let index = 0; index < hosts.length;) {
    const first = hosts[index] as ShortHost;
    const ip = parseIp(first.host);
    let count = 1;
    if (ip !== undefined) {
      for (; index + count < hosts.length; count++) {
        const next = hosts[index + count];
        const after = ipAfter(ip, count);
        if (next?.key !== first.key || after === undefined || next.host !== formatIp(after)) break;
      }
    }
    if (count >= MIN_RUN) found.push({ first, count });
    else for (let step = 0; step < count; step++) found.push({ first: hosts[index + step] as ShortHost, count: 1 });
    index += count;
  }
  return found;
}

function runNodes(hosts: readonly ShortHost[], at: SourceNode): SourceNode {
  const items = runs(hosts).map((run) => runNode(run, at));
  return listNode(items, at);
}

function runNode({ first, count }: Run, at: SourceNode): SourceNode {
  const text = (value: Plain): SourceNode => nodeOf(value, at);
  const address = text(withPort(first.host, first.port));
  const fields = { count: count === 1 ? undefined : text(count), ...first.fields };
  return Object.values(fields).every((field) => field === undefined) ? address : mapNode({ address, ...fields }, at);
}

/** A map with no other than these fields; an absent one has none. */
function hasOnly(node: SourceNode | undefined, names: readonly string[]): boolean {
  if (node === undefined) return true;
  return isMap(node) && node.entries.every(({ key }) => names.includes(key));
}
