import { connect, type Socket } from 'node:net';
import { withPort } from '../core/ip.js';
import {
  atMostUntilClosed,
  type LineKind,
  LineSender,
  OPEN_TIMEOUT_MS,
  receiverProblem,
  roomFor,
} from './line-sender.js';

/** Bytes that wait for the receiver; beyond it lines are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
/** Between two attempts to connect. */
const RETRY_MS = 1_000;

/** Where to connect to. */
export interface TcpTarget {
  readonly address: string;
  readonly port: number;
}

/**
 * Lines over one connection, each with its newline; the lines of one flush are one write. After a failed or broken
 * connection the cluster's next host is tried; lines in between are dropped.
 */
export class TcpSender extends LineSender {
  readonly target: string;
  private socket: Socket | undefined;
  private nextAttemptMs = 0;
  private attempts = 0;
  /** Lines written and not yet taken. */
  private pending = 0;

  /** @param hosts the cluster's current hosts; read at each attempt. */
  constructor(
    private readonly cluster: string,
    private readonly hosts: () => readonly TcpTarget[],
    private readonly monotonicMs: () => number,
  ) {
    super();
    this.target = `tcp cluster ${cluster}`;
  }

  /** Tries one host after the other until one takes the connection. */
  async open(): Promise<void> {
    const hosts = this.hosts();
    if (hosts.length === 0) this.problem ??= `cluster ${this.cluster} has no hosts`;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), OPEN_TIMEOUT_MS);
    });
    for (const host of hosts) {
      this.attempts++;
      const socket = this.connect(host);
      const connected = new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true)).once('close', () => resolve(false));
      });
      if (await Promise.race([connected, timeout])) {
        this.problem = undefined;
        break;
      }
      if (this.socket !== undefined) {
        this.problem ??= `${withPort(host.address, host.port)} does not answer`;
        break;
      }
    }
    clearTimeout(timer);
  }

  send(lines: readonly string[], kind: LineKind): void {
    if (lines.length === 0) return;
    const socket = this.connection();
    if (socket === undefined) {
      this.drop(lines.length, 'no connection');
      return;
    }
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    if (socket.writableLength + bytes.length > roomFor(kind, MAX_BUFFERED_BYTES)) {
      this.drop(lines.length, 'the receiver is too slow');
      return;
    }
    this.pending += lines.length;
    socket.write(bytes, (error) => {
      if (this.closed) return;
      this.pending -= lines.length;
      if (error === null || error === undefined) this.sent += lines.length;
      else this.drop(lines.length, error.message);
    });
  }

  async close(): Promise<void> {
    const { socket } = this;
    if (socket !== undefined) {
      await atMostUntilClosed((done) => socket.once('close', done).end());
    }
    this.closed = true;
    if (this.pending > 0) this.drop(this.pending, 'the receiver is too slow');
    socket?.destroy();
  }

  private connection(): Socket | undefined {
    if (this.socket !== undefined || this.monotonicMs() < this.nextAttemptMs) return this.socket;
    const hosts = this.hosts();
    const host = hosts[this.attempts++ % Math.max(1, hosts.length)];
    if (host === undefined) {
      this.problem ??= `cluster ${this.cluster} has no hosts`;
      return undefined;
    }
    return this.connect(host);
  }

  private connect({ address, port }: TcpTarget): Socket {
    const socket = connect({ host: address, port, noDelay: true });
    // A receiver has no reason to answer, but its end of the connection has to be read to be seen.
    socket.resume();
    socket.on('error', (error) => (this.problem ??= receiverProblem(withPort(address, port), error)));
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined;
      this.nextAttemptMs = this.monotonicMs() + RETRY_MS;
    });
    this.socket = socket;
    return socket;
  }
}
