/**
 * `npm test [-- VITEST ARGUMENTS]`: installs and builds if need be, runs the tests, and ends with one line that says how
 * many passed, failed and were skipped, below those that failed: file, test, the first line of the error. The exit code agrees with it.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './files.mjs';
import { PreparationError } from './install.mjs';
import { prepare } from './prepare.mjs';

function close({ passed, failed, skipped, failures }, exitCode) {
  if (failed > 0) process.stdout.write(`\nfailed:\n${failures.map((line) => `  ${line}\n`).join('')}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
  process.exitCode = exitCode;
}

/** Where no test tells what failed. */
function failure(reason) {
  return { passed: 0, failed: 1, skipped: 0, failures: [reason] };
}

/** What the tests reported; where they died before the end, nothing is known to have passed. */
function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return failure('the tests ended before their last one');
  }
}

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'lbsim-test-'));
  const countsFile = join(folder, 'counts.json');
  // A recorded result that is missing is a failure, not a new truth.
  const args = [
    'run',
    '--update=none',
    '--reporter=default',
    '--reporter=./test/support/count-reporter.ts',
    ...process.argv.slice(2),
  ];
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LBSIM_TEST_COUNTS: countsFile },
  });
  // Ctrl-C reaches the whole group; a signal sent to this process alone is handed on.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    const counts = readCounts(countsFile);
    rmSync(folder, { recursive: true, force: true });
    // Vitest also fails where no test did, for example when none was found.
    if (code !== 0 && counts.failed === 0) {
      counts.failed = 1;
      counts.failures = [`vitest ended with ${signal ?? code}, though no test failed`];
    }
    close(counts, signal === 'SIGINT' || code === 130 ? 130 : counts.failed === 0 ? 0 : 1);
  });
}

try {
  prepare();
  runTests();
} catch (error) {
  if (!(error instanceof PreparationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  close(failure(error.message), error.exitCode);
}
