import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBuilt } from '../scripts/build.mjs';

const root = join(import.meta.dirname, '..');
const MOST_BYTES = 12_000_000;

describe('the npm package', () => {
  it.runIf(isBuilt())('takes no more than 12 MB where it is installed', () => {
    const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    const [{ files }] = JSON.parse(text) as [{ files: { path: string; size: number }[] }];
    const largest = files.toSorted((a, b) => b.size - a.size).slice(0, 5);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    expect(bytes, `the largest files: ${largest.map(({ path }) => path).join(', ')}`).toBeLessThanOrEqual(MOST_BYTES);
  });
});
