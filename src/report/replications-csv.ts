import type { Replications } from '../analysis/replicate/replications.js';
import { field } from './csv.js';

const HEADINGS = ['scenario', 'version', 'number', 'mean', 'low', 'high', 'runs'];

/** A row per number, under one line of headings, in the form of {@link csvReport}; a number of one run alone has no interval. */
export function* replicationsCsv({ scenario, version, numbers, runs }: Replications): Generator<string> {
  yield `${HEADINGS.join(',')}\n`;
  const head = [scenario, version].map(field).join(',');
  for (const [name, { mean, low, high, runs: own = runs }] of Object.entries(numbers)) {
    yield `${head},${[name, mean, low ?? '', high ?? '', own].map(field).join(',')}\n`;
  }
}
