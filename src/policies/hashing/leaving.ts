import type { HostIndex } from '../../policy/policy-kinds.js';
import { jumpTo } from './numbered.js';
import { again, below, byKey, type LeavingHashing } from './published.js';

/**
 * Algorithms of numbered buckets any of which may leave: only its own keys move, to all others alike. They remember who
 * left; a table that is built anew does not, so that `without` is what they promise it for. Weights do not count. Draws: none.
 */
interface Buckets {
  /** By bucket, the index of its host. */
  readonly hosts: Uint32Array;
}

const bucketOf = ({ hosts }: Buckets, host: HostIndex): number => hosts.indexOf(host);

/** Buckets that there may come to be, for each that there is. */
const ROOM = 2;

interface AnchorTable extends Buckets {
  /** By bucket, how many were left when it left; 0: it works. Those that were never used left first. */
  readonly left: Uint32Array;
  /** By bucket, the one that took its place when it left. */
  readonly successors: Uint32Array;
  /** Working buckets by place, and the place of each. */
  readonly working: Uint32Array;
  readonly places: Uint32Array;
  readonly count: number;
}

/** A key whose bucket has left draws one of those that were left then, and so on; O(1 + log(capacity / working)²) expected. */
export const anchor: LeavingHashing = {
  name: 'ANCHOR',
  kind: 'table',
  source: 'Mendelson et al., IEEE/ACM ToN 29 (2020), arXiv:1812.09674',
  build: ({ keys }) => {
    const own = Uint32Array.from({ length: ROOM * keys.length }, (_, bucket) => bucket);
    const left = own.map((bucket) => (bucket < keys.length ? 0 : bucket));
    return { hosts: byKey(keys), left, successors: own, working: own, places: own, count: keys.length };
  },
  choose: ({ hosts, left, successors, count }: AnchorTable, hi, own, attempt) => {
    if (count === 0) return -1;
    const lo = again(hi, own, attempt);
    let bucket = below(left.length, hi, lo, 0);
    for (let then = left[bucket] as number; then > 0; then = left[bucket] as number) {
      let next = below(then, hi, lo, bucket + 1);
      while ((left[next] as number) >= then) next = successors[next] as number;
      bucket = next;
    }
    return hosts[bucket] ?? -1;
  },
  without: (table: AnchorTable, host) => {
    const bucket = bucketOf(table, host);
    const count = table.count - 1;
    const [last, place] = [table.working[count] as number, table.places[bucket] as number];
    return {
      hosts: table.hosts,
      left: table.left.with(bucket, count),
      successors: table.successors.with(bucket, last),
      working: table.working.with(place, last),
      places: table.places.with(last, place),
      count,
    };
  },
};

interface DxTable extends Buckets {
  /** By bucket, a power of two of them: 1 is there. */
  readonly there: Uint8Array;
  readonly count: number;
}

/** A key draws buckets until one is there; O(capacity / working) expected, and one bit a bucket. */
export const dx: LeavingHashing = {
  name: 'DX',
  kind: 'table',
  source: 'Dong and Wang, arXiv:2107.07930 (2021)',
  build: ({ keys }) => {
    const there = new Uint8Array(2 ** Math.ceil(Math.log2(ROOM * keys.length || 1))).fill(1, 0, keys.length);
    return { hosts: byKey(keys), there, count: keys.length };
  },
  choose: ({ hosts, there, count }: DxTable, hi, own, attempt) => {
    if (count === 0) return -1;
    const lo = again(hi, own, attempt);
    let bucket = below(there.length, hi, lo, 0);
    for (let draw = 1; there[bucket] === 0; draw++) bucket = below(there.length, hi, lo, draw);
    return hosts[bucket] ?? -1;
  },
  without: (table: DxTable, host) => {
    const there = table.there.with(bucketOf(table, host), 0);
    return { hosts: table.hosts, there, count: table.count - 1 };
  },
};

interface MementoTable extends Buckets {
  /** Of buckets that have left, how many were left then. */
  readonly left: ReadonlyMap<number, number>;
}

/** Jump, with a memory of those alone that have left: a key whose bucket is gone draws of those that were left then. */
export const memento: LeavingHashing = {
  name: 'MEMENTO',
  kind: 'table',
  source: 'Coluzzi et al., IEEE/ACM ToN 32 (2024), arXiv:2306.09783',
  build: ({ keys }) => ({ hosts: byKey(keys), left: new Map() }),
  choose: ({ hosts, left }: MementoTable, hi, own, attempt) => {
    if (left.size === hosts.length) return -1;
    const lo = again(hi, own, attempt);
    let bucket = jumpTo(hosts.length, hi, lo);
    for (let then = left.get(bucket); then !== undefined; then = left.get(bucket)) {
      bucket = below(then, hi, lo, bucket + 1);
      for (let next = left.get(bucket); next !== undefined && next >= then; next = left.get(bucket)) bucket = next;
    }
    return hosts[bucket] ?? -1;
  },
  without: (table: MementoTable, host) => {
    const bucket = bucketOf(table, host);
    const rest = table.hosts.length - table.left.size - 1;
    return { hosts: table.hosts, left: new Map(table.left).set(bucket, rest) };
  },
};
