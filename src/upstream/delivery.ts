import { addAll } from '../core/values.js';
import type { Micros } from '../core/units.js';
import type { MembershipStats, ClusterManagerStats } from '../core/generated/counts.js';
import type { Host } from '../host/host.js';
import type { HostSet } from '../hostset/host-set.js';
import type { HostSetListener } from '../hostset/load-balancer.js';
import type { Cause } from './cause.js';
import { MergeWindow } from './merge-window.js';
import type { PrioritySet } from './priority-set.js';

export type LevelUpdate = Readonly<{ priority: number; added: readonly Host[]; removed: readonly Host[] }>;

export interface DeliveryOptions {
  readonly updateMergeWindowUs: Micros;
  readonly managerStats: ClusterManagerStats;
  /** The main thread's balancer first, then one per worker. */
  readonly balancers: readonly HostSetListener[];
}

export interface DeliveryEvents {
  /** A merged update of `priority` falls due at `dueUs`: call {@link Delivery.mergeDue} then. */
  arm(priority: number, dueUs: Micros): void;
  /** The balancers hold new lists of these priorities. `merged`: they waited for the merge window. */
  delivered(merged: boolean, priorities: readonly number[], causes: readonly Cause[]): void;
  /** Calls back once the main thread is done with this instant: workers read shared data as of then. Default: now. */
  later?(callback: () => void): void;
}

export class Delivery {
  private readonly mergeWindow: MergeWindow;
  /** Lists by priority as the workers' balancers hold them; absent until the first delivery of a priority. */
  readonly deliveredSets: (HostSet | undefined)[] = [];
  /** By priority: why the pending lists changed. */
  private readonly waiting: Cause[][] = [];
  /** The value that discovery sent last; the workers get it with the next delivery of anything. */
  private wantedDropRatio = 0;
  /** Part of the requests that the workers drop. */
  dropRatio = 0;

  constructor(
    private readonly priorities: PrioritySet,
    private readonly options: DeliveryOptions,
    private readonly membership: MembershipStats,
    private readonly events: DeliveryEvents,
  ) {
    this.mergeWindow = new MergeWindow(options.updateMergeWindowUs, options.managerStats, -Infinity);
  }

  get pending(): number {
    return this.mergeWindow.pending;
  }

  /** Updates that wait for the end of the merge window of their priority. */
  get waitingUpdates() {
    return this.mergeWindow.waiting.map((update) => ({ ...update, causes: this.waiting[update.priority] ?? [] }));
  }

  /** @param atOnce nothing was delivered to the workers yet. */
  setDropRatio(ratio: number, atOnce: boolean): void {
    this.wantedDropRatio = ratio;
    if (atOnce) this.dropRatio = ratio;
  }

  /** The first delivery of the cluster to the workers: priorities without hosts are left out. */
  first(changes: readonly LevelUpdate[], causes: readonly Cause[]): void {
    changes.forEach(({ priority }, index) => this.deliverToMainThread(priority, index < changes.length - 1));
    const filled = changes.filter(({ priority }) => this.priorities.level(priority).hosts.length > 0);
    this.deliver(filled, false, causes);
  }

  batch(changes: readonly LevelUpdate[], causes: readonly Cause[], nowUs: Micros): void {
    this.mergeWindow.batch(prioritiesOf(changes), nowUs);
    this.deliver(changes, false, causes);
  }

  throughWindow(changes: readonly LevelUpdate[], causes: readonly Cause[], nowUs: Micros): void {
    const now: LevelUpdate[] = [];
    for (const change of changes) {
      const { priority, added, removed } = change;
      const wait = this.mergeWindow.update(priority, added.length === 0 && removed.length === 0, nowUs);
      if (wait === undefined) {
        now.push(change);
        continue;
      }
      this.membership.updatesPutOff++;
      addAll((this.waiting[priority] ??= []), causes);
      if (wait.armed) this.events.arm(priority, wait.dueUs);
    }
    if (now.length > 0) this.deliver(now, false, causes);
  }

  /** The timer that {@link DeliveryEvents.arm} asked for has fired. */
  mergeDue(priority: number, nowUs: Micros): void {
    if (!this.mergeWindow.fire(priority, nowUs)) return;
    this.membership.updatesMerged++;
    this.deliver([{ priority, added: [], removed: [] }], true, []);
  }

  /** Tables of the main thread, for all threads, are built before any delivery. @param more other priorities follow. */
  deliverToMainThread(priority: number, more = false): void {
    const [main] = this.options.balancers;
    if (main?.adopt === undefined) return;
    this.priorities.makeLists();
    const hostSet = this.priorities.levels[priority]?.hostSet;
    if (hostSet !== undefined) main.update(hostSet, [], [], more);
  }

  /** The cluster is replaced or removed: pending updates are dropped, and balancers take back what they added to gauges. */
  retire(): void {
    this.mergeWindow.drop();
    this.waiting.length = 0;
    this.deliveredSets.length = 0;
    for (const balancer of this.options.balancers) balancer.destroy?.();
  }

  private deliver(changes: readonly LevelUpdate[], merged: boolean, causes: readonly Cause[]): void {
    const { priorities, events, options } = this;
    const [main, ...workers] = options.balancers;
    if (main?.adopt !== undefined) {
      const takeOver = (): void => {
        for (const worker of workers) worker.adopt?.(main);
        this.delivered([...priorities.levels.keys()], merged, causes);
      };
      if (events.later === undefined) takeOver();
      else events.later(takeOver);
      return;
    }
    priorities.makeLists();
    for (const balancer of options.balancers) {
      for (const { priority, added, removed } of changes) {
        const hostSet = priorities.levels[priority]?.hostSet;
        if (hostSet !== undefined) balancer.update(hostSet, added, removed);
      }
    }
    this.delivered(prioritiesOf(changes), merged, causes);
  }

  private delivered(priorities: readonly number[], merged: boolean, causes: readonly Cause[]): void {
    this.dropRatio = this.wantedDropRatio;
    for (const priority of priorities) {
      while (this.deliveredSets.length <= priority) this.deliveredSets.push(undefined);
      this.deliveredSets[priority] = this.priorities.levels[priority]?.hostSet;
    }
    this.events.delivered(merged, priorities, this.causesOf(priorities, merged, causes));
  }

  /** A delivery at these priorities includes what was pending there. */
  private causesOf(priorities: readonly number[], merged: boolean, causes: readonly Cause[]): readonly Cause[] {
    const late: Cause[] = [];
    for (const priority of priorities) {
      for (const cause of this.waiting[priority] ?? []) if (!late.includes(cause)) late.push(cause);
      this.waiting[priority] = [];
    }
    if (!merged) return [...late.filter((cause) => !causes.includes(cause)), ...causes];
    return late.length === 0
      ? [{ fact: { kind: 'merged_update' } }]
      : late.map((source) => ({ ...source, source, late: true }));
  }
}

const prioritiesOf = (changes: readonly LevelUpdate[]): number[] => changes.map(({ priority }) => priority);
