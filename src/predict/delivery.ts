import type { Micros } from '../core/units.js';
import { MICROS_PER_MILLI } from '../core/units.js';
import type { LevelChange } from './discovery.js';

interface PendingLevel {
  lastUs: Micros;
  dueUs: Micros | undefined;
}

/**
 * When the balancers of one proxy hear of what discovery changed.
 *
 * The modern proxy hands out each update of discovery whole and at once. Before, each priority went through
 * `update_merge_window` by itself: changes that add and remove nobody wait a whole window if the last delivery is not
 * more than a window ago, together with what comes until then.
 */
export class DeliveryPlan {
  private readonly levels: PendingLevel[] = [];

  constructor(private readonly windowUs: Micros) {}

  /** The next moment at which something that waited is delivered. */
  get dueUs(): Micros {
    return this.levels.reduce((next, { dueUs }) => Math.min(next, dueUs ?? Infinity), Infinity);
  }

  /**
   * @param atOnce the update is delivered whole and without delay.
   * @returns the priorities that are delivered now.
   */
  update(changes: readonly LevelChange[], nowUs: Micros, atOnce: boolean): number[] {
    if (atOnce || this.windowUs === 0) {
      for (const { priority } of changes) this.restart(this.level(priority), nowUs);
      return changes.map(({ priority }) => priority);
    }
    return changes.filter((change) => this.goesOut(change, nowUs)).map(({ priority }) => priority);
  }

  /** @returns the priorities whose wait is over. */
  fire(nowUs: Micros): number[] {
    const due: number[] = [];
    for (const [priority, level] of this.levels.entries()) {
      if (level.dueUs === undefined || level.dueUs > nowUs) continue;
      level.dueUs = undefined;
      level.lastUs = nowUs;
      due.push(priority);
    }
    return due;
  }

  private goesOut({ priority, moved }: LevelChange, nowUs: Micros): boolean {
    const level = this.level(priority);
    // The proxy's clock has milliseconds.
    const outside = Math.floor((nowUs - level.lastUs) / MICROS_PER_MILLI) > this.windowUs / MICROS_PER_MILLI;
    if (moved || outside) {
      this.restart(level, nowUs);
      return true;
    }
    level.dueUs ??= nowUs + this.windowUs;
    return false;
  }

  private restart(level: PendingLevel, nowUs: Micros): void {
    level.dueUs = undefined;
    level.lastUs = nowUs;
  }

  private level(priority: number): PendingLevel {
    while (this.levels.length <= priority) this.levels.push({ lastUs: -Infinity, dueUs: undefined });
    return this.levels[priority] as PendingLevel;
  }
}
