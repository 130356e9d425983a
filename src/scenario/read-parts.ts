import { Bootstrap, clustersOf, staticRuntime } from '../config/bootstrap.js';
import { Cluster } from '../config/cluster/cluster.js';
import { ClusterLoadAssignment } from '../config/endpoint.js';
import {
  check,
  type CheckResult,
  type Output,
  type Path,
  type Schema,
  type SourceDocument,
  type Vocabulary,
} from '../config/reader.js';
import type { MapEntry, SourceNode } from '../config/source/document.js';
import { detectKind, v1Problem } from '../config/validate.js';
import type { Problem } from '../core/problem.js';
import type { Micros } from '../core/units.js';
import { MODERN_PROXY_VERSION, type ProxyVersion } from '../core/version.js';
import { BehaviorEntry } from './fields/behavior.js';
import { DnsMap } from './fields/dns.js';
import { type EachCluster, withEachCluster } from './assemble/each-cluster.js';
import { expandEndpoints, misspeltField } from './assemble/expand-endpoints.js';
import { ExpectationEntry, QuestionEntry } from './fields/expectation.js';
import { DurationText, RunTime } from './fields/fields.js';
import { fieldOf, isMap, itemsOf, textOf, valueAt } from '../config/source/trees.js';
import { clusterReferences, type ScenarioParts } from './scenario-parts.js';
import { DEFAULT_PROXY, type NamelessProxy, nameProxy, numbered, ProxyEntry } from './fields/proxies.js';
import { ScenarioFile, type ScenarioFields } from './scenario.js';
import { TimelineEntrySchema } from './fields/timeline.js';
import { RequestEntry, WorkloadEntry } from './fields/workload.js';

/** Overrides from the command line, and access to its files. */
export interface Overrides {
  readonly version: ProxyVersion | undefined;
  readonly seed: string | undefined;
  readonly durationUs: Micros | undefined;
  readonly warmupUs: Micros | undefined;
  readonly fileExists?: ((path: string) => boolean) | undefined;
  readonly forStart?: boolean | undefined;
  /** Which clusters a pattern of the scenario may mean. */
  readonly isMeant: (name: string) => boolean;
}

export interface Reading {
  /** As it was read: with every shorthand for endpoints written out. */
  readonly document: SourceDocument;
  /** undefined if nothing could be read. */
  readonly parts: ScenarioParts | undefined;
  readonly problems: readonly Problem[];
}

/** Reads any of the three kinds of file. */
export function readParts(document: SourceDocument, overrides: Overrides): Reading {
  const v1 = v1Problem(document);
  if (v1 !== undefined) return { document, parts: undefined, problems: [v1] };
  switch (detectKind(document)) {
    case 'bootstrap':
      return readBootstrap(document, overrides);
    case 'cluster':
      return readCluster(document, overrides);
    case 'scenario':
      return readScenarioFile(document, overrides);
  }
}

// --- scenarios -----------------------------------------------------------------------------------------------------

function readScenarioFile(written: SourceDocument, overrides: Overrides): Reading {
  const { problems, faulty, ...expanded } = expandEndpoints(written, misspelt(written.root, 'endpoints'));
  const each = withEachCluster(expanded.document, overrides.isMeant);
  const { document } = each;
  const checked = checkForRun(ScenarioFile, document, 'scenario', overrides);
  const all = [...problems, ...checked.problems];
  if (!isMap(document.root)) return { document, parts: undefined, problems: all };
  const { value } = checked;
  return { document, parts: partsOf(each, value ?? recover(document), faulty, overrides), problems: all };
}

/** An entry whose key is unknown and probably a misspelling of this one. */
function misspelt(root: SourceNode, name: string): MapEntry | undefined {
  return misspeltField(root, name, ScenarioFile);
}

/** The fields with references; entries that could not be read are undefined. */
type Fields = { readonly [Key in keyof ScenarioFields]?: ScenarioFields[Key] | Holes<ScenarioFields[Key]> | undefined };
type Holes<T> = T extends readonly (infer Item)[] ? readonly (Item | undefined)[] : T;

