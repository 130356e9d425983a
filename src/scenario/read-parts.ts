import { whereAbsent } from '../config/reader/schema.js';
import { Bootstrap, clustersOf, staticRuntime } from '../config/bootstrap.js';
import type { ClusterLoadAssignment } from '../config/assignment-rules.js';
import { Cluster } from '../config/cluster/cluster.js';
import * as readers from '../config/reader.js';
import type { MapEntry, SourceNode } from '../config/source/document.js';
import { detectKind, type DocumentKind, v1Problem } from '../config/validate.js';
import { present } from '../core/values.js';
import type { Micros } from '../core/units.js';
import { MODERN_PROXY_VERSION, type ProxyVersion } from '../core/version.js';
import { type EachCluster, withEachCluster } from './assemble/each-cluster.js';
import { expandEndpoints, misspeltField } from './assemble/expand-endpoints.js';
import { fieldOf, isMap, itemsOf, textOf, valueAt } from '../config/source/trees.js';
import { defaultProxy, type NamelessProxy, nameProxy, numbered } from './fields/proxies.js';
import { type ScenarioFields, ScenarioFile } from './scenario.js';
import { NamedHosts } from './assemble/known-hosts.js';
import type { DnsAnswer, ProxySpec } from '../settings/world.js';
import type { TimelineEntry } from './model.js';

export interface Overrides extends Pick<readers.CheckOptions, 'fileExists' | 'forStart' | 'policies'> {
  readonly version: ProxyVersion | undefined;
  readonly seed: string | undefined;
  readonly durationUs: Micros | undefined;
  readonly warmupUs: Micros | undefined;
  /** Which clusters a pattern of the scenario may mean. */
  readonly isMeant: (name: string) => boolean;
}

/** Reads any of the three kinds of file. @returns the document with every shorthand for endpoints written out. */
export function readParts(document: readers.SourceDocument, overrides: Overrides) {
  const v1 = v1Problem(document);
  if (v1 !== undefined) return { document, parts: undefined, problems: [v1] };
  return READERS[detectKind(document)](document, overrides);
}

const READERS = { bootstrap: readBootstrap, cluster: readCluster, scenario: readScenarioFile };

function readScenarioFile(written: readers.SourceDocument, overrides: Overrides) {
  const { problems, faulty, ...expanded } = expandEndpoints(written, misspelt(written.root, 'endpoints'));
  const each = withEachCluster(expanded.document, overrides.isMeant);
  const { document } = each;
  const checked = checkForRun(ScenarioFile, document, 'scenario', overrides);
  const all = [...problems, ...checked.problems];
  if (!isMap(document.root)) return { document, parts: undefined, problems: all };
  const { value } = checked;
  return { document, parts: partsOf(each, value ?? recover(document, overrides), faulty, overrides), problems: all };
}

const misspelt = (root: SourceNode, name: string): MapEntry | undefined => misspeltField(root, name, ScenarioFile);

/** The fields with references; entries that could not be read are undefined. */
type Fields = { readonly [Key in keyof ScenarioFields]?: Holes<ScenarioFields[Key]> | undefined };
type Holes<T> = T extends readonly (infer Item)[] ? readonly (Item | undefined)[] : T;

/** Reads whatever can be read of a file with errors, field by field and entry by entry. The problems are known already. */
function recover(document: readers.SourceDocument, { policies }: Overrides): Fields {
  const { root } = document;
  const read = (schema: readers.Schema<unknown>, node: SourceNode, path: readers.Path): unknown =>
    readers.check(schema, document, { vocabulary: 'scenario', node, path, policies }).value;
  const fields = Object.entries(ScenarioFile.marks.message?.shape ?? {}).map(([name, schema]) => {
    const item = itemIn(schema);
    const node = valueAt(root, name) ?? (item && misspelt(root, name)?.value);
    if (node === undefined) return [name, undefined];
    const { form } = whereAbsent(schema).inner;
    if (form.kind === 'map' && isMap(node)) {
      const entries = node.entries.map(({ key, value }) => [key, read(form.value, value, [name, key])] as const);
      return [name, Object.fromEntries(entries.filter(([, value]) => value !== undefined))];
    }
    if (item === undefined) return [name, read(schema, node, [name])];
    // The field exists and is not empty.
    if (node.kind !== 'list') return [name, [undefined]];
    const items = node.items.map((one, index) => read(item, one, [name, index]));
    return [name, items.length === 0 ? undefined : items];
  });
  return Object.fromEntries(fields) as Fields;
}

/** Of a list, what its entries are. */
function itemIn({ form }: readers.Schema<unknown>): readers.Schema<unknown> | undefined {
  if (form.kind === 'list') return form.item;
  return 'inner' in form ? itemIn(form.inner) : undefined;
}

