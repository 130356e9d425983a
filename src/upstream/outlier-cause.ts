/**
 * Which detector found a host to be an outlier, in the order of reports. The words are those of the proxy's statistics
 * (`outlier_detection.ejections_detected_<cause>`). Runs of errors are found while requests are answered, the others at the end
 * of an interval, by comparing hosts or with a fixed threshold.
 */
export const OUTLIER_CAUSES = [
  'consecutive_5xx',
  'consecutive_gateway_failure',
  'consecutive_local_origin_failure',
  'success_rate',
  'local_origin_success_rate',
  'failure_percentage',
  'local_origin_failure_percentage',
] as const;

export type OutlierCause = (typeof OUTLIER_CAUSES)[number];

/** Found while requests are answered. */
export type ConsecutiveCause = Extract<OutlierCause, `consecutive_${string}`>;

export type UnejectionCause = 'ejection_time_over' | 'active_health_check';

/**
 * Where an error came from: the host by its answer, or the proxy on the way to it. The two are counted apart only under
 * `split_external_local_origin_errors`; otherwise everything counts as external.
 */
export type ErrorOrigin = 'external' | 'local';

/** What became of a request other than an HTTP status, in the proxy's words. */
export type OriginEvent =
  /** A request that is not HTTP succeeded. */
  | 'EXT_ORIGIN_REQUEST_SUCCESS'
  | 'EXT_ORIGIN_REQUEST_FAILED'
  | 'LOCAL_ORIGIN_TIMEOUT'
  /** No connection, or one that broke before the answer. */
  | 'LOCAL_ORIGIN_CONNECT_FAILED'
  /** A connection is there; how the request on it ends is reported by itself. */
  | 'LOCAL_ORIGIN_CONNECT_SUCCESS'
  /** A connection is there and nothing more will be reported. */
  | 'LOCAL_ORIGIN_CONNECT_SUCCESS_FINAL';

/** Detections of one report, a set of {@link Detection}. */
export type Detections = number;

/** One bit for each {@link ConsecutiveCause}, in the order in which the proxy reports them. */
export const Detection = {
  none: 0,
  consecutiveGatewayFailure: 1,
  consecutive5xx: 2,
  consecutiveLocalOriginFailure: 4,
} as const;
