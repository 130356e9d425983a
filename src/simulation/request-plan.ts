import type { Struct } from '../core/json-value.js';
import type { Micros } from '../core/units.js';
import type { ScriptedRandom } from '../random/scripted.js';
import type { RequestSpec, RetryPolicy } from '../scenario/model.js';

/** Where requests come from and where they are meant to go. */
export interface RequestOrigin {
  /** Number of the workload; -1: an explicit request. */
  readonly workload: number;
  readonly cluster: number;
  readonly metadataMatch: Struct | undefined;
  /** The route computes a hash. */
  readonly hashed: boolean;
  /** The text of a request's key is asked for. Default false. */
  readonly readsKey?: boolean;
  /** Values that the decisions draw instead of the balancer's own. */
  readonly script?: ScriptedRandom | undefined;
  /** How long a host takes, whatever its own behaviour says. */
  readonly serviceUs?: Micros | undefined;
}

/**
 * What all requests of one origin to one cluster have in common, worked out once. The objects of a scenario have whatever
 * fields their file gave them, which the engine looks up by name each time; this one has them in fixed places.
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
  /** 0: a try has no limit of its own, as where that is not shorter than the request's. */
  readonly perTryUs: Micros;
  readonly retryPolicy: RetryPolicy | undefined;
  /** Retries turn to other priorities than the attempts before. */
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