/** Reads whatever can be read of a file with errors, entry by entry. The problems are known already. */
function recover(document: SourceDocument): Fields {
  const node = (name: string): SourceNode | undefined => valueAt(document.root, name);
  const read = <T>(schema: Schema<T>, part: SourceNode | undefined, path: Path): T | undefined =>
    part === undefined ? undefined : check(schema, document, { vocabulary: 'scenario', node: part, path }).value;
  const list = <T>(schema: Schema<T>, name: string): readonly (T | undefined)[] | undefined => {
    const part = node(name) ?? misspelt(document.root, name)?.value;
    if (part === undefined) return undefined;
    // The field exists and is not empty.
    return part.kind === 'list' ? part.items.map((item, index) => read(schema, item, [name, index])) : [undefined];
  };
  const assignments = node('assignments');
  const readAssignments = isMap(assignments)
    ? assignments.entries.flatMap(({ key, value }): [string, ClusterLoadAssignment][] => {
        const assignment = read(ClusterLoadAssignment, value, ['assignments', key]);
        return assignment === undefined ? [] : [[key, assignment]];
      })
    : [];
  const proxies = list(ProxyEntry, 'proxies');
  return {
    clusters: list(Cluster, 'clusters'),
    proxies: proxies?.length === 0 ? undefined : proxies,
    proxy: read(ProxyEntry, node('proxy'), ['proxy']),
    dns: read(DnsMap, node('dns'), ['dns']),
    duration: read(RunTime, node('duration'), ['duration']),
    warmup: read(DurationText, node('warmup'), ['warmup']),
    assignments: Object.fromEntries(readAssignments),
    behavior: list(BehaviorEntry, 'behavior'),
    hosts: list(BehaviorEntry, 'hosts'),
    workloads: list(WorkloadEntry, 'workloads'),
    requests: list(RequestEntry, 'requests'),
    timeline: list(TimelineEntrySchema, 'timeline'),
    question: list(QuestionEntry, 'question'),
    expect: list(ExpectationEntry, 'expect'),
  };
}

/** Lists whose entries name clusters. */
const REFERRING = ['behavior', 'hosts', 'workloads', 'requests', 'timeline', 'question', 'expect'] as const;

/** @param faulty clusters whose endpoints could not all be read. */
function partsOf(
  { document, ...each }: EachCluster,
  fields: Fields,
  faulty: ReadonlySet<string>,
  overrides: Overrides,
): ScenarioParts {
  const { root } = document;
  const given = (name: string): MapEntry | undefined => fieldOf(root, name) ?? misspelt(root, name);
  const clusterNodes = itemsOf(valueAt(root, 'clusters'));
  const updates = itemsOf(valueAt(root, 'timeline')).flatMap((entry) => valueAt(entry, 'update_cluster') ?? []);
  const names = [...clusterNodes, ...updates].map((node) => textOf(valueAt(node, 'name')));
  const clusters = fields.clusters ?? [];
  const endpoints = valueAt(root, 'endpoints');
  const assigned = valueAt(root, 'assignments');
  const assignments = new Map(Object.entries(fields.assignments ?? {}));
  const alone = fields.proxies === undefined && given('proxy') !== undefined;
  const proxies = fields.proxies ?? (alone ? [fields.proxy] : [DEFAULT_PROXY]);
  const useHosts = fieldOf(root, 'behavior') === undefined && fieldOf(root, 'hosts') !== undefined;
  return {
    kind: 'scenario',
    name: fields.name,
    description: fields.description ?? '',
    seed: overrides.seed ?? fields.seed ?? '1',
    clusters,
    clusterPath: (index) => ['clusters', index],
    clusterNames: names.filter((name) => name !== undefined),
    writtenNames: names.slice(0, clusterNodes.length),
    clustersNamed: !names.includes(undefined) && clusterNodes.length === clusters.length && !unlisted(fields.timeline),
    endpointNames: isMap(endpoints) ? endpoints.entries.map(({ key }) => key) : [],
    faultyHosts: faulty,
    hostsRead:
      faulty.size === 0 &&
      // Endpoints find their clusters by the right word only.
      (endpoints === undefined || fieldOf(root, 'clusters') !== undefined) &&
      (assigned === undefined || (isMap(assigned) && assigned.entries.length === assignments.size)) &&
      (given('dns') === undefined || fields.dns !== undefined),
    assignments,
    dns: fields.dns ?? new Map(),
    proxies: named(document, proxies, overrides),
    proxyPath: (index) => (alone ? ['proxy'] : ['proxies', index]),
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
    unreadReferences: REFERRING.flatMap((name) =>
      itemsOf(valueAt(root, name)).flatMap((entry, index) =>
        fields[name]?.[index] === undefined ? clusterReferences(entry, [name, index]) : [],
      ),
    ),
    durationUs: overrides.durationUs ?? fields.duration,
    durationWrong: fields.duration === undefined && given('duration') !== undefined,
    warmupUs: overrides.warmupUs ?? fields.warmup ?? 0,
  };
}

