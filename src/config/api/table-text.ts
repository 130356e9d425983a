import { TABLE as V2_TABLE } from './generated/v2-table.js';
import { TABLE as V3_TABLE } from './generated/v3-table.js';

/** The tables as text. The playground has another module in the place of this one: src/site/engine/tables-on-demand.ts. */
export const tableOf = (version: 'v2' | 'v3'): string => (version === 'v2' ? V2_TABLE : V3_TABLE);
