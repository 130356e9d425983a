import type { Micros } from '../core/units.js';

/**
 * What a proxy counts of the cluster discovery service. The clusters at time 0 are the first update; all changes of
 * clusters at one later instant are one more.
 */
export class CdsUpdates {
  updateAttempt = 1;
  updateSuccess = 1;
  /** Updates with a new or changed cluster; those that only remove do not count. */
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
