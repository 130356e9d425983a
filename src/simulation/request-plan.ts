import type { Struct } from '../core/json-value.js';
import type { Micros } from '../core/units.js';
import type { ScriptedRandom } from '../random/scripted.js';
import type { RequestSpec, RetryPolicy } from '../scenario/model.js';

/** The origin and the destination of requests. */
export interface RequestOrigin {
  /** Number of the workload; -1: an explicit request. */
  readonly workload: number;
  readonly cluster: number;
  readonly metadataMatch: Struct | undefined;
  /** The route computes a hash. */
  readonly hashed: boolean;
  /** The text of a request's key is needed. Default false. */
  readonly readsKey?: boolean;
  /** Scripted random values for decisions, instead of the balancer's own draws. */
  readonly script?: ScriptedRandom | undefined;
  /** The service time, instead of the host's own. */
  readonly serviceUs?: Micros | undefined;
}

/**
 * What all requests of one origin to one cluster share, computed once. Objects of a scenario have different shapes, which
 * makes property access slow; this class has one shape.
 */
export class RequestPlan {
  readonly workload: number;
  readonly cluster: number;
  readonly metadataMatch: Struct | undefined;
  readonly hashed: boolean;
  readonly readsKey: boolean;
  readonly script: ScriptedRandom | undefined;
  /** -1: the host's own. */
  readonly serviceUs: Micros;
  readonly headers: Readonly<Record<string, string>>;
  readonly priority: RequestSpec['priority'];
  /** 0: none. */
  readonly timeoutUs: Micros;
  /** 0: a try has no limit of its own, also where that limit is not shorter than the request's. */
  readonly perTryUs: Micros;
  readonly retryPolicy: RetryPolicy | undefined;
  /** Retries prefer other priorities than earlier attempts. */
  readonly remembersPriorities: boolean;

  constructor(spec: RequestSpec, origin: RequestOrigin) {
    const { retryPolicy, timeoutUs } = spec;
    const perTryUs = retryPolicy?.perTryTimeoutUs ?? 0;
    this.workload = origin.workload;
    this.cluster = origin.cluster;
    this.metadataMatch = origin.metadataMatch;
    this.hashed = origin.hashed;
    this.readsKey = origin.readsKey ?? false;
    this.script = origin.script;
    this.serviceUs = origin.serviceUs ?? -1;
    this.headers = spec.headers;
    this.priority = spec.priority;
    this.timeoutUs = timeoutUs;
    this.perTryUs = timeoutUs > 0 && perTryUs >= timeoutUs ? 0 : perTryUs;
    this.retryPolicy = retryPolicy;
    this.remembersPriorities = retryPolicy?.retryPriority !== undefined;
  }
}
