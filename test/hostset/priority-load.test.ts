import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProxyVersion } from '../../src/core/version.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import { describePriority } from '../../src/hostset/describe.js';
import type { PriorityState } from '../../src/hostset/priority-load.js';
import { choosePriority, emptyPriorityState, priorityState } from '../../src/hostset/priority-load.js';
import { DEGRADED, EXCLUDED, hostsOf, level, UNHEALTHY } from '../support/balancing.js';

/** Healthy, degraded, unhealthy and excluded unhealthy hosts of one level. */
type Census = readonly [healthy: number, degraded?: number, unhealthy?: number, excluded?: number];

function levelOf(
  priority: number,
  [healthy, degraded = 0, unhealthy = 0, excluded = 0]: Census,
  factor = 140,
): HostSet {
  const hosts = [
    ...hostsOf(healthy),
    ...hostsOf(degraded, { flags: DEGRADED }),
    ...hostsOf(unhealthy, { flags: UNHEALTHY }),
    ...hostsOf(excluded, { flags: UNHEALTHY | EXCLUDED }),
  ];
  return level(hosts, { priority, overprovisioningFactor: factor });
}

function stateOf(censuses: readonly Census[], threshold = 50, version: ProxyVersion = '1.17'): PriorityState {
  let state = emptyPriorityState();
  const hostSets = censuses.map((census, priority) => levelOf(priority, census));
  for (const { priority } of hostSets) state = priorityState(state, hostSets, priority, threshold, version);
  return state;
}

function upTo(count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => index);
}

