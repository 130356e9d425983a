import type { RequestOutcome, RequestRecord } from '../../../src/result/request-record.js';

/** Requests with how they ended. */
export class RequestLog {
  private readonly ended: RequestRecord[] = [];

  readonly record = (request: RequestRecord): void => {
    this.ended.push(request);
  };

  /** In the order of arrival. */
  get requests(): readonly RequestRecord[] {
    return [...this.ended].sort((a, b) => a.request - b.request);
  }
}

/** What a recording calls an answer that no host gave. */
export function fateOf(outcome: Exclude<RequestOutcome, 'answered'>): string {
  // A cluster that the proxy does not know is answered for without a body.
  return outcome === 'no_cluster' ? 'empty_503' : outcome;
}

/** Counts of a group of requests in the shape in which they are recorded. */
export interface Split {
  readonly n: number;
  /** By the host that gave the final answer. */
  readonly hosts: ReadonlyMap<string, number>;
  readonly noHost: number;
  /** By number of attempts. */
  readonly attempts: ReadonlyMap<string, number>;
  /** By HTTP status. */
  readonly status: ReadonlyMap<string, number>;
  /** By what the proxy itself answered: overflow, timeout, connect_failure … */
  readonly other: ReadonlyMap<string, number>;
}

export function splitOf(requests: Iterable<RequestRecord>): Split {
  let n = 0;
  let noHost = 0;
  const hosts = new Map<string, number>();
  const attempts = new Map<string, number>();
  const status = new Map<string, number>();
  const other = new Map<string, number>();
  for (const request of requests) {
    n++;
    count(attempts, String(request.attempts));
    count(status, String(request.status));
    if (request.host !== null) count(hosts, request.host);
    else if (request.outcome === 'no_host') noHost++;
    else if (request.outcome !== 'answered') count(other, fateOf(request.outcome));
  }
  return { n, hosts, noHost, attempts, status, other };
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
