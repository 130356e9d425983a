import {
  Agent,
  type IncomingHttpHeaders,
  request as httpRequest,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import { connect, type TcpNetConnectOpts } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import type { Pause } from '../analysis/pause.js';
import * as sides from '../analysis/verify/own-decisions.js';
import { headersAt, type Traffic } from '../analysis/verify/situations.js';
import { ipOf, portOf } from '../core/ip.js';
import { groupBy } from '../core/values.js';
import { HOST_HEADER } from './answering-host.js';
import { hasLoopbackNet, loopbackFailure, type ProxyBinary } from './guarded-process.js';
import type { NameServer } from './name-server.js';
import {
  ANSWER_LIMIT_MS,
  bootstrapMessage,
  FLAGS_HEADER,
  ProxyProcess,
  TCP_HEADER,
  TRAFFIC_HEADER,
} from './proxy-process.js';

/** `address`: of the client's end of the connection. */
export type ProxyAnswer = Readonly<{ status: number; headers: IncomingHttpHeaders; address: string }>;

/** Sends a request to a proxy. No answer comes after {@link ANSWER_LIMIT_MS}: it fails with a `TimeoutError`. */
export const send = (url: string, headers: OutgoingHttpHeaders, from: RequestOptions): Promise<ProxyAnswer> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { ...from, headers, timeout: ANSWER_LIMIT_MS }, (response) => {
      const { localAddress: ip = '', localPort: port = 0 } = response.socket;
      const answer = { status: response.statusCode ?? 0, headers: response.headers, address: `${ip}:${port}` };
      response.resume();
      response.once('end', () => resolve(answer));
      response.once('error', reject);
    });
    request.once('error', reject);
    request.once('timeout', () => request.destroy(timedOut()));
    request.end();
  });

export const timedOut = (): Error => Object.assign(new Error('no answer'), { name: 'TimeoutError' });

/** How long a client holds a connection, and when the proxy closes it at the latest; 0: never. */
export type HeldFor = Readonly<Record<'lifetimeMs' | 'longestMs', number>>;

/**
 * Opens a connection over TCP, learns from a request on it which host took it, and ends it after this time; the other end
 * closes it then, or did before: then it has no answer.
 */
export const holdTcp = (
  place: string,
  number: number,
  { lifetimeMs, longestMs, ...from }: HeldFor & Pick<TcpNetConnectOpts, 'localAddress'>,
): Promise<ProxyAnswer> =>
  new Promise((resolve) => {
    const startMs = performance.now();
    const aged = (): number => performance.now() - startMs;
    const headers = { host: place, [TRAFFIC_HEADER]: number, [TCP_HEADER]: 1 };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    let [address, said, isOver] = ['', '', false];
    const socket = connect({ host: ipOf(place), port: Number(portOf(place)), ...from });
    const end = (): void => {
      isOver = true;
      socket.end();
    };
    socket.once('connect', () => {
      address = `${socket.localAddress ?? ''}:${socket.localPort ?? 0}`;
      socket.write(`GET / HTTP/1.1\r\n${lines.join('')}\r\n`);
    });
    // Whoever closes at once is asked all the same who it was.
    socket.once('data', (data) => {
      said = data.toString();
      setTimeout(end, Math.max(0, lifetimeMs - aged()));
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      const [, host] = new RegExp(`${HOST_HEADER}: (\\S+)`, 'i').exec(said) ?? [];
      const isWhole = isOver || (longestMs > 0 && aged() > longestMs - TIMER_MS);
      const answer =
        host !== undefined && isWhole
          ? { status: 200, headers: { [HOST_HEADER]: host } }
          : { status: 503, headers: { [FLAGS_HEADER]: NO_HOST_FLAG } };
      resolve({ ...answer, address });
    });
  });

const AT_ONCE = { lifetimeMs: 0, longestMs: 0 };
/** Timers of both sides may differ by so much. */
const TIMER_MS = 20;

export interface AskOptions {
  readonly binary: ProxyBinary;
  /** Of each traffic, in each stage. */
  readonly requests: number;
  /** So many clusters have requests at the same time; those of one cluster never meet. Default 1. */
  readonly atOnce?: number;
  readonly pause: Pause;
}

/** Has a real proxy, started for it, decide. @throws ProxyFails, NoLoopback */
export async function askProxy(question: sides.Question, options: AskOptions): Promise<sides.AskedProxy> {
  const { spec, clusters, stages, names = new Map() } = question;
  const { binary } = options;
  const assigned = sides.assignedByFile(clusters, stages);
  const traffic = stages[0]?.traffic ?? [];
  const server = names.size > 0 ? await (await import('./name-server.js')).startNameServer() : undefined;
  try {
    server?.replace(stages[0]?.answers ?? new Map());
    const bootstrap = bootstrapMessage(assigned.clusters, spec, traffic, server?.port);
    const process = await ProxyProcess.start(binary.file, bootstrap, spec.workers, assigned.first);
    try {
      const asked = await askStages(process, question, options, server);
      return { address: process.url.replace('http://', ''), stages: asked };
    } catch (error) {
      throw loopbackFailure(await process.failureBehind(error));
    } finally {
      await process.stop();
    }
  } finally {
    await server?.stop();
  }
}

