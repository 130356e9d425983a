import { TABLE as V2_TABLE } from '../../config/api/generated/v2-table.js';

/** In the page's engine this stands for src/config/api/table-text.ts: the table of v3, a ninth of the page, is loaded on demand. */

/** Thrown wherever the table is needed and has not been brought. */
export class TableMissing extends Error {}

let tableOfV3: string | undefined;

export function bringTableOfV3(text: string): void {
  tableOfV3 = text;
}

/** @throws TableMissing */
export function tableOf(version: 'v2' | 'v3'): string {
  if (version === 'v2') return V2_TABLE;
  if (tableOfV3 === undefined) throw new TableMissing();
  return tableOfV3;
}
