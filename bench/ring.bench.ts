/**
 * Ring construction, look-ups and how well the ring spreads, beside two rivals in the same run.
 *
 * `npm run bench -- ring` for all rows, `npm run bench -- ring --quick` for a look in under half a minute. docs/performance.md tells
 * how to read it. Ends with exit code 1 where rings that should be equal are not.
 */
import Table from 'cli-table3';
import HashRing from 'hashring';
import xxhash from 'xxhash-wasm';
import type { HashFunction, RingHashConfig, RingTable, WeightedHosts } from '../src/policies/index.js';
import { buildRing, createKeyHasher, ringHost, toBigInt, weightedHosts } from '../src/policies/index.js';
import type { BigIntEntry } from './rivals/bigint-ring.js';
import { buildBigIntRing, chooseFromBigIntRing } from './rivals/bigint-ring.js';
import type { Contender, Rounds, Timing } from './side-by-side.js';
import { sideBySide } from './side-by-side.js';

interface Case {
  readonly entries: number;
  readonly hosts: number;
  readonly weights: 'equal' | '1 to 10';
  readonly hashFunction: HashFunction;
  readonly rounds: Rounds;
  /** The rivals take seconds for a million entries, and gigabytes beyond. */
  readonly rivals: boolean;
}

const OURS = 'lbsim';
const BIGINT = 'BigInt + sort';
const HASHRING = 'hashring';
const LARGEST = 8_388_608;

const quick = process.argv.includes('--quick');
const library = await xxhash();
const hasher = await createKeyHasher();

if (globalThis.gc === undefined)
  console.log('Without --expose-gc, garbage of one contender may be charged to another.\n');
firstRing();
const failures = [construction(), lookups()].flat();
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

/** What somebody waits for who starts the program and builds the largest ring: nothing is compiled or warm yet. */
function firstRing(): void {
  const hosts = fleet(100, 'equal');
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const table = buildRing(hosts, config(LARGEST, 'XX_HASH'));
  const seconds = (performance.now() - start) / 1000;
  const peak = process.resourceUsage().maxRSS * 1024 - before;
  const kept = table.entries.byteLength + table.index.byteLength;
  console.log(
    `First ring of the process: ${table.entryCount.toLocaleString('en')} entries, 100 hosts, in ${seconds.toFixed(2)} s` +
      ` (wall clock); ${perEntry(peak)} B an entry at the peak, ${perEntry(kept)} kept.\n`,
  );
  function perEntry(bytes: number): string {
    return (bytes / table.entryCount).toFixed(1);
  }
}

function cases(): Case[] {
  const sizes: readonly { entries: number; rounds: Rounds; rivals: boolean; quick: boolean }[] = [
    { entries: 1024, rounds: { rounds: 5, runs: 60 }, rivals: true, quick: true },
    { entries: 65_536, rounds: { rounds: 5, runs: 2 }, rivals: true, quick: true },
    { entries: 1_048_576, rounds: { rounds: 3, runs: 1 }, rivals: true, quick: false },
    { entries: LARGEST, rounds: { rounds: 5, runs: 1 }, rivals: false, quick: true },
  ];
  const shapes = [
    { hosts: 10, weights: 'equal' },
    { hosts: 100, weights: 'equal' },
    { hosts: 1000, weights: 'equal' },
    { hosts: 1000, weights: '1 to 10' },
  ] as const;
  const functions = ['XX_HASH', 'MURMUR_HASH_2'] as const;
  return sizes
    .filter((size) => !quick || size.quick)
    .flatMap(({ entries, rounds, rivals }) =>
      functions.flatMap((hashFunction) =>
        shapes
          .filter(({ hosts, weights }) => hosts * (weights === 'equal' ? 1 : 10) <= entries)
          .filter(({ hosts }) => (!quick && rivals) || hosts === 100 || (!quick && hashFunction === 'XX_HASH'))
          .map((shape) => ({
            entries,
            ...shape,
            hashFunction,
            rounds,
            rivals: rivals && bearable(entries, shape.hosts),
          })),
      ),
    );
  /** A million entries take a rival seconds: one row of them for each function is enough. */
  function bearable(entries: number, hosts: number): boolean {
    return entries < 1_000_000 || hosts === 100;
  }
}

