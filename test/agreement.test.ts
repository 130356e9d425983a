import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProxy } from '../src/real-proxy/guarded-process.js';
import { agreementWith } from './agreement/column.js';
import { agreementTable } from './agreement/table.js';
import { SMALL } from './cli/files.js';

it('counts what a binary decides alike', async () => {
  const binary = await findProxy(join(import.meta.dirname, 'real-proxy/stand-in.mjs'), {});
  const scenarios = [{ file: 'small.yaml', text: SMALL }];
  const found = await agreementWith(binary, { scenarios, mixes: 0, timelines: 0, routes: 0, seed: 1, requests: 100 });
  const all = { feature: 'shipped scenarios', tried: 1, decided: 1, counted: 1, refused: 0 };
  expect(found).toEqual({ version: '1.40.0', rows: [all] });
});

it('puts versions beside each other, and says what differs', () => {
  const row = { feature: 'RANDOM', tried: 9, decided: 9, counted: 9, refused: 0 };
  const columns = [
    { version: '1.36.4', rows: [{ ...row, decided: 8, counted: 6, refused: 2 }] },
    { version: '1.40.0', rows: [row, { ...row, feature: 'MAGLEV' }] },
  ];
  expect(agreementTable(columns).split('\n').slice(2)).toEqual([
    '| RANDOM | 8 of 9, 6 in statistics, 2 refused | 9 of 9 |',
    '| MAGLEV | – | 9 of 9 |',
  ]);
});
