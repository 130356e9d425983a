import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/host.js';
import { createLoadBalancer } from '../../src/hostset/create-load-balancer.js';
import type { BalancerDescription, PriorityDescription } from '../../src/hostset/generated/descriptions.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { Decision, LoadBalancer, PickRequest } from '../../src/hostset/load-balancer.js';
import type { ListPolicy, TablePolicy } from '../../src/policy/policy-kinds.js';
import type { ListPolicyConfig } from '../../src/policy/registry.js';
import type { RingHashConfig, RingTable } from '../../src/policy/ring-hash.js';
import { ringHash } from '../../src/policy/ring-hash.js';
import { leastRequest } from '../../src/policy/least-request.js';
import { roundRobin } from '../../src/policy/round-robin.js';
import type { BalancerUnderTest, LawOptions, TablePolicyUnderTest } from '../../src/testing/index.js';
import {
  agreesAcrossProxies,
  BALANCER_LAWS,
  buildsPureTables,
  builtInPolicy,
  byWeight,
  dividesItsEntries,
  drawBound,
  drawsLevelsByLoad,
  evenly,
  findsEligibleHosts,
  followsLocalityWeights,
  followsShares,
  forgetsHistory,
  ignoresHostOrder,
  LawFalsified,
  listPolicyUnderTest,
  loadsSumTo100,
  looksUpItsHosts,
  movesOnlyLostKeys,
  panicsBelowThreshold,
  picksEligibleHosts,
  picksFromSubsets,
  picksPresentHosts,
  recoveryNeverLowersLoad,
  repeatsItself,
  routesZonesWithinCapacity,
  scheduleBound,
  spreadsLoadByAvailability,
  tablePolicyUnderTest,
  takesFewestOfChoices,
} from '../../src/testing/index.js';
import { reasonOf } from './falsified.js';

/**
 * Each law must be able to fail: here is an implementation that breaks it, and as a rule only it. What the law prints is
 * run, as its reader would.
 */

const SEARCH: LawOptions = { seed: 1 };

interface Changes {
  readonly pick?: (decision: Decision, everybody: readonly Host[], request: PickRequest) => void;
  readonly lists?: (hostSet: HostSet) => HostSet;
  readonly level?: (level: PriorityDescription, all: BalancerDescription) => PriorityDescription;
}

/** A balancer of the proxy, with what it takes in or hands out changed. */
function tampered({ pick, lists, level }: Changes, subject = builtInPolicy('ROUND_ROBIN')): BalancerUnderTest {
  return {
    ...subject,
    create: (config, env): LoadBalancer => {
      const inner = createLoadBalancer(config, env);
      const everybody: Host[] = [];
      return {
        update(hostSet, added, removed) {
          everybody.push(...hostSet.hosts);
          inner.update(lists?.(hostSet) ?? hostSet, added, removed);
        },
        updateLocalCluster: (hostSet) => inner.updateLocalCluster(hostSet),
        choose(request, decision) {
          inner.choose(request, decision);
          pick?.(decision, everybody, request);
        },
        describe: () => {
          const all = inner.describe();
          return { ...all, priorities: all.priorities.map((one) => level?.(one, all) ?? one) };
        },
      };
    },
  };
}

const around = <State>(policy: ListPolicy<ListPolicyConfig, State>): BalancerUnderTest => listPolicyUnderTest(policy);