describe('the load of each priority', () => {
  it.each<[string, readonly Census[], readonly number[], readonly number[]]>([
    ['all of it while 1.4 · health makes up for the loss', [[72, 0, 28], [100]], [100, 0], [0, 0]],
    ['what is missing spills', [[71, 0, 29], [100]], [99, 1], [0, 0]],
    ['half of the hosts: 1.4 · 50 %', [[50, 0, 50], [100]], [70, 30], [0, 0]],
    ['a quarter of them', [[25, 0, 75], [100]], [35, 65], [0, 0]],
    // 1 and 2 of 3: 33 + 66, and the point that is left over for the first.
    [
      'one percent is enough to get what is left over',
      [
        [1, 0, 139],
        [2, 0, 138],
      ],
      [34, 66],
      [0, 0],
    ],
    ['excluded hosts count in no denominator', [[1, 0, 0, 3], [1]], [100, 0], [0, 0]],
    // 35 and 28 and 28 of 91: 38 + 30 + 30, and 2 left over for the first level.
    // Cut off once for each kind: two degraded hosts of three are 93 %, one of each 46 + 46.
    [
      'a level of two degraded hosts',
      [
        [0, 2, 1],
        [0, 1],
      ],
      [0, 0],
      [93, 7],
    ],
    [
      'may lose a point when one recovers',
      [
        [1, 1, 1],
        [0, 1],
      ],
      [46, 0],
      [46, 8],
    ],
    [
      'a total below 100 is scaled up',
      [
        [25, 0, 75],
        [20, 0, 80],
        [20, 0, 80],
      ],
      [40, 30, 30],
      [0, 0, 0],
    ],
    ['degraded hosts come after healthy ones', [[25, 65, 10]], [35], [65]],
    [
      'and in order of priority',
      [
        [0, 1, 4],
        [0, 5],
        [1, 0, 4],
      ],
      [0, 0, 28],
      [28, 44, 0],
    ],
    // 56 and 28 of 84: 66 + 33, 1 left over.
    [
      'rounding goes to the first degraded level where nobody is healthy',
      [
        [0, 0, 5],
        [0, 2, 3],
        [0, 1, 4],
      ],
      [0, 0, 0],
      [0, 67, 33],
    ],
  ])('%s', (_, censuses, healthy, degraded) => {
    const { load } = stateOf(censuses, 0);
    expect(load).toEqual({ healthy, degraded });
  });

  it('counts weights where the cluster asks for it', () => {
    const hosts = [...hostsOf(2, { weight: 3 }), ...hostsOf(2, { weight: 2, flags: UNHEALTHY })];
    const hostSets = [
      level(hosts, { weightedPriorityHealth: true, overprovisioningFactor: 100 }),
      level(hostsOf(1), { priority: 1, weightedPriorityHealth: true, overprovisioningFactor: 100 }),
    ];
    let state = emptyPriorityState();
    for (const { priority } of hostSets) state = priorityState(state, hostSets, priority, 50, '1.40');
    expect(state.load.healthy).toEqual([60, 40]);
  });

  it('falls with no recovery, but for the point that a host costs which was degraded before', () => {
    const censuses = [1, 3, 6].flatMap((size) =>
      upTo(size).flatMap((healthy) =>
        upTo(size - healthy).map((degraded): Census => [healthy, degraded, size - healthy - degraded]),
      ),
    );
    const fallen: unknown[] = [];
    let lost = 0;
    for (const [healthy, degraded = 0, unhealthy = 0] of censuses) {
      for (const other of censuses) {
        // Where nobody can be asked, level 0 stands for all.
        if (healthy + degraded + other[0] + (other[1] ?? 0) === 0) continue;
        for (const priority of [0, 1]) {
          const loadOf = (census: Census): { readonly healthy: number; readonly total: number } => {
            const { load } = stateOf(priority === 0 ? [census, other] : [other, census], 0);
            const [first = 0, second = 0] = [load.healthy[priority], load.degraded[priority]];
            return { healthy: first, total: first + second };
          };
          const before = loadOf([healthy, degraded, unhealthy]);
          for (const census of unhealthy > 0
            ? [[healthy + 1, degraded] as const, [healthy, degraded + 1] as const]
            : []) {
            if (loadOf([...census, unhealthy - 1]).total < before.total)
              fallen.push({ before, census, other, priority });
          }
          if (degraded === 0) continue;
          const after = loadOf([healthy + 1, degraded - 1, unhealthy]);
          if (after.total < before.total) lost++;
          if (after.healthy < before.healthy || after.total < before.total - 1)
            fallen.push({ before, after, other, priority });
        }
      }
    }
    expect(fallen).toEqual([]);
    expect(lost).toBeGreaterThan(0);
  });

  it('sums to 100, and reaches only levels with hosts, unless panic is off and nobody is there', () => {
    const census: fc.Arbitrary<Census> = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6), fc.nat(3));
    fc.assert(
      fc.property(
        fc.array(census, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(0, 1, 50, 100),
        fc.constantFrom<ProxyVersion>('1.12', '1.14', '1.40'),
        (censuses, threshold, version) => {
          const { load, panic } = stateOf(censuses, threshold, version);
          const available = censuses.some(([healthy, degraded]) => healthy + (degraded ?? 0) > 0);
          fc.pre(available);
          const total = [...load.healthy, ...load.degraded].reduce((sum, share) => sum + share, 0);
          expect(total).toBe(100);
          censuses.forEach(([healthy, degraded = 0, unhealthy = 0, excluded = 0], priority) => {
            if (healthy + degraded + unhealthy + excluded === 0) expect(load.healthy[priority]).toBe(0);
            if (degraded === 0) expect(load.degraded[priority]).toBe(0);
            if (healthy === 0 && panic[priority] === false) expect(load.healthy[priority]).toBe(0);
          });
        },
      ),
    );
  });
});

