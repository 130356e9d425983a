import { largest, mapValues, sum } from '../../core/values.js';
import type { Pause } from '../../analysis/pause.js';
import { xxhash64String } from '../../hash/text-hashes.js';
import { guarded } from '../../policy/foreign/adapted-module.js';
import { PolicyFailure, type TablePolicyModule } from '../../policy/foreign/policy-module.js';
import { weightedHosts } from '../../policy/weighted-hosts.js';
import type { MeasuredRing } from '../../report/documents.js';
import { THIS_PROCESS } from '../long-work.js';
import { sideBySide } from './side-by-side.js';

/** A table of hosts that is measured, whoever made it. */
export type Ring = Readonly<{ of: MeasuredRing['of']; module: TablePolicyModule<unknown> }>;

/** So many hosts are lost, each alone. */
const LOSSES = 5;

/** @param hosts of equal weight. */
export async function measured(rings: readonly Ring[], hosts: number, keyCount: number, pause: Pause) {
  const names = Array.from({ length: hosts }, (_, host) => `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}:80`);
  const keys = Array.from({ length: keyCount }, (_, key) => `user-${key}`);
  const sides: ReturnType<typeof sideOf>[] = [];
  for (const [index, ring] of rings.entries()) {
    await pause((index / rings.length) * 0.4);
    sides.push(sideOf(ring, names, keys));
  }
  const timed = async (done: number, what: 'build' | 'look') => {
    await pause(done);
    const runs = sides.map(({ [what]: run }, index) => ({ name: String(index), run: () => run() }));
    return sideBySide(runs, 5);
  };
  const [builds, looks] = [await timed(0.4, 'build'), await timed(0.7, 'look')];
  return sides.map(({ figures }, index) => ({
    ...figures,
    build_ms: builds.get(String(index))?.median ?? NaN,
    look_up_ns: ((looks.get(String(index))?.median ?? NaN) * 1e6) / keyCount,
  }));
}

/** What of a ring needs no clock, and what is to be timed. */
function sideOf({ of, module }: Ring, names: readonly string[], keys: readonly string[]) {
  const { name } = module;
  const settings = mapValues(module.settings ?? {}, ({ default: value = null }) => value);
  const build = (hosts = names): unknown => guarded(name, 'build', () => module.build(weightedHosts(hosts), settings));
  const ownerIn = (table: unknown, key: string): number => {
    if (module.lookUp !== undefined) return module.lookUp(table, key);
    const { hi, lo } = xxhash64String(key);
    return module.choose(table, hi, lo, 0);
  };
  const owners = (table: unknown, hosts = names.length): Int32Array =>
    guarded(name, 'choose', () =>
      Int32Array.from(keys, (key) => {
        const host = ownerIn(table, key);
        if (Number.isInteger(host) && host >= 0 && host < hosts) return host;
        const fault = { kind: 'no_index', policy: name, value: String(host), hosts, is_promise: false } as const;
        throw new PolicyFailure(fault, `key ${key}`);
      }),
    );
  const lossCount = Math.min(LOSSES, names.length - 1);
  const losses = Array.from({ length: lossCount }, (_, loss) => {
    const lost = Math.floor(((loss + 0.5) * names.length) / lossCount);
    const table = build();
    const before = owners(table);
    // A table that is built anew numbers the hosts behind the lost one anew.
    const now = module.without
      ? owners(module.without(table, lost))
      : owners(build(names.toSpliced(lost, 1)), names.length - 1).map((host) => (host >= lost ? host + 1 : host));
    const moved = before.filter((host, key) => host !== now[key]);
    return { all: moved.length, needless: moved.filter((host) => host !== lost).length };
  });
  const table = build();
  const counts = new Float64Array(names.length);
  for (const host of owners(table)) counts[host] = (counts[host] as number) + 1;
  const partOf = (moved: readonly number[]): number => sum(moved) / keys.length / Math.max(1, moved.length);
  const figures = {
    name,
    of,
    bytes: bytesOf(build),
    busiest: (largest(counts, 0) * names.length) / keys.length,
    moved: partOf(losses.map(({ all }) => all)),
    needless: partOf(losses.map(({ needless }) => needless)),
  };
  return { figures, build, look: () => owners(table) };
}

/** What one more table keeps of the heap, and outside of it. */
function bytesOf(build: () => unknown): number {
  const inUse = (): number => {
    // Buffers are given back by the second one.
    for (let pass = 0; pass < 2; pass++) THIS_PROCESS.collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();
  const kept = Array.from({ length: 8 }, () => build());
  return Math.max(0, Math.round((inUse() - before) / kept.length));
}
