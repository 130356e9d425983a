import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/host.js';
import type { ProxyVersion } from '../../src/core/version.js';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { HealthFlag, localityKey } from '../../src/host/host.js';
import type { ClusterOptions } from './subset-cluster.js';
import { hostAt, level, zone } from '../support/balancing.js';
import { host, SubsetCluster } from './subset-cluster.js';

const V1 = host('v1', { version: '1', stage: 'prod' });
const V2 = host('v2', { version: '2', stage: 'prod' });
const CANARY = host('canary', { version: '2', stage: 'canary' });
const PLAIN = host('plain', {});
const ALL = [V1, V2, CANARY, PLAIN];

describe('which subset answers', () => {
  const selectors = [{ keys: ['version'] }, { keys: ['version', 'stage'] }];

  it('is the one with exactly the keys and values that are asked for', () => {
    const cluster = new SubsetCluster({ selectors }).set(ALL);
    expect(cluster.picks(3, { version: '2' })).toEqual(['v2', 'canary', 'v2']);
    expect(cluster.picks(1, { stage: 'canary', version: '2' })).toEqual(['canary']);
    expect(cluster.pick({ version: '2' }).subset).toBe('{version: "2"}');
    expect(cluster.pick({ version: '2', stage: 'canary' }).subset).toBe('{stage: "canary", version: "2"}');
    expect(cluster.picks(1, { stage: 'prod' })).toEqual([null]);
    expect(cluster.picks(1, { version: '2', stage: 'prod', extra: 1 })).toEqual([null]);
    expect(cluster.picks(1)).toEqual([null]);
    expect(cluster.stats.lbSubsetsSelected).toBe(6);
  });

  it('compares values deeply and by type', () => {
    const values = [1, '1', true, null, [1, 2], [2, 1], { a: 1, b: [true] }, '', 0, false, { 0: 1, 1: 2 }];
    const hosts = values.map((value, i) => host(String(i), { k: value }));
    const cluster = new SubsetCluster({ selectors: [{ keys: ['k'] }] }).set(hosts);
    values.forEach((value, i) => {
      expect(cluster.picks(2, { k: value })).toEqual([String(i), String(i)]);
    });
    expect(cluster.picks(1, { k: { b: [true], a: 1 } })).toEqual(['6']);
    expect(cluster.picks(1, { k: {} })).toEqual([null]);
    expect(cluster.stats.lbSubsetsActive).toBe(values.length);
  });

  it('keeps the last word even if nobody in it is healthy', () => {
    const down = host('down', { version: '3' }, { unhealthy: true });
    const cluster = new SubsetCluster({ selectors, subset: { fallbackPolicy: 'ANY_ENDPOINT' } }).set([down, V1, V2]);
    const decision = cluster.pick({ version: '3' });
    expect([decision.host, decision.panic, decision.subset]).toEqual([down, true, '{version: "3"}']);
    expect(cluster.stats.lbSubsetsFallback).toBe(0);
  });
});

