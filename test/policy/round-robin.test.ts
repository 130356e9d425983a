import { describe, expect, it } from 'vitest';
import type { ProxyVersion } from '../../src/core/version.js';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import type { LoadBalancer } from '../../src/hostset/load-balancer.js';
import { BALANCER_LAWS, builtInPolicy, byWeight, followsShares, scheduleBound } from '../../src/testing/index.js';
import { environment, hostAt, hostsOf, lbConfig, level, pickWith, scripted, UNHEALTHY } from '../support/balancing.js';

describe.each(PROXY_VERSIONS)('ROUND_ROBIN at %s', (version) => {
  const subject = builtInPolicy('ROUND_ROBIN', version);

  it.each(BALANCER_LAWS)('$name', ({ check }) => check(subject));
  it('follows weights', () => followsShares(subject, { shares: byWeight, bound: scheduleBound }));
});

function balancer(version: ProxyVersion, seed: number): LoadBalancer {
  return createPolicyBalancer(lbConfig({ version }), environment({ random: scripted(seed) }));
}

/** Last digits of the addresses of `count` picks; every draw is 0, so all go to level 0. */
function turns(lb: LoadBalancer, count: number): string {
  return Array.from({ length: count }, () => /(\d+):80$/.exec(pickWith(lb) ?? '')?.[1] ?? '-').join(' ');
}

describe('the rotation', () => {
  it('starts at the seed and goes round', () => {
    const lb = balancer('1.17', 5);
    lb.update(level(hostsOf(3)), [], []);
    // 5 mod 3 = 2.
    expect(turns(lb, 7)).toBe('2 0 1 2 0 1 2');
  });

  it('begins at a seed of 64 bits and wraps past 2⁶⁴', () => {
    const lb = createPolicyBalancer(
      lbConfig(),
      environment({ random: { hi: 0xffffffff, lo: 0xffffffff, next: () => undefined } }),
    );
    lb.update(level(hostsOf(7)), [], []);
    // 2⁶⁴ mod 7 is 2; the index after the last one is 0.
    expect(turns(lb, 4)).toBe('1 0 1 2');
  });

  it('goes on where it was after an update', () => {
    const lb = balancer('1.17', 0);
    lb.update(level(hostsOf(3)), [], []);
    expect(turns(lb, 4)).toBe('0 1 2 0');
    lb.update(level(hostsOf(5)), [], []);
    // Index 4 of five hosts.
    expect(turns(lb, 3)).toBe('4 0 1');
  });

  it('is plain for weights that are equal but not 1', () => {
    const lb = balancer('1.17', 1);
    lb.update(level(hostsOf(3, { weight: 7 })), [], []);
    expect(turns(lb, 4)).toBe('1 2 0 1');
  });

  it('counts for each list by itself', () => {
    const lb = balancer('1.17', 0);
    const hosts = hostsOf(2);
    lb.update(level(hosts), [], []);
    expect(turns(lb, 1)).toBe('0');
    for (const host of hosts) host.flags = UNHEALTHY;
    lb.update(level(hosts), [], []);
    // Panic: the list of all hosts begins at its own index.
    expect(turns(lb, 1)).toBe('0');
    for (const host of hosts) host.flags = 0;
    lb.update(level(hosts), [], []);
    expect(turns(lb, 1)).toBe('1');
  });
});

describe('the schedule', () => {
  const hosts = (): ReturnType<typeof hostsOf> => [hostAt(0, { weight: 1 }), hostAt(1, { weight: 2 })];

  it.each<[ProxyVersion, number, string]>([
    // Deadlines 1 and ½: host 1 first; at 1 both are due, host 0 was queued before.
    ['1.17', 0, '1 0 1 1 0 1'],
    // One turn taken: 1 mod 2.
    ['1.17', 1, '0 1 1 0 1 1'],
    ['1.17', 2, '1 0 1 1 0 1'],
    ['1.40', 0, '1 0 1 1 0 1'],
    ['1.40', 1, '0 1 1 0 1 1'],
    // No reduction by the number of hosts any more.
    ['1.40', 2, '1 1 0 1 1 0'],
  ])('of weights 1 and 2 at %s from seed %i', (version, seed, expected) => {
    const lb = balancer(version, seed);
    lb.update(level(hosts()), [], []);
    expect(turns(lb, 6)).toBe(expected);
  });

  it('reads a weight when the host is queued again', () => {
    const [light, heavy] = hosts();
    const lb = balancer('1.17', 0);
    lb.update(level([light, heavy].filter((host) => host !== undefined)), [], []);
    expect(turns(lb, 6)).toBe('1 0 1 1 0 1');
    if (light !== undefined) light.weight = 2;
    if (heavy !== undefined) heavy.weight = 1;
    // Host 1 was queued last with weight 2, host 0 before it with weight 1: both now follow the new ones in turn.
    expect(turns(lb, 8)).toBe('1 0 1 0 0 1 0 0');
  });

  it('begins anew at every update', () => {
    const lb = balancer('1.17', 0);
    const list = hosts();
    lb.update(level(list), [], []);
    expect(turns(lb, 1)).toBe('1');
    lb.update(level(list), [], []);
    expect(turns(lb, 2)).toBe('1 0');
  });
});
