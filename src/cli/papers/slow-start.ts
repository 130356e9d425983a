import type { Row } from './paper.js';

/** When the new host comes, in s of the scenario. */
const COMES = 30;
/** A schedule follows weights to within a turn at either end of a second of 1,000 requests, in percent. */
const WITHIN = 0.4;

/** By the formula, on the mean of the second from this age on: the percent that one of four hosts gets. */
const BY_FORMULA: readonly (readonly [age: number, aggression1: number, aggression2: number])[] = [
  [0, 3.226, 6.937],
  [5, 8.395, 14.874],
  [10, 14.892, 19.452],
  [15, 20.529, 22.686],
  [19, 24.527, 24.763],
  [21, 25, 25],
];

/** Source: `applySlowStartFactor` of the proxy. */
const MILLISECONDS =
  'the page has an age of 1 s at least; the proxy counts milliseconds, 1 at least, and the formula then gives 4.9 % with an aggression of 2';

function row(age: number, published: readonly number[]): Row {
  const from = COMES + age;
  return {
    row: `${age} to ${age + 1} s after it came, aggression 1 / 2`,
    changes: [`warmup=${from}s`, ...[0, 1].map((workload) => `workloads[${workload}].stop=${from + 1}s`)],
    values: published.map((percent, index) => ({
      published: percent,
      within: WITHIN,
      number: `clusters.aggression-${index + 1}.hosts.10.0.0.4:80.share`,
      scale: 100,
    })),
    ...(age === 0 && { why: MILLISECONDS }),
  };
}

export const slowStart: readonly Row[] = BY_FORMULA.map(([age, ...published]) => row(age, published));
