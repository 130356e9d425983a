import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, SMALL } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const right = folder.file('right.yaml', SMALL);
const wrong = folder.file('wrong.yaml', SMALL.replace('10.0.0.2:80', '10.0.0.299:80'));

interface Verdict {
  valid: boolean;
  problems: { file: string; line: number; column: number; message: string }[];
}

describe('validate', () => {
  it('has nothing to say about what is right', async () => {
    expect(await lbsim(['validate', right])).toEqual({ code: 0, stdout: '1 file: valid.\n', stderr: '' });
    expect(JSON.parse((await lbsim(['validate', right, '--json'])).stdout)).toEqual({ valid: true, problems: [] });
  });

  it('shows each problem with its line', async () => {
    const { code, stdout, stderr } = await lbsim(['validate', right, wrong]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toContain(`${wrong}:4:`);
    expect(stdout).toMatch(/^ {4}4 \| endpoints: .*10\.0\.0\.299:80.*\n {6}\| +\^+$/m);
    expect(stdout).toMatch(/1 error\. 1 of 2 files is not valid\.\n$/);
  });

  it('checks all files, also where one cannot be read', async () => {
    const missing = join(folder.path, 'missing.yaml');
    const { code, stdout } = await lbsim(['validate', missing, wrong, '--json']);
    expect(code).toBe(2);
    const { valid, problems } = JSON.parse(stdout) as Verdict;
    expect(valid).toBe(false);
    expect(problems.map((problem) => problem.file)).toEqual([missing, wrong]);
    expect(problems[1]?.line).toBe(4);
  });
});
