import { sum, entryOf } from '../../core/lists.js';
import { microsToSeconds } from '../../core/units.js';
import type { HostSet, LocalityGroup } from '../../hostset/host-set.js';
import { isTablePolicy } from '../../policy/registry.js';
import type { Scenario } from '../../scenario/model.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import { RuntimeValues } from '../../core/runtime-values.js';
import { createSimulation } from '../run/run-scenario.js';
import { type Pause, runUntil } from '../pause.js';
import type { KeyComparison, KeyStep, LossSummary, MovedKeysResult } from './comparison.js';
import { HostIds, type KeyMap, keyMapOf, movedKeys } from './key-map.js';
import type { SharedPhase } from './cluster-runs.js';
import { lbPolicyOf, policyOf } from '../../config/policy/of-cluster.js';
import { around } from '../../config/policy/policy.js';
import type { LoadBalancerConfig } from '../../hostset/lb-config.js';
import { createPolicyBalancer } from '../../hostset/create-load-balancer.js';
import type { LoadBalancer, Runtime } from '../../hostset/load-balancer.js';
import { LbStats } from '../../hostset/lb-stats.js';
import { type Host, localityKey } from '../../host/host.js';
import { ScriptedRandom } from '../../random/scripted.js';

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
  const ids = new HostIds();
  const phaseMaps: (readonly PhaseMaps[])[] = [];
  const tables: (SideTables | undefined)[] = [];
  for (const { scenario } of sides) {
    const watched = hasTables(scenario, cluster)
      ? await watch(scenario, cluster, phases, ids, options.pause)
      : undefined;
    phaseMaps.push(watched?.maps ?? []);
    // The loss of a host is not followed into subsets.
    tables.push(hasSubsets(scenario, cluster) ? undefined : watched?.atStart);
  }
  const compared = (mapOf: (maps: PhaseMaps) => KeyMap | undefined): Pick<KeyComparison, 'between' | 'over_time'> => {
    const maps = phaseMaps.map((side) => side.map(mapOf));
    const [first, ...others] = maps;
    return {
      between: others.map((other) => between(first?.[0], other[0], ids)),
      over_time: maps.map((side) => steps(side, phases, ids)),
    };
  };
  const subsets = [...new Set(phaseMaps.flat().flatMap((maps) => [...maps.subsets.keys()]))].sort();
  const summaries = async (losses: (sets: readonly HostSet[]) => readonly Loss[]): Promise<(LossSummary | null)[]> => {
    const found: (LossSummary | null)[] = [];
    for (const side of tables) {
      if (side === undefined) {
        found.push(null);
        continue;
      }
      const { cluster: own, hostSets, scenario } = side;
      const runtime = new RuntimeValues(scenario.proxies[0]?.runtime ?? {});
      const lost = new LossTables(own.lb, hostSets, runtime, ids);
      found.push(summary(await outcomesOf(lost, losses(hostSets), options.pause)));
    }
    return found;
  };
  return {
    ...compared(({ whole }) => whole),
    ...(subsets.length > 0 && {
      subsets: Object.fromEntries(subsets.map((name) => [name, compared((maps) => maps.subsets.get(name))])),
    }),
    ...(options.singleHostFailures === true && { single_host_failures: await summaries(singleHosts) }),
    ...(options.zoneFailures === true && { zone_failures: await summaries(wholeZones) }),
  };
}

function hasTables({ clusters }: Scenario, name: string): boolean {
  return clusters.some((one) => one.name === name && isTablePolicy(lbPolicyOf(one)));
}

/** Each subset has its own table, which says nothing about the cluster's keys as a whole. */
function hasSubsets({ clusters }: Scenario, name: string): boolean {
  return clusters.some((one) => one.name === name && around(policyOf(one), 'subset') !== undefined);
}

/** The keys of a cluster at the start of a phase. */
interface PhaseMaps {
  /** undefined where the cluster is divided into subsets. */
  readonly whole: KeyMap | undefined;
  /** By subset; those with a table. */
  readonly subsets: ReadonlyMap<string, KeyMap>;
}

