// Sticky with bounded load: a key stays with the host that it had, as long as that has no more than `factor` times its part of all requests;
// else the host with the fewest gets it, and keeps it. Without a hash a request goes to the host with the fewest. Draws: none.

export default {
  name: 'STICKY_BOUNDED',
  kind: 'list',
  looksAtLoad: true,
  readsRequests: true,
  settings: {
    factor: {
      type: 'number',
      default: 1.25,
      minimum: 1,
      description: 'Times the mean that a host may have and keep its keys.',
    },
    keys: {
      type: 'integer',
      default: 10_000,
      minimum: 1,
      description: 'Keys that are remembered; the oldest is forgotten.',
    },
  },
  start: ({ settings }) => ({ ...settings, hosts: new Map() }),
  refresh() {},
  choose(state, _source, hosts, { request }) {
    const key = request?.hasHash ? `${request.hashHi} ${request.hashLo}` : undefined;
    const total = hosts.reduce((sum, { activeRequests }) => sum + activeRequests, 0) + 1;
    const most = Math.ceil((state.factor * total) / hosts.length);
    // A host that is unhealthy, or gone, is not in the list.
    const kept = hosts.indexOf(state.hosts.get(key));
    const tried = request?.tried?.includes(hosts[kept]) ?? false;
    const stays = kept >= 0 && !tried && hosts[kept].activeRequests < most;
    const chosen = stays ? kept : fewest(hosts);
    if (key !== undefined) remember(state, key, hosts[chosen]);
    return chosen;
  },
};

function fewest(hosts) {
  let best = 0;
  for (let host = 1; host < hosts.length; host++) {
    if (hosts[host].activeRequests < hosts[best].activeRequests) best = host;
  }
  return best;
}

function remember({ hosts, keys }, key, host) {
  hosts.delete(key);
  hosts.set(key, host);
  if (hosts.size > keys) hosts.delete(hosts.keys().next().value);
}
