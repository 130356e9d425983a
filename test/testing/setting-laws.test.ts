import { describe, expect, it } from 'vitest';
import { createLoadBalancer } from '../../src/hostset/create-load-balancer.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { Host } from '../../src/host/host.js';
import type { SlowStartConfig, SubsetConfig } from '../../src/hostset/lb-config.js';
import type { LoadBalancer } from '../../src/hostset/load-balancer.js';
import { leafOf, type LoadBalancerConfig, type PolicySettings } from '../../src/testing/index.js';
import {
  boundsLoads,
  type BalancerUnderTest,
  builtInPolicy,
  forgetsHistory,
  growsNewHosts,
  hearsPriorityLoads,
  hearsRejections,
  type LbPolicy,
  obeysZoneSettings,
  panicsBelowThreshold,
  picksFromSubsets,
  spreadsLoadByAvailability,
  spreadsOverflow,
  usesItsHashFunction,
  weighsLocalitiesOfSubsets,
} from '../../src/testing/index.js';
import { reasonOf } from './falsified.js';
import { changed, withHosts } from '../support/balancing.js';

/** Balancers that are right but for one setting, which they ignore. */

describe('our own policies', () => {
  it.each(['ROUND_ROBIN', 'LEAST_REQUEST'] as const)('%s lets new hosts grow into their weight', (lbPolicy) => {
    growsNewHosts(builtInPolicy(lbPolicy, '1.40'));
  });
  it.each(['RING_HASH', 'MAGLEV'] as const)('%s bounds the loads of hosts', (lbPolicy) => {
    boundsLoads(builtInPolicy(lbPolicy));
  });
  it('RING_HASH uses its hash function', () => usesItsHashFunction(builtInPolicy('RING_HASH')));
});

interface Deafness {
  readonly config?: (policy: PolicySettings) => PolicySettings;
  readonly around?: (inner: LoadBalancer) => LoadBalancer;
}

/** A balancer of the proxy that is told less than it should be. */
function deaf({ config: change = (config) => config, around = (inner) => inner }: Deafness, lbPolicy?: LbPolicy) {
  const subject: BalancerUnderTest = {
    ...builtInPolicy(lbPolicy ?? 'ROUND_ROBIN'),
    create: (config, env) => around(createLoadBalancer(change(config), env)),
  };
  return subject;
}

const subsetOf =
  (change: Partial<SubsetConfig>) =>
  (policy: PolicySettings): PolicySettings =>
    changed(policy, (part) => (part.kind === 'subset' ? { ...part, ...change } : part));

const zonesOf =
  (change: Partial<LoadBalancerConfig['zoneAware']>) =>
  (policy: PolicySettings): PolicySettings =>
    withHosts(policy, ({ zoneAware }) => ({ zoneAware: { ...zoneAware, ...change } }));

/** The lists of a balancer, changed on their way to it. */
const told =
  (change: (hostSet: HostSet) => HostSet) =>
  (inner: LoadBalancer): LoadBalancer => ({
    update: (hostSet, added, removed) => inner.update(change(hostSet), added, removed),
    updateLocalCluster: (hostSet) => inner.updateLocalCluster(hostSet),
    choose: (request, decision) => inner.choose(request, decision),
    describe: () => inner.describe(),
  });

const askedWithout =
  (missing: Partial<Parameters<LoadBalancer['choose']>[0]>) =>
  (inner: LoadBalancer): LoadBalancer => ({
    ...told((hostSet) => hostSet)(inner),
    choose: (request, decision) => inner.choose({ ...request, ...missing }, decision),
  });

/** Each level is told of once, and again only where hosts come and go. */
function withoutChanges(): BalancerUnderTest {
  return deaf({
    around: (inner) => ({
      ...told((hostSet) => hostSet)(inner),
      update: (hostSet, added, removed) => {
        if (added.length + removed.length > 0) inner.update(hostSet, added, removed);
      },
    }),
  });
}

