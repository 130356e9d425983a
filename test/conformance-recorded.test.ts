import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runConformance } from './conformance/runner.js';
import { failures, hasSharedCases, runCommand, sharedFolder } from './conformance/shared.js';

/** Cases found in each folder of those beside the checkout: none may get lost. */
const FOLDERS = {
  'conformance/policies': 211,
  'conformance/hostset': 713,
  'conformance/validation': 534,
  'conformance/proxy': 363,
  'recorded/era': 1047,
  'recorded/late': 331,
  'recorded/open': 13,
  'recorded/timeline-mix': 105,
  'recorded/today/birth': 18,
  'recorded/today/closing': 18,
  'recorded/today/cluster-hash': 10,
  'recorded/today/hedging': 16,
  'recorded/today/mirror': 14,
  'recorded/today/preconnect': 12,
  'recorded/today/route-hash': 16,
  'recorded/today/sticky-canary': 15,
  'recorded/today/tcp': 14,
  'recorded/today/workers': 16,
  'recorded/v3': 220,
  'recorded/v3-only': 93,
};

if (!hasSharedCases) console.log(`notice: ${sharedFolder} is not there, so only our own cases are replayed`);

describe.skipIf(!hasSharedCases)('recorded behaviour of the proxy', () => {
  it.each(Object.entries(FOLDERS))('%s: nothing fails and no case is lost', async (folder, count) => {
    const report = await runConformance(join(sharedFolder, folder));
    expect(failures(report)).toEqual([]);
    expect(report.cases).toHaveLength(count);
    expect(report).toMatchObject({ failed: 0, skipped: 0 });
  });
});

describe('the command', () => {
  it('prints one document and ends with 0 where nothing fails', async () => {
    const { report, exitCode } = await runCommand(fileURLToPath(new URL('conformance/own', import.meta.url)));
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ passed: 62, failed: 0, skipped: 0 });
    expect(Object.keys(report.cases[0] ?? {})).toEqual(['file', 'name', 'version', 'result', 'compared']);
  });

  it('ends with 1 where a file cannot be read as cases', async () => {
    const { report, exitCode } = await runCommand('package.json');
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
  });
});
