import type { SourceNode } from '../../config/reader.js';
import type { Span } from '../../config/reader/spans.js';
import { fieldOf, isMap, itemsOf, type Plain, plainOf, textOf, valueAt } from '../../config/source/trees.js';
import { TEXT } from '../../core/arguments.js';
import { own } from '../../core/own.js';
import { OBJECTS } from './generated/objects.js';
import { consulResources } from './consul.js';
import { gatewayResources } from './gateway.js';
import { istioResources } from './istio.js';
import type { Asking } from './istio-localities.js';
import { withPlace } from './istio-mesh.js';
import { nodeFrom, Part, type Sentence, type Tell, unreadIn } from './part.js';
import type { KubeObject, MadeResources, Reports } from './services.js';

/** The objects that people edit, as their control plane makes the proxy's configuration of them. */

/** What is said of the proxy that asks, on the command line. */
export interface AskingOptions {
  /** `1.32`: pilot's version. Default: 1.30. */
  readonly istioVersion?: string | undefined;
  /** `region/zone/sub_zone` of the proxy that asks. */
  readonly locality?: string | undefined;
  /** `app=web,version=v1`: the labels of the proxy that asks. */
  readonly labels?: string | undefined;
}

export const ASKING_OPTIONS = { istioVersion: TEXT, locality: TEXT, labels: TEXT };

export interface ObjectFinding {
  readonly severity: 'error' | 'warning';
  readonly span: Span;
  /** The kind and the name of the object. */
  readonly path: readonly string[];
  readonly message: string;
}

export interface FromObjects {
  /** What is read in place of the documents. */
  readonly roots: readonly SourceNode[];
  /** `objects of Istio` */
  readonly form: string;
  readonly findings: readonly ObjectFinding[];
}

/** The newest release whose defaults are known from its code. */
const DEFAULT_ISTIO = '1.30';

type Plane = 'istio' | 'gateway' | 'consul';

const NAMES: Readonly<Record<Plane, string>> = { istio: 'Istio', gateway: 'Envoy Gateway', consul: 'Consul' };
const KINDS: Readonly<Record<string, Readonly<Record<string, Plane>>>> = OBJECTS.kinds;
const SHARED: Readonly<Record<string, readonly string[]>> = OBJECTS.shared;
const SENTENCES: Readonly<Record<Sentence, string>> = OBJECTS.sentences;
const REFUSED: Readonly<Record<string, string>> = OBJECTS.refused;
const REFUSED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = OBJECTS.istioRefused;

