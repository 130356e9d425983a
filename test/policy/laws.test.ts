import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/host.js';
import { createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import { ListBalancer } from '../../src/hostset/list-balancer.js';
import type { LoadBalancer } from '../../src/hostset/load-balancer.js';
import type { ListPolicy } from '../../src/policy/list-policy.js';
import type { ListPolicyConfig } from '../../src/policy/registry.js';
import { ringHash } from '../../src/policy/ring-hash.js';
import type { RingHashConfig, RingTable } from '../../src/policy/ring-hash.js';
import { roundRobin } from '../../src/policy/round-robin.js';
import type { TablePolicy } from '../../src/policy/table-policy.js';
import type { BalancerUnderTest } from './laws.js';
import {
  buildsPureTables,
  byWeight,
  dividesItsEntries,
  drawBound,
  evenly,
  findsEligibleHosts,
  followsShares,
  looksUpItsHosts,
  movesOnlyLostKeys,
  picksEligibleHosts,
  picksPresentHosts,
  repeatsItself,
  scheduleBound,
} from './laws.js';

/** Each law must be able to fail: here is an implementation that breaks it, and as a rule only it. */

function around<State>(policy: ListPolicy<ListPolicyConfig, State>): BalancerUnderTest {
  return {
    lbPolicy: 'ROUND_ROBIN',
    version: '1.17',
    create: (config, env) => new ListBalancer(config, env, policy),
  };
}

/** The real balancer, with what it hands out changed. */
function tampered(change: (host: Host | undefined, hosts: readonly Host[]) => Host | undefined): BalancerUnderTest {
  return {
    lbPolicy: 'ROUND_ROBIN',
    version: '1.17',
    create: (config, env): LoadBalancer => {
      const inner = createPolicyBalancer(config, env);
      const everybody: Host[] = [];
      return {
        update(hostSet, added, removed) {
          everybody.push(...hostSet.hosts);
          inner.update(hostSet, added, removed);
        },
        updateLocalCluster: (hostSet) => inner.updateLocalCluster(hostSet),
        choose(request, decision) {
          inner.choose(request, decision);
          decision.host = change(decision.host, everybody);
        },
        describe: () => inner.describe(),
      };
    },
  };
}

describe('a law fails', () => {
  it('a policy that keeps state outside of its balancer', () => {
    let next = 0;
    const forgetful = around({
      ...roundRobin,
      choose: (_state, _source, hosts) => (hosts.length === 0 ? -1 : next++ % hosts.length),
    });
    expect(() => repeatsItself(forgetful)).toThrow(/Property failed/);
    expect(() => picksEligibleHosts(forgetful)).not.toThrow();
  });

  it('a policy that goes on using a host that has left', () => {
    const loyal = tampered((host, everybody) => host && everybody[0]);
    expect(() => picksPresentHosts(loyal)).toThrow(/Property failed/);
  });

  it('a policy that does not look at health', () => {
    const blind = tampered((host) => host);
    const create = blind.create;
    const careless: BalancerUnderTest = {
      ...blind,
      create: (config, env) => {
        const inner = create(config, env);
        return {
          update: (hostSet, added, removed) => inner.update({ ...hostSet, healthy: hostSet.hosts }, added, removed),
          updateLocalCluster: (hostSet) => inner.updateLocalCluster(hostSet),
          choose: (request, decision) => inner.choose(request, decision),
          describe: () => inner.describe(),
        };
      },
    };
    expect(() => picksEligibleHosts(careless)).toThrow(/Property failed/);
    expect(() => picksPresentHosts(careless)).not.toThrow();
    expect(() => repeatsItself(careless)).not.toThrow();
  });

  it('a policy that loses a request now and then', () => {
    const lossy = around({
      ...roundRobin,
      choose: (state, source, hosts, input) => {
        const index = roundRobin.choose(state, source, hosts, input);
        return index === 2 ? -1 : index;
      },
    });
    expect(() => findsEligibleHosts(lossy)).toThrow(/Property failed/);
    expect(() => picksEligibleHosts(lossy)).not.toThrow();
  });

  it('a policy that does not look at weights', () => {
    const weightless = around({
      ...roundRobin,
      refresh: (state, source, hosts) => roundRobin.refresh(state, source, hosts.slice(0, 1)),
    });
    expect(() => followsShares(weightless, { shares: byWeight, bound: scheduleBound })).toThrow(/Property failed/);
    expect(() => followsShares(weightless, { shares: evenly, bound: scheduleBound })).not.toThrow();
  });

  it('a policy that favours the first host a little', () => {
    const biased = around<number>({
      name: 'BIASED',
      start: () => 0,
      refresh: () => undefined,
      choose: (_state, _source, hosts, { random }) => {
        random.next();
        return hosts.length === 0 ? -1 : Math.max(0, (random.lo % (hosts.length + 1)) - 1);
      },
    });
    expect(() => followsShares(biased, { shares: evenly, bound: drawBound })).toThrow(/Property failed/);
    expect(() => repeatsItself(biased)).not.toThrow();
  });
});

const config = (minimumRingSize: number): RingHashConfig => ({
  minimumRingSize,
  maximumRingSize: 8388608,
  hashFunction: 'XX_HASH',
});
const entriesPerHost = (table: RingTable): ArrayLike<number> => table.entriesPerHost;

function ringWith(changes: Partial<TablePolicy<RingHashConfig, RingTable>>): {
  policy: TablePolicy<RingHashConfig, RingTable>;
  config: RingHashConfig;
  entriesPerHost: typeof entriesPerHost;
} {
  return { policy: { ...ringHash, ...changes }, config: config(64), entriesPerHost };
}

describe('a law of tables fails', () => {
  it('a build that depends on the builds before it', () => {
    let builds = 0;
    const impure = ringWith({ build: (hosts) => ringHash.build(hosts, config(64 + 64 * builds++)) });
    expect(() => buildsPureTables(impure)).toThrow(/Property failed/);
    expect(() => looksUpItsHosts(impure)).not.toThrow();
  });

  it('a build that writes over the table before', () => {
    const hosts = new Uint32Array(4096);
    const reusing = ringWith({
      build: (weighted, options) => {
        const table = ringHash.build(weighted, options);
        hosts.set(table.entriesPerHost);
        return { ...table, entriesPerHost: hosts.subarray(0, table.entriesPerHost.length) };
      },
    });
    expect(() => buildsPureTables(reusing)).toThrow(/Property failed/);
  });

  it('a build that sorts the hosts it was given', () => {
    const meddling = ringWith({
      build: (hosts, options) => {
        const table = ringHash.build(hosts, options);
        hosts.weights.sort();
        return table;
      },
    });
    expect(() => buildsPureTables(meddling)).toThrow(/Property failed/);
  });

  it('a lookup past the end', () => {
    const open = ringWith({
      choose: (table, hi) => (table.entryCount === 0 ? -1 : (hi >>> 8) % (table.entriesPerHost.length + 1)),
    });
    expect(() => looksUpItsHosts(open)).toThrow(/Property failed/);
  });

  it('entries without regard to weights', () => {
    const flat = ringWith({
      build: (hosts, options) =>
        ringHash.build({ ...hosts, weights: hosts.weights.map(() => 1 / hosts.keys.length) }, options),
    });
    expect(() => dividesItsEntries(flat, () => 1)).toThrow(/Property failed/);
    expect(() => looksUpItsHosts(flat)).not.toThrow();
  });

  it('a lookup that counts hosts instead of walking the circle', () => {
    const modulo = ringWith({ choose: (table, hi) => hi % table.entriesPerHost.length });
    expect(() => movesOnlyLostKeys(modulo, (hosts) => config(16 * hosts))).toThrow(/Property failed/);
  });

  it('a ring of fixed size: its condition does not hold', () => {
    expect(() => movesOnlyLostKeys(ringWith({}), () => config(64))).toThrow(/Property failed/);
  });
});
