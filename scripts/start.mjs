/**
 * `npm start [-- ARGUMENTS]`: installs and builds if need be, then is the lbsim command. Without arguments it runs the
 * showcase. The command runs in this very process: exit codes, signals and pipes are its own.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './files.mjs';
import { PreparationError } from './install.mjs';
import { prepare } from './prepare.mjs';

try {
  prepare();
} catch (error) {
  if (!(error instanceof PreparationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode);
}

const given = process.argv.slice(2);
const main = join(root, 'dist/cli/main.js');
process.argv = [
  process.execPath,
  main,
  ...(given.length === 0 ? ['run', join(root, 'scenarios/showcase.yaml')] : given),
];
// npm starts scripts in the project's folder; file names are meant from where the user stands.
if (process.env.INIT_CWD !== undefined) process.chdir(process.env.INIT_CWD);
await import(pathToFileURL(main).href);
