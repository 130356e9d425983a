import { compare, type U64 } from '../core/u64.js';
import { xxhash64String } from '../hash/text-hashes.js';

export interface ClientSubsetConfig {
  readonly method: 'deterministic' | 'aperture';
  /** Hosts of a client, at least; all of them where there are fewer. */
  readonly size: number;
}

/** Which client this is, from 0 on, of how many. */
export type ClientPlace = Readonly<{ client: number; clients: number }>;

/** A host of an aperture. */
export interface ApertureHost {
  /** Index into the hosts. */
  readonly host: number;
  /** The part of it that lies inside, above 0 and at most 1. */
  readonly part: number;
}

/**
 * Deterministic subsetting: the hosts of client number `client`, ascending indices into `keys`.
 * The hosts are shuffled, and divided into as many parts as there are whole `size`s in them; as many clients in a row take one part
 * each, and the next shuffle is for the next clients. So each host has the same number of clients, or one more.
 * Example: 10 hosts, size 3: three parts of 3, 3 and 4 hosts for clients 0 to 2, others for 3 to 5.
 * Source: Beyer et al. (eds.), "Site Reliability Engineering", 2016, chapter 20. There the hosts that are left over in a division
 * have no client in that round; here no host is left over, and parts may be larger. The shuffle is an order by hashes, so that clients
 * need not hear of hosts in the same order, and a host that leaves moves others between neighbouring parts only.
 * @param keys names of the hosts, each once: their addresses.
 */
export function deterministicSubset(keys: readonly string[], client: number, size: number): readonly number[] {
  const parts = Math.max(1, Math.floor(keys.length / size));
  const round = Math.floor(client / parts);
  const part = client % parts;
  const order = shuffled(keys, `${round}/`);
  const [from, to] = [part, part + 1].map((edge) => Math.floor((edge * keys.length) / parts));
  return order.slice(from, to).sort((a, b) => a - b);
}

/**
 * The deterministic aperture: hosts lie on a ring, with equally much room for each, and so do clients. A client uses the stretch that
 * begins at its place and is as long as the room of the fewest clients that together cover `size` hosts. So all places of the ring
 * lie in equally many stretches: each host has the same load, if a client sends to hosts by the parts that lie in its stretch.
 * Example: 4 hosts, 3 clients, size 2: two clients' room is 2/3 of the ring, 2.67 hosts. Client 0 has hosts 0 and 1 whole and two thirds of
 * host 2, each in its order by hash.
 * Source: Finagle, `DeterministicAperture` ("Aperture load balancers", Twitter 2019). The order of hosts is that of their hashes.
 * @param keys names of the hosts, each once: their addresses.
 * @returns ascending.
 */
export function aperture(keys: readonly string[], place: ClientPlace, size: number): readonly ApertureHost[] {
  const { client, clients } = place;
  const hosts = keys.length;
  if (hosts === 0) return [];
  const stretch = Math.min(clients, Math.ceil((size * clients) / hosts));
  // In whole units: the ring is clients · hosts long, a host has `clients` of it, and a client has `hosts`.
  const ring = clients * hosts;
  const from = (client % clients) * hosts;
  const to = from + stretch * hosts;
  const inside = (begin: number, end: number): number => Math.max(0, Math.min(end, to) - Math.max(begin, from));
  return shuffled(keys, '')
    .map((host, at): ApertureHost => {
      const [begin, end] = [at * clients, (at + 1) * clients];
      return { host, part: (inside(begin, end) + inside(begin + ring, end + ring)) / clients };
    })
    .filter(({ part }) => part > 0)
    .sort((a, b) => a.host - b.host);
}

/** Indices of the keys, in the order of the hashes of their names. */
function shuffled(keys: readonly string[], prefix: string): number[] {
  const hashes = keys.map((key) => xxhash64String(prefix + key));
  return [...keys.keys()].sort((a, b) => {
    const [first, second] = [hashes[a] as U64, hashes[b] as U64];
    return compare(first.hi, first.lo, second.hi, second.lo) || a - b;
  });
}
