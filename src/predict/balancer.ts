import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import { isTablePolicy } from '../policy/registry.js';
import type { Host } from '../host/host.js';
import { type DeliveredLevel, type HostGroup, rowsOf } from './delivered-level.js';
import { HashTable } from './hash-table.js';
import * as listShares from './list-shares.js';
import { emptyPriorityState, priorityState, type PriorityState } from '../hostset/priority-load.js';
import { type Outcome, valueAt, type Values } from './outcome.js';
import type { Hashes } from './request-hashes.js';
import type { ZoneRule } from './zone-rule.js';
import { sum } from '../core/values.js';
import { effectiveLocalityWeights, degradedHosts, healthyHosts } from '../hostset/locality-weights.js';
import { isObstacle } from './obstacle.js';

/** The state of a balancer of one set of hosts since its last update. */
export interface Balancer {
  readonly config: LoadBalancerConfig;
  readonly levels: readonly DeliveredLevel[];
  /** Panic threshold at that update, in whole percent. */
  readonly threshold: number;
  readonly state: PriorityState;
  readonly slices: readonly listShares.PrioritySlice[];
  /** How priority 0 spreads over zones; undefined: it does not route by zone. */
  readonly zones: ZoneRule | undefined;
  /** By priority; hash policies only. */
  readonly tables: readonly HashTable[];
}

/** Values that a balancer reads at the moment of a pick. */
export interface PickContext extends listShares.ListContext {
  /** Percent of picks for which zone routing is on. */
  readonly zonesEnabled: number;
  readonly localPanic: boolean;
  /** Threads, each with its own balancer and rotations. */
  readonly threads: number;
  /** Called with every list that requests reach; undefined: not needed. */
  readonly noteList?: ((list: ListPart) => void) | undefined;
}

export interface ListPart {
  readonly group: HostGroup;
  /** Part of the balancer's requests. */
  readonly portion: number;
  readonly priority: number;
  readonly degraded: boolean;
  /** Requests are drawn for it; false: it takes turns with other lists. */
  readonly drawn: boolean;
  readonly split: listShares.ListSplit;
}

export const isHashPolicy = ({ lbPolicy }: LoadBalancerConfig): boolean => isTablePolicy(lbPolicy);

/** @param threshold panic threshold in whole percent. */
export function updateBalancer(
  config: LoadBalancerConfig,
  levels: readonly DeliveredLevel[],
  threshold: number,
  zones: ZoneRule | undefined,
  before: Balancer | undefined,
): Balancer {
  const counted = levels.map((level) => level.delivered.counted(level));
  // Level by level, as updates reach a balancer: where no level can take a whole percent, the loads of the step before remain.
  let state = before?.state ?? emptyPriorityState();
  for (const level of counted.keys()) state = priorityState(state, counted, level, threshold, config.version);
  const tables = isHashPolicy(config)
    ? levels.map((level, priority) =>
        new HashTable(config, level, state.panic[priority] ?? false).after(before?.tables[priority]),
      )
    : [];
  return { config, levels, threshold, state, slices: listShares.slicesOf(state.load), zones, tables };
}

/** Where round robin, least request and random send a request. */
export function pickFromLists(balancer: Balancer, context: PickContext, outcome: Outcome): void {
  const { levels, slices, state, config } = balancer;
  for (const slice of slices) {
    const { priority, degraded } = slice;
    const portion = (slice.to - slice.from) / 100;
    const level = levels[priority];
    if (level === undefined) {
      outcome.addNone(portion);
      continue;
    }
    const list = degraded ? 'degraded' : 'healthy';
    const pick = (hosts: readonly Host[], probability: number): void => {
      const group = { hosts, level };
      if (listShares.findsNoHost(group, config)) outcome.addNone(probability);
      else spread(group, probability, 1, 0, slice, context, outcome);
    };
    if (state.panic[priority] === true) {
      if (config.failTrafficOnPanic) outcome.addNone(portion);
      else pick(level.hosts, portion);
      continue;
    }
    const eligible = degraded ? degradedHosts : healthyHosts;
    const weights = config.localityWeighted ? effectiveLocalityWeights(level, eligible) : undefined;
    // Without a schedule the whole level is picked from.
    if (weights !== undefined) {
      const whole = sum(weights);
      let empty = 0;
      for (const [index, weight] of weights.entries()) {
        const part = weight / whole;
        const hosts = level.localities[index]?.[list];
        if (part === 0 || hosts === undefined) continue;
        const group = { hosts, level };
        if (listShares.findsNoHost(group, config)) empty += part;
        else spread(group, portion, part, 1 + weights.length * part, slice, context, outcome);
      }
      if (empty > 0) {
        // Localities take turns: an empty one is not a matter of chance.
        outcome.none += portion * empty;
        outcome.noneSecond += portion * empty * empty;
        outcome.noneGranularitySquared += context.threads * (1 + weights.length * empty) ** 2;
      }
      continue;
    }
    const split = balancer.zones?.split;
    if (priority !== 0 || split === undefined) {
      pick(level[list], portion);
      continue;
    }
    const zonesEnabled = context.zonesEnabled / 100;
    if (zonesEnabled < 1) pick(level[list], portion * (1 - zonesEnabled));
    if (zonesEnabled === 0) continue;
    if (context.localPanic) {
      if (config.failTrafficOnPanic) outcome.addNone(portion * zonesEnabled);
      else pick(level[list], portion * zonesEnabled);
      continue;
    }
    for (const [index, part] of split.entries()) {
      const hosts = level.localities[index]?.[list];
      if (part > 0 && hosts !== undefined) pick(hosts, portion * zonesEnabled * part);
    }
  }
}

