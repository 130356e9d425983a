import type { Action } from '../settings/timeline-entry.js';
import { hostPredicate, onlyAddress, type Selector } from '../settings/selector.js';
import { addEndpoints, type EndpointState, lbMetadata, mapEndpoints } from '../settings/assignment.js';
import type { ManagedCluster } from './managed-cluster.js';

/** How an entry of the timeline changes the endpoints of assignments. */
export type EndpointAction = Extract<
  Action,
  { readonly kind: 'set_health' | 'set_weight' | 'set_metadata' | 'remove_hosts' | 'add_hosts' }
>;

/** Applies `action` to the assignments of these clusters. @returns the clusters whose assignment changed. */
export function actOnEndpoints<C extends ManagedCluster>(action: EndpointAction, clusters: readonly C[]): C[] {
  switch (action.kind) {
    case 'set_health':
      return edit(clusters, action.hosts, (endpoint) => ({ ...endpoint, status: action.status }));
    case 'set_weight':
      return edit(clusters, action.hosts, (endpoint) => ({ ...endpoint, weight: action.weight }));
    case 'set_metadata':
      return edit(clusters, action.hosts, (endpoint) => ({ ...endpoint, metadata: action.metadata }));
    case 'remove_hosts':
      return edit(clusters, action.hosts, () => undefined);
    case 'add_hosts': {
      const { cluster: name, priority, locality, endpoints: added } = action;
      const wanted = clusters.filter((cluster) => cluster.name === name);
      for (const cluster of wanted) cluster.assignment = addEndpoints(cluster.assignment, priority, locality, added);
      return wanted;
    }
  }
}

/** @param change undefined removes an endpoint. */
function edit<C extends ManagedCluster>(
  clusters: readonly C[],
  selector: Selector,
  change: (endpoint: EndpointState) => EndpointState | undefined,
): C[] {
  const matches = hostPredicate(selector);
  // Kept between entries: most timelines change one host of many again and again.
  const address = onlyAddress(selector);
  return clusters.filter((cluster) => {
    if (!cluster.isAssigned) return false;
    const { name, assignment } = cluster;
    const edited = mapEndpoints(
      assignment,
      (endpoint, { priority, locality }) => {
        const host = {
          address: endpoint.address,
          hostname: endpoint.hostname,
          cluster: name,
          priority,
          locality,
          metadata: lbMetadata(endpoint.metadata) ?? {},
        };
        return matches(host) ? change(endpoint) : endpoint;
      },
      address,
    );
    cluster.assignment = edited;
    return edited !== assignment;
  });
}
