import { describe, expect, it } from 'vitest';
import type { ProxyVersion } from '../../src/core/version.js';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import type { LoadBalancer } from '../../src/hostset/load-balancer.js';
import { Decision } from '../../src/hostset/load-balancer.js';
import { BALANCER_LAWS, builtInPolicy, drawBound, evenly, followsShares } from '../../src/testing/index.js';
import {
  environment,
  hostsOf,
  lbConfig,
  level,
  pickRequest,
  pickWith,
  scripted,
  UNHEALTHY,
} from '../support/balancing.js';

describe.each(PROXY_VERSIONS)('RANDOM at %s', (version) => {
  const subject = builtInPolicy('RANDOM', version);

  it.each(BALANCER_LAWS)('$name', ({ check }) => check(subject));
  it('spreads evenly, whatever the weights', () => followsShares(subject, { shares: evenly, bound: drawBound }));
});

describe('the draws of RANDOM', () => {
  function balancer(version: ProxyVersion): LoadBalancer {
    const lb = createPolicyBalancer(lbConfig({ version, lbPolicy: 'RANDOM' }), environment());
    lb.update(level(hostsOf(3)), [], []);
    return lb;
  }

  it.each(['1.12', '1.14'] as const)('are two at %s: priority, then host', (version) => {
    const random = scripted(7, 5);
    const decision = new Decision();
    balancer(version).choose(pickRequest(random), decision);
    expect(decision.host?.address).toBe('10.0.0.2:80');
    expect(random.draws).toBe(2);
  });

  it.each(['1.17', '1.40'] as const)('is one at %s, for both', (version) => {
    const random = scripted(7, 5);
    const decision = new Decision();
    balancer(version).choose(pickRequest(random), decision);
    expect(decision.host?.address).toBe('10.0.0.1:80');
    expect(random.draws).toBe(1);
  });

  it('use all 64 bits', () => {
    // (2³² + 1) mod 3 = 2.
    expect(pickWith(balancer('1.40'), 2 ** 32 + 1)).toBe('10.0.0.2:80');
  });
});

it.each(['1.17', '1.40'] as const)('%s: loads 99/1 reach only the last of five hosts', (version) => {
  const lb = createPolicyBalancer(lbConfig({ version, lbPolicy: 'RANDOM' }), environment());
  const first = [...hostsOf(71), ...hostsOf(29, { flags: UNHEALTHY }, 71)];
  lb.update(level(first), [], []);
  lb.update(level(hostsOf(5, {}, 200), { priority: 1 }), [], []);
  expect(lb.describe().priorities.map(({ healthyLoad }) => healthyLoad)).toEqual([99, 1]);
  // The 500 values of a period: all combinations of mod 100 and mod 5.
  const picked = Array.from({ length: 500 }, (_, value) => pickWith(lb, value) ?? '');
  expect(
    picked.filter((address) => address.startsWith('10.0.0.20') && address.length === '10.0.0.200:80'.length),
  ).toEqual(Array<string>(5).fill('10.0.0.204:80'));
});
