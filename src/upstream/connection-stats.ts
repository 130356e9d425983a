/** What one cluster counts of its connections; the field names are the proxy's in camelCase. */
export class ConnectionStats {
  upstreamCxTotal = 0;
  upstreamCxActive = 0;
  upstreamCxHttp1Total = 0;
  upstreamCxHttp2Total = 0;
  /** The limit on connections was reached; the first connection to a host is made all the same. */
  upstreamCxOverflow = 0;
  upstreamCxConnectFail = 0;
  upstreamCxConnectTimeout = 0;
  /** Closed because `max_requests_per_connection` was reached. */
  upstreamCxMaxRequests = 0;
  upstreamCxDestroy = 0;
  upstreamCxDestroyRemote = 0;
  upstreamCxDestroyLocal = 0;
  /** Of those, the ones with a request in flight. */
  upstreamCxDestroyWithActiveRq = 0;
  upstreamCxDestroyLocalWithActiveRq = 0;
  upstreamCxDestroyRemoteWithActiveRq = 0;
  /** Requests that wait for a connection, now and in total. */
  upstreamRqPendingTotal = 0;
  upstreamRqPendingActive = 0;
  /** Rejected: too many requests wait. */
  upstreamRqPendingOverflow = 0;
  /** Rejected when a connection was free: too many requests are active (counted apart since 1.40). */
  upstreamRqActiveOverflow = 0;
  /** Failed while waiting, since a connection could not be made. */
  upstreamRqPendingFailureEject = 0;
}
