import { messageOfUrl } from '../../config/reader/any-value.js';
import { addAll, entryOf, present } from '../../core/values.js';
import { apiOf, type ApiVersion } from '../../config/api/api.js';
import { SourceDocument, type SourceNode } from '../../config/reader.js';
import { snake, spellings } from '../../config/reader/letter-case.js';
import { problemIn } from '../../config/reader/context.js';
import { nearest } from '../../config/reader/error-words.js';
import { Cluster } from '../../config/cluster/cluster.js';
import type { MapNode, SourceText } from '../../config/source/document.js';
import { parseStream, type StreamResult } from '../../config/source/parse.js';
import { detectKind, hasScenarioFields } from '../../config/validate.js';
import { fieldOf, isMap, itemsOf, mapNode, textOf, valueAt, withParts } from '../../config/source/trees.js';
import type { Problem, ProblemRule } from '../../core/problem.js';
import { type FromObjects, fromObjects } from '../objects/control-planes.js';
import type { AskingOptions } from '../generated/load-options.js';
import { isEdited } from '../objects/edited.js';
import { ScenarioFile } from '../scenario.js';
import { type ApiEvidence, apiVersionOf } from './api-version.js';
import { isClustersText, readClustersText } from './clusters-text.js';
import { withEmbedded } from './embedded.js';
import { foreignForm, foreignText, proseProblem, templateProblem } from './foreign.js';
import { clustersIn, gather } from './gather.js';
import { isSnapshot, type Resources, resourcesOf, unknownTypeProblems } from './resources.js';
import type { Rates } from './rates.js';
import { type FileRoute, routesOf, unfollowedProblems } from './routes.js';
import { FORMS } from './generated/forms.js';

/** Consecutive JSON values without separators, as in streams of answers and logs. */
function valuesInRow(text: string): readonly { readonly text: string; readonly start: number }[] {
  const values: { readonly text: string; readonly start: number }[] = [];
  let depth = 0;
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at += 1;
    } else if (character === '{' || character === '[') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth < 0) return [];
      if (depth === 0) values.push({ text: text.slice(start, at + 1), start });
    } else if (depth === 0 && !/\s|\ufeff/.test(character ?? '')) return [];
  }
  return depth === 0 ? values : [];
}

export interface Input {
  /** Its name in problems; `-` is standard input. */
  readonly file: string;
  readonly text: string;
}

export interface ReadInputs {
  /** A scenario, a bare cluster or a bootstrap; undefined where `problems` has an error. */
  readonly document?: SourceDocument;
  readonly problems: readonly Problem[];
  /** Evidence of the API in the texts, each once; empty: none. */
  readonly apis: readonly ApiEvidence[];
  /** The proxy's own files. */
  readonly resources: readonly Resources[];
  /** Their routes. */
  readonly routes: readonly FileRoute[];
  /** None of the texts is a scenario. */
  readonly bare: boolean;
  /** They were made of a control plane's objects: nothing in them is secret. */
  readonly made: boolean;
  /** They tell of clusters only as they stand now: what is configured is in other files. */
  readonly statusOnly: boolean;
  /** Clusters that the proxy uses for itself, and what for. */
  readonly own: ReadonlyMap<string, string>;
  /** What pages of /stats beside them count; absent: there are none. */
  readonly rates?: Rates;
}

interface ReadOptions extends AskingOptions {
  /** The API of the messages. Default: detected. */
  readonly api?: ApiVersion | undefined;
  /** Unknown fields are no errors anywhere. */
  readonly allowUnknownFields?: boolean | undefined;
  /** Without a scenario, clusters that these names and patterns do not match need not be read. */
  readonly clusters?: readonly string[] | undefined;
  /** … except those that are given hosts, as `CLUSTER=HOSTS`. */
  readonly hosts?: readonly string[] | undefined;
  /** In any form, the document becomes a scenario: also a bootstrap or a single cluster. */
  readonly gathered?: boolean;
}

