import { xxhash64String } from '../../hash/text-hashes.js';
import { rendezvous as ranks } from '../../policy/extensions/rendezvous.js';
import { maglev as proxys, type MaglevTable } from '../../policy/maglev.js';
import { ringHash, type RingTable } from '../../policy/ring-hash.js';
import { LB_DEFAULTS } from '../../core/defaults.js';
import { firstNotBelow } from '../../core/values.js';
import { byKey, mixed, type PublishedHashing } from './published.js';

/** Points of a host on a ring, as ketama has them. */
const POINTS = 160;
/** Probes of a key: the busiest host then has 5 % more than the mean. */
const PROBES = 21;

/** A host has points on a circle, and a key belongs to the first at or after it. The proxy's, with 160 points a host. Draws: none. */
export const ring: PublishedHashing = {
  name: 'RING',
  kind: 'table',
  source: 'Karger et al., STOC 1997',
  usesWeights: true,
  build: (hosts) => {
    const size = Math.min(LB_DEFAULTS.maximumRingSize, POINTS * hosts.keys.length);
    return ringHash.build(hosts, { minimumRingSize: size, maximumRingSize: size, hashFunction: 'XX_HASH' });
  },
  choose: (table: RingTable, ...of) => ringHash.choose(table, ...of),
};

/** Hosts take turns at filling a table, each by a permutation of its own. The proxy's, with 65,537 slots. Draws: none. */
export const maglev: PublishedHashing = {
  name: 'MAGLEV',
  kind: 'table',
  source: 'Eisenbud et al., NSDI 2016',
  usesWeights: true,
  build: (hosts) =>
    proxys.build(hosts, { tableSize: LB_DEFAULTS.maglevTableSize, sortByKey: true, singleHostShortcut: false }),
  choose: (table: MaglevTable, ...of) => proxys.choose(table, ...of),
};

interface ProbedPoints {
  /** One point of 32 bits a host, ascending, and whose it is. */
  readonly points: Uint32Array;
  readonly hosts: Uint32Array;
}

/** A host has one point on a circle, a key 21: that with the nearest point after it counts; O(21 · log n). Draws: none. */
export const multiProbe: PublishedHashing = {
  name: 'MULTI_PROBE',
  kind: 'table',
  source: "Appleton and O'Reilly, arXiv:1505.00062 (2015)",
  build: ({ keys }) => {
    const own = keys.map((key) => xxhash64String(key).hi);
    const hosts = byKey(keys).sort((a, b) => (own[a] as number) - (own[b] as number));
    return { points: hosts.map((host) => own[host] as number), hosts };
  },
  choose: ({ points, hosts }: ProbedPoints, hi, lo, attempt) => {
    let [best, nearest] = [-1, Infinity];
    for (let probe = PROBES * attempt; probe < PROBES * (attempt + 1); probe++) {
      const at = mixed(hi, lo, probe);
      const next = firstNotBelow(points, at) % points.length;
      const distance = ((points[next] as number) - at) >>> 0;
      if (distance < nearest) [best, nearest] = [next, distance];
    }
    return hosts[best] ?? -1;
  },
};

/** The policy RENDEZVOUS of clusters: each host has a score for each key, and the highest wins; O(n). Draws: none. */
export const rendezvous: PublishedHashing = ranks;
