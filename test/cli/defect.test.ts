import { expect, it, vi } from 'vitest';
import { lbsim } from './harness.js';

const failing = async (): Promise<void> => {
  await Promise.resolve();
  throw new Error('an invariant does not hold');
};

vi.mock('../../src/cli/commands/init.js', () => ({
  init: () => failing(),
}));

it('a defect of ours says so, exit code 3, and shows its stack only when asked', async () => {
  const { code, stdout, stderr } = await lbsim(['init', 'x.yaml']);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain('lbsim: Error: an invariant does not hold\nThis is a defect of lbsim, not of your file.');
  expect(stderr).not.toMatch(/^\s+at /m);
  const debug = await lbsim(['init', 'x.yaml'], { env: { LBSIM_DEBUG: '1' } });
  expect(debug.stderr).toMatch(/^\s+at /m);
});
