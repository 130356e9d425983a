import type { Micros } from '../../core/units.js';
import { causeOf, noFailures } from '../../result/failures.js';
import type { RequestOutcome } from '../../result/request-record.js';
import type { Totals } from '../../result/run-result.js';
import type { OpenRequest } from '../servers/open-requests.js';

/** In the run, for host and phase of the attempt, and in the aggregate that passed it on. Requests of the warm-up are not counted. */
export class TrafficCounts {
  readonly totals: Totals = {
    requests: 0,
    success: 0,
    failed: 0,
    in_flight: 0,
    no_healthy_upstream: 0,
    overflow: 0,
    retries: 0,
  };
  readonly failures = noFailures();

  arrived({ counted, plan }: OpenRequest): void {
    if (counted && plan.mirrorOf === undefined) this.totals.requests++;
  }

  foundNoHost({ counted, upstream, plan }: OpenRequest): void {
    if (!counted) return;
    upstream.recorder.noHost();
    if (plan.mirrorOf === undefined) this.totals.no_healthy_upstream++;
  }

  chosen({ counted, upstream, routed, phase, routedPhase, row, subset }: OpenRequest): void {
    if (!counted) return;
    upstream.recorder.chosen(phase, row, subset);
    if (routed !== upstream) routed.recorder.passedOn(routedPhase, upstream.name);
  }

  /** Its attempt, which is counted already for another row of its host, goes to this one. */
  moved({ counted, upstream, phase, row }: OpenRequest, toRow: number): void {
    if (counted && toRow !== row) upstream.recorder.moved(phase, row, toRow);
  }

  overflowed(request: OpenRequest): void {
    if (!request.counted) return;
    const { upstream, routed, phase, routedPhase, waiting, row, subset } = request;
    if (request.plan.mirrorOf === undefined) this.totals.overflow++;
    if (waiting) upstream.recorder.overflowWaiting(phase, row, subset);
    else upstream.recorder.overflow(phase);
    if (routed === upstream) return;
    if (waiting) routed.recorder.passedOnInVain(routedPhase, upstream.name);
    else routed.recorder.overflow(routedPhase);
  }

  attemptFailed({ counted, upstream, routed, row, subset }: OpenRequest): void {
    if (!counted) return;
    upstream.recorder.failed(row, subset);
    if (routed !== upstream) routed.recorder.member(upstream.name).errors++;
  }

  answered({ counted, upstream, routed, row, subset }: OpenRequest, latencyUs: Micros, error: boolean): void {
    if (!counted) return;
    upstream.recorder.answered(row, subset, latencyUs, error);
    if (routed === upstream) return;
    const counts = routed.recorder.member(upstream.name);
    counts.latency.record(latencyUs);
    if (error) counts.errors++;
  }

  /** @param latencyUs as `latencyOf` has it. */
  ended(request: OpenRequest, success: boolean, outcome: RequestOutcome, latencyUs: Micros | undefined): void {
    if (!request.counted) return;
    const { totals } = this;
    const { upstream, routed, plan } = request;
    if (plan.mirrorOf !== undefined) {
      // Nobody hears of its end but the cluster.
    } else if (success) totals.success++;
    else {
      totals.failed++;
      this.failures[causeOf(outcome)]++;
    }
    upstream.recorder.ended(request.phase, latencyUs, success, outcome);
    if (routed !== upstream) routed.recorder.ended(request.routedPhase, latencyUs, success, outcome);
  }
}
