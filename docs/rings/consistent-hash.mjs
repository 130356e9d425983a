// The ring of npm's consistent-hash, as `lbsim bench` measures it: npm install consistent-hash. It hashes keys itself.
import ConsistentHash from 'consistent-hash';

export default {
  name: 'consistent-hash',
  kind: 'table',
  source: 'npm consistent-hash, places by chance',
  settings: { points: { type: 'integer', default: 160, description: 'Places of a host on the ring.' } },
  build({ keys }, { points }) {
    // Places are drawn from the range, and it gives up where too many are taken.
    const ring = new ConsistentHash({ range: 1_000_003, weight: Math.round(points) });
    for (const key of keys) ring.add(key);
    // Places are sorted at the first look-up.
    ring.get('');
    return { ring, keys, hosts: new Map(keys.map((key, host) => [key, host])) };
  },
  lookUp: ({ ring, hosts }, key) => hosts.get(ring.get(key)) ?? -1,
  choose(table, hashHi, hashLo, attempt) {
    return this.lookUp(table, `${hashHi}-${hashLo}-${attempt}`);
  },
  without(table, host) {
    table.ring.remove(table.keys[host]);
    return table;
  },
};