/** A text as it was parsed, with the API of its messages. */
export interface ParsedInput<T extends Input> {
  readonly input: T;
  /** Its documents, placed in this text alone; empty: it cannot be read. */
  readonly roots: readonly SourceNode[];
  readonly json: boolean;
  readonly version: ApiVersion;
}

export function parsedInputs<T extends Input>(inputs: readonly T[], api?: ApiVersion): readonly ParsedInput<T>[] {
  const parsed = inputs.map((input) => {
    const { roots, json } = streamOf(input);
    return { input, roots, json, evidence: api ?? firstOf(roots, apiOfRoot)?.version };
  });
  const isBare = !parsed.some(({ roots }) => roots.some(isScenario));
  const common = firstOf(parsed, ({ evidence }) => evidence) ?? (isBare ? 'v3' : 'v2');
  return parsed.map(({ evidence = common, ...rest }) => ({ ...rest, version: evidence }));
}

/** Lines of what was read are shown with remarks, without secrets. What is larger is read again, and takes no memory until then. */
let lastRead: { readonly of: Input; readonly stream: StreamResult } | undefined;
const MOST_KEPT = 1_000_000;

function streamOf({ file, text }: Input, from = 0): StreamResult {
  if (from === 0 && lastRead?.of.text === text && lastRead.of.file === file) return lastRead.stream;
  const read = readStream(text, file, from);
  const stream = text.includes('TypedStruct') ? { ...read, roots: read.roots.map(withoutTypedStructs) } : read;
  if (from === 0 && (text.length <= MOST_KEPT || stream.roots.length === 0)) lastRead = { of: { file, text }, stream };
  return stream;
}

/** Reads texts of one or several documents each, which are one configuration together. */
export function readInputs(inputs: readonly Input[], options: ReadOptions = {}): ReadInputs {
  const problems: Problem[] = [];
  const texts: ReturnType<typeof described>[] = [];
  const roots: SourceNode[] = [];
  let start = 0;
  for (const { file, text } of inputs) {
    const { roots: read, json, problems: found } = streamOf({ file, text }, start);
    addAll(problems, found);
    texts.push(described({ file, text, json }, read));
    addAll(roots, read);
    start += text.length + 1;
  }
  return together(texts, roots, problems, options);
}

/**
 * Whether a text has no clusters of its own, so that it can only add to others: a page of hosts, assignments, routes, rules of a mesh, a
 * scenario of workloads, a bootstrap whose clusters are told elsewhere.
 */
export function isPartOnly({ file, text }: Input): boolean {
  const { roots } = readStream(text, file);
  if (roots.some(isEdited)) return fromObjects(roots, {}) === undefined;
  const isPart = (root: SourceNode): boolean => {
    if (isScenario(root)) return itemsOf(valueAt(root, 'clusters')).length === 0;
    const found = foreignForm(root) === undefined ? resourcesOf(root) : undefined;
    return found !== undefined && isWithoutClusters({ ...found, statuses: [] });
  };
  return roots.length > 0 && roots.every(isPart);
}

/** The documents of a text, in any format; a known foreign kind becomes a problem that names it. */
function readStream(text: string, file: string, from = 0): StreamResult {
  if (isClustersText(text)) return readClustersText(text, from);
  const stream = parseStream(text, file, from);
  if (stream.roots.length > 0 && !stream.roots.some(isPlainText)) return withEmbedded(stream, text, file, from);
  if (stream.problems.some(({ rule }) => rule === 'too-many-values')) return stream;
  const values = valuesInRow(text).map((value) => parseStream(value.text, file, from + value.start));
  if (values.length > 1 && values.every(({ problems }) => problems.length === 0))
    return { roots: values.flatMap(({ roots }) => roots), json: true, problems: [] };
  const foreign = templateProblem(file, text) ?? foreignText(file, text) ?? proseProblem(text, stream.problems);
  return foreign === undefined ? stream : { ...stream, roots: [], problems: [foreign] };
}

