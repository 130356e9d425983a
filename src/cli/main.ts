import { availableParallelism, freemem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { ExitCode, type Io } from './session.js';
import { runCli } from './run-cli.js';
import { watchFile } from './input/watch-file.js';

/** Ctrl-C, and what containers and services are ended with. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const listeners = new Set<() => void>();

let interrupts = 0;

function interrupted(): void {
  interrupts += 1;
  if (interrupts > 1) process.exit(ExitCode.interrupted);
  for (const listener of listeners) listener();
}

/** Of the memory that is free, so that the process has room for what is not in its heap. */
const HEAP_PART = 0.75;
const HEAP = '--max-old-space-size=';

/** A terminal interrupts both processes; what ends the first alone has to be handed on. */
async function restart(): Promise<ExitCode> {
  const { spawn } = await import('node:child_process');
  const heap = `${HEAP}${Math.floor((HEAP_PART * freemem()) / 2 ** 20)}`;
  const again = spawn(process.execPath, [...process.execArgv, heap, ...process.argv.slice(1)], { stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => again.kill());
  const codeOf = (code: unknown): ExitCode =>
    Object.values(ExitCode).find((one) => one === code) ?? ExitCode.interrupted;
  return new Promise((resolve) => void again.on('exit', (code) => resolve(codeOf(code))));
}

const io: Io = {
  // Node opens it on first access, and few commands read it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  monotonicMs: () => performance.now(),
  unixMs: () => Date.now(),
  get threads() {
    return availableParallelism();
  },
  get memory() {
    const ofProcess = getHeapStatistics().heap_size_limit;
    const isRestarted = process.execArgv.some((option) => option.startsWith(HEAP));
    return { ofProcess, ofMachine: Math.max(ofProcess, HEAP_PART * freemem()), ...(!isRestarted && { restart }) };
  },
  watchFile,
  // Without a handler the signal ends the process at once, however busy it is.
  onInterrupt: (listener) => {
    if (listeners.size === 0) for (const signal of SIGNALS) process.on(signal, interrupted);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) for (const signal of SIGNALS) process.off(signal, interrupted);
    };
  },
};

// For a command that never resolves although nothing is left to do.
process.exitCode = ExitCode.defect;
// The bundle is CommonJS, without top-level await.
void runCli(process.argv.slice(2), io).then((code) => {
  process.exitCode = code;
});
