import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lbsim } from './harness.js';

const shipped = (kind: string): string =>
  readFileSync(join(import.meta.dirname, `../../schema/${kind}.schema.json`), 'utf8');

describe('schema', () => {
  it('prints the schema of scenarios, or of what it is asked for', async () => {
    expect(await lbsim(['schema'])).toEqual({ code: 0, stdout: shipped('scenario'), stderr: '' });
    expect((await lbsim(['schema', 'cluster'])).stdout).toBe(shipped('cluster'));
    expect((await lbsim(['schema', 'bootstrap'])).stdout).toBe(shipped('bootstrap'));
  });

  it('refuses what it does not know', async () => {
    const { code, stderr } = await lbsim(['schema', 'route']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/scenario, cluster, bootstrap/);
  });
});