/** No map and no list, or keys that only statistics have. */
const isPlainText = (root: SourceNode): boolean =>
  root.kind === 'scalar' || (isMap(root) && root.entries.some(({ key }) => STATISTIC.test(key)));

const STATISTIC = /^(?:cluster|server|http|listener)\.\S/;

/** The same for a parsed value. */
export const readRoot = (root: SourceNode, file: string, options: ReadOptions = {}): ReadInputs =>
  together([described({ file, text: '', json: true }, [root])], [root], [], options);

const apiOfRoot = (root: SourceNode): ApiEvidence | undefined => apiVersionOf(root, isScenario(root));

function described(text: SourceText, roots: readonly SourceNode[]) {
  const live = roots.some((root) => resourcesOf(root)?.live === true);
  return { source: { ...text, tolerant: live }, evidence: firstOf(roots, apiOfRoot) };
}

function together(
  texts: readonly ReturnType<typeof described>[],
  written: readonly SourceNode[],
  read: readonly Problem[],
  options: ReadOptions,
): ReadInputs {
  const objects = written.some(isEdited) ? fromObjects(written, options) : undefined;
  const { allowUnknownFields = false, gathered = false, clusters, hosts } = options;
  const api = options.api ?? (objects === undefined ? undefined : 'v3');
  const roots = objects?.roots ?? written;
  const problems = objects === undefined ? read : [...read, ...findingsOf(objects, texts)];
  const ofObjects = objects && { version: 'v3' as const, by: objects.form };
  const evidences = present(ofObjects === undefined ? texts.map(({ evidence }) => evidence) : [ofObjects]);
  const apis = new Map(evidences.map((evidence) => [evidence.by, evidence]));
  const bare = !roots.some(isScenario);
  const found = roots.flatMap((root) => (isScenario(root) ? [] : (resourcesOf(root) ?? [])));
  const statusOnly =
    bare &&
    found.some(({ statuses }) => statuses.length > 0) &&
    found.every(({ bootstraps, clusters: own }) => bootstraps.length + own.length === 0);
  const facts = {
    apis: [...apis.values()],
    resources: found,
    routes: found.length === 0 ? [] : routesOf(found),
    own: ownClusters(found),
    bare,
    made: objects !== undefined,
    statusOnly,
  };
  const [only, ...others] = roots;
  if (only === undefined) return { problems, ...facts };
  // A file without evidence gets the API of the others; what people have today is v3.
  const common = firstOf(texts, ({ evidence }) => evidence?.version) ?? (bare ? 'v3' : undefined);
  const versioned = texts.map(({ source, evidence }): SourceText => {
    const version = api ?? evidence?.version ?? common;
    const tolerant = source.tolerant || allowUnknownFields;
    return { ...source, tolerant, ...(version && { api: version }) };
  });
  const document = new SourceDocument(versioned, only);
  if (
    !(gathered && bare) &&
    others.length === 0 &&
    isWrittenWhole(only) &&
    (!bare || clusters === undefined || detectKind({ root: only }) === 'cluster')
  ) {
    return { document, problems, ...facts };
  }
  return { ...combine(document, roots, problems, bare && clusters ? { clusters, hosts } : undefined), ...facts };
}

/** What a control plane's objects cannot say, at their places. */
function findingsOf({ findings }: FromObjects, texts: readonly ReturnType<typeof described>[]): readonly Problem[] {
  const sources = texts.map(({ source }) => source);
  const document = new SourceDocument(sources, mapNode({}));
  return findings.map(({ severity, span, path, message }) =>
    problemIn(document, span, path, severity, severity === 'error' ? 'kind' : 'not-simulated', message),
  );
}

