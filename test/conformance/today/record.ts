import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as after } from 'node:timers/promises';
import type { ObservedRequest, TodayCase, TodayRequest } from './case.js';
import { CLUSTER_HEADER, FLAGS_HEADER, HOST_HEADER, SEQUENCE_HEADER } from './headers.js';
import { type Arrived, type RunningHost, startHost } from './host.js';

/** Has a real proxy go through a case, with hosts of its own on loopback, and notes what it did, in the form of `recorded/today`. */

/** A case without what was seen. */
export type CaseToRecord = Omit<TodayCase, 'observed'>;

interface Place {
  readonly ip: string;
  readonly port: number;
}

const socketAddress = ({ ip, port }: Place) => ({ address: { socket_address: { address: ip, port_value: port } } });

class RecordedProxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly admin: Place,
    private readonly folder: string,
  ) {}

  static async start(config: TodayCase['config'], admin: Place, concurrency: number): Promise<RecordedProxy> {
    const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
    const file = join(folder, 'bootstrap.json');
    await writeFile(file, JSON.stringify({ ...config, admin: socketAddress(admin) }));
    const args = ['-c', file, '--concurrency', String(concurrency), '--disable-hot-restart', '-l', 'off'];
    const child = spawn(process.env['ENVOY'] ?? 'envoy', args, { stdio: 'ignore' });
    const proxy = new RecordedProxy(child, admin, folder);
    for (let tries = 0; (await proxy.page('/ready')).trim() !== 'LIVE'; tries++) {
      if (tries > 400) {
        await proxy.stop();
        throw new Error('the proxy does not start');
      }
      await after(25);
    }
    return proxy;
  }

  page(path: string): Promise<string> {
    return new Promise((resolve) => {
      const request = http.get({ host: this.admin.ip, port: this.admin.port, path, agent: false }, (answer) => {
        let text = '';
        answer.on('data', (part: Buffer) => (text += part.toString()));
        answer.on('end', () => {
          resolve(text);
        });
      });
      request.on('error', () => {
        resolve('');
      });
    });
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await rm(this.folder, { recursive: true });
  }
}

/** What bytes cost is not simulated. */
const UNKNOWN = /bytes|flow_control|length_ms|retry_backoff/;

async function statsOf(proxy: RecordedProxy): Promise<Record<string, number>> {
  const lines = (await proxy.page('/stats?filter=%5Ecluster%5C.')).split('\n');
  const counted = lines
    .map((line) => line.split(': '))
    .filter(([name = '', value = '']) => /^\d+$/.test(value) && !UNKNOWN.test(name));
  return Object.fromEntries(counted.map(([name = '', value]) => [name, Number(value)]));
}

/** Time for the proxy to notice what its last answer brought, and for the end of all connections. */
const SETTLE_MS = 150;

/** How often the recorder looks whether its own timers are late. */
const LOOK_MS = 2;

/** What came to hosts: requests, and their copies. */
interface Arrivals {
  readonly requests: [seq: number, host: string][];
  readonly copies: [seq: number, host: string][];
}

/** @throws Error where the proxy does not start. */
export async function record(one: CaseToRecord, listener: Place): Promise<TodayCase> {
  const arrivals: Arrivals = { requests: [], copies: [] };
  const arrived: Arrived = (seq, host, isCopy) => arrivals[isCopy ? 'copies' : 'requests'].push([seq, host]);
  const hosts = new Map<string, RunningHost>();
  for (const [address, own] of Object.entries(one.hosts)) hosts.set(address, await startHost(address, own, arrived));
  const admin = { ip: listener.ip, port: listener.port + 1 };
  let proxy: RecordedProxy | undefined;
  try {
    proxy = await RecordedProxy.start(one.config, admin, one.concurrency ?? 1);
    const startedMs = performance.now();
    const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
    delays.enable();
    const observed =
      one.driver === 'tcp'
        ? { actions: await act(one, listener) }
        : one.driver === 'workers'
          ? await overConnections(one, listener, proxy)
          : { requests: await ask(one, listener, arrivals, hosts) };
    await after(SETTLE_MS);
    const stats = await statsOf(proxy);
    const endS = (performance.now() - startedMs) / 1000;
    delays.disable();
    const lateMs = Math.max(0, Math.round(delays.max / 1e6) - LOOK_MS);
    const recorded = { ...one, late_ms: lateMs, observed: { ...observed, stats } };
    return one.area === 'mixed' ? inOrder({ ...recorded, end_s: endS }) : recorded;
  } finally {
    await proxy?.stop();
    for (const host of hosts.values()) host.stop();
  }
}

