import type { SourceNode } from '../../config/source/document.js';
import { fieldOf, itemsOf, mapNode, textOf, valueAt } from '../../config/source/trees.js';
import { TEXT } from '../../core/arguments.js';
import { own } from '../../core/own.js';
import { Chains } from './consul.js';
import { Gateways } from './gateway.js';
import { OBJECTS } from './generated/objects.js';
import { type AskingOptions, DEFAULT_ISTIO, istioSnapshot } from './istio.js';
import { type Finding, nodeFrom, Part, unreadIn } from './part.js';
import type { KubeObject, Snapshot } from './services.js';

/** The objects that people edit, as their control plane makes the proxy's configuration of them. */

export type { AskingOptions };

export const ASKING_OPTIONS = { istioVersion: TEXT, locality: TEXT, labels: TEXT };

export interface FromObjects {
  /** What is read in place of the documents. */
  readonly roots: readonly SourceNode[];
  /** `objects of Istio` */
  readonly form: string;
  readonly findings: readonly Finding[];
}

type Plane = keyof typeof OBJECTS.planes;

interface Kinds {
  readonly name: string;
  readonly needs: readonly (readonly string[])[];
  readonly kinds: Readonly<Record<string, readonly string[]>>;
}

const PLANES: Readonly<Record<Plane, Kinds>> = OBJECTS.planes;
const SHARED: Kinds['kinds'] = OBJECTS.shared;
const REFUSED: Readonly<Record<string, string>> = OBJECTS.refused;
const REFUSED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = OBJECTS.refusedFields;

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
  const { name, needs } = PLANES[plane];
  const findings: Finding[] = [];
  const log = { read: new Set<SourceNode>(), findings };
  const edited = roots.filter(isEdited);
  const objects = edited.map((root) => objectOf(new Part(root, root, log)));
  const [first] = objects;
  if (first === undefined || needs.some((kinds) => !objects.some(({ kind }) => kinds.includes(kind)))) return undefined;
  if (other !== undefined) first.title.refuse('twoPlanes', { one: name, other: PLANES[other].name });
  for (const one of objects) refuseUnknowable(one, plane);
  const made = snapshotOf(plane, objects, options, new Part(undefined, first.title.span, log));
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return { roots: [], form: '', findings: errors };
  const named = new Set<string>();
  for (const root of edited.filter((one) => !isShared(one))) {
    const whole = new Part(root, root, log);
    const { kind, name: object } = objectOf(whole);
    whole.ignore(...OBJECTS.ignored);
    for (const [path, span] of unreadIn(root, log.read)) {
      const field = path.replace(/^spec\./, '');
      if (named.has(`${kind} ${field}`)) continue;
      named.add(`${kind} ${field}`);
      findings.push({ severity: 'warning', span, path: [kind, object], message: `${field} is not read` });
    }
  }
  const isOther = (root: SourceNode): boolean => !isEdited(root) && groupOf(root) !== '';
  for (const root of roots.filter(isOther)) {
    const { kind, name: object, title } = objectOf(new Part(root, root, log));
    findings.push({ severity: 'warning', span: title.span, path: [kind, object], message: `${kind} is not read` });
  }
  const { clusters, endpoints, listeners, routes } = made;
  return {
    roots: [
      ...roots.filter((root) => !isEdited(root) && !isOther(root)),
      nodeFrom({ clusters, endpoints, listeners, routes }, first.title.span),
    ],
    form: `objects of ${name}${plane === 'istio' ? ` ${options.istioVersion ?? DEFAULT_ISTIO}` : ''}`,
    findings,
  };
}

function snapshotOf(plane: Plane, objects: readonly KubeObject[], options: AskingOptions, nothing: Part): Snapshot {
  switch (plane) {
    case 'istio':
      return istioSnapshot(objects, options, nothing);
    case 'gateway':
      return new Gateways(objects, nothing).run();
    case 'consul':
      return new Chains(objects, nothing).run();
  }
}

function refuseUnknowable({ kind, name, title, spec }: KubeObject, plane: Plane): void {
  const why = own(REFUSED, kind);
  if (why !== undefined) title.refuse('unknowable', { kind, name, why });
  if (plane !== 'istio') return;
  const exported = spec.texts('exportTo');
  if (exported.some((one) => one !== '*'))
    spec.at('exportTo').refuse('exported', { kind, name, whom: exported.join(', ') });
  for (const [field, reason] of Object.entries(own(REFUSED_FIELDS, kind) ?? {}))
    for (const part of spec.items(field)) part.refuse('unknowableField', { field, kind, name, why: reason });
}

function groupOf(root: SourceNode): string {
  return (textOf(valueAt(root, 'apiVersion')) ?? '').replace(/\/.*/, '');
}

function kindOf(root: SourceNode): string {
  return textOf(valueAt(root, 'kind') ?? valueAt(root, 'Kind')) ?? '';
}

function isShared(root: SourceNode): boolean {
  return own(SHARED, groupOf(root))?.includes(kindOf(root)) === true;
}

/** The answer of a catalog to a question for the instances of a service. */
function isCatalog(root: SourceNode): boolean {
  const isInstance = (one: SourceNode): boolean =>
    ['Node', 'Service', 'Checks'].every((name) => fieldOf(one, name) !== undefined);
  return itemsOf(root).length > 0 && itemsOf(root).every(isInstance);
}

function planeOf(root: SourceNode): Plane | undefined {
  if (isCatalog(root)) return 'consul';
  const planes = ['istio', 'gateway', 'consul'] as const;
  return planes.find((plane) => own(PLANES[plane].kinds, groupOf(root))?.includes(kindOf(root)));
}

function objectOf(whole: Part): KubeObject {
  const isCatalogs = whole.node?.kind === 'list';
  const title = ['metadata.name', 'name'].map((path) => whole.at(path)).find(({ node }) => node !== undefined);
  const begins = { start: whole.span.start, end: whole.span.start };
  return {
    kind: isCatalogs ? 'instances' : whole.text('kind'),
    name: title?.text() ?? whole.texts('service.service')[0] ?? '',
    namespace: whole.text('metadata.namespace') || 'default',
    labels: whole.table('metadata.labels'),
    annotations: whole.table('metadata.annotations'),
    spec: whole.has('spec') ? whole.at('spec') : whole,
    title: title ?? whole.as(whole.node && mapNode({}, begins)),
    created: whole.text('metadata.creationTimestamp'),
  };
}
