import type { Cluster } from '../config/types.js';
import type { ClusterKind } from '../config/discovery.js';
import { discoveryType } from '../config/discovery.js';
import { HostRows } from '../result/host-rows.js';
import type { Cause, PhaseView } from '../result/phases.js';
import { PhaseLog } from '../result/phases.js';
import type { Assignment } from '../upstream/assignment.js';

/** One cluster of the scenario, as the world outside the proxies sees it. */
export class ClusterWorld {
  readonly rows = new HostRows();
  readonly log: PhaseLog;
  /** What discovery says now. */
  assignment: Assignment;
  /** A new version of it waits for its first hosts. */
  isWarming = false;
  /** How often it was replaced. */
  generation = 0;
  private causes: Cause[] = [];
  private readonly serverIndices: number[] = [];

  constructor(
    readonly index: number,
    private current: Cluster,
    assignment: Assignment,
    view: PhaseView,
    /** The proxies know of it. */
    public present = true,
  ) {
    this.assignment = assignment;
    this.log = new PhaseLog(view);
  }

  /** Changes when the cluster is replaced. */
  get config(): Cluster {
    return this.current;
  }

  get type(): ClusterKind {
    // Any other type is refused by name before a run starts.
    return discoveryType(this.config) ?? 'STATIC';
  }

  /** Its hosts come from an assignment: they change as the timeline says. */
  get isAssigned(): boolean {
    return this.type === 'STATIC' || this.type === 'EDS';
  }

  get name(): string {
    return this.config.name;
  }

  /** A new cluster takes its place, under the same name. */
  replace(config: Cluster, assignment: Assignment): void {
    this.current = config;
    this.assignment = assignment;
    this.present = true;
    this.generation++;
  }

  /** A timeline entry changed what discovery says: the cause of the next delivery. */
  addCause(cause: Cause): void {
    this.causes.push(cause);
  }

  /** The causes since the last delivery, which is now. */
  takeCauses(): readonly Cause[] {
    const taken = this.causes;
    this.causes = [];
    return taken;
  }

  /** The servers of all its hosts, now and before. */
  get servers(): ReadonlySet<number> {
    return new Set(this.serverIndices);
  }

  serverOfRow(row: number): number {
    return this.serverIndices[row] as number;
  }

  setServer(row: number, server: number): void {
    this.serverIndices[row] = server;
  }
}
