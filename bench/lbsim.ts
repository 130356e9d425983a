/**
 * lbsim as a contender of the benchmark, through what it publishes: `node dist-bench/bench/lbsim.js BUILD`, where BUILD is a folder
 * with a `dist/` (see contender.ts). Two builds can so be measured beside each other.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Library from '../src/index.js';
import type * as Policies from '../src/policies/index.js';
import { address, commandOf, costOf } from './command-cost.js';
import type { Answer, Prepared } from './contender.js';
import { answerJobs, checksum } from './contender.js';

const build = process.argv[2] ?? '.';
const policies = (await fromBuild('policies/index.js')) as typeof Policies;

await answerJobs(([job, ...args]) => prepare(job ?? '', args));

async function fromBuild(file: string): Promise<unknown> {
  return import(pathToFileURL(join(build, 'dist', file)).href);
}

async function prepare(job: string, args: readonly string[]): Promise<Answer | Prepared | undefined> {
  const [a = 0, b = 0, c = 0, d = 1] = args.map(Number);
  switch (job) {
    case 'ring': {
      const hosts = fleet(b);
      return prepared(
        repeated(c, () => ringOf(hosts, a)),
        (ring) => checksum(ring.entries),
      );
    }
    case 'lookup':
      return lookup(a, b, c, d);
    case 'keys':
      return keys(a, b, c, d);
    case 'lookups':
      return lookups(a, b, c, d);
    case 'key-batch':
      return keyBatch(a, b, c, d);
    case 'moves':
      return moves(a, b, c, d);
    case 'maglev':
      return maglev(a, b, c);
    case 'edf':
      return prepared(() => turns(a, b), Number);
    case 'simulate':
      return simulate('bench/million.yaml', a);
    case 'change':
      return change(a, args[1] === 'all' ? a : 1, args[2] ?? 'set_health');
    case 'node':
      return commandAnswer(['-e', '0']);
    case 'command':
      return commandAnswer([commandOf(build), ...args]);
    default:
      return undefined;
  }
}

function commandAnswer(args: readonly string[]): Answer {
  return { ...costOf(args), result: 0 };
}

/** The last of so many results. */
function repeated<T>(times: number, run: () => T): () => T {
  return () => {
    for (let more = times; more > 1; more--) run();
    return run();
  };
}

function prepared<T>(run: () => T, result: (of: T) => number): Prepared {
  return { run, result };
}

