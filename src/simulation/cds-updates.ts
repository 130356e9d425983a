import type { Micros } from '../core/units.js';

/**
 * What a proxy counts of the cluster discovery service. The clusters there are at time 0 are the first update; whatever
 * happens to clusters at one instant later is one more.
 */
export class CdsUpdates {
  updateAttempt = 1;
  updateSuccess = 1;
  /** Updates that brought a cluster that is new or not as it was; those that only remove do not count. */
  configReload = 1;
  private receivedUs: Micros = -1;
  private appliedUs: Micros = -1;

  received(nowUs: Micros): void {
    if (this.receivedUs === nowUs) return;
    this.receivedUs = nowUs;
    this.updateAttempt++;
    this.updateSuccess++;
  }

  applied(nowUs: Micros): void {
    if (this.appliedUs === nowUs) return;
    this.appliedUs = nowUs;
    this.configReload++;
  }
}
