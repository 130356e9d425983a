import { type Paper, simulatedRow } from './paper.js';

export const limit: Paper = {
  name: 'choices-at-the-limit',
  title: 'Choices among very many hosts',
  citation:
    'Vvedenskaya, Dobrushin and Karpelevich, Problems of Information Transmission 32 (1996); Mitzenmacher, IEEE TPDS 12 (2001); Lu et al., ' +
    '"Join-Idle-Queue", Performance Evaluation 68 (2011)',
  scenario: 'choices-at-the-limit.yaml',
  quantity: 'mean time in the system in services, for infinitely many hosts; ours are a hundred',
  runs: 5,
  rows: (
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
  ),
};

export const peakEwma: Paper = {
  name: 'beyond-round-robin',
  title: 'Peak EWMA beside a slow host',
  citation:
    'Jenson and Oanta, "Beyond Round Robin: Load Balancing for Latency" (2016), https://linkerd.io/2016/03/16/beyond-round-robin-load-balancing-for-latency/',
  scenario: 'beyond-round-robin.yaml',
  quantity: 'latency in ms',
  runs: 5,
  rows: (
    [
      ['round-robin', 'round robin: 95 % below 1 s, so that the 99th percentile is a slow answer', 2000],
      ['peak-ewma', 'peak EWMA: 99.9 % below 1 s, so that the 99th percentile is a usual answer', 167],
    ] as const
  ).map(([cluster, row, published]) => simulatedRow(row, published, 30, `clusters.${cluster}.latency_ms.p99`, 1)),
  notes: [
    'The article tells success rates within 1 s; the percentiles under "published" are derived from them, and from the latencies of its hosts.',
  ],
};

export const prequal: Paper = {
  name: 'prequal',
  title: 'Prequal past the allocation',
  citation:
    'Wydrowski, Kleinberg, Rumble and Archer, "Load is not what you should balance: Introducing Prequal", NSDI 2024, the load ramp',
  scenario: 'prequal-past-allocation.yaml',
  quantity: 'percent of the requests that fail or take more than 1 s',
  runs: 5,
  rows: (
    [
      ['wrr-80', 'weighted round robin at 80 % of the allotment', 0, 1],
      ['prequal-80', 'Prequal at 80 %', 0, 1],
      ['wrr-120', 'weighted round robin at 120 %', 38.5, 1],
      ['prequal-120', 'Prequal at 120 %', 0, 1],
    ] as const
  ).map(([cluster, row, published, within]) =>
    simulatedRow(row, published, within, `clusters.${cluster}.failed_share`, 100),
  ),
  notes: ['The paper shows curves; 38.5 % is what a fluid of its testbed loses, which the scenario derives.'],
};
