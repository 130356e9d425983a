/**
 * Installs what is missing or stale, for the scripts that need it. Node's own modules only, since nothing may be installed
 * yet. All output goes to standard error: standard output belongs to the program that is started afterwards.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.mjs';

/** Why the command or the tests cannot be started, and the exit code that says so. */
export class PreparationError extends Error {
  constructor(message, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs to the end with its standard output on our standard error. */
export function run(command, args, what) {
  process.stderr.write(`${what} …\n`);
  // npm is a command script on Windows, which only a shell can start.
  const shell = process.platform === 'win32';
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell });
  if (status === 0) return;
  const reason = error === undefined ? '' : `: ${error.message}`;
  throw new PreparationError(`${what} failed${reason}`, signal === 'SIGINT' ? 130 : 2);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

/**
 * Whether node_modules holds what package-lock.json asks for. npm keeps a list of what it has installed beside it;
 * comparing contents finds a changed lockfile, an interrupted installation and another package manager's leavings alike,
 * while a time stamp would be fooled by a checkout.
 */
export function isInstalled() {
  let installed;
  try {
    installed = readJson('node_modules/.package-lock.json').packages;
  } catch {
    return false;
  }
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    // An optional package may be for another platform.
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true || wanted.peer === true;
    return found.version === wanted.version && found.integrity === wanted.integrity && existsSync(join(root, path));
  });
}

/** @throws PreparationError, after npm has said on standard error what is wrong. */
export function install() {
  const wanted = readJson('package.json').engines.node.replace('>=', '').split('.').map(Number);
  const actual = process.versions.node.split('.').map(Number);
  if (actual[0] < wanted[0] || (actual[0] === wanted[0] && actual[1] < wanted[1])) {
    throw new PreparationError(`lbsim needs Node.js ${wanted.join('.')} or later; this is ${process.versions.node}`);
  }
  if (isInstalled()) return;
  // npm tells the scripts it starts which npm it is; started by hand, the one on the path.
  const npm = process.env.npm_execpath;
  // Development tools are needed for the build, whatever NODE_ENV says; and so they are for `npm pack --dry-run`.
  const args = ['ci', '--include=dev', '--dry-run=false', '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm?.endsWith('npm-cli.js')) run(process.execPath, [npm, ...args], 'installing dependencies');
  else run('npm', args, 'installing dependencies');
}

/** The same for a script that is a program: it ends here, with a sentence, where that fails. */
export function installOrExit() {
  try {
    install();
  } catch (error) {
    if (!(error instanceof PreparationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
}
