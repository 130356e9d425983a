import { compareBytes } from '../core/byte-order.js';
import type { Health, Host, Locality } from '../host/host.js';
import { localityKey } from '../host/host.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import { Roster } from './roster.js';

export interface HostSetOptions {
  readonly priority: number;
  /** All hosts of the level; every list of the result keeps their order. */
  readonly hosts: readonly Host[];
  /** Percent. */
  readonly overprovisioningFactor: number;
  readonly weightedPriorityHealth: boolean;
  /** Where the proxy runs; undefined: a node without `locality`, which is in no place at all. */
  readonly nodeLocality: Locality | undefined;
  /** By {@link localityKey}; undefined: the level has no locality weights. */
  readonly localityWeights: ReadonlyMap<string, number> | undefined;
  /** The lists until now: where nobody comes or goes, the new ones tell what differs. */
  readonly before?: HostSet | undefined;
  /** What differs is told, which subsets ask for. Default true. */
  readonly tellsChanges?: boolean;
}

interface Partition {
  readonly hosts: Host[];
  readonly healthy: Host[];
  readonly degraded: Host[];
  readonly excluded: Host[];
}

interface Group extends Partition {
  readonly locality: Locality;
  readonly key: string;
}

/**
 * Sorts the hosts of one priority into its lists, as they are at this moment.
 *
 * A node in the nameless place (`locality: {}`) shares it with the hosts that carry no locality; a node that states no
 * locality has no local group, even where hosts carry none either.
 *
 * Draws: none. Cost: linear in hosts, plus sorting the localities.
 */
export function buildHostSet(options: HostSetOptions): HostSet {
  const level = emptyPartition();
  const groups = new LocalityIndex();
  const { before } = options;
  const stays = before !== undefined && sameHosts(before.hosts, options.hosts);
  const known = stays && before.roster?.isWorn === false ? before.roster : undefined;
  options.hosts.forEach((host, row) => {
    const { health, excluded } = host;
    place(host, health, excluded, level);
    place(host, health, excluded, groups.of(host.locality));
    known?.note(row, host);
  });
  const roster = known ?? (options.tellsChanges === false ? undefined : new Roster(options.hosts));

  const nodeKey = options.nodeLocality === undefined ? undefined : localityKey(options.nodeLocality);
  const local = groups.list.find((group) => group.key === nodeKey);
  const others = groups.list.filter((group) => group !== local).sort(byLocality);
  const localities = local === undefined ? others : [local, ...others];

  const weights = options.localityWeights;
  return {
    priority: options.priority,
    overprovisioningFactor: options.overprovisioningFactor,
    weightedPriorityHealth: options.weightedPriorityHealth,
    ...level,
    hosts: stays ? before.hosts : level.hosts,
    localities: localities.map(({ locality, hosts, healthy, degraded, excluded }): LocalityGroup => ({
      locality,
      hosts,
      healthy,
      degraded,
      excluded,
    })),
    hasLocalLocality: local !== undefined,
    localityWeights: weights === undefined ? undefined : localities.map((group) => weights.get(group.key) ?? 0),
    ...(roster && { roster, changes: roster.changed.length }),
  };
}

export function sameHosts(a: readonly Host[], b: readonly Host[]): boolean {
  return a === b || (a.length === b.length && a.every((host, row) => host === b[row]));
}

function emptyPartition(): Partition {
  return { hosts: [], healthy: [], degraded: [], excluded: [] };
}

function place(host: Host, health: Health, excluded: boolean, into: Partition): void {
  into.hosts.push(host);
  if (health === 'healthy') into.healthy.push(host);
  else if (health === 'degraded') into.degraded.push(host);
  if (excluded) into.excluded.push(host);
}

function byLocality(a: Group, b: Group): number {
  return (
    compareBytes(a.locality.region, b.locality.region) ||
    compareBytes(a.locality.zone, b.locality.zone) ||
    compareBytes(a.locality.subZone, b.locality.subZone)
  );
}

/** Groups by place. Hosts of one place mostly share one `Locality` object, so that its key is rarely needed. */
class LocalityIndex {
  readonly list: Group[] = [];
  private readonly byKey = new Map<string, Group>();
  private readonly byObject = new Map<Locality, Group>();
  private last: Group | undefined;

  of(locality: Locality): Group {
    if (this.last?.locality === locality) return this.last;
    this.last = this.find(locality);
    return this.last;
  }

  private find(locality: Locality): Group {
    const known = this.byObject.get(locality);
    if (known !== undefined) return known;
    const key = localityKey(locality);
    let group = this.byKey.get(key);
    if (group === undefined) {
      group = { ...emptyPartition(), locality, key };
      this.byKey.set(key, group);
      this.list.push(group);
    }
    this.byObject.set(locality, group);
    return group;
  }
}
