/**
 * The bytecode of the bundled command, for the version of Node that builds it: loads the bundle, has it do what it is
 * mostly asked for, and keeps what V8 made of the functions that were called.
 */
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { CompiledModules } from '../src/cli/compiled-modules.js';
import { root } from './files.mjs';

const shipped = (name) => join(root, 'scenarios', `${name}.yaml`);

// V8 forgets functions that were not called for long: what matters most comes last.
const CALLS = [
  ['ring', shipped('tiny-ring')],
  ['validate', shipped('showcase')],
  ['predict', shipped('showcase')],
  ['predict', shipped('canary-any-endpoint'), '--json'],
  ['run', shipped('showcase')],
  ['run', shipped('power-of-two-choices'), '--json'],
];

const nowhere = () => new Writable({ write: (chunk, encoding, done) => done() });
const io = {
  stdin: process.stdin,
  stdout: nowhere(),
  stderr: nowhere(),
  env: {},
  monotonicMs: () => performance.now(),
  unixMs: () => Date.now(),
  onInterrupt: () => () => undefined,
};

const modules = new CompiledModules(join(root, 'dist/cli'));
const { runCli } = modules.load('./run-cli.js');
// How they end is for tests to judge.
for (const argv of CALLS) await runCli(argv, io);
modules.save();
