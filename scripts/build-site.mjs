/**
 * `npm run build:site [-- FOLDER]`: the playground into site/. It works from any file server and from a disk: the engine,
 * the shipped scenarios and the styles are inside, and at run time nothing is loaded from anywhere else.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from './files.mjs';
import { PreparationError } from './install.mjs';
import { prepare } from './prepare.mjs';

const folder = resolve(root, process.argv[2] ?? 'site');

try {
  prepare();
} catch (error) {
  if (!(error instanceof PreparationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode);
}
mkdirSync(folder, { recursive: true });
for (const name of ['index.html', 'editor.js', 'examples.js', 'compare.js'])
  copyFileSync(join(root, 'dist/site', name), join(folder, name));
process.stdout.write(`${relative(process.cwd(), folder)}/index.html\n`);
