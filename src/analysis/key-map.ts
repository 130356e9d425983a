import { entryOf } from '../core/values.js';
import type { BalancerDescription } from '../hostset/generated/descriptions.js';
import { choosePriority } from '../hostset/priority-load.js';
import { keptProbes, type ModuleTable } from '../policy/foreign/adapted-module.js';
import { keptArcs, keptSlots } from '../policy/kept-keys.js';
import type { MaglevTable } from '../policy/maglev.js';
import type { RingTable } from '../policy/ring-hash.js';
import type { PolicyTable } from '../policy/policy-kinds.js';

/** Parts of all 2⁶⁴ hashes. */
export interface MovedKeysResult {
  readonly moved: number;
  /** What tables of the same shares had to move at least. */
  readonly minimum: number;
  /** Of hosts that own nothing any more. */
  readonly orphaned: number;
}

/** Hash mod this chooses the priority. */
const RESIDUES = 100;

/** Numbers for hosts by address, shared by all maps that are compared. */
export type HostIds = Map<string, number>;

export type KeyMap = NonNullable<ReturnType<typeof keyMapOf>>;
type OwnedTable = NonNullable<KeyMap['tables'][number]>;

/** Which host owns which of the 2⁶⁴ hashes in one balancer. @returns undefined for a balancer without tables. */
export function keyMapOf({ priorities }: BalancerDescription, ids: HostIds) {
  if (priorities.every(({ table }) => table === undefined)) return undefined;
  const load = {
    healthy: priorities.map(({ healthyLoad }) => healthyLoad),
    degraded: priorities.map(({ degradedLoad }) => degradedLoad),
  };
  const levels = Int32Array.from({ length: RESIDUES }, (_, residue) => {
    const drawn = choosePriority(load, 0, residue);
    return drawn < 0 ? ~drawn : drawn;
  });
  const tables = priorities.map(({ table }) => {
    if (table === undefined || table.hosts.length === 0) return undefined;
    const shares = table.policy.keyShares(table.table);
    const own = Int32Array.from(table.hosts, ({ address }) => entryOf(ids, address, () => ids.size));
    /** Shares of all hashes that reach the table, 0–1, by its hosts. */
    return { description: table, ids: own, shares };
  });
  /** Priorities of hashes, by hash mod 100; tables by priority, undefined where no host may be chosen. */
  return { priorities: levels, tables };
}

function ownedShares({ priorities, tables }: KeyMap, ids: HostIds): Float64Array {
  const owned = new Float64Array(ids.size);
  tables.forEach((table, priority) => {
    if (table === undefined) return;
    const part = priorities.reduce((count, own) => count + (own === priority ? 1 : 0), 0) / RESIDUES;
    table.ids.forEach((id, host) => {
      owned[id] = (owned[id] as number) + part * (table.shares[host] as number);
    });
  });
  return owned;
}

/** The part of all keys that moves between two maps; at least the sum of what hosts lose has to. null: there are no two. */
export function movedKeys(before: KeyMap | undefined, after: KeyMap | undefined, ids: HostIds): MovedKeysResult | null {
  if (before === undefined || after === undefined) return null;
  let kept = 0;
  for (const [from, to, part] of pairsOf(before, after))
    kept += part * keptBetween(before.tables[from], after.tables[to]);
  const [had, has] = [ownedShares(before, ids), ownedShares(after, ids)];
  let [minimum, orphaned] = [0, 0];
  had.forEach((share, id) => {
    const now = has[id] as number;
    minimum += Math.max(0, share - now);
    if (now === 0) orphaned += share;
  });
  // Rounding must not make it negative, or less than the minimum.
  const moved = Math.max(0, 1 - kept);
  return { moved: moved < EXACT ? 0 : moved, minimum: minimum < EXACT ? 0 : minimum, orphaned };
}

const EXACT = 1e-12;

/** The pairs of priorities of hashes, before and after, and the part of all hashes. */
function pairsOf(before: KeyMap, after: KeyMap): (readonly [number, number, number])[] {
  const counts = new Map<string, [number, number, number]>();
  before.priorities.forEach((from, residue) => {
    const to = after.priorities[residue] as number;
    const pair = entryOf(counts, `${from} ${to}`, (): [number, number, number] => [from, to, 0]);
    pair[2] += 1 / RESIDUES;
  });
  return [...counts.values()];
}

function keptBetween(before: OwnedTable | undefined, after: OwnedTable | undefined): number {
  if (before === undefined || after === undefined) return before === after ? 1 : 0;
  const [a, b] = [before.description.table, after.description.table];
  if (a === b) return keptShare(before, after);
  if (hasSlots(a) && hasSlots(b) && a.slots.length === b.slots.length) return keptSlots(a, before.ids, b, after.ids);
  if (hasArcs(a) && hasArcs(b)) return keptArcs(a, before.ids, b, after.ids);
  if (isProbed(a) && isProbed(b)) return keptProbes(a, b, (own, other) => before.ids[own] === after.ids[other]);
  return keptByChance(before, after);
}

/** A table of a policy that the proxy has not: all that can be done with it is to look hashes up. */
const isProbed = (table: PolicyTable): table is ModuleTable => 'hostOf' in table;

/** The remainder decides which host owns a hash. */
const hasSlots = (table: PolicyTable): table is MaglevTable => 'slots' in table;

/** The position on the circle decides. */
const hasArcs = (table: PolicyTable): table is RingTable => 'entryCount' in table;

/** One table: its hosts may still have other addresses. */
const keptShare = (before: OwnedTable, after: OwnedTable): number =>
  before.ids.reduce((sum, id, host) => sum + (after.ids[host] === id ? (before.shares[host] as number) : 0), 0);

/**
 * Tables that divide the hashes independently: by remainders of two primes, or by a remainder and by position. A host keeps
 * the product of its two shares, up to the remainder of 2⁶⁴.
 */
function keptByChance(before: OwnedTable, after: OwnedTable): number {
  const now = new Map<number, number>();
  after.ids.forEach((id, host) => now.set(id, (now.get(id) ?? 0) + (after.shares[host] as number)));
  return before.ids.reduce((sum, id, host) => sum + (before.shares[host] as number) * (now.get(id) ?? 0), 0);
}
