/**
 * `npm run bench`: all benchmarks, after a build if need be. `npm run bench -- PART …` runs some of them, and what begins with
 * `--` is passed on to each: `--quick` is every row once, in a minute, `--json` one object for a machine. `--against REF`
 * measures this tree beside another state of the sources instead.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './files.mjs';
import { prepare } from './prepare.mjs';

const PARTS = ['rows', 'quality', 'subsets', 'modules', 'shapes', 'curves'];
/** In a minute. */
const QUICK = ['rows', 'quality'];

const args = process.argv.slice(2);
const reference = args.includes('--against') ? args.splice(args.indexOf('--against'), 2)[1] : undefined;
const options = args.filter((argument) => argument.startsWith('--'));
const asked = args.filter((argument) => !argument.startsWith('--'));
// The rows of rings alone.
const rings = asked.indexOf('ring');
if (rings >= 0) {
  asked[rings] = 'rows';
  options.push('--only=ring');
}
const unknown = asked.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose of ${PARTS.join(', ')}, ring`);
  process.exit(2);
}
const isJson = options.includes('--json');
const everything = options.includes('--quick') ? QUICK : PARTS;
const parts = reference !== undefined ? ['against'] : asked.length > 0 ? asked : everything;

prepare();
// Types are checked by `npm run check`.
const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'bench/tsconfig.json', '--noCheck'];
if (spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' }).status !== 0) process.exit(1);

const results = {};
let failed = false;
for (const part of parts) {
  const script = ['--expose-gc', `dist-bench/bench/${part}.bench.js`, ...(reference === undefined ? [] : [reference])];
  const { status, stdout } = spawnSync(process.execPath, [...script, ...options], {
    cwd: root,
    stdio: ['ignore', isJson ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  if (isJson) results[part] = JSON.parse(stdout || 'null');
  failed ||= status !== 0;
}
if (isJson) console.log(JSON.stringify(results));
process.exitCode = failed ? 1 : 0;