const REFERRING = ['behavior', 'hosts', 'workloads', 'requests', 'timeline', 'question', 'expect'] as const;

/**
 * A scenario as far as it could be read: lists are parallel to the lists of the file, undefined where an entry has errors
 * of its own. Everything that can be checked is checked, so that one typo does not hide the next.
 */
export type ScenarioParts = ReturnType<typeof partsOf>;

/** @param faulty clusters whose endpoints could not all be read. */
function partsOf(
  { document, ...each }: EachCluster,
  fields: Fields,
  faulty: ReadonlySet<string>,
  overrides: Overrides,
) {
  const { root } = document;
  const kind = 'scenario' as DocumentKind;
  const given = (name: string): MapEntry | undefined => fieldOf(root, name) ?? misspelt(root, name);
  const clusterNodes = itemsOf(valueAt(root, 'clusters'));
  const updates = itemsOf(valueAt(root, 'timeline')).flatMap((entry) => valueAt(entry, 'update_cluster') ?? []);
  const names = [...clusterNodes, ...updates].map((node) => textOf(valueAt(node, 'name')));
  const clusters = fields.clusters ?? [];
  const endpoints = valueAt(root, 'endpoints');
  const assigned = valueAt(root, 'assignments');
  const assignments: ReadonlyMap<string, ClusterLoadAssignment> = new Map(Object.entries(fields.assignments ?? {}));
  const dns: ReadonlyMap<string, DnsAnswer> = fields.dns ?? new Map<string, DnsAnswer>();
  const alone = fields.proxies === undefined && given('proxy') !== undefined;
  const proxies = fields.proxies ?? (alone ? [fields.proxy] : [defaultProxy()]);
  const useHosts = fieldOf(root, 'behavior') === undefined && fieldOf(root, 'hosts') !== undefined;
  return {
    kind,
    name: fields.name,
    description: fields.description ?? '',
    seed: overrides.seed ?? fields.seed ?? '1',
    clusters,
    clusterPath: (index: number): readers.Path => ['clusters', index],
    /** Of all clusters that have one, readable or not, and of those that `update_cluster` brings. */
    clusterNames: present(names),
    /** The name of each entry of `clusters`, be the rest of it readable or not; undefined where it has none. */
    writtenNames: names.slice(0, clusterNodes.length),
    /** Every cluster has a name that could be read: one that is not among `clusterNames` does not exist. */
    clustersNamed: !names.includes(undefined) && clusterNodes.length === clusters.length && !unlisted(fields.timeline),
    endpointNames: isMap(endpoints) ? endpoints.entries.map(({ key }) => key) : [],
    /** Clusters whose `endpoints` could not all be read: they have further hosts. */
    faultyHosts: faulty,
    /** `endpoints`, `assignments` and `dns` could be read whole. */
    hostsRead:
      faulty.size === 0 &&
      // Endpoints find their clusters by the right word only.
      (endpoints === undefined || fieldOf(root, 'clusters') !== undefined) &&
      (assigned === undefined || (isMap(assigned) && assigned.entries.length === assignments.size)) &&
      (given('dns') === undefined || fields.dns !== undefined),
    assignments,
    dns,
    proxies: named(document, proxies, overrides),
    proxyPath: (index: number): readers.Path => (alone ? ['proxy'] : ['proxies', index]),
    /** `behavior`, or `hosts` if the file uses that word. */
    behaviorField: useHosts ? 'hosts' : 'behavior',
    behavior: (useHosts ? fields.hosts : fields.behavior) ?? [],
    workloads: (fields.workloads ?? []).map(
      (workload, index) =>
        workload && { ...workload, ...each.workloads[index], name: workload.name ?? numbered('workload', index) },
    ),
    requests: fields.requests ?? [],
    timeline: fields.timeline ?? [],
    question: fields.question ?? [],
    expect: (fields.expect ?? []).map((one, index) => one && { ...one, ...each.expect[index] }),
    /** Clusters named in entries with errors. */
    unreadReferences: REFERRING.flatMap((name) =>
      itemsOf(valueAt(root, name)).flatMap((entry, index) =>
        fields[name]?.[index] === undefined ? clusterReferences(entry, [name, index]) : [],
      ),
    ),
    durationUs: overrides.durationUs ?? fields.duration,
    /** `duration` has errors: its absence is not reported. */
    durationWrong: fields.duration === undefined && given('duration') !== undefined,
    warmupUs: overrides.warmupUs ?? fields.warmup ?? 0,
  };
}

