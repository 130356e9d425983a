import { entryOf } from '../../core/lists.js';
import type { LoadBalancerConfig } from '../../hostset/lb-config.js';
import { createPolicyBalancer } from '../../hostset/create-load-balancer.js';
import type { HostSet, LocalityGroup } from '../../hostset/host-set.js';
import type { LoadBalancer, Runtime } from '../../hostset/load-balancer.js';
import { LbStats } from '../../hostset/lb-stats.js';
import { type Host, localityKey } from '../../host/host.js';
import { ScriptedRandom } from '../../random/scripted.js';
import type { Pause } from '../pause.js';
import type { LossSummary } from './comparison.js';
import { type HostIds, type KeyMap, keyMapOf, movedKeys } from './key-map.js';

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
