import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DRAWN } from './random-scenarios/drawn.js';
import { digestOf } from './random-scenarios/outcome.js';

/**
 * What many small random scenarios gave when they were recorded they still give: a net around all that the engine and its
 * predictions compute. `npm run record` rewrites it after an intended change.
 */

const SCENARIOS: Readonly<Record<keyof typeof DRAWN, number>> = { v2: 48, v3: 64, wide: 128, mix: 96, predicted: 96 };
/** Scenarios of a file. */
const BATCH = 16;

const folder = join(import.meta.dirname, 'recorded/random');
const batches = Object.entries(SCENARIOS).flatMap(([kind, count]) =>
  Array.from({ length: count / BATCH }, (_, index) => ({
    kind,
    from: 1 + index * BATCH,
    file: `${kind}-${index}.txt`,
  })),
);

describe('random scenarios give what they gave', () => {
  it.each(batches.map(({ file, kind, from }) => [file, kind, from] as const))('%s', async (file, kind, from) => {
    const lines: string[] = [];
    for (let seed = from; seed < from + BATCH; seed++) {
      lines.push(`${kind} ${String(seed)}: ${await digestOf(DRAWN[kind]?.(seed))}\n`);
    }
    const show = `npm run -s random -- ${kind} N`;
    const hint = `parts of what a scenario gives changed; \`${show}\` writes the scenario, \`${show} PART\` what that part is now`;
    await expect(lines.join(''), hint).toMatchFileSnapshot(join(folder, file));
  });

  it('and no others are recorded', () => {
    expect(batches.map(({ file }) => file)).toEqual(expect.arrayContaining(readdirSync(folder)));
  });
});
