import { Agent } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { PlayedClient } from '../analysis/verify/play-plan.js';
import { ipOf } from '../core/ip.js';
import { entryOf } from '../core/values.js';
import { type HeldFor, holdTcp, type ProxyAnswer, send, timedOut } from './both-sides.js';
import { ANSWER_LIMIT_MS } from './proxy-process.js';

/** Of a client that is not known, for each worker: its requests come over any of so many connections, or more. */
const ANYBODY = 16;

interface Sender {
  readonly session: ClientHttp2Session;
  /** By name, as the proxy wrote them, and until when (by the clock of the process) they are kept. */
  readonly cookies: Map<string, { readonly text: string; readonly untilMs: number }>;
}

/** Those who send: clients over a connection each, from an address and with cookies of their own; others over any. */
export class Senders {
  private readonly clients = new Map<string, Sender>();
  /** Loopback addresses of those that clients have. */
  private readonly ips = new Map<string, string>();
  private readonly anybody: readonly Agent[];

  /** @param url of the proxy. @param hasNet all of 127.0.0.0/8 is this machine. */
  constructor(
    private readonly url: string,
    workers: number,
    private readonly hasNet: boolean,
  ) {
    // One worker has all connections: which one a request takes is the same.
    const count = workers === 1 ? 1 : workers * ANYBODY;
    this.anybody = Array.from({ length: count }, () => new Agent({ keepAlive: true }));
  }

  /** @returns the answer, and the cookies that went with the request. */
  async send(
    headers: Readonly<Record<string, string>>,
    client?: PlayedClient,
  ): Promise<ProxyAnswer & { cookie: string }> {
    const { ':path': path = '/', ':authority': host, ...others } = headers;
    if (client === undefined) {
      const agent = this.anybody[Math.floor(Math.random() * this.anybody.length)];
      const answer = await send(`${this.url}${path}`, { ...others, ...(host !== undefined && { host }) }, { agent });
      return { ...answer, cookie: others['cookie'] ?? '' };
    }
    const { session, cookies } = entryOf(this.clients, client.name, () => this.open(client));
    const kept = [...cookies.values()].filter(({ untilMs }) => untilMs > performance.now()).map(({ text }) => text);
    const cookie = [others['cookie'] ?? [], kept].flat().join('; ');
    const own = { ...others, ':path': path, ...(cookie !== '' && { cookie }), ...(host && { ':authority': host }) };
    const answer = await sendOver(session, own);
    for (const made of client.keepsCookies ? (answer.headers['set-cookie'] ?? []) : []) {
      const [, seconds = Infinity] = /max-age=(\d+)/i.exec(made) ?? [];
      const untilMs = performance.now() + Number(seconds) * 1000;
      cookies.set(made.split('=')[0] ?? '', { text: made.split(';')[0] ?? '', untilMs });
    }
    return { ...answer, cookie };
  }

  stop(): void {
    for (const agent of this.anybody) agent.destroy();
    for (const { session } of this.clients.values()) session.destroy();
  }

  /** A connection of its own, over TCP. */
  hold(
    place: string,
    traffic: number,
    life: HeldFor,
    client?: PlayedClient,
  ): Promise<ProxyAnswer & { cookie: string }> {
    const from = client === undefined ? {} : this.from(client);
    return holdTcp(place, traffic, { ...life, ...from }).then((answer) => ({ ...answer, cookie: '' }));
  }

  /** Where its connections come from. */
  private from({ address }: PlayedClient) {
    const number = this.ips.size + 1;
    const localAddress = entryOf(this.ips, ipOf(address), () => `127.2.${number >> 8}.${number & 255}`);
    return this.hasNet ? { localAddress } : {};
  }

  private open(client: PlayedClient): Sender {
    const { hostname: host, port } = new URL(this.url);
    const socket = connect({ host, port: Number(port), ...this.from(client) });
    const session = connectHttp2(this.url, { createConnection: () => socket });
    // Requests on it say so themselves.
    session.on('error', () => undefined);
    return { session, cookies: new Map() };
  }
}

/** As {@link send}, over HTTP/2: requests of a client share its connection. */
const sendOver = (session: ClientHttp2Session, headers: Readonly<Record<string, string>>): Promise<ProxyAnswer> =>
  new Promise((resolve, reject) => {
    const stream = session.request(headers);
    stream.once('response', ({ ':status': status = 0, ...found }) => {
      const { localAddress: ip = '', localPort: port = 0 } = session.socket;
      stream.resume();
      stream.once('end', () => resolve({ status, headers: found, address: `${ip}:${port}` }));
    });
    stream.once('error', reject);
    // The connection has ended: nothing else says so.
    stream.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    stream.setTimeout(ANSWER_LIMIT_MS, () => stream.destroy(timedOut()));
  });