/**
 * @param probability that the draws lead here.
 * @param turns       portion of those requests that go to this list: 1, unless localities take turns.
 * @param turnGranularity   the granularity of those turns, in requests.
 */
function spread(
  group: HostGroup,
  probability: number,
  turns: number,
  turnGranularity: number,
  slice: listShares.PrioritySlice,
  context: PickContext,
  outcome: Outcome,
): void {
  const split = listShares.splitList(group, slice, probability * turns, context);
  if (isObstacle(split)) {
    outcome.obstacle ??= split;
    return;
  }
  const { priority, degraded } = slice;
  context.noteList?.({ group, portion: probability * turns, priority, degraded, drawn: turns === 1, split });
  outcome.errorRequests += split.errorRequests;
  if (split.errorShare !== undefined) {
    outcome.errorShare += probability * turns * split.errorShare;
    outcome.approximate = true;
  }
  const { rows, share, granularity } = byRow(group, split);
  const secondOf = (own: number): number => {
    const mean = turns * own;
    // Per request: turns add no variance, draws that of independent choices.
    const variance = split.drawn ? turns * own * (1 - own) : 0;
    return probability * (variance + mean * mean);
  };
  const isOne = typeof share === 'number' && typeof granularity === 'number';
  const each = (of: (own: number, ownGranularity: number) => number): Values =>
    isOne
      ? of(share, granularity)
      : new Float64Array(rows.length).map((_, index) => of(valueAt(share, index), valueAt(granularity, index)));
  outcome.parts.push({
    rows,
    share: each((own) => probability * turns * own),
    second: each(secondOf),
    granularitySquared: each((own, ownGranularity) => context.threads * (ownGranularity + own * turnGranularity) ** 2),
  });
}

/**
 * Each row once. Several hosts of one row: their turns add up, and a draw picks at most one of them. One that is listed many times
 * in a row stands for so many: then it is the share of each.
 */
function byRow({ hosts, level }: HostGroup, { share, granularity }: listShares.ListSplit) {
  const rows = rowsOf(hosts);
  if (!level.delivered.sharesRows) return { rows, share, granularity };
  const sums = new Map<number, { share: number; granularity: number }>();
  rows.forEach((row, index) => {
    if (index > 0 && hosts[index] === hosts[index - 1]) return;
    const sum = sums.get(row) ?? { share: 0, granularity: 0 };
    sum.share += valueAt(share, index);
    sum.granularity += valueAt(granularity, index);
    sums.set(row, sum);
  });
  const entries = [...sums.values()];
  return {
    rows: Uint32Array.from(sums.keys()),
    share: Float64Array.from(entries, (sum) => sum.share),
    granularity: Float64Array.from(entries, (sum) => sum.granularity),
  };
}

/** Where a hash policy sends a request without a hash: one is drawn, for both the priority and the table. */
export function pickByDrawnHash({ tables, slices }: Balancer, outcome: Outcome): void {
  if (tables.length === 0) outcome.addNone(1);
  tables.forEach((table, priority) => {
    const residues = residuesOf(slices, priority);
    const size = sum(residues);
    if (size === 0) return;
    if (table.rows.length === 0) outcome.addNone(size / 100);
    const share = table.shares(residues);
    outcome.parts.push({ rows: table.rows, share, second: share, granularitySquared: 0 });
  });
}

/** The rows that a hash policy sends requests to; -1: no host. @param rows written where there is no host yet. */
export const pickKeys = ({ tables, slices }: Balancer, hashes: Hashes, rows: Int32Array): void =>
  tables.forEach((table, priority) => {
    const residues = residuesOf(slices, priority);
    if (residues.includes(1)) table.find(hashes, residues, rows);
  });

/** Of the hundred values of hash mod 100, those that go to a priority: degraded load goes to the same table. */
export function residuesOf(slices: readonly listShares.PrioritySlice[], wanted: number): Uint8Array {
  const residues = new Uint8Array(100);
  for (const { priority, from, to } of slices) if (priority === wanted) residues.fill(1, from, to);
  return residues;
}
