/**
 * `npm run build:site [-- FOLDER]`: the playground into site/. It works from any file server and from a disk: the engine,
 * the shipped scenarios and the styles are inside, and at run time nothing is loaded from anywhere else.
 */
import { relative, resolve } from 'node:path';
import { buildPage } from './build-page.mjs';
import { root } from './files.mjs';
import { installOrExit } from './install.mjs';

const folder = resolve(root, process.argv[2] ?? 'site');

installOrExit();
process.stdout.write(`${relative(root, folder)}/: ${await buildPage(folder)} compressed\n`);
