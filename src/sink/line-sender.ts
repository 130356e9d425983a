/** What a line is part of: a flush, or one value of a histogram. */
export type LineKind = 'flush' | 'sample';

/** Takes lines to a receiver and never waits for it: what it cannot take is dropped and counted. */
export interface LineSender {
  /** For people: `udp 127.0.0.1:8125`. */
  readonly target: string;
  /** Lines handed over to the network. */
  readonly sent: number;
  readonly dropped: number;
  /** What went wrong, the first reason. */
  readonly problem: string | undefined;
  /** Finds out whether the receiver can be reached, as far as that can be known, within {@link OPEN_TIMEOUT_MS}. */
  open(): Promise<void>;
  send(lines: readonly string[], kind: LineKind): void;
  /** Gives what is still on its way a moment, then counts it as dropped. */
  close(): Promise<void>;
}

/** How long {@link LineSender.open} takes at most. */
export const OPEN_TIMEOUT_MS = 1_000;

/** How long {@link LineSender.close} waits. */
export const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Samples leave this part of the room to flushes: what a counter grew by is lost for good with its line, while one time
 * of many is hardly missed.
 */
const FOR_FLUSHES = 0.25;

/** How much may wait when a line of this kind comes. */
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

/** What the system said of a receiver, in words. */
export function receiverProblem(address: string, error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const reason = code === undefined ? undefined : REASONS[code];
  return reason === undefined ? `${address}: ${error.message}` : `${address} ${reason}`;
}

/** `127.0.0.1:8125`, `[::1]:8125` */
export function addressText(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
