import ConsistentHash from 'consistent-hash';
import HashRing from 'hashring';

export interface NpmRing {
  /** The host of a key. */
  get(key: string): string;
  remove(host: string): void;
}

/** The rings of npm: each places hosts in its own way, so that they compare the method and not the ring. */
export const HASH_RINGS: Readonly<Record<string, (hosts: readonly string[], entries: number) => NpmRing>> = {
  hashring: (hosts, entries) => {
    // It makes four places of each of its virtual nodes.
    const nodes = Math.max(1, Math.round(entries / hosts.length / 4));
    const ring = new HashRing(Object.fromEntries(hosts.map((host) => [host, 1])), 'md5', {
      'vnode count': nodes,
      'max cache size': 1,
    });
    return { get: (key) => ring.get(key) ?? '', remove: (host) => ring.remove(host) };
  },
  'consistent-hash': (hosts, entries) => {
    // Places are drawn from the range, and it gives up where too many are taken.
    const ring = new ConsistentHash({ range: 1_000_003, weight: Math.round(entries / hosts.length) });
    for (const host of hosts) ring.add(host);
    // Places are sorted at the first look-up.
    ring.get('');
    return ring;
  },
};
