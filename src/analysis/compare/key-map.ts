import { entryOf } from '../../core/lists.js';
import type { BalancerDescription, TableDescription } from '../../hostset/describe.js';
import { choosePriority } from '../../hostset/priority-load.js';
import { keptProbes, type ModuleTable } from '../../policy/foreign/adapted-module.js';
import { keptArcs, keptSlots } from '../../policy/kept-keys.js';
import type { MaglevTable } from '../../policy/maglev.js';
import type { MovedKeysResult } from './comparison.js';
import type { RingTable } from '../../policy/ring-hash.js';
import type { PolicyTable } from '../../policy/table-policy.js';

/** Hash mod this chooses the priority. */
const RESIDUES = 100;

/** Numbers for hosts by address, shared by all maps that are compared. */
export class HostIds {
  readonly addresses: string[] = [];
  private readonly ids = new Map<string, number>();

  of(address: string): number {
    return entryOf(this.ids, address, () => this.addresses.push(address) - 1);
  }
}

interface OwnedTable {
  readonly description: TableDescription;
  readonly ids: Int32Array;
  /** Of all hashes that reach the table, 0–1, by its hosts. */
  readonly shares: Float64Array;
}

/** Which host owns which of the 2⁶⁴ hashes in one balancer. */
export interface KeyMap {
  /** Shape [100]: the priority of a hash, by hash mod 100. */
  readonly priorities: Int32Array;
  /** By priority; undefined where no host may be chosen. */
  readonly tables: readonly (OwnedTable | undefined)[];
}

/** @returns undefined for a balancer without tables. */
export function keyMapOf({ priorities }: BalancerDescription, ids: HostIds): KeyMap | undefined {
  if (priorities.every(({ table }) => table === undefined)) return undefined;
  const load = {
    healthy: priorities.map(({ healthyLoad }) => healthyLoad),
    degraded: priorities.map(({ degradedLoad }) => degradedLoad),
  };
  const levels = Int32Array.from({ length: RESIDUES }, (_, residue) => {
    const drawn = choosePriority(load, 0, residue);
    return drawn < 0 ? ~drawn : drawn;
  });
  const tables = priorities.map(({ table }): OwnedTable | undefined => {
    if (table === undefined || table.hosts.length === 0) return undefined;
    const shares = table.policy.keyShares(table.table);
    return { description: table, ids: Int32Array.from(table.hosts, ({ address }) => ids.of(address)), shares };
  });
  return { priorities: levels, tables };
}

/** The part of all hashes that each host owns, by its id. */
function ownedShares({ priorities, tables }: KeyMap, ids: HostIds): Float64Array {
  const owned = new Float64Array(ids.addresses.length);
  tables.forEach((table, priority) => {
    if (table === undefined) return;
    const part = priorities.reduce((count, own) => count + (own === priority ? 1 : 0), 0) / RESIDUES;
    table.ids.forEach((id, host) => {
      owned[id] = (owned[id] as number) + part * (table.shares[host] as number);
    });
  });
  return owned;
}

/** The part of all keys that moves between two maps; at least the sum of what hosts lose has to. */
export function movedKeys(before: KeyMap, after: KeyMap, ids: HostIds): MovedKeysResult {
  let kept = 0;
  for (const [from, to, part] of pairsOf(before, after)) {
    kept += part * keptBetween(before.tables[from], after.tables[to]);
  }
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

/** Precision of sums of shares. */
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

/** The part of these tables' hashes that stays with its host. */
function keptBetween(before: OwnedTable | undefined, after: OwnedTable | undefined): number {
  if (before === undefined || after === undefined) return before === after ? 1 : 0;
  const [a, b] = [before.description.table, after.description.table];
  if (a === b) return keptShare(before, after);
  if (hasSlots(a) && hasSlots(b) && a.slots.length === b.slots.length) {
    return keptSlots(a, before.ids, b, after.ids);
  }
  if (hasArcs(a) && hasArcs(b)) return keptArcs(a, before.ids, b, after.ids);
  if (isProbed(a) && isProbed(b)) {
    return keptProbes(a, b, (own, other) => before.ids[own] === after.ids[other]);
  }
  return keptByChance(before, after);
}

/** A table of a policy that the proxy has not: all that can be done with it is to look hashes up. */
function isProbed(table: PolicyTable): table is ModuleTable {
  return 'hostOf' in table;
}

/** The remainder decides which host owns a hash. */
function hasSlots(table: PolicyTable): table is MaglevTable {
  return 'slots' in table;
}

/** The position on the circle decides. */
function hasArcs(table: PolicyTable): table is RingTable {
  return 'entryCount' in table;
}

/** One table: its hosts may still have other addresses. */
function keptShare(before: OwnedTable, after: OwnedTable): number {
  return before.ids.reduce((sum, id, host) => sum + (after.ids[host] === id ? (before.shares[host] as number) : 0), 0);
}

/**
 * Tables that divide the hashes independently: by remainders of two primes, or by a remainder and by position. A host keeps
 * the product of its two shares, up to the remainder of 2⁶⁴.
 */
function keptByChance(before: OwnedTable, after: OwnedTable): number {
  const now = new Map<number, number>();
  after.ids.forEach((id, host) => now.set(id, (now.get(id) ?? 0) + (after.shares[host] as number)));
  return before.ids.reduce((sum, id, host) => sum + (before.shares[host] as number) * (now.get(id) ?? 0), 0);
}
