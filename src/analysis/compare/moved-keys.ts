import { groupBy } from '../../core/values.js';
import { microsToSeconds } from '../../core/units.js';
import type { HostSet } from '../../hostset/host-set.js';
import { isTablePolicy } from '../../policy/registry.js';
import type { Scenario } from '../../scenario/model.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import { RuntimeValues } from '../../core/runtime-values.js';
import { type HostIds, type KeyMap, keyMapOf, movedKeys } from '../key-map.js';
import { lostKeys, type TableLists } from '../prove/lost-keys.js';
import { createSimulation } from '../run/run-scenario.js';
import type { CompareOptions } from '../generated/options.js';
import { type Pause, runUntil } from '../pause.js';
import type { KeyComparison } from './generated/comparison.js';
import type { SharedPhase } from './cluster-runs.js';
import { around } from '../../config/policy/policy.js';
import { lbPolicyOf, policyOf } from '../../config/policy/of-cluster.js';
import { type Host, placeName } from '../../host/host.js';
import type { LossSummary } from '../prove/generated/findings.js';

export type KeyOptions = Pick<CompareOptions, 'singleHostFailures' | 'zoneFailures'> & { readonly pause: Pause };

/** Which keys of a cluster move; undefined where no side has a table. */
export async function compareKeys(
  cluster: string,
  sides: readonly { readonly scenario: Scenario }[],
  phases: readonly SharedPhase[],
  options: KeyOptions,
): Promise<KeyComparison | undefined> {
  const own = sides.map(({ scenario }) => scenario.clusters.find(({ name }) => name === cluster));
  const watches = own.map((one) => one !== undefined && isTablePolicy(lbPolicyOf(one)));
  if (!watches.includes(true)) return undefined;
  const ids: HostIds = new Map();
  const phaseMaps: (readonly PhaseMaps[])[] = [];
  const tables: (TableLists | undefined)[] = [];
  for (const [side, { scenario }] of sides.entries()) {
    const watched = watches[side] === true ? await watch(scenario, cluster, phases, ids, options.pause) : undefined;
    phaseMaps.push(watched?.maps ?? []);
    // The loss of a host is not followed into subsets: each has its own table, which says nothing about all keys.
    const one = own[side];
    tables.push(one && around(policyOf(one), 'subset') ? undefined : watched?.atStart);
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
        return lostKeys(side, groupBy(hosts, lostWith), ids, options.pause);
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
  const runtime = new RuntimeValues(scenario.proxies[0]?.runtime ?? {});
  return { maps, atStart: { config: simulation.clusterOfFirstProxy(name).lb, runtime, hostSets } };
}