function construction(): string[] {
  const failed: string[] = [];
  const table = new Table({
    head: [
      'entries',
      'hosts',
      'weights',
      'hash',
      OURS,
      BIGINT,
      'ratio',
      HASHRING,
      'ratio',
      'per host',
      'moved',
      'optimum',
      'same ring',
    ],
    style: { head: [], border: [], compact: true },
    colAligns: [
      'right',
      'right',
      'left',
      'left',
      'right',
      'right',
      'right',
      'right',
      'right',
      'right',
      'right',
      'right',
    ],
  });
  for (const each of cases()) {
    const hosts = fleet(each.hosts, each.weights);
    const ringConfig = config(each.entries, each.hashFunction);
    const ring = buildRing(hosts, ringConfig);
    const contenders: Contender[] = [{ name: OURS, run: () => buildRing(hosts, ringConfig) }];
    let same = 'not compared';
    if (each.rivals) {
      const bigInt = (): BigIntEntry[] => buildBigIntRing(hosts.keys, ring.entriesPerHost, each.hashFunction, library);
      const agrees = checksum(ring) === bigIntChecksum(bigInt());
      same = agrees ? 'yes' : 'NO';
      if (!agrees) failed.push(`${each.entries} entries, ${each.hosts} hosts, ${each.hashFunction}: rings differ`);
      contenders.push({ name: BIGINT, run: bigInt });
      if (each.hashFunction === 'XX_HASH') {
        contenders.push({ name: HASHRING, run: () => hashRing(hosts, each.entries) });
      }
    }
    const timings = sideBySide(contenders, each.rounds);
    const { moved, optimum } = movedKeys(hosts, (left) => chooser(buildRing(left, ringConfig), left));
    const ours = timings.get(OURS);
    table.push([
      each.entries.toLocaleString('en'),
      each.hosts,
      each.weights,
      each.hashFunction,
      milliseconds(ours),
      milliseconds(timings.get(BIGINT)),
      ratio(ours, timings.get(BIGINT)),
      milliseconds(timings.get(HASHRING)),
      ratio(ours, timings.get(HASHRING)),
      `${ring.gauges?.minPerHost ?? 0}–${ring.gauges?.maxPerHost ?? 0}`,
      percent(moved),
      percent(optimum),
      same,
    ]);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  console.log('Building a ring: CPU ms, min / median; ratio = rival over lbsim, min / median.');
  console.log(table.toString());
  const hosts = fleet(100, 'equal');
  const rival = movedKeys(hosts, (left) => {
    const ring = hashRing(left, 65_536);
    return (key) => ring.get(key) ?? '';
  });
  console.log(
    `moved: keys that change their host when one host leaves; optimum: keys that host had. ${HASHRING}, 65,536 entries,` +
      ` 100 hosts: ${percent(rival.moved)} of ${percent(rival.optimum)}.\n` +
      `${HASHRING} places hosts by MD5: it compares the method, not the ring. "–": not run, the rival takes too long.\n`,
  );
  return failed;
}

function lookups(): string[] {
  const failed: string[] = [];
  const table = new Table({
    head: ['entries', 'hosts', OURS, `${BIGINT}, binary search`, 'ratio', 'same hosts'],
    style: { head: [], border: [], compact: true },
    colAligns: ['right', 'right', 'right', 'right', 'right', 'left'],
  });
  const requests = 200_000;
  const hashes = new Uint32Array(2 * requests);
  const out = { hi: 0, lo: 0 };
  for (let i = 0; i < requests; i++) {
    hasher.hash(`user-${i}`, out);
    hashes[2 * i] = out.hi;
    hashes[2 * i + 1] = out.lo;
  }
  const bigHashes = Array.from({ length: requests }, (_, i) =>
    toBigInt({ hi: hashes[2 * i] as number, lo: hashes[2 * i + 1] as number }),
  );
  for (const entries of quick ? [1024, 65_536] : [1024, 65_536, 1_048_576, LARGEST]) {
    const hosts = fleet(100, 'equal');
    const ring = buildRing(hosts, config(entries, 'XX_HASH'));
    const ours = (): number => {
      let sum = 0;
      for (let i = 0; i < requests; i++) {
        out.hi = hashes[2 * i] as number;
        out.lo = hashes[2 * i + 1] as number;
        const host = ringHost(ring, out);
        sum = (Math.imul(sum, 31) + host) | 0;
      }
      return sum;
    };
    const contenders: Contender[] = [{ name: OURS, run: ours }];
    let same = 'not compared';
    if (entries < LARGEST) {
      const rival = buildBigIntRing(hosts.keys, ring.entriesPerHost, 'XX_HASH', library);
      const theirs = (): number => {
        let sum = 0;
        for (const hash of bigHashes) sum = (Math.imul(sum, 31) + chooseFromBigIntRing(rival, hash)) | 0;
        return sum;
      };
      contenders.push({ name: BIGINT, run: theirs });
      same = ours() === theirs() ? 'yes' : 'NO';
      if (same === 'NO') failed.push(`${entries} entries: look-ups differ`);
    }
    const timings = sideBySide(contenders, { rounds: 5, runs: 2 });
    const mine = timings.get(OURS);
    const other = timings.get(BIGINT);
    table.push([
      entries.toLocaleString('en'),
      100,
      nanoseconds(mine, requests),
      nanoseconds(other, requests),
      ratio(mine, other),
      same,
    ]);
  }
  console.log('Looking a hash up: CPU ns, min / median.');
  console.log(table.toString());
  return failed;
}

function fleet(count: number, weights: Case['weights']): WeightedHosts {
  const keys = Array.from({ length: count }, (_, i) => `10.0.${i >> 8}.${i & 255}:8080`);
  const raw = keys.map((_, i) => (weights === 'equal' ? 1 : (i % 10) + 1));
  return weightedHosts(keys, raw);
}

function without(hosts: WeightedHosts, lost: number): WeightedHosts {
  return weightedHosts(
    hosts.keys.filter((_, host) => host !== lost),
    [...hosts.weights].filter((_, host) => host !== lost),
  );
}

function config(entries: number, hashFunction: HashFunction): RingHashConfig {
  return { minimumRingSize: entries, maximumRingSize: entries, hashFunction };
}

/** As many entries as ours: hashring makes four of each of its virtual nodes. */
function hashRing(hosts: WeightedHosts, entries: number): HashRing {
  const least = hosts.minWeight;
  const servers = Object.fromEntries(
    hosts.keys.map((key, host) => [key, Math.round((hosts.weights[host] as number) / least)]),
  );
  const nodes = Math.max(1, Math.round(entries / hosts.keys.length / 4));
  return new HashRing(servers, 'md5', { 'vnode count': nodes, 'max cache size': 1 });
}

function chooser(table: RingTable, hosts: WeightedHosts): (key: string) => string {
  const hash = { hi: 0, lo: 0 };
  return (key) => {
    hasher.hash(key, hash);
    return hosts.keys[ringHost(table, hash)] ?? '';
  };
}

/** Shares of 50,000 keys: those that change their host when one leaves, and those that had to. */
function movedKeys(
  hosts: WeightedHosts,
  build: (hosts: WeightedHosts) => (key: string) => string,
): { moved: number; optimum: number } {
  const lost = hosts.keys.length >> 1;
  const before = build(hosts);
  const after = build(without(hosts, lost));
  const keys = 50_000;
  let moved = 0;
  let optimum = 0;
  for (let i = 0; i < keys; i++) {
    const key = `user-${i}`;
    const was = before(key);
    if (was !== after(key)) moved++;
    if (was === hosts.keys[lost]) optimum++;
  }
  return { moved: moved / keys, optimum: optimum / keys };
}

function checksum(ring: RingTable): number {
  let sum = 17;
  for (const word of ring.entries) sum = (Math.imul(sum, 31) + word) | 0;
  return sum;
}

function bigIntChecksum(ring: readonly BigIntEntry[]): number {
  let sum = 17;
  for (const { hash, host } of ring) {
    for (const word of [Number(hash & 0xffffffffn), Number(hash >> 32n), host]) sum = (Math.imul(sum, 31) + word) | 0;
  }
  return sum;
}

function milliseconds(timing: Timing | undefined): string {
  return timing === undefined ? '–' : `${timing.min.toFixed(2)} / ${timing.median.toFixed(2)}`;
}

function nanoseconds(timing: Timing | undefined, calls: number): string {
  if (timing === undefined) return '–';
  return [timing.min, timing.median].map((ms) => ((ms * 1e6) / calls).toFixed(0)).join(' / ');
}

function ratio(ours: Timing | undefined, rival: Timing | undefined): string {
  if (ours === undefined || rival === undefined) return '–';
  return `${(rival.min / ours.min).toFixed(1)} / ${(rival.median / ours.median).toFixed(1)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
