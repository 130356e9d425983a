import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../core/units.js';
import type { ClusterManagerStats } from '../core/generated/counts.js';

interface Level {
  lastUpdatedUs: Micros;
  /** When the pending update is due; undefined where none is pending. */
  dueUs: Micros | undefined;
}

/**
 * `update_merge_window` of one cluster: decides for each update of a priority whether it is delivered to the workers now or
 * when a timer fires.
 *
 * An update that comes more than one window after the last delivery goes out at once. One that comes earlier arms a timer
 * of a whole window, counted from that update, and everything until then is delivered together. An update that finds the
 * timer still running although the last delivery is more than a window ago goes out at once. Adding or removing hosts is
 * never delayed. A delivery at once cancels what was pending, since its lists are the newest anyway.
 */
export class MergeWindow {
  private readonly levels: Level[] = [];

  /**
   * @param windowUs      length of the window; 0 delivers everything at once.
   * @param initiallyUs   time of the last delivery before the start.
   */
  constructor(
    private readonly windowUs: Micros,
    private readonly stats: ClusterManagerStats,
    private readonly initiallyUs: Micros,
  ) {}

  /**
   * Takes in one update of one priority.
   *
   * @param mergeable no host was added or removed.
   * @returns undefined: deliver now. A time: the pending update is due then; `armed` tells whether the timer is new.
   */
  update(
    priority: number,
    mergeable: boolean,
    nowUs: Micros,
  ): { readonly dueUs: Micros; readonly armed: boolean } | undefined {
    if (this.windowUs === 0) {
      this.stats.clusterUpdated++;
      return undefined;
    }
    const level = this.level(priority);
    // The proxy compares whole milliseconds.
    const sinceMs = wholeMillis(nowUs - level.lastUpdatedUs);
    const outOfWindow = sinceMs > this.windowUs / MICROS_PER_MILLI;
    if (outOfWindow || !mergeable) {
      if (mergeable) this.stats.updateOutOfMergeWindow++;
      this.cancelLevel(level);
      level.lastUpdatedUs = nowUs;
      this.stats.clusterUpdated++;
      return undefined;
    }
    if (level.dueUs !== undefined) return { dueUs: level.dueUs, armed: false };
    level.dueUs = nowUs + this.windowUs;
    return { dueUs: level.dueUs, armed: true };
  }

  /**
   * A whole batch goes out at once, whatever it changed (modern discovery). It restarts the windows of the priorities that
   * it changed, and cancels what was pending there; the other windows run on.
   */
  batch(changed: readonly number[], nowUs: Micros): void {
    this.stats.clusterUpdated++;
    if (this.windowUs === 0) return;
    for (const priority of changed) {
      const level = this.level(priority);
      this.cancelLevel(level);
      level.lastUpdatedUs = nowUs;
    }
  }

  /** The timer of `priority` fired at `nowUs`; false where it was cancelled in the meantime. */
  fire(priority: number, nowUs: Micros): boolean {
    const level = this.level(priority);
    if (level.dueUs !== nowUs) return false;
    level.dueUs = undefined;
    level.lastUpdatedUs = nowUs;
    this.stats.clusterUpdatedViaMerge++;
    return true;
  }

  /** The priorities that have a pending update, and when it is due. */
  get waiting(): readonly { readonly priority: number; readonly dueUs: Micros }[] {
    return this.levels.flatMap(({ dueUs }, priority) => (dueUs === undefined ? [] : [{ priority, dueUs }]));
  }

  /** How many priorities have a pending update. */
  get pending(): number {
    return this.waiting.length;
  }

  /** The cluster is replaced or removed: pending updates are dropped and not counted. */
  drop(): void {
    for (const level of this.levels) level.dueUs = undefined;
  }

  private level(priority: number): Level {
    while (this.levels.length <= priority) this.levels.push({ lastUpdatedUs: this.initiallyUs, dueUs: undefined });
    return this.levels[priority] as Level;
  }

  private cancelLevel(level: Level): void {
    if (level.dueUs === undefined) return;
    level.dueUs = undefined;
    this.stats.updateMergeCancelled++;
  }
}
