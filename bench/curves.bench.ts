/**
 * What a run costs as a scenario grows: CPU time and memory of the command from start to report, at several sizes, and the
 * exponents that fit them (1: twice the size, twice the cost). `npm run bench -- curves`; `npm run bench -- curves --write` writes the table into
 * docs/performance.md, which tells how to read it. Ends with exit code 1 where a curve is steeper than n log n or exceeds its bound.
 */
import type { Cost } from './command-cost.js';
import { scenarioCost } from './command-cost.js';
import type { Growing } from './growing.js';
import { cluster, GROWING } from './growing.js';
import { isAsked, print, quick, write } from './print.js';

/** n log n over these sizes has up to 1.13; a table that was fitted beside other work may be as much above. */
const STEEPEST = 1.25;

const start = scenarioCost('run', cluster(1, {}, { constant: '1/s' }), quick ? 1 : 3);
const rows = GROWING.filter(isAsked).map(measure);
const report = {
  title:
    `Beyond the ${(start.ms / 1000).toFixed(2)} s of CPU and ${start.megabytes.toFixed(0)} MB of a run with one host and one request;` +
    ' exponents are fitted to what is above that.',
  rows,
};
print(report);
await write('curves', report);

function measure({ what, sizes: all, scenario, bound = {} }: Growing) {
  const sizes = quick ? all.slice(0, 2) : all;
  const costs = sizes.map((size) => scenarioCost('run', scenario(size), quick ? 1 : 2));
  const largest = costs.at(-1) ?? start;
  const { seconds = Infinity, megabytes = Infinity } = bound;
  const steepness = exponent(sizes, costs, ({ ms }) => Math.max(5, ms - start.ms));
  const isExceeded = largest.ms > 1000 * seconds || largest.megabytes > megabytes || steepness > STEEPEST;
  if (isExceeded && !quick) {
    console.error(`${what}: ${steepness.toFixed(2)}, ${largest.ms} ms, ${largest.megabytes} MB is beyond its bound`);
    process.exitCode = 1;
  }
  if (process.stderr.isTTY) process.stderr.write('.');
  return {
    growing: what,
    sizes: sizes.map((size) => size.toLocaleString('en')).join(' · '),
    'CPU s': costs.map(({ ms }) => (ms / 1000).toFixed(2)).join(' · '),
    'exponent of time': steepness.toFixed(2),
    MB: costs.map((cost) => cost.megabytes.toFixed(0)).join(' · '),
    'exponent of memory': exponent(sizes, costs, (cost) => Math.max(1, cost.megabytes - start.megabytes)).toFixed(2),
    'bound of the largest': [
      ...(Number.isFinite(seconds) ? [`${seconds} s`] : []),
      ...(Number.isFinite(megabytes) ? [`${megabytes} MB`] : []),
    ].join(', '),
  };
}

/** The slope of a straight line through the logarithms of sizes and costs. */
function exponent(sizes: readonly number[], costs: readonly Cost[], of: (cost: Cost) => number): number {
  const points = costs.map((cost, at) => ({ x: Math.log(sizes[at] ?? NaN), y: Math.log(of(cost)) }));
  const mean = (value: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}
