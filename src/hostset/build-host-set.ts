import { compareBytes } from '../core/byte-order.js';
import { type Host, type Locality, localityKey } from '../host/host.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import { classOf, DEGRADED, EXCLUDED, HEALTHY, HostChanges } from './host-changes.js';
import { sameItems } from '../core/lists.js';

export class HostLists {
  readonly hosts: Host[] = [];
  readonly healthy: Host[] = [];
  readonly degraded: Host[] = [];
  readonly excluded: Host[] = [];

  /** @param kind bits of the host's class. */
  add(host: Host, kind: number): void {
    this.hosts.push(host);
    this.classify(host, kind);
  }

  /** The same where the list of all hosts exists already. */
  classify(host: Host, kind: number): void {
    if ((kind & HEALTHY) !== 0) this.healthy.push(host);
    if ((kind & DEGRADED) !== 0) this.degraded.push(host);
    if ((kind & EXCLUDED) !== 0) this.excluded.push(host);
  }

  group(locality: Locality, hosts: readonly Host[] = this.hosts): LocalityGroup {
    const { healthy, degraded, excluded } = this;
    return { locality, hosts, healthy, degraded, excluded };
  }
}

export interface HostSetOptions {
  readonly priority: number;
  /** All hosts of the level; every list of the result keeps their order. */
  readonly hosts: readonly Host[];
  /** Percent. */
  readonly overprovisioningFactor: number;
  readonly weightedPriorityHealth: boolean;
  /** Where the proxy runs; undefined: a node without `locality`, which is in no locality at all. */
  readonly nodeLocality: Locality | undefined;
  /** By {@link localityKey}; undefined: the level has no locality weights. */
  readonly localityWeights: ReadonlyMap<string, number> | undefined;
  /** The lists before: where no host comes or goes, the new ones record what changed. */
  readonly before?: HostSet | undefined;
  /** Whether changes are recorded, which subsets need. Default true. */
  readonly recordsChanges?: boolean;
}

/**
 * Sorts the hosts of one priority into its lists, as they are at this moment.
 * A node with an empty locality (`locality: {}`) is in the same one as hosts without a locality; a node that states no
 * locality has no local group, even where hosts state none either.
 * Draws: none. Cost: linear in hosts, plus sorting the localities.
 */
export function buildHostSet(options: HostSetOptions): HostSet {
  const level = new HostLists();
  const { before, hosts } = options;
  // A cluster in one locality: its lists are those of the locality.
  const localities = isOneLocality(hosts) ? undefined : new LocalityIndex();
  const stays = before !== undefined && sameItems(before.hosts, options.hosts);
  const known = stays && before.hostChanges?.isTooLong === false ? before.hostChanges : undefined;
  for (let row = 0; row < hosts.length; row++) {
    const host = hosts[row] as Host;
    const kind = classOf(host);
    level.classify(host, kind);
    localities?.of(host.locality).add(host, kind);
    known?.note(row, host, kind);
  }
  const found = localities?.groups() ?? hosts.slice(0, 1).map(({ locality }) => level.group(locality, hosts));
  const hostChanges = known ?? (options.recordsChanges === false ? undefined : new HostChanges(options.hosts));

  const nodeKey = options.nodeLocality && localityKey(options.nodeLocality);
  const local = found.find(({ locality }) => localityKey(locality) === nodeKey);
  const others = found.filter((group) => group !== local).sort(byLocality);
  const groups = local === undefined ? others : [local, ...others];

  const weights = options.localityWeights;
  return {
    priority: options.priority,
    overprovisioningFactor: options.overprovisioningFactor,
    weightedPriorityHealth: options.weightedPriorityHealth,
    hosts: stays ? before.hosts : hosts,
    healthy: level.healthy,
    degraded: level.degraded,
    excluded: level.excluded,
    localities: groups,
    hasLocalLocality: local !== undefined,
    localityWeights: weights && groups.map(({ locality }) => weights.get(localityKey(locality)) ?? 0),
    ...(hostChanges && { hostChanges, changes: hostChanges.changed.length }),
  };
}

function isOneLocality(hosts: readonly Host[]): boolean {
  const first = hosts[0]?.locality;
  for (let row = 1; row < hosts.length; row++) if ((hosts[row] as Host).locality !== first) return false;
  return true;
}

function byLocality(a: LocalityGroup, b: LocalityGroup): number {
  return (
    compareBytes(a.locality.region, b.locality.region) ||
    compareBytes(a.locality.zone, b.locality.zone) ||
    compareBytes(a.locality.subZone, b.locality.subZone)
  );
}

/** Lists by locality. Hosts of one locality mostly share one `Locality` object, so that its key is rarely needed. */
class LocalityIndex {
  private readonly byKey = new Map<string, HostLists>();
  private readonly byObject = new Map<Locality, HostLists>();
  private last: { readonly locality: Locality; readonly lists: HostLists } | undefined;

  of(locality: Locality): HostLists {
    if (this.last?.locality !== locality) this.last = { locality, lists: this.find(locality) };
    return this.last.lists;
  }

  groups(): LocalityGroup[] {
    return [...this.byKey.values()].map((lists) => lists.group((lists.hosts[0] as Host).locality));
  }

  private find(locality: Locality): HostLists {
    let lists = this.byObject.get(locality);
    if (lists !== undefined) return lists;
    const key = localityKey(locality);
    lists = this.byKey.get(key) ?? new HostLists();
    this.byKey.set(key, lists);
    this.byObject.set(locality, lists);
    return lists;
  }
}
