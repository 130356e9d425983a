import type { Paper, Row } from './paper.js';

function row(row: string, number: string, published: number, within: number, scale: number): Row {
  return { row, changes: [], values: [{ published, within, number, scale }] };
}

/** A service takes 10 ms. */
const SERVICES = 0.1;

export const queues: Paper = {
  name: 'queues',
  title: 'Queues that have formulas',
  citation:
    'Kleinrock, "Queueing Systems, Volume 1: Theory" (1975); Erlang, "Solution of some problems in the theory of probabilities of significance in ' +
    'automatic telephone exchanges" (1917); Reiser and Lavenberg, "Mean-value analysis of closed multichain queuing networks", JACM 27 (1980)',
  scenario: 'queues.yaml',
  quantity: 'mean time in services, refused requests in percent, requests a second',
  runs: 10,
  rows: [
    row('M/M/1, load 0.8: time', 'clusters.mm1.latency_ms.mean', 5, 0, SERVICES),
    row('M/G/1, equal services: time', 'clusters.md1.latency_ms.mean', 3, 0, SERVICES),
    row('M/M/4, 2.8 busy: time', 'clusters.mmc.latency_ms.mean', 1.3572, 0.0001, SERVICES),
    row('M/M/10/10, 8 erlang: refused', 'clusters.loss.failed_share', 12.166, 0.001, 100),
    row('10 users who think: time', 'clusters.closed.latency_ms.mean', 3.0187, 0.0001, SERVICES),
    row('10 users who think: throughput', 'clusters.closed.requests', 83.204, 0.001, 1 / 1000),
  ],
  notes: [
    'M/G/1 is the formula of Pollaczek and Khinchine, M/M/4 Erlang’s C, M/M/10/10 Erlang’s B; users who think are mean value analysis.',
  ],
};
