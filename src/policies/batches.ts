/** Many look-ups at once: which host each of many keys has, and how many keys go from which host to which. */
import { demand, INDEX, must } from '../core/arguments.js';
import { maglev, type MaglevTable } from '../policy/maglev.js';
import { ringHash, type RingTable } from '../policy/ring-hash.js';
import { TABLE } from './tables.js';

const HASHES = must('what hashKeys returns', (value) => value instanceof Uint32Array);
const HOSTS = must('what hostsOfHashes returns', (value) => value instanceof Int32Array);

/**
 * The host of each hash, as `ringHost` and `maglevHost` find it: index into the table's hosts, -1 where there are none.
 *
 * @param hashes shape [n, 2]: low half, high half, as `hashKeys` gives them.
 */
export function hostsOfHashes(table: RingTable | MaglevTable, hashes: Uint32Array): Int32Array {
  demand('hostsOfHashes', ['table', table, TABLE], ['hashes', hashes, HASHES]);
  const hosts = new Int32Array(hashes.length >> 1);
  // Two loops: each calls one policy, which the engine can then put in its place.
  if ('slots' in table) {
    for (let i = 0; i < hosts.length; i++) {
      hosts[i] = maglev.choose(table, hashes[2 * i + 1] as number, hashes[2 * i] as number, 0);
    }
  } else {
    for (let i = 0; i < hosts.length; i++) {
      hosts[i] = ringHash.choose(table, hashes[2 * i + 1] as number, hashes[2 * i] as number, 0);
    }
  }
  return hosts;
}

/**
 * How many keys go from which host to which: the matrix of a disruption.
 *
 * Example: 3 hosts, the last of which leaves; its two keys go one to each
 *     hostsBefore [0, 1, 2, 2], hostsAfter [0, 1, 0, 1] of 2 hosts → [1, 0, 0, 1, 1, 1]
 *
 * @param hostsBefore the host of each key, 0 … `countBefore` − 1; a key without a host, -1, counts nowhere.
 * @param hostsAfter parallel to it.
 * @returns shape [countBefore, countAfter].
 * @throws RangeError for lists of different lengths.
 */
export function moveMatrix(
  hostsBefore: Int32Array,
  countBefore: number,
  hostsAfter: Int32Array,
  countAfter: number,
): Uint32Array {
  demand(
    'moveMatrix',
    ['hostsBefore', hostsBefore, HOSTS],
    ['countBefore', countBefore, INDEX],
    ['hostsAfter', hostsAfter, HOSTS],
    ['countAfter', countAfter, INDEX],
  );
  if (hostsBefore.length !== hostsAfter.length) {
    throw new RangeError(`hosts of ${hostsBefore.length} keys before, and of ${hostsAfter.length} after`);
  }
  const matrix = new Uint32Array(countBefore * countAfter);
  for (let key = 0; key < hostsBefore.length; key++) {
    const [from, to] = [hostsBefore[key] as number, hostsAfter[key] as number];
    if (from >= 0 && to >= 0) matrix[from * countAfter + to] = (matrix[from * countAfter + to] as number) + 1;
  }
  return matrix;
}
