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
    const givenUp: readonly string[] = stdout.match(/(?<=^\[aborted optimizing .*JSFunction )\S+/gm) ?? [];
    // Once is chance: a layout that changed on one thread while another compiled.
    expect(givenUp.filter((name, index) => givenUp.indexOf(name) !== index)).toEqual([]);
  },
);

const LOOK_UPS = `
  const { buildRing, ringHost, weightedHosts } = await import('./dist/policies/index.js');
  const ring = buildRing(weightedHosts(['10.0.0.1:80', '10.0.0.2:80'], [1, 1]));
  const hash = { hi: 0, lo: 0 };
  function lookUp(times) {
    for (let i = 0; i < times; i++) {
      hash.hi = Math.imul(i, 0x9e3779b1) >>> 0;
      hash.lo = i;
      ringHost(ring, hash);
    }
  }
  lookUp(1_000_000);
  console.log('warm');
  lookUp(10_000_000);
`;

/** One object {hi, lo} with other things than numbers, anywhere, and each number of every other is boxed: 160 MB of garbage. */
it('looks up without garbage', { timeout: 60_000 }, () => {
  const { status, stdout } = spawnSync(process.execPath, ['--trace-gc', '--input-type=module', '-e', LOOK_UPS], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const [before, after] = stdout.split('warm\n');
  expect(before).toContain('Scavenge');
  // One or two come of code that is still being optimised.
  expect(after?.match(/Scavenge/g)?.length ?? 0).toBeLessThan(5);
});
