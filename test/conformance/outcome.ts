/** What became of one case. */
export interface CaseOutcome {
  readonly name: string;
  /** The version it was replayed as; what the file says where it was not. */
  readonly version: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What was compared, as `hosts`, `sequence`, `stats: cluster.backend.lb_healthy_panic`. */
  readonly compared: readonly string[];
  /** Why it failed, or which missing feature it was skipped for. */
  readonly problem?: string;
}
