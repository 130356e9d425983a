import { LineIndex, type SourceNode } from '../../config/reader.js';
import type { Problem, ProblemRule } from '../../core/problem.js';
import { fieldOf, isMap, itemsOf, textOf, valueAt } from '../../config/source/trees.js';
import { present } from '../../core/values.js';
import { FORMS } from './generated/forms.js';

/** Files that are similar to a proxy's configuration: each is refused in one sentence that names it. */

const { dump: DUMP, otherProxy: OTHER_PROXY, stats: STATS } = FORMS.words;

/** @returns what the document is, in a sentence; undefined: nothing that is known here. */
export function foreignForm(root: SourceNode): string | undefined {
  if (!isMap(root)) return undefined;
  const has = (name: string): boolean => root.entries.some(({ key }) => key === name);
  if (has('apiVersion') && has('kind')) return kubernetesObject(root);
  const [own] = present([root, ...itemsOf(valueAt(root, 'items'))].map(meshResource));
  if (own !== undefined)
    return `this is a resource of a control plane (${own}), which makes configurations of it: ${DUMP}`;
  const summaries = [root, ...itemsOf(valueAt(root, 'clusters'))];
  if (summaries.some((one) => fieldOf(one, 'FullyQualifiedDomainName') !== undefined))
    return `this is a summary that a tool has made of a proxy: ${DUMP}`;
  const isStat = (item: SourceNode): boolean => (fieldOf(item, 'value') ?? fieldOf(item, 'histograms')) !== undefined;
  if (root.entries.length === 1 && itemsOf(valueAt(root, 'stats')).some(isStat)) return STATS;
  const known = (forms: readonly (readonly [readonly string[], string])[]): string | undefined =>
    forms.find(([names]) => names.every(has))?.[1];
  const admin = known(FORMS.adminPages);
  if (admin !== undefined) return `this is the page ${admin}: ${DUMP}`;
  const made = known(FORMS.controlPlanes);
  if (made !== undefined) return `this is ${made}, not what the proxy gets of it: ${DUMP}`;
  if (FORMS.otherProxies.some((names) => names.every(has)) || isRouting(root)) return OTHER_PROXY;
  const foreign = known(FORMS.foreign);
  return foreign === undefined ? undefined : `this is ${foreign}, not the configuration of a proxy of this family`;
}

/** Routers and services by name, or servers, under the protocol. */
const isRouting = (root: SourceNode): boolean =>
  isMap(valueAt(root, 'apps', 'http', 'servers')) ||
  ['http', 'tcp'].some((protocol) => ['routers', 'services'].some((name) => isMap(valueAt(root, protocol, name))));

/** The kind of a mesh's own resource; undefined: none. */
function meshResource(node: SourceNode): string | undefined {
  const isOne = ['mesh', 'creationTime', 'modificationTime'].some((name) => fieldOf(node, name) !== undefined);
  return isOne ? textOf(valueAt(node, 'type')) : undefined;
}

function kubernetesObject(root: SourceNode): string {
  const kind = textOf(valueAt(root, 'kind')) ?? 'object';
  const version = textOf(valueAt(root, 'apiVersion')) ?? '';
  const [group = ''] = version.split('/');
  const isOf = (domain: string): boolean => group === domain || group.endsWith(`.${domain}`);
  if (isOf('linkerd.io')) return `this is a Kubernetes object (${kind}, ${version}) of a mesh with another proxy`;
  const [, command] = Object.entries(FORMS.commands).find(([domain]) => isOf(domain)) ?? [];
  return `this is a Kubernetes object (${kind}, ${version}): ${DUMP}${command === undefined ? '' : `: ${command}`}`;
}

const TEMPLATE = /\{\{[^}]*\}\}|\{%[^%]*%\}|<%[^%]*%>/;

/** Texts that are not YAML, by their first characters. */
const TEXTS = (FORMS.texts as readonly (readonly string[])[]).map(([pattern = '', message = '', flags = 'm']) => {
  return [new RegExp(pattern, flags), message.replace('{dump}', DUMP)] as const;
});

/** A text of another known kind, though it may look like YAML. */
export function foreignText(file: string, text: string): Problem | undefined {
  const start = text.slice(0, 20_000);
  for (const [pattern, message] of TEXTS) {
    const match = pattern.exec(start);
    if (match !== null) return problem(file, text, match, message, 'kind');
  }
  return undefined;
}

export function templateProblem(file: string, text: string): Problem | undefined {
  const match = TEMPLATE.exec(text);
  if (match === null) return undefined;
  return problem(file, text, match, 'this is a template: render it first, and give what comes out', 'template');
}

/** How files of data begin a line: a key, an item, a comment, a bracket, a quote. */
const DATA_LINE = /^\s*(?:[\w.@/"'|-]+\s*:|-|#|[\]}{[,"'])/;

/** Of a text that is no YAML, as most of its lines show: one sentence, instead of a complaint about each. */
export function proseProblem(text: string, [first]: readonly Problem[]): Problem | undefined {
  if (first?.rule !== 'yaml-syntax') return undefined;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (2 * lines.filter((line) => DATA_LINE.test(line)).length >= lines.length) return undefined;
  const message = 'this is neither YAML nor JSON: "lbsim init FILE" writes a scenario to start from';
  return { ...first, message, rule: 'kind' };
}

function problem(file: string, text: string, match: RegExpExecArray, message: string, rule: ProblemRule): Problem {
  const place = new LineIndex(text).position(match.index);
  const [line = ''] = match[0].split('\n');
  return { severity: 'error', file, path: '', ...place, message, rule, length: Math.max(1, line.length) };
}
