import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutated, survives } from './mutated-documents.js';
import { randomScenario } from './random-scenario.js';
import { stallSince } from './sound.js';

/** `npm run mutations` runs more of them: MUTATIONS_SEED=17 MUTATIONS_RUNS=100000. */
const FIRST = Number(process.env['MUTATIONS_SEED'] ?? 1);
const RUNS = Number(process.env['MUTATIONS_RUNS'] ?? 150);

const root = join(import.meta.dirname, '../..');
const shipped = readdirSync(join(root, 'scenarios'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(root, 'scenarios', name), 'utf8'));

/** Half of them shipped scenarios, half random ones. */
function document(seed: number): string {
  if (seed % 2 === 0) return shipped[(seed / 2) % shipped.length] ?? '';
  return JSON.stringify(randomScenario(seed % 5000), null, 1);
}

describe('documents that were changed at random', () => {
  it(`are refused or run, and nothing is thrown, from seed ${FIRST} on`, async () => {
    const failures: string[] = [];
    let valid = 0;
    for (let seed = FIRST; seed < FIRST + RUNS && failures.length < 10; seed++) {
      const before = process.cpuUsage();
      try {
        if (await survives(`mutation-${seed}.yaml`, mutated(document(seed), seed))) valid++;
      } catch (error) {
        failures.push(`seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
      const stall = stallSince(before);
      if (stall !== undefined) failures.push(`seed ${seed}: ${stall}`);
    }
    expect(failures.join('\n\n')).toBe('');
    // Changes that leave nothing valid would test the reader alone.
    expect(valid).toBeGreaterThan(RUNS / 20);
  }, 36_000_000);
});
