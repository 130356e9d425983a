import { YET_REFUSED, type Walk } from './reader/context.js';
import type { Path, SourceNode } from './source/document.js';
import { fieldOf, itemsOf, textOf, valueAt } from './source/trees.js';

/** Fields of listeners, of filters in them, and of a bootstrap that hold a list of extensions, or one. */
const LISTS: ReadonlySet<string> = new Set([
  ...['listener_filters', 'filters', 'http_filters', 'upstream_http_filters', 'access_log', 'resource_monitors'],
]);
const SINGLE: ReadonlySet<string> = new Set(['transport_socket', 'http', 'provider']);
/** Fields of which only the extensions named above are looked at. */
const CLUSTERS = 'clusters';

/**
 * In v3 an extension is found by the type of its `typed_config` alone: one that has only a name keeps a 1.40 from starting
 * (filters of every kind, access logs, tracers, resource monitors, transport sockets). A filter that `is_optional`, or comes
 * by `config_discovery`, may do without.
 *
 * None of them balances anything: what is read for a run is warned of, each name once; a verdict is an error.
 */
export function checkNamedExtensions(root: SourceNode, walk: Walk): void {
  const found = new Set<string>();
  const visit = (node: SourceNode, path: Path): void => {
    if (node.kind === 'list') {
      for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
      return;
    }
    if (node.kind !== 'map') return;
    for (const { key, value } of node.entries) {
      const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const at = [...path, key];
      if (name === CLUSTERS) {
        // Their transport sockets are read with them.
        for (const [index, cluster] of itemsOf(value).entries()) {
          const filters = fieldOf(cluster, 'filters');
          if (filters !== undefined) each(filters.value, [...at, index, filters.key]);
        }
        continue;
      }
      if (LISTS.has(name)) each(value, at);
      if (SINGLE.has(name) && (name === 'transport_socket' || path.at(-1) === 'tracing')) report(value, at);
      visit(value, at);
    }
  };
  const each = (list: SourceNode, path: Path): void => {
    for (const [index, item] of itemsOf(list).entries()) report(item, [...path, index]);
  };
  const report = (node: SourceNode, path: Path): void => {
    const name = fieldOf(node, 'name');
    const named = textOf(name?.value);
    if (name === undefined || named === undefined || isTyped(node)) return;
    const refused = walk.forStart;
    const text = `Didn't find a registered implementation for '${named}' with type URL: ''; in v3 an extension is found by the type of its typed_config${refused ? '' : YET_REFUSED}`;
    if (found.has(named)) return;
    found.add(named);
    walk.report(refused ? 'error' : 'warning', 'extension-config', text, name.value, [...walk.path, ...path, name.key]);
  };
  visit(root, []);
}

function isTyped(node: SourceNode): boolean {
  if (fieldOf(node, 'config_discovery') !== undefined || textOf(valueAt(node, 'is_optional')) === 'true') return true;
  const config = fieldOf(node, 'typed_config')?.value;
  return config !== undefined && (config.kind !== 'map' || config.entries.length > 0);
}