describe('fallbacks', () => {
  it('ANY_ENDPOINT, DEFAULT_SUBSET and NO_FALLBACK of the cluster are named in the decision', () => {
    const selectors = [{ keys: ['version'] }];
    const any = new SubsetCluster({ selectors, subset: { fallbackPolicy: 'ANY_ENDPOINT' } }).set(ALL);
    expect(any.picks(5, { version: '9' })).toEqual(['v1', 'v2', 'canary', 'plain', 'v1']);
    expect(any.pick()).toMatchObject({ subset: 'any', fallback: 'cluster ANY_ENDPOINT' });
    expect(any.stats.lbSubsetsFallback).toBe(6);

    const inDefault = new SubsetCluster({
      selectors,
      subset: { fallbackPolicy: 'DEFAULT_SUBSET', defaultSubset: { stage: 'prod' } },
    }).set(ALL);
    expect(inDefault.picks(3)).toEqual(['v1', 'v2', 'v1']);
    expect(inDefault.pick()).toMatchObject({ subset: 'default', fallback: 'cluster DEFAULT_SUBSET' });

    const none = new SubsetCluster({ selectors }).set(ALL);
    expect(none.pick({ version: '9' })).toMatchObject({
      host: undefined,
      subset: undefined,
      fallback: 'cluster NO_FALLBACK',
    });
  });

  it('panic_mode_any helps where the default subset has nobody, but not under NO_FALLBACK', () => {
    const selectors = [{ keys: ['version'] }];
    const defaultSubset = { stage: 'none' };
    const panic = { defaultSubset, panicModeAny: true } as const;
    const cluster = new SubsetCluster({ selectors, subset: { fallbackPolicy: 'DEFAULT_SUBSET', ...panic } }).set(ALL);
    expect(cluster.pick()).toMatchObject({
      host: V1,
      subset: 'any',
      fallback: 'cluster DEFAULT_SUBSET → panic_mode_any',
    });
    expect(cluster.stats).toMatchObject({ lbSubsetsFallback: 0, lbSubsetsFallbackPanic: 1, lbHealthyPanic: 1 });
    const none = new SubsetCluster({ selectors, subset: { fallbackPolicy: 'NO_FALLBACK', ...panic } }).set(ALL);
    expect(none.picks(1)).toEqual([null]);
  });

  it('a selector’s own fallback overrides the cluster’s and counts nothing', () => {
    const cluster = new SubsetCluster({
      subset: { fallbackPolicy: 'ANY_ENDPOINT', defaultSubset: { stage: 'canary' } },
      selectors: [
        { keys: ['version'], fallbackPolicy: 'NO_FALLBACK' },
        { keys: ['stage'], fallbackPolicy: 'DEFAULT_SUBSET' },
        { keys: ['stage', 'version'], fallbackPolicy: 'KEYS_SUBSET', fallbackKeysSubset: ['stage'] },
      ],
    }).set(ALL);
    expect(cluster.pick({ version: '9' })).toMatchObject({ host: undefined, fallback: 'selector NO_FALLBACK' });
    expect(cluster.pick({ stage: 'x' })).toMatchObject({ host: CANARY, fallback: 'selector DEFAULT_SUBSET' });
    expect(cluster.stats).toMatchObject({ lbSubsetsSelected: 0, lbSubsetsFallback: 0 });
    expect(cluster.pick({ stage: 'prod', version: '9' })).toMatchObject({
      host: V1,
      subset: '{stage: "prod"}',
      fallback: 'KEYS_SUBSET {stage: "prod"}',
    });
    expect(cluster.pick({ stage: 'x', version: '9' })).toMatchObject({
      host: CANARY,
      subset: 'default',
      fallback: 'KEYS_SUBSET {stage: "x"} → selector DEFAULT_SUBSET',
    });
    expect(cluster.stats.lbSubsetsSelected).toBe(1);
  });

  describe('of a selector whose sorted keys begin those of an earlier one', () => {
    const short = { keys: ['stage'], fallbackPolicy: 'NO_FALLBACK' } as const;
    const long = { keys: ['version', 'stage'] };
    const subset = { fallbackPolicy: 'ANY_ENDPOINT' } as const;
    const picked = (version: ProxyVersion, selectors: ClusterOptions['selectors']): unknown =>
      new SubsetCluster({ version, subset, selectors: selectors ?? [] }).set(ALL).picks(1, { stage: 'x' });

    it.each(PROXY_VERSIONS)('%s: holds where it comes first', (version) => {
      expect(picked(version, [short, long])).toEqual([null]);
    });

    it('is lost where it comes second, since selectors without a policy have a place in the tree too', () => {
      expect(picked('1.40', [long, short])).toEqual(['v1']);
    });

    it.each(['1.12', '1.14', '1.17'] as const)('%s: stays, since they have none', (version) => {
      expect(picked(version, [long, short])).toEqual([null]);
    });

    it.each(['1.14', '1.17', '1.40'] as const)('%s: is lost to one with a policy', (version) => {
      expect(picked(version, [{ ...long, fallbackPolicy: 'ANY_ENDPOINT' }, short])).toEqual(['v1']);
    });
  });

  it.each([
    ['1.12', { host: undefined, fallback: 'selector with more keys' }],
    ['1.14', { host: V1, fallback: 'cluster ANY_ENDPOINT' }],
    ['1.17', { host: V1, fallback: 'cluster ANY_ENDPOINT' }],
    ['1.40', { host: V1, fallback: 'cluster ANY_ENDPOINT' }],
  ] as const)('%s: a request with the first keys of a selector that has a policy', (version, expected) => {
    const selectors = [{ keys: ['stage', 'version'], fallbackPolicy: 'ANY_ENDPOINT' }] as const;
    const cluster = new SubsetCluster({ version, selectors, subset: { fallbackPolicy: 'ANY_ENDPOINT' } }).set(ALL);
    expect(cluster.pick({ stage: 'prod' })).toMatchObject(expected);
  });

  it.each([
    ['1.12', ['v1', 'v1', 'v2', 'v2'], ['v1', 'v1', 'v2', 'v2']],
    ['1.14', ['v1', 'v1', 'v2', 'v2'], ['v1', 'v2', 'canary', 'plain']],
    ['1.17', ['v1', 'v1', 'v2', 'v2'], ['v1', 'v2', 'canary', 'plain']],
    ['1.40', ['v1', 'v2', 'v1', 'v2'], ['v1', 'v2', 'canary', 'plain']],
  ] as const)('%s: what the cluster and a selector share', (version, inDefault, any) => {
    for (const [fallbackPolicy, expected] of [
      ['DEFAULT_SUBSET', inDefault],
      ['ANY_ENDPOINT', any],
    ] as const) {
      const selectors = [{ keys: ['version'], fallbackPolicy }];
      const subset = { fallbackPolicy, defaultSubset: { stage: 'prod' } };
      const cluster = new SubsetCluster({ version, selectors, subset }).set(ALL);
      // By the cluster's fallback, by the selector's, and once more each.
      const picked = [undefined, { version: '9' }, undefined, { version: '9' }].flatMap((wanted) =>
        cluster.picks(1, wanted),
      );
      expect(picked).toEqual(expected);
      // Both have the same hosts, and reports name them once.
      expect(cluster.balancer.describe().subsets?.filter(({ subset: name }) => !name.startsWith('{'))).toHaveLength(1);
    }
  });
});

