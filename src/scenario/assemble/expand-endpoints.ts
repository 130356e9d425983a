import { addAll, present, own } from '../../core/values.js';
import type { MapNode, Schema, SourceNode, MapEntry, Span } from '../../config/reader.js';
import { check, problemAt, SourceDocument, snake, nearest, keySpan } from '../../config/reader.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { discoveryType, type DiscoveryType } from '../../config/cluster/cluster-shape.js';
import type { ClusterKind } from '../../settings/cluster-settings.js';
import type { Problem } from '../../core/problem.js';
import { assignmentOf, Endpoint, EndpointLists, type EndpointSpec, groupEndpoints } from '../fields/endpoints.js';
import { fieldOf, isMap, itemsOf, listNode, mapNode, textOf, valueAt, withField } from '../../config/source/trees.js';

/**
 * The shorthand for endpoints written out: an ordinary ClusterLoadAssignment, in the tree of the document before anything
 * else reads it. Hosts are grouped by priority and locality, groups in the order of their first host.
 * @param misspelt an entry that is not called `endpoints` and probably should be.
 * @returns problems of `endpoints` itself; in `faulty` the clusters whose hosts could not all be read.
 */
export function expandEndpoints(document: SourceDocument, misspelt?: MapEntry) {
  const { root } = document;
  const endpoints = fieldOf(root, 'endpoints') ?? misspelt;
  const problems: Problem[] = [];
  const faulty = new Set<string>();
  if (root.kind !== 'map' || endpoints === undefined) return { document, problems, faulty };
  const isMeant = endpoints.key === 'endpoints';
  const options = { vocabulary: 'scenario', node: endpoints.value, path: ['endpoints'] } as const;
  const read = isMeant ? check(EndpointLists, document, options) : { value: undefined, problems: [] };
  addAll(problems, read.problems);
  const list = fieldOf(root, 'clusters');
  const clusters = [...itemsOf(list?.value)];
  const names = clusters.map((cluster) => textOf(valueAt(cluster, 'name')));
  const known = new Map<SourceNode, unknown>();
  let assignments = valueAt(root, 'assignments');
  const lists = isMeant && isMap(endpoints.value) ? endpoints.value.entries : [];
  for (const entry of lists) {
    const { key: name, value: items } = entry;
    const key = keySpan(entry);
    const index = names.indexOf(name);
    const cluster = clusters[index];
    // A cluster that does not exist is reported with all other names, see references.ts.
    if (!isMap(cluster)) continue;
    if (items.kind !== 'list') {
      faulty.add(name);
      clusters[index] = withSomeHosts(cluster, name, key, known);
      continue;
    }
    const type = typeOf(cluster);
    const service = textOf(valueAt(cluster, 'eds_cluster_config', 'service_name')) ?? name;
    const rival = rivalOf(cluster, name, type, fieldOf(assignments, service));
    if (rival !== undefined) {
      faulty.add(name);
      problems.push(problemAt(document, ['endpoints', name], 'error', 'endpoints', rival));
      continue;
    }
    const mayBeNames = type === undefined || type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
    const specs = own(read.value ?? {}, name);
    const hosts = items.items.map((item, at): ExpandedHost => {
      const path = ['endpoints', name, at];
      const spec = specs?.[at] ?? check(Endpoint, document, { vocabulary: 'scenario', node: item, path }).value;
      const isStray = spec !== undefined && spec.address.ip === undefined && !mayBeNames;
      if (isStray) {
        const text = `${spec.address.host} is a name: give the hosts of ${name} IP addresses, or the cluster type: STRICT_DNS`;
        problems.push(problemAt(document, path, 'error', 'address', text));
      }
      if (spec !== undefined && !isStray) return { item, spec };
      faulty.add(name);
      return { item, spec: UNKNOWN_HOST };
    });
    if (type === 'EDS') {
      const map = isMap(assignments) ? assignments : mapNode({}, key);
      assignments = withField(map, service, assignmentNode(service, hosts, key, known), key);
    } else clusters[index] = withField(cluster, 'load_assignment', assignmentNode(name, hosts, key, known), key);
  }
  const keys = lists.map((entry) => entry.key);
  const real = present(names);
  const referred = new Set(keys.filter((key) => !real.includes(key)).map((key) => nearest(key, real)));
  for (const [index, name] of names.entries()) {
    // The hosts could not be read: then it is no second problem that there are none. Nor is it of a cluster without a name,
    // which cannot be matched with an entry.
    const isUnread = !isMeant || !isMap(endpoints.value) || name === undefined || referred.has(name);
    if (!isUnread) continue;
    faulty.add(name ?? '');
    clusters[index] = withSomeHosts(clusters[index] as SourceNode, name ?? '', keySpan(endpoints), known);
  }
  let expanded = root;
  if (list?.value.kind === 'list')
    expanded = withField(expanded, 'clusters', { ...list.value, items: clusters }, keySpan(list));
  if (assignments !== undefined) expanded = withField(expanded, 'assignments', assignments, keySpan(endpoints));
  if (isMeant) known.set(endpoints.value, {});
  return { document: new SourceDocument(document.texts, expanded, known), problems, faulty };
}

