/** What of a case is compared with some room, or not at all, and why. */
export interface LooseComparison {
  readonly why: string;
  readonly what: readonly string[];
}

/** What became of one case. */
export interface CaseOutcome {
  readonly name: string;
  /** The version it was replayed as; what the file says where it was not. */
  readonly version: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What was compared, as `hosts`, `sequence`, `stats: cluster.backend.lb_healthy_panic`. */
  readonly compared: readonly string[];
  /** Absent: everything is compared to the unit, or as a share within its standard errors. */
  readonly loose?: readonly LooseComparison[];
  /** Why it failed, or which missing feature it was skipped for. */
  readonly problem?: string;
}
