import type { LbStats } from './lb-stats.js';
import { ZoneCounts } from './zone-counts.js';

/** A subset whose zone recalculations are counted. */
export interface Counted {
  /** What its last rebuild of zone structures counted. */
  readonly zoneCounts: ZoneCounts;
}

/**
 * The statistics of one subset balancer.
 *
 * In the proxy every update of priority 0 rebuilds the zone structures of every subset, and each rebuild is counted. Here
 * only subsets whose hosts changed are updated: for the others the counts of their last rebuild are added again.
 */
export class SubsetStats {
  /** Sum of all subsets' zone counts. */
  private readonly zoneTotals = new ZoneCounts();
  /** Zone counts of subsets that the current update has not refreshed. */
  private readonly zonePending = new ZoneCounts();

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
    this.zonePending.set(this.zoneTotals);
  }

  endZones(): void {
    this.zonePending.addTo(this.stats);
  }

  /** Runs something that rebuilds a subset's zone structures. */
  rebuildZones({ zoneCounts }: Counted, act: () => void): void {
    this.zonePending.subtract(zoneCounts);
    this.zoneTotals.subtract(zoneCounts);
    zoneCounts.markStart(this.stats);
    act();
    zoneCounts.markEnd(this.stats);
    this.zoneTotals.add(zoneCounts);
  }

  /** The first counts of a new subset are added to its next ones, and are not subtracted again. */
  keepZones({ zoneCounts }: Counted): void {
    this.zonePending.add(zoneCounts);
  }

  /** A subset without hosts gets no update. */
  leaveZones({ zoneCounts }: Counted): void {
    this.zoneTotals.subtract(zoneCounts);
    zoneCounts.set(new ZoneCounts());
  }
}
