import { type Paper, simulatedRow } from './paper.js';

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
    simulatedRow('M/M/1, load 0.8: time', 5, 0, 'clusters.mm1.latency_ms.mean', SERVICES),
    simulatedRow('M/G/1, equal services: time', 3, 0, 'clusters.md1.latency_ms.mean', SERVICES),
    simulatedRow('M/M/4, 2.8 busy: time', 1.3572, 0.0001, 'clusters.mmc.latency_ms.mean', SERVICES),
    simulatedRow('M/M/10/10, 8 erlang: refused', 12.166, 0.001, 'clusters.loss.failed_share', 100),
    simulatedRow('10 users who think: time', 3.0187, 0.0001, 'clusters.closed.latency_ms.mean', SERVICES),
    simulatedRow('10 users who think: throughput', 83.204, 0.001, 'clusters.closed.requests', 1 / 1000),
  ],
  notes: [
    'M/G/1 is the formula of Pollaczek and Khinchine, M/M/4 Erlang’s C, M/M/10/10 Erlang’s B; users who think are mean value analysis.',
  ],
};
