import { expect, it } from 'vitest';
import type { Cell } from '../../src/analysis/sweep/cell.js';
import { type CellRunner, runCells } from '../../src/cli/cell-pool.js';

const cellOf = (seed: string): Cell => ({ changes: [], seed });

it.each([0, 1, 2, 5])('a cell that fails as another ends is told: %i turns later', async (turns) => {
  const runner: CellRunner = {
    wants: 2,
    run: async ({ seed }) => {
      if (seed !== '1') return { kind: 'problem', problem: '' };
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      throw new Error('of cell 1');
    },
    close: () => Promise.resolve(),
  };
  const cells = ['0', '1', '2', '3'].map(cellOf).values();
  await expect(
    runCells(
      cells,
      runner,
      () => undefined,
      () => false,
    ),
  ).rejects.toThrow('of cell 1');
});
