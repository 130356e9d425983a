import { compareBytes } from '../core/byte-order.js';
import { type Host, type Locality, localityKey } from '../host/host.js';
import type { HealthLists, HostRows, HostSet, LocalityGroup } from './host-set.js';
import { entryOf, sameItems } from '../core/values.js';

/** Bits of a host's class. */
export const HEALTHY = 1;
export const DEGRADED = 2;
export const EXCLUDED = 4;

export const classOf = ({ health, excluded }: Host): number =>
  (health === 'healthy' ? HEALTHY : health === 'degraded' ? DEGRADED : 0) | (excluded ? EXCLUDED : 0);

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

  lists(hosts: readonly Host[] = this.hosts): HealthLists<readonly Host[]> {
    const { healthy, degraded, excluded } = this;
    return { hosts, healthy, degraded, excluded };
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
  /** The lists before: where no host comes or goes, the new ones have the same list of all. */
  readonly before?: HostSet | undefined;
  /** The hosts that changed since; undefined: any may have. */
  readonly changed?: readonly Host[] | undefined;
  /** Whether rows are kept, which subsets need. Default true. */
  readonly keepsRows?: boolean;
}

/**
 * Sorts the hosts of one priority into its lists, as they are at this moment.
 * A node with an empty locality (`locality: {}`) is in the same one as hosts without a locality; a node that states no
 * locality has no local group, even where hosts state none either.
 * Draws: none. Cost: linear in hosts, plus sorting the localities.
 */
export function buildHostSet(options: HostSetOptions): HostSet {
  const level = new HostLists();
  const before =
    options.before !== undefined && sameItems(options.before.hosts, options.hosts) ? options.before : undefined;
  const { changed } = options;
  // Rows need all hosts.
  const last = changed && options.keepsRows === false && before?.hosts === options.hosts ? before : undefined;
  const { hosts } = before ?? options;
  // A cluster in one locality: its lists are those of the locality.
  const isOneLocality =
    before?.localities.length === 1 || hosts.every(({ locality }) => locality === hosts[0]?.locality);
  const localities = isOneLocality ? undefined : new LocalityIndex();
  const classes = new Uint8Array(options.keepsRows === false ? 0 : hosts.length);
  for (let row = 0; last === undefined && row < hosts.length; row++) {
    const host = hosts[row] as Host;
    const kind = classOf(host);
    level.classify(host, kind);
    localities?.of(host.locality).add(host, kind);
    classes[row] = kind;
  }
  const lists = last === undefined ? level.lists(hosts) : listsAfter(last, changed);
  const found =
    last?.localities.map((own) => ({ ...own, ...(isOneLocality ? lists : listsAfter(own, changed)) })) ??
    localities?.groups() ??
    hosts.slice(0, 1).map(({ locality }) => ({ locality, ...lists }));

  const nodeKey = options.nodeLocality && localityKey(options.nodeLocality);
  const local = found.find(({ locality }) => localityKey(locality) === nodeKey);
  const others = found.filter((group) => group !== local).sort(byLocality);
  const groups = local === undefined ? others : [local, ...others];

  const weights = options.localityWeights;
  return {
    priority: options.priority,
    overprovisioningFactor: options.overprovisioningFactor,
    weightedPriorityHealth: options.weightedPriorityHealth,
    ...lists,
    localities: groups,
    hasLocalLocality: local !== undefined,
    localityWeights: weights && groups.map(({ locality }) => weights.get(localityKey(locality)) ?? 0),
    ...(options.keepsRows !== false && { rows: { classes, ...columnsOf(hosts, before?.rows) } }),
  };
}

type Lists = HealthLists<readonly Host[]>;

/** Lists of the same hosts, after a few of them changed. */
function listsAfter({ hosts, ...lists }: Lists, changed: readonly Host[] = []): Lists {
  const after = (list: readonly Host[], kind: number): readonly Host[] =>
    changed.reduce((now, host) => listWith(now, hosts, host, (classOf(host) & kind) !== 0), list);
  const { healthy, degraded, excluded } = lists;
  return {
    hosts,
    healthy: after(healthy, HEALTHY),
    degraded: after(degraded, DEGRADED),
    excluded: after(excluded, EXCLUDED),
  };
}

/** A list of some of `hosts`, in their order, that has one of them or not. */
function listWith(list: readonly Host[], hosts: readonly Host[], host: Host, has: boolean): readonly Host[] {
  const at = list.indexOf(host);
  if (at >= 0 === has) return list;
  if (!has) return list.toSpliced(at, 1);
  const end = hosts.indexOf(host);
  if (end < 0) return list;
  // No more hosts are missing before it than in all.
  let place = Math.max(0, end - (hosts.length - list.length));
  for (let row = hosts.indexOf(list[place] ?? host, place); row < end; row++) if (hosts[row] === list[place]) place++;
  return list.toSpliced(place, 0, host);
}

/** @param before of the same hosts: a column in which nothing has changed is its own. */
export const columnsOf = (hosts: readonly Host[], before?: HostRows): Omit<HostRows, 'classes'> => ({
  weights:
    before !== undefined && hosts.every(({ weight }, row) => weight === before.weights[row])
      ? before.weights
      : new Float64Array(hosts.map(({ weight }) => weight)),
  metadata:
    before !== undefined && hosts.every(({ metadata }, row) => metadata === before.metadata[row])
      ? before.metadata
      : hosts.map(({ metadata }) => metadata),
});

const byLocality = (a: LocalityGroup, b: LocalityGroup): number =>
  compareBytes(a.locality.region, b.locality.region) ||
  compareBytes(a.locality.zone, b.locality.zone) ||
  compareBytes(a.locality.subZone, b.locality.subZone);

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
    return [...this.byKey.values()].map((own) => ({ locality: (own.hosts[0] as Host).locality, ...own.lists() }));
  }

  private find(locality: Locality): HostLists {
    return entryOf(this.byObject, locality, () => entryOf(this.byKey, localityKey(locality), () => new HostLists()));
  }
}