function fleet(count: number, without = -1): Policies.WeightedHosts {
  const keys = Array.from({ length: count }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}:8080`);
  const left = keys.filter((_, host) => host !== without);
  return policies.weightedHosts(
    left,
    left.map(() => 1),
  );
}

function ringOf(hosts: Policies.WeightedHosts, entries: number): Policies.RingTable {
  return policies.buildRing(hosts, { minimumRingSize: entries, maximumRingSize: entries, hashFunction: 'XX_HASH' });
}

function users(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `user-${i}`);
}

/** Low and high half of each user's hash. */
async function hashesOf(count: number): Promise<Uint32Array> {
  const hasher = await policies.createKeyHasher();
  const hashes = new Uint32Array(2 * count);
  const out = { hi: 0, lo: 0 };
  users(count).forEach((user, i) => {
    hasher.hash(user, out);
    hashes[2 * i] = out.lo;
    hashes[2 * i + 1] = out.hi;
  });
  return hashes;
}

async function lookup(entries: number, hosts: number, count: number, times: number): Promise<Prepared> {
  const table = ringOf(fleet(hosts), entries);
  const hashes = await hashesOf(count);
  const out = { hi: 0, lo: 0 };
  const look = (): number => {
    let sum = 17;
    for (let i = 0; i < count; i++) {
      out.lo = hashes[2 * i] as number;
      out.hi = hashes[2 * i + 1] as number;
      sum = (Math.imul(sum, 31) + policies.ringHost(table, out)) | 0;
    }
    return sum >>> 0;
  };
  return prepared(repeated(times, look), Number);
}

async function keys(entries: number, hosts: number, count: number, times: number): Promise<Prepared> {
  const table = ringOf(fleet(hosts), entries);
  const hasher = await policies.createKeyHasher();
  const texts = users(count);
  const out = { hi: 0, lo: 0 };
  const look = (): number => {
    let sum = 17;
    for (const text of texts) {
      hasher.hash(text, out);
      sum = (Math.imul(sum, 31) + policies.ringHost(table, out)) | 0;
    }
    return sum >>> 0;
  };
  return prepared(repeated(times, look), Number);
}

/** Older builds have no batches. */
async function lookups(entries: number, hosts: number, count: number, times: number): Promise<Prepared | undefined> {
  if (!('hostsOfHashes' in policies)) return undefined;
  const table = ringOf(fleet(hosts), entries);
  const hashes = await hashesOf(count);
  return prepared(
    repeated(times, () => policies.hostsOfHashes(table, hashes)),
    checksum,
  );
}

function keyBatch(entries: number, hosts: number, count: number, times: number): Prepared | undefined {
  if (!('hashKeys' in policies)) return undefined;
  const table = ringOf(fleet(hosts), entries);
  const texts = users(count);
  return prepared(
    repeated(times, () => policies.hostsOfHashes(table, policies.hashKeys(texts))),
    checksum,
  );
}

async function moves(entries: number, hosts: number, count: number, times: number): Promise<Prepared | undefined> {
  if (!('moveMatrix' in policies)) return undefined;
  const [before, after] = [ringOf(fleet(hosts), entries), ringOf(fleet(hosts, hosts >> 1), entries)];
  const hashes = await hashesOf(count);
  const hostsOf = policies.hostsOfHashes;
  return prepared(
    repeated(times, () => policies.moveMatrix(hostsOf(before, hashes), hosts, hostsOf(after, hashes), hosts - 1)),
    checksum,
  );
}

function maglev(tableSize: number, count: number, times: number): Prepared {
  const hosts = fleet(count);
  // The proxy numbers hosts in the order of their turns, lbsim in that of the list.
  const rank = new Uint32Array(count);
  [...hosts.keys.keys()]
    .sort((a, b) => ((hosts.keys[a] as string) < (hosts.keys[b] as string) ? -1 : 1))
    .forEach((host, turn) => (rank[host] = turn));
  return prepared(
    repeated(times, () => policies.buildMaglev(hosts, { tableSize, sortByKey: true, singleHostShortcut: true })),
    ({ slots }) => checksum(slots.map((host) => rank[host] as number)),
  );
}

function turns(hosts: number, picks: number): number {
  const schedule = policies.weightedTurns(Array.from({ length: hosts }, (_, host) => 1 + (host % 10)));
  let sum = 17;
  for (let i = 0; i < picks; i++) sum = (Math.imul(sum, 31) + policies.nextTurn(schedule)) | 0;
  return sum >>> 0;
}

/** So many requests of a shipped scenario, as `run` simulates them. The result is the mean time of a request in ms. */
async function simulate(file: string, requests: number): Promise<Prepared> {
  const text = readFileSync(file, 'utf8');
  const library = (await fromBuild('index.js')) as typeof Library;
  const { scenario } = library.loadScenario({ file, text }, { set: [`workloads.0.stop=${requests / 10_000}s`] });
  if (scenario === undefined) throw new Error(`${file} is not valid`);
  return {
    isAsync: true,
    run: () => library.runScenario(scenario),
    result: (of: Awaited<ReturnType<typeof library.runScenario>>) => of.clusters['backend']?.latency_ms.mean ?? NaN,
  };
}

/**
 * In a cluster of so many hosts, so many of them fail and return, a hundred changes in all, by what discovery says of them or by what
 * they do. No request comes between, so that the changes are all that is measured. The result is the time of the last.
 */
async function change(hosts: number, changing: number, what: string): Promise<Prepared> {
  const library = (await fromBuild('index.js')) as typeof Library;
  const chosen = changing === hosts ? {} : address(hosts - 7);
  const { scenario } = library.loadScenarioValue(
    {
      proxy: { version: '1.40' },
      clusters: [{ name: 'b', common_lb_config: { update_merge_window: '0s' } }],
      endpoints: { b: [{ address: address(0), count: hosts }] },
      workloads: [{ cluster: 'b', arrivals: { constant: '0.001/s' }, stop: '110s' }],
      timeline: [
        { set_health: { hosts: chosen, status: 'UNHEALTHY' }, set_behavior: { hosts: chosen, down: 'refuse' } },
        { set_health: { hosts: chosen, status: 'HEALTHY' }, set_behavior: { hosts: chosen, down: 'none' } },
      ].map((does, at) => ({ every: '2s', from: `${at + 1}s`, [what]: does[what as keyof typeof does] })),
      duration: '110s',
    },
    'bench',
  );
  if (scenario === undefined) throw new Error('the scenario is not valid');
  let simulation = await library.createSimulation(scenario);
  return {
    // What sets the cluster up is not part of its changes.
    before: async () => {
      simulation = await library.createSimulation(scenario);
      simulation.advance(Infinity, 500_000);
    },
    run: () => simulation.advance(Infinity, 100_500_000),
    result: () => simulation.nowUs,
  };
}
