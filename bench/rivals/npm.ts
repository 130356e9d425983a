/** What npm has, as contenders of the benchmark (see contender.ts): `npm.js hashring | consistent-hash | bigint | closures | simjs`. */
import xxhash from 'xxhash-wasm';
import type { Prepared } from '../contender.js';
import { answerJobs, checksum } from '../contender.js';
import type { BigIntEntry } from './bigint-ring.js';
import { buildBigIntRing } from './bigint-ring.js';
import { simulateWithClosures } from './closure-simulation.js';
import { HASH_RINGS } from './hash-rings.js';
import { simulateWithSimjs } from './simjs-simulation.js';

const [, , library = ''] = process.argv;
const hashes = await xxhash();

await answerJobs(([job = '', ...args]) => Promise.resolve(prepare(job, args.map(Number))));

function prepare(job: string, [a = 0, b = 0, times = 1]: readonly number[]): Prepared | undefined {
  const hosts = Array.from({ length: b }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}:8080`);
  const build = HASH_RINGS[library];
  if (job === 'ring' && build !== undefined) return { run: () => again(times, () => build(hosts, a)), result: () => 0 };
  if (job === 'ring' && library === 'bigint') {
    return {
      run: () => again(times, () => buildBigIntRing(hosts, entriesPerHost(a, b), (text) => hashes.h64(text))),
      result: checksumOf,
    };
  }
  if (job === 'simulate' && library === 'closures') {
    return { run: () => simulateWithClosures(100, a, 0.1, 8), result: Number };
  }
  if (job === 'simulate' && library === 'simjs')
    return { isAsync: true, run: () => simulateWithSimjs(100, a, 0.1, 8), result: Number };
  return undefined;
}

function again<T>(times: number, what: () => T): T {
  for (let more = times; more > 1; more--) what();
  return what();
}

function checksumOf(ring: readonly BigIntEntry[]): number {
  return checksum(ring.flatMap(({ hash, host }) => [Number(hash & 0xffffffffn), Number(hash >> 32n), host]));
}

/** As the proxy shares them out, rounding errors of its sums included. */
function entriesPerHost(entries: number, hosts: number): number[] {
  let [current, target] = [0, 0];
  return Array.from({ length: hosts }, () => {
    target += entries * (1 / hosts);
    const own = Math.max(0, Math.ceil(target) - current);
    current += own;
    return own;
  });
}
