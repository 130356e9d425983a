import type { Problem } from '../core/problem.js';
import { camel, check, inFileOrder, parseDocument, problemAt, entryOf } from './reader.js';
import { apiOf } from './api/api.js';
import { KNOWN_NAMES } from './generated/known-names.js';
import { REFUSALS } from './generated/refusals.js';
import { TELLING_FIELDS } from './api/generated/telling-fields.js';
import type { MapNode, SourceDocument, SourceNode, Schema } from './reader.js';
import { hasField } from './source/trees.js';

export type DocumentKind = 'scenario' | 'bootstrap' | 'cluster';

/** A problem for a file of v1, told by clusters inside its cluster manager or by their required time-outs in ms. */
export function v1Problem(document: SourceDocument): Problem | undefined {
  const { root } = document;
  const manager = entryOf(root, 'cluster_manager');
  const clusters = manager === undefined ? undefined : entryOf(manager.value, 'clusters');
  const entry = clusters === undefined ? entryOf(root, 'connect_timeout_ms') : manager;
  if (entry === undefined || entryOf(root, 'static_resources') !== undefined) return undefined;
  const path = [clusters === undefined ? 'connect_timeout_ms' : 'cluster_manager'];
  return problemAt(document, path, 'error', 'v1', REFUSALS.v1);
}

let bootstrapFields: ReadonlySet<string> | undefined;

export function isBootstrap(node: MapNode): boolean {
  const former = apiOf('v2').message('config.bootstrap.v2.Bootstrap')?.fields ?? [];
  const known = (bootstrapFields ??= new Set(
    [...former.map(({ name }) => name), ...TELLING_FIELDS.bootstrap].flatMap((name) => [name, camel(name)]),
  ));
  return !hasField(node, 'name') && node.entries.some(({ key }) => known.has(key));
}

/** Whether a map has fields that only a scenario has, beside `clusters`. */
export function hasScenarioFields(node: MapNode): boolean {
  // An assignment has `endpoints`, too.
  return !hasField(node, 'cluster_name') && KNOWN_NAMES.scenario_fields.some((name) => hasField(node, name));
}

/** `clusters` make a scenario; without them, fields of a bootstrap a bootstrap and `name` a cluster. */
export function detectKind({ root }: { readonly root: SourceNode }): DocumentKind {
  if (root.kind !== 'map') return 'scenario';
  const has = (name: string): boolean => hasField(root, name);
  if (has('clusters')) return 'scenario';
  if (has('static_resources')) return 'bootstrap';
  if (hasScenarioFields(root)) return 'scenario';
  if (isBootstrap(root)) return 'bootstrap';
  return has('name') ? 'cluster' : 'scenario';
}

export function validateMessage(
  schema: Schema<unknown>,
  text: string,
  file: string,
  fileExists: ((path: string) => boolean) | undefined,
): readonly Problem[] {
  const { document, problems } = parseDocument(text, file);
  if (document === undefined) return problems;
  const found = check(schema, document, { vocabulary: 'proxy', fileExists }).problems;
  return inFileOrder([...problems, ...found]);
}