/** Requests in the order in which they were really sent. */
function inOrder(recorded: TodayCase): TodayCase {
  const { requests = [], observed } = recorded;
  const sent = (observed.requests ?? []).map((seen, index) => ({ seen, request: requests[index] ?? {} }));
  sent.sort((a, b) => (a.seen.sent_s ?? 0) - (b.seen.sent_s ?? 0));
  const all = sent.map(({ seen }) => seen);
  return { ...recorded, requests: sent.map(({ request }) => request), observed: { ...observed, requests: all } };
}

/** Connections of clients, each kept open. */
class Connections {
  private readonly agents = new Map<string, http.Agent>();

  of(key: string): http.Agent {
    const known = this.agents.get(key) ?? new http.Agent({ keepAlive: true, maxSockets: 1 });
    this.agents.set(key, known);
    return known;
  }

  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
  }
}

/** Sends one request, and waits for its answer. @param headers besides its own. */
async function send(
  { ip, port }: Place,
  index: number,
  { path = '/', host = 'o', headers: own = {}, source }: TodayRequest,
  cookies: readonly string[],
  agent: http.Agent,
): Promise<http.IncomingMessage> {
  const cookie = cookies.map((each) => each.split(';')[0] ?? '');
  const headers = {
    ...Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
    ),
    ...(cookie.length > 0 && { cookie: cookie.join('; ') }),
    [SEQUENCE_HEADER]: String(index),
    host,
  };
  const [localAddress, localPort] = source?.split(':') ?? [];
  const from = {
    ...(localAddress !== undefined && { localAddress }),
    ...(localPort !== undefined && { localPort: Number(localPort) }),
  };
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ host: ip, port, path, headers, agent, ...from }, resolve).on('error', reject);
  });
  answer.resume();
  await once(answer, 'end');
  return answer;
}

async function ask(
  { requests = [], driver, changes = [] }: CaseToRecord,
  listener: Place,
  arrivals: Arrivals,
  hosts: ReadonlyMap<string, RunningHost>,
): Promise<readonly ObservedRequest[]> {
  const startMs = performance.now();
  const nowS = (): number => (performance.now() - startMs) / 1000;
  const connections = new Connections();
  const sendOne = async (index: number, request: TodayRequest, cookies: readonly string[], connection: string) => {
    const sentS = nowS();
    const answer = await send(listener, index, request, cookies, connections.of(connection));
    return observedOf(answer, sentS, nowS() - sentS);
  };
  const found: ObservedRequest[] = [];
  const changed = changes.map(async ({ at, host, set }) => {
    await after(at * 1000);
    hosts.get(host)?.become(set);
  });
  if (driver === 'timed') {
    const sent = requests.map(async (request, index) => {
      await after((request.at ?? 0) * 1000 - performance.now() + startMs);
      return sendOne(index, request, [], String(index));
    });
    found.push(...(await Promise.all(sent)));
  } else {
    for (const [index, request] of requests.entries()) {
      const { pause_s: pauseS = 0, cookie_from: from, client = 0, connection = 0, set_hosts: set = {} } = request;
      await after(pauseS * 1000);
      for (const [host, behavior] of Object.entries(set)) hosts.get(host)?.become(behavior);
      const cookies = from === undefined ? [] : (found[from]?.set_cookie ?? []);
      found.push(await sendOne(index, request, cookies, `${client} ${connection}`));
    }
  }
  await Promise.all(changed);
  // Copies may still be on their way, and those that were hedged.
  await after(SETTLE_MS);
  connections.close();
  const toHosts = (all: Arrivals['requests'], index: number) =>
    all.filter(([seq]) => seq === index).map(([, at]) => at);
  return found.map((one, index) => ({
    ...one,
    upstream: toHosts(arrivals.requests, index).map((at) => [at, 0, 0, 0] as const),
    shadow: toHosts(arrivals.copies, index).map((at) => [at, 0] as const),
  }));
}

