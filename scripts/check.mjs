/**
 * `npm run check`: everything that can be said about the code without running it. All checks run, whatever the earlier
 * ones found, and a summary ends the output; exit code 1 if any of them failed. `--fix` puts format and simple lint right first.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { completeSources } from './sources.mjs';
import { root } from './files.mjs';
import { installOrExit } from './install.mjs';

const fix = process.argv.includes('--fix');
const checks = [
  ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
  ['types of the site', 'node_modules/typescript/bin/tsc', '-p', 'src/site'],
  [
    'lint',
    'node_modules/eslint/bin/eslint.js',
    '--config',
    'scripts/eslint.config.mjs',
    ...(fix ? ['--fix'] : []),
    '.',
  ],
  ['format', 'node_modules/prettier/bin/prettier.cjs', fix ? '--write' : '--check', '--log-level=warn', '.'],
  ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['import order', 'node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', 'test/layers.test.ts'],
];

installOrExit();

// Generated modules are part of the types.
completeSources();

const failed = checks
  .filter(([name, script, ...args]) => {
    process.stdout.write(`${name} …\n`);
    return spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' }).status !== 0;
  })
  .map(([name]) => name);

process.stdout.write(failed.length === 0 ? 'all checks passed\n' : `failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
