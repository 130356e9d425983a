import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { failures, recordedFolders, runCommand } from '../conformance/shared.js';

/**
 * `npm run nodes`: what must not depend on the version of Node. On each supported one, which npm brings (package `node`), the
 * shipped scenarios give what they give on the Node that this runs on, byte for byte, one of them as it is run from dist/, and
 * the recorded cases are replayed.
 */
const SUPPORTED = [20, 22, 24];

const root = fileURLToPath(new URL('../../', import.meta.url));
const command = join(root, 'dist/cli/main.js');
const execute = promisify(execFile);
const MAX_BYTES = 512 * 1024 * 1024;

/** Where the binary of a version is, after npm has fetched it. */
async function binaryOf(major: number): Promise<string> {
  const args = ['exec', '--yes', `--package=node@${major}`, '--', 'node', '-p', 'process.execPath'];
  // npm is a command script on Windows, which only a shell can start.
  const { stdout } = await execute('npm', args, { cwd: root, shell: process.platform === 'win32' });
  const binary = stdout.trim();
  const { stdout: version } = await execute(binary, ['--version']);
  if (!version.startsWith(`v${major}.`)) throw new Error(`npm brought Node ${version.trim()} for node@${major}`);
  return binary;
}

/** What the scenarios give there, by name. */
async function outcomes(node: string): Promise<ReadonlyMap<string, string>> {
  const run = async (...args: readonly string[]): Promise<string> =>
    (await execute(node, args, { cwd: root, maxBuffer: MAX_BYTES })).stdout;
  const all = await run('--import', './scripts/typescript-register.mjs', 'test/nodes/outcomes.ts');
  const built = await run(command, 'run', join(root, 'scenarios/showcase.yaml'), '--json');
  return new Map([...Object.entries(JSON.parse(all) as Readonly<Record<string, string>>), ['from dist/', built]]);
}

/** One version; true where all is as it should be. */
async function check(major: number, here: ReadonlyMap<string, string>): Promise<boolean> {
  const node = await binaryOf(major);
  const { stdout } = await execute(node, ['-p', 'process.versions.node']);
  const there = await outcomes(node);
  const others = [...here.keys()].filter((name) => there.get(name) !== here.get(name));
  let cases = 0;
  const failed: string[] = [];
  for (const folder of recordedFolders()) {
    const { report } = await runCommand(folder, node);
    cases += report.cases.length;
    failed.push(...failures(report).map((text) => `${basename(folder)} ${text}`));
  }
  const equal = `${here.size - others.length} of ${here.size} runs of scenarios give what they give on ${process.versions.node}`;
  console.log(`Node ${stdout.trim()}: ${equal}, ${cases - failed.length} of ${cases} recorded cases agree`);
  for (const name of others) console.log(`  another result: ${name}`);
  for (const text of failed) console.log(`  ${text}`);
  return others.length === 0 && failed.length === 0;
}

async function main(): Promise<void> {
  if (!existsSync(command)) throw new Error('dist/ is missing: npm run build');
  const here = await outcomes(process.execPath);
  const current = Number(process.versions.node.split('.')[0]);
  for (const major of SUPPORTED.filter((one) => one !== current)) {
    if (!(await check(major, here))) process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
