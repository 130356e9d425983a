/**
 * lbsim beside the proxy's methods in C++ (bench/rivals/native.cpp), compiled here with `g++ -O3` where there is a compiler.
 *
 * `npm run bench -- native`, `--quick` for smaller jobs, `--json` for a machine. Each row is one job that both sides do;
 * their checksums must be equal (exit code 1 where they are not). Times are CPU time of the process, all threads.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import Table from 'cli-table3';
import {
  buildMaglev,
  buildRing,
  createKeyHasher,
  nextTurn,
  ringHost,
  weightedHosts,
  weightedTurns,
} from '../src/policies/index.js';
import type { RingTable, WeightedHosts } from '../src/policies/index.js';

const SOURCE = 'bench/rivals/native.cpp';
const BINARY = 'dist-bench/native';
const COMPILERS = ['g++', 'clang++'];
const LARGEST = 8_388_608;

interface Sample {
  readonly ms: number;
  readonly checksum: number;
}

interface Row {
  readonly what: string;
  /** A line of the rival's protocol. */
  readonly job: string;
  /** Prepares, and returns what is timed: it gives what the checksum is made of. */
  readonly ours: () => { run: () => unknown; checksum: (result: unknown) => number };
  /** Ours runs in a process of its own each round, so that nothing is compiled or warm. */
  readonly first?: true;
  readonly rounds: number;
}

const quick = process.argv.includes('--quick');
const json = process.argv.includes('--json');
const hasher = await createKeyHasher();

const only = process.argv.find((argument) => argument.startsWith('--first='))?.slice('--first='.length);
if (only === undefined) await main();
else process.stdout.write(`${JSON.stringify(timed((rowOf(only) as Row).ours()))}\n`);

async function main(): Promise<void> {
  const compiler = compile();
  if (compiler === undefined) {
    console.log(`Not run: there is no C++ compiler (${COMPILERS.join(', ')}).`);
    return;
  }
  const native = startNative();
  const results: unknown[] = [];
  const table = new Table({
    head: ['job', 'lbsim', `C++ (${compiler} -O3)`, 'lbsim / C++', 'rounds', 'same result'],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left'],
  });
  for (const row of rows()) {
    const samples: { ours: Sample; theirs: Sample }[] = [];
    const prepared = row.first === undefined ? row.ours() : undefined;
    for (let round = 0; round < row.rounds; round++) {
      const theirsFirst = round % 2 === 0 ? await native.run(row.job) : undefined;
      globalThis.gc?.();
      const ours = prepared === undefined ? inOwnProcess(row) : timed(prepared);
      samples.push({ ours, theirs: theirsFirst ?? (await native.run(row.job)) });
    }
    const same = samples.every(({ ours, theirs }) => ours.checksum === theirs.checksum);
    if (!same) process.exitCode = 1;
    const [ours, theirs] = [samples.map((pair) => pair.ours.ms), samples.map((pair) => pair.theirs.ms)];
    const ratios = samples.map((pair) => pair.ours.ms / pair.theirs.ms);
    results.push({ job: row.what, lbsimMs: spread(ours), nativeMs: spread(theirs), ratio: spread(ratios), same });
    table.push([row.what, text(ours), text(theirs), text(ratios), row.rounds, same ? 'yes' : 'NO']);
    if (process.stderr.isTTY) process.stderr.write('.');
  }
  native.stop();
  if (json) console.log(JSON.stringify(results));
  else console.log(`CPU ms, median (least – most) of the rounds.\n${table.toString()}`);
}

function rows(): Row[] {
  const rings = quick ? [1024, 65_536] : [1024, 65_536, 1_048_576];
  const slots = [100, 10_000];
  return [
    ...(quick ? [65_536] : [65_536, LARGEST]).map((entries): Row => ({ ...ring(entries), first: true, rounds: 7 })),
    ...rings.map(ring),
    ...rings.flatMap((entries) => [lookup(entries, 'lookup'), lookup(entries, 'keys')]),
    ...(quick ? [] : [lookup(LARGEST, 'lookup')]),
    ...slots.map((hosts): Row => ({ ...maglev(hosts), first: true })),
    ...slots.map(maglev),
    ...[100, 1000, 10_000].map(edf),
  ].map((row) => ({ ...row, what: row.first === undefined ? row.what : `${row.what}, first of a process` }));
}

function rowOf(what: string): Row | undefined {
  return rows().find((row) => row.what === what);
}

function ring(entries: number): Row {
  const hosts = entries < 10_000 ? 10 : 100;
  return {
    what: `ring of ${entries.toLocaleString('en')}, ${hosts} hosts`,
    job: `ring ${entries} ${hosts}`,
    rounds: 7,
    ours: () => {
      const list = fleet(hosts);
      return { run: () => build(list, entries), checksum: (table) => wordsOf((table as RingTable).entries) };
    },
  };
}