describe('modern options', () => {
  it('FALLBACK_LIST tries each entry over the rest of the request’s metadata', () => {
    const cluster = new SubsetCluster({
      version: '1.40',
      subset: { metadataFallbackList: true },
      selectors: [{ keys: ['version', 'stage'] }],
    }).set(ALL);
    const list = [{ version: '9' }, 'no struct', { version: '2' }];
    expect(cluster.pick({ stage: 'canary', fallback_list: list })).toMatchObject({
      host: CANARY,
      fallback: 'FALLBACK_LIST[2]',
    });
    expect(cluster.picks(1, { stage: 'canary', version: '2', fallback_list: null })).toEqual(['canary']);
    expect(cluster.picks(1, { stage: 'canary', fallback_list: [] })).toEqual([null]);
  });

  it('allow_redundant_keys asks for the longest selector that the request covers', () => {
    const cluster = new SubsetCluster({
      version: '1.40',
      subset: { allowRedundantKeys: true },
      selectors: [{ keys: ['stage'] }, { keys: ['version', 'stage'] }],
    }).set(ALL);
    expect(cluster.picks(2, { stage: 'prod', colour: 'red' })).toEqual(['v1', 'v2']);
    expect(cluster.picks(1, { stage: 'canary', version: '2', colour: 'red' })).toEqual(['canary']);
    expect(cluster.picks(1, { stage: 'canary', version: '1', colour: 'red' })).toEqual([null]);
  });

  it('leaves hosts out of a subset’s count that are new', () => {
    const fresh = host('fresh', { id: 'a' });
    fresh.flags = HealthFlag.PENDING_ACTIVE_HC | HealthFlag.FAILED_ACTIVE_HC;
    const cluster = new SubsetCluster({ version: '1.17', selectors: [{ keys: ['id'] }] })
      .set([host('one', { id: 'a' }), fresh])
      .set([host('next', { id: 'a' })], 1);
    const subset = cluster.balancer.describe().subsets?.find((each) => each.subset === '{id: "a"}');
    expect(subset?.balancer?.priorities).toMatchObject([{ healthyLoad: 100, excluded: 1 }, { healthyLoad: 0 }]);
  });

  describe('single_host_per_subset', () => {
    const down = host('down', { id: 'a' }, { unhealthy: true });
    const other = host('other', { id: 'a' });
    const backup = host('backup', { id: 'a' });
    const selectors = [{ keys: ['id'], singleHostPerSubset: true }];

    it('takes the first host of the lowest level, whatever its health', () => {
      const cluster = new SubsetCluster({ version: '1.40', selectors }).set([down, other]).set([backup], 1);
      expect(cluster.picks(2, { id: 'a' })).toEqual(['down', 'down']);
      expect(cluster.picks(1, { id: 'a', extra: 1 })).toEqual([null]);
      cluster.set([down, other]);
      expect(cluster.stats.lbSubsetsSingleHostPerSubsetDuplicate).toBe(1);
      expect(cluster.stats.lbSubsetsCreated).toBe(1);
      cluster.set([]);
      expect(cluster.pick({ id: 'a' })).toMatchObject({ host: backup, priority: 1 });
    });

    it('counts duplicates of such subsets alone, and of those that have hosts', () => {
      const all = [{ keys: ['id'], singleHostPerSubset: true }, { keys: ['zone'] }];
      const hosts = ['a', 'b', 'c'].map((name) => host(name, { id: 'x', zone: 'z' }));
      const cluster = new SubsetCluster({ version: '1.40', selectors: all }).set(hosts);
      expect(cluster.stats.lbSubsetsSingleHostPerSubsetDuplicate).toBe(2);
      const old = new SubsetCluster({ version: '1.17', selectors });
      const gone = host('gone', { id: 'y' });
      old.set([...hosts, gone]);
      old.set(hosts);
      expect(old.stats.lbSubsetsSingleHostPerSubsetDuplicate).toBe(2);
    });

    it('counts a host once more for each further selector of the same keys', () => {
      const twice = [...selectors, { keys: ['id'] }];
      const cluster = new SubsetCluster({ version: '1.40', selectors: twice }).set([down, other]);
      expect(cluster.stats.lbSubsetsSingleHostPerSubsetDuplicate).toBe(3);
      const first = new SubsetCluster({ version: '1.40', selectors: twice.toReversed() }).set([down, other]);
      expect(first.stats.lbSubsetsSingleHostPerSubsetDuplicate).toBe(0);
    });

    it('counts a host once more for each further choice of its lists, equal ones too', () => {
      const subset = { listAsAny: true };
      const same = host('same', { id: ['a', 'a', 'b'] });
      const cluster = new SubsetCluster({ version: '1.40', selectors, subset }).set([same]);
      expect(cluster.stats.lbSubsetsSingleHostPerSubsetDuplicate).toBe(1);
      cluster.set([same, other]);
      expect(cluster.stats.lbSubsetsSingleHostPerSubsetDuplicate).toBe(2);
    });

    it('1.17: looks a host up by one value, and falls back where it is unhealthy at that moment', () => {
      const weak = host('weak', { id: 'b' });
      const subset = { fallbackPolicy: 'ANY_ENDPOINT' } as const;
      const cluster = new SubsetCluster({ version: '1.17', selectors, subset })
        .set([other, down, weak])
        .set([backup], 1);
      expect(cluster.pick({ id: 'a', extra: 1 })).toMatchObject({ host: other, subset: '{id: "a"}', priority: 0 });
      expect(cluster.pick({ id: 'a', extra: 1 }).fallback).toBeUndefined();
      weak.flags = HealthFlag.DEGRADED_EDS_HEALTH;
      expect(cluster.pick({ id: 'b' }).host).toBe(weak);
      weak.flags = HealthFlag.FAILED_EDS_HEALTH;
      expect(cluster.pick({ id: 'b' })).toMatchObject({ subset: 'any', fallback: 'cluster ANY_ENDPOINT' });
      // down and backup; no subset counts as one.
      expect(cluster.stats).toMatchObject({
        lbSubsetsSingleHostPerSubsetDuplicate: 2,
        lbSubsetsCreated: 0,
        lbSubsetsActive: 0,
        lbSubsetsSelected: 3,
        lbSubsetsFallback: 1,
      });
      cluster.balancer.destroy();
      expect(cluster.stats).toMatchObject({ lbSubsetsRemoved: 0, lbSubsetsActive: 0 });
    });

    it('1.17: takes a list as one value and knows no fallback of the selector', () => {
      const list = host('list', { id: ['a', 'b'] });
      const cluster = new SubsetCluster({
        version: '1.17',
        selectors: [{ keys: ['id'], singleHostPerSubset: true, fallbackPolicy: 'ANY_ENDPOINT' }],
        subset: { listAsAny: true },
      }).set([list]);
      expect(cluster.picks(1, { id: ['a', 'b'] })).toEqual(['list']);
      expect(cluster.picks(1, { id: 'a' })).toEqual([null]);
    });
  });

  it.each([
    ['1.17', 2],
    ['1.40', 1],
  ] as const)('%s: list_as_any puts a host into a subset for each element, combined over the keys', (version, z) => {
    const hosts = [
      host('h', { a: [1, 2, 2], b: ['x', 'y'] }),
      host('i', { a: 2, b: 'y' }),
      host('empty', { a: 3, b: [] }),
      // Leads to the subset of its last key alone, which up to 1.22 is all hosts that match it.
      host('begins-anew', { a: [], b: 'z' }),
      host('matches', { b: ['z', 'w'] }),
    ];
    const cluster = new SubsetCluster({ version, subset: { listAsAny: true }, selectors: [{ keys: ['a', 'b'] }] }).set(
      hosts,
    );
    expect(cluster.subsets()).toEqual({
      '{a: 1, b: "x"}': 1,
      '{a: 1, b: "y"}': 1,
      '{a: 2, b: "x"}': 1,
      '{a: 2, b: "y"}': 2,
      '{b: "z"}': z,
    });
    expect(cluster.picks(2, { a: 2, b: 'y' })).toEqual(['h', 'i']);
    expect(cluster.picks(1, { a: [1, 2, 2], b: 'x' })).toEqual([null]);
  });

  it('without list_as_any a list is one value', () => {
    const cluster = new SubsetCluster({ selectors: [{ keys: ['a'] }] }).set([host('h', { a: [1, 2] })]);
    expect(cluster.picks(1, { a: [1, 2] })).toEqual(['h']);
    expect(cluster.picks(1, { a: 1 })).toEqual([null]);
  });
});

