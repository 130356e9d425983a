import type { LbStats } from './lb-stats.js';

/** The counts of one or several recalculations of zone structures. */
export class ZoneCounts {
  private recalculated = 0;
  private localClusterNotOk = 0;
  private tooSmall = 0;
  private numberDiffers = 0;

  set(other: ZoneCounts): void {
    this.recalculated = other.recalculated;
    this.localClusterNotOk = other.localClusterNotOk;
    this.tooSmall = other.tooSmall;
    this.numberDiffers = other.numberDiffers;
  }

  add(other: ZoneCounts): void {
    this.recalculated += other.recalculated;
    this.localClusterNotOk += other.localClusterNotOk;
    this.tooSmall += other.tooSmall;
    this.numberDiffers += other.numberDiffers;
  }

  subtract(other: ZoneCounts): void {
    this.recalculated -= other.recalculated;
    this.localClusterNotOk -= other.localClusterNotOk;
    this.tooSmall -= other.tooSmall;
    this.numberDiffers -= other.numberDiffers;
  }

  /** The recalculation to be measured begins; {@link markEnd} ends it. */
  markStart(stats: LbStats): void {
    this.recalculated = -stats.lbRecalculateZoneStructures;
    this.localClusterNotOk = -stats.lbLocalClusterNotOk;
    this.tooSmall = -stats.lbZoneClusterTooSmall;
    this.numberDiffers = -stats.lbZoneNumberDiffers;
  }

  markEnd(stats: LbStats): void {
    this.recalculated += stats.lbRecalculateZoneStructures;
    this.localClusterNotOk += stats.lbLocalClusterNotOk;
    this.tooSmall += stats.lbZoneClusterTooSmall;
    this.numberDiffers += stats.lbZoneNumberDiffers;
  }

  addTo(stats: LbStats): void {
    stats.lbRecalculateZoneStructures += this.recalculated;
    stats.lbLocalClusterNotOk += this.localClusterNotOk;
    stats.lbZoneClusterTooSmall += this.tooSmall;
    stats.lbZoneNumberDiffers += this.numberDiffers;
  }
}
