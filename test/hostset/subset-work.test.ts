import { expect, it } from 'vitest';
import type { Struct } from '../../src/core/values.js';
import { HealthFlag, Host } from '../../src/host/host.js';
import { buildHostSet } from '../../src/hostset/build-host-set.js';
import { SubsetCluster } from './subset-cluster.js';

/** A host that tells when anything is read of it. */
class WatchedHost extends Host {
  constructor(
    address: string,
    metadata: Struct,
    private readonly seen: (host: Host) => void,
  ) {
    super({ address, metadata });
    let weight = 1;
    Object.defineProperty(this, 'weight', {
      get: () => {
        seen(this);
        return weight;
      },
      set: (value: number) => (weight = value),
    });
    let flags = 0;
    Object.defineProperty(this, 'flags', {
      get: () => {
        seen(this);
        return flags;
      },
      set: (value: number) => (flags = value),
    });
  }

  override get metadata(): Struct {
    this.seen(this);
    return super.metadata;
  }

  override set metadata(value: Struct) {
    super.metadata = value;
  }
}

const HOSTS = 10_000;

/**
 * Counts the hosts that balancers look at while they take in that one host of 10,000 is unhealthy, and the balancers inside
 * that hear of it.
 */
function workOf(cells: number): { hosts: number; subsets: number } {
  const looked = new Set<Host>();
  const told = new Set<unknown>();
  const hosts = Array.from({ length: HOSTS }, (_, i) => {
    const metadata = { cell: String(i % cells), rack: String(i % 500), version: '1' };
    return new WatchedHost(`10.0.${i >> 8}.${i & 255}:80`, metadata, (host) => looked.add(host));
  });
  const cluster = new SubsetCluster({
    version: '1.40',
    selectors: [{ keys: ['cell'] }, { keys: ['rack'] }],
    inner: (balancer) => ({
      ...balancer,
      describe: () => balancer.describe(),
      choose: (request, decision) => {
        balancer.choose(request, decision);
      },
      updateLocalCluster: (hostSet) => {
        balancer.updateLocalCluster(hostSet);
      },
      update: (hostSet, added, removed) => {
        told.add(balancer);
        balancer.update(hostSet, added, removed);
      },
    }),
  });
  const options = {
    priority: 0,
    overprovisioningFactor: 140,
    weightedPriorityHealth: false,
    nodeLocality: undefined,
    localityWeights: undefined,
  };
  const before = buildHostSet({ ...options, hosts });
  cluster.deliver(before, []);
  (hosts[1234] as Host).flags = HealthFlag.FAILED_EDS_HEALTH;
  // The lists of the whole level are made once for all balancers of a proxy.
  const after = buildHostSet({ ...options, hosts, before });
  told.clear();
  looked.clear();
  cluster.balancer.update(after, [], []);
  expect(cluster.pick({ cell: String(1234 % cells) }).host).toBeDefined();
  return { hosts: looked.size, subsets: told.size };
}

it('a host that fails costs what its subsets cost, not what the cluster does', () => {
  // Its rack of 20 hosts and its cell; the other 998 subsets, or 10,000 hosts, are nobody's business.
  expect(workOf(500)).toEqual({ hosts: 20, subsets: 2 });
  const { hosts, subsets } = workOf(100);
  expect(subsets).toBe(2);
  expect(hosts).toBeGreaterThan(20);
  expect(hosts).toBeLessThanOrEqual(100 + 20);
});

it('describes no subset to who asks for the levels alone', () => {
  let described = 0;
  const cluster = new SubsetCluster({
    version: '1.40',
    selectors: [{ keys: ['cell'] }],
    inner: (balancer) => ({
      update: (...update) => balancer.update(...update),
      updateLocalCluster: (hostSet) => balancer.updateLocalCluster(hostSet),
      choose: (...pick) => balancer.choose(...pick),
      describe: () => {
        described++;
        return balancer.describe();
      },
    }),
  });
  cluster.set(
    Array.from({ length: 50 }, (_, i) => new Host({ address: `10.0.0.${i}:80`, metadata: { cell: String(i) } })),
  );
  expect(cluster.balancer.describe().normalizedTotal).toBe(0);
  expect(described).toBe(0);
  expect(cluster.balancer.describe().subsets?.map(({ balancer }) => balancer?.priorities.length)).toHaveLength(50);
  expect(described).toBe(50);
});
