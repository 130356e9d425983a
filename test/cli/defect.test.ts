import { afterAll, expect, it } from 'vitest';
import { Folder, SMALL } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

it('a defect of ours says so, exit code 3, and shows its stack only when asked', async () => {
  const call = ['run', folder.file('small.yaml', SMALL)];
  const monotonicMs = (): number => {
    throw new Error('an invariant does not hold');
  };
  const { code, stdout, stderr } = await lbsim(call, { monotonicMs });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain('lbsim: Error: an invariant does not hold\nThis is a defect of lbsim, not of your file.');
  expect(stderr).not.toMatch(/^\s+at /m);
  const debug = await lbsim(call, { monotonicMs, env: { LBSIM_DEBUG: '1' } });
  expect(debug.stderr).toMatch(/^\s+at /m);
});
