import { toDecimal } from '../../core/u64.js';
import type { Decision } from '../../hostset/load-balancer.js';
import { type DecisionRecord, localityResult } from '../../result/run-result.js';
import type { RequestOrigin, RequestOutcome, RequestRecord } from '../../result/request-record.js';
import { type OpenRequest, RequestState } from '../servers/open-requests.js';
import type { StoryOrigin } from '../request-story.js';
import type { World } from '../world.js';

export interface TrafficHooks {
  readonly onDecision?: ((record: DecisionRecord) => void) | undefined;
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

export class TrafficRecords {
  constructor(
    private readonly world: World,
    private readonly workloadNames: readonly string[],
  ) {}

  decision(request: OpenRequest, decision: Decision): DecisionRecord {
    const { host } = decision;
    return {
      request: request.plan.mirrorOf ?? request.id,
      attempt: request.attempt,
      tUs: this.world.nowUs,
      ...this.origin(request),
      host: host?.address ?? null,
      priority: host === undefined ? null : decision.priority,
      locality: host === undefined ? null : localityResult(host.locality),
      subset: decision.subset ?? null,
      panic: decision.panic,
      ...memberOf(request),
      ...(request.plan.mirrorOf !== undefined && { mirrored: true as const }),
    };
  }

  arrived(request: OpenRequest): StoryOrigin {
    const { version } = this.world.proxyAt(request.proxy).spec;
    const of = request.plan.tcp && ({ over_tcp: true } as const);
    return { version, tUs: request.arrivedUs, ...this.origin(request), ...of };
  }

  /** @param row the host's row, if the request ended with an answer. */
  ended(request: OpenRequest, status: number, outcome: RequestOutcome, row: number): RequestRecord {
    const { arrivedUs, state, plan } = request;
    // The next attempt is counted from the start of its back-off; its decision comes after that.
    const decided = outcome !== 'no_cluster' && outcome !== 'drop_overload' && state !== RequestState.backingOff;
    const attempts = request.attempt + (decided ? 1 : 0);
    const made = outcome === 'answered' ? plan.setCookies.map(({ text }) => text) : [];
    return {
      request: request.id,
      tUs: arrivedUs,
      latencyUs: this.world.nowUs - arrivedUs,
      ...this.origin(request),
      outcome,
      status,
      attempts,
      host: outcome === 'answered' ? (request.upstream.world.rows.rows[row]?.address ?? null) : null,
      ...memberOf(request),
      // Each attempt works the hash out, and makes cookies again.
      ...(made.length > 0 && { setCookies: Array.from({ length: attempts }, () => made).flat() }),
    };
  }

  private origin(request: OpenRequest): Omit<RequestOrigin, 'request'> {
    const { plan } = request;
    return {
      proxy: this.world.proxyAt(request.proxy).name,
      worker: request.worker,
      workload: this.workloadNames[plan.workload] ?? null,
      cluster: request.routed.name,
      hash: plan.hashed ? toDecimal(request.hashHi, request.hashLo) : null,
    };
  }
}

/** Nothing where its cluster is no aggregate. */
const memberOf = ({ upstream, routed }: OpenRequest): { readonly member?: string } =>
  upstream === routed ? {} : { member: upstream.name };
