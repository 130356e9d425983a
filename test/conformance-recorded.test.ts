import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { replays } from './conformance/replays.js';
import { runCommand } from './conformance/shared.js';

replays({
  'conformance/policies': 211,
  'conformance/hostset': 713,
  'conformance/validation': 534,
  'conformance/proxy': 363,
  'recorded/era': 1047,
  'recorded/late': 331,
  'recorded/open': 13,
  'recorded/timeline-mix': 105,
  'recorded/v3': 220,
  'recorded/v3-only': 93,
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
