/**
 * `npm run bench`: all benchmarks, after a build. `npm run bench -- PART …` runs some of them, and what begins with `--` is
 * passed on to each.
 */
import { spawnSync } from 'node:child_process';
import { root } from './files.mjs';

const PARTS = ['run', 'subsets', 'modules', 'ring', 'native', 'growth', 'shapes'];

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = asked.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose of ${PARTS.join(', ')}`);
  process.exit(2);
}
let failed = false;
for (const part of PARTS) {
  if (asked.length > 0 && !asked.includes(part)) continue;
  const args = ['--expose-gc', `dist-bench/bench/${part}.bench.js`, ...options];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
