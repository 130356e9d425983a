import { expect, it } from 'vitest';
import { clientSideWeightedRoundRobin } from '../../src/policy/client-side-weights.js';
import { leastRequest } from '../../src/policy/least-request.js';
import { maglev } from '../../src/policy/maglev.js';
import { random } from '../../src/policy/random.js';
import { ringHash } from '../../src/policy/ring-hash.js';
import { roundRobin } from '../../src/policy/round-robin.js';

it.each([
  [roundRobin, 'list, weights'],
  [leastRequest, 'list, weights, load, draws'],
  [random, 'list, draws'],
  [clientSideWeightedRoundRobin, 'list, weights, load_reports'],
  [ringHash, 'table, weights'],
  [maglev, 'table, weights'],
])('$name says what it is', (policy, expected) => {
  const facts = [
    policy.kind,
    ...(policy.usesWeights ? ['weights'] : []),
    ...(policy.looksAtLoad ? ['load'] : []),
    ...(policy.drawsHosts ? ['draws'] : []),
    ...policy.hears,
  ];
  expect(facts.join(', ')).toBe(expected);
});