describe('a law of picks fails', () => {
  it('a policy that keeps state outside of its balancer', async () => {
    let next = 0;
    const forgetful = around({
      ...roundRobin,
      choose: (_state, _source, hosts) => (hosts.length === 0 ? -1 : next++ % hosts.length),
    });
    expect(await reasonOf(() => repeatsItself(forgetful, SEARCH))).toMatch(
      /^request \d+ went to .* and in a second run/,
    );
    expect(() => picksEligibleHosts(forgetful, SEARCH)).not.toThrow();
  });

  it('a policy that goes on using a host that has left', async () => {
    const loyal = tampered({
      pick: (decision, everybody) => {
        if (decision.host !== undefined) decision.host = everybody[0];
      },
    });
    expect(await reasonOf(() => picksPresentHosts(loyal, SEARCH))).toMatch(/which is not among the hosts of priority/);
  });

  it('a policy that does not look at health', async () => {
    const careless = tampered({ lists: (hostSet) => ({ ...hostSet, healthy: hostSet.hosts }) });
    expect(await reasonOf(() => picksEligibleHosts(careless, SEARCH))).toMatch(
      /which is (unhealthy|degraded), although/,
    );
    expect(() => picksPresentHosts(careless, SEARCH)).not.toThrow();
    expect(() => repeatsItself(careless, SEARCH)).not.toThrow();
  });

  it('a policy that loses a request now and then', async () => {
    const lossy = around({
      ...roundRobin,
      choose: (state, source, hosts, input) => {
        const index = roundRobin.choose(state, source, hosts, input);
        return index === 2 ? -1 : index;
      },
    });
    expect(await reasonOf(() => findsEligibleHosts(lossy, SEARCH))).toMatch(/went to no host, where priority/);
    expect(() => picksEligibleHosts(lossy, SEARCH)).not.toThrow();
  });

  it('a policy that does not look at weights', async () => {
    const weightless = around({
      ...roundRobin,
      refresh: (state, source, hosts) => roundRobin.refresh(state, source, hosts.slice(0, 1)),
    });
    const reason = await reasonOf(() => followsShares(weightless, { shares: byWeight, bound: scheduleBound }));
    expect(reason).toMatch(/off by .*, allowed are/);
    expect(() => followsShares(weightless, { shares: evenly, bound: scheduleBound })).not.toThrow();
  });

  it('a policy that looks at weights and at nothing else', async () => {
    const stuck = around({
      ...roundRobin,
      choose: (state, source, hosts, input) =>
        hosts.every(({ weight }) => weight === 1) ? hosts.length - 1 : roundRobin.choose(state, source, hosts, input),
    });
    const reason = await reasonOf(() => followsShares(stuck, { shares: byWeight, bound: scheduleBound }));
    expect(reason).toMatch(/^host \d has/);
  });

  it('a policy that favours the first host a little', async () => {
    const biased = around<number>({
      name: 'BIASED',
      start: () => 0,
      refresh: () => undefined,
      choose: (_state, _source, hosts, { random }) => {
        random.next();
        return hosts.length === 0 ? -1 : Math.max(0, (random.lo % (hosts.length + 1)) - 1);
      },
    });
    const reason = await reasonOf(() => followsShares(biased, { shares: evenly, bound: drawBound }));
    expect(reason).toMatch(/^host 0 has/);
    expect(() => repeatsItself(biased, SEARCH)).not.toThrow();
  });

  it.each([
    ['one draw too few', 1],
    ['one draw too many', 3],
  ])('a policy of %s', async (_, choices) => {
    const other: typeof leastRequest = {
      ...leastRequest,
      choose: (state, source, hosts, input) =>
        leastRequest.choose({ ...state, config: { ...state.config, choiceCount: choices } }, source, hosts, input),
    };
    const subject = listPolicyUnderTest(other, { lbPolicy: 'LEAST_REQUEST' });
    const reason = await reasonOf(() => takesFewestOfChoices(subject));
    expect(reason).toMatch(/^host \d has \d+ of \d+ requests/);
    expect(() => takesFewestOfChoices(subject, choices)).not.toThrow();
  });

  it('a policy that breaks ties by place', async () => {
    const first: typeof leastRequest = {
      ...leastRequest,
      choose: (state, source, hosts, input) => {
        const chosen = leastRequest.choose(state, source, hosts, input);
        return hosts.findIndex((host) => host.activeRequests === hosts[chosen]?.activeRequests);
      },
    };
    const subject = listPolicyUnderTest(first, { lbPolicy: 'LEAST_REQUEST' });
    expect(await reasonOf(() => takesFewestOfChoices(subject))).toMatch(/^host \d has/);
  });

  it('a policy that throws, and says with what', async () => {
    const broken = around<null>({
      name: 'BROKEN',
      start: () => null,
      refresh: () => undefined,
      choose: (_state, _source, hosts) => {
        if (hosts.length === 3) throw new Error('three are one too many');
        return hosts.length - 1;
      },
    });
    expect(await reasonOf(() => picksPresentHosts(broken, SEARCH))).toBe('three are one too many');
  });
});