const unlisted = (list: readonly unknown[] = []): boolean => list.length === 1 && list[0] === undefined;

/** Clusters of v3 belong to proxies that know v3. */
function named(
  document: readers.SourceDocument,
  proxies: readonly (NamelessProxy | undefined)[],
  { version }: Overrides,
): readonly (ProxySpec | undefined)[] {
  const byDefault = document.texts.some(({ api }) => api === 'v3') ? MODERN_PROXY_VERSION : undefined;
  return proxies.map((proxy, index) => proxy && nameProxy(proxy, index, version, byDefault));
}

function readCluster(document: readers.SourceDocument, overrides: Overrides) {
  const { value, problems } = checkForRun(Cluster, document, 'proxy', overrides);
  const own = { kind: 'cluster', clusterPath: () => [], proxyPath: () => [] } as const;
  return { document, parts: foreign(document, own, [value], defaultProxy(), overrides), problems };
}

function readBootstrap(document: readers.SourceDocument, overrides: Overrides) {
  const { value, problems } = checkForRun(Bootstrap, document, 'proxy', overrides);
  if (value === undefined) return { document, parts: undefined, problems };
  const own = {
    kind: 'bootstrap',
    clusterPath: (index: number): readers.Path => ['static_resources', 'clusters', index],
    proxyPath: () => ['cluster_manager'],
  } as const;
  const localClusterName = value.clusterManager?.localClusterName ?? '';
  const common = defaultProxy();
  const proxy = {
    ...common,
    node: value.node,
    localClusterName: localClusterName === '' ? undefined : localClusterName,
    runtime: staticRuntime(value.layeredRuntime),
    statsFlushIntervalUs: Math.round(value.statsFlushInterval ?? common.statsFlushIntervalUs),
    statsConfig: value.statsConfig,
    statsSinks: value.statsSinks,
  };
  return { document, parts: foreign(document, own, clustersOf(value), proxy, overrides), problems };
}

const checkForRun = <S extends readers.Schema<unknown>>(
  schema: S,
  document: readers.SourceDocument,
  vocabulary: readers.Vocabulary,
  { fileExists, forStart, policies }: Overrides,
): readers.CheckResult<readers.Output<S>> =>
  readers.check(schema, document, { vocabulary, fileExists, forRun: true, forStart, policies });

/** A file of the proxy as a scenario with clusters and a proxy only. */
const foreign = (
  document: readers.SourceDocument,
  own: Pick<ScenarioParts, 'kind' | 'clusterPath' | 'proxyPath'>,
  clusters: readonly (Cluster | undefined)[],
  proxy: NamelessProxy,
  overrides: Overrides,
): ScenarioParts => ({
  ...partsOf({ document, expect: [], workloads: [] }, { clusters, proxies: [proxy] }, new Set(), overrides),
  ...own,
  clusterNames: clusters.flatMap((cluster) => cluster?.name ?? []),
  writtenNames: clusters.map((cluster) => cluster?.name),
  clustersNamed: !clusters.includes(undefined),
  endpointNames: [],
  hostsRead: true,
  unreadReferences: [],
});

type ClusterReference = Readonly<{ cluster: string; path: readers.Path }>;

/** Not searched: proxy configuration, and maps with free keys. */
const FOREIGN = new Set(['update_cluster', 'assign', 'metadata', 'metadata_match', 'headers', 'dns', 'set_runtime']);

/** The clusters named in an entry with errors: a typo in its rate must not hide one in its cluster. */
export function clusterReferences(node: SourceNode | undefined, path: readers.Path): readonly ClusterReference[] {
  const items = itemsOf(node);
  if (items.length > 0) return items.flatMap((item, index) => clusterReferences(item, [...path, index]));
  if (!isMap(node)) return [];
  return node.entries.flatMap(({ key, value }) => {
    if (FOREIGN.has(key)) return [];
    const cluster = key === 'cluster' ? textOf(value) : undefined;
    return cluster === undefined ? clusterReferences(value, [...path, key]) : [{ cluster, path: [...path, key] }];
  });
}

/** Every host the file names; undefined if a source of hosts could not be read. */
export function namedHosts(
  parts: Pick<ScenarioParts, 'clusters' | 'hostsRead' | 'assignments' | 'dns'> & {
    readonly timeline: readonly (TimelineEntry | undefined)[];
  },
): NamedHosts | undefined {
  const clusters = present(parts.clusters);
  const timeline = present(parts.timeline);
  const whole = clusters.length === parts.clusters.length && timeline.length === parts.timeline.length;
  if (!whole || !parts.hostsRead) return undefined;
  return new NamedHosts({ clusters, assignments: parts.assignments, dns: parts.dns, timeline });
}
