import type { Host } from '../../host/host.js';
import type { ListPolicyModule, ModuleConfig } from '../foreign/policy-module.js';
import { FACTS } from '../generated/policy-facts.js';

interface State {
  readonly config: ModuleConfig;
  /** When each host was given its place among its equals. */
  readonly since: WeakMap<Host, number>;
  moves: number;
}

/**
 * WEIGHTED_LEAST_CONNECTIONS: the host with the fewest requests for its weight. All hosts are looked at.
 * An idle host comes first, whatever its weight; others are ordered by (requests + 1) / weight, those that wait for a
 * connection included. Among equals it is the turn of the one that has been there longest.
 * Example: weights 2, 1, 1 and requests that never end go to 0 1 2 0 0 1 2 0: each weight has its share after eight.
 * Draws: none. Cost: O(hosts) a pick. Source: HAProxy, `balance leastconn` (fast weighted least connections).
 */
export const weightedLeastConnections: ListPolicyModule<State> = {
  ...FACTS.WEIGHTED_LEAST_CONNECTIONS,
  start: (config) => ({ config, since: new WeakMap(), moves: 0 }),
  refresh: () => undefined,
  choose: (state, _source, hosts) => {
    let best = -1;
    let least = Infinity;
    let oldest = Infinity;
    for (let index = 0; index < hosts.length; index++) {
      const host = hosts[index] as Host;
      const requests = host.activeRequests + host.pendingRequests;
      const load = requests === 0 ? 0 : (requests + 1) / state.config.weightOf(host);
      const since = state.since.get(host) ?? 0;
      if (load > least || (load === least && since >= oldest)) continue;
      best = index;
      least = load;
      oldest = since;
    }
    moved(state, hosts[best] as Host);
    return best;
  },
  answered: moved,
};

/** Its load has changed: it goes after those that have the same. */
function moved(state: State, host: Host): void {
  state.since.set(host, ++state.moves);
}
