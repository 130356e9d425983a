import type { Host } from '../host/host.js';
import { emptyHostSet, type HostSet, type LevelLists } from '../hostset/host-set.js';

/** One priority, or a subset's part of it, in a balancer of one proxy since the last delivery. */
export interface DeliveredLevel extends HostSet {
  readonly delivered: DeliveredHosts;
}

export function deliveredLevel(
  hostSet: HostSet | undefined,
  priority: number,
  before: DeliveredLevel | undefined,
): DeliveredLevel {
  const lists = hostSet ?? emptyHostSet(priority);
  return { ...lists, delivered: new DeliveredHosts(lists.hosts, before?.delivered) };
}

/** The hosts of a priority as of a delivery: hosts are shared, so that their own weights may have changed since. */
class DeliveredHosts {
  /** Two hosts have one row: the same address twice in one locality. */
  readonly sharesRows: boolean;
  /** undefined: all have the same. */
  private readonly weights: ReadonlyMap<Host, number> | undefined;
  private readonly weight: number = this.hosts[0]?.weight ?? 1;

  constructor(
    private readonly hosts: readonly Host[],
    before: DeliveredHosts | undefined,
  ) {
    this.sharesRows = before?.hosts === hosts ? before.sharesRows : isTwice(hosts);
    const areEven = hosts.every(({ weight }) => weight === this.weight);
    const weights = new Map<Host, number>();
    if (!areEven) for (const host of hosts) weights.set(host, host.weight);
    this.weights = areEven ? undefined : weights;
  }

  weightOf(host: Host): number {
    return this.weights?.get(host) ?? this.weight;
  }

  /** The lists of a level with the weights of then, where health is measured by them. */
  counted(level: HostSet): LevelLists {
    if (!level.weightedPriorityHealth) return level;
    const then = (hosts: readonly Host[]) => hosts.map((host) => ({ weight: this.weightOf(host) }));
    const { hosts, healthy, degraded, excluded } = level;
    return { ...level, hosts: then(hosts), healthy: then(healthy), degraded: then(degraded), excluded: then(excluded) };
  }

  differ(list: readonly Host[]): boolean {
    const { weights } = this;
    if (weights === undefined) return false;
    const first = weights.get(list[0] as Host);
    return list.some((host) => weights.get(host) !== first);
  }
}

/** Of some hosts of a level: what a policy picks from. */
export type HostGroup = Readonly<{ hosts: readonly Host[]; level: DeliveredLevel }>;

function isTwice(hosts: readonly Host[]): boolean {
  const rows = new Set<number>();
  return hosts.some(({ index }) => rows.size === rows.add(index).size);
}

export function rowsOf(hosts: readonly Host[]): Uint32Array {
  const rows = new Uint32Array(hosts.length);
  for (let index = 0; index < rows.length; index++) rows[index] = (hosts[index] as Host).index;
  return rows;
}
