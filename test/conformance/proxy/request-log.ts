import type { DecisionRecord } from '../../../src/result/decision-record.js';

/** One request as the simulation decided it: its last attempt says which host it ended at. */
export interface LoggedRequest {
  readonly tUs: number;
  readonly workload: string | null;
  readonly hash: string | null;
  /** null: no host was chosen. */
  host: string | null;
  priority: number | null;
  attempts: number;
}

/** Collects decisions request by request, in the order of arrival. */
export class RequestLog {
  readonly requests: LoggedRequest[] = [];
  private readonly byNumber = new Map<number, LoggedRequest>();

  readonly record = (decision: DecisionRecord): void => {
    const known = this.byNumber.get(decision.request);
    if (known !== undefined) {
      known.host = decision.host;
      known.priority = decision.priority;
      known.attempts++;
      return;
    }
    const request: LoggedRequest = {
      tUs: decision.tUs,
      workload: decision.workload,
      hash: decision.hash,
      host: decision.host,
      priority: decision.priority,
      attempts: 1,
    };
    this.requests.push(request);
    this.byNumber.set(decision.request, request);
  };
}

/** Counts of a group of requests in the shape in which they are recorded. */
export interface Split {
  readonly n: number;
  readonly hosts: ReadonlyMap<string, number>;
  readonly noHost: number;
  /** By number of attempts. */
  readonly attempts: ReadonlyMap<string, number>;
}

export function splitOf(requests: Iterable<LoggedRequest>): Split {
  let n = 0;
  let noHost = 0;
  const hosts = new Map<string, number>();
  const attempts = new Map<string, number>();
  for (const request of requests) {
    n++;
    count(attempts, String(request.attempts));
    if (request.host === null) noHost++;
    else count(hosts, request.host);
  }
  return { n, hosts, noHost, attempts };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
