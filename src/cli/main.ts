import { ExitCode } from './exit-code.js';
import type { Io } from './io.js';
import { runCli } from './run-cli.js';

const listeners = new Set<() => void>();

const io: Io = {
  // Node opens it when it is first asked for, and few commands read it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  monotonicMs: () => performance.now(),
  unixMs: () => Date.now(),
  onInterrupt: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

let interrupts = 0;
process.on('SIGINT', () => {
  interrupts += 1;
  // Nobody who could stop in good order, or the user insists.
  if (listeners.size === 0 || interrupts > 1) process.exit(ExitCode.interrupted);
  for (const listener of listeners) listener();
});

// Of a command that never comes to an end, though nothing is left to do.
process.exitCode = ExitCode.defect;
// The bundle is CommonJS, where nothing can be awaited here.
void runCli(process.argv.slice(2), io).then((code) => {
  process.exitCode = code;
});
