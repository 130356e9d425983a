import { type Row, simulatedRow } from './paper.js';

export const limit: readonly Row[] = (
  [
    ['d-1', 'one', 5, 0.02],
    ['d-2', 'the shorter of 2', 1.9474, 0.02],
    ['d-3', 'the shortest of 3', 1.5809, 0.02],
    ['d-5', 'the shortest of 5', 1.3289, 0.02],
    ['shortest', 'the shortest of all', 1, 0.02],
    ['idle', 'an idle one, else any', 1, 0.05],
  ] as const
).map(([cluster, row, published, part]) =>
  // The distance of a hundred hosts from infinitely many.
  simulatedRow(row, published, published * part, `clusters.${cluster}.latency_ms.mean`, 1 / 100),
);

/** Worked out by the equations of the model: its figures are curves. The age of a board is in services. */
const STALE = [
  ['2-after-1', 'the shorter of 2', 1, 2.2214],
  ['3-after-1', 'the shortest of 3', 1, 2.0247],
  ['all-after-1', 'the shortest of all', 1, 2.3702],
  ['2-after-5', 'the shorter of 2', 5, 3.0188],
  ['3-after-5', 'the shortest of 3', 5, 3.3718],
  ['all-after-5', 'the shortest of all', 5, 5.3242],
  ['2-after-20', 'the shorter of 2', 20, 5.1714],
  ['3-after-20', 'the shortest of 3', 20, 7.351],
] as const;

export const stale: readonly Row[] = STALE.map(([cluster, choice, age, limit]) =>
  // The distance of a hundred hosts from infinitely many: the group that gets all requests is a few of them.
  simulatedRow(
    `${choice}, by a board written every ${age === 1 ? 'service' : `${age} services`}`,
    limit,
    limit * (choice === 'the shortest of all' ? 0.05 : 0.02),
    `clusters.shortest-of-${cluster}.latency_ms.mean`,
    1 / 100,
  ),
);

export const peakEwma: readonly Row[] = (
  [
    ['round-robin', 'round robin: 95 % below 1 s, so that the 99th percentile is a slow answer', 2000],
    ['peak-ewma', 'peak EWMA: 99.9 % below 1 s, so that the 99th percentile is a usual answer', 167],
  ] as const
).map(([cluster, row, published]) => simulatedRow(row, published, 30, `clusters.${cluster}.latency_ms.p99`, 1));

export const prequal: readonly Row[] = (
  [
    ['wrr-80', 'weighted round robin at 80 % of the allotment', 0, 1],
    ['prequal-80', 'Prequal at 80 %', 0, 1],
    ['wrr-120', 'weighted round robin at 120 %', 38.5, 1],
    ['prequal-120', 'Prequal at 120 %', 0, 1],
  ] as const
).map(([cluster, row, published, within]) =>
  simulatedRow(row, published, within, `clusters.${cluster}.failed_share`, 100),
);
