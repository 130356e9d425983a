import { describe, expect, it } from 'vitest';
import { type ProxyVersion, PROXY_VERSIONS } from '../../src/core/version.js';
import type { Host } from '../../src/host/host.js';
import { createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import type { LoadBalancerConfig } from '../../src/hostset/lb-config.js';
import { type LbEnvironment, type LoadBalancer, Decision } from '../../src/hostset/load-balancer.js';
import type { LeastRequestConfig } from '../../src/policy/least-request.js';
import {
  BALANCER_LAWS,
  builtInPolicy,
  byWeight,
  drawBound,
  followsShares,
  scheduleBound,
  takesFewestOfChoices,
} from '../../src/testing/index.js';
import {
  environment,
  hostAt,
  hostsOf,
  lbConfig,
  level,
  pickRequest,
  pickWith,
  runtimeOf,
  scripted,
} from '../support/balancing.js';

describe.each(PROXY_VERSIONS)('LEAST_REQUEST at %s', (version) => {
  const subject = builtInPolicy('LEAST_REQUEST', version);

  it.each(BALANCER_LAWS)('$name', ({ check }) => check(subject));
  it('follows weights while hosts are idle', () => {
    followsShares(subject, {
      shares: byWeight,
      // Equal weights draw, different ones have a schedule.
      bound: (share, hosts, picks) => Math.max(scheduleBound(share, hosts), drawBound(share, hosts, picks)),
    });
  });
  it('takes the host with the fewest requests of two', () => takesFewestOfChoices(subject));
});

const DEFAULTS: LeastRequestConfig = lbConfig().leastRequest;

function balancer(
  hosts: readonly Host[],
  changes: Partial<LeastRequestConfig> = {},
  env: Partial<LbEnvironment> = {},
  version: ProxyVersion = '1.17',
): LoadBalancer {
  const config: LoadBalancerConfig = lbConfig({
    lbPolicy: 'LEAST_REQUEST',
    version,
    leastRequest: { ...DEFAULTS, ...changes },
  });
  const lb = createPolicyBalancer(config, environment(env));
  lb.update(level(hosts), [], []);
  return lb;
}

function busy(...active: readonly number[]): Host[] {
  return active.map((count, index) => {
    const host = hostAt(index);
    host.activeRequests = count;
    return host;
  });
}

/** @returns the host and how many values were drawn. */
function drawn(lb: LoadBalancer, ...values: readonly number[]): readonly [string | undefined, number] {
  const random = scripted(...values);
  const decision = new Decision();
  lb.choose(pickRequest(random), decision);
  return [decision.host?.address, random.draws];
}

describe('the power of two choices', () => {
  it('takes the less busy of the two drawn', () => {
    const lb = balancer(busy(4, 3, 2, 1));
    expect(drawn(lb, 0, 0, 1)).toEqual(['10.0.0.1:80', 3]);
    expect(drawn(lb, 0, 1, 0)).toEqual(['10.0.0.1:80', 3]);
    expect(drawn(lb, 0, 2, 7)).toEqual(['10.0.0.3:80', 3]);
  });

  it('takes the first drawn on a tie', () => {
    const lb = balancer(busy(1, 1));
    expect(drawn(lb, 0, 1, 0)).toEqual(['10.0.0.1:80', 3]);
    expect(drawn(lb, 0, 0, 1)).toEqual(['10.0.0.0:80', 3]);
  });

  it('draws with replacement: the busiest host is drawn twice once in n²', () => {
    const lb = balancer(busy(9, 0, 0, 0));
    let hits = 0;
    for (let a = 0; a < 4; a++) for (let b = 0; b < 4; b++) if (pickWith(lb, 0, a, b) === '10.0.0.0:80') hits++;
    expect(hits).toBe(1);
  });

  it('draws as often for one host, and not at all for none', () => {
    expect(drawn(balancer(busy(0)), 0, 5, 6)).toEqual(['10.0.0.0:80', 3]);
    expect(drawn(balancer([]), 0)).toEqual([undefined, 1]);
  });

  it('draws choice_count hosts', () => {
    expect(drawn(balancer(busy(5, 4, 3, 2, 1), { choiceCount: 4 }), 0, 0, 1, 2, 3)).toEqual(['10.0.0.3:80', 5]);
  });

  it('is used for weights that are equal but not 1', () => {
    expect(drawn(balancer(hostsOf(2, { weight: 9 })), 0, 1, 1)).toEqual(['10.0.0.1:80', 3]);
  });
});

describe('the full scan', () => {
  const fullScan: Partial<LeastRequestConfig> = { selectionMethod: 'FULL_SCAN' };

  it('finds the least busy host without a draw', () => {
    expect(drawn(balancer(busy(4, 3, 1, 2), fullScan, {}, '1.40'), 0)).toEqual(['10.0.0.2:80', 1]);
  });

  it('draws once for each tie met, and replaces on 0', () => {
    const lb = balancer(busy(1, 2, 1, 1), fullScan, {}, '1.40');
    // Host 2 ties as the second of two, host 3 as the third of three.
    expect(drawn(lb, 0, 1, 1)).toEqual(['10.0.0.0:80', 3]);
    expect(drawn(lb, 0, 2, 1)).toEqual(['10.0.0.2:80', 3]);
    expect(drawn(lb, 0, 1, 3)).toEqual(['10.0.0.3:80', 3]);
  });

  it('gives all that tie the same chance', () => {
    const lb = balancer(busy(0, 0, 0), fullScan, {}, '1.40');
    const counts = new Map<string | undefined, number>();
    for (let a = 0; a < 2; a++) {
      for (let b = 0; b < 3; b++) {
        const address = pickWith(lb, 0, a, b);
        counts.set(address, (counts.get(address) ?? 0) + 1);
      }
    }
    expect([...counts.values()]).toEqual([2, 2, 2]);
  });
});

describe('the guard that counts pending requests', () => {
  const guard = { runtime: runtimeOf({ 'envoy.reloadable_features.least_request_lb_count_pending_requests': 1 }) };
  const hosts = (): Host[] => {
    const list = busy(0, 2);
    for (const host of list.slice(0, 1)) host.pendingRequests = 5;
    return list;
  };

  it('is off by default', () => {
    expect(pickWith(balancer(hosts(), {}, {}, '1.40'), 0, 0, 1)).toBe('10.0.0.0:80');
  });

  it('adds them where it is on', () => {
    expect(pickWith(balancer(hosts(), {}, guard, '1.40'), 0, 0, 1)).toBe('10.0.0.1:80');
  });

  it('does not exist in the v2 era', () => {
    expect(pickWith(balancer(hosts(), {}, guard, '1.17'), 0, 0, 1)).toBe('10.0.0.0:80');
  });
});

describe('the schedule of different weights', () => {
  const pair = (): [Host, Host] => [hostAt(0, { weight: 1 }), hostAt(1, { weight: 2 })];

  function turns(lb: LoadBalancer, count: number): string {
    return Array.from({ length: count }, () => (pickWith(lb) === '10.0.0.0:80' ? '0' : '1')).join(' ');
  }

  it('divides a weight by the requests that will be active', () => {
    const hosts = pair();
    hosts[1].activeRequests = 1;
    // Weights 1 / 1 and 2 / 2: one after the other.
    expect(turns(balancer(hosts), 6)).toBe('0 1 0 1 0 1');
  });

  it('ignores the requests with bias 0', () => {
    const hosts = pair();
    hosts[1].activeRequests = 1;
    const lb = balancer(hosts, { activeRequestBias: { defaultValue: 0, runtimeKey: '' } });
    expect(turns(lb, 6)).toBe('1 0 1 1 0 1');
  });

  it('raises them to the bias: 2 / 3² is less than a quarter of 1', () => {
    const hosts = pair();
    hosts[1].activeRequests = 2;
    const lb = balancer(hosts, { activeRequestBias: { defaultValue: 2, runtimeKey: '' } });
    // Host 1 is due at 4.5, host 0 at 1, 2, 3, 4, 5 …
    expect(turns(lb, 7)).toBe('0 0 0 0 1 0 0');
  });

  it.each([
    [undefined, '1 0 1 1 0 1'],
    [1, '0 1 0 1 0 1'],
    // No exponent: the default of 1 counts.
    [-3, '0 1 0 1 0 1'],
    [NaN, '0 1 0 1 0 1'],
  ])('takes the bias from the runtime: %s', (bias, expected) => {
    const hosts = pair();
    hosts[1].activeRequests = 1;
    const runtime = runtimeOf(bias === undefined ? {} : { bias });
    const lb = balancer(hosts, { activeRequestBias: { defaultValue: 0, runtimeKey: 'bias' } }, { runtime });
    expect(turns(lb, 6)).toBe(expected);
  });

  it('draws nothing beyond the priority', () => {
    expect(drawn(balancer(pair()), 0)).toEqual(['10.0.0.1:80', 1]);
  });
});
