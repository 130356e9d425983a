import { addAll, present } from '../../core/lists.js';
import {
  check,
  type MapNode,
  type Output,
  problemAt,
  type Schema,
  SourceDocument,
  type SourceNode,
} from '../../config/reader.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { discoveryType, type DiscoveryType } from '../../config/cluster/discovery.js';
import type { ClusterKind } from '../../settings/cluster-settings.js';
import { snake } from '../../config/reader/letter-case.js';
import { nearest } from '../../config/reader/error-words.js';
import type { MapEntry } from '../../config/source/document.js';
import type { Problem } from '../../core/problem.js';
import { own } from '../../core/own.js';
import { assignmentOf, Endpoint, EndpointLists, type EndpointSpec, groupEndpoints } from '../fields/endpoints.js';
import { keySpan, type Span } from '../../config/reader/spans.js';
import { fieldOf, isMap, itemsOf, listNode, mapNode, textOf, valueAt, withField } from '../../config/source/trees.js';

/**
 * The shorthand for endpoints written out: an ordinary ClusterLoadAssignment, in the tree of the document before anything
 * else reads it. Hosts are grouped by priority and locality, groups in the order of their first host.
 *
 * @param misspelt an entry that is not called `endpoints` and probably should be.
 * @returns problems of `endpoints` itself; in `faulty` the clusters whose hosts could not all be read.
 */
export function expandEndpoints(document: SourceDocument, misspelt?: MapEntry) {
  const { root } = document;
  const endpoints = fieldOf(root, 'endpoints') ?? misspelt;
  if (root.kind !== 'map' || endpoints === undefined) return { document, problems: [], faulty: new Set<string>() };
  const expander = new Expander(document, root);
  if (endpoints.key === 'endpoints') expander.expand(endpoints);
  else expander.fail(keySpan(endpoints));
  return { document: expander.documentOf(root, endpoints), problems: expander.problems, faulty: expander.faulty };
}

class Expander {
  readonly problems: Problem[] = [];
  readonly faulty = new Set<string>();
  private readonly clusters: SourceNode[];
  private readonly names: readonly (string | undefined)[];
  private readonly known = new Map<SourceNode, unknown>();
  private assignments: SourceNode | undefined;

  constructor(
    private readonly document: SourceDocument,
    root: MapNode,
  ) {
    this.clusters = [...itemsOf(valueAt(root, 'clusters'))];
    this.names = this.clusters.map((cluster) => textOf(valueAt(cluster, 'name')));
    this.assignments = valueAt(root, 'assignments');
  }

  documentOf(root: MapNode, endpoints: MapEntry): SourceDocument {
    const list = fieldOf(root, 'clusters');
    let expanded = root;
    if (list?.value.kind === 'list') {
      expanded = withField(expanded, 'clusters', { ...list.value, items: this.clusters }, keySpan(list));
    }
    if (this.assignments !== undefined) {
      expanded = withField(expanded, 'assignments', this.assignments, keySpan(endpoints));
    }
    if (endpoints.key === 'endpoints') this.known.set(endpoints.value, {});
    return new SourceDocument(this.document.texts, expanded, this.known);
  }

  expand(endpoints: MapEntry): void {
    const { value } = endpoints;
    const options = { vocabulary: 'scenario', node: value, path: ['endpoints'] } as const;
    const { value: lists, problems } = check(EndpointLists, this.document, options);
    addAll(this.problems, problems);
    if (value.kind !== 'map') {
      this.fail(keySpan(endpoints));
      return;
    }
    for (const entry of value.entries) this.expandList(entry, lists);
    const names = present(this.names);
    const strays = value.entries.filter(({ key }) => !names.includes(key));
    const referred = new Set(strays.map(({ key }) => nearest(key, names)));
    for (const [index, name] of this.names.entries()) {
      // A cluster without a name cannot be matched with an entry.
      if (name === undefined || referred.has(name)) this.assumeHosts(index, keySpan(endpoints));
    }
  }

  /** The hosts of a cluster could not be read: then it is no second problem that it has none. */
  fail(key: Span): void {
    for (const index of this.clusters.keys()) this.assumeHosts(index, key);
  }

