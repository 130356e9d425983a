import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { EventStreams, STREAM_LIMITS } from './event-streams.js';
import { createRoutes, type Site } from './routes.js';
import type { RunView } from './pages/index-page.js';
import { TURN_LIMITS, Turns } from './turns.js';

/** Limits of clients, so that none of them can starve the others, or the run. */
const LIMITS = {
  ...TURN_LIMITS,
  ...STREAM_LIMITS,
  /** Request line and headers. */
  maxHeaderBytes: 8 * 1024,
  /** For the whole request to arrive. */
  requestTimeoutMs: 5_000,
  /** For anything to move on a connection that is no event stream. */
  idleTimeoutMs: 10_000,
};

export type AdminLimits = Readonly<typeof LIMITS>;

export interface AdminOptions {
  /** An address of this machine. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Allowed names in a Host header, besides addresses and localhost. */
  readonly allowedHosts: readonly string[];
  /** Files of the playground; empty: it is not served. */
  readonly site?: Site;
  /** Wall-clock time of the proxies at virtual time 0. */
  readonly unixMs: number;
  readonly limits?: Partial<AdminLimits>;
}

export class AdminServer {
  readonly streams: EventStreams;
  private readonly server: Server;
  private readonly turns: Turns;

  /** @param view the current run; read for each page. */
  constructor(
    private readonly options: AdminOptions,
    view: () => RunView,
  ) {
    const limits = { ...LIMITS, ...options.limits };
    const specs = view().simulation.proxies.map(({ spec }) => spec);
    this.streams = new EventStreams(specs, limits, options.unixMs * 1000);
    const allowedHosts = new Set(options.allowedHosts.map((name) => name.toLowerCase()));
    const routes = createRoutes({ view, streams: this.streams, allowedHosts, site: options.site ?? new Map() });
    const listener = getRequestListener((request, env) => routes.fetch(request, env), { overrideGlobalObjects: false });
    this.server = createServer({
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.requestTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.requestTimeoutMs),
      keepAliveTimeout: limits.idleTimeoutMs,
    });
    this.server.maxHeadersCount = 100;
    this.server.timeout = limits.idleTimeoutMs;
    this.turns = new Turns(limits, (incoming, outgoing) => void listener(incoming, outgoing));
    this.turns.serve(this.server);
  }

  /** @throws the system's error if the address cannot be used. */
  async listen(): Promise<void> {
    const { host, port } = this.options;
    this.server.listen({ host, port });
    await once(this.server, 'listening');
  }

  /** Resolves between two slices of the run: new connections are accepted, and no stream has too much unread data. */
  async settle(): Promise<void> {
    await this.streams.settle();
    await this.turns.letIn();
  }

  /** `http://127.0.0.1:9901`, without a slash at its end. */
  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') return '';
    return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /** Closes event streams cleanly, and all other connections. */
  async close(): Promise<void> {
    this.streams.close();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      // Lets the last writes go out.
      setImmediate(() => this.server.closeAllConnections());
    });
  }
}
