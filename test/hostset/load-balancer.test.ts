import { expect, it } from 'vitest';
import { Decision, resetDecision } from '../../src/hostset/load-balancer.js';
import { hostAt } from '../support/balancing.js';

it('a decision that is reset is one that was never made', () => {
  const host = hostAt(1);
  const decision = Object.assign(new Decision(), {
    host,
    priority: 2,
    panic: true,
    degraded: true,
    subset: 'any',
    subsetFallback: [{ kind: 'cluster', policy: 'ANY_ENDPOINT' } as const],
    named: true,
    member: 3,
    level: 4,
    listener: {},
    probes: [host],
  });
  resetDecision(decision);
  expect(decision).toEqual(new Decision());
});