describe('locality weights', () => {
  const [here, there] = [
    { region: '', zone: 'a', subZone: '' },
    { region: '', zone: 'b', subZone: '' },
  ];
  const weights = new Map([
    [localityKey(here), 1],
    [localityKey(there), 1],
  ]);
  // Zone a has four hosts, one of them of version 2; zone b has only that.
  const hosts = [
    ...['a1', 'a2', 'a3'].map((name) => host(name, { version: '1' }, { locality: here })),
    host('a4', { version: '2' }, { locality: here }),
    host('b1', { version: '2' }, { locality: there }),
  ];
  const selectors = [{ keys: ['version'] }];

  it('are ignored unless the subset is aware of them', () => {
    const cluster = new SubsetCluster({ selectors, localityWeighted: true }).set(hosts, 0, weights);
    expect(cluster.picks(4, { version: '2' })).toEqual(['a4', 'b1', 'a4', 'b1']);
  });

  it('scaled: 1 × 1/4 rounds to 0, so that zone gets nothing', () => {
    const subset = { localityWeightAware: true, scaleLocalityWeight: true };
    const cluster = new SubsetCluster({ selectors, localityWeighted: true, subset }).set(hosts, 0, weights);
    expect(cluster.picks(4, { version: '2' })).toEqual(['b1', 'b1', 'b1', 'b1']);
    const heavier = new Map([...weights].map(([key]) => [key, 2]));
    cluster.set(hosts, 0, heavier);
    // 2 × 1/4 rounds up to 1, against 2.
    const picked = cluster.picks(300, { version: '2' });
    expect(picked.filter((address) => address === 'a4')).toHaveLength(100);
  });
});

