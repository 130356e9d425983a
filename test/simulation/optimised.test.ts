import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A field that begins as a small integer and becomes a double later makes V8 give up a function while it optimises it, again and
 * again: a request then costs four times the instructions.
 */
it.each(['million', 'million-lifecycle'])(
  'V8 gives up no function that it optimises: %s',
  { timeout: 120_000 },
  (name) => {
    const run = ['run', `bench/${name}.yaml`, '--json', '--set', 'workloads.0.stop=200s'];
    const { status, stdout } = spawnSync(process.execPath, ['--trace-opt', 'dist/cli/command.js', ...run], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    expect(status).toBe(0);
    expect(stdout.split('\n').filter((line) => line.startsWith('[completed optimizing')).length).toBeGreaterThan(50);
    expect(stdout.split('\n').filter((line) => line.startsWith('[aborted optimizing'))).toEqual([]);
  },
);
