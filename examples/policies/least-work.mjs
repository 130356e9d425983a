// Size-aware least work: the host with the least open work for its weight gets the request, which says itself how much it is (`size`).
// Ends come in any order, so work is taken back oldest first of what the host has. Ties: the first. Draws: none.
// Source: Harchol-Balter, Crovella and Murta, "On choosing a task assignment policy for a distributed server system", JPDC 59 (1999),
// Least-Work-Remaining.

export default {
  name: 'LEAST_WORK',
  kind: 'list',
  usesWeights: true,
  looksAtLoad: true,
  start: ({ weightOf }) => ({ weightOf, open: new WeakMap() }),
  refresh() {},
  choose(state, _source, hosts, { request }) {
    const work = request?.size ?? 1;
    let best = -1;
    let least = Infinity;
    hosts.forEach((host, index) => {
      const own = (workOf(state, host) + work) / state.weightOf(host);
      if (own < least) [best, least] = [index, own];
    });
    const list = state.open.get(hosts[best]) ?? [];
    state.open.set(hosts[best], [...list, work]);
    return best;
  },
  answered({ open }, host) {
    open.get(host)?.shift();
  },
};

function workOf({ open }, host) {
  return (open.get(host) ?? []).reduce((sum, work) => sum + work, 0);
}
