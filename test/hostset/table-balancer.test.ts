import { describe, expect, it } from 'vitest';
import type { ProxyVersion } from '../../src/core/version.js';
import type { Host } from '../../src/host/host.js';
import { createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import type { LoadBalancerConfig, LbPolicy } from '../../src/hostset/lb-config.js';
import { type LbEnvironment, type LoadBalancer, Decision } from '../../src/hostset/load-balancer.js';
import type { PriorityLoad } from '../../src/hostset/priority-load.js';
import { TableCache } from '../../src/hostset/table-cache.js';
import { type RingTable, ringEntry } from '../../src/policy/ring-hash.js';
import { BALANCER_LAWS, builtInPolicy } from '../../src/testing/index.js';
import {
  type TestEnvironment,
  DEGRADED,
  environment,
  hostAt,
  hostsOf,
  lbConfig,
  level,
  pickRequest,
  scripted,
  UNHEALTHY,
  zone,
} from '../support/balancing.js';

describe.each<LbPolicy>(['RING_HASH', 'MAGLEV'])('%s', (lbPolicy) => {
  // Before 1.17 a Maglev table has its full size whatever is asked, and nothing else differs.
  describe.each<ProxyVersion>(['1.17', '1.40'])('at %s', (version) => {
    it.each(BALANCER_LAWS)('$name', ({ check }) => check(builtInPolicy(lbPolicy, version)));
  });
});

const RING: Partial<LoadBalancerConfig> = {
  lbPolicy: 'RING_HASH',
  ringHash: { minimumRingSize: 12, maximumRingSize: 1024, hashFunction: 'XX_HASH' },
};

function made(
  config: Partial<LoadBalancerConfig> = RING,
  env: Partial<LbEnvironment> = {},
): { lb: LoadBalancer; env: TestEnvironment } {
  const full = environment(env);
  return { lb: createPolicyBalancer(lbConfig(config), full), env: full };
}

function ask(lb: LoadBalancer, hash: number): { host: Host | undefined; priority: number; draws: number } {
  const random = scripted();
  const decision = new Decision();
  const hashHi = Math.floor(hash / 2 ** 32);
  lb.choose(pickRequest(random, { hasHash: true, hashHi, hashLo: hash % 2 ** 32 }), decision);
  return { host: decision.host, priority: decision.priority, draws: random.draws };
}

describe('a hash', () => {
  it('chooses the priority and the host without a draw', () => {
    const { lb } = made();
    lb.update(level([...hostsOf(71), ...hostsOf(29, { flags: UNHEALTHY }, 71)]), [], []);
    lb.update(level(hostsOf(1, {}, 200), { priority: 1 }), [], []);
    expect(lb.describe().priorities.map(({ healthyLoad }) => healthyLoad)).toEqual([99, 1]);
    expect(ask(lb, 1098)).toMatchObject({ priority: 0, draws: 0 });
    expect(ask(lb, 1099)).toMatchObject({ priority: 1, draws: 0, host: { address: '10.0.0.200:80' } });
  });

  it('is drawn where the request has none: one value for everything', () => {
    const { lb } = made();
    lb.update(level(hostsOf(6)), [], []);
    const random = scripted(123456789);
    const decision = new Decision();
    lb.choose(pickRequest(random, { hostSelectionRetryCount: 3, rejects: () => true }), decision);
    expect(random.draws).toBe(1);
    lb.choose(pickRequest(scripted(123456789)), decision);
    expect(decision.host).toBe(ask(lb, 123456789).host);
  });

  it('does not listen to a retry priority', () => {
    const { lb } = made();
    lb.update(level(hostsOf(1)), [], []);
    lb.update(level(hostsOf(1, {}, 9), { priority: 1 }), [], []);
    const decision = new Decision();
    const priorityLoad = (): PriorityLoad => ({ healthy: [0, 100], degraded: [0, 0] });
    lb.choose(pickRequest(scripted(), { hasHash: true, priorityLoad }), decision);
    expect(decision.priority).toBe(0);
  });
});

describe('a degraded host', () => {
  it('is in no table: a level drawn for it finds nobody where nobody is healthy', () => {
    const { lb, env } = made();
    lb.update(level(hostsOf(2, { flags: DEGRADED })), [], []);
    expect(lb.describe().priorities).toMatchObject([{ healthyLoad: 0, degradedLoad: 100, panic: false }]);
    expect(ask(lb, 5).host).toBeUndefined();
    expect(env.stats.lbHealthyPanic).toBe(0);
    expect(env.stats.tables).toEqual({});
  });
});

describe('panic', () => {
  it('puts everybody into the table, and does not fail traffic', () => {
    const { lb, env } = made({ ...RING, failTrafficOnPanic: true });
    lb.update(level([hostAt(0), ...hostsOf(3, { flags: UNHEALTHY }, 1)]), [], []);
    expect(lb.describe().priorities[0]?.table?.hosts).toHaveLength(4);
    expect(ask(lb, 7).host).toBeDefined();
    expect(env.stats.lbHealthyPanic).toBe(1);
  });
});

describe('the gauges', () => {
  it('are those of the last level that has hosts', () => {
    const { lb, env } = made();
    lb.update(level(hostsOf(2)), [], []);
    expect(env.stats.tables).toEqual({ RING_HASH: { size: 12, minPerHost: 6, maxPerHost: 6 } });
    lb.update(level(hostsOf(5), { priority: 1 }), [], []);
    expect(env.stats.tables).toMatchObject({ RING_HASH: { size: 15, minPerHost: 3 } });
    // Level 0 is rebuilt, level 1 too: it writes last again.
    lb.update(level(hostsOf(3)), [], []);
    expect(env.stats.tables['RING_HASH']?.size).toBe(15);
    lb.update(level([], { priority: 1 }), [], []);
    expect(env.stats.tables['RING_HASH']?.size).toBe(12);
  });

  it('stay where the last hosts leave', () => {
    const { lb, env } = made();
    lb.update(level(hostsOf(2)), [], []);
    lb.update(level([]), [], []);
    expect(env.stats.tables['RING_HASH']?.size).toBe(12);
  });

  it('of Maglev are its own', () => {
    const { env, lb } = made({ lbPolicy: 'MAGLEV', maglev: { tableSize: 7 } });
    lb.update(level(hostsOf(3)), [], []);
    expect(env.stats.tables).toEqual({ MAGLEV: { size: 7, minPerHost: 2, maxPerHost: 3 } });
  });

  it('of a single Maglev host differ by version', () => {
    const gauges = (version: '1.17' | '1.40'): number | undefined => {
      const { env, lb } = made({ lbPolicy: 'MAGLEV', maglev: { tableSize: 7 }, version });
      lb.update(level(hostsOf(1)), [], []);
      return env.stats.tables['MAGLEV']?.maxPerHost;
    };
    expect([gauges('1.17'), gauges('1.40')]).toEqual([7, 1]);
  });
});

describe('a table', () => {
  it('of Maglev has one size before 1.16, whatever is configured', () => {
    const { lb } = made({ lbPolicy: 'MAGLEV', maglev: { tableSize: 7 }, version: '1.14' });
    lb.update(level(hostsOf(2)), [], []);
    expect(lb.describe().priorities[0]?.table?.table.size).toBe(65537);
  });

  it('is kept while its hosts and weights are the same, and speaks of the new hosts', () => {
    const { lb } = made();
    const first = hostsOf(3);
    lb.update(level(first), [], []);
    const before = lb.describe().priorities[0]?.table;
    const second = hostsOf(3);
    lb.update(level(second), [], []);
    const after = lb.describe().priorities[0]?.table;
    expect(after?.table).toBe(before?.table);
    expect(second).toContain(ask(lb, 99).host);
    lb.update(level(hostsOf(4)), [], []);
    expect(lb.describe().priorities[0]?.table?.table).not.toBe(before?.table);
  });

  it('is shared among balancers whose hosts and configuration are the same', () => {
    const tables = new TableCache();
    const tableOf = (config: Partial<LoadBalancerConfig>, hosts: readonly Host[]): unknown => {
      const { lb } = made(config, { tables });
      lb.update(level(hosts), [], []);
      return lb.describe().priorities[0]?.table?.table;
    };
    const first = tableOf(RING, hostsOf(3));
    expect(tableOf(RING, hostsOf(3))).toBe(first);
    expect(tableOf({ ...RING, version: '1.40' }, hostsOf(3))).toBe(first);
    expect(tableOf(RING, hostsOf(2))).not.toBe(first);
    expect(tableOf(RING, [hostAt(0, { weight: 2 }), hostAt(1), hostAt(2)])).not.toBe(first);
    expect(tableOf({ lbPolicy: 'RING_HASH' }, hostsOf(3))).not.toBe(first);
    const other = tableOf({ lbPolicy: 'MAGLEV' }, hostsOf(3));
    expect(other).not.toBe(first);
    expect(tableOf({ lbPolicy: 'MAGLEV', version: '1.40' }, hostsOf(3))).not.toBe(other);
  });

  it('of another level follows its panic', () => {
    const { lb } = made();
    const weak = level([hostAt(0), ...hostsOf(3, { flags: UNHEALTHY }, 1)], { priority: 1 });
    lb.update(level(hostsOf(4)), [], []);
    lb.update(weak, [], []);
    expect(lb.describe().priorities[1]?.table?.hosts).toHaveLength(1);
    lb.update(level(hostsOf(4, { flags: UNHEALTHY })), [], []);
    expect(lb.describe().priorities[1]).toMatchObject({ panic: true });
    expect(lb.describe().priorities[1]?.table?.hosts).toHaveLength(4);
  });

  it('knows no zones, and weighted localities by their share', () => {
    const { lb, env } = made({ ...RING, localityWeighted: true }, { hasLocalCluster: true });
    const hosts = [...hostsOf(3, { locality: zone('a') }), ...hostsOf(1, { locality: zone('b') }, 3)];
    lb.update(level(hosts, { localityWeights: { a: 1, b: 1 } }), [], []);
    lb.updateLocalCluster(level(hosts));
    expect(env.stats.lbRecalculateZoneStructures).toBe(0);
    expect(lb.describe().zone).toBeUndefined();
    const weights = lb.describe().priorities[0]?.table?.weighted.weights;
    expect([...(weights ?? [])]).toEqual([1 / 6, 1 / 6, 1 / 6, 0.5]);
    expect(lb.describe().priorities[0]?.tableWeights).toEqual([1, 1]);
    const { lb: plain } = made(RING);
    plain.update(level(hosts, { localityWeights: { a: 1, b: 1 } }), [], []);
    expect(plain.describe().priorities[0]?.tableWeights).toBeUndefined();
  });
});

describe('a rejected host', () => {
  it('is followed by the next attempt of the same hash', () => {
    const { lb } = made();
    lb.update(level(hostsOf(6)), [], []);
    const decision = new Decision();
    const tried: string[] = [];
    const rejects = (host: Host): boolean => {
      tried.push(host.address);
      return true;
    };
    lb.choose(pickRequest(scripted(), { hasHash: true, hostSelectionRetryCount: 3, rejects }), decision);
    const { table } = lb.describe().priorities[0] ?? {};
    const ring = table?.table as RingTable;
    const walk = [0, 1, 2, 3].map((entry) => table?.hosts[ringEntry(ring, entry).host]?.address);
    expect(tried).toEqual(walk);
    expect(decision.host?.address).toBe(walk[3]);
  });

  it('stays at 1.12, and nobody is asked whether it is', () => {
    const { lb } = made({ ...RING, version: '1.12' });
    lb.update(level(hostsOf(6)), [], []);
    const decision = new Decision();
    const rejects = (): boolean => {
      throw new Error('asked');
    };
    lb.choose(pickRequest(scripted(), { hasHash: true, hostSelectionRetryCount: 3, rejects }), decision);
    expect(decision.host).toBe(ask(lb, 0).host);
  });
});

describe('bounded load', () => {
  const bounded: Partial<LoadBalancerConfig> = {
    ...RING,
    consistentHashing: { useHostnameForHashing: false, hashBalanceFactor: 150 },
  };

  it('spills from a host that has more than its part of the requests in flight', () => {
    const activity = { upstreamRqActive: 0 };
    const { lb } = made(bounded, { activity });
    const hosts = hostsOf(4);
    lb.update(level(hosts), [], []);
    const first = ask(lb, 42).host;
    if (first === undefined) throw new Error('nobody');
    // 8 in flight: 1.5 · 9 = 13.5, a slot count of ⌊14.49⌋ · ¼ → 4 for each.
    activity.upstreamRqActive = 8;
    first.activeRequests = 4;
    expect(ask(lb, 42).host).toBe(first);
    first.activeRequests = 5;
    expect(ask(lb, 42).host).not.toBe(first);
  });

  it('needs to know the requests in flight', () => {
    expect(() => made(bounded)).toThrow(/active requests of the cluster/);
  });
});
