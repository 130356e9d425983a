/** What `npm start` and `npm test` do before they do anything else: install, then build, what is missing or stale. */
import { join } from 'node:path';
import { isBuilt } from './build.mjs';
import { root } from './files.mjs';
import { install, run } from './install.mjs';

/** @throws PreparationError, after npm and the compiler have said on standard error what is wrong. */
export function prepare() {
  install();
  if (!isBuilt()) run(process.execPath, [join(root, 'scripts/build.mjs')], 'building');
}
