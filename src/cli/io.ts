import type { Writable } from 'node:stream';
import { errorCode, OutputError } from './errors.js';

export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The outside world of a command, besides the files it is given; tests pass their own. */
export interface Io {
  readonly stdin: AsyncIterable<unknown>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A monotonic clock in milliseconds, for progress and the duration of a run. */
  readonly monotonicMs: () => number;
  readonly unixMs: () => number;
  /** How many threads the machine runs at a time. */
  readonly threads: number;
  /** Calls `listener` when the user interrupts; the returned function removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Calls `listener` whenever a file has been saved; the returned function ends that. */
  readonly watchFile: (file: string, listener: () => void) => () => void;
}

/** Buffer size in characters: small enough for memory, large enough for fast writing. */
const WRITTEN_AT_ONCE = 1 << 16;

/** Writes to a stream and notices when that fails, as on a full disk. After the first failure every further write fails the same way. */
export class Output {
  /** Its reader has left: further output is not needed. */
  isUnread = false;
  private failure: OutputError | undefined;

  /** @param readerMayLeave a pipe whose reader ends, as `head` after a few lines, is no failure. */
  constructor(
    readonly stream: OutputStream,
    private readonly target: string,
    private readonly readerMayLeave = false,
  ) {
    stream.on('error', (error: unknown) => {
      this.fail(error);
    });
  }

  /** Resolves once the stream has accepted the content, so that memory does not fill up with what is pending. */
  async write(content: string | Uint8Array): Promise<void> {
    if (this.isUnread) return;
    if (this.failure !== undefined) throw this.failure;
    const error = await new Promise<unknown>((resolve) => this.stream.write(content, resolve));
    const failure = error === null || error === undefined ? undefined : this.fail(error);
    if (failure !== undefined) throw failure;
  }

  /** Writes generated text piece by piece: in total it may exceed memory, or the length of a string. */
  async writeAll(pieces: Iterable<string>): Promise<void> {
    let waiting: string[] = [];
    let length = 0;
    for (const piece of pieces) {
      waiting.push(piece);
      length += piece.length;
      if (length < WRITTEN_AT_ONCE) continue;
      await this.write(waiting.join(''));
      if (this.isUnread) return;
      waiting = [];
      length = 0;
    }
    if (length > 0) await this.write(waiting.join(''));
  }

  /** @returns undefined if only the reader has left. */
  private fail(error: unknown): OutputError | undefined {
    if (this.readerMayLeave && errorCode(error) === 'EPIPE') this.isUnread = true;
    if (this.isUnread) return undefined;
    return (this.failure ??= new OutputError(this.target, error));
  }

  /** Closes a file; the last write may fail only here. */
  async end(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    await new Promise<void>((resolve, reject) => {
      this.stream.once('error', () => {
        reject(this.failure ?? new OutputError(this.target, 'unknown error'));
      });
      this.stream.once('close', resolve);
      this.stream.end();
    });
  }
}