function observedOf(
  { headers, statusCode = 0 }: http.IncomingMessage,
  sentS: number,
  latencyS: number,
): ObservedRequest {
  const text = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' && value !== '-' ? value : undefined;
  };
  const [host, cluster, flags] = [HOST_HEADER, CLUSTER_HEADER, FLAGS_HEADER].map(text);
  const attempts = Number(headers['x-envoy-attempt-count'] ?? 1);
  return {
    ...(host !== undefined && { host }),
    ...(cluster !== undefined && { cluster }),
    ...(flags !== undefined && { flags }),
    ...(statusCode !== 200 && { status: statusCode }),
    ...(headers['set-cookie'] !== undefined && { set_cookie: headers['set-cookie'] }),
    ...(attempts !== 1 && { attempts }),
    sent_s: sentS,
    latency_s: latencyS,
  };
}

/** Requests one after another over several connections, and which worker has each of these. */
async function overConnections(one: CaseToRecord, listener: Place, proxy: RecordedProxy) {
  const addresses = Object.keys(one.hosts);
  const connections = new Connections();
  const sent = (one.requests ?? []).flatMap(({ connections: over = [], ...request }) =>
    over.map((connection) => ({ request, connection })),
  );
  const workers = new Map<number, number>();
  const byWorker = new Map<number, number[]>();
  const countsOf = async (): Promise<readonly number[]> => {
    const lines = (await proxy.page('/stats?filter=worker_%5Cd%2B.downstream_cx_total')).split('\n');
    const counts: number[] = [];
    for (const line of lines) {
      const [, worker, count] = /worker_(\d+)\.downstream_cx_total: (\d+)/.exec(line) ?? [];
      if (worker !== undefined && !line.includes('admin')) counts[Number(worker)] = Number(count);
    }
    return counts;
  };
  let before = await countsOf();
  for (const [index, { request, connection }] of sent.entries()) {
    const answer = await send(listener, index, request, [], connections.of(String(connection)));
    if (!workers.has(connection)) {
      const counts = await countsOf();
      workers.set(
        connection,
        counts.findIndex((count, worker) => count !== before[worker]),
      );
      before = counts;
    }
    const worker = workers.get(connection) ?? 0;
    const hosts = byWorker.get(worker) ?? [];
    byWorker.set(worker, [...hosts, addresses.indexOf(String(answer.headers[HOST_HEADER]))]);
  }
  await after(SETTLE_MS);
  connections.close();
  return {
    connections: [...workers].map(([connection, worker]) => ({ connection, worker })),
    by_worker: Object.fromEntries(byWorker),
    host_index: addresses,
  };
}

/** How long a client waits for its host to say who it is. */
const GREETING_MS = 1000;

async function act({ actions = [] }: CaseToRecord, { ip, port }: Place) {
  const clients = new Map<number, net.Socket>();
  const seen: { readonly open: number; readonly host: string | null }[] = [];
  for (const { open, close } of actions) {
    if (close !== undefined) {
      clients.get(close)?.end();
      await after(30);
    }
    if (open === undefined) continue;
    const socket = net.connect(port, ip);
    socket.on('error', () => undefined);
    clients.set(open, socket);
    const greeting = once(socket, 'data').then(([data]) => String(data).trim());
    const closed = once(socket, 'close').then(() => null);
    const late = after(GREETING_MS, null);
    seen.push({ open, host: await Promise.race([greeting, closed, late]) });
  }
  return seen;
}