/** The value is no list. */
function unlisted(list: readonly unknown[] = []): boolean {
  return list.length === 1 && list[0] === undefined;
}

/** Clusters of v3 belong to proxies that know v3. */
function named(
  document: SourceDocument,
  proxies: readonly (NamelessProxy | undefined)[],
  { version }: Overrides,
): ScenarioParts['proxies'] {
  const byDefault = document.texts.some(({ api }) => api === 'v3') ? MODERN_PROXY_VERSION : undefined;
  return proxies.map((proxy, index) => proxy && nameProxy(proxy, index, version, byDefault));
}

// --- the proxy's own files -----------------------------------------------------------------------------------------

function readCluster(document: SourceDocument, overrides: Overrides): Reading {
  const { value, problems } = checkForRun(Cluster, document, 'proxy', overrides);
  const own = { kind: 'cluster', clusterPath: () => [], proxyPath: () => [] } as const;
  return { document, parts: foreign(document, own, [value], DEFAULT_PROXY, overrides), problems };
}

function readBootstrap(document: SourceDocument, overrides: Overrides): Reading {
  const { value, problems } = checkForRun(Bootstrap, document, 'proxy', overrides);
  if (value === undefined) return { document, parts: undefined, problems };
  const own = {
    kind: 'bootstrap',
    clusterPath: (index: number): Path => ['static_resources', 'clusters', index],
    proxyPath: () => ['cluster_manager'],
  } as const;
  const parts = foreign(document, own, clustersOf(value), proxyOf(value), overrides);
  return { document, parts, problems };
}

function proxyOf(bootstrap: Bootstrap): NamelessProxy {
  const localClusterName = bootstrap.clusterManager?.localClusterName ?? '';
  return {
    ...DEFAULT_PROXY,
    node: bootstrap.node,
    localClusterName: localClusterName === '' ? undefined : localClusterName,
    runtime: staticRuntime(bootstrap.layeredRuntime),
    statsFlushIntervalUs: Math.round(bootstrap.statsFlushInterval ?? DEFAULT_PROXY.statsFlushIntervalUs),
    statsConfig: bootstrap.statsConfig,
    statsSinks: bootstrap.statsSinks,
  };
}

function checkForRun<S extends Schema<unknown>>(
  schema: S,
  document: SourceDocument,
  vocabulary: Vocabulary,
  { fileExists, forStart = false }: Overrides,
): CheckResult<Output<S>> {
  return check(schema, document, { vocabulary, fileExists, forRun: true, forStart });
}

/** A file of the proxy as a scenario with clusters and a proxy only. */
function foreign(
  document: SourceDocument,
  own: Pick<ScenarioParts, 'kind' | 'clusterPath' | 'proxyPath'>,
  clusters: readonly (Cluster | undefined)[],
  proxy: NamelessProxy,
  overrides: Overrides,
): ScenarioParts {
  return {
    ...own,
    name: undefined,
    description: '',
    seed: overrides.seed ?? '1',
    clusters,
    clusterNames: clusters.flatMap((cluster) => cluster?.name ?? []),
    writtenNames: clusters.map((cluster) => cluster?.name),
    clustersNamed: !clusters.includes(undefined),
    endpointNames: [],
    faultyHosts: new Set(),
    hostsRead: true,
    assignments: new Map(),
    dns: new Map(),
    proxies: named(document, [proxy], overrides),
    behaviorField: 'behavior',
    behavior: [],
    workloads: [],
    requests: [],
    timeline: [],
    question: [],
    expect: [],
    unreadReferences: [],
    durationUs: overrides.durationUs,
    durationWrong: false,
    warmupUs: overrides.warmupUs ?? 0,
  };
}
