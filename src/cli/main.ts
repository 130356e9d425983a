import { setFlagsFromString } from 'node:v8';
import { ExitCode } from './exit-code.js';
import type { Io } from './io.js';
import { runCli } from './run-cli.js';

/**
 * Node 20 fully compiles what runs a few thousand times, which took a third of the time of a run of many clusters; a run of
 * a million requests is no slower where it waits longer. The number is the bytes of bytecode that a function runs through
 * before it is looked at, which is 67,584 otherwise. Later versions have a compiler in between and no such flag.
 */
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=600000');

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
