import { describe, expect, it } from 'vitest';
import { happeningText } from '../../../src/words/happenings.js';
import { type ProxyVersion, quirksOf } from '../../../src/core/version.js';
import { MembershipStats } from '../../../src/core/generated/counts.js';
import { NOWHERE } from '../../../src/host/host.js';
import { ScriptedRandom } from '../../../src/random/random64.js';
import type { DnsAnswer } from '../../../src/settings/world.js';
import {
  addEndpoints,
  EMPTY_ASSIGNMENT,
  type EndpointState,
  type NameAnswer,
} from '../../../src/settings/assignment.js';
import { discoverByDns } from '../../../src/upstream/discovery/dns-discovery.js';
import { Resolver } from '../../../src/upstream/discovery/resolver.js';

const SECOND = 1_000_000;

function named(address: string, hostname = ''): EndpointState {
  return { address, hostname, weight: 1, status: 'UNKNOWN', metadata: {} };
}

function answers(map: Record<string, readonly string[] | 'fail'>): ReadonlyMap<string, DnsAnswer> {
  return new Map(
    Object.entries(map).map(([name, addresses]): [string, DnsAnswer] => [
      name,
      addresses === 'fail' ? { fail: true } : { addresses, ttlUs: undefined },
    ]),
  );
}

/** Virtual time with a resolver in it, and everything that a cluster announced. */
function setUp(first: Record<string, readonly string[] | 'fail'>) {
  const clock = { nowUs: 0 };
  const due: { timeUs: number; callback: () => void }[] = [];
  const resolver = new Resolver(answers(first));
  return {
    resolver,
    stats: new MembershipStats(),
    events: [] as string[],
    env: {
      resolver,
      clock,
      schedule: (timeUs: number, callback: () => void) => void due.push({ timeUs, callback }),
      random: () => new ScriptedRandom([]),
    },
    runUntil(timeUs: number): void {
      for (;;) {
        due.sort((a, b) => a.timeUs - b.timeUs);
        const next = due[0];
        if (next === undefined || next.timeUs > timeUs) break;
        due.shift();
        clock.nowUs = next.timeUs;
        next.callback();
      }
      clock.nowUs = timeUs;
    },
  };
}

type World = ReturnType<typeof setUp>;

const settings = {
  family: 'AUTO',
  refreshUs: SECOND,
  failure: undefined,
  respectTtl: false,
} as const;

function shown({ endpoints }: NameAnswer): string {
  return endpoints.map(({ address, hostname }) => `${address}=${hostname}`).join(' ');
}

function discovery(
  world: World,
  type: 'STRICT_DNS' | 'LOGICAL_DNS',
  priority: number,
  endpoints: readonly EndpointState[],
  version: ProxyVersion,
) {
  const { env, events, stats } = world;
  const assignment = addEndpoints(EMPTY_ASSIGNMENT, priority, NOWHERE, endpoints);
  let why = '';
  const upstream = {
    membership: stats,
    applyName: (found: NameAnswer) =>
      void events.push(`${found.name.address.replace(/:\d+$/, '')}: ${shown(found)} | ${why}`),
    setLogicalHost: (found: NameAnswer) => void events.push(`found ${shown(found)} | ${why}`),
    keepLogicalHost: (known: NameAnswer) => void events.push(`known ${shown(known)}`),
  };
  return discoverByDns({ type, settings: { dns: settings }, assignment }, () => upstream, quirksOf(version), env, {
    found: (cause, apply) => {
      why = cause === undefined ? '' : happeningText(cause);
      apply();
    },
    moved: (address, cause) => events.push(`moved to ${address} | ${happeningText(cause)}`),
    answeredInVain: () => events.push('in vain'),
  });
}

function strict(world: World, endpoints: readonly EndpointState[], version: ProxyVersion = '1.17') {
  return discovery(world, 'STRICT_DNS', 0, endpoints, version);
}

function logical(world: World, endpoint: EndpointState, version: ProxyVersion = '1.17') {
  return discovery(world, 'LOGICAL_DNS', 3, [endpoint], version);
}

