// The ring of npm's hashring, as `lbsim bench` measures it: npm install hashring. It hashes keys itself, by MD5.
import HashRing from 'hashring';

export default {
  name: 'hashring',
  kind: 'table',
  source: 'npm hashring, places by MD5 as ketama',
  settings: { points: { type: 'integer', default: 160, description: 'Places of a host on the ring.' } },
  build({ keys }, { points }) {
    // It makes four places of each of its virtual nodes.
    const nodes = Math.max(1, Math.round(points / 4));
    const options = { 'vnode count': nodes, 'max cache size': 1 };
    const ring = new HashRing(Object.fromEntries(keys.map((key) => [key, 1])), 'md5', options);
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
