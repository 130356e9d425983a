import type { SourceNode } from '../../config/source/document.js';
import { mapNode } from '../../config/source/trees.js';
import { own } from '../../core/values.js';
import { Chains } from './consul.js';
import type { AskingOptions } from '../generated/load-options.js';
import { groupOf, isEdited, isShared, type Plane, PLANES, planeOf } from './edited.js';
import { Gateways } from './gateway.js';
import { OBJECTS } from './generated/objects.js';
import { DEFAULT_ISTIO, istioSnapshot } from './istio.js';
import { type Finding, type Log, nodeFrom, Part, pathTo } from './part.js';
import type { KubeObject, Snapshot } from './services.js';

/** The objects that people edit, as their control plane makes the proxy's configuration of them. */

export interface FromObjects {
  /** What is read in place of the documents. */
  readonly roots: readonly SourceNode[];
  /** `objects of Istio` */
  readonly form: string;
  /** Their paths begin with the kind and the name of an object. */
  readonly findings: readonly (Finding & { readonly path: readonly (string | number)[] })[];
}

const MAKERS: Readonly<
  Record<Plane, (objects: readonly KubeObject[], nothing: Part, options: AskingOptions) => Snapshot>
> = {
  istio: istioSnapshot,
  gateway: (objects, nothing) => new Gateways(objects, nothing).run(),
  consul: (objects, nothing) => new Chains(objects, nothing).run(),
};

/** @returns undefined: there are none, or not what clusters are made of. */
export function fromObjects(roots: readonly SourceNode[], options: AskingOptions): FromObjects | undefined {
  const planes = new Set(roots.flatMap((root) => planeOf(root) ?? []));
  if (planes.size === 0 && options.istioVersion !== undefined && roots.some(isShared)) planes.add('istio');
  const [plane, other] = planes;
  if (plane === undefined) return undefined;
  const { name, needs, ignored } = PLANES[plane];
  const log: Log = { read: new Set(), findings: [] };
  const all = roots.map((root) => objectOf(root, log));
  const objects = all.filter(({ root }) => isEdited(root));
  const [first] = objects;
  if (first === undefined || needs.some((kinds) => !objects.some(({ kind }) => kinds.includes(kind)))) return undefined;
  if (other !== undefined) first.title.refuse('twoPlanes', { one: name, other: PLANES[other].name });
  for (const one of objects) refuseUnknowable(one, plane);
  for (const { kind, spec } of objects)
    for (const [path, words] of Object.entries(own(OBJECTS.checked, kind) ?? {}))
      check(new Part(spec.node, spec.span, { ...log, read: new Set() }), path, words);
  const { clusters, endpoints, listeners, routes } = MAKERS[plane](objects, first.title.as(undefined), options);
  const isOther = (root: SourceNode): boolean => !isEdited(root) && groupOf(root) !== '';
  const named = new Set<string>();
  for (const { root, whole, spec, kind, title } of all) {
    if (isOther(root)) title.warn('unread', { what: kind });
    if (isOther(root) || !isEdited(root) || isShared(root)) continue;
    whole.ignore(...OBJECTS.ignored);
    spec.ignore(...ignored);
    for (const [path, node] of whole.unread()) {
      const what = path.replace(/^spec\./, '');
      if (!named.has(`${kind} ${what}`)) whole.as(node).warn('unread', { what });
      named.add(`${kind} ${what}`);
    }
  }
  const located = log.findings.map((one) => ({ ...one, path: all.flatMap((object) => pathIn(object, one)) }));
  const errors = located.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return { roots: [], form: '', findings: errors };
  const root = nodeFrom({ clusters, endpoints, listeners, routes }, first.title.span);
  return {
    roots: [...roots.filter((one) => !isEdited(one) && !isOther(one)), root],
    form: `objects of ${name}${plane === 'istio' ? ` ${options.istioVersion ?? DEFAULT_ISTIO}` : ''}`,
    findings: located,
  };
}

/** The kind and the name of an object, and the way to a place in it; empty: the place is in another. */
function pathIn({ root, kind, name }: KubeObject, { span }: Finding): readonly (string | number)[] {
  if (span.start < root.start || span.end > root.end) return [];
  const [step = '', ...inner] = pathTo(root, span);
  const fields = ['spec', 'metadata', 'Name', ''].includes(String(step)) ? inner : [step, ...inner];
  return [kind, ...(name === '' ? [] : [name]), ...(step === 'metadata' ? [] : fields)];
}

function refuseUnknowable({ kind, name, title, spec }: KubeObject, plane: Plane): void {
  const why = own(OBJECTS.refused, kind);
  if (why !== undefined) title.refuse('unknowable', { kind, name, why });
  if (plane !== 'istio') return;
  const exported = spec.texts('exportTo');
  if (exported.some((one) => one !== '*'))
    spec.at('exportTo').refuse('exported', { kind, name, whom: exported.join(', ') });
  for (const [field, reason] of Object.entries(own(OBJECTS.refusedFields, kind) ?? {}))
    for (const part of spec.items(field)) part.refuse('unknowableField', { field, kind, name, why: reason });
}

/** What an API server does not take. @param rule `required`, and then `list`, `number` or the words that are allowed. */
function check(spec: Part, path: string, rule: string): void {
  const [, around = '', field = ''] = /^(?:(.*)\.)?(.*)$/.exec(path) ?? [];
  const words = rule.split(' ');
  const isRequired = words[0] === 'required';
  const allowed = isRequired ? words.slice(1) : words;
  for (const whole of spec.items(around)) {
    const part = whole.at(field);
    if (part.items().length === 0) {
      if (isRequired) whole.refuse('missing', { field });
    } else if (allowed[0] === 'list') {
      if (part.node?.kind !== 'list') part.refuseValue('a list');
    } else if (allowed[0] === 'number') {
      if (!/^\d+(?:\.\d+)?$/.test(part.text())) part.refuseValue('a number of at least 0');
    } else if (allowed.length > 0 && !allowed.includes(part.text())) part.refuseValue(`one of ${allowed.join(', ')}`);
  }
}

function objectOf(root: SourceNode, log: Log): KubeObject {
  const whole = new Part(root, root, log);
  const title = ['metadata.name', 'name'].map((path) => whole.at(path)).find(({ node }) => node !== undefined);
  return {
    ...{ root, whole },
    kind: root.kind === 'list' ? 'instances' : whole.text('kind'),
    name: title?.text() ?? whole.texts('service.service')[0] ?? '',
    namespace: whole.text('metadata.namespace') || 'default',
    labels: whole.table('metadata.labels'),
    annotations: whole.table('metadata.annotations'),
    spec: whole.has('spec') ? whole.at('spec') : whole,
    title: title ?? whole.as(mapNode({}, { start: root.start, end: root.start })),
    created: whole.text('metadata.creationTimestamp'),
  };
}
