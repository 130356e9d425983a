import { documentation } from './documentation.js';
import type { Paper } from './paper.js';
import { queues } from './queues.js';
import { slowStart } from './slow-start.js';
import { supermarket } from './supermarket.js';
import { maglev, ring } from './hash-tables.js';
import { limit, peakEwma, prequal, stale } from './testbeds.js';

/** The published tables that we have, in the order of docs/papers.md. */
export const PAPERS: readonly Paper[] = [
  documentation,
  slowStart,
  ring,
  maglev,
  queues,
  supermarket,
  limit,
  stale,
  peakEwma,
  prequal,
];
