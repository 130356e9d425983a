import { expect, it } from 'vitest';
import { LbStats } from '../../src/hostset/lb-stats.js';
import { ZoneCounts } from '../../src/hostset/zone-counts.js';

function measured(counts: Partial<LbStats>): ZoneCounts {
  const zones = new ZoneCounts();
  zones.markStart(new LbStats());
  zones.markEnd(Object.assign(new LbStats(), counts));
  return zones;
}

it('counts of zone structures are added and taken back one by one', () => {
  const one = {
    lbRecalculateZoneStructures: 1,
    lbLocalClusterNotOk: 2,
    lbZoneClusterTooSmall: 3,
    lbZoneNumberDiffers: 4,
  };
  const other = {
    lbRecalculateZoneStructures: 50,
    lbLocalClusterNotOk: 60,
    lbZoneClusterTooSmall: 70,
    lbZoneNumberDiffers: 80,
  };
  const sum = measured(one);
  sum.add(measured(other));
  const stats = new LbStats();
  sum.addTo(stats);
  expect(stats).toMatchObject({
    lbRecalculateZoneStructures: 51,
    lbLocalClusterNotOk: 62,
    lbZoneClusterTooSmall: 73,
    lbZoneNumberDiffers: 84,
  });
  sum.subtract(measured(one));
  const left = new LbStats();
  sum.addTo(left);
  expect(left).toMatchObject(other);
});
