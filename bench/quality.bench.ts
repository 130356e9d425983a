/**
 * How well tables do what they are for, beside how fast they are: how evenly keys fall on hosts, and how many move when a
 * host leaves. `npm run bench -- quality`; docs/performance.md tells how to read it.
 */
import { buildMaglev, buildRing, createKeyHasher, maglevHost, ringHost, weightedHosts } from '../src/policies/index.js';
import { print, quick, write } from './print.js';
import type { NpmRing } from './rivals/hash-rings.js';
import { HASH_RINGS } from './rivals/hash-rings.js';

/** The host of each key, before and after that host left. */
type Choosers = readonly [before: (key: string) => string, after: () => (key: string) => string];

const HOSTS = 100;
const KEYS = quick ? 20_000 : 200_000;
const hosts = Array.from({ length: HOSTS }, (_, i) => `10.0.0.${i}:8080`);
const LOST = '10.0.0.50:8080';
const left = hosts.filter((host) => host !== LOST);
const hasher = await createKeyHasher();

/** Keys as they would fall by chance alone spread by so much: the square root of the keys of a host. */
const CHANCE = Math.sqrt(KEYS / HOSTS) / (KEYS / HOSTS);

const rows = [
  ...[1024, 65_536, ...(quick ? [] : [1_048_576])].flatMap((entries) => [
    row('lbsim ring', entries, [ring(hosts, entries), () => ring(left, entries)]),
    ...Object.entries(HASH_RINGS)
      // What these build takes seconds for a million.
      .filter(() => entries <= 65_536)
      .map(([name, build]) => row(name, entries, leaving(build(hosts, entries)))),
  ]),
  row('lbsim Maglev', 65_537, [maglev(hosts), () => maglev(left)]),
  {
    table: 'the optimum',
    'busiest host': 1 + 2.5 * CHANCE,
    deviation: CHANCE,
    'moved %': 100 / HOSTS,
    'optimum %': 100 / HOSTS,
  },
];
const report = { title: `${HOSTS} hosts, ${KEYS.toLocaleString('en')} keys; one host leaves.`, rows };
print(report);
await write('quality', report);

function row(table: string, entries: number, [before, afterLeaving]: Choosers) {
  const keys = Array.from({ length: KEYS }, (_, i) => `user-${i}`);
  const hostsBefore = keys.map(before);
  const after = afterLeaving();
  const counts = new Map(hosts.map((host) => [host, 0]));
  let moved = 0;
  hostsBefore.forEach((was, i) => {
    counts.set(was, (counts.get(was) ?? 0) + 1);
    if (was !== after(keys[i] ?? '')) moved++;
  });
  const mean = KEYS / HOSTS;
  const shares = [...counts.values()].map((count) => count / mean);
  return {
    table,
    entries,
    'busiest host': Math.max(...shares),
    'idlest host': Math.min(...shares),
    deviation: Math.sqrt(shares.reduce((sum, share) => sum + (share - 1) ** 2, 0) / HOSTS),
    'moved %': (moved / KEYS) * 100,
    'optimum %': ((counts.get(LOST) ?? 0) / KEYS) * 100,
  };
}

function equal(keys: readonly string[]) {
  return weightedHosts(
    keys,
    keys.map(() => 1),
  );
}

function leaving(ring: NpmRing): Choosers {
  const get = (key: string): string => ring.get(key);
  return [
    get,
    () => {
      ring.remove(LOST);
      return get;
    },
  ];
}

function ring(keys: readonly string[], entries: number): (key: string) => string {
  const list = equal(keys);
  const table = buildRing(list, { minimumRingSize: entries, maximumRingSize: entries });
  return chooser(list.keys, (hash) => ringHost(table, hash));
}

function maglev(keys: readonly string[]): (key: string) => string {
  const list = equal(keys);
  const table = buildMaglev(list, { tableSize: 65_537 });
  return chooser(list.keys, (hash) => maglevHost(table, hash));
}

function chooser(keys: readonly string[], of: (hash: { hi: number; lo: number }) => number): (key: string) => string {
  const hash = { hi: 0, lo: 0 };
  return (key) => {
    hasher.hash(key, hash);
    return keys[of(hash)] ?? '';
  };
}
