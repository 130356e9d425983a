import { entryOf } from '../../core/lists.js';
import type { LoadBalancerConfig } from '../../hostset/lb-config.js';
import { createPolicyBalancer } from '../../hostset/create-load-balancer.js';
import type { LbEnvironment } from '../../hostset/lb-environment.js';
import { maglev } from '../../policy/maglev.js';
import type { HostSet, LocalityGroup } from '../../hostset/host-set.js';
import type { LoadBalancer, Runtime } from '../../hostset/load-balancer.js';
import { LbStats } from '../../hostset/lb-stats.js';
import { type Host, localityKey } from '../../host/host.js';
import { ScriptedRandom } from '../../random/scripted.js';
import type { Pause } from '../pause.js';
import type { LossSummary } from './comparison.js';
import { type HostIds, type KeyMap, keyMapOf, movedKeys } from './key-map.js';
import type { TableSource } from '../../hostset/table-cache.js';
import type { MaglevTableConfig } from '../../policy/maglev-table.js';
import { MaglevWithout } from '../../policy/maglev-without.js';
import type { WeightedHosts } from '../../policy/table-policy.js';

/**
 * Tables for balancers that lose one host after the other, each time from the same full set, without a rebuild; undefined
 * where there is no way without.
 *
 * @param whole the hosts before any is lost.
 */
function maglevLosses(whole: WeightedHosts, config: MaglevTableConfig): TableSource | undefined {
  if (!MaglevWithout.takes(whole, config)) return undefined;
  const tables = new MaglevWithout(whole, config);
  return {
    get<Table extends object>(_configuration: string, hosts: WeightedHosts, build: () => Table): Table {
      const lost = lostFrom(whole, hosts);
      // It serves one balancer, so all tables have one configuration.
      return lost < 0 ? build() : (tables.without(lost) as object as Table);
    },
  };
}

/** Which one host is missing; -1: not exactly one, or the others differ in weight. */
function lostFrom({ keys: all }: WeightedHosts, { keys, weights }: WeightedHosts): number {
  if (keys.length !== all.length - 1 || !weights.every((weight) => weight === weights[0])) return -1;
  const differs = keys.findIndex((key, index) => key !== all[index]);
  const lost = differs < 0 ? keys.length : differs;
  return keys.every((key, index) => key === all[index < lost ? index : index + 1]) ? lost : -1;
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
    const environment: LbEnvironment = {
      random: new ScriptedRandom([]),
      runtime,
      clock: { nowUs: 0 },
      stats: new LbStats(),
      hasLocalCluster: false,
      initial: hostSets,
      activity: { upstreamRqActive: 0 },
    };
    const whole = createPolicyBalancer(config, environment).describe();
    this.intact = keyMapOf(whole, ids);
    const [table] = whole.priorities.flatMap(({ table: own }) => own ?? []);
    const isMaglev = hostSets.length === 1 && table?.policy.name === maglev.name;
    const tables = isMaglev ? maglevLosses(table.weighted, maglev.configOf(config, config.version)) : undefined;
    this.balancer = createPolicyBalancer(config, { ...environment, ...(tables && { tables }) });
  }

  /** The keys that move when these hosts become unhealthy, all at once. */
  outcome({ lost, hosts }: Loss): LossOutcome | undefined {
    const touched = this.hostSets.filter((hostSet) => hostSet.hosts.some((host) => hosts.has(host)));
    for (const hostSet of touched) this.balancer.update(without(hostSet, hosts), [], []);
    const after = keyMapOf(this.balancer.describe(), this.ids);
    for (const hostSet of touched) this.levelBack(hostSet);
    if (this.intact === undefined || after === undefined) return undefined;
    return { lost, ...movedKeys(this.intact, after, this.ids) };
  }

  /** The next loss starts from full lists. */
  private levelBack(hostSet: HostSet): void {
    if (this.hostSets.length > 1) this.balancer.update(hostSet, [], []);
  }
}

/** Evaluates losses, with a pause from time to time. */
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
