import { describe, expect, it } from 'vitest';
import { createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { LbPolicy, LoadBalancerConfig } from '../../src/hostset/lb-config.js';
import { type LbEnvironment, type LoadBalancer, Decision } from '../../src/hostset/load-balancer.js';
import type { PriorityLoad } from '../../src/hostset/priority-load.js';
import { prequal } from '../../src/policy/extensions/prequal.js';
import {
  type TestEnvironment,
  DEGRADED,
  environment,
  hostAt,
  hostsOf,
  lbConfig,
  level,
  pickRequest,
  pickWith,
  runtimeOf,
  scripted,
  UNHEALTHY,
  zone,
} from '../support/balancing.js';

function made(
  config: Partial<LoadBalancerConfig> = {},
  env: Partial<LbEnvironment> = {},
): { lb: LoadBalancer; env: TestEnvironment } {
  const full = environment(env);
  return { lb: createPolicyBalancer(lbConfig(config), full), env: full };
}

function inZones(counts: Readonly<Record<string, number>>, node = 'a'): HostSet {
  let next = 0;
  const hosts = Object.entries(counts).flatMap(([name, count]) => {
    const some = hostsOf(count, { locality: zone(name) }, next);
    next += count;
    return some;
  });
  return level(hosts, { node: zone(node) });
}

describe('a balancer without hosts', () => {
  it('finds nobody, and counts the panic of its empty level', () => {
    const { lb, env } = made();
    expect(pickWith(lb)).toBeUndefined();
    expect(env.stats.lbHealthyPanic).toBe(1);
    expect(lb.describe().priorities).toMatchObject([{ hosts: 0, healthyLoad: 100, panic: true }]);
  });

  it('knows nothing of panic where its threshold is 0', () => {
    const { lb, env } = made({ healthyPanicThreshold: 0 });
    expect(pickWith(lb)).toBeUndefined();
    expect(env.stats.lbHealthyPanic).toBe(0);
  });
});

describe('the decision', () => {
  it('says which priority was drawn, how, and whether it panics', () => {
    const { lb } = made();
    lb.update(level([hostAt(0), hostAt(1, { flags: DEGRADED })]), [], []);
    const decision = Object.assign(new Decision(), { subset: 'of the pick before', panic: true });
    lb.choose(pickRequest(scripted(69)), decision);
    expect(decision).toMatchObject({ priority: 0, panic: false, degraded: false, subset: undefined });
    expect(decision.host?.address).toBe('10.0.0.0:80');
    lb.choose(pickRequest(scripted(70)), decision);
    expect(decision).toMatchObject({ priority: 0, panic: false, degraded: true });
    expect(decision.host?.address).toBe('10.0.0.1:80');
  });

  it('comes from a retry priority where there is one', () => {
    const { lb } = made();
    lb.update(level(hostsOf(1)), [], []);
    lb.update(level(hostsOf(1, {}, 9), { priority: 1 }), [], []);
    const decision = new Decision();
    const priorityLoad = (): PriorityLoad => ({ healthy: [0, 100], degraded: [0, 0] });
    lb.choose(pickRequest(scripted(), { priorityLoad }), decision);
    expect(decision.host?.address).toBe('10.0.0.9:80');
    // A load for a level that is not there finds nobody.
    lb.choose(pickRequest(scripted(), { priorityLoad: () => ({ healthy: [0, 0, 100], degraded: [] }) }), decision);
    expect(decision).toMatchObject({ host: undefined, priority: 2 });
  });
});

describe('statistics of a policy', () => {
  it('count one a time, or as many as the policy says', () => {
    const settings = Object.fromEntries(
      Object.entries(prequal.settings ?? {}).map(([name, schema]) => [name, schema.default ?? 0]),
    );
    const { lb, env } = made({ version: '1.40', lbPolicy: 'PREQUAL' as LbPolicy, settings });
    lb.update(level(hostsOf(9)), [], []);
    for (let pick = 0; pick < 2; pick++) pickWith(lb);
    expect(env.stats.policy).toMatchObject({ picks_at_random: 2, probes_sent: 6 });
  });
});

describe('panic', () => {
  const hosts = (): HostSet => level([hostAt(0), ...hostsOf(3, { flags: UNHEALTHY }, 1)]);

  it('takes every host in turn, and counts each pick', () => {
    const { lb, env } = made();
    lb.update(hosts(), [], []);
    expect(Array.from({ length: 4 }, () => pickWith(lb))).toEqual(hosts().hosts.map(({ address }) => address));
    expect(env.stats.lbHealthyPanic).toBe(4);
  });

  it('fails traffic where it is told to, and counts it all the same', () => {
    const { lb, env } = made({ failTrafficOnPanic: true });
    lb.update(hosts(), [], []);
    expect(pickWith(lb)).toBeUndefined();
    expect(env.stats.lbHealthyPanic).toBe(1);
  });

  it('is latched: a threshold of the runtime acts with the next update', () => {
    const values: Record<string, number> = {};
    const { lb } = made({}, { runtime: { number: (key) => values[key] } });
    lb.update(hosts(), [], []);
    values['upstream.healthy_panic_threshold'] = 10;
    expect(lb.describe().priorities[0]?.panic).toBe(true);
    lb.update(hosts(), [], []);
    expect(lb.describe()).toMatchObject({ panicThreshold: 10, priorities: [{ panic: false, availablePercent: 25 }] });
  });
});

describe('a rejected host', () => {
  it('is followed by a whole new pick, up to the count; the last one stays', () => {
    const { lb } = made({ lbPolicy: 'RANDOM', version: '1.14' });
    lb.update(level(hostsOf(3)), [], []);
    const decision = new Decision();
    const random = scripted(0, 0, 0, 1, 0, 2);
    const rejects = (host: { readonly address: string }): boolean => host.address !== '10.0.0.2:80';
    lb.choose(pickRequest(random, { hostSelectionRetryCount: 1, rejects }), decision);
    expect(decision.host?.address).toBe('10.0.0.1:80');
    expect(random.draws).toBe(4);
    lb.choose(pickRequest(scripted(0, 0, 0, 1, 0, 2), { hostSelectionRetryCount: 5, rejects }), decision);
    expect(decision.host?.address).toBe('10.0.0.2:80');
  });

  it('is nobody: an empty list ends the search', () => {
    const { lb } = made();
    const random = scripted();
    lb.choose(pickRequest(random, { hostSelectionRetryCount: 5, rejects: () => true }), new Decision());
    expect(random.draws).toBe(1);
  });
});

describe('weighted localities', () => {
  const hosts = (flags: number): HostSet =>
    level([...hostsOf(2, { locality: zone('a'), flags }), ...hostsOf(1, { locality: zone('b') }, 2)], {
      localityWeights: { a: 1, b: 1 },
    });

  it('come before the hosts: two share what one alone gets', () => {
    const { lb } = made({ localityWeighted: true });
    lb.update(hosts(0), [], []);
    expect(Array.from({ length: 8 }, () => pickWith(lb)?.charAt(7)).join(' ')).toBe('0 2 1 2 0 2 1 2');
  });

  it('are left aside in panic', () => {
    const { lb } = made({ localityWeighted: true });
    lb.update(hosts(UNHEALTHY), [], []);
    expect(Array.from({ length: 6 }, () => pickWith(lb)?.charAt(7)).join(' ')).toBe('0 1 2 0 1 2');
  });

  it('mean nothing unless the cluster asks for them', () => {
    const { lb } = made();
    lb.update(hosts(0), [], []);
    expect(Array.from({ length: 6 }, () => pickWith(lb)?.charAt(7)).join(' ')).toBe('0 1 2 0 1 2');
    expect(lb.describe().priorities[0]?.localitySchedule).toBeUndefined();
  });

  it('draw their seed before the policy draws its own (modern)', () => {
    const random = scripted(11, 22, 33);
    const { lb } = made({ localityWeighted: true, version: '1.40' }, { random, initial: [hosts(0)] });
    expect(random.draws).toBe(2);
    lb.update(hosts(0), [], []);
    expect(random.draws).toBe(3);
    const plain = scripted(11, 22, 33);
    made({ localityWeighted: true, version: '1.17' }, { random: plain, initial: [hosts(0)] });
    expect(plain.draws).toBe(1);
  });
});

describe('zones', () => {
  const local = (): HostSet => inZones({ a: 1, b: 1, c: 1 });

  function routed(config: Partial<LoadBalancerConfig> = {}): ReturnType<typeof made> {
    const both = made(
      { zoneAware: { routingEnabled: 100, minClusterSize: 1 }, version: '1.40', ...config },
      { hasLocalCluster: true },
    );
    both.lb.update(inZones({ a: 1, b: 2, c: 2 }), [], []);
    both.lb.updateLocalCluster(local());
    return both;
  }

  it('take over once both clusters are known', () => {
    const { lb, env } = routed();
    expect(env.stats.lbRecalculateZoneStructures).toBe(2);
    expect(lb.describe().zone).toMatchObject({ state: 'residual', localPercentToRoute: 6000 });
    expect(pickWith(lb, 0, 5999)).toBe('10.0.0.0:80');
    expect(pickWith(lb, 0, 6000, 0)).toBe('10.0.0.1:80');
    expect(pickWith(lb, 0, 6000, 1333)).toBe('10.0.0.3:80');
    expect(env.stats).toMatchObject({ lbZoneRoutingSampled: 1, lbZoneRoutingCrossZone: 2 });
  });

  it('are out of the question without a local cluster', () => {
    const { lb, env } = made();
    lb.update(inZones({ a: 5, b: 5 }), [], []);
    expect(lb.describe().zone).toBeUndefined();
    expect(env.stats.lbRecalculateZoneStructures).toBe(0);
  });

  it('do not exist beyond priority 0', () => {
    const { lb } = routed();
    const sick = level(hostsOf(5, { locality: zone('a'), flags: UNHEALTHY }), { node: zone('a') });
    lb.update(sick, [], []);
    lb.update({ ...inZones({ a: 1, b: 2, c: 2 }), priority: 1 }, [], []);
    const random = scripted(99);
    const decision = new Decision();
    lb.choose(pickRequest(random), decision);
    expect(decision.priority).toBe(1);
    expect(random.draws).toBe(1);
  });

  it('give way when the local cluster panics, judged at each pick', () => {
    const { lb, env } = routed();
    const values = level(
      [hostAt(0, { locality: zone('a') }), ...hostsOf(2, { flags: UNHEALTHY, locality: zone('b') }, 1)],
      {
        node: zone('a'),
      },
    );
    lb.updateLocalCluster(values);
    const random = scripted();
    const decision = new Decision();
    lb.choose(pickRequest(random), decision);
    expect(decision.host).toBeDefined();
    expect(random.draws).toBe(1);
    expect(env.stats.lbLocalClusterNotOk).toBe(1);
  });

  it('fail then where traffic in panic is to fail', () => {
    const { lb } = routed({ failTrafficOnPanic: true });
    lb.updateLocalCluster(
      level([hostAt(0, { locality: zone('a') }), ...hostsOf(2, { flags: UNHEALTHY, locality: zone('b') }, 1)], {
        node: zone('a'),
      }),
    );
    expect(pickWith(lb)).toBeUndefined();
  });

  it('may find nobody: the zone is drawn by healthy hosts and asked for degraded ones', () => {
    const { lb } = made(
      { zoneAware: { routingEnabled: 100, minClusterSize: 1 }, version: '1.40' },
      { hasLocalCluster: true, runtime: runtimeOf({}) },
    );
    const hosts = [
      ...hostsOf(1, { locality: zone('a') }),
      ...hostsOf(1, { locality: zone('b') }, 1),
      ...hostsOf(2, { locality: zone('b'), flags: DEGRADED }, 2),
    ];
    lb.update(level(hosts, { node: zone('a') }), [], []);
    lb.updateLocalCluster(inZones({ a: 1, b: 1 }));
    expect(lb.describe().priorities).toMatchObject([{ healthyLoad: 70, degradedLoad: 30 }]);
    expect(pickWith(lb, 0)).toBe('10.0.0.0:80');
    expect(pickWith(lb, 99)).toBeUndefined();
  });
});

it('fills the levels below a new one with nobody', () => {
  const { lb } = made();
  lb.update(level(hostsOf(1), { priority: 2 }), [], []);
  const { priorities } = lb.describe();
  expect(priorities.map(({ hosts, healthyLoad }) => [hosts, healthyLoad])).toEqual([
    [0, 0],
    [0, 0],
    [1, 100],
  ]);
  expect(pickWith(lb)).toBe('10.0.0.0:80');
});

it('starts with the levels that exist, without announcing them', () => {
  const { lb, env } = made({}, { initial: [level(hostsOf(2))], hasLocalCluster: true });
  expect(pickWith(lb)).toBe('10.0.0.0:80');
  expect(env.stats.lbRecalculateZoneStructures).toBe(0);
  expect(lb.describe().zone).toEqual({ state: 'none', gate: 'not-computed' });
});
