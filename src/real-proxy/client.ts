import { Agent, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';

/** What came back. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends requests to a proxy one after the other, in turns over as many connections as it has workers. */
export class ProxyClient {
  private readonly agents: readonly Agent[];

  /** @param limitMs no answer comes after this time: a request fails with a `TimeoutError`. */
  constructor(
    private readonly url: string,
    connections: number,
    private readonly limitMs: number,
  ) {
    this.agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  }

  send(headers: OutgoingHttpHeaders, index: number): Promise<ProxyAnswer> {
    return new Promise((resolve, reject) => {
      const agent = this.agents[index % this.agents.length];
      const options = { ...(agent !== undefined && { agent }), headers, timeout: this.limitMs };
      const request = httpRequest(this.url, options, (response) => {
        response.resume();
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
        response.once('error', reject);
      });
      request.once('error', reject);
      request.once('timeout', () => request.destroy(Object.assign(new Error('no answer'), { name: 'TimeoutError' })));
      request.end();
    });
  }

  close(): void {
    for (const agent of this.agents) agent.destroy();
  }
}
