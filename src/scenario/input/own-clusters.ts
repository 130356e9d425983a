import type { SourceNode } from '../../config/reader.js';
import { spellings } from '../../config/reader/letter-case.js';
import { fieldOf, isMap, itemsOf, textOf, valueAt } from '../../config/source/trees.js';
import { clustersIn } from './gather.js';
import { FORMS } from './generated/forms.js';
import type { Resources } from './resources.js';

const NEEDS: Readonly<Record<string, string>> = FORMS.needs;
const FIELDS = spellings(Object.keys(NEEDS));
const NAMES = spellings(FORMS.clusterNames);

/** The clusters that a proxy uses for itself and not for its users, by reference, and what for. */
export function ownClusters(documents: readonly Resources[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const tell = (name: string | undefined, need: string): void => {
    if (name !== undefined && !found.has(name)) found.set(name, need);
  };
  const look = (node: SourceNode, need?: string): void => {
    if (node.kind === 'list') for (const item of node.items) look(item, need);
    if (!isMap(node)) return;
    for (const { key, value } of node.entries) {
      if (need !== undefined && NAMES.has(key)) {
        tell(textOf(value), need);
        for (const item of itemsOf(value)) tell(textOf(item), need);
      }
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
function portsOf(cluster: SourceNode): readonly (string | undefined)[] {
  const groups = itemsOf(valueAt(cluster, 'load_assignment', 'endpoints'));
  return groups
    .flatMap((group) => itemsOf(valueAt(group, 'lb_endpoints')))
    .map((host) => {
      const socket = fieldOf(valueAt(host, 'endpoint', 'address'), 'socket_address')?.value;
      const isLocal = /^(?:127\.|localhost$|::1$)/.test(textOf(valueAt(socket, 'address')) ?? '');
      return isLocal ? textOf(valueAt(socket, 'port_value')) : undefined;
    });
}