describe('updates', () => {
  const selectors = [{ keys: ['version'] }, { keys: ['stage'] }];

  function counted(): { cluster: SubsetCluster; updates: () => number } {
    let updates = 0;
    const cluster = new SubsetCluster({
      selectors,
      inner: (balancer) => {
        const update = balancer.update.bind(balancer);
        balancer.update = (...args) => {
          updates++;
          update(...args);
        };
        return balancer;
      },
    });
    return {
      cluster,
      updates: () => {
        const since = updates;
        updates = 0;
        return since;
      },
    };
  }

  function many(): Host[] {
    return Array.from({ length: 200 }, (_, i) => host(`h${i.toString()}`, { version: i % 50, stage: i % 10 }));
  }

  it('touch only the subsets of a host whose health, weight or metadata changed', () => {
    const { cluster, updates } = counted();
    const hosts = many();
    cluster.set(hosts);
    expect(updates()).toBe(60);
    (hosts[7] as Host).flags = HealthFlag.FAILED_EDS_HEALTH;
    cluster.set(hosts);
    expect(updates()).toBe(2);
    expect(cluster.picks(3, { version: 7 })).toEqual(['h57', 'h107', 'h157']);
    (hosts[7] as Host).metadata = { version: 8, stage: 7 };
    cluster.set(hosts);
    expect(updates()).toBe(3);
    cluster.set(hosts);
    expect(updates()).toBe(0);
    cluster.set([...hosts, host('new', { version: 3, stage: 'new' })]);
    expect(updates()).toBe(2);
    expect(cluster.subsets()['{stage: "new"}']).toBe(1);
    cluster.set(hosts.slice(1));
    expect(updates()).toBe(4);
  });

  it('start weighted schedules afresh in every subset, as the proxy does', () => {
    const hosts = [
      host('a', { version: '1' }),
      host('b', { version: '1' }, { weight: 2 }),
      host('c', { version: '2' }),
    ];
    const cluster = new SubsetCluster({ selectors }).set(hosts);
    const begin = cluster.picks(1, { version: '1' });
    (hosts[2] as Host).flags = HealthFlag.FAILED_EDS_HEALTH;
    cluster.set(hosts);
    expect(cluster.picks(3, { version: '1' })).toEqual([...begin, 'a', 'b']);
  });

  it('latch a changed panic threshold everywhere', () => {
    const hosts = [
      host('up', { version: '1' }),
      host('down', { version: '1' }, { unhealthy: true }),
      host('c', { version: '2' }),
    ];
    const cluster = new SubsetCluster({ selectors }).set(hosts);
    cluster.runtime.set('upstream.healthy_panic_threshold', 60);
    expect(cluster.pick({ version: '1' }).panic).toBe(false);
    (hosts[2] as Host).flags = HealthFlag.FAILED_EDS_HEALTH;
    cluster.set(hosts);
    expect(cluster.pick({ version: '1' }).panic).toBe(true);
  });

  it('create and remove subsets with their hosts, and count them', () => {
    const cluster = new SubsetCluster({ selectors: [{ keys: ['version'] }] }).set([V1, V2]);
    expect(cluster.stats).toMatchObject({ lbSubsetsCreated: 2, lbSubsetsActive: 2, lbSubsetsRemoved: 0 });
    cluster.set([V1]);
    expect(cluster.stats).toMatchObject({ lbSubsetsCreated: 2, lbSubsetsActive: 1, lbSubsetsRemoved: 1 });
    expect(cluster.picks(1, { version: '2' })).toEqual([null]);
    cluster.set([V1, V2]);
    expect(cluster.stats).toMatchObject({ lbSubsetsCreated: 3, lbSubsetsActive: 2, lbSubsetsRemoved: 1 });
    cluster.balancer.destroy();
    expect(cluster.stats).toMatchObject({ lbSubsetsActive: 0, lbSubsetsRemoved: 3 });
  });

  it('a subset lives as long as any priority has a host of it', () => {
    const cluster = new SubsetCluster({ selectors: [{ keys: ['version'] }] }).set([V1]).set([V2], 1);
    cluster.set([]);
    expect(cluster.picks(1, { version: '1' })).toEqual([null]);
    expect(cluster.pick({ version: '2' })).toMatchObject({ host: V2, priority: 1 });
    expect(cluster.subsets()).toEqual({ '{version: "2"}': 1 });
  });

  it.each([
    ['1.12', ['b', 'a']],
    ['1.14', ['b', 'a']],
    ['1.17', ['a', 'b']],
    ['1.40', ['a', 'b']],
  ] as const)('%s: the index of a subset that comes back', (version, expected) => {
    const pair = [host('a', { version: '1' }), host('b', { version: '1' })];
    const cluster = new SubsetCluster({ version, selectors: [{ keys: ['version'] }] }).set(pair);
    cluster.picks(1, { version: '1' });
    cluster.set([]).set(pair);
    // Before 1.15 the empty subset is kept, and its place in the rotation; then it is forgotten.
    expect(cluster.picks(2, { version: '1' })).toEqual(expected);
    expect(cluster.stats).toMatchObject({ lbSubsetsCreated: 2, lbSubsetsRemoved: 1, lbSubsetsActive: 1 });
  });

  describe('that add or remove hosts', () => {
    const one = { keys: ['version'] };
    const moves = (version: ProxyVersion): { cluster: SubsetCluster; mover: Host; pair: Host[] } => {
      const mover = host('mover', { version: '1' });
      const pair = [host('stays', { version: '1' }), mover];
      return { cluster: new SubsetCluster({ version, selectors: [one] }).set(pair), mover, pair };
    };

    it.each(['1.12', '1.14', '1.17'] as const)('%s: make subsets of those that they add only', (version) => {
      const { cluster, mover, pair } = moves(version);
      mover.metadata = { version: '2' };
      cluster.set([...pair, host('new', { version: '1' })]);
      expect(cluster.picks(1, { version: '2' })).toEqual([null]);
      expect(cluster.picks(3, { version: '1' })).toEqual(['stays', 'new', 'stays']);
      expect(cluster.stats).toMatchObject({ lbSubsetsCreated: 1, lbSubsetsActive: 1 });
      // The next update in which nobody comes or goes makes up for it.
      cluster.set([...pair, host('new', { version: '1' })].slice(0, 2));
      expect(cluster.picks(1, { version: '2' })).toEqual([null]);
      cluster.set(pair);
      expect(cluster.picks(1, { version: '2' })).toEqual(['mover']);
      expect(cluster.stats).toMatchObject({ lbSubsetsCreated: 2, lbSubsetsActive: 2 });
    });

    it('1.40: make subsets of all', () => {
      const { cluster, mover, pair } = moves('1.40');
      mover.metadata = { version: '2' };
      cluster.set([...pair, host('new', { version: '1' })]);
      expect(cluster.picks(1, { version: '2' })).toEqual(['mover']);
    });

    it.each(PROXY_VERSIONS)('%s: let a host join a subset that is there', (version) => {
      const { cluster, mover, pair } = moves(version);
      const second = host('second', { version: '2' });
      cluster.set([...pair, second]);
      mover.metadata = { version: '2' };
      cluster.set([...pair, second, host('new', { version: '3' })]);
      expect(cluster.picks(2, { version: '2' })).toEqual(['mover', 'second']);
    });

    it('1.17: a subset that another host makes takes in who was waiting, at all priorities', () => {
      const { cluster, mover, pair } = moves('1.17');
      mover.metadata = { version: '2' };
      cluster.set([...pair, host('new', { version: '1' })]);
      cluster.set([host('backup', { version: '2' })], 1);
      expect(cluster.subsets()).toEqual({ '{version: "1"}': 2, '{version: "2"}': 2 });
      expect(cluster.picks(2, { version: '2' })).toEqual(['mover', 'mover']);
    });

    it('1.14: a subset that was kept takes in only those of the priority that brings it back', () => {
      const { cluster, mover, pair } = moves('1.14');
      const second = host('second', { version: '2' });
      cluster
        .set([...pair, second])
        .set([])
        .set(pair);
      mover.metadata = { version: '2' };
      cluster.set([...pair, host('new', { version: '1' })]);
      cluster.set([host('backup', { version: '2' })], 1);
      expect(cluster.subsets()).toEqual({ '{version: "1"}': 2, '{version: "2"}': 1 });
      cluster.set([...pair, host('newer', { version: '1' })]);
      expect(cluster.subsets()).toEqual({ '{version: "1"}': 2, '{version: "2"}': 2 });
    });
  });

  it.each([
    ['1.12', 70],
    ['1.14', 70],
    ['1.17', 70],
    ['1.40', 100],
  ] as const)('%s: the overprovisioning factor inside a subset, after it has changed', (version, load) => {
    const hosts = [host('a', { version: '1' }), host('b', { version: '1' }, { unhealthy: true })];
    const cluster = new SubsetCluster({ version, selectors: [{ keys: ['version'] }] });
    cluster.set(hosts).set([host('c', { version: '1' })], 1);
    cluster.set(hosts, 0, undefined, 200);
    const [subset] = cluster.balancer.describe().subsets ?? [];
    expect(subset?.balancer?.priorities.map(({ healthyLoad }) => healthyLoad)).toEqual([load, 100 - load]);
  });
});

