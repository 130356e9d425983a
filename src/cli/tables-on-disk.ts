import { readFileSync } from 'node:fs';
import { packageRoot } from './package-root.js';

/**
 * In the bundled command this stands for src/config/api/table-text.ts: the tables are files beside it, read when a message of
 * theirs is asked for. As texts in its code the engine would read 400 kB with each start.
 */
export function tableOf(version: 'v2' | 'v3'): string {
  return readFileSync(new URL(`dist/cli/${version}-table.txt`, packageRoot), 'utf8');
}
