import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** This machine gives no more ports or open files. */
export class NoLoopback extends Error {
  override readonly name = 'NoLoopback';
}

/** What the system says of a socket that cannot be opened. */
const EXHAUSTED = new Set(['EMFILE', 'ENFILE', 'EADDRINUSE', 'EADDRNOTAVAIL', 'ENOBUFS']);

/** The failure, as {@link NoLoopback} where the system has nothing left. */
export function loopbackFailure(failure: unknown): unknown {
  if (!(failure instanceof Error) || !('code' in failure) || !EXHAUSTED.has(String(failure.code))) return failure;
  return new NoLoopback(
    `${failure.message}: each host needs a port of loopback and an open file, as does each connection; ` +
      'allow more (`ulimit -n 4096`), or end what holds the ports',
  );
}

/** Whether all of 127.0.0.0/8 is this machine, as on Linux; others have 127.0.0.1 alone. */
export async function hasLoopbackNet(): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(0, '127.1.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/**
 * Starts the command after its folder and waits for it. Beside it somebody reads from our end of a pipe: nothing ever comes,
 * but its end does, however we end, and then the whole group goes, and the folder.
 */
const SCRIPT = `
folder=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ read -r _ <&3; kill -9 "$child"; [ -z "$folder" ] || rm -rf -- "$folder"; kill -9 0; } >/dev/null 2>&1 &
guard=$!
wait "$child"; code=$?
kill -9 "$guard"
exit "$code"`;

/** What a shell says where a file is not there, or cannot be executed. */
export const NOT_FOUND = 127;
export const NOT_EXECUTABLE = 126;

/** What is written at the end is read within this time, even if a child keeps the pipe open. */
const LAST_WORDS_MS = 500;

export interface GuardedOptions {
  /** Its own: it is removed at the end. */
  readonly folder?: string;
  /** Characters that are kept of what it says, from the end. */
  readonly mostWords: number;
}

/** A process that leads a group: all of it ends by {@link end}, or with this process, however that ends. */
export class GuardedProcess {
  /** It has ended by itself, or was never begun. */
  readonly ended: Promise<void>;
  /** What it wrote to its standard output, and to its standard error. */
  readonly said = { stdout: '', stderr: '' };
  private readonly child: ChildProcess;
  private readonly closed: Promise<void>;

  constructor(
    file: string,
    args: readonly string[],
    private readonly options: GuardedOptions,
  ) {
    const { folder = '', mostWords } = options;
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'lbsim', folder, file, ...args], {
      ...(folder !== '' && { cwd: folder }),
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child = child;
    // It may end before us: then nobody reads.
    child.stdin.on('error', () => {});
    const keep = (stream: Readable, name: 'stdout' | 'stderr'): void => {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.said[name] = (this.said[name] + text).slice(-mostWords);
      });
    };
    keep(child.stdout, 'stdout');
    keep(child.stderr, 'stderr');
    this.closed = new Promise((resolve) => child.once('close', () => resolve()));
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => {
        this.said.stderr += error.message;
        resolve();
      });
      child.once('exit', () => resolve());
    });
  }

  get hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  /** null: it has not ended by itself. */
  get exitCode(): number | null {
    return this.child.exitCode;
  }

  /** Ends the group at once, and removes the folder. All that was said is known then. */
  async end(): Promise<void> {
    const { pid, stdin, stdout, stderr } = this.child;
    if (pid !== undefined) {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // There is nobody left.
      }
      await this.ended;
      await Promise.race([this.closed, after(LAST_WORDS_MS, undefined, { ref: false })]);
    }
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    if (this.options.folder !== undefined) await rm(this.options.folder, { recursive: true, force: true });
  }
}
