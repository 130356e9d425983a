import { expect, it } from 'vitest';
import { falseAlarms, plantedCauses, predictedAmong, REQUESTS, shuffled } from './causes.js';
import { PLANTS } from './plants.js';
import { recordings } from './recordings.js';

/** `npm run judge` takes far more. */
const all = shuffled(recordings(REQUESTS)).slice(0, 40);

it.skipIf(all.length === 0)(
  'recordings do what their configuration says (skipped where they are not at hand)',
  async () => {
    expect(await falseAlarms(await predictedAmong(all))).toEqual([]);
  },
);

it.skipIf(all.length === 0).each(Object.keys(PLANTS))('what is planted is noticed, and found: %s', async (plant) => {
  const judged = (await plantedCauses(plant, all, 3)).filter(({ moved }) => moved);
  expect(judged.filter(({ noticed }) => !noticed)).toEqual([]);
  const found = judged.filter((one) => ['first', 'tied'].includes(one.found));
  expect(found.length).toBeGreaterThanOrEqual(judged.length - 1);
});