  /** @param lists undefined: there are mistakes among them. */
  private expandList(entry: MapEntry, lists: Output<typeof EndpointLists> | undefined): void {
    const { key: name, value: list } = entry;
    const index = this.names.indexOf(name);
    const cluster = this.clusters[index];
    // A cluster that does not exist is reported with all other names, see references.ts.
    if (cluster?.kind !== 'map') return;
    const key = keySpan(entry);
    if (list.kind !== 'list') {
      this.assumeHosts(index, key);
      return;
    }
    const type = typeOf(cluster);
    const service = textOf(valueAt(cluster, 'eds_cluster_config', 'service_name'));
    const rival = this.rivalOf(name, cluster, type, service);
    if (rival !== undefined) {
      this.faulty.add(name);
      this.problems.push(problemAt(this.document, ['endpoints', name], 'error', 'endpoints', rival));
      return;
    }
    const resolved = type === undefined || type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
    const expanded = this.hostsOf(name, list.items, own(lists ?? {}, name), resolved);
    if (type === 'EDS') {
      const assigned = service ?? name;
      const map = this.assignments?.kind === 'map' ? this.assignments : mapNode({}, key);
      this.assignments = withField(map, assigned, this.assignment(assigned, expanded, key), key);
    } else this.clusters[index] = withField(cluster, 'load_assignment', this.assignment(name, expanded, key), key);
  }

  private rivalOf(name: string, cluster: MapNode, type: ClusterKind | undefined, service = name): string | undefined {
    const own = fieldOf(cluster, 'load_assignment') ?? fieldOf(cluster, 'hosts');
    if (own !== undefined) return `${name} has a ${own.key} of its own: write its endpoints in one place`;
    if (type === 'ORIGINAL_DST') {
      return `${name} is an ORIGINAL_DST cluster: its hosts come from the requests, it takes no endpoints`;
    }
    const given = [name, service].find((one) => fieldOf(this.assignments, one) !== undefined);
    return type === 'EDS' && given !== undefined
      ? `assignments has ${given} already: write the endpoints of ${name} in one place`
      : undefined;
  }

  private assumeHosts(index: number, key: Span): void {
    const cluster = this.clusters[index];
    const name = this.names[index] ?? '';
    this.faulty.add(name);
    if (cluster?.kind !== 'map') return;
    const written = fieldOf(cluster, 'load_assignment') ?? fieldOf(cluster, 'hosts');
    const type = typeOf(cluster);
    if (written !== undefined || type === 'EDS' || type === 'ORIGINAL_DST') return;
    const assumed = this.assignment(name, [{ item: cluster, spec: UNKNOWN_HOST }], key);
    this.clusters[index] = withField(cluster, 'load_assignment', assumed, key);
  }

  /** @param names whether a host may be a name. */
  private hostsOf(
    name: string,
    items: readonly SourceNode[],
    specs: readonly EndpointSpec[] | undefined,
    names: boolean,
  ): readonly ExpandedHost[] {
    const expanded: ExpandedHost[] = [];
    for (const [at, item] of items.entries()) {
      const path = ['endpoints', name, at];
      const spec = specs?.[at] ?? check(Endpoint, this.document, { vocabulary: 'scenario', node: item, path }).value;
      const named = spec !== undefined && spec.address.ip === undefined;
      if (named && !names) {
        const text = `${spec.address.host} is a name: give the hosts of ${name} IP addresses, or the cluster type: STRICT_DNS`;
        this.problems.push(problemAt(this.document, path, 'error', 'address', text));
      }
      const sound = spec !== undefined && (!named || names);
      if (!sound) this.faulty.add(name);
      expanded.push({ item, spec: sound ? spec : UNKNOWN_HOST });
    }
    return expanded;
  }

  /** A node, for the places of problems, with its value, so that it need not be read again. */
  private assignment(name: string, expanded: readonly ExpandedHost[], key: Span): SourceNode {
    const groups = groupEndpoints(expanded);
    const lists = groups.map(({ items }) => {
      const nodes = items.flatMap(({ item, spec }): SourceNode[] => {
        const node = mapNode({}, item.kind === 'scalar' ? item : { start: item.start, end: item.start + 1 });
        return Array<SourceNode>(spec.count).fill(node);
      });
      return withField(mapNode({}, key), 'lb_endpoints', listNode(nodes, key), key);
    });
    const written = withField(mapNode({}, key), 'endpoints', listNode(lists, key), key);
    this.known.set(written, assignmentOf(name, groups));
    return written;
  }
}

interface ExpandedHost {
  readonly item: SourceNode;
  readonly spec: EndpointSpec;
}

/** Placeholder of a host that could not be read. */
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
