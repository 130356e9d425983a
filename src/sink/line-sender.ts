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

/** How long {@link LineSender.open} takes at most. */
export const OPEN_TIMEOUT_MS = 1_000;

/** How long {@link LineSender.close} waits. */
export const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Samples leave this part of the buffer to flushes: an increment is lost with its line, while one of many samples hardly
 * matters.
 */
const FOR_FLUSHES = 0.25;

/** Buffer limit for a line of this kind. */
export function roomFor(kind: LineKind, room: number): number {
  return kind === 'flush' ? room : room * (1 - FOR_FLUSHES);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ETIMEDOUT: 'does not answer',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  EMSGSIZE: 'takes no datagrams of this size',
};

/** The system's error of a receiver in words. */
export function receiverProblem(address: string, error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const reason = code === undefined ? undefined : REASONS[code];
  return reason === undefined ? `${address}: ${error.message}` : `${address} ${reason}`;
}

/** Waits until `start` calls back, no longer than {@link CLOSE_TIMEOUT_MS}. */
export function atMostUntilClosed(start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    start(() => {
      clearTimeout(timeout);
      resolve();
    });
  });
}
