import { describe, expect, it } from 'vitest';
import { maglev } from '../../src/policy/maglev.js';
import { ringHash } from '../../src/policy/ring-hash.js';
import {
  buildMaglev,
  buildRing,
  choosePriority,
  chooseZone,
  HealthFlag,
  Host,
  level,
  listPicker,
  maglevHost,
  mergeWindow,
  movedKeys,
  priorityLoad,
  ringEntries,
  ringHost,
  roundRobinPicker,
  ScriptedRandom,
  seededStream,
  subsets,
  weightedHosts,
  weightedTurns,
  zoneRouting,
} from '../../src/policies/index.js';
import { RandomStreams } from '../../src/random/streams.js';

const keys = (count: number): string[] => Array.from({ length: count }, (_, i) => `10.0.0.${i + 1}:80`);
const hosts = (count: number): Host[] => keys(count).map((address) => new Host({ address }));

describe('tables', () => {
  it('are those of the simulation', () => {
    const weighted = weightedHosts(keys(5), [1, 2, 3, 4, 5]);
    const config = { minimumRingSize: 64, maximumRingSize: 8388608, hashFunction: 'MURMUR_HASH_2' } as const;
    expect(buildRing(weighted, config)).toEqual(ringHash.build(weighted, config));
    const own = { tableSize: 101, sortByKey: true, singleHostShortcut: false };
    expect(buildMaglev(weighted, { tableSize: 101 })).toEqual(maglev.build(weighted, own));
  });

  it('list their entries in order', () => {
    const ring = buildRing(weightedHosts(keys(3)), { minimumRingSize: 9 });
    const entries = [...ringEntries(ring)];
    expect(entries).toHaveLength(9);
    for (const { hi, lo, host } of entries) expect(ringHost(ring, { hi, lo })).toBe(host);
    expect([...entries].sort((a, b) => a.hi - b.hi || a.lo - b.lo)).toEqual(entries);
  });

  it.each([
    ['ring', (of: string[]) => buildRing(weightedHosts(of), { minimumRingSize: of.length * 100 })],
    ['Maglev', (of: string[]) => buildMaglev(weightedHosts(of), { tableSize: 1009, singleHostShortcut: true })],
  ] as const)('%s: moved keys are those of the lost host, all of them without hosts, none at rest', (kind, build) => {
    const [all, left] = [keys(5), keys(5).slice(1)];
    const before = build(all);
    expect(movedKeys(before, all, build(all), all)).toBe(0);
    const moved = movedKeys(before, all, build(left), left);
    const lost = kind === 'ring' ? ringHash.keyShares(before as never)[0] : maglev.keyShares(before as never)[0];
    expect(moved).toBeGreaterThanOrEqual((lost ?? NaN) - 1e-9);
    expect(moved).toBeLessThan((lost ?? NaN) + (kind === 'ring' ? 1e-9 : 0.05));
    expect(movedKeys(before, all, build([]), [])).toBe(1);
    expect(movedKeys(build([]), [], build([]), [])).toBe(0);
    const alone = all.slice(0, 1);
    expect(movedKeys(build(alone), alone, before, all)).toBeCloseTo(1 - (lost ?? NaN), 6);
  });

  it('without hosts give none', () => {
    expect(ringHost(buildRing(weightedHosts([])), { hi: 1, lo: 2 })).toBe(-1);
    expect(maglevHost(buildMaglev(weightedHosts([])), { hi: 1, lo: 2 })).toBe(-1);
  });

  it.each([
    [() => buildRing(weightedHosts(keys(2)), { minimumRingSize: 0.5 }), 'a ring has 0 to 8388608 entries, not 0.5'],
    [
      () => buildRing(weightedHosts(keys(2)), { maximumRingSize: 10 }),
      'minimumRingSize 1024 is above maximumRingSize 10',
    ],
    [() => buildMaglev(weightedHosts(keys(2)), { tableSize: 100 }), 'prime number of slots up to 5000011, not 100'],
    [() => weightedHosts(['a'], [0]), "a host's weight is a number above 0, not 0"],
    [() => weightedHosts(['a'], [NaN]), "a host's weight is a number above 0, not NaN"],
    [() => weightedHosts(['a', 'b'], [1]), '2 keys need as many weights, not 1'],
    [() => weightedTurns([1, -1]), 'a weight is a number above 0, not -1'],
    [() => mergeWindow(-1), 'a merge window takes 0 µs or more, not -1'],
    [() => priorityLoad([level([], { priority: 1 })]), 'level 0 says that its priority is 1'],
    [
      () => movedKeys(buildRing(weightedHosts(['a'])), ['a'], buildMaglev(weightedHosts(['a'])), ['a']),
      'cannot be compared',
    ],
    [
      () =>
        movedKeys(buildMaglev(weightedHosts(['a']), { tableSize: 7 }), ['a'], buildMaglev(weightedHosts(['a'])), ['a']),
      'tables of 7 and 65537 slots',
    ],
  ])('%s', (call, message) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(message);
  });
});

