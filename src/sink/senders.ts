import { errorCode, systemReason } from '../cli/session.js';
import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { withPort } from '../core/ip.js';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';

/** The kind of a line: part of a flush, or one value of a histogram. */
export type LineKind = 'flush' | 'sample';

/** Sends lines to a receiver and never waits for it: lines that it cannot take are dropped and counted. */
export abstract class LineSender {
  /** For people: `udp 127.0.0.1:8125`. */
  abstract readonly target: string;
  /** Lines handed over to the network. */
  sent = 0;
  dropped = 0;
  /** The first error. */
  problem: string | undefined;
  protected closed = false;

  /** Checks whether the receiver can be reached, as far as possible, within {@link OPEN_TIMEOUT_MS}. */
  abstract open(): Promise<void>;
  abstract send(lines: readonly string[], kind: LineKind): void;
  /** Waits a moment for pending lines, then counts them as dropped. */
  abstract close(): Promise<void>;

  protected drop(count: number, why: string): void {
    this.dropped += count;
    this.problem ??= why;
  }
}

const OPEN_TIMEOUT_MS = 1_000;

const CLOSE_TIMEOUT_MS = 2_000;

/** The part of the buffer left to flushes: their lost line loses an increment; one of many samples hardly matters. */
const FOR_FLUSHES = 0.25;

const roomFor = (kind: LineKind, room: number): number => (kind === 'flush' ? room : room * (1 - FOR_FLUSHES));

function receiverProblem(address: string, error: Error): string {
  const reason = systemReason(error, 'receiver');
  return reason === undefined ? `${address}: ${error.message}` : `${address} ${reason}`;
}

/** Waits until `start` calls back, no longer than {@link CLOSE_TIMEOUT_MS}. */
const atMostUntilClosed = (start: (done: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const timeout = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    start(() => {
      clearTimeout(timeout);
      resolve();
    });
  });

/**
 * Datagrams per millisecond, and at once. By default a socket buffers some 250 small datagrams; more are lost silently, and
 * a run is much faster than the time it simulates.
 */
const PER_MS = 10;
const BURST = 100;
const TICK_MS = 2;

/** Maximum number of waiting lines; more are dropped. Closing has the time to send that many. */
const MAX_WAITING = PER_MS * CLOSE_TIMEOUT_MS;

/**
 * One line per datagram, without a trailing newline, as the proxy sends them. The socket is connected, so that a missing
 * receiver on this machine is an error; elsewhere a datagram is lost silently.
 */
export class UdpSender extends LineSender {
  readonly target: string;
  private readonly socket: DatagramSocket;
  private readonly address: string;
  private connected = false;
  private waiting: string[] = [];
  /** How many at the start of `waiting` have been sent. */
  private taken = 0;
  /** Passed to the system, without a result so far. */
  private inFlight = 0;
  private tokens = BURST;
  private refilledMs: number = this.monotonicMs();
  private timer: NodeJS.Timeout | undefined;
  private whenIdle: (() => void) | undefined;

  constructor(
    host: string,
    port: number,
    private readonly monotonicMs: () => number,
  ) {
    super();
    this.address = withPort(host, port);
    this.target = `udp ${this.address}`;
    this.socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    this.socket.unref();
    // The answer to a datagram: there is no receiver.
    this.socket.on('error', (error) => this.fail(error, 1));
    this.socket.connect(port, host, (error?: Error) => {
      if (this.closed) return;
      this.connected = true;
      if (error !== undefined) this.problem ??= receiverProblem(this.address, error);
      this.drain();
    });
  }

  /** UDP has no connection to check. */
  open(): Promise<void> {
    return Promise.resolve();
  }

  send(lines: readonly string[], kind: LineKind): void {
    for (const line of lines) {
      if (this.closed) this.drop(1, 'closed');
      else if (this.waiting.length - this.taken >= roomFor(kind, MAX_WAITING)) {
        this.drop(1, 'faster than datagrams can be sent without loss');
      } else this.waiting.push(line);
    }
    this.drain();
  }

  async close(): Promise<void> {
    if (!this.isIdle) await atMostUntilClosed((done) => (this.whenIdle = done));
    // Errors of the last datagrams have arrived by then.
    await new Promise((resolve) => setImmediate(resolve));
    this.closed = true;
    clearTimeout(this.timer);
    const left = this.waiting.length - this.taken + this.inFlight;
    if (left > 0) this.drop(left, 'faster than datagrams can be sent without loss');
    this.socket.close();
  }

  private get isIdle(): boolean {
    return this.inFlight === 0 && this.taken === this.waiting.length;
  }

  private drain(): void {
    if (!this.connected || this.closed) return;
    const nowMs = this.monotonicMs();
    this.tokens = Math.min(BURST, this.tokens + (nowMs - this.refilledMs) * PER_MS);
    this.refilledMs = nowMs;
    while (this.tokens >= 1 && this.taken < this.waiting.length) {
      this.tokens--;
      this.sendOne(this.waiting[this.taken++] ?? '');
    }
    if (this.taken === this.waiting.length) {
      this.waiting = [];
      this.taken = 0;
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.drain();
    }, TICK_MS).unref();
  }

  private sendOne(line: string): void {
    this.inFlight++;
    this.socket.send(line, (error) => {
      if (this.closed) return;
      this.inFlight--;
      if (error === null) this.sent++;
      else {
        this.dropped++;
        // The system reports that the one before had no receiver, and does not send this one.
        this.fail(error, isRefusal(error) ? 1 : 0);
      }
      if (this.isIdle) this.whenIdle?.();
    });
  }

  /** @param lost number of datagrams counted as sent that did not arrive. */
  private fail(error: Error, lost: number): void {
    this.problem ??= isRefusal(error) ? `nothing listens on ${this.address}` : receiverProblem(this.address, error);
    const taken = isRefusal(error) ? Math.min(lost, this.sent) : 0;
    this.sent -= taken;
    this.dropped += taken;
  }
}

const isRefusal = (error: Error): boolean => errorCode(error) === 'ECONNREFUSED';

/** Bytes that wait for the receiver; beyond it lines are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
/** Between two attempts to connect. */
const RETRY_MS = 1_000;

export type TcpTarget = Readonly<{ address: string; port: number }>;

/**
 * Lines over one connection, each with its newline; the lines of one flush are one write. After a failed or broken
 * connection the cluster's next host is tried; lines in between are dropped.
 */
export class TcpSender extends LineSender {
  readonly target: string = `tcp cluster ${this.cluster}`;
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
  }

  /** Tries one host after the other until one takes the connection. */
  async open(): Promise<void> {
    const hosts = this.hosts();
    if (hosts.length === 0) this.problem ??= `cluster ${this.cluster} has no hosts`;
    const timeout = after(OPEN_TIMEOUT_MS, false, { ref: false });
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
    if (socket !== undefined) await atMostUntilClosed((done) => socket.once('close', done).end());
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
