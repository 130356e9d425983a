import { entryOf, groupBy, sum } from '../../core/values.js';
import { microsToSeconds } from '../../core/units.js';
import type { HostSet, LocalityGroup } from '../../hostset/host-set.js';
import { isTablePolicy } from '../../policy/registry.js';
import type { Scenario } from '../../scenario/model.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import { RuntimeValues } from '../../core/runtime-values.js';
import { createSimulation } from '../run/run-scenario.js';
import { type Pause, runUntil } from '../pause.js';
import type { KeyComparison, LossSummary, MovedKeysResult } from './comparison.js';
import type { SharedPhase } from './cluster-runs.js';
import { around } from '../../config/policy/policy.js';
import { lbPolicyOf, policyOf } from '../../config/policy/of-cluster.js';
import { createPolicyBalancer } from '../../hostset/create-load-balancer.js';
import { LbStats } from '../../hostset/lb-stats.js';
import { type Host, placeName } from '../../host/host.js';
import { ScriptedRandom } from '../../random/random64.js';
import type { BalancerDescription } from '../../hostset/describe.js';
import { choosePriority } from '../../hostset/priority-load.js';
import { keptProbes, type ModuleTable } from '../../policy/foreign/adapted-module.js';
import { keptArcs, keptSlots } from '../../policy/kept-keys.js';
import type { MaglevTable } from '../../policy/maglev.js';
import type { RingTable } from '../../policy/ring-hash.js';
import type { PolicyTable } from '../../policy/policy-kinds.js';

export interface KeyOptions {
  /** Lose each host by itself, to see which keys move. */
  readonly singleHostFailures?: boolean | undefined;
  /** The same of each zone. */
  readonly zoneFailures?: boolean | undefined;
  readonly pause: Pause;
}

/** Which keys of a cluster move; undefined where no side has a table. */
export async function compareKeys(
  cluster: string,
  sides: readonly { readonly scenario: Scenario }[],
  phases: readonly SharedPhase[],
  options: KeyOptions,
): Promise<KeyComparison | undefined> {
  if (!sides.some(({ scenario }) => hasTables(scenario, cluster))) return undefined;
  const ids: HostIds = new Map();
  const phaseMaps: (readonly PhaseMaps[])[] = [];
  const tables: (SideTables | undefined)[] = [];
  for (const { scenario } of sides) {
    const watches = hasTables(scenario, cluster);
    const watched = watches ? await watch(scenario, cluster, phases, ids, options.pause) : undefined;
    phaseMaps.push(watched?.maps ?? []);
    // The loss of a host is not followed into subsets.
    tables.push(hasSubsets(scenario, cluster) ? undefined : watched?.atStart);
  }
  const compared = (mapOf: (maps: PhaseMaps) => KeyMap | undefined): Pick<KeyComparison, 'between' | 'over_time'> => {
    const maps = phaseMaps.map((side) => side.map(mapOf));
    const [first, ...others] = maps;
    return {
      between: others.map((other) => movedKeys(first?.[0], other[0], ids)),
      over_time: maps.map((side) =>
        phases.slice(1).flatMap(({ fromUs }, index) => {
          const moved = movedKeys(side[index], side[index + 1], ids);
          return moved === null ? [] : [{ at_s: microsToSeconds(fromUs), ...moved }];
        }),
      ),
    };
  };
  const subsets = [...new Set(phaseMaps.flat().flatMap((maps) => [...maps.subsets.keys()]))].sort();
  /** @param lostWith what a host is lost with: all of one name, at once. */
  const summaries = (of: 'healthy' | 'hosts', lostWith: (host: Host) => string): Promise<(LossSummary | null)[]> =>
    Promise.all(
      tables.map(async (side) => {
        if (side === undefined) return null;
        const hosts = side.hostSets.flatMap((level) => level[of]);
        return summary(await outcomesOf(side, groupBy(hosts, lostWith), ids, options.pause));
      }),
    );
  return {
    ...compared(({ whole }) => whole),
    ...(subsets.length > 0 && {
      subsets: Object.fromEntries(subsets.map((name) => [name, compared((maps) => maps.subsets.get(name))])),
    }),
    // Each address that may own keys, alone; each zone with all of its hosts, of any priority.
    ...(options.singleHostFailures === true && {
      single_host_failures: await summaries('healthy', ({ address }) => address),
    }),
    ...(options.zoneFailures === true && {
      zone_failures: await summaries('hosts', ({ locality }) => placeName(locality)),
    }),
  };
}

const hasTables = ({ clusters }: Scenario, name: string): boolean =>
  clusters.some((one) => one.name === name && isTablePolicy(lbPolicyOf(one)));

/** Each subset has its own table, which says nothing about the cluster's keys as a whole. */
const hasSubsets = ({ clusters }: Scenario, name: string): boolean =>
  clusters.some((one) => one.name === name && around(policyOf(one), 'subset') !== undefined);

type PhaseMaps = ReturnType<typeof phaseMapsOf>;

