import { readFileSync } from 'node:fs';
import { packageRoot } from './package-root.js';

/**
 * In the bundled command this stands for src/config/api/table-text.ts: the tables are read from the library's modules when a
 * message of theirs is asked for. As texts in its code the engine would read 400 kB with each start.
 */
export function tableOf(version: 'v2' | 'v3'): string {
  const module = readFileSync(new URL(`dist/config/api/generated/${version}-table.js`, packageRoot), 'utf8');
  // One template, as scripts/data-modules.mjs writes it.
  return module.slice(module.indexOf('`') + 1, module.lastIndexOf('`')).replace(/\\([\\`$])/g, '$1');
}
