import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { Worker } from 'node:worker_threads';
import { errorCode, UsageError } from '../session.js';

/** Both pipes are open before the command begins, so that one that ends at once is seen to. */
const SHELL = 'exec 3<"$1" 4>"$2"; exec sh -c "$0" <&3 >&4 3<&- 4>&-';

/** A thread that ends a command, with all that it has started, which works on one question for a whole interval. */
const WATCH = `const { pid, withinMs, turn } = require('node:worker_threads').workerData;
let before = 0;
setInterval(() => {
  if (turn[0] % 2 === 1 && turn[0] === before) {
    turn[1] = 1;
    process.kill(-pid, 'SIGKILL');
  }
  before = turn[0];
}, withinMs);`;

/** A program that is asked in lines and answers each with one. The caller waits: laws cannot. */
export class PipedCommand {
  private readonly input: number;
  private readonly output: number;
  private readonly watch: Worker;
  /** Odd while it works on a question; and whether it took too long. */
  private readonly turn = new Int32Array(new SharedArrayBuffer(8));
  private readonly chunk = Buffer.alloc(65_536);
  private readonly decoder = new StringDecoder('utf8');
  private read = '';
  /** Why it is not asked any more. */
  failure: UsageError | undefined;

  /** @param withinMs it has to answer; it may have up to twice as long. */
  constructor(
    private readonly command: string,
    private readonly withinMs: number,
  ) {
    const folder = mkdtempSync(join(tmpdir(), 'lbsim-laws-'));
    const [input, output] = [join(folder, 'input'), join(folder, 'output')];
    execFileSync('mkfifo', [input, output]);
    const child = spawn('sh', ['-c', SHELL, command, input, output], {
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    });
    child.unref();
    // Each waits for the other side.
    this.input = openSync(input, 'w');
    this.output = openSync(output, 'r');
    rmSync(folder, { recursive: true });
    this.watch = new Worker(WATCH, { eval: true, workerData: { pid: child.pid, withinMs, turn: this.turn } });
    this.watch.unref();
  }

  /** @throws UsageError where it ends, is late, or answers with something else than JSON. */
  ask(question: object): unknown {
    if (this.failure !== undefined) throw this.failure;
    const asked = JSON.stringify(question);
    Atomics.add(this.turn, 0, 1);
    const answer = this.exchange(`${asked}\n`);
    Atomics.add(this.turn, 0, 1);
    let what =
      Atomics.load(this.turn, 1) === 1 ? `did not answer within ${this.withinMs / 1000} s` : 'ended without an answer';
    try {
      if (answer !== undefined) return JSON.parse(answer);
    } catch {
      what = `answered ${answer ?? ''}, which is no JSON`;
    }
    this.failure = new UsageError(`--command: ${this.command} ${what}: ${asked}`);
    throw this.failure;
  }

  /** @returns undefined where it has ended. */
  private exchange(line: string): string | undefined {
    try {
      writeSync(this.input, line);
    } catch (error) {
      if (errorCode(error) === 'EPIPE') return undefined;
      throw error;
    }
    while (!this.read.includes('\n')) {
      const length = readSync(this.output, this.chunk);
      if (length === 0) return undefined;
      this.read += this.decoder.write(this.chunk.subarray(0, length));
    }
    const [answer, ...more] = this.read.split('\n');
    this.read = more.join('\n');
    return answer;
  }

  end(): void {
    for (const one of [this.input, this.output]) closeSync(one);
    void this.watch.terminate();
  }
}
