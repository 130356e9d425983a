/** What the main thread of a proxy counts of a cluster's membership and updates. */
export interface MembershipStats {
  membershipChange: number;
  updateAttempt: number;
  updateSuccess: number;
  updateFailure: number;
  updateEmpty: number;
  updateNoRebuild: number;
  updateRejected: number;
  /** Assignments that became too old, and those that say when they will be. */
  assignmentStale: number;
  assignmentTimeoutReceived: number;
  /** Waits for a first assignment that timed out. */
  initFetchTimeout: number;
  /** Updates of a priority that had to wait for the merge window. */
  updatesPutOff: number;
  /** Updates delivered at the end of a merge window. */
  updatesMerged: number;
  /** Gauge of clusters with discovery: the largest weight, at least 1, in the level processed last. */
  maxHostWeight: number;
}

export function emptyMembershipStats(): MembershipStats {
  return {
    membershipChange: 0,
    updateAttempt: 0,
    updateSuccess: 0,
    updateFailure: 0,
    updateEmpty: 0,
    updateNoRebuild: 0,
    updateRejected: 0,
    assignmentStale: 0,
    assignmentTimeoutReceived: 0,
    initFetchTimeout: 0,
    updatesPutOff: 0,
    updatesMerged: 0,
    maxHostWeight: 0,
  };
}
