import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { HostBehavior, ObservedRequest, TodayCase } from './case.js';

/** Has a real proxy go through a case, with hosts of its own on loopback, and notes what it did, in the form of `recorded/today`. */

/** A case without what was seen. */
export type CaseToRecord = Omit<TodayCase, 'observed'>;

/** Tells a client who answers. */
const HOST = 'x-host';
/** The number of a request. */
const SEQ = 'x-seq';

type Arrived = (seq: number, host: string) => void;

interface RunningHost {
  stop(): void;
}

async function startHost(address: string, own: HostBehavior, arrived: Arrived): Promise<RunningHost> {
  if (own.refuse === true) return { stop: () => undefined };
  const [ip = '', port = ''] = address.split(':');
  const sockets = new Set<net.Socket>();
  const server =
    own.protocol === 'tcp'
      ? tcpHost(address)
      : own.protocol === 'h2'
        ? h2Host(address, own, arrived)
        : h1Host(address, own, arrived);
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(Number(port), ip);
  await once(server, 'listening');
  return {
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const tcpHost = (address: string): net.Server =>
  net.createServer((socket) => {
    socket.write(`${address}\n`);
    socket.on('end', () => socket.end());
  });

function h1Host(
  address: string,
  { status = 200, delay_ms: delayMs = 0, ...own }: HostBehavior,
  arrived: Arrived,
): net.Server {
  const server = http.createServer((request, response) => {
    arrived(Number(request.headers[SEQ]), address);
    const { socket } = request;
    if (own.close_before === true) {
      socket.destroy();
      return;
    }
    setTimeout(() => {
      response.writeHead(status, {
        [HOST]: address,
        'content-length': '0',
        ...(own.connection_close === true && { connection: 'close' }),
      });
      response.end(() => {
        if (own.close_after === true) socket.end();
      });
    }, delayMs);
  });
  server.keepAliveTimeout = 0;
  return server;
}

function h2Host(
  address: string,
  { status = 200, delay_ms: delayMs = 0, ...own }: HostBehavior,
  arrived: Arrived,
): net.Server {
  const server = http2.createServer();
  const sockets = new Map<number, net.Socket>();
  server.on('connection', (socket: net.Socket) => sockets.set(socket.remotePort ?? 0, socket));
  server.on('session', (session) => session.on('error', () => undefined));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.resume();
    const { session } = stream;
    arrived(Number(headers[SEQ]), address);
    if (own.refused_stream === true) {
      stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    if (own.close_before === true) {
      // Without the GOAWAY that the session would send.
      sockets.get(stream.session?.socket.remotePort ?? 0)?.destroy();
      return;
    }
    setTimeout(() => {
      if (stream.destroyed) return;
      stream.respond({ ':status': status, [HOST]: address }, { endStream: true });
      // Only once the answer has left.
      if (own.goaway_after === true)
        stream.on('close', () => setTimeout(() => session?.destroyed === false && session.goaway(), 3));
    }, delayMs);
  });
  return server;
}

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
  const lines = (await proxy.page('/stats?filter=%5Ecluster%5C.c%5C.')).split('\n');
  const counted = lines
    .map((line) => line.split(': '))
    .filter(([name = '', value = '']) => /^\d+$/.test(value) && !UNKNOWN.test(name));
  return Object.fromEntries(counted.map(([name = '', value]) => [name, Number(value)]));
}

/** Time for the proxy to notice what its last answer brought, and for the end of all connections. */
const SETTLE_MS = 150;

/** @throws Error where the proxy does not start. */
export async function record(one: CaseToRecord, listener: Place): Promise<TodayCase> {
  const arrivals: [seq: number, host: string][] = [];
  const hosts = await Promise.all(
    Object.entries(one.hosts).map(([address, own]) =>
      startHost(address, own, (seq, host) => void arrivals.push([seq, host])),
    ),
  );
  const admin = { ip: listener.ip, port: listener.port + 1 };
  let proxy: RecordedProxy | undefined;
  try {
    proxy = await RecordedProxy.start(one.config, admin, one.concurrency ?? 1);
    const observed =
      one.driver === 'tcp' ? { actions: await act(one, listener) } : { requests: await ask(one, listener, arrivals) };
    await after(SETTLE_MS);
    return { ...one, observed: { ...observed, stats: await statsOf(proxy) } };
  } finally {
    await proxy?.stop();
    for (const host of hosts) host.stop();
  }
}

async function ask(
  { requests = [], driver }: CaseToRecord,
  { ip, port }: Place,
  arrivals: readonly (readonly [seq: number, host: string])[],
): Promise<readonly ObservedRequest[]> {
  const startMs = performance.now();
  const nowS = (): number => (performance.now() - startMs) / 1000;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const sendOne = async (index: number, through: http.Agent): Promise<ObservedRequest> => {
    const sentS = nowS();
    const headers = { [SEQ]: String(index), host: 'o' };
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get({ host: ip, port, path: '/', headers, agent: through }, resolve).on('error', reject);
    });
    answer.resume();
    await once(answer, 'end');
    const host = answer.headers[HOST];
    const attempts = Number(answer.headers['x-envoy-attempt-count'] ?? 1);
    return {
      ...(typeof host === 'string' && { host }),
      ...(answer.statusCode !== 200 && { status: answer.statusCode ?? 0 }),
      ...(attempts !== 1 && { attempts }),
      sent_s: sentS,
      latency_s: nowS() - sentS,
      upstream: arrivals.flatMap(([seq, at]) => (seq === index ? [[at, 0, 0, 0] as const] : [])),
    };
  };
  const found: ObservedRequest[] = [];
  if (driver === 'timed') {
    const sent = requests.map(async ({ at = 0 }, index) => {
      await after(at * 1000);
      return sendOne(index, new http.Agent());
    });
    found.push(...(await Promise.all(sent)));
  } else {
    for (const [index, { pause_s: pauseS = 0 }] of requests.entries()) {
      await after(pauseS * 1000);
      found.push(await sendOne(index, agent));
    }
  }
  agent.destroy();
  return found;
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