function firstOf<T, R>(list: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of list) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Documents passed to the reader unchanged: a scenario, a bootstrap, a cluster, or what it can refuse by name. */
function isWrittenWhole(root: SourceNode): boolean {
  // A resource of a management server: its content counts.
  if ((isMap(root) && has(root, '@type')) || itemsOf(root).some(isMap) || foreignForm(root) !== undefined) return false;
  const kind = detectKind({ root });
  if (kind === 'bootstrap' || isScenario(root)) return true;
  if (kind === 'cluster') return resourcesOf(root)?.clusters.length !== 0 && isLikeCluster(root);
  return resourcesOf(root) === undefined && isLikeScenario(root);
}

/** With more scenario words than a foreign file has at its top, unknown ones are typos and each is reported. */
const MAX_STRANGE = 50;

function isLikeScenario(root: SourceNode): boolean {
  const { shape = {}, hints = {} } = ScenarioFile.marks.message ?? {};
  // Together with words of a scenario these are hints; alone they are of a foreign file.
  const hinted = Object.keys(hints).filter((word) => word !== 'configs' && word !== 'resources');
  return hasWordsOf(root, [...Object.keys(shape), ...hinted]);
}

/** A file that has a name may be anything. */
function isLikeCluster(root: SourceNode): boolean {
  const { shape = {}, hints = {} } = Cluster.marks.message ?? {};
  const modern = apiOf('v3').message('config.cluster.v3.Cluster')?.fields ?? [];
  const words = [...Object.keys(shape), ...Object.keys(hints), ...modern.map(({ name }) => name)];
  const isNameAlone = isMap(root) && root.entries.length === 1;
  return hasWordsOf(root, isNameAlone ? words : words.filter((word) => word !== 'name'));
}

/** Some of its keys are among these, or are misspellings of them. */
function hasWordsOf(root: SourceNode, words: readonly string[]): boolean {
  if (!isMap(root) || root.entries.length > MAX_STRANGE || root.entries.length === 0) return true;
  return root.entries.some(({ key }) => nearest(snake(key), words) !== undefined);
}

export function isScenario(root: SourceNode): root is MapNode {
  if (!isMap(root) || isSnapshot(root)) return false;
  return (has(root, 'clusters') || hasScenarioFields(root)) && foreignForm(root) === undefined;
}

const has = ({ entries }: MapNode, name: string): boolean => entries.some(({ key }) => key === name);

const isWithoutClusters = ({ bootstraps, clusters, statuses }: Resources): boolean =>
  bootstraps.every(({ node }) => clustersIn(node).length === 0) && clusters.length + statuses.length === 0;

function combine(
  document: SourceDocument,
  roots: readonly SourceNode[],
  read: readonly Problem[],
  picked: Parameters<typeof gather>[2],
): Pick<ReadInputs, 'document' | 'problems'> {
  const problems = [...read];
  const resources: Resources[] = [];
  let scenario: MapNode | undefined;
  const refuse = (root: SourceNode, rule: ProblemRule, message: string): void => {
    const place = document.position(root.start);
    // Of many foreign documents only the first is reported.
    const isForeign = (one: ProblemRule): boolean => one === 'kind' || one === 'no-cluster';
    if (isForeign(rule) && problems.some((known) => isForeign(known.rule) && known.file === place.file)) return;
    problems.push({ severity: 'error', path: '', ...place, message, rule });
  };
  for (const root of roots) {
    if (isScenario(root)) {
      if (scenario !== undefined) refuse(root, 'several-scenarios', 'this is a second scenario: name one');
      scenario ??= root;
      continue;
    }
    const foreign = foreignForm(root);
    const found = foreign === undefined ? resourcesOf(root) : undefined;
    if (found !== undefined) resources.push(found);
    else if (isEdited(root))
      refuse(root, 'no-cluster', `${foreign ?? ''}; or give the objects that have its hosts, too`);
    else refuse(root, 'kind', foreign ?? 'neither a scenario nor anything that a proxy is configured with');
  }
  if (problems.some(({ severity }) => severity === 'error')) return { problems };
  if (scenario === undefined && resources.every(isWithoutClusters)) {
    const forms = [...new Set(resources.map(({ form }) => form))].join(' and ');
    refuse(document.root, 'no-cluster', `there is no cluster in ${forms}: name the file that has them, too`);
    return { problems };
  }
  problems.push(...unfollowedProblems(resources, document), ...unknownTypeProblems(resources, document));
  return { document: new SourceDocument(document.texts, gather(scenario, resources, picked)), problems };
}