describe('a law fails a balancer that ignores', () => {
  it.each<[string, BalancerUnderTest, (subject: BalancerUnderTest) => void, RegExp]>([
    [
      'panic_mode_any',
      deaf({ config: subsetOf({ panicModeAny: false }) }),
      picksFromSubsets,
      /panic_mode_any takes any host$/,
    ],
    ['list_as_any', deaf({ config: subsetOf({ listAsAny: false }) }), picksFromSubsets, /^request \d+/],
    [
      'locality_weight_aware',
      deaf({ config: subsetOf({ localityWeightAware: false }) }),
      weighsLocalitiesOfSubsets,
      /locality_weight_aware is true/,
    ],
    [
      'that subsets do not know locality weights by themselves',
      deaf({ config: subsetOf({ localityWeightAware: true }) }),
      weighsLocalitiesOfSubsets,
      /locality_weight_aware is false/,
    ],
    [
      'scale_locality_weight',
      deaf({ config: subsetOf({ scaleLocalityWeight: false }) }),
      weighsLocalitiesOfSubsets,
      /scale_locality_weight true$/,
    ],
    ['min_cluster_size', deaf({ config: zonesOf({ minClusterSize: 1 }) }), obeysZoneSettings, /stayed in the zone/],
    [
      'routing_enabled',
      deaf({ config: zonesOf({ routingEnabled: 100 }) }),
      obeysZoneSettings,
      /routing_enabled (0|30) %/,
    ],
    [
      'the panic of the local cluster',
      deaf({
        around: (inner) => ({
          ...told((hostSet) => hostSet)(inner),
          updateLocalCluster: (local) => inner.updateLocalCluster({ ...local, hosts: local.healthy }),
        }),
      }),
      obeysZoneSettings,
      /callers are down$/,
    ],
    [
      'slow start',
      deaf({ config: (policy) => withHosts(policy, () => ({ slowStart: undefined })) }),
      growsNewHosts,
      /of the slow start window/,
    ],
    [
      'hash_balance_factor',
      deaf(
        {
          config: (policy) =>
            withHosts(policy, ({ consistentHashing }) => ({
              consistentHashing: { ...consistentHashing, hashBalanceFactor: 0 },
            })),
        },
        'RING_HASH',
      ),
      boundsLoads,
      /are its bound$/,
    ],
    [
      'the hash function',
      deaf(
        {
          config: (policy) =>
            withHosts(policy, ({ ringHash }) => ({ ringHash: { ...ringHash, hashFunction: 'XX_HASH' } })),
        },
        'RING_HASH',
      ),
      usesItsHashFunction,
      /^64 keys lead to the same hosts/,
    ],
    [
      'retry host predicates',
      deaf({ around: askedWithout({ rejects: undefined }) }),
      hearsRejections,
      /which its caller rejects/,
    ],
    [
      'the last of its further selections',
      deaf({ around: askedWithout({ hostSelectionRetryCount: 4 }) }),
      hearsRejections,
      /after 5 of 6 selections$/,
    ],
    [
      'one point of the panic threshold',
      deaf({
        config: (policy) =>
          withHosts(policy, ({ healthyPanicThreshold: own }) => ({ healthyPanicThreshold: Math.max(0, own - 1) })),
      }),
      panicsBelowThreshold,
      /the threshold is 34 %$/,
    ],
    [
      'retry host predicates, and hashes',
      deaf({ around: askedWithout({ rejects: undefined }) }, 'MAGLEV'),
      hearsRejections,
      /which its caller rejects/,
    ],
    [
      'retry priorities',
      deaf({ around: askedWithout({ priorityLoad: undefined }) }),
      hearsPriorityLoads,
      /gives it \d+ %$/,
    ],
    [
      'that new hosts do not count',
      deaf({ around: told((hostSet) => ({ ...hostSet, excluded: [] })) }),
      spreadsLoadByAvailability,
      /^priority \d gets/,
    ],
  ])('%s', async (_, wrong, law, reason) => {
    expect(await reasonOf(() => law(wrong))).toMatch(reason);
  });

  it.each<[string, Partial<SlowStartConfig>]>([
    ['the aggression of slow start', { aggression: { defaultValue: 1, runtimeKey: '' } }],
    ['its least weight', { minWeightPercent: 10 }],
  ])('%s', async (_, kept) => {
    const wrong = deaf({
      config: (policy) => withHosts(policy, ({ slowStart }) => ({ slowStart: slowStart && { ...slowStart, ...kept } })),
    });
    expect(await reasonOf(() => growsNewHosts(wrong))).toMatch(/of the slow start window/);
  });

  it('that what a full host cannot take is everybody’s', async () => {
    const next: BalancerUnderTest = {
      ...builtInPolicy('RING_HASH'),
      create: (config, env) => {
        const { consistentHashing } = leafOf(config);
        const unbound = withHosts(config, () => ({
          consistentHashing: { ...consistentHashing, hashBalanceFactor: 0 },
        }));
        const inner = createLoadBalancer(unbound, env);
        let others: readonly Host[] = [];
        return {
          ...told((hostSet) => hostSet)(inner),
          update: (hostSet, added, removed) => {
            others = hostSet.hosts.filter(({ activeRequests }) => activeRequests === 0);
            inner.update(hostSet, added, removed);
          },
          choose: (request, decision) => {
            inner.choose(request, decision);
            const bounded = consistentHashing.hashBalanceFactor > 0;
            if (bounded && decision.host !== undefined && decision.host.activeRequests > 0)
              decision.host = others.at(-1);
          },
        };
      },
    };
    expect(await reasonOf(() => spreadsOverflow(next))).toMatch(
      /^of \d+ keys of .*, which is full, .* gets \d+, one of/,
    );
    for (const lbPolicy of ['RING_HASH', 'MAGLEV'] as const) spreadsOverflow(builtInPolicy(lbPolicy));
  });

  it('the hosts that were there before it', async () => {
    const blind: BalancerUnderTest = {
      ...builtInPolicy('ROUND_ROBIN', '1.40'),
      create: (config, env) => createLoadBalancer(config, { ...env, initial: [] }),
    };
    expect(await reasonOf(() => forgetsHistory(blind, { seed: 1 }))).toMatch(
      /and where the hosts were there before it as/,
    );
  });

  it('the zones of hosts that come later than its callers', async () => {
    const deafened: BalancerUnderTest = {
      ...builtInPolicy('ROUND_ROBIN', '1.40'),
      create: (config, env) => {
        const inner = createLoadBalancer(config, env);
        let isCalled = false;
        return {
          ...told((hostSet) => hostSet)(inner),
          update: (hostSet, added, removed) =>
            inner.update(isCalled ? { ...hostSet, localities: [], hasLocalLocality: false } : hostSet, added, removed),
          updateLocalCluster: (local) => {
            isCalled = true;
            inner.updateLocalCluster(local);
          },
        };
      },
    };
    expect(await reasonOf(() => forgetsHistory(deafened, { seed: 1 }))).toMatch(/"zone":/);
  });

  it('which subsets a host leaves', async () => {
    const stale = { ...withoutChanges(), version: '1.40' } as const;
    expect(await reasonOf(() => forgetsHistory(stale, { seed: 1 }))).toMatch(/and with the present hosts alone as/);
  });

  it('what becomes of the hosts of a subset', async () => {
    const stale = withoutChanges();
    expect(await reasonOf(() => picksFromSubsets(stale))).toMatch(/^request \d+, at [1-5] s,/);
  });
});