/** Why `endpoints` cannot be used for a cluster. @param assignment of the name by which it would ask for one. */
function rivalOf(
  cluster: MapNode,
  name: string,
  type: ClusterKind | undefined,
  assignment: MapEntry | undefined,
): string | undefined {
  const written = fieldOf(cluster, 'load_assignment') ?? fieldOf(cluster, 'hosts');
  if (written !== undefined) return `${name} has a ${written.key} of its own: write its endpoints in one place`;
  if (type === 'ORIGINAL_DST')
    return `${name} is an ORIGINAL_DST cluster: its hosts come from the requests, it takes no endpoints`;
  const given = type === 'EDS' ? assignment?.key : undefined;
  return given && `assignments has ${given} already: write the endpoints of ${name} in one place`;
}

function withSomeHosts(cluster: SourceNode, name: string, key: Span, known: Map<SourceNode, unknown>): SourceNode {
  if (!isMap(cluster)) return cluster;
  const written = fieldOf(cluster, 'load_assignment') ?? fieldOf(cluster, 'hosts');
  const type = typeOf(cluster);
  if (written !== undefined || type === 'EDS' || type === 'ORIGINAL_DST') return cluster;
  const assumed = assignmentNode(name, [{ item: cluster, spec: UNKNOWN_HOST }], key, known);
  return withField(cluster, 'load_assignment', assumed, key);
}

/** A node, for the places of problems; `known` gets its value, so that it need not be read again. */
function assignmentNode(
  name: string,
  hosts: readonly ExpandedHost[],
  key: Span,
  known: Map<SourceNode, unknown>,
): SourceNode {
  const groups = groupEndpoints(hosts);
  const lists = groups.map(({ items }) => {
    const nodes: SourceNode[] = [];
    for (const { item, spec } of items) {
      const node = mapNode({}, item.kind === 'scalar' ? item : { start: item.start, end: item.start + 1 });
      for (let at = 0; at < spec.count; at++) nodes.push(node);
    }
    return mapNode({ lb_endpoints: listNode(nodes, key) }, nodes[0] ?? key);
  });
  const written = mapNode({ endpoints: listNode(lists, key) }, key);
  known.set(written, assignmentOf(name, groups));
  return written;
}

type ExpandedHost = Readonly<{ item: SourceNode; spec: EndpointSpec }>;

const UNKNOWN_HOST: EndpointSpec = { address: { host: '0.0.0.0', ip: undefined, port: 0 }, count: 1, priority: 0 };

const DISCOVERY_TYPES: readonly DiscoveryType[] = ['STATIC', 'STRICT_DNS', 'LOGICAL_DNS', 'EDS', 'ORIGINAL_DST'];

/** Of a cluster that has not been checked yet; enums go by name in any case or by number. */
function typeOf(cluster: SourceNode): ClusterKind | undefined {
  const name = textOf(valueAt(cluster, 'cluster_type', 'name'));
  if (name !== undefined) return discoveryType({ type: 'STATIC', clusterType: { name } });
  const type = fieldOf(cluster, 'type');
  if (type === undefined) return misspeltField(cluster, 'type', Cluster) === undefined ? 'STATIC' : undefined;
  const text = textOf(type.value);
  if (text === undefined) return undefined;
  return DISCOVERY_TYPES[Number(text)] ?? DISCOVERY_TYPES.find((one) => one === text.toUpperCase());
}

/** An entry whose key is unknown and probably a misspelling of this one. */
export function misspeltField(node: SourceNode, name: string, schema: Schema<unknown>): MapEntry | undefined {
  if (!isMap(node)) return undefined;
  const fields = Object.keys(schema.marks.message?.shape ?? {});
  return node.entries.find(({ key }) => !fields.includes(snake(key)) && nearest(snake(key), fields) === name);
}
