import { compareBytes } from '../core/byte-order.js';
import type { Health, Host, Locality } from '../host/host.js';
import { localityKey } from '../host/host.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import { HostChanges } from './host-changes.js';
import { sameItems } from '../core/lists.js';

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

interface Partition {
  readonly healthy: Host[];
  readonly degraded: Host[];
  readonly excluded: Host[];
}

interface Group<Hosts extends readonly Host[] = readonly Host[]> extends Partition {
  readonly hosts: Hosts;
  readonly locality: Locality;
  readonly key: string;
}

/**
 * Sorts the hosts of one priority into its lists, as they are at this moment.
 *
 * A node with an empty locality (`locality: {}`) is in the same one as hosts without a locality; a node that states no
 * locality has no local group, even where hosts state none either.
 *
 * Draws: none. Cost: linear in hosts, plus sorting the localities.
 */
export function buildHostSet(options: HostSetOptions): HostSet {
  const level = emptyPartition();
  const { before, hosts } = options;
  // A cluster in one locality: its lists are those of the locality.
  const groups = isOneLocality(hosts) ? undefined : new LocalityIndex();
  const stays = before !== undefined && sameItems(before.hosts, options.hosts);
  const known = stays && before.hostChanges?.isTooLong === false ? before.hostChanges : undefined;
  for (let row = 0; row < hosts.length; row++) {
    const host = hosts[row] as Host;
    const { health, excluded } = host;
    place(host, health, excluded, level);
    if (groups !== undefined) {
      const group = groups.of(host.locality);
      group.hosts.push(host);
      place(host, health, excluded, group);
    }
    known?.note(row, host);
  }
  const found = groups?.list ?? oneLocality(hosts, level);
  const hostChanges = known ?? (options.recordsChanges === false ? undefined : new HostChanges(options.hosts));

  const nodeKey = options.nodeLocality === undefined ? undefined : localityKey(options.nodeLocality);
  const local = found.find((group) => group.key === nodeKey);
  const others = found.filter((group) => group !== local).sort(byLocality);
  const localities = local === undefined ? others : [local, ...others];

  const weights = options.localityWeights;
  return {
    priority: options.priority,
    overprovisioningFactor: options.overprovisioningFactor,
    weightedPriorityHealth: options.weightedPriorityHealth,
    hosts: stays ? before.hosts : hosts,
    ...level,
    localities: localities.map(({ locality, hosts, healthy, degraded, excluded }): LocalityGroup => ({
      locality,
      hosts,
      healthy,
      degraded,
      excluded,
    })),
    hasLocalLocality: local !== undefined,
    localityWeights: weights === undefined ? undefined : localities.map((group) => weights.get(group.key) ?? 0),
    ...(hostChanges && { hostChanges, changes: hostChanges.changed.length }),
  };
}

function emptyPartition(): Partition {
  return { healthy: [], degraded: [], excluded: [] };
}

function place(host: Host, health: Health, excluded: boolean, into: Partition): void {
  if (health === 'healthy') into.healthy.push(host);
  else if (health === 'degraded') into.degraded.push(host);
  if (excluded) into.excluded.push(host);
}

function isOneLocality(hosts: readonly Host[]): boolean {
  const first = hosts[0]?.locality;
  for (let row = 1; row < hosts.length; row++) if ((hosts[row] as Host).locality !== first) return false;
  return true;
}

function oneLocality(hosts: readonly Host[], level: Partition): readonly Group[] {
  const [first] = hosts;
  if (first === undefined) return [];
  return [{ ...level, hosts, locality: first.locality, key: localityKey(first.locality) }];
}

function byLocality(a: Group, b: Group): number {
  return (
    compareBytes(a.locality.region, b.locality.region) ||
    compareBytes(a.locality.zone, b.locality.zone) ||
    compareBytes(a.locality.subZone, b.locality.subZone)
  );
}

/** Groups by locality. Hosts of one locality mostly share one `Locality` object, so that its key is rarely needed. */
class LocalityIndex {
  readonly list: Group<Host[]>[] = [];
  private readonly byKey = new Map<string, Group<Host[]>>();
  private readonly byObject = new Map<Locality, Group<Host[]>>();
  private last: Group<Host[]> | undefined;

  of(locality: Locality): Group<Host[]> {
    if (this.last?.locality === locality) return this.last;
    this.last = this.find(locality);
    return this.last;
  }

  private find(locality: Locality): Group<Host[]> {
    const known = this.byObject.get(locality);
    if (known !== undefined) return known;
    const key = localityKey(locality);
    let group = this.byKey.get(key);
    if (group === undefined) {
      group = { ...emptyPartition(), hosts: [], locality, key };
      this.byKey.set(key, group);
      this.list.push(group);
    }
    this.byObject.set(locality, group);
    return group;
  }
}
