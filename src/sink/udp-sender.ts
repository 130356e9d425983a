import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import type { LineSender } from './line-sender.js';
import { CLOSE_TIMEOUT_MS } from './line-sender.js';

/** Datagrams handed to the system and not yet taken; beyond it lines are dropped. */
const MAX_PENDING = 4_096;

/**
 * One line per datagram, without a trailing newline, as the proxy sends them. The socket is connected, so that a
 * receiver that is not there shows as an error on this machine; elsewhere a datagram is lost in silence.
 */
export class UdpSender implements LineSender {
  sent = 0;
  dropped = 0;
  problem: string | undefined;
  private readonly socket: Socket;
  private connected = false;
  private closed = false;
  private waiting: string[] = [];
  private pending = 0;
  private whenIdle: (() => void) | undefined;

  constructor(
    private readonly address: string,
    private readonly port: number,
  ) {
    this.socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    this.socket.unref();
    this.socket.on('error', (error) => (this.problem ??= error.message));
    this.socket.connect(port, address, (error?: Error) => {
      if (this.closed) return;
      this.connected = error === undefined;
      const lines = this.waiting;
      this.waiting = [];
      this.pending -= lines.length;
      if (error === undefined) this.send(lines);
      else this.drop(lines.length, error.message);
    });
  }

  get target(): string {
    return `udp ${this.address}:${this.port}`;
  }

  send(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.closed) this.drop(1, 'closed');
      else if (this.pending >= MAX_PENDING) this.drop(1, 'the receiver is too slow');
      else {
        this.pending++;
        if (this.connected) this.sendOne(line);
        else this.waiting.push(line);
      }
    }
    this.settle();
  }

  async close(): Promise<void> {
    if (this.pending > 0) {
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, CLOSE_TIMEOUT_MS);
        this.whenIdle = () => {
          clearTimeout(timeout);
          resolve();
        };
      });
    }
    this.closed = true;
    if (this.pending > 0) this.drop(this.pending, 'the receiver is too slow');
    this.socket.close();
  }

  private sendOne(line: string): void {
    this.socket.send(line, (error) => {
      if (this.closed) return;
      this.pending--;
      if (error === null) this.sent++;
      else this.drop(1, error.message);
      this.settle();
    });
  }

  private settle(): void {
    if (this.pending === 0) this.whenIdle?.();
  }

  private drop(count: number, why: string): void {
    if (count === 0) return;
    this.dropped += count;
    this.problem ??= why;
  }
}
