import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { failures, recordedFolders, runCommand } from '../conformance/shared.js';

/**
 * `npm run nodes`: what must not depend on the version of Node. On each supported one, which npm brings (package `node`), the
 * shipped scenarios run from dist/ and give what they give on the Node that this runs on, byte for byte, and the recorded
 * cases are replayed.
 */
const SUPPORTED = [20, 22, 24];

const root = fileURLToPath(new URL('../../', import.meta.url));
const command = join(root, 'dist/cli/main.js');
const scenarios = readdirSync(join(root, 'scenarios'))
  .filter((name) => name.endsWith('.yaml'))
  .sort();
const execute = promisify(execFile);
/** Runs of a scenario at one time. */
const AT_ONCE = 2;
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

/** What a scenario gives: its document, what it said, how it ended. */
async function outcome(node: string, scenario: string): Promise<string> {
  const args = [command, 'run', join(root, 'scenarios', scenario), '--json'];
  return new Promise((resolve) => {
    execFile(node, args, { cwd: root, maxBuffer: MAX_BYTES }, (error, stdout, stderr) => {
      resolve(`${error === null ? 0 : String(error.code)}\n${stderr}\n${stdout}`);
    });
  });
}

/** @returns the scenarios that give something else there. */
async function differing(node: string, here: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const there = await outcomes(node);
  return scenarios.filter((name) => there.get(name) !== here.get(name));
}

async function outcomes(node: string): Promise<ReadonlyMap<string, string>> {
  const results = new Map<string, string>();
  const waiting = [...scenarios];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      results.set(name, await outcome(node, name));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/** One version; true where all is as it should be. */
async function check(major: number, here: ReadonlyMap<string, string>): Promise<boolean> {
  const node = await binaryOf(major);
  const { stdout } = await execute(node, ['-p', 'process.versions.node']);
  const others = await differing(node, here);
  let cases = 0;
  const failed: string[] = [];
  for (const folder of recordedFolders()) {
    const { report } = await runCommand(folder, node);
    cases += report.cases.length;
    failed.push(...failures(report).map((text) => `${basename(folder)} ${text}`));
  }
  const equal = `${scenarios.length - others.length} of ${scenarios.length} scenarios give what they give on ${process.versions.node}`;
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
