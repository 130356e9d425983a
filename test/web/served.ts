import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request } from 'node:http';
import type { LoadResult } from '../../src/scenario/load.js';
import { loadScenario, loadScenarioValue } from '../../src/scenario/load.js';
import type { Simulation } from '../../src/words/library.js';
import { createSimulation } from '../../src/words/library.js';
import type { AdminLimits } from '../../src/web/admin-server.js';
import { AdminServer } from '../../src/web/admin-server.js';
import type { RunView } from '../../src/web/pages/index-page.js';

/** The clocks of the proxies show this at virtual time 0. */
export const UNIX_S = 1_700_000_000;

export const dashboardSink = (numBuckets: number): object => ({
  name: 'proxy.stat_sinks.dashboard',
  typed_config: { '@type': 'type.googleapis.com/config.metrics.v2.DashboardSink', num_buckets: numBuckets },
});

export interface Page {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A scenario behind a server on loopback; virtual time passes when the test says so. */
export class Served {
  state: RunView['state'] = 'running';
  private constructor(
    readonly simulation: Simulation,
    readonly admin: AdminServer,
  ) {}

  static start(scenarioValue: unknown, limits: Partial<AdminLimits> = {}): Promise<Served> {
    return Served.of(loadScenarioValue(scenarioValue, 'served'), limits);
  }

  /** @param text a scenario in YAML. */
  static startText(text: string, limits: Partial<AdminLimits> = {}): Promise<Served> {
    return Served.of(loadScenario({ file: 'served.yaml', text }), limits);
  }

  private static async of({ scenario, problems }: LoadResult, limits: Partial<AdminLimits>): Promise<Served> {
    if (scenario === undefined) throw new Error(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
    const late: { admin?: AdminServer; served?: Served } = {};
    const simulation = await createSimulation(scenario, {
      stats: { onFlush: (flush) => late.admin?.streams.onFlush(flush) },
    });
    const options = {
      host: '127.0.0.1',
      port: 0,
      allowedHosts: ['lbsim.test'],
      unixMs: UNIX_S * 1000,
      limits,
    };
    const admin = new AdminServer(options, () => ({
      scenario,
      simulation,
      state: late.served?.state ?? 'running',
      run: 1,
      startedAt: new Date(UNIX_S * 1000).toISOString(),
      lbsimVersion: '0.0.0',
    }));
    late.admin = admin;
    await admin.listen();
    return (late.served = new Served(simulation, admin));
  }

  get port(): number {
    return Number(new URL(this.admin.url).port);
  }

  /** Lets virtual time pass. */
  advance(untilS: number): void {
    this.simulation.advance(Infinity, untilS * 1e6);
  }

  get(path: string, options: RequestOptions = {}): Promise<Page> {
    return new Promise((resolve, reject) => {
      this.open(path, options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      }).on('error', reject);
    });
  }

  async json(path: string): Promise<unknown> {
    return JSON.parse((await this.get(path)).text);
  }

  /** A client of the dashboard's stream, once it is connected. */
  watch(path = '/dashboard_event_stream'): Promise<Watcher> {
    return new Promise((resolve, reject) => {
      this.open(path, {}, (response) => resolve(new Watcher(response))).on('error', reject);
    });
  }

  close(): Promise<void> {
    return this.admin.close();
  }

  private open(path: string, options: RequestOptions, take: (response: IncomingMessage) => void): ClientRequest {
    const asked = request({ host: '127.0.0.1', port: this.port, path, agent: false, ...options }, take);
    return asked.end();
  }
}

export type Event = Readonly<Record<string, unknown>>;

/** Reads a stream flush by flush. */
export class Watcher {
  readonly closed: Promise<void>;
  private text = '';
  private wake: () => void = () => undefined;
  private over = false;

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.text += chunk;
      this.wake();
    });
    this.closed = new Promise((resolve) => {
      response.on('close', () => {
        this.over = true;
        this.wake();
        resolve();
      });
    });
    response.on('error', () => undefined);
  }

  /** The events of the next flush; undefined where the stream ends before. */
  async flush(): Promise<readonly Event[] | undefined> {
    for (;;) {
      const [events, rest] = this.text.split(/(?<=^|\n\n):\n\n([^]*)/, 2);
      if (rest !== undefined) {
        this.text = rest;
        return [...(events ?? '').matchAll(/^data: (.*)\n\n/gm)].map(([, json = '']) => JSON.parse(json) as Event);
      }
      if (this.over) return undefined;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    this.response.destroy();
  }
}
