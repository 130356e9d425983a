import { toDecimal } from '../core/u64.js';
import type { Decision } from '../hostset/load-balancer.js';
import type { DecisionRecord } from '../result/decision-record.js';
import type { RequestOutcome, RequestRecord } from '../result/request-record.js';
import { localityResult } from '../result/run-result.js';
import type { RequestPlan } from './request-plan.js';
import type { RequestTable } from './request-table.js';
import { RequestState } from './request-table.js';
import type { World } from './world.js';

/** What the caller of a run wants to hear while it goes on. */
export interface TrafficHooks {
  /** Each decision, as it is made. */
  readonly onDecision?: ((record: DecisionRecord) => void) | undefined;
  /** Each request, when it is over. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** Writes down what happens to a request, for who asked to hear of it. */
export class TrafficRecords {
  constructor(
    private readonly world: World,
    private readonly requests: RequestTable,
    private readonly workloadNames: readonly string[],
  ) {}

  decision(slot: number, decision: Decision): DecisionRecord {
    const { host } = decision;
    return {
      request: this.requests.ids[slot] as number,
      attempt: this.requests.attempts[slot] as number,
      tUs: this.world.nowUs,
      ...this.origin(slot),
      host: host?.address ?? null,
      priority: host === undefined ? null : decision.priority,
      locality: host === undefined ? null : localityResult(host.locality),
      subset: decision.subset ?? null,
      panic: decision.panic,
    };
  }

  /** @param row whose answer it is, if that is how the request ended. */
  ended(slot: number, status: number, outcome: RequestOutcome, row: number): RequestRecord {
    const { requests, world } = this;
    const arrivedUs = requests.arrivedUs[slot] as number;
    // The next attempt is counted from the start of its back-off; its decision comes after that.
    const decided = outcome !== 'no_cluster' && requests.states[slot] !== RequestState.backingOff;
    const rows = requests.upstreams[slot]?.world.rows.rows ?? [];
    return {
      request: requests.ids[slot] as number,
      tUs: arrivedUs,
      latencyUs: world.nowUs - arrivedUs,
      ...this.origin(slot),
      outcome,
      status,
      attempts: (requests.attempts[slot] as number) + (decided ? 1 : 0),
      host: outcome === 'answered' ? (rows[row]?.address ?? null) : null,
    };
  }

  private origin(slot: number): Pick<DecisionRecord, 'proxy' | 'worker' | 'workload' | 'cluster' | 'hash'> {
    const { requests, world } = this;
    const plan = requests.plans[slot] as RequestPlan;
    return {
      proxy: world.proxyAt(requests.proxies[slot] as number).name,
      worker: requests.workers[slot] as number,
      workload: this.workloadNames[plan.workload] ?? null,
      cluster: requests.upstreams[slot]?.name ?? '',
      hash: plan.hashed ? toDecimal(requests.hashHi[slot] as number, requests.hashLo[slot] as number) : null,
    };
  }
}
