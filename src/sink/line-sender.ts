/** Takes lines to a receiver and never waits for it: what it cannot take is dropped and counted. */
export interface LineSender {
  /** For people: `udp 127.0.0.1:8125`. */
  readonly target: string;
  /** Lines handed over to the network. */
  readonly sent: number;
  readonly dropped: number;
  /** Why lines were dropped, the first reason. */
  readonly problem: string | undefined;
  send(lines: readonly string[]): void;
  /** Gives what is still on its way a moment, then counts it as dropped. */
  close(): Promise<void>;
}

/** How long {@link LineSender.close} waits. */
export const CLOSE_TIMEOUT_MS = 2_000;
