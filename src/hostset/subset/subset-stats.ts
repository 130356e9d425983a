import type { LbStats } from '../lb-stats.js';

const COUNTED = [
  'lbRecalculateZoneStructures',
  'lbLocalClusterNotOk',
  'lbZoneClusterTooSmall',
  'lbZoneNumberDiffers',
] as const;

export type ZoneCounts = Record<(typeof COUNTED)[number], number>;

export function noZoneCounts(): ZoneCounts {
  return { lbRecalculateZoneStructures: 0, lbLocalClusterNotOk: 0, lbZoneClusterTooSmall: 0, lbZoneNumberDiffers: 0 };
}

function add(into: ZoneCounts, counts: ZoneCounts, times = 1): void {
  for (const count of COUNTED) into[count] += times * counts[count];
}

export type Counted = Readonly<{ zoneCounts: ZoneCounts }>;

/**
 * In the proxy every update of priority 0 rebuilds the zone structures of every subset, and each rebuild is counted. Here
 * only subsets whose hosts changed are updated: for the others the counts of their last rebuild are added again.
 */
export class SubsetStats {
  private readonly rebuilt = new Set<ZoneCounts>();

  constructor(private readonly stats: LbStats) {}

  created(subsets: number): void {
    this.stats.lbSubsetsActive += subsets;
    this.stats.lbSubsetsCreated += subsets;
  }

  removed(): void {
    this.stats.lbSubsetsActive--;
    this.stats.lbSubsetsRemoved++;
  }

  set singleHostDuplicates(hosts: number) {
    this.stats.lbSubsetsSingleHostPerSubsetDuplicate = hosts;
  }

  /** An update of priority 0 begins: ends with {@link endZones}. */
  beginZones(): void {
    this.rebuilt.clear();
  }

  /** @param all subsets, refreshed or not. */
  endZones(all: Iterable<Counted>): void {
    for (const { zoneCounts } of all) if (!this.rebuilt.has(zoneCounts)) add(this.stats, zoneCounts);
  }

  rebuildZones({ zoneCounts }: Counted, act: () => void): void {
    this.rebuilt.add(zoneCounts);
    Object.assign(zoneCounts, noZoneCounts());
    add(zoneCounts, this.stats, -1);
    act();
    add(zoneCounts, this.stats);
  }

  /** A subset without hosts gets no update. */
  leaveZones({ zoneCounts }: Counted): void {
    Object.assign(zoneCounts, noZoneCounts());
  }
}
