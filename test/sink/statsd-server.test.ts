import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunResult } from '../../src/result/run-result.js';
import { Folder } from '../cli/files.js';
import { lbsim } from '../cli/harness.js';

/** What statsd's own server makes of the lines of a run: it is started here, and tells what it has aggregated. */

/** Datagrams can be lost: then nothing would ever end the wait. */
const RECEIVED_WITHIN_MS = 5 * 60_000;
const folder = new Folder();
let server: Statsd;

beforeAll(async () => {
  server = await Statsd.start();
});
afterAll(() => {
  server.stop();
  folder.remove();
});

/** What the server hands to a backend at each of its flushes. */
interface Aggregates {
  readonly counters: Readonly<Record<string, number>>;
  readonly timers: Readonly<Record<string, readonly number[]>>;
  readonly gauges: Readonly<Record<string, number>>;
}

/** A backend as statsd has them: it passes on what it gets. */
const BACKEND = `
exports.init = (startup, config, events) => {
  events.on('flush', (time, { counters, timers, gauges }) => process.send({ counters, timers, gauges }));
  return true;
};
`;

/** Node 23 took out `util.log`, by which statsd logs. */
const PRELOAD = "require('node:util').log ??= console.log;";

/** npm's statsd, on ports of this machine that were free. */
class Statsd {
  readonly counters: Record<string, number> = {};
  /** How many values each has. */
  readonly timers: Record<string, number> = {};
  gauges: Readonly<Record<string, number>> = {};
  private onFlush: () => void = () => undefined;

  private constructor(
    private readonly child: ChildProcess,
    readonly udpPort: number,
    readonly tcpPort: number,
  ) {
    child.on('message', (message) => {
      const { counters, timers, gauges } = message as Aggregates;
      for (const [name, count] of Object.entries(counters)) this.counters[name] = (this.counters[name] ?? 0) + count;
      for (const [name, values] of Object.entries(timers)) {
        this.timers[name] = (this.timers[name] ?? 0) + values.length;
      }
      this.gauges = gauges;
      this.onFlush();
    });
  }

  static async start(): Promise<Statsd> {
    const [udpPort, tcpPort] = [await freeUdpPort(), await freeTcpPort()];
    const address = '127.0.0.1';
    const config = {
      servers: [
        { server: './servers/udp', address, port: udpPort },
        { server: './servers/tcp', address, port: tcpPort },
      ],
      mgmt_address: address,
      mgmt_port: await freeTcpPort(),
      backends: [folder.file('backend.cjs', BACKEND)],
      flushInterval: 100,
    };
    const script = createRequire(import.meta.url).resolve('statsd/stats.js');
    const file = folder.file('statsd.config.json', JSON.stringify(config));
    const preload = folder.file('preload.cjs', PRELOAD);
    const child = spawn(process.execPath, ['--require', preload, script, file], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let said = '';
    const take = (chunk: Buffer): void => void (said += chunk.toString());
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    await new Promise<void>((resolve, reject) => {
      // It flushes once its sockets are there.
      child.once('message', () => resolve());
      child.once('exit', () => reject(new Error(`statsd did not start: ${said}`)));
    });
    return new Statsd(child, udpPort, tcpPort);
  }

  get received(): number {
    return this.counters['statsd.metrics_received'] ?? 0;
  }

  /** Waits until the server has counted `lines` since it was started. */
  hasReceived(lines: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`slow machine? statsd has received ${this.received} of ${lines} lines`));
      }, RECEIVED_WITHIN_MS);
      this.onFlush = () => {
        if (this.received < lines) return;
        clearTimeout(timer);
        resolve();
      };
      this.onFlush();
    });
  }

  stop(): void {
    this.child.kill();
  }
}

async function freeTcpPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function freeUdpPort(): Promise<number> {
  const probe = createSocket('udp4').bind(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return port;
}

const HOST = (port: number): string =>
  `lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: ${port}}}}}]`;

function scenario(options: { readonly sink: string; readonly rate: string; readonly matcher?: string }): string {
  const { sink, rate, matcher = '' } = options;
  return `
name: real-receiver
duration: 10s
proxies:
  - name: edge
    node: {id: edge, cluster: edges}
    stats_flush_interval: 2s
    ${matcher}
    stats_sinks:
      - name: proxy.stat_sinks.statsd
        typed_config: {"@type": type.googleapis.com/config.metrics.v2.StatsdSink, ${sink}}
clusters:
  - {name: backend}
  - name: statsd
    type: STATIC
    connect_timeout: 1s
    load_assignment: {cluster_name: statsd, endpoints: [{${HOST(server.tcpPort)}}]}
endpoints: {backend: ["10.0.0.1:80", "10.0.0.2:80"]}
behavior:
  - {hosts: {cluster: backend}, service_time: {exponential: {mean: 20ms}}}
  - {hosts: {address: 10.0.0.2}, error_rate: 10%}
workloads: [{name: users, cluster: backend, arrivals: ${rate}}]
`;
}

/** Runs with --sinks and tells the result and how many lines were sent; none may be dropped. */
async function run(text: string): Promise<{ readonly result: RunResult; readonly sent: number }> {
  const file = folder.file('scenario.yaml', text);
  const { code, stdout, stderr } = await lbsim(['run', file, '--sinks', '--json'], {
    monotonicMs: () => performance.now(),
  });
  expect({ code, dropped: stderr.includes('dropped'), stderr }).toEqual({ code: 0, dropped: false, stderr });
  const sent = Number(/: (\d+) lines sent$/m.exec(stderr)?.[1]);
  return { result: JSON.parse(stdout) as RunResult, sent };
}

/** Every counter, the number of values of every histogram, and a gauge. */
function compare({ stats }: RunResult, prefix: string): void {
  const withPrefix = (values: readonly (readonly [string, number])[]): Record<string, number> =>
    Object.fromEntries(values.map(([name, value]) => [`${prefix}.${name}`, value]));
  const used = withPrefix(Object.entries(stats.counters).filter(([, value]) => value > 0));
  expect(Object.keys(used).length).toBeGreaterThan(3);
  expect(server.counters).toMatchObject(used);
  const samples = Object.entries(stats.histograms).map(([name, { count }]) => [name, count] as const);
  expect(server.timers).toMatchObject(withPrefix(samples));
  expect(server.gauges[`${prefix}.cluster.backend.membership_total`]).toBe(2);
}

it('over UDP it adds up to the numbers of the run', async () => {
  // Few enough lines for the receiver's socket, however late it reads.
  const matcher =
    'stats_config: {stats_matcher: {inclusion_list: {patterns: [{safe_regex: {regex: "cluster\\\\.backend\\\\.(membership_.*|upstream_rq_(total|time|200|503|2xx|5xx))"}}]}}}';
  const sink = `address: {socket_address: {protocol: UDP, address: 127.0.0.1, port_value: ${server.udpPort}}}`;
  const before = server.received;
  const { result, sent } = await run(scenario({ sink, rate: '6/s', matcher }));
  expect(sent).toBeLessThan(200);
  await server.hasReceived(before + sent);
  compare(result, 'proxy');
});

it('over TCP it adds up to the numbers of the run', async () => {
  const before = server.received;
  const { result, sent } = await run(scenario({ sink: 'tcp_cluster_name: statsd, prefix: over.tcp', rate: '200/s' }));
  expect(sent).toBeGreaterThan(4_000);
  await server.hasReceived(before + sent);
  compare(result, 'over.tcp');
});
