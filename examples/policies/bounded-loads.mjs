// Consistent hashing with bounded loads, as published: the first host at or after the hash, clockwise, whose requests stay within ⌈c · mean⌉, the
// new one included. The proxy asks hosts in a random order instead. Source: Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with
// Bounded Loads", SODA 2018. Loads are those of one balancer. A retry begins at the next point. Draws: one without a hash.

export default {
  name: 'BOUNDED_LOADS',
  kind: 'list',
  looksAtLoad: true,
  readsRequests: true,
  settings: {
    c: { type: 'number', default: 1.25, minimum: 1, description: 'Capacity of a host, in means.' },
    points: { type: 'integer', default: 100, minimum: 1, description: 'Points of a host on the circle.' },
  },
  start: ({ settings }) => ({ ...settings, rings: new Map() }),
  refresh(state, source, hosts) {
    const ring = hosts.flatMap(({ address }, host) =>
      Array.from({ length: state.points }, (_, point) => ({ at: hash(`${address}_${point}`), host })),
    );
    state.rings.set(
      source,
      ring.sort((a, b) => a.at - b.at || a.host - b.host),
    );
  },
  choose({ rings, c }, source, hosts, { request, random }) {
    if (!request?.hasHash) random.next();
    const wanted = request?.hasHash ? request.hashHi : random.hi;
    const ring = rings.get(source);
    const total = hosts.reduce((sum, { activeRequests }) => sum + activeRequests, 0) + 1;
    const most = Math.ceil((c * total) / hosts.length);
    let [low, high] = [0, ring.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ring[middle].at >= wanted) high = middle;
      else low = middle + 1;
    }
    const first = low + (request?.attempt ?? 0);
    for (let step = 0; step < ring.length; step++) {
      const { host } = ring[(first + step) % ring.length];
      // Some host always has room: not all can be above their mean.
      if (hosts[host].activeRequests + 1 <= most) return host;
    }
    return -1;
  },
};

/** 32 bits. Source: Fowler, Noll and Vo, FNV-1a, and the last step of MurmurHash3, which spreads it. */
function hash(text) {
  let bits = 0x811c9dc5;
  for (const character of text) bits = Math.imul(bits ^ character.codePointAt(0), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