describe('the zones of subsets', () => {
  it.each<[ProxyVersion, number]>([
    // A new subset works them out with its hosts, and once more with those of the callers.
    ['1.17', 4],
    ['1.40', 3],
  ])('are counted for every subset with each update at %s', (version, withNewOne) => {
    const cluster = new SubsetCluster({ version, selectors: [{ keys: ['version'] }], hasLocalCluster: true });
    const counted = (act: () => void): number => {
      const before = cluster.stats.lbRecalculateZoneStructures;
      act();
      return cluster.stats.lbRecalculateZoneStructures - before;
    };
    const [ill, more] = [host('ill', { version: '1' }), host('more', { version: '3' })];
    expect(counted(() => cluster.set([...ALL, ill]))).toBe(2);
    const callers = level([hostAt(9)]);
    expect(counted(() => cluster.balancer.updateLocalCluster(callers))).toBe(2);
    ill.flags = HealthFlag.FAILED_EDS_HEALTH;
    expect(counted(() => cluster.set([...ALL, ill]))).toBe(2);
    expect(counted(() => cluster.set([...ALL, ill, more]))).toBe(withNewOne);
    expect(counted(() => cluster.set([...ALL, ill, more]))).toBe(3);
    expect(counted(() => cluster.set([...ALL, ill]))).toBe(3);
    expect(counted(() => cluster.set(ALL))).toBe(2);
  });

  it.each<ProxyVersion>(['1.17', '1.40'])('of a new one are worked out with the callers at %s', (version) => {
    const cluster = new SubsetCluster({ version, selectors: [{ keys: ['version'] }], hasLocalCluster: true });
    const [node, places] = [zone('a'), [zone('a'), zone('b')]];
    const known = host('known', { version: '1' }, { locality: node });
    const callers = places.map((locality, index) => hostAt(index, { locality }));
    const some = [1, 2, 3, 4].flatMap((number) =>
      places.map((locality) => host(`${locality.zone}${number}`, { version: '2' }, { locality })),
    );
    cluster.deliver(level([known], { node }), []);
    cluster.balancer.updateLocalCluster(level(callers, { node }));
    cluster.deliver(level([known, ...some], { node }), [known]);
    const fresh = cluster.balancer.describe().subsets?.find(({ subset }) => subset === '{version: "2"}');
    // Half of the callers and half of the hosts are here.
    expect(fresh?.balancer?.zone).toMatchObject({ state: 'direct', upstream: [5000, 5000], local: [5000, 5000] });
  });
});
