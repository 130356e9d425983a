import { didYouMean, flatItems, keySpan, type SourceNode, type MapEntry, type MapNode } from '../../config/reader.js';
import { flattenRuntime } from '../../config/runtime.js';
import { type Struct, groupBy, repeats } from '../../core/values.js';
import { LinearRegex } from '../../core/regex/linear-regex.js';
import * as trees from '../../config/source/trees.js';
import type { Resource, Resources } from './resources.js';
import { jsonOf } from './routes.js';
import { assignmentOf, dumpedHosts, type HostStatus, hostStatuses, withStatuses } from './statuses.js';
import { someOf } from '../../core/words.js';

/** Clusters by name, as the command line names them: `*` stands for any characters. */

const MAX_LISTED = 12;

export function matcherOf(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern;
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const regex = new LinearRegex(`(?s)${parts.join('.*')}`, 're2');
  return (name) => regex.matches(name);
}

export function anyMatcher(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns);
  const matchers = patterns.filter((pattern) => pattern.includes('*')).map(matcherOf);
  return (name) => names.has(name) || matchers.some((matches) => matches(name));
}

/** A problem: nothing matches; lists the existing names. */
export function noSuchCluster(pattern: string, names: readonly string[]): string {
  if (names.length === 0) return `there is no cluster "${pattern}": there is none at all`;
  const near = didYouMean(pattern.replaceAll('*', ''), names);
  const list = someOf([...new Set(names)], MAX_LISTED);
  const isGlob = pattern.includes('*');
  const wider = !isGlob && names.some(matcherOf(`*${pattern}*`)) ? `, but some match "*${pattern}*"` : '';
  const hint = isGlob || wider !== '' ? '' : '; * stands for any text';
  return `there is no cluster "${pattern}"${near}${wider}; there ${names.length === 1 ? 'is' : 'are'} ${list}${hint}`;
}

/** Names and patterns of clusters, and the hosts that others are given, as `CLUSTER=HOSTS`. */
type Picked = Readonly<{ clusters: readonly string[]; hosts?: readonly string[] | undefined }>;

/**
 * Combines a scenario, if there is one, and the contents of the other documents. Later assignments of one name replace
 * earlier ones, as an update does; clusters of one name are all kept, so that the duplicate is reported.
 * @param picked other clusters are left out, except those that the picked ones need.
 */
export function gather(scenario: MapNode | undefined, documents: readonly Resources[], picked?: Picked): MapNode {
  const assignments = new Map<string, MapNode>();
  for (const { live, assignments: written } of documents) {
    for (const { node } of written) {
      const name = trees.textOf(trees.valueAt(node, 'cluster_name'));
      if (name === undefined || !trees.isMap(node)) continue;
      assignments.set(name, live ? withoutZeroWeights(withoutType(node)) : withoutType(node));
    }
  }
  const written = clustersOf(documents);
  addResolved(written, assignments);
  addStatuses(
    documents.flatMap(({ statuses }) => statuses),
    written,
    assignments,
  );
  const [bootstrap] = documents.flatMap(({ bootstraps }) => bootstraps);
  const wanted = picked === undefined ? written : needed(written, picked, bootstrap?.node);
  const clusters = [...wanted].sort((a, b) => Number(isSink(a)) - Number(isSink(b)));
  const start = scenario ?? trees.mapNode({}, clusters[0]);
  let root = start;
  const span = { start: start.start, end: start.start };
  const own = trees.valueAt(start, 'clusters');
  const items = [...trees.itemsOf(own), ...clusters];
  root = trees.withField(root, 'clusters', trees.listNode(items, own ?? span), span);
  root = withEntries(root, 'assignments', used(assignments, items, picked !== undefined));
  const hasProxy = (trees.fieldOf(root, 'proxy') ?? trees.fieldOf(root, 'proxies')) !== undefined;
  return bootstrap === undefined || hasProxy ? root : trees.withField(root, 'proxy', proxyOf(bootstrap.node), span);
}

/** What a mesh adds for requests to no service: nobody asks about it first. */
const isSink = (cluster: MapNode): boolean =>
  /^(?:BlackHole|(?:Inbound)?Passthrough)Cluster/.test(nameOf(cluster) ?? '');