describe('a law of levels fails', () => {
  it('loads that lose what rounding takes', async () => {
    const rounding = tampered({
      level: (one, { priorities, normalizedTotal }) => {
        const sum = priorities.reduce((total, { healthyLoad }) => total + healthyLoad, 0);
        return normalizedTotal < 100 && sum === 100 ? { ...one, healthyLoad: one.healthyLoad - 1 } : one;
      },
    });
    expect(await reasonOf(() => loadsSumTo100(rounding, SEARCH))).toMatch(
      /^the loads of all levels sum to 9\d: priority 0/,
    );
    expect(() => panicsBelowThreshold(rounding, SEARCH)).not.toThrow();
  });

  it('loads that forget overprovisioning, and those that round up', async () => {
    const bare = tampered({ lists: (hostSet) => ({ ...hostSet, overprovisioningFactor: 100 }) });
    expect(await reasonOf(() => spreadsLoadByAvailability(bare, SEARCH))).toMatch(
      /^priority \d gets \d+ % for its healthy and \d+ % for its degraded hosts, expected are/,
    );
    const more = tampered({ lists: (hostSet) => ({ ...hostSet, overprovisioningFactor: 141 }) });
    expect(await reasonOf(() => spreadsLoadByAvailability(more, SEARCH))).toMatch(/hosts are healthy, \d degraded/);
    for (const subject of [bare, more]) expect(() => loadsSumTo100(subject, SEARCH)).not.toThrow();
  });

  it('levels of degraded hosts of which the first gets the rest, though it has none', async () => {
    const first = tampered({
      level: (level, { priorities }) => {
        const from = priorities.find(({ degradedLoad }) => degradedLoad > 0);
        if (from === undefined || from.priority === 0 || priorities.some(({ healthyLoad }) => healthyLoad > 0))
          return level;
        if (level.priority === 0) return { ...level, degradedLoad: 1 };
        return level.priority === from.priority ? { ...level, degradedLoad: from.degradedLoad - 1 } : level;
      },
    });
    expect(await reasonOf(() => spreadsLoadByAvailability(first, SEARCH))).toMatch(
      /^priority 0 gets 0 % for its healthy and 1 % for its degraded hosts, expected are 0 and 0 %/,
    );
    expect(() => loadsSumTo100(first, SEARCH)).not.toThrow();
  });

  it('a table that stays as long as as many hosts are there', async () => {
    const lazy: BalancerUnderTest = {
      ...builtInPolicy('RING_HASH'),
      create: (config, env) => {
        const inner = createLoadBalancer(config, env);
        const levels: HostSet[] = [];
        return {
          ...tampered({}).create(config, env),
          update(hostSet, added, removed) {
            const before = levels[hostSet.priority];
            if (before?.healthy.length === hostSet.healthy.length && before.hosts.length === hostSet.hosts.length)
              return;
            levels[hostSet.priority] = hostSet;
            inner.update(hostSet, added, removed);
          },
          choose: (request, decision) => inner.choose(request, decision),
          describe: () => inner.describe(),
        };
      },
    };
    expect(await reasonOf(() => forgetsHistory(lazy, SEARCH))).toMatch(/and with the present hosts alone/);
    expect(() => ignoresHostOrder(lazy, SEARCH)).not.toThrow();
  });

  it('a balancer that takes localities by their weight, whoever is left in them', async () => {
    const stubborn = tampered({
      lists: (hostSet) => ({
        ...hostSet,
        localities: hostSet.localities.map((group) => ({
          ...group,
          hosts: group.healthy.length > 0 ? group.healthy : group.hosts,
        })),
      }),
    });
    expect(await reasonOf(() => followsLocalityWeights(stubborn))).toMatch(
      /^zone \w has \d+ of 3000 requests, expected are .*: its weight counts as \d\.\d+ of/,
    );
    expect(() => picksEligibleHosts(stubborn, SEARCH)).not.toThrow();
  });

  it('a balancer that does what it says of no level but the first', async () => {
    const first = tampered({
      pick: (decision) => {
        decision.priority = 0;
      },
    });
    expect(await reasonOf(() => drawsLevelsByLoad(first, SEARCH))).toMatch(
      /^priority \d is drawn for its \w+ hosts \d+ times/,
    );
    expect(() => loadsSumTo100(first, SEARCH)).not.toThrow();
  });

  it.each([
    ['at the threshold already', (percent: number, threshold: number) => percent <= threshold],
    ['late, below half of it', (percent: number, threshold: number) => percent < threshold / 2],
  ])('a balancer that panics %s', async (_, panics) => {
    const nervous = tampered({
      level: (one, { normalizedTotal, panicThreshold }) => ({
        ...one,
        panic: normalizedTotal < 100 && panics(one.availablePercent, panicThreshold),
      }),
    });
    expect(await reasonOf(() => panicsBelowThreshold(nervous, SEARCH))).toMatch(
      /in panic: \d of \d hosts are available/,
    );
    expect(() => loadsSumTo100(nervous, SEARCH)).not.toThrow();
  });

  it('a balancer that spares those who have many healthy hosts', async () => {
    const gentle = tampered({
      level: (one, { priorities }) => {
        const other = priorities.find(({ priority }) => priority !== one.priority);
        const [mine, its] = [one.healthy, other?.healthy ?? 0];
        // Shifts load away from whoever has more healthy hosts.
        return { ...one, healthyLoad: 100 - Math.round((100 * mine) / Math.max(1, mine + its)) };
      },
    });
    expect(await reasonOf(() => recoveryNeverLowersLoad(gentle, SEARCH))).toMatch(
      /^the load of priority \d('s healthy hosts)? fell from/,
    );
  });

  it('but not the point that the proxy itself loses where a degraded host recovers', () => {
    // The fewest runs of this seed that meet such a host.
    expect(() => recoveryNeverLowersLoad(builtInPolicy('RANDOM', '1.40'), { seed: 1, path: '9183' })).not.toThrow();
  });

  it('a balancer whose loads follow the first host', async () => {
    const partial = tampered({
      lists: (hostSet) => ({ ...hostSet, degraded: hostSet.hosts[0]?.health === 'healthy' ? [] : hostSet.degraded }),
    });
    expect(await reasonOf(() => ignoresHostOrder(partial, SEARCH))).toMatch(/and with the hosts as/);
  });

  it('a table that each proxy salts with a draw of its own', async () => {
    const salted: BalancerUnderTest = {
      ...builtInPolicy('MAGLEV'),
      create: (config, env) => {
        env.random.next();
        const salt = env.random.lo;
        const inner = createLoadBalancer(config, env);
        return {
          update: (hostSet, added, removed) => inner.update(hostSet, added, removed),
          updateLocalCluster: (hostSet) => inner.updateLocalCluster(hostSet),
          describe: () => inner.describe(),
          choose: (request, decision) => inner.choose({ ...request, hashLo: (request.hashLo ^ salt) >>> 0 }, decision),
        };
      },
    };
    expect(await reasonOf(() => agreesAcrossProxies(salted, SEARCH))).toMatch(/^a hash leads to .* in one proxy, and/);
    expect(() => picksEligibleHosts(salted, SEARCH)).not.toThrow();
  });

  it('a table that depends on the order of hosts', async () => {
    const modulo: TablePolicy<null, { readonly size: number }> = {
      name: 'MODULO',
      build: ({ keys }) => ({ size: keys.length }),
      choose: ({ size }, _hi, lo) => (size === 0 ? -1 : lo % size),
    };
    const subject = tablePolicyUnderTest(modulo, null);
    expect(await reasonOf(() => ignoresHostOrder(subject, SEARCH))).toMatch(
      /^request \d+ went to .*, and with the hosts as/,
    );
    expect(() => picksEligibleHosts(subject, SEARCH)).not.toThrow();
  });
});

describe('a law of zones fails', () => {
  const stray = (wanted: (decision: Decision, everybody: readonly Host[]) => Host | undefined): BalancerUnderTest =>
    tampered({
      pick: (decision, everybody) => {
        decision.host = wanted(decision, everybody);
      },
    });

  it('a balancer that never leaves its zone', async () => {
    // Discovery lists the node's own zone first.
    const homely = tampered({
      lists: (hostSet) => {
        const healthy = hostSet.localities[0]?.healthy ?? [];
        const localities = hostSet.localities.map((group) => ({ ...group, hosts: healthy, healthy }));
        return { ...hostSet, localities };
      },
    });
    expect(await reasonOf(() => routesZonesWithinCapacity(homely))).toMatch(/would be rounding and chance$/);
    expect(() => picksPresentHosts(homely, SEARCH)).not.toThrow();
  });

  it('a balancer that does not know zones', async () => {
    const everywhere = tampered({ lists: (hostSet) => ({ ...hostSet, localities: [], hasLocalLocality: false }) });
    expect(await reasonOf(() => routesZonesWithinCapacity(everywhere))).toMatch(
      /room for all of its requests, and \d+/,
    );
  });

  it('a balancer that drops what crosses zones', async () => {
    const dropping = stray(({ host }, everybody) =>
      host?.locality.zone === everybody[0]?.locality.zone ? host : undefined,
    );
    expect(await reasonOf(() => routesZonesWithinCapacity(dropping))).toMatch(/only \d+ found a host$/);
  });

  it.each(['1.17', '1.40'] as const)('a balancer that spills over all zones alike, at %s', async (version) => {
    let turn = 0;
    const even = tampered(
      {
        pick: (decision, everybody) => {
          const zones = new Set(everybody.map(({ locality }) => locality.zone));
          const home = decision.host?.locality.zone;
          // Whoever leaves zone a goes to the others in turn.
          if (home !== undefined && zones.size > 2 && turn++ % 3 === 0) {
            decision.host = everybody[everybody.length - 1];
          }
        },
      },
      builtInPolicy('ROUND_ROBIN', version),
    );
    expect(await reasonOf(() => routesZonesWithinCapacity(even))).toMatch(/zone \w/);
  });
});

describe('the law of subsets fails', () => {
  const lying = (change: (decision: Decision, everybody: readonly Host[]) => void): BalancerUnderTest =>
    tampered({ pick: change });

  it('a balancer that takes any host', async () => {
    const any = lying((decision, everybody) => {
      if (decision.host !== undefined) decision.host = everybody[0];
    });
    expect(await reasonOf(() => picksFromSubsets(any, SEARCH))).toMatch(
      /which (does not match|does not allow it|is unhealthy|has left)$/,
    );
  });

  it('a balancer that falls back without a word', async () => {
    const silent = lying((decision) => {
      decision.subsetFallback = undefined;
    });
    expect(await reasonOf(() => picksFromSubsets(silent, SEARCH))).toMatch(/no fallback is named$/);
  });

  it('a balancer that falls back as nobody has asked for', async () => {
    const loose = lying((decision, everybody) => {
      if (decision.subsetFallback === undefined || decision.host !== undefined) return;
      decision.host = everybody[0];
      decision.subsetFallback = [{ kind: 'selector', policy: 'ANY_ENDPOINT' }];
    });
    expect(await reasonOf(() => picksFromSubsets(loose, SEARCH))).toMatch(/which is not what it has$/);
  });

  it('a balancer that finds nobody among all hosts', async () => {
    const shy = lying((decision) => {
      const last = decision.subsetFallback?.at(-1);
      if (last !== undefined && 'policy' in last && last.policy === 'ANY_ENDPOINT') decision.host = undefined;
    });
    expect(await reasonOf(() => picksFromSubsets(shy, SEARCH))).toMatch(/although some host is healthy$/);
  });

  it('a balancer that falls back although the subset exists', async () => {
    const hasty = lying((decision) => {
      decision.subsetFallback ??= [{ kind: 'cluster', policy: 'ANY_ENDPOINT' }];
    });
    expect(await reasonOf(() => picksFromSubsets(hasty, SEARCH))).toMatch(/although there is such a subset$/);
  });
});

const config = (minimumRingSize: number): RingHashConfig => ({
  minimumRingSize,
  maximumRingSize: 8388608,
  hashFunction: 'XX_HASH',
});

function ringWith(
  changes: Partial<TablePolicy<RingHashConfig, RingTable>>,
): TablePolicyUnderTest<RingHashConfig, RingTable> {
  return { policy: { ...ringHash, ...changes }, config: config(64), entriesPerHost: (table) => table.entriesPerHost };
}

describe('a law of tables fails', () => {
  it('a build that depends on the builds before it', async () => {
    let builds = 0;
    const impure = ringWith({ build: (hosts) => ringHash.build(hosts, config(64 + 64 * builds++)) });
    expect(await reasonOf(() => buildsPureTables(impure))).toBe('building it again gives another table');
    expect(() => looksUpItsHosts(impure)).not.toThrow();
  });

  it('a build that writes over the table before', async () => {
    const hosts = new Uint32Array(4096);
    const reusing = ringWith({
      build: (weighted, options) => {
        const table = ringHash.build(weighted, options);
        hosts.set(table.entriesPerHost);
        return { ...table, entriesPerHost: hosts.subarray(0, table.entriesPerHost.length) };
      },
    });
    expect(await reasonOf(() => buildsPureTables(reusing))).toBe('building another table changed this one');
  });

  it('a build that sorts the hosts it was given', async () => {
    const meddling = ringWith({
      build: (hosts, options) => {
        const table = ringHash.build(hosts, options);
        hosts.weights.sort();
        return table;
      },
    });
    expect(await reasonOf(() => buildsPureTables(meddling))).toMatch(/building changed the hosts|another table/);
  });

  it('a lookup past the end', async () => {
    const open = ringWith({
      choose: (table, hi) => (table.entryCount === 0 ? -1 : (hi >>> 8) % (table.entriesPerHost.length + 1)),
    });
    expect(await reasonOf(() => looksUpItsHosts(open))).toMatch(/^hash \d+, attempt \d, gives host \d+ of \d+$/);
  });

  it('entries without regard to weights', async () => {
    const flat = ringWith({
      build: (hosts, options) =>
        ringHash.build({ ...hosts, weights: hosts.weights.map(() => 1 / hosts.keys.length) }, options),
    });
    expect(await reasonOf(() => dividesItsEntries(flat, () => 1))).toMatch(/^host \d+ has \d+ of \d+ entries: off by/);
    expect(() => looksUpItsHosts(flat)).not.toThrow();
  });

  it('a lookup that counts hosts instead of walking the circle', async () => {
    const modulo = ringWith({ choose: (table, hi) => hi % table.entriesPerHost.length });
    const law = (): void => movesOnlyLostKeys(modulo, (hosts) => config(16 * hosts));
    expect(await reasonOf(law)).toMatch(/^hash \d+ moved from/);
  });

  it('a ring of fixed size: its condition does not hold', async () => {
    const law = (): void => movesOnlyLostKeys(ringWith({}), () => config(64));
    expect(await reasonOf(law)).toMatch(/^the hosts that stay had/);
  });
});

describe('what a falsified law prints', () => {
  it('is as short as it can be, and says what the balancer did', () => {
    const careless = tampered({ lists: (hostSet) => ({ ...hostSet, healthy: hostSet.hosts }) });
    let scenario = '';
    try {
      picksEligibleHosts(careless, SEARCH);
    } catch (error) {
      if (error instanceof LawFalsified) ({ scenario } = error);
    }
    expect(scenario).toMatchInlineSnapshot(`
      "# Falsified: a balancer picks eligible hosts.
      # request 0, at 0 s, went to 10.0.0.1:80, which is unhealthy, although priority 0 was drawn for its healthy hosts and is not in panic
      # Beside each request stands where the balancer under test sent it.
      name: falsified
      description: picks eligible hosts
      seed: 0
      proxies:
        - {name: proxy, version: "1.17", node: {id: proxy, cluster: callers, locality: {zone: a}}}
      clusters:
        - {name: web, connect_timeout: 0.25s, lb_policy: ROUND_ROBIN, common_lb_config: {healthy_panic_threshold: {value: 50}, update_merge_window: 0s}}
      endpoints:
        web:
          - {address: 10.0.0.1:80, zone: a, health: UNHEALTHY}
      requests:
        - {at: 0s, cluster: web}  # 10.0.0.1:80
      "
    `);
  });

  it('is repeated by its seed and path', () => {
    const careless = tampered({ lists: (hostSet) => ({ ...hostSet, healthy: hostSet.hosts }) });
    const falsified = (options: LawOptions): LawFalsified | undefined => {
      try {
        picksEligibleHosts(careless, options);
      } catch (error) {
        if (error instanceof LawFalsified) return error;
      }
      return undefined;
    };
    const first = falsified(SEARCH);
    expect(first?.replay.path).not.toBe('');
    expect(falsified(first?.replay ?? {})?.scenario).toBe(first?.scenario);
  });

  it('names every law of the list as the law itself does', () => {
    const broken = around<null>({
      name: 'BROKEN',
      start: () => null,
      refresh: () => undefined,
      choose: () => {
        throw new Error('never');
      },
    });
    for (const { name, check } of BALANCER_LAWS) {
      try {
        check(broken, SEARCH);
      } catch (error) {
        expect(error).toMatchObject({ law: name });
      }
    }
  });
});
