import type { Micros } from '../../core/units.js';
import { type Balancer, residuesOf } from '../balancer.js';
import { Hashes } from '../request-hashes.js';
import { fixedChances, type HostKind, type Rejections, type TryChances } from './retry-chances.js';
import type { RequestHash } from '../traffic.js';

/**
 * How requests with a hash end, whose attempts reach hosts that are known in advance: always their own, but for those that the
 * retry policy rejects; then those behind it in the ring, or those of other slots.
 */
export function chancesByHash(
  hash: Exclude<RequestHash, { readonly kind: 'none' }>,
  balancer: Balancer,
  known: ReadonlyMap<number, HostKind['chances'] & { readonly omitted?: true }>,
  tries: number,
  rejections: Rejections,
): (fromUs: Micros, toUs: Micros) => TryChances {
  const mean = (hashes: Hashes, portions: Float64Array): TryChances => {
    const all = pathsOf(hashes, balancer, known, tries, rejections).map((path) => fixedChances(path()));
    const longest = all.reduce((most, { reach }) => Math.max(most, reach.length), 0);
    const [after, reach] = [new Array<number>(longest).fill(0), new Array<number>(longest).fill(0)];
    for (const [index, own] of all.entries()) {
      const portion = portions[index] as number;
      for (let attempt = 0; attempt < longest; attempt++) {
        (after[attempt] as number) += portion * (own.after[attempt] ?? own.after.at(-1) ?? 0);
        (reach[attempt] as number) += portion * (own.reach[attempt] ?? 0);
      }
    }
    return { after, reach };
  };
  return (fromUs, toUs) => {
    if (hash.kind === 'given') {
      const some = hash.requests.filter(({ atUs }) => atUs >= fromUs && atUs < toUs);
      const hashes = new Hashes(Uint32Array.from(some.flatMap(({ hi, lo }) => [hi, lo])));
      return mean(hashes, new Float64Array(some.length).fill(1 / some.length));
    }
    const { keys } = hash;
    const [from, to] = [hash.numberBefore(fromUs), hash.numberBefore(toUs)];
    const counted = keys.inTurn && from !== undefined && to !== undefined && to > from;
    return mean(keys.hashes, counted ? keys.window(from, to) : keys.probabilities);
  };
}

/** By hash: the hosts of its attempts. */
function pathsOf(
  hashes: Hashes,
  { tables: ofBalancer, slices }: Balancer,
  known: Parameters<typeof chancesByHash>[2],
  tries: number,
  rejections: Rejections,
): (() => Generator<HostKind['chances']>)[] {
  const tables = ofBalancer.map((table, priority) => {
    const residues = residuesOf(slices, priority);
    const first = new Int32Array(hashes.count).fill(-1);
    if (residues.includes(1)) table.find(hashes, residues, first);
    const others: Int32Array[] = [];
    const rowOf = (index: number, again: number): number =>
      again === 0
        ? (first[index] as number)
        : ((others[again - 1] ??= table.findAgain(hashes, again))[index] as number);
    return { residues, rowOf };
  });
  return Array.from({ length: hashes.count }, (_, index) => {
    const own = tables.find(({ residues }) => residues[hashes.residues[index] as number] === 1);
    return function* () {
      const tried = new Set<number>();
      for (let attempt = 0; attempt < tries; attempt++) {
        let row = -1;
        const again = attempt === 0 ? 0 : rejections.attempts;
        for (let more = 0; more <= again; more++) {
          row = own?.rowOf(index, more) ?? -1;
          const isRejected = known.get(row)?.omitted === true || (rejections.previousHosts && tried.has(row));
          if (attempt === 0 || row < 0 || !isRejected) break;
        }
        const chances = known.get(row);
        if (chances === undefined) return;
        tried.add(row);
        yield chances;
      }
    };
  });
}
