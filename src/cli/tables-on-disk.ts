import { readFileSync } from 'node:fs';

/**
 * In the bundled command this stands for src/config/api/table-text.ts: the tables lie beside it as text, and one is read when a
 * message of it is asked for. As texts in its code the engine would read 400 kB with each start.
 */
export const tableOf = (version: 'v2' | 'v3'): string =>
  readFileSync(new URL(`${version}-table.txt`, import.meta.url), 'utf8');
