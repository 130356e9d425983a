import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DRAWN } from './random-scenarios/drawn.js';
import { digestOf, outcomeOf, predictedOf } from './random-scenarios/outcome.js';

/**
 * What many small random scenarios gave when they were recorded they still give: a net around all that the engine and its
 * predictions compute. `npm run record` rewrites it after an intended change.
 */

interface Numbers {
  /** So many are run and predicted … */
  readonly run: number;
  /** … and so many of the next ones only predicted, which takes little time. */
  readonly predicted: number;
}

const SCENARIOS: Readonly<Record<keyof typeof DRAWN, Numbers>> = {
  v2: { run: 48, predicted: 0 },
  v3: { run: 64, predicted: 0 },
  wide: { run: 128, predicted: 128 },
  mix: { run: 96, predicted: 0 },
  predicted: { run: 96, predicted: 256 },
  loaded: { run: 0, predicted: 512 },
};
/** Scenarios of a file. */
const BATCH = 16;

const folder = join(import.meta.dirname, 'recorded/random');
const batches = Object.entries(SCENARIOS).flatMap(([kind, { run, predicted }]) =>
  Array.from({ length: (run + predicted) / BATCH }, (_, index) => ({
    kind,
    isRun: index < run / BATCH,
    from: 1 + index * BATCH,
    file: `${kind}-${index}.txt`,
  })),
);

describe('random scenarios give what they gave', () => {
  it.each(batches.map((one) => [one.file, one] as const))('%s', async (file, { kind, isRun, from }) => {
    const lines: string[] = [];
    for (let seed = from; seed < from + BATCH; seed++) {
      const value = DRAWN[kind]?.(seed);
      const outcome = isRun ? await outcomeOf(value) : await predictedOf(value);
      lines.push(`${kind} ${String(seed)}: ${digestOf(outcome)}\n`);
    }
    const show = `node --import ./scripts/typescript-register.mjs test/random-scenarios/show.ts ${kind} N`;
    const hint = `parts of what a scenario gives changed; \`${show}\` writes the scenario, \`${show} PART\` what that part is now`;
    await expect(lines.join(''), hint).toMatchFileSnapshot(join(folder, file));
  });

  it('and no others are recorded', () => {
    expect(batches.map(({ file }) => file)).toEqual(expect.arrayContaining(readdirSync(folder)));
  });
});
