import { OutlierCounts } from '../core/generated/counts.js';
import { NAMES } from '../core/generated/names.js';
import type { CircuitBreakerLimit } from '../settings/cluster-settings.js';

/** Some hosts: their number, and of a few their addresses. */
export interface SomeHosts {
  readonly hosts: number;
  readonly addresses?: readonly string[];
}

/** More hosts than this are counted, not named. */
const NAMED = 3;

export function someHosts(addresses: readonly string[]): SomeHosts {
  return { hosts: addresses.length, ...(addresses.length <= NAMED && { addresses }) };
}

/** Something that happened, besides requests: its kind, and the numbers behind it. Field names are those of results. */
export type Happening =
  | { readonly kind: 'start' }
  /** An entry of the timeline, in its own words. */
  | { readonly kind: 'timeline'; readonly entry: string }
  /** `endpoint_stale_after` is over. */
  | { readonly kind: 'stale_assignment' }
  | { readonly kind: 'merged_update' }
  /** Lists that waited for the merge window went out. */
  | { readonly kind: 'delivered'; readonly causes: readonly Happening[] }
  /** A cluster that an update waited for is ready. */
  | { readonly kind: 'ready'; readonly after: Happening }
  | ({ readonly kind: 'joined' } & SomeHosts)
  | ({ readonly kind: 'left' } & SomeHosts)
  /** Discovery dropped hosts, which stay while their health checks pass. */
  | { readonly kind: 'kept'; readonly addresses: readonly string[] }
  /** ORIGINAL_DST: a request asked for it; nothing used them since the last cleanup. */
  | { readonly kind: 'asked_for'; readonly address: string }
  | ({ readonly kind: 'unused' } & SomeHosts)
  /** An answer of DNS. */
  | {
      readonly kind: 'addresses';
      readonly name: string;
      readonly added: SomeHosts;
      readonly gone: SomeHosts;
      /** How many the name has now. */
      readonly left: number;
    }
  /** LOGICAL_DNS: the first address, which alone counts, is the same; or another, for new connections at first. */
  | { readonly kind: 'same_first'; readonly name: string; readonly address: string }
  | Readonly<{ kind: 'other_first'; name: string; address: string; before: string; new_connections?: true }>
  | { readonly kind: 'resolved'; readonly name: string; readonly again: boolean }
  | {
      readonly kind: 'checked';
      readonly address: string;
      readonly health: 'healthy' | 'degraded' | 'unhealthy';
      readonly passed: boolean;
      /** Discovery dropped it before: when it leaves. */
      readonly leaves?: 'now' | 'with_next_answer';
    }
  | { readonly kind: 'ejected'; readonly address: string; readonly cause: OutlierCause }
  | {
      readonly kind: 'unejected';
      readonly address: string;
      readonly cause: UnejectionCause;
      /** How long it was out at least: a base time and a factor, or the longest that is allowed. */
      readonly base_s?: number;
      readonly factor?: number;
      readonly max_s?: number;
    }
  /** A level entered panic, or left it; `priority` where the cluster has several. */
  | Readonly<{ kind: 'panic'; panic: boolean; priority?: number; available: number; hosts: number }>
  | { readonly kind: 'limit'; readonly limit: CircuitBreakerLimit; readonly high_priority: boolean };

/** Why the lists of balancers changed. */
export interface Cause {
  readonly fact: Happening;
  /** The proxy whose balancers it reached; undefined: those of all proxies. */
  readonly proxy?: string | undefined;
  /** It waited for the merge window. */
  readonly late?: boolean;
  /** If it waited: the cause as it was when the wait began. */
  readonly source?: Cause;
}

export const NO_CAUSES: readonly Cause[] = [];

/**
 * Which detector found a host to be an outlier. The words are those of the proxy's statistics
 * (`outlier_detection.ejections_detected_<cause>`).
 */
export type OutlierCause = ConsecutiveCause | IntervalCause;

/** In the order of reports. */
export const OUTLIER_CAUSES: readonly OutlierCause[] = NAMES.outlier_causes;

/** Found while requests are answered. */
export type ConsecutiveCause = 'consecutive_gateway_failure' | 'consecutive_5xx' | 'consecutive_local_origin_failure';

/** Found at the end of an interval, by comparing hosts or with a fixed threshold. */
export type IntervalCause =
  'success_rate' | 'local_origin_success_rate' | 'failure_percentage' | 'local_origin_failure_percentage';

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

const NONE = Object.fromEntries(OUTLIER_CAUSES.map((cause) => [cause, 0])) as Readonly<Record<OutlierCause, number>>;

export class OutlierStats extends OutlierCounts {
  /** Per cause: detections, and those that ejected the host. */
  readonly detected = { ...NONE };
  readonly enforced = { ...NONE };
}
