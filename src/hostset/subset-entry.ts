const NO_ROWS: readonly number[] = [];
const NO_PRIORITIES: ReadonlySet<number> = new Set();

/** One subset in {@link Membership}: the hosts that belong to it, by priority. */
export class SubsetEntry {
  /** By priority the rows of the hosts that belong to it, ascending, delivered to it or not. */
  readonly rows: (readonly number[] | undefined)[] = [];
  /** Overprovisioning by priority, percent; only where a subset keeps the factors that it was made with. */
  factors: number[] = [];
  /**
   * `waiting`: hosts belong to it, none has created it yet. `empty`: it has lost its hosts and is kept for their return.
   * The default subsets are active from the start.
   */
  state: 'waiting' | 'active' | 'empty';
  private pending: Set<number> | undefined;

  /**
   * @param name as reports write it: `{version: "2"}`, `default`, `any`.
   * @param key  canonical text of its keys and values; undefined: the default or the any-endpoint subset.
   */
  constructor(
    readonly name: string,
    readonly key: string | undefined,
    readonly singleHost: boolean,
  ) {
    this.state = key === undefined ? 'active' : 'waiting';
  }

  get active(): boolean {
    return this.state === 'active';
  }

  /** The rows of the hosts that were delivered to it. */
  rowsAt(priority: number): readonly number[] {
    return this.pendingPriorities.has(priority) ? NO_ROWS : (this.rows[priority] ?? NO_ROWS);
  }

  /** Hosts of all priorities, whatever their health. */
  get size(): number {
    let size = 0;
    for (let priority = 0; priority < this.rows.length; priority++) size += this.rowsAt(priority).length;
    return size;
  }

  /** Priorities whose hosts are not delivered to it yet: it was empty at the time. */
  get pendingPriorities(): ReadonlySet<number> {
    return this.pending ?? NO_PRIORITIES;
  }

  markDelivered(priority: number): void {
    this.pending?.delete(priority);
  }

  markPending(priority: number): void {
    (this.pending ??= new Set()).add(priority);
  }
}