/** The clusters that are picked or given hosts, the one that the proxies are in, and the levels of aggregate clusters. */
function needed(clusters: readonly MapNode[], picked: Picked, bootstrap?: SourceNode): readonly MapNode[] {
  const isPicked = anyMatcher(picked.clusters);
  const named = groupBy(clusters, (cluster) => nameOf(cluster) ?? '');
  // If nothing matches, that is one problem of all files together.
  if (![...named.keys()].some(isPicked)) return clusters;
  const hasHosts = (name: string): boolean => picked.hosts?.some((option) => option.startsWith(`${name}=`)) === true;
  const kept = new Set([...named].flatMap(([name, own]) => (isPicked(name) || hasHosts(name) ? own : [])));
  const keep = (name: string | undefined): void => {
    for (const cluster of name === undefined ? [] : (named.get(name) ?? [])) kept.add(cluster);
  };
  keep(trees.textOf(trees.valueAt(bootstrap, 'cluster_manager', 'local_cluster_name')));
  // Iterating a Set includes elements added on the way.
  for (const cluster of kept) {
    const config = trees.valueAt(cluster, 'cluster_type', 'typed_config');
    for (const level of trees.itemsOf(trees.valueAt(config, 'clusters'))) keep(trees.textOf(level));
  }
  return clusters.filter((cluster) => kept.has(cluster));
}

function proxyOf(bootstrap: SourceNode): MapNode {
  const local = trees.valueAt(bootstrap, 'cluster_manager', 'local_cluster_name');
  const layers = trees.itemsOf(trees.valueAt(bootstrap, 'layered_runtime', 'layers'));
  const runtime = layers.reduce<Struct>((values, layer) => {
    const own = trees.valueAt(layer, 'static_layer');
    return own === undefined ? values : { ...values, ...flattenRuntime(jsonOf(own) as Struct) };
  }, {});
  return trees.mapNode(
    {
      ...trees.picked(bootstrap, 'node'),
      local_cluster_name: local,
      runtime: Object.keys(runtime).length === 0 ? undefined : trees.nodeOf(runtime, bootstrap),
      ...trees.picked(bootstrap, 'stats_flush_interval', 'stats_config', 'stats_sinks'),
    },
    bootstrap,
  );
}

/**
 * Of a dump, the clusters of its bootstrap stand a second time among its static clusters, here or in another document,
 * and an update may warm.
 */
function clustersOf(documents: readonly Resources[]): MapNode[] {
  const listedNames = new Set(documents.flatMap(({ clusters }) => clusters.map(({ node }) => nameOf(node))));
  return documents.flatMap(({ bootstraps, clusters, live }) => {
    const written = bootstraps.flatMap(({ node }) => clustersIn(node));
    const inBootstraps = live ? written.filter((node) => !listedNames.has(nameOf(node))) : written;
    const listed = [...clusters.map(({ node }) => node), ...inBootstraps].filter(trees.isMap).map(withoutType);
    return live ? distinctByName(listed) : listed;
  });
}

export function clustersIn(bootstrap: SourceNode): readonly SourceNode[] {
  const list = trees.valueAt(bootstrap, 'static_resources', 'clusters');
  return list === undefined ? [] : flatItems(list);
}

function distinctByName(nodes: readonly MapNode[]): MapNode[] {
  const again = new Set(repeats(nodes, nameOf).map(([index]) => index));
  return nodes.filter((node, index) => nameOf(node) === undefined || !again.has(index));
}

/**
 * Assignments of clusters that are discovered: those of other clusters repeat what the cluster itself says.
 * @param only leaves out those of clusters that are not there.
 */
function used(
  assignments: ReadonlyMap<string, MapNode>,
  clusters: readonly SourceNode[],
  only: boolean,
): [string, SourceNode][] {
  const own = new Set<string>();
  const discovered = new Set<string>();
  for (const cluster of clusters) {
    const name = discoveredName(cluster);
    if (name !== undefined) discovered.add(name);
    else own.add(nameOf(cluster) ?? '');
  }
  return [...assignments].filter(([name]) => (only ? discovered.has(name) : !own.has(name)));
}

