import { ExitCode } from './exit-code.js';
import type { Io } from './io.js';
import { runCli } from './run-cli.js';
import { watchFile } from './watch-file.js';

const listeners = new Set<() => void>();

let interrupts = 0;

function interrupted(): void {
  interrupts += 1;
  // The user insists.
  if (interrupts > 1) process.exit(ExitCode.interrupted);
  for (const listener of listeners) listener();
}

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
  watchFile,
  // Where nobody could stop in good order the signal does what it does to any process: it ends it, however busy it is.
  onInterrupt: (listener) => {
    if (listeners.size === 0) process.on('SIGINT', interrupted);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) process.off('SIGINT', interrupted);
    };
  },
};

// Of a command that never comes to an end, though nothing is left to do.
process.exitCode = ExitCode.defect;
// The bundle is CommonJS, where nothing can be awaited here.
void runCli(process.argv.slice(2), io).then((code) => {
  process.exitCode = code;
});
