/** What the main thread of a proxy counts of a cluster's membership and updates. */
export class MembershipStats {
  membershipChange = 0;
  updateAttempt = 0;
  updateSuccess = 0;
  updateFailure = 0;
  updateEmpty = 0;
  updateNoRebuild = 0;
  updateRejected = 0;
  /** Assignments that became too old, and those that say when they will be. */
  assignmentStale = 0;
  assignmentTimeoutReceived = 0;
  /** Waits for a first assignment that timed out. */
  initFetchTimeout = 0;
  /** Updates of a priority that had to wait for the merge window. */
  updatesPutOff = 0;
  /** Updates delivered at the end of a merge window. */
  updatesMerged = 0;
  /** Gauge of clusters with discovery: the largest weight of discovery, at least 1, in the level processed last. */
  maxHostWeight = 0;
}
