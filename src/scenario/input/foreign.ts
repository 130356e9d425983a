import type { SourceNode } from '../../config/reader.js';
import { LineIndex } from '../../config/source/document.js';
import type { Problem } from '../../core/problem.js';
import { fieldOf, isMap, textOf } from '../nodes.js';

/** Files that are near to a proxy's configuration and are none: each is refused in one sentence that names it. */

const FIELDS: readonly (readonly [readonly string[], string])[] = [
  [['services', 'version'], 'a Docker Compose file'],
  [['resource', 'provider'], 'a Terraform file'],
  [['scrape_configs'], 'a Prometheus configuration'],
  [['http', 'upstreams'], 'the configuration of another proxy'],
];

/** @returns what the document is, in a sentence; undefined: nothing that is known here. */
export function foreignForm(root: SourceNode): string | undefined {
  if (!isMap(root)) return undefined;
  const has = (name: string): boolean => root.entries.some(({ key }) => key === name);
  if (has('apiVersion') && has('kind')) {
    const kind = textOf(fieldOf(root, 'kind')?.value) ?? 'object';
    const version = textOf(fieldOf(root, 'apiVersion')?.value) ?? '';
    return (
      `this is a Kubernetes object (${kind}, ${version}): give the proxy's own configuration, ` +
      'as its admin interface shows it under /config_dump?include_eds'
    );
  }
  const known = FIELDS.find(([names]) => names.every(has));
  return known === undefined ? undefined : `this is ${known[1]}, not the configuration of a proxy of this family`;
}

/** Marks of the languages that templates of configurations are written in. */
const TEMPLATE = /\{\{[^}]*\}\}|\{%[^%]*%\}|<%[^%]*%>/;

/** A text that cannot be read since it is a template. */
export function templateProblem(file: string, text: string): Problem | undefined {
  const match = TEMPLATE.exec(text);
  if (match === null) return undefined;
  const place = new LineIndex(text).position(match.index);
  const message = 'this is a template: render it first, and give what comes out';
  return { severity: 'error', file, path: '', ...place, message, rule: 'template', length: match[0].length };
}