/** Of the whole cluster, where it is not divided into subsets; and of each subset with a table. */
function phaseMapsOf(cluster: ProxyCluster, ids: HostIds) {
  const subsets = new Map<string, KeyMap>();
  if (!cluster.world.present) return { whole: undefined, subsets };
  const described = cluster.balancerOf(0).describe();
  if (described.subsets === undefined) return { whole: keyMapOf(described, ids), subsets };
  for (const { subset, balancer } of described.subsets) {
    const map = balancer && keyMapOf(balancer, ids);
    if (map !== undefined) subsets.set(subset, map);
  }
  return { whole: undefined, subsets };
}

type SideTables = Readonly<{ cluster: ProxyCluster; hostSets: readonly HostSet[]; scenario: Scenario }>;

/** Repeats a run, and reads the tables of the first worker at the start of each phase. */
async function watch(scenario: Scenario, name: string, phases: readonly SharedPhase[], ids: HostIds, pause: Pause) {
  const simulation = await createSimulation({ ...scenario, expect: [] });
  const maps: PhaseMaps[] = [];
  let hostSets: readonly HostSet[] = [];
  for (const [index, { fromUs }] of phases.entries()) {
    await runUntil(simulation, () => pause(index / phases.length), fromUs);
    const cluster = simulation.clusterOfFirstProxy(name);
    maps.push(phaseMapsOf(cluster, ids));
    if (index === 0) hostSets = cluster.upstream.delivery.deliveredSets.filter((hostSet) => hostSet !== undefined);
  }
  return { maps, atStart: { cluster: simulation.clusterOfFirstProxy(name), hostSets, scenario } };
}

function summary(losses: readonly LossOutcome[]): LossSummary | null {
  const [first] = losses;
  if (first === undefined) return null;
  const mean = (of: (loss: LossOutcome) => number): number => sum(losses.map(of)) / losses.length;
  const needless = ({ moved, orphaned }: LossOutcome): number => moved - orphaned;
  const worst = losses.reduce((most, loss) => (needless(loss) > needless(most) ? loss : most), first);
  return {
    moved: mean(({ moved }) => moved),
    minimum: mean(({ minimum }) => minimum),
    orphaned: mean(({ orphaned }) => orphaned),
    worst: needless(worst) > 0 ? worst.lost : null,
    losses,
  };
}

/** What is lost, an address or a zone, and its hosts. */
type Losses = ReadonlyMap<string, readonly Host[]>;

type LossOutcome = LossSummary['losses'][number];

/** The keys that move when the hosts of a loss become unhealthy, all at once; one loss after the other. */
async function outcomesOf(
  { cluster, hostSets, scenario }: SideTables,
  losses: Losses,
  ids: HostIds,
  pause: Pause,
): Promise<LossOutcome[]> {
  const balancer = createPolicyBalancer(cluster.lb, {
    random: new ScriptedRandom([]),
    runtime: new RuntimeValues(scenario.proxies[0]?.runtime ?? {}),
    clock: { nowUs: 0 },
    stats: new LbStats(),
    hasLocalCluster: false,
    initial: hostSets,
    activity: { upstreamRqActive: 0 },
  });
  const intact = keyMapOf(balancer.describe(), ids);
  const outcomes: LossOutcome[] = [];
  for (const [lost, hosts] of losses) {
    for (const level of hostSets) balancer.update(without(level, new Set(hosts)), [], []);
    const moved = movedKeys(intact, keyMapOf(balancer.describe(), ids), ids);
    if (moved !== null) outcomes.push({ lost, ...moved });
    if (outcomes.length % PAUSE_EVERY === 0) await pause(outcomes.length / losses.size);
  }
  return outcomes;
}

const PAUSE_EVERY = 8;

/** The lists of a level in which some hosts are unhealthy. */
function without({ rows: _, ...level }: HostSet, lost: ReadonlySet<Host>): HostSet {
  const thinned = <Lists extends Pick<LocalityGroup, 'healthy' | 'degraded'>>(lists: Lists): Lists => ({
    ...lists,
    healthy: lists.healthy.filter((host) => !lost.has(host)),
    degraded: lists.degraded.filter((host) => !lost.has(host)),
  });
  return { ...thinned(level), localities: level.localities.map(thinned) };
}

/** Hash mod this chooses the priority. */
const RESIDUES = 100;

/** Numbers for hosts by address, shared by all maps that are compared. */
type HostIds = Map<string, number>;

type KeyMap = NonNullable<ReturnType<typeof keyMapOf>>;
type OwnedTable = NonNullable<KeyMap['tables'][number]>;

/** Which host owns which of the 2⁶⁴ hashes in one balancer. @returns undefined for a balancer without tables. */
function keyMapOf({ priorities }: BalancerDescription, ids: HostIds) {
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
function movedKeys(before: KeyMap | undefined, after: KeyMap | undefined, ids: HostIds): MovedKeysResult | null {
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