describe('panic', () => {
  it('asks for less than the threshold, and for a total below 100', () => {
    // 50 % is not below 50 %.
    expect(stateOf([[50, 0, 50]]).panic).toEqual([false]);
    expect(stateOf([[49, 0, 51]]).panic).toEqual([true]);
    // 1.4 · 90 % is 100: no panic, whatever the threshold.
    expect(stateOf([[90, 0, 10]], 100).panic).toEqual([false]);
    expect(stateOf([[1, 0, 99], [100]]).panic).toEqual([false, false]);
  });

  it('compares unrounded numbers', () => {
    // 4975 of 10000 is 49.75 %.
    expect(stateOf([[199, 0, 201]]).panic).toEqual([true]);
  });

  it('counts degraded hosts as available', () => {
    expect(stateOf([[25, 25, 50]]).panic).toEqual([false]);
  });

  it('spreads the load by hosts when every level panics', () => {
    const { load, panic } = stateOf([
      [0, 0, 5],
      [2, 0, 4],
      [1, 0, 2],
    ]);
    expect(panic).toEqual([true, true, true]);
    // 5, 6 and 3 of 14: 35 + 42 + 21, and 2 left over for the first.
    expect(load).toEqual({ healthy: [37, 42, 21], degraded: [0, 0, 0] });
  });

  it('leaves the load alone before 1.14', () => {
    const { load, panic } = stateOf(
      [
        [1, 0, 4],
        [1, 0, 4],
        [1, 0, 4],
      ],
      50,
      '1.12',
    );
    expect(panic).toEqual([true, true, true]);
    // 28 of 84 each.
    expect(load.healthy).toEqual([34, 33, 33]);
  });

  it('before 1.14 sends everything to level 0 when nobody is available', () => {
    const { load, panic } = stateOf(
      [
        [0, 0, 1],
        [0, 0, 3],
      ],
      50,
      '1.12',
    );
    expect(load.healthy).toEqual([100, 0]);
    expect(panic).toEqual([true, false]);
  });

  it('before 1.14 a threshold of 0 is no panic even then', () => {
    const { load, panic } = stateOf(
      [
        [0, 0, 1],
        [0, 0, 3],
      ],
      0,
      '1.12',
    );
    expect(load.healthy).toEqual([100, 0]);
    expect(panic).toEqual([false, false]);
  });

  it('keeps the old loads behind level 0 when nobody is left and panic is off', () => {
    let state = emptyPriorityState();
    const hostSets = [levelOf(0, [1, 0, 3]), levelOf(1, [4])];
    for (const { priority } of hostSets) state = priorityState(state, hostSets, priority, 0, '1.17');
    expect(state.load.healthy).toEqual([35, 65]);
    hostSets[0] = levelOf(0, [0, 0, 4]);
    hostSets[1] = levelOf(1, [0, 0, 4]);
    for (const { priority } of hostSets) state = priorityState(state, hostSets, priority, 0, '1.17');
    expect(state.load.healthy).toEqual([100, 100]);
    expect(state.panic).toEqual([false, false]);
  });

  it('is judged from all levels at every update, their health only when they change', () => {
    let state = emptyPriorityState();
    const hostSets = [levelOf(0, [1, 0, 3]), levelOf(1, [1, 0, 3])];
    for (const { priority } of hostSets) state = priorityState(state, hostSets, priority, 50, '1.17');
    expect(state.panic).toEqual([true, true]);
    hostSets[1] = levelOf(1, [4]);
    state = priorityState(state, hostSets, 1, 50, '1.17');
    expect(state.panic).toEqual([false, false]);
    expect(state.load.healthy).toEqual([35, 65]);
  });
});

describe('choosing a priority', () => {
  const load = { healthy: [35, 0, 5], degraded: [40, 0, 20] };

  it.each([
    [0, 0],
    [34, 0],
    [35, 2],
    [39, 2],
    [40, ~0],
    [79, ~0],
    [80, ~2],
    [99, ~2],
    [134, 0],
    [135, 2],
  ])('by %i gives %i', (value, priority) => {
    expect(choosePriority(load, 0, value)).toBe(priority);
  });

  it('takes all 64 bits: 2³² mod 100 is 96', () => {
    expect(choosePriority(load, 1, 0)).toBe(~2);
    expect(choosePriority(load, 1, 4)).toBe(0);
  });

  it('takes level 0 where a foreign load ends early', () => {
    expect(choosePriority({ healthy: [0, 20], degraded: [0, 0] }, 0, 50)).toBe(0);
  });

  it('hits every level as often as its load says', () => {
    const counts = new Map<number, number>();
    for (let value = 0; value < 100; value++) {
      const priority = choosePriority(load, 0, value);
      counts.set(priority, (counts.get(priority) ?? 0) + 1);
    }
    expect([...counts]).toEqual([
      [0, 35],
      [2, 5],
      [~0, 40],
      [~2, 20],
    ]);
  });
});

it('what truncation leaves goes to the first level that has anything, be it 1 % of its hosts', () => {
  // 1.4 of 100 hosts is 1 %; a third of all that there is are 33 %.
  for (const census of [
    [1, 0, 99],
    [0, 1, 99],
  ] as const) {
    const { load } = stateOf([census, census, census], 0);
    expect(census[0] > 0 ? load.healthy : load.degraded).toEqual([34, 33, 33]);
  }
});

it('a level is described by the weights that its load was worked out of, not by later ones', () => {
  const hosts = hostsOf(2, { weight: 5 });
  const hostSet = level(hosts, { weightedPriorityHealth: true });
  const state = priorityState(emptyPriorityState(), [hostSet], 0, 50, '1.40');
  for (const host of hosts) host.weight = 1;
  expect(describePriority(hostSet, state).measured).toEqual({ healthy: 10, degraded: 0, counted: 10 });
});
