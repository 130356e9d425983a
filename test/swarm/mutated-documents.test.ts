import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from '../cli/files.js';
import { answers, mutated, originals, survives } from './mutated-documents.js';
import { stallSince } from './sound.js';

/** MUTATIONS_RUNS=100000 runs more of them, MUTATIONS_SEED=17 others. */
const FIRST = Number(process.env['MUTATIONS_SEED'] ?? 1);
const RUNS = Number(process.env['MUTATIONS_RUNS'] ?? 150);

const root = join(import.meta.dirname, '../..');
const shipped = readdirSync(join(root, 'scenarios'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(root, 'scenarios', name), 'utf8'));

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

describe('documents that were changed at random', () => {
  it(`are refused or run, by every command, and nothing is thrown, from seed ${FIRST} on`, async () => {
    const failures: string[] = [];
    let valid = 0;
    for (let seed = FIRST; seed < FIRST + RUNS && failures.length < 10; seed++) {
      const before = process.cpuUsage();
      try {
        const documents = (await originals(seed, shipped)).map(({ file, text }, index) => ({
          file,
          text: mutated(text, seed + index),
        }));
        if (await survives(documents, seed % 3 === 0)) valid++;
        await answers(documents, seed, folder.path);
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