async function askStages(
  process: ProxyProcess,
  { spec, stages, names = new Map() }: sides.Question,
  options: AskOptions,
  server: NameServer | undefined,
): Promise<readonly sides.Decisions[]> {
  const { requests, pause } = options;
  const decided: sides.Decisions[] = [];
  for (const [stage, one] of stages.entries()) {
    const { updates, answers, waitMs = 0 } = one;
    if (updates.length > 0) await process.assign(updates);
    if (server !== undefined && answers !== undefined) {
      server.replace(answers);
      await process.resolved(names, (name) => server.wasAsked(name));
    }
    if (waitMs > 0) await after(waitMs);
    const all = (stages[0]?.traffic ?? []).map((stream, number): Asked => ({ stream, number, hosts: [], sent: [] }));
    const asked = all.filter(({ stream: { cluster } }) => one.asked?.has(cluster) !== false);
    await ask(process, asked, spec.workers, { ...options, pause: (done) => pause((stage + done) / stages.length) });
    const [hosts, sent] = [all.map((each) => each.hosts), all.map((each) => each.sent)];
    decided.push({ hosts, sent, stats: await process.stats(), requests });
  }
  return decided;
}

/** Of one traffic, how each request was sent and who answered it. */
type Asked = Readonly<{ stream: Traffic; number: number; hosts: sides.Answerer[]; sent: sides.Sent[] }>;

/** Sends the traffic, each under its number, and notes who answered. */
async function ask(
  process: ProxyProcess,
  asked: readonly Asked[],
  workers: number,
  { requests, atOnce = 1, pause }: AskOptions,
): Promise<void> {
  const waiting = [...groupBy(asked, ({ stream: { cluster } }) => cluster).values()];
  const hasNet = await hasLoopbackNet();
  let done = 0;
  const askOne = async ({ stream, number, hosts, sent }: Asked): Promise<void> => {
    // One request after the other, in turns over connections: of clients, or as many as the proxy has workers.
    const senders = Array.from({ length: stream.clients > 1 ? stream.clients : workers }, (_, index) => ({
      agent: new Agent({ keepAlive: true, maxSockets: 1 }),
      ...(hasNet && stream.clients > 1 && { localAddress: `127.2.0.${index + 1}` }),
      /** By name, as the proxy wrote them. */
      cookies: new Map<string, string>(),
    }));
    try {
      for (let i = 0; i < requests; i++) {
        if (done++ % PAUSE_EVERY === 0) await pause(done / (requests * asked.length));
        const { cookies = new Map<string, string>(), ...from } = senders[i % senders.length] ?? {};
        const { ':path': path = '/', ':authority': host, ...headers } = headersOf(stream, number, i);
        const cookie = [headers['cookie'] ?? [], ...cookies.values()].flat().join('; ');
        const own = { ...headers, ...(cookie !== '' && { cookie }), ...(host !== undefined && { host }) };
        const answer =
          stream.spec.tcp === undefined
            ? await send(`${process.url}${path}`, own, from)
            : await holdTcp(process.tcpPlace(number), number, { ...from, ...AT_ONCE });
        hosts.push(answererOf(answer));
        const made = answer.headers['set-cookie'];
        sent.push({ cookie, address: answer.address, ...(made && { made }) });
        for (const text of made ?? []) cookies.set(text.split('=')[0] ?? '', text.split(';')[0] ?? '');
      }
    } finally {
      for (const { agent } of senders) agent.destroy();
    }
  };
  const lane = async (): Promise<void> => {
    try {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
        for (const one of group) await askOne(one);
    } finally {
      waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** The headers of a request, the `index`-th of the traffic of this number. */
export function headersOf(traffic: Traffic, number: number, index: number): Record<string, string> {
  return { ...realHeaders(headersAt(traffic, index)), [TRAFFIC_HEADER]: String(number) };
}

function answererOf({ headers }: ProxyAnswer): sides.Answerer {
  const { [HOST_HEADER]: place, [FLAGS_HEADER]: flags } = headers;
  if (typeof place === 'string') return place;
  return String(flags).split(',').includes(NO_HOST_FLAG) ? null : '';
}

const PAUSE_EVERY = 200;
/** The proxy found no host that it may choose. */
const NO_HOST_FLAG = 'UH';

/** Headers of scenarios have one spelling of the proxy's prefix, the real proxy another. */
export const realHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace(/^x-proxy-/, 'x-envoy-'), value]));
