import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConformanceReport } from './runner.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The recorded cases beside a checkout; a plain clone is without them. */
export const sharedFolder = join(root, '../shared');
export const hasSharedCases = existsSync(join(sharedFolder, 'conformance'));

/** Every folder of cases that is here: our own, and the recorded ones. */
export function recordedFolders(): readonly string[] {
  const shared = ['conformance', 'recorded/era', 'recorded/timeline-mix'].map((folder) => join(sharedFolder, folder));
  return [join(root, 'test/conformance/own'), ...(hasSharedCases ? shared : [])];
}

export interface CommandRun {
  readonly report: ConformanceReport;
  readonly exitCode: number;
}

/**
 * Runs `npm run conformance -- PATH --json` as a user would: by itself, where the hot loops run at their full speed.
 *
 * @param node the program that runs it.
 */
export function runCommand(path: string, node = process.execPath): Promise<CommandRun> {
  const args = ['--import', './scripts/typescript-register.mjs', 'test/conformance/main.ts', path, '--json'];
  return new Promise((resolve, reject) => {
    execFile(node, args, { cwd: root, maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code;
      if (typeof exitCode !== 'number' || stdout === '') reject(error ?? new Error(stderr));
      else resolve({ report: JSON.parse(stdout) as ConformanceReport, exitCode });
    });
  });
}

export function failures(report: ConformanceReport): readonly string[] {
  return report.cases
    .filter((one) => one.result === 'failed')
    .map((one) => `${one.file} ${one.name}: ${one.problem ?? ''}`);
}
