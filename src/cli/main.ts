import { availableParallelism } from 'node:os';
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
