import { expect, it } from 'vitest';
import { LbStats } from '../../src/hostset/lb-stats.js';
import { SubsetStats, noZoneCounts } from '../../src/hostset/subset/subset-stats.js';

const one = {
  lbRecalculateZoneStructures: 1,
  lbLocalClusterNotOk: 2,
  lbZoneClusterTooSmall: 3,
  lbZoneNumberDiffers: 4,
};

it('an update counts the zone structures of subsets that it leaves alone once more', () => {
  const stats = new LbStats();
  const books = new SubsetStats(stats);
  const [first, second] = [{ zoneCounts: noZoneCounts() }, { zoneCounts: noZoneCounts() }];
  const rebuild = (subset: typeof first): void =>
    books.rebuildZones(subset, () => {
      for (const [count, by] of Object.entries(one)) stats[count as keyof typeof one] += by;
    });
  rebuild(first);
  rebuild(second);
  books.beginZones();
  rebuild(second);
  books.endZones([first, second]);
  const times = (factor: number) => Object.fromEntries(Object.entries(one).map(([count, by]) => [count, factor * by]));
  expect(stats).toMatchObject(times(4));
  expect(first.zoneCounts).toEqual(one);
  books.leaveZones(first);
  expect(first.zoneCounts).toEqual(noZoneCounts());
  books.beginZones();
  books.endZones([first, second]);
  expect(stats).toMatchObject(times(5));
});