describe('pickers', () => {
  it('go on after an update, with the hosts that are there then', () => {
    const [a, b, c] = hosts(3) as [Host, Host, Host];
    const turns = roundRobinPicker([a, b, c], new ScriptedRandom([]));
    expect([turns.pick(), turns.pick()]).toEqual([0, 1]);
    turns.update([a, b]);
    expect([turns.pick(), turns.pick(), turns.pick()]).toEqual([0, 1, 0]);
    a.weight = 3;
    turns.update([a, b]);
    const picks = Array.from({ length: 8 }, () => turns.pick());
    expect(picks.filter((index) => index === 0)).toHaveLength(6);
    turns.update([]);
    expect(turns.pick()).toBe(-1);
  });

  it('grow new hosts, by the clock that they are given', () => {
    const clock = { nowUs: 0 };
    const [a, b] = hosts(2) as [Host, Host];
    const slowStart = { windowMs: 10_000, aggression: { defaultValue: 1, runtimeKey: '' }, minWeightPercent: 10 };
    const turns = roundRobinPicker([a], new ScriptedRandom([]), { slowStart, clock });
    clock.nowUs = 60_000_000;
    turns.update([a, b]);
    const share = (): number => Array.from({ length: 100 }, () => turns.pick()).filter((index) => index === 1).length;
    expect(share()).toBeLessThan(15);
    clock.nowUs = 80_000_000;
    expect(share()).toBeGreaterThan(40);
  });

  it('take policies of others, and tell them who is new', () => {
    const added: string[][] = [];
    const policy = {
      name: 'LAST',
      start: () => null,
      refresh: () => undefined,
      hostsAdded: (_: null, list: readonly Host[]) => added.push(list.map(({ address }) => address)),
      choose: (_: null, _source: number, list: readonly Host[]) => list.length - 1,
    };
    const [a, b] = hosts(2) as [Host, Host];
    const last = listPicker(policy, {}, [a], new ScriptedRandom([]));
    expect(last.pick()).toBe(0);
    last.update([a, b]);
    expect(last.pick()).toBe(1);
    expect(added).toEqual([[a.address], [b.address]]);
  });
});

describe('levels', () => {
  const failing = (count: number, failed: number): Host[] =>
    hosts(count).map(
      (host, i) => new Host({ address: host.address, flags: i < failed ? HealthFlag.FAILED_ACTIVE_HC : 0 }),
    );

  it('all in panic share load by the number of their hosts', () => {
    const state = priorityLoad([level(failing(3, 3)), level(failing(1, 1), { priority: 1 })]);
    expect(state.panic).toEqual([true, true]);
    expect(state.load.healthy).toEqual([75, 25]);
    expect([0, 74, 75, 99].map((lo) => choosePriority(state.load, 0, lo))).toEqual([0, 0, 1, 1]);
  });

  it('follow the threshold and the version that are asked for', () => {
    const one = [level(failing(10, 6))];
    expect(priorityLoad(one).panic).toEqual([true]);
    expect(priorityLoad(one, { healthyPanicThreshold: 40 }).panic).toEqual([false]);
    const none = [level(failing(2, 2)), level(failing(2, 2), { priority: 1 })];
    expect(priorityLoad(none).panic).toEqual([true, true]);
    expect(priorityLoad(none, { version: '1.12' }).panic).toEqual([true, false]);
  });

  it('without enough hosts or zones are not routed by zone', () => {
    const routing = zoneRouting(level(hosts(3)), level(hosts(3)));
    expect(routing).toMatchObject({ state: 'none', gate: 'upstream-zones' });
    expect(chooseZone(routing, new ScriptedRandom([]))).toBe(-1);
  });
});

describe('subsets', () => {
  it('follow the fallbacks of selectors and of the cluster', () => {
    const { choose, inDefault, of } = subsets({
      selectors: [{ keys: ['a', 'b'], fallbackPolicy: 'KEYS_SUBSET', fallbackKeysSubset: ['a'] }, { keys: ['a'] }],
      fallbackPolicy: 'DEFAULT_SUBSET',
      defaultSubset: { a: 1 },
      listAsAny: true,
    });
    expect(of({ a: [1, 2], b: 3 })).toEqual(['"a":1,"b":3', '"a":2,"b":3', '"a":1', '"a":2']);
    expect(inDefault({ a: [1, 2] })).toBe(true);
    const exists = (subset: string): boolean => subset === '"a":1';
    expect(choose({ a: 1, b: 9 }, exists)).toMatchObject({
      kind: 'subset',
      step: { subset: '"a":1', fallback: 'KEYS_SUBSET {a: 1}' },
    });
    expect(choose({ a: 7 }, exists)).toEqual({ kind: 'default', fallback: 'cluster DEFAULT_SUBSET' });
    expect(choose(undefined, exists).kind).toBe('default');
  });
});

it('streams are those of a run with the same seed', () => {
  const [own, run] = [seededStream('7', 'balancer/edge/1/web'), new RandomStreams('7').stream('balancer/edge/1/web')];
  for (let i = 0; i < 5; i++) expect(own.uniform()).toBe(run.uniform());
});
