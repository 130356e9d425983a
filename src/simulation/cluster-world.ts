import type { Cluster } from '../config/types.js';
import type { DiscoveryType } from '../config/discovery.js';
import { discoveryType } from '../config/discovery.js';
import { HostRows } from '../result/host-rows.js';
import type { PhaseView } from '../result/phases.js';
import { PhaseLog } from '../result/phases.js';
import type { Assignment } from '../upstream/assignment.js';

/** One cluster of the scenario, as the world outside the proxies sees it. */
export class ClusterWorld {
  readonly rows = new HostRows();
  readonly log: PhaseLog;
  /** What discovery says now. */
  assignment: Assignment;
  /** How often it was replaced. */
  generation = 0;
  private causes: string[] = [];
  private causesDelivered = false;
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

  get type(): DiscoveryType {
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
  addCause(label: string): void {
    if (this.causesDelivered) this.causes = [];
    this.causesDelivered = false;
    this.causes.push(label);
  }

  /** Nothing is left to be delivered. */
  forgetCauses(): void {
    this.causesDelivered = true;
  }

  /** Why balancers hold new lists; undefined at the start. */
  causeOfDelivery(merged: boolean): string | undefined {
    this.causesDelivered = true;
    if (this.causes.length === 0) return merged ? 'merged update' : undefined;
    const times = new Map<string, number>();
    for (const cause of this.causes) times.set(cause, (times.get(cause) ?? 0) + 1);
    const causes = [...times].map(([cause, count]) => (count === 1 ? cause : `${cause} (${count} times)`));
    return causes.join('; ') + (merged ? ', delivered after the merge window' : '');
  }

  serverOfRow(row: number): number {
    return this.serverIndices[row] as number;
  }

  setServer(row: number, server: number): void {
    this.serverIndices[row] = server;
  }
}
