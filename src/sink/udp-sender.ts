import { createSocket, type Socket } from 'node:dgram';
import { withPort } from '../core/ip.js';
import {
  atMostUntilClosed,
  CLOSE_TIMEOUT_MS,
  type LineKind,
  LineSender,
  receiverProblem,
  roomFor,
} from './line-sender.js';

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
  private readonly socket: Socket;
  private readonly address: string;
  private connected = false;
  private waiting: string[] = [];
  /** How many at the start of `waiting` have been sent. */
  private taken = 0;
  /** Passed to the system, without a result so far. */
  private inFlight = 0;
  private tokens = BURST;
  private refilledMs: number;
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
    this.refilledMs = monotonicMs();
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
    if (!this.isIdle) {
      await atMostUntilClosed((done) => (this.whenIdle = done));
    }
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

function isRefusal(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED';
}