function lookup(entries: number, job: 'lookup' | 'keys'): Row {
  const count = 200_000;
  return {
    what: `${job === 'keys' ? 'key' : 'hash'} on a ring of ${entries.toLocaleString('en')}, ${count.toLocaleString('en')} times`,
    job: `${job} ${entries} 100 ${count}`,
    rounds: 7,
    ours: () => {
      const table = build(fleet(100), entries);
      const users = Array.from({ length: count }, (_, i) => `user-${i}`);
      const out = { hi: 0, lo: 0 };
      const hashes = new Uint32Array(2 * count);
      users.forEach((user, i) => {
        hasher.hash(user, out);
        hashes[2 * i] = out.hi;
        hashes[2 * i + 1] = out.lo;
      });
      const byHash = (): number => {
        let sum = 17;
        for (let i = 0; i < count; i++) {
          out.hi = hashes[2 * i] as number;
          out.lo = hashes[2 * i + 1] as number;
          sum = (Math.imul(sum, 31) + ringHost(table, out)) | 0;
        }
        return sum >>> 0;
      };
      const byKey = (): number => {
        let sum = 17;
        for (const user of users) {
          hasher.hash(user, out);
          sum = (Math.imul(sum, 31) + ringHost(table, out)) | 0;
        }
        return sum >>> 0;
      };
      return { run: job === 'keys' ? byKey : byHash, checksum: Number };
    },
  };
}

function maglev(hosts: number): Row {
  const tableSize = 65_537;
  return {
    what: `Maglev of ${tableSize.toLocaleString('en')}, ${hosts.toLocaleString('en')} hosts`,
    job: `maglev ${tableSize} ${hosts}`,
    rounds: 7,
    ours: () => {
      const list = fleet(hosts);
      const rank = new Uint32Array(hosts);
      [...list.keys.keys()]
        .sort((a, b) => ((list.keys[a] as string) < (list.keys[b] as string) ? -1 : 1))
        .forEach((host, turn) => (rank[host] = turn));
      return {
        run: () => buildMaglev(list, { tableSize, sortByKey: true, singleHostShortcut: true }).slots,
        checksum: (slots) => wordsOf((slots as Uint32Array).map((host) => rank[host] as number)),
      };
    },
  };
}

function edf(hosts: number): Row {
  const picks = 1_000_000;
  return {
    what: `EDF of ${hosts.toLocaleString('en')}, ${picks.toLocaleString('en')} picks`,
    job: `edf ${hosts} ${picks}`,
    rounds: 7,
    ours: () => ({
      run: () => {
        const turns = weightedTurns(Array.from({ length: hosts }, (_, host) => 1 + (host % 10)));
        let sum = 17;
        for (let i = 0; i < picks; i++) sum = (Math.imul(sum, 31) + nextTurn(turns)) | 0;
        return sum >>> 0;
      },
      checksum: Number,
    }),
  };
}

function build(hosts: WeightedHosts, entries: number): RingTable {
  return buildRing(hosts, { minimumRingSize: entries, maximumRingSize: entries, hashFunction: 'XX_HASH' });
}

function fleet(count: number): WeightedHosts {
  const keys = Array.from({ length: count }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}:8080`);
  return weightedHosts(
    keys,
    keys.map(() => 1),
  );
}

function wordsOf(words: Uint32Array): number {
  let sum = 17;
  for (const word of words) sum = (Math.imul(sum, 31) + word) | 0;
  return sum >>> 0;
}

function timed({ run, checksum }: ReturnType<Row['ours']>): Sample {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, checksum: checksum(result) };
}

function inOwnProcess({ what }: Row): Sample {
  const script = process.argv[1] as string;
  const args = [...process.execArgv, script, `--first=${what}`];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return JSON.parse(stdout) as Sample;
}

/** @returns the compiler's name. */
function compile(): string | undefined {
  mkdirSync('dist-bench', { recursive: true });
  return COMPILERS.find((compiler) => spawnSync(compiler, ['-O3', '-std=c++17', '-o', BINARY, SOURCE]).status === 0);
}

function startNative(): { run: (job: string) => Promise<Sample>; stop: () => void } {
  const child = spawn(BINARY, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    run: async (job) => {
      child.stdin.write(`${job}\n`);
      const { value } = (await lines.next()) as { value: string };
      const [nanoseconds, checksum] = value.split(' ').map(Number) as [number, number];
      return { ms: nanoseconds / 1e6, checksum };
    },
    stop: () => child.kill(),
  };
}

interface Spread {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { least: sorted[0] ?? NaN, median: sorted[sorted.length >>> 1] ?? NaN, most: sorted.at(-1) ?? NaN };
}

function text(values: readonly number[]): string {
  const { least, median, most } = spread(values);
  return `${median.toFixed(2)} (${least.toFixed(2)} – ${most.toFixed(2)})`;
}
