import type { Assignment } from '../settings/assignment.js';
import type { ClusterKind, ClusterSettings } from '../settings/cluster-settings.js';
import type { Cause } from './cause.js';

/** One cluster as its config sources describe it, the same for all proxies. */
export class ManagedCluster {
  /** A new version of it waits for its first hosts. */
  isWarming = false;
  /** How often it was replaced. */
  generation = 0;
  private causes: Cause[] = [];

  constructor(
    readonly index: number,
    /** Changes when the cluster is replaced. */
    public settings: ClusterSettings,
    public assignment: Assignment,
    /** The proxies have it. */
    public present = true,
  ) {}

  get type(): ClusterKind {
    return this.settings.kind;
  }

  /** Its hosts come from an assignment: they change as the timeline says. */
  get isAssigned(): boolean {
    return this.type === 'STATIC' || this.type === 'EDS';
  }

  get name(): string {
    return this.settings.name;
  }

  /** The name under which EDS is asked for its endpoints. */
  get serviceName(): string {
    return this.settings.serviceName;
  }

  /** A new cluster of the same name replaces it. */
  replace(settings: ClusterSettings, assignment: Assignment): void {
    this.settings = settings;
    this.assignment = assignment;
    this.present = true;
    this.generation++;
  }

  /** The assignment changed: the cause of the next delivery. */
  addCause(cause: Cause): void {
    this.causes.push(cause);
  }

  /** The causes since the last delivery; they are cleared. */
  takeCauses(): readonly Cause[] {
    const taken = this.causes;
    this.causes = [];
    return taken;
  }
}