export function discoveredName(cluster: SourceNode): string | undefined {
  const type = trees.textOf(trees.valueAt(cluster, 'type'));
  if (type?.toUpperCase() !== 'EDS' && type !== '3') return undefined;
  const service = trees.textOf(trees.valueAt(cluster, 'eds_cluster_config', 'service_name'));
  return service ?? nameOf(cluster);
}

/** Hosts as a proxy shows them: their health and addresses, and the cluster itself where no other document has it. */
function addStatuses(statuses: readonly Resource[], clusters: MapNode[], assignments: Map<string, MapNode>): void {
  // Of several of one name the first.
  const indices = new Map(clusters.map((cluster, index) => [nameOf(cluster), index] as const).toReversed());
  for (const { node: status } of statuses) {
    const name = nameOf(status);
    if (name === undefined) continue;
    const hosts = hostStatuses(status);
    const index = indices.get(name);
    const cluster = index === undefined ? undefined : clusters[index];
    if (index === undefined || cluster === undefined) {
      const made = { name: trees.nodeOf(name, status), load_assignment: assignmentOf(name, hosts, status) };
      indices.set(name, clusters.length);
      clusters.push(trees.mapNode(made, status));
      continue;
    }
    const discovered = discoveredName(cluster);
    if (discovered === undefined) {
      clusters[index] = asItIs(cluster, hosts);
      continue;
    }
    const known = assignments.get(discovered);
    const shown = known === undefined ? assignmentOf(discovered, hosts, status) : withStatuses(known, hosts);
    assignments.set(discovered, shown);
  }
}

/** For clusters with their own hosts, a dump shows resolved addresses. */
function addResolved(clusters: MapNode[], assignments: ReadonlyMap<string, MapNode>): void {
  for (const [index, cluster] of clusters.entries()) {
    const shown = assignments.get(nameOf(cluster) ?? '');
    if (shown !== undefined && discoveredName(cluster) === undefined)
      clusters[index] = asItIs(cluster, dumpedHosts(shown));
  }
}

/** A cluster with its own hosts, updated with a proxy's view of them. */
function asItIs(cluster: MapNode, hosts: readonly HostStatus[]): MapNode {
  const own = trees.fieldOf(cluster, 'load_assignment');
  if (own === undefined || !trees.isMap(own.value)) return cluster;
  const single = trees.textOf(trees.valueAt(cluster, 'type'))?.toUpperCase() === 'LOGICAL_DNS';
  return trees.withField(cluster, 'load_assignment', withStatuses(own.value, hosts, single), keySpan(own));
}

const nameOf = (node: SourceNode): string | undefined => trees.textOf(trees.valueAt(node, 'name'));

/** A proxy shows the weight of a locality without one as 0, which is not allowed in a file. */
function withoutZeroWeights(assignment: MapNode): MapNode {
  const weight = 'load_balancing_weight';
  return trees.withItems(assignment, 'endpoints', (group) => [
    trees.textOf(trees.valueAt(group, weight)) === '0' ? trees.dropped(group, [weight]) : group,
  ]);
}

/** Resources of a management server have an `@type`; the messages themselves have no such field. */
const withoutType = (node: MapNode): MapNode =>
  node.entries.some(({ key }) => key === '@type') ? trees.dropped(node, ['@type']) : node;

/** A map of a scenario with further entries; existing ones are kept. */
export function withEntries(root: MapNode, name: string, added: readonly (readonly [string, SourceNode])[]): MapNode {
  const field = trees.fieldOf(root, name);
  const own = field !== undefined && trees.isMap(field.value) ? field.value.entries : [];
  const known = new Set(own.map(({ key }) => key));
  const entries: MapEntry[] = added.flatMap(([key, value]) =>
    known.has(key) ? [] : [{ key, keyStart: value.start, keyEnd: value.end, value }],
  );
  if (entries.length === 0) return root;
  const span = field === undefined ? { start: root.start, end: root.start } : keySpan(field);
  const map = { ...trees.mapNode({}, field?.value ?? span), entries: [...own, ...entries] };
  return trees.withField(root, name, map, span);
}
