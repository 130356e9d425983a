// As gateways before inference servers pick: a host that has answered this prefix of late has it in its cache, and is taken unless its queue is
// `slack` longer than the shortest; else the shortest queue. Queues are those of a board that is written every `staleness`, as metrics are
// scraped: all that is in between sees the same shortest queue, and runs to it. `staleness: 0s` looks at each pick. Draws: one a tie.

export default {
  name: 'PREFIX_CACHE',
  kind: 'list',
  looksAtLoad: true,
  readsRequests: true,
  settings: {
    staleness: { type: 'duration', default: 50_000, minimum: 0, description: 'How often queue depths are read.' },
    slack: { type: 'integer', default: 4, minimum: 0, description: 'Requests that a cache hit may wait longer for.' },
    prefixes: { type: 'integer', default: 200, minimum: 1, description: 'Prefixes that a host keeps.' },
    prefix: { type: 'integer', default: 8, minimum: 1, description: 'Characters of a key that are its prefix.' },
  },
  statistics: ['hits', 'misses'],
  start: ({ settings, clock, count }) => ({ ...settings, clock, count, boards: new Map(), caches: new WeakMap() }),
  refresh(state, source) {
    state.boards.delete(source);
  },
  choose(state, source, hosts, { request, random }) {
    const { clock, staleness, slack, caches } = state;
    let board = state.boards.get(source);
    if (board === undefined || clock.nowUs >= board.untilUs) {
      board = { untilUs: clock.nowUs + staleness, queues: hosts.map(({ activeRequests }) => activeRequests) };
      state.boards.set(source, board);
    }
    const { queues } = board;
    const shortest = Math.min(...queues);
    const prefix = request?.key?.slice(0, state.prefix) ?? '';
    const warm = [...hosts.keys()].filter(
      (host) => caches.get(hosts[host])?.has(prefix) && queues[host] <= shortest + slack,
    );
    const least = warm.length > 0 ? Math.min(...warm.map((host) => queues[host])) : shortest;
    const among = (warm.length > 0 ? warm : [...hosts.keys()]).filter((host) => queues[host] === least);
    random.next();
    const chosen = among[random.lo % among.length];
    state.count(warm.length > 0 ? 'hits' : 'misses');
    if (prefix !== '') keep(state, hosts[chosen], prefix);
    return chosen;
  },
};

/** What a host keeps of prefixes: the one that was used longest ago goes first. */
function keep({ caches, prefixes }, host, prefix) {
  const cache = caches.get(host) ?? new Set();
  caches.set(host, cache);
  cache.delete(prefix);
  cache.add(prefix);
  if (cache.size > prefixes) cache.delete(cache.values().next().value);
}