/** Without one of each there is no host, and no cluster. */
const NEEDED: Readonly<Record<Plane, readonly (readonly string[])[]>> = {
  istio: [['ServiceEntry', 'Service']],
  gateway: [['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'UDPRoute', 'TLSRoute'], ['Gateway']],
  consul: [],
};

/** Whether a document is an object that is read here, alone or beside others. */
export function isEdited(root: SourceNode): boolean {
  return planeOf(root) !== undefined || isShared(root);
}

/** @returns undefined: there are none, or not what clusters are made of. */
export function fromObjects(roots: readonly SourceNode[], options: AskingOptions): FromObjects | undefined {
  const planes = new Set(roots.flatMap((root) => planeOf(root) ?? []));
  if (planes.size === 0 && options.istioVersion !== undefined && roots.some(isShared)) planes.add('istio');
  const [plane, other] = planes;
  if (plane === undefined) return undefined;
  const findings: ObjectFinding[] = [];
  const tell =
    (severity: ObjectFinding['severity']): Tell =>
    (span, sentence, words = {}) =>
      findings.push({ severity, span, path: [], message: filled(SENTENCES[sentence], words) });
  const reports: Reports = { refuse: tell('error'), warn: tell('warning') };
  const read = new Set<SourceNode>();
  const log = { read, refuse: reports.refuse };
  const objects = roots.filter(isEdited).map((root) => objectOf(new Part(root, log)));
  if (NEEDED[plane].some((kinds) => !objects.some(({ kind }) => kinds.includes(kind)))) return undefined;
  const span = objects[0]?.span ?? { start: 0, end: 0 };
  if (other !== undefined) reports.refuse(span, 'twoPlanes', { one: NAMES[plane], other: NAMES[other] });
  for (const one of objects) refuseUnknowable(one, plane, reports);
  const made = resourcesOf(plane, objects, options, reports, new Part(undefined, log));
  for (const { whole } of objects) for (const name of OBJECTS.ignored) whole.ignore(name);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return { roots: [], form: '', findings: errors };
  const named = new Set<string>();
  for (const { kind, name, whole } of objects) {
    const unread = whole.node === undefined || isShared(whole.node) ? [] : unreadIn(whole.node, read);
    for (const { path, node } of unread) {
      const field = path.replace(/^spec\./, '');
      if (named.has(`${kind} ${field}`)) continue;
      named.add(`${kind} ${field}`);
      findings.push({ severity: 'warning', span: node, path: [kind, name], message: `${field} is not read` });
    }
  }
  const isOther = (root: SourceNode): boolean => !isEdited(root) && groupOf(root) !== '';
  for (const root of roots.filter(isOther)) {
    const { kind, name, span: at } = objectOf(new Part(root, log));
    findings.push({ severity: 'warning', span: at, path: [kind, name], message: `${kind} is not read` });
  }
  const snapshot = nodeFrom(
    { clusters: made.clusters, endpoints: made.endpoints, listeners: made.listeners, routes: made.routes },
    span,
  );
  return {
    roots: [...roots.filter((root) => !isEdited(root) && !isOther(root)), snapshot],
    form: `objects of ${NAMES[plane]}${plane === 'istio' ? ` ${options.istioVersion ?? DEFAULT_ISTIO}` : ''}`,
    findings,
  };
}

function resourcesOf(
  plane: Plane,
  objects: readonly KubeObject[],
  options: AskingOptions,
  reports: Reports,
  nothing: Part,
): MadeResources {
  switch (plane) {
    case 'istio': {
      const config = objects.find(({ kind }) => kind === 'MeshConfig')?.whole ?? nothing;
      return istioResources(objects, askingOf(objects, options), config, reports);
    }
    case 'gateway':
      return gatewayResources(objects, reports);
    case 'consul':
      return consulResources(objects, nothing, reports);
  }
}

function askingOf(
  objects: readonly KubeObject[],
  { istioVersion = DEFAULT_ISTIO, locality, labels }: AskingOptions,
): Asking {
  const proxy = objects.find(({ kind }) => kind === 'Proxy')?.whole;
  const written = labels
    ?.split(',')
    .map((pair) => pair.split('='))
    .map(([key = '', value = '']) => [key, value] as const);
  const place = locality ?? (proxy === undefined ? undefined : (proxy.at('locality').text ?? ''));
  const own = written === undefined ? proxy?.at('labels').table : Object.fromEntries(written);
  const node = proxy?.at('node').text;
  const minor = Number(/^1\.(\d+)/.exec(istioVersion)?.[1] ?? 30);
  proxy?.ignore('selfDiscovery', 'type');
  return {
    locality: place?.replace(/\/+$/, ''),
    labels: own === undefined && place === undefined ? undefined : withPlace(own ?? {}, place ?? '', node),
    node,
    namespace: proxy?.at('namespace').text,
    sendsUnhealthy: minor >= 32,
    retriesUnavailable: minor <= 26,
  };
}

function refuseUnknowable({ kind, name, span, whole, spec }: KubeObject, plane: Plane, { refuse }: Reports): void {
  const whys = own(REFUSED, kind);
  if (whys !== undefined) refuse(span, 'unknowable', { kind, name, why: whys });
  if (plane !== 'istio') return;
  const exported = spec.at('exportTo').texts;
  if (exported.some((one) => one !== '*'))
    refuse(spec.at('exportTo').spanOr(span), 'exported', { kind, name, whom: exported.join(', ') });
  for (const [path, why] of Object.entries(own(REFUSED_FIELDS, kind) ?? {})) {
    const found =
      path === 'spec.http.delegate' ? spec.at('http').items.map((one) => one.at('delegate')) : [whole.at(path)];
    for (const part of found)
      if (part.isThere)
        refuse(part.spanOr(span), 'unknowableField', { field: path.replace('spec.', ''), kind, name, why });
  }
}

function filled(sentence: string, words: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{([a-z]+)\}/g, (braced, word: string) => own(words, word) ?? braced);
}

function groupOf(root: SourceNode): string {
  const version = textOf(valueAt(root, 'apiVersion')) ?? '';
  return version.includes('/') ? version.slice(0, version.indexOf('/')) : version;
}

function isShared(root: SourceNode): boolean {
  return isMap(root) && (own(SHARED, groupOf(root)) ?? []).includes(textOf(valueAt(root, 'kind')) ?? '');
}

/** The answer of a catalog to a question for the instances of a service. */
function isCatalog(root: SourceNode): boolean {
  const items = itemsOf(root);
  return (
    items.length > 0 &&
    items.every((one) => ['Node', 'Service', 'Checks'].every((name) => fieldOf(one, name) !== undefined))
  );
}

function planeOf(root: SourceNode): Plane | undefined {
  if (isCatalog(root)) return 'consul';
  if (!isMap(root)) return undefined;
  const kind = textOf(valueAt(root, 'kind') ?? valueAt(root, 'Kind')) ?? '';
  const isOwn = fieldOf(root, 'apiVersion') === undefined;
  return own(own(KINDS, isOwn ? 'own' : groupOf(root)) ?? {}, kind);
}

function objectOf(whole: Part): KubeObject {
  const root = whole.node ?? { kind: 'map' as const, entries: [], start: 0, end: 0 };
  const plain = textOf(valueAt(root, 'Kind'));
  const [first] = itemsOf(root);
  const isEntry = plain !== undefined || first !== undefined;
  const text = (name: string): string | undefined => textOf(valueAt(root, 'metadata', name));
  return {
    kind: first === undefined ? (plain ?? textOf(valueAt(root, 'kind')) ?? '') : 'instances',
    group: groupOf(root),
    name: text('name') ?? textOf(valueAt(root, 'Name') ?? valueAt(first, 'Service', 'Service')) ?? '',
    namespace: text('namespace') ?? 'default',
    labels: tableAt(root, 'labels'),
    annotations: tableAt(root, 'annotations'),
    whole,
    spec: isEntry ? whole : whole.at('spec'),
    span: valueAt(root, 'metadata', 'name') ?? { start: root.start, end: root.start },
  };
}

function tableAt(root: SourceNode, name: string): Readonly<Record<string, string>> {
  const table = valueAt(root, 'metadata', name);
  const plain: Plain = table === undefined ? {} : plainOf(table);
  return Object.fromEntries(Object.entries(plain ?? {}).map(([key, value]) => [key, String(value)]));
}