function phaseMapsOf(cluster: ProxyCluster, ids: HostIds): PhaseMaps {
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

interface SideTables {
  readonly cluster: ProxyCluster;
  readonly hostSets: readonly HostSet[];
  readonly scenario: Scenario;
}

/** Repeats a run, and reads the tables of the first worker at the start of each phase. */
async function watch(
  scenario: Scenario,
  name: string,
  phases: readonly SharedPhase[],
  ids: HostIds,
  pause: Pause,
): Promise<{ readonly maps: readonly PhaseMaps[]; readonly atStart: SideTables }> {
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

function between(before: KeyMap | undefined, after: KeyMap | undefined, ids: HostIds): MovedKeysResult | null {
  return before === undefined || after === undefined ? null : movedKeys(before, after, ids);
}

function steps(maps: readonly (KeyMap | undefined)[], phases: readonly SharedPhase[], ids: HostIds): KeyStep[] {
  return phases.slice(1).flatMap(({ fromUs }, index) => {
    const moved = between(maps[index], maps[index + 1], ids);
    return moved === null ? [] : [{ at_s: microsToSeconds(fromUs), ...moved }];
  });
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

/** Hosts that are lost together. */
export interface Loss {
  /** An address, or a zone. */
  readonly lost: string;
  readonly hosts: ReadonlySet<Host>;
}

export type LossOutcome = LossSummary['losses'][number];

/** Each host that may own keys, alone. */
export function singleHosts(hostSets: readonly HostSet[]): readonly Loss[] {
  return hostSets.flatMap(({ healthy }) =>
    healthy.map((host): Loss => ({ lost: host.address, hosts: new Set([host]) })),
  );
}

/** Each zone with all of its hosts, of any priority. */
export function wholeZones(hostSets: readonly HostSet[]): readonly Loss[] {
  const zones = new Map<string, { readonly lost: string; readonly hosts: Set<Host> }>();
  for (const { localities } of hostSets) {
    for (const { locality, hosts } of localities) {
      const key = localityKey(locality);
      const names = [locality.region, locality.zone, locality.subZone].filter((name) => name !== '');
      const zone = entryOf(zones, key, () => ({ lost: names.join('/'), hosts: new Set<Host>() }));
      for (const host of hosts) zone.hosts.add(host);
    }
  }
  return [...zones.values()];
}

/** The tables of one cluster after losses, built by a proxy's balancer. */
export class LossTables {
  private readonly balancer: LoadBalancer;
  private readonly intact: KeyMap | undefined;

  /** @param hostSets those of the cluster's balancers, in order of priority. */
  constructor(
    config: LoadBalancerConfig,
    private readonly hostSets: readonly HostSet[],
    runtime: Runtime,
    private readonly ids: HostIds,
  ) {
    this.balancer = createPolicyBalancer(config, {
      random: new ScriptedRandom([]),
      runtime,
      clock: { nowUs: 0 },
      stats: new LbStats(),
      hasLocalCluster: false,
      initial: hostSets,
      activity: { upstreamRqActive: 0 },
    });
    this.intact = keyMapOf(this.balancer.describe(), ids);
  }

  /** The keys that move when these hosts become unhealthy, all at once. */
  outcome({ lost, hosts }: Loss): LossOutcome | undefined {
    const touched = this.hostSets.filter((hostSet) => hostSet.hosts.some((host) => hosts.has(host)));
    for (const hostSet of touched) this.balancer.update(without(hostSet, hosts), [], []);
    const after = keyMapOf(this.balancer.describe(), this.ids);
    // The next loss starts from full lists.
    if (this.hostSets.length > 1) for (const hostSet of touched) this.balancer.update(hostSet, [], []);
    if (this.intact === undefined || after === undefined) return undefined;
    return { lost, ...movedKeys(this.intact, after, this.ids) };
  }
}

export async function outcomesOf(tables: LossTables, losses: readonly Loss[], pause: Pause): Promise<LossOutcome[]> {
  const outcomes: LossOutcome[] = [];
  for (const [index, loss] of losses.entries()) {
    const outcome = tables.outcome(loss);
    if (outcome !== undefined) outcomes.push(outcome);
    if (index % PAUSE_EVERY === 0) await pause(index / losses.length);
  }
  return outcomes;
}

const PAUSE_EVERY = 8;

/** The lists of a level in which some hosts are unhealthy. It has no log of changes. */
function without(hostSet: HostSet, lost: ReadonlySet<Host>): HostSet {
  const { priority, overprovisioningFactor, weightedPriorityHealth, hasLocalLocality, localityWeights } = hostSet;
  const isLeft = (host: Host): boolean => !lost.has(host);
  const thinned = <Lists extends Pick<LocalityGroup, 'healthy' | 'degraded'>>(lists: Lists): Lists => ({
    ...lists,
    healthy: lists.healthy.filter(isLeft),
    degraded: lists.degraded.filter(isLeft),
  });
  const { hosts, healthy, degraded, excluded, localities } = hostSet;
  return {
    priority,
    overprovisioningFactor,
    weightedPriorityHealth,
    hasLocalLocality,
    localityWeights,
    ...thinned({ hosts, healthy, degraded, excluded }),
    localities: localities.map(thinned),
  };
}
