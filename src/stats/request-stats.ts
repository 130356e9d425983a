/** What a proxy counts of the requests to one cluster. Plain numbers, bumped on the hot path. */
export class RequestStats {
  /** Attempts that were sent to a host. */
  upstreamRqTotal = 0;
  upstreamRqActive = 0;
  upstreamRqTimeout = 0;
  upstreamRqPerTryTimeout = 0;
  /** Attempts that a broken connection ended. */
  upstreamRqRxReset = 0;
  /** Attempts that the proxy gave up. */
  upstreamRqTxReset = 0;
  /** Requests for which no host could be chosen. */
  upstreamCxNoneHealthy = 0;
  /** Final answers by HTTP status, index 0 … 599. */
  readonly byStatus = new Float64Array(600);

  /** Answers that were followed by a retry, by HTTP status. */
  readonly retriedByStatus = new Float64Array(600);

  /** @param status 0 … 599. */
  countStatus(status: number): void {
    this.byStatus[status] = (this.byStatus[status] as number) + 1;
  }

  countRetriedStatus(status: number): void {
    this.retriedByStatus[status] = (this.retriedByStatus[status] as number) + 1;
  }

  get upstreamRqCompleted(): number {
    return this.byStatus.reduce((sum, count) => sum + count, 0);
  }
}
