import { assert } from '../core/assert.js';
import { own, sameItems, sum } from '../core/values.js';
import { TWO_32 } from '../core/u64.js';
import type { LbPolicy, LoadBalancerConfig } from '../hostset/lb-config.js';
import { sameWeightedHosts, tableHosts, tableOptions } from '../hostset/normalized-weights.js';
import type { MaglevTable } from '../policy/maglev.js';
import { tablePolicyOf } from '../policy/policy-of.js';
import { type AnyTablePolicy, lbPolicyName } from '../policy/registry.js';
import { ringEntry, type RingTable } from '../policy/ring-hash.js';
import type { PolicyTable, WeightedHosts } from '../policy/policy-kinds.js';
import { type DeliveredLevel, rowsOf } from './delivered-level.js';
import { gcd } from '../core/divisors.js';
import type { Hashes } from './request-hashes.js';

/** For a drawn hash: the probability, by host, that it is found and that hash mod 100 is one of those that are set. */
type Shares = (table: PolicyTable, residues: Uint8Array) => Float64Array;

const SHARES: Readonly<Record<string, Shares>> = {
  RING_HASH: (table, residues) => ringShares(table as RingTable, residues),
  MAGLEV: (table, residues) => maglevShares(table as MaglevTable, residues),
};

export const hasTableShares = (policy: LbPolicy): boolean => own(SHARES, lbPolicyName(policy)) !== undefined;

/** The table of a level: whose each hash is. It is built on demand: one without load never is. */
export class HashTable {
  /** Of its hosts, in the table's order. */
  readonly rows: Uint32Array;
  private readonly policy: AnyTablePolicy;
  private readonly sharesOf: Shares;
  readonly weighted: WeightedHosts;
  private built: PolicyTable | undefined;
  /** The last answer: most tables are asked with the same residues again and again. */
  private known: { readonly residues: Uint8Array; readonly shares: Float64Array } | undefined;
  /** The table before it, kept so that a host that fails and returns needs no third one. */
  private earlier: HashTable | undefined;

  /** @param panic all hosts of the level count, not the healthy ones alone. */
  constructor(
    private readonly config: LoadBalancerConfig,
    level: DeliveredLevel,
    panic: boolean,
  ) {
    const { lbPolicy } = config;
    const shares = own(SHARES, lbPolicyName(lbPolicy));
    assert(shares !== undefined, `${lbPolicyName(lbPolicy)} has no method`);
    this.policy = tablePolicyOf(lbPolicy);
    this.sharesOf = shares;
    const { hosts, weighted } = tableHosts(level, tableOptions(config, panic));
    this.rows = rowsOf(hosts);
    this.weighted = weighted;
  }

  /** This one, or one of those before it if that fits: the last one, or the one before that. */
  after(before: HashTable | undefined): HashTable {
    if (before === undefined || this.equals(before)) return before ?? this;
    const { earlier } = before;
    before.earlier = undefined;
    const now = earlier !== undefined && this.equals(earlier) ? earlier : this;
    now.earlier = before;
    return now;
  }

  /**
   * @param residues 1: hashes mod 100 that reach it. @param rows by hash: written where still -1 and a host is found.
   */
  find(hashes: Hashes, residues: Uint8Array, rows: Int32Array): void {
    for (let index = 0; index < rows.length; index++) {
      if ((rows[index] as number) >= 0 || residues[hashes.residues[index] as number] === 0) continue;
      rows[index] = this.rowOf(hashes, index, 0);
    }
  }

  /** The rows of hashes for which the hosts before were all rejected. @param attempt 1 after the first rejection. */
  findAgain(hashes: Hashes, attempt: number): Int32Array {
    return Int32Array.from({ length: hashes.count }, (_, index) => this.rowOf(hashes, index, attempt));
  }

  /** @param residues as in {@link find}. */
  shares(residues: Uint8Array): Float64Array {
    if (this.known === undefined || !sameItems(this.known.residues, residues))
      this.known = { residues, shares: this.sharesOf(this.table, residues) };
    return this.known.shares;
  }

  private rowOf({ pairs }: Hashes, index: number, attempt: number): number {
    const [lo, hi] = [pairs[2 * index] as number, pairs[2 * index + 1] as number];
    const host = this.policy.choose(this.table, hi, lo, attempt);
    return host < 0 ? -1 : (this.rows[host] as number);
  }

  private get table(): PolicyTable {
    const { config, policy, weighted } = this;
    return (this.built ??= policy.build(weighted, policy.configOf(config, config.version)));
  }

  private equals({ weighted, rows }: HashTable): boolean {
    return sameWeightedHosts(weighted, this.weighted) && sameItems(rows, this.rows);
  }
}

function ringShares(ring: RingTable, residues: Uint8Array): Float64Array {
  const shares = new Float64Array(ring.entriesPerHost.length);
  for (const [entry, share] of entryShares(ring, residues).entries()) {
    const host = ring.entries[3 * entry + 2] as number;
    shares[host] = (shares[host] as number) + share;
  }
  return shares;
}

/**
 * The share of each entry, which owns the hashes after the entry before it up to its own, the first entry also those after the last. Of each
 * arc, the hashes with a given residue mod 100 are a hundredth, to less than one hash: over all arcs that is an error
 * below 2 · entries / 2⁶⁴, under 1e-12 for the largest ring.
 */
export function entryShares(ring: Pick<RingTable, 'entries' | 'entryCount'>, residues: Uint8Array): Float64Array {
  const each = sum(residues) / 100 / (TWO_32 * TWO_32);
  const shares = new Float64Array(ring.entryCount);
  let before = ringEntry(ring, shares.length - 1);
  for (let entry = 0; entry < shares.length; entry++) {
    const here = ringEntry(ring, entry);
    const around = entry === 0 ? TWO_32 : 0;
    shares[entry] = ((here.hi - before.hi + around) * TWO_32 + (here.lo - before.lo)) * each;
    before = here;
  }
  return shares;
}

/** Pairs (hash mod slots, hash mod 100) equal mod gcd(slots, 100) are equally likely; it is 1 but for 2 and 5 slots. */
function maglevShares({ slots, entriesPerHost }: MaglevTable, residues: Uint8Array): Float64Array {
  const divisor = gcd(100, slots.length);
  if (divisor === 1) {
    const portion = sum(residues) / 100 / sum(entriesPerHost);
    return new Float64Array(entriesPerHost).map((entries) => entries * portion);
  }
  const shares = new Float64Array(entriesPerHost.length);
  for (const [slot, host] of slots.entries()) {
    const meeting = residues.reduce((count, set, r) => (r % divisor === slot % divisor ? count + set : count), 0);
    shares[host] = (shares[host] as number) + (meeting * divisor) / (100 * slots.length);
  }
  return shares;
}
