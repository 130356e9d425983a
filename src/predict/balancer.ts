import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { Member } from './discovery.js';
import type { HostGroup, LevelView } from './level.js';
import type { ListContext } from './lists.js';
import { splitList } from './lists.js';
import type { Loads, PrioritySlice } from './loads.js';
import { divideLoad, NO_LOADS, slicesOf } from './loads.js';
import { localitySplit } from './localities.js';
import type { Outcome } from './outcome.js';
import type { HashTable, TableMaker } from './tables.js';
import type { ZoneSplit } from './zones.js';

/** What a balancer of one set of hosts holds since its last update. */
export interface Balancer {
  readonly config: LoadBalancerConfig;
  readonly levels: readonly LevelView[];
  readonly loads: Loads;
  readonly slices: readonly PrioritySlice[];
  /** How priority 0 spreads over zones; undefined: zones play no part. */
  readonly zones: ZoneSplit | undefined;
  /** By priority; hash policies only. */
  readonly tables: readonly HashTable[];
  /** Hash policies only: the table that a hash goes to, by hash mod 100; undefined: nobody is there. */
  readonly tableOfResidue: readonly (HashTable | undefined)[];
}

/** What a balancer reads at the moment of a pick. */
export interface PickContext extends ListContext {
  /** Portion of picks for which zone routing is on, 0–1. */
  readonly zonesEnabled: number;
  /** The local cluster is in panic. */
  readonly localPanic: boolean;
  /** Threads with balancers of their own, each with rotations of its own. */
  readonly threads: number;
}

export function isHashPolicy({ lbPolicy }: LoadBalancerConfig): boolean {
  return lbPolicy === 'RING_HASH' || lbPolicy === 'MAGLEV';
}

/**
 * @param threshold panic threshold in whole percent.
 * @param maker     of the tables; undefined: the policy has none.
 */
export function updateBalancer(
  config: LoadBalancerConfig,
  levels: readonly LevelView[],
  threshold: number,
  zones: ZoneSplit | undefined,
  before: Balancer | undefined,
  maker: TableMaker | undefined,
): Balancer {
  const loads = divideLoad(levels, threshold, config.version, before?.loads ?? NO_LOADS);
  const slices = slicesOf(loads);
  const tables =
    maker === undefined
      ? []
      : levels.map((level, priority) => maker.make(level, loads.panic[priority] ?? false, before?.tables[priority]));
  // Degraded load goes to the same table, which holds healthy hosts.
  const tableOfResidue = slices.flatMap(({ priority, from, to }) => {
    const table = tables[priority];
    return Array.from({ length: to - from }, () => (table?.members.length === 0 ? undefined : table));
  });
  return { config, levels, loads, slices, zones, tables, tableOfResidue };
}

/** Where round robin, least request and random send a request. */
export function pickFromLists(balancer: Balancer, context: PickContext, outcome: Outcome): void {
  const { levels, slices, loads, config } = balancer;
  if (levels.length === 0) outcome.addNone(1);
  for (const slice of slices) {
    const { priority, degraded } = slice;
    const portion = (slice.to - slice.from) / 100;
    const level = levels[priority];
    if (level === undefined) {
      outcome.addNone(portion);
      continue;
    }
    const list = degraded ? 'degraded' : 'healthy';
    const pick = (group: HostGroup, probability: number): void => {
      if (group.members.length === 0) outcome.addNone(probability);
      else spread(group, probability, 1, 0, slice, context, outcome);
    };
    if (loads.panic[priority] === true) {
      if (config.failTrafficOnPanic) outcome.addNone(portion);
      else pick(level.all, portion);
      continue;
    }
    const localities = config.localityWeighted ? localitySplit(level, degraded) : undefined;
    if (localities !== undefined) {
      let empty = 0;
      for (const [index, part] of localities.entries()) {
        const group = level.places[index]?.[list];
        if (part === 0 || group === undefined) continue;
        if (group.members.length === 0) empty += part;
        else spread(group, portion, part, 1 + localities.length * part, slice, context, outcome);
      }
      if (empty > 0) {
        // Localities take turns: which of them is empty is not drawn.
        outcome.none += portion * empty;
        outcome.noneSecond += portion * empty * empty;
        outcome.noneGrain += context.threads * (1 + localities.length * empty) ** 2;
      }
      continue;
    }
    const { zones } = balancer;
    if (priority !== 0 || zones === undefined) {
      pick(level[list], portion);
      continue;
    }
    const { zonesEnabled, localPanic } = context;
    if (zonesEnabled < 1) pick(level[list], portion * (1 - zonesEnabled));
    if (zonesEnabled === 0) continue;
    if (localPanic) {
      if (config.failTrafficOnPanic) outcome.addNone(portion * zonesEnabled);
      else pick(level[list], portion * zonesEnabled);
      continue;
    }
    for (const [index, part] of zones.entries()) {
      const group = level.places[index]?.[list];
      if (part > 0 && group !== undefined) pick(group, portion * zonesEnabled * part);
    }
  }
}

/**
 * Adds a list's hosts to the outcome.
 *
 * @param probability that the draws lead here.
 * @param turns       portion of those requests whose turn it is to go to this list: 1, unless localities take turns.
 * @param turnGrain   how far those turns may stray, in requests.
 */
function spread(
  group: HostGroup,
  probability: number,
  turns: number,
  turnGrain: number,
  slice: PrioritySlice,
  context: PickContext,
  outcome: Outcome,
): void {
  const split = splitList(group, slice, context);
  if (typeof split === 'string') {
    outcome.whyNot ??= split;
    return;
  }
  outcome.errorRequests += split.errorRequests;
  const { members } = group;
  for (let index = 0; index < members.length; index++) {
    const share = split.share(index);
    if (share === 0) continue;
    const mean = turns * share;
    // Per request: turns taken leave no variance, draws that of a coin.
    const variance = split.drawn ? turns * share * (1 - share) : 0;
    const grain = split.grain(index) + share * turnGrain;
    const { row } = members[index] as Member;
    outcome.add(row.index, probability * mean, probability * (variance + mean * mean), context.threads * grain * grain);
  }
}

/** Where a hash policy sends a request without a hash: one is drawn, for the priority and for the table alike. */
export function pickByDrawnHash({ tables, slices }: Balancer, outcome: Outcome): void {
  if (tables.length === 0) outcome.addNone(1);
  const residues = tables.map(() => Array.from({ length: 100 }, () => false));
  for (const { priority, from, to } of slices) residues[priority]?.fill(true, from, to);
  tables.forEach(({ members, shares: sharesOf }, priority) => {
    const own = residues[priority] ?? [];
    const size = own.filter(Boolean).length;
    if (size === 0) return;
    if (members.length === 0) outcome.addNone(size / 100);
    const shares = sharesOf(own);
    members.forEach(({ row }, index) => {
      const share = shares[index] as number;
      outcome.add(row.index, share, share, 0);
    });
  });
}

/** The row that a hash policy sends this hash to; -1: nobody is there. @param residue hash mod 100. */
export function pickByHash({ tableOfResidue }: Balancer, hashHi: number, hashLo: number, residue: number): number {
  const table = tableOfResidue[residue];
  return table === undefined ? -1 : (table.rows[table.choose(hashHi, hashLo)] ?? -1);
}