/**
 * The same tree with each message that is written as a TypedStruct, its type beside its fields, written as itself: a
 * proxy reads both alike wherever it takes an extension, except for the type of a cluster, as a 1.40.0 shows. A
 * TypedStruct of a message that is not the proxy's stays. Shared nodes stay shared.
 */
function withoutTypedStructs(root: SourceNode): SourceNode {
  const made = new Map<SourceNode, SourceNode>();
  const change = (node: SourceNode, key = ''): SourceNode =>
    node.kind === 'scalar' || key === 'cluster_type' || key === 'clusterType'
      ? node
      : entryOf(made, node, () => messageIn(withParts(node, change)));
  return change(root);
}

function messageIn(node: SourceNode): SourceNode {
  if (!isMap(node)) return node;
  const type = fieldOf(node, '@type');
  const url = fieldOf(node, 'type_url');
  const value = valueAt(node, 'value');
  if (type === undefined || url === undefined || (value !== undefined && !isMap(value))) return node;
  if (!/\/(?:xds\.type\.v3|udpa\.type\.v1)\.TypedStruct$/.test(textOf(type.value) ?? '')) return node;
  if (messageOfUrl(textOf(url.value) ?? '') === undefined) return node;
  return { ...node, entries: [{ ...type, value: url.value }, ...(value?.entries ?? [])] };
}

const NEEDS: Readonly<Record<string, string>> = FORMS.needs;
const FIELDS = spellings(Object.keys(NEEDS));
const NAMES = spellings(FORMS.clusterNames);

/** The clusters that a proxy uses for itself and not for its users, by reference, and what for. */
function ownClusters(documents: readonly Resources[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const tell = (name: string | undefined, need: string): void => {
    if (name !== undefined && !found.has(name)) found.set(name, need);
  };
  const look = (node: SourceNode, need?: string): void => {
    if (node.kind === 'list') for (const item of node.items) look(item, need);
    if (!isMap(node)) return;
    for (const { key, value } of node.entries) {
      if (need !== undefined && NAMES.has(key)) for (const one of [value, ...itemsOf(value)]) tell(textOf(one), need);
      // Hosts name no clusters, and are most of a file.
      if (value.kind !== 'scalar' && key !== 'load_assignment') look(value, NEEDS[FIELDS.get(key) ?? ''] ?? need);
    }
  };
  for (const { bootstraps, clusters, listeners } of documents) {
    for (const { node } of [...bootstraps, ...clusters, ...listeners]) look(node);
    for (const { node } of bootstraps) {
      const port = textOf(valueAt(node, 'admin', 'address', 'socket_address', 'port_value'));
      if (port === undefined) continue;
      for (const cluster of clustersIn(node))
        if (portsOf(cluster).join() === port) tell(textOf(valueAt(cluster, 'name')), 'its admin page');
    }
  }
  return found;
}

/** Of its hosts on the proxy's own machine; of others none that can be. */
const portsOf = (cluster: SourceNode): readonly (string | undefined)[] =>
  itemsOf(valueAt(cluster, 'load_assignment', 'endpoints'))
    .flatMap((group) => itemsOf(valueAt(group, 'lb_endpoints')))
    .map((host) => {
      const socket = fieldOf(valueAt(host, 'endpoint', 'address'), 'socket_address')?.value;
      const isLocal = /^(?:127\.|localhost$|::1$)/.test(textOf(valueAt(socket, 'address')) ?? '');
      return isLocal ? textOf(valueAt(socket, 'port_value')) : undefined;
    });