describe('STRICT_DNS', () => {
  it('makes a host of every address, which keeps the name it was found by', () => {
    const world = setUp({ 'a.test': ['10.0.0.1', '10.0.0.2'] });
    strict(world, [named('a.test:80')]).start();
    expect(world.events).toEqual([
      'a.test: 10.0.0.1:80=a.test 10.0.0.2:80=a.test | a.test: 10.0.0.1:80, 10.0.0.2:80 added',
    ]);
  });

  it('lets an endpoint state its own hostname, and writes IPv6 in brackets', () => {
    const world = setUp({ 'a.test': ['2001:db8::1'] });
    strict(world, [named('a.test:80', 'public.test')]).start();
    expect(world.events).toEqual(['a.test: [2001:db8::1]:80=public.test | a.test: [2001:db8::1]:80 added']);
  });

  it('takes in each name by itself, so that one answer leaves the hosts of the others', () => {
    const world = setUp({ 'a.test': ['10.0.0.1'], 'b.test': ['10.0.0.1'] });
    strict(world, [named('a.test:80'), named('b.test:80')]).start();
    expect(world.events).toEqual([
      'a.test: 10.0.0.1:80=a.test | a.test: 10.0.0.1:80 added',
      'b.test: 10.0.0.1:80=b.test | b.test: 10.0.0.1:80 added',
    ]);
    world.events.length = 0;
    world.resolver.replace(answers({ 'a.test': ['10.0.0.1'], 'b.test': ['10.0.0.9'] }));
    world.runUntil(SECOND);
    expect(world.events).toEqual([
      'a.test: 10.0.0.1:80=a.test | ',
      'b.test: 10.0.0.9:80=b.test | b.test: 10.0.0.9:80 added, 10.0.0.1:80 gone',
    ]);
    expect(world.stats).toMatchObject({ updateAttempt: 4, updateSuccess: 4, updateFailure: 0 });
  });

  it('keeps its hosts when a query fails, and loses them when the name is gone', () => {
    const world = setUp({ 'a.test': ['10.0.0.1'] });
    strict(world, [named('a.test:80')]).start();
    world.resolver.replace(answers({ 'a.test': 'fail' }));
    world.runUntil(SECOND);
    world.resolver.replace(answers({}));
    world.runUntil(2 * SECOND);
    expect(world.events.slice(1)).toEqual(['in vain', 'a.test:  | a.test: 10.0.0.1:80 gone, none left']);
    expect(world.stats).toMatchObject({ updateAttempt: 3, updateSuccess: 2, updateFailure: 1 });
  });

  it('takes an empty answer for a failure before 1.14', () => {
    const world = setUp({ 'a.test': [] });
    strict(world, [named('a.test:80')], '1.12').start();
    expect(world.events).toEqual(['in vain']);
    expect(world.stats.updateFailure).toBe(1);
  });

  it('asks no more once it is stopped', () => {
    const world = setUp({ 'a.test': ['10.0.0.1'] });
    const stopped = strict(world, [named('a.test:80')]);
    stopped.start();
    stopped.stop();
    world.runUntil(10 * SECOND);
    expect(world.stats.updateAttempt).toBe(1);
  });
});

describe('LOGICAL_DNS', () => {
  it('has one host at the first address', () => {
    const world = setUp({ 'a.test': ['10.0.0.1', '10.0.0.2'] });
    logical(world, named('a.test:80')).start();
    expect(world.events).toEqual(['found 10.0.0.1:80=a.test | a.test: 10.0.0.1:80 added']);
  });

  it('moves up to 1.38 with the first address only, and keeps it through failures and empty answers', () => {
    const world = setUp({ 'a.test': ['10.0.0.1', '10.0.0.2'] });
    logical(world, named('a.test:80')).start();
    const later = [
      { 'a.test': ['10.0.0.1'] },
      { 'a.test': 'fail' as const },
      {},
      { 'a.test': ['10.0.0.2', '10.0.0.1'] },
    ];
    for (const [index, map] of later.entries()) {
      world.resolver.replace(answers(map));
      world.runUntil((index + 1) * SECOND);
    }
    expect(world.events.slice(1)).toEqual([
      'in vain',
      'in vain',
      'moved to 10.0.0.2:80 | a.test: 10.0.0.2:80 instead of 10.0.0.1:80',
    ]);
    expect(world.stats).toMatchObject({ updateAttempt: 5, updateSuccess: 3, updateFailure: 2 });
  });

  it('brings another host since 1.39 with any other list of addresses, and hears of the lists that stay', () => {
    const world = setUp({ 'a.test': ['10.0.0.1', '10.0.0.2'] });
    logical(world, named('a.test:80'), '1.40').start();
    const later = [
      { 'a.test': ['10.0.0.1', '10.0.0.2'] },
      { 'a.test': ['10.0.0.1'] },
      { 'a.test': 'fail' as const },
      {},
      { 'a.test': ['10.0.0.1'] },
      { 'a.test': ['10.0.0.2', '10.0.0.1'] },
    ];
    for (const [index, map] of later.entries()) {
      world.resolver.replace(answers(map));
      world.runUntil((index + 1) * SECOND);
    }
    expect(world.events.slice(1)).toEqual([
      'known 10.0.0.1:80=a.test',
      'found 10.0.0.1:80=a.test | a.test: other addresses, but 10.0.0.1:80 is still the first',
      'in vain',
      'in vain',
      'known 10.0.0.1:80=a.test',
      'found 10.0.0.2:80=a.test | a.test: 10.0.0.2:80 added, 10.0.0.1:80 gone',
    ]);
    expect(world.stats).toMatchObject({ updateAttempt: 7, updateSuccess: 5, updateFailure: 2 });
  });

  it('waits for its host where the first query brings none', () => {
    const world = setUp({ 'a.test': 'fail' });
    logical(world, named('a.test:80')).start();
    world.resolver.replace(answers({ 'a.test': ['10.0.0.1'] }));
    world.runUntil(SECOND);
    expect(world.events).toEqual(['in vain', 'found 10.0.0.1:80=a.test | a.test: 10.0.0.1:80 added']);
  });
});
