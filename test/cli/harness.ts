import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { ExitCode, Io } from '../../src/cli/session.js';
import { runCli } from '../../src/cli/run-cli.js';

/** A stream that keeps what is written; it can play a terminal, or a disk that fills up. */
export class Sink extends Writable {
  text = '';
  isTTY = false;
  columns = 80;
  /** After this many characters every write fails with `failure`. */
  room = Infinity;
  failure = Object.assign(new Error('no space'), { code: 'ENOSPC' });

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const text = chunk.toString('utf8');
    if (this.text.length + text.length > this.room) {
      done(this.failure);
      return;
    }
    this.text += text;
    done();
  }
}

export interface Call {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdout?: Sink;
  readonly stderr?: Sink;
  /** Interrupt as soon as a command listens, or later. */
  readonly interrupt?: boolean | Promise<unknown>;
  /** Default: no file ever changes. */
  readonly watchFile?: Io['watchFile'];
  /** Default: 1, so that nothing leaves this thread. */
  readonly threads?: number;
  /** Default: what is usual. */
  readonly memory?: NonNullable<Io['memory']>;
  /** Default: each look is a second later. */
  readonly monotonicMs?: () => number;
}

/** One call of lbsim inside this process. */
export async function lbsim(argv: readonly string[], options: CallOptions = {}): Promise<Call> {
  const { stdout = new Sink(), stderr = new Sink() } = options;
  const code = await runCli(argv, ioOf({ ...options, stdout, stderr }));
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** As `npm test` builds it first. */
const MAIN = join(import.meta.dirname, '../../dist/cli/main.js');

/**
 * The same in a process of its own, for what looks at the heap: to clean up that of all tests, dozens of times, takes twenty
 * times as long.
 */
export function lbsimApart(argv: readonly string[]): Omit<Call, 'code'> & { readonly code: number | null } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...argv], { encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

/** The surroundings of a call. */
export function ioOf(options: CallOptions): Io {
  const { stdin = '', env = {}, stdout = new Sink(), stderr = new Sink() } = options;
  let now = 0;
  return {
    stdin: chunks(stdin),
    stdout,
    stderr,
    env,
    monotonicMs: options.monotonicMs ?? (() => (now += 1000)),
    unixMs: () => 1_700_000_000_000,
    threads: options.threads ?? 1,
    ...(options.memory !== undefined && { memory: options.memory }),
    watchFile: options.watchFile ?? (() => () => undefined),
    onInterrupt: (listener) => {
      const { interrupt } = options;
      if (interrupt === true) setImmediate(listener);
      else if (interrupt !== undefined && interrupt !== false) void interrupt.then(listener);
      return () => undefined;
    },
  };
}

// eslint-disable-next-line @typescript-eslint/require-await -- standard input is read as an asynchronous iterable
async function* chunks(text: string): AsyncIterable<Buffer> {
  if (text !== '') yield Buffer.from(text);
}
