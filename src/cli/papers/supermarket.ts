import type { Row } from './paper.js';

/** Published for 100 queues, by simulation, per load: 2, 3 and 5 choices. */
const PUBLISHED: readonly (readonly [load: number, d2: number, d3: number, d5: number])[] = [
  [0.5, 1.2673, 1.1277, 1.034],
  [0.7, 1.6202, 1.3634, 1.1766],
  [0.8, 1.9585, 1.594, 1.3419],
  [0.9, 2.6454, 2.0614, 1.6714],
];

const HOSTS = 100;
/** A service takes 100 ms: the published unit of time. */
const PER_SERVICE = 1 / 100;
/** The published runs were of 100,000 seconds; what a queue remembers leaves this much. */
const OF_ITSELF = 0.002;

function row(load: number, cluster: string, label: string, published: number, why?: string): Row {
  return {
    row: `load ${load}, ${label}`,
    changes: [0, 1, 2, 3].map((workload) => `workloads[${workload}].arrivals=${load * HOSTS * 10}/s`),
    values: [
      { published, within: published * OF_ITSELF, number: `clusters.${cluster}.latency_ms.mean`, scale: PER_SERVICE },
    ],
    ...(why !== undefined && { why }),
  };
}

const REPLACED = 'the published choices are without replacement; the proxy’s may be one host twice';

export const supermarket: readonly Row[] = PUBLISHED.flatMap(([load, d2, d3, d5]) => [
  row(load, 'd-2', '2 choices', d2),
  row(load, 'replaced-2', '2 choices with replacement', d2, REPLACED),
  row(load, 'd-3', '3 choices', d3),
  row(load, 'd-5', '5 choices', d5),
]);
