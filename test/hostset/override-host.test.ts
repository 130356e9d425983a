import { describe, expect, it } from 'vitest';
import { createLoadBalancer } from '../../src/hostset/create-load-balancer.js';
import type { LoadBalancer, PickRequest } from '../../src/hostset/load-balancer.js';
import { Decision } from '../../src/hostset/load-balancer.js';
import { environment, hostAt, lbConfig, level, pickRequest, scripted, UNHEALTHY } from '../support/balancing.js';

function made(headers = ['x-host', 'x-key']): LoadBalancer {
  const config = {
    kind: 'override_host',
    headers,
    inner: lbConfig({ version: '1.40', lbPolicy: 'RANDOM' }),
  } as const;
  const lb = createLoadBalancer(config, environment());
  lb.update(level([hostAt(1), hostAt(2, { flags: UNHEALTHY })]), [], []);
  lb.update(level([hostAt(3)], { priority: 1 }), [], []);
  return lb;
}

function asking(headers: Readonly<Record<string, string>>, key = ''): PickRequest {
  return { ...pickRequest(scripted(0, 0, 0)), headers, key, namesUsed: 0 };
}

function pick(lb: LoadBalancer, request: PickRequest): string | undefined {
  const decision = new Decision();
  lb.choose(request, decision);
  return decision.host?.address;
}

describe('a request that names its host', () => {
  it.each([
    ['healthy', '10.0.0.1:80', '10.0.0.1:80'],
    ['unhealthy', '10.0.0.2:80', '10.0.0.2:80'],
    ['of another priority', '10.0.0.3:80', '10.0.0.3:80'],
    ['the first of those that are there', '10.9.9.9:80, 10.0.0.3:80,10.0.0.2:80', '10.0.0.3:80'],
  ])('gets it: %s', (_, value, expected) => {
    expect(pick(made(), asking({ 'x-host': value }))).toBe(expected);
  });

  it.each(['10.9.9.9:80', 'nonsense', '', ','])('gets what the policy chooses where nobody is called %j', (value) => {
    expect(pick(made(), asking({ 'x-host': value }))).toBe('10.0.0.1:80');
  });

  it('is asked for the next source where it has not the first; its key is a header, too', () => {
    expect(pick(made(), asking({}, '10.0.0.3:80'))).toBe('10.0.0.3:80');
    expect(pick(made(), asking({ 'x-host': 'nobody' }, '10.0.0.3:80'))).toBe('10.0.0.1:80');
  });

  it('moves on with each attempt, and behind the last name is left to the policy', () => {
    const lb = made();
    const request = asking({ 'x-host': '10.0.0.2:80, 10.9.9.9:80, 10.0.0.3:80' });
    expect([pick(lb, request), pick(lb, request), pick(lb, request)]).toEqual([
      '10.0.0.2:80',
      '10.0.0.3:80',
      '10.0.0.1:80',
    ]);
  });

  it('is told so, and the next one is not', () => {
    const config = {
      kind: 'override_host',
      headers: ['x-host'],
      inner: lbConfig({ version: '1.40', lbPolicy: 'RING_HASH' }),
    } as const;
    const lb = createLoadBalancer(config, environment());
    lb.update(level([hostAt(1)]), [], []);
    const decision = new Decision();
    const named = { 'x-host': '10.0.0.1:80' } satisfies Readonly<Record<string, string>>;
    const told = [named, {}].map((headers) => {
      lb.choose(asking(headers), decision);
      return decision.named;
    });
    expect(told).toEqual([true, false]);
  });

  it('finds it on a thread that takes over what another has built', () => {
    const config = {
      kind: 'override_host',
      headers: ['x-host'],
      inner: lbConfig({ version: '1.40', lbPolicy: 'RING_HASH' }),
    } as const;
    const [main, worker] = [createLoadBalancer(config, environment()), createLoadBalancer(config, environment())];
    main.update(level([hostAt(1)]), [], []);
    main.update(level([hostAt(2)], { priority: 1 }), [], []);
    worker.adopt?.(main);
    expect(pick(worker, asking({ 'x-host': '10.0.0.2:80' }))).toBe('10.0.0.2:80');
    expect(worker.describe()).toEqual(main.describe());
  });

  it('does not get a host that has left', () => {
    const lb = made();
    lb.update(level([hostAt(1)]), [], []);
    expect(pick(lb, asking({ 'x-host': '10.0.0.2:80' }))).toBe('10.0.0.1:80');
  });

  describe('when a host has come to another priority, in another locality', () => {
    const moved = (from: number, to: number): LoadBalancer => {
      const lb = createLoadBalancer(
        {
          kind: 'override_host',
          headers: ['x-host'],
          inner: lbConfig({ version: '1.40', lbPolicy: 'RANDOM' }),
        } as const,
        environment(),
      );
      const [other, third] = [hostAt(1), hostAt(3)];
      const update = (at: number): void => {
        // Another object: a host does not keep its identity in another locality.
        const host = hostAt(2);
        for (const priority of [0, 1]) {
          const stays = priority === 0 ? other : third;
          lb.update(level(at === priority ? [stays, host] : [stays], { priority }), [], []);
        }
      };
      update(from);
      update(to);
      return lb;
    };

    it.each([
      ['a later', 0, 1, '10.0.0.2:80'],
      ['an earlier: it is not found, as the one before leaves after it came', 1, 0, '10.0.0.1:80'],
    ])('%s', (_, from, to, expected) => {
      expect(pick(moved(from, to), asking({ 'x-host': '10.0.0.2:80' }))).toBe(expected);
    });
  });
});
