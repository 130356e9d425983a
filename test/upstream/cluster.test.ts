import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProxyVersion } from '../../src/core/version.js';
import { ClusterManagerStats } from '../../src/core/generated/counts.js';
import type { Host, HealthStatus } from '../../src/host/host.js';
import { NOWHERE } from '../../src/host/host.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { BalancerDescription } from '../../src/hostset/generated/descriptions.js';
import type { LoadBalancer } from '../../src/hostset/load-balancer.js';
import type { Assignment, EndpointState } from '../../src/settings/assignment.js';
import { EMPTY_ASSIGNMENT, addEndpoints, mapEndpoints } from '../../src/settings/assignment.js';
import { UpstreamCluster } from '../../src/upstream/cluster.js';

const SECOND = 1_000_000;

/** A balancer that only notes what is delivered to it. */
class Listener implements LoadBalancer {
  readonly deliveries: { priority: number; hosts: string[]; added: string[]; removed: string[] }[] = [];

  update(hostSet: HostSet, added: readonly Host[], removed: readonly Host[]): void {
    const names = (hosts: readonly Host[]): string[] => hosts.map((host) => host.address);
    this.deliveries.push({
      priority: hostSet.priority,
      hosts: names(hostSet.healthy),
      added: names(added),
      removed: names(removed),
    });
  }

  updateLocalCluster(): void {
    throw new Error('not expected');
  }

  choose(): void {
    throw new Error('not expected');
  }

  describe(): BalancerDescription {
    throw new Error('not expected');
  }
}

function endpoint(address: string, status: HealthStatus = 'UNKNOWN', weight = 1): EndpointState {
  return { address, hostname: '', weight, status, metadata: {} };
}

function assignment(...levels: readonly (readonly EndpointState[])[]): Assignment {
  return levels.reduce((sum, endpoints, priority) => addEndpoints(sum, priority, NOWHERE, endpoints), EMPTY_ASSIGNMENT);
}

function setUp(
  options: {
    version?: ProxyVersion;
    discovery?: 'STATIC' | 'EDS';
    windowUs?: number;
    isLocalCluster?: boolean;
    localityWeighted?: boolean;
  } = {},
) {
  const listener = new Listener();
  const managerStats = new ClusterManagerStats();
  const armed: [number, number][] = [];
  const moves: [added: number, removed: number][] = [];
  const cluster = new UpstreamCluster(
    {
      version: options.version ?? '1.17',
      discovery: options.discovery ?? 'EDS',
      updateMergeWindowUs: options.windowUs ?? SECOND,
      isLocalCluster: options.isLocalCluster ?? false,
      localityWeighted: options.localityWeighted ?? false,
      nodeLocality: undefined,
      managerStats,
      runtime: { number: () => undefined },
      balancers: [listener],
    },
    {
      arm: (priority, dueUs) => armed.push([priority, dueUs]),
      delivered: () => undefined,
      hostAtPriority: () => undefined,
      members: (added, removed) => moves.push([added.length, removed.length]),
    },
  );
  return { cluster, listener, managerStats, armed, moves };
}

function hostsOf(cluster: UpstreamCluster): Host[] {
  return [...cluster.priorities.hosts()].map(({ host }) => host);
}

describe('UpstreamCluster', () => {
  it('posts the first assignment as it is, without counting an update', () => {
    const { cluster, listener, managerStats } = setUp();
    cluster.apply(assignment([endpoint('10.0.0.1:80')], [endpoint('10.0.1.1:80')]), 0);
    expect(listener.deliveries.map((delivery) => delivery.added)).toEqual([['10.0.0.1:80'], ['10.0.1.1:80']]);
    expect(managerStats.clusterUpdated).toBe(0);
    expect(cluster.membership.membershipChange).toBe(2);
  });

  it('keeps the identity of hosts by address, and their active requests with it', () => {
    const { cluster } = setUp();
    cluster.apply(assignment([endpoint('10.0.0.1:80'), endpoint('10.0.0.2:80')]), 0);
    const [, second] = hostsOf(cluster);
    if (second !== undefined) second.activeRequests = 7;
    cluster.apply(assignment([endpoint('10.0.0.2:80', 'UNKNOWN', 3), endpoint('10.0.0.3:80')]), SECOND);
    const [kept, fresh] = hostsOf(cluster);
    expect(kept).toBe(second);
    expect(kept).toMatchObject({ address: '10.0.0.2:80', weight: 3, activeRequests: 7 });
    expect(fresh).toMatchObject({ address: '10.0.0.3:80', activeRequests: 0 });
  });

  it('waits with a change of health at 1.17, lets discovery through at 1.40', () => {
    const hosts = assignment([endpoint('10.0.0.1:80'), endpoint('10.0.0.2:80')]);
    const ill = (of: Assignment, address: string): Assignment =>
      mapEndpoints(of, (endpoint) => (endpoint.address === address ? { ...endpoint, status: 'UNHEALTHY' } : endpoint));
    const classic = setUp();
    classic.cluster.apply(hosts, 0);
    classic.cluster.apply(ill(hosts, '10.0.0.1:80'), 5 * SECOND);
    expect(classic.listener.deliveries).toHaveLength(2);
    classic.cluster.apply(hosts, 5.5 * SECOND);
    expect(classic.armed).toEqual([[0, 6.5 * SECOND]]);
    expect(classic.listener.deliveries).toHaveLength(2);
    // The main thread's own lists never wait.
    expect(classic.cluster.priorities.hostSets[0]?.healthy).toHaveLength(2);
    classic.cluster.delivery.mergeDue(0, 6.5 * SECOND);
    expect(classic.listener.deliveries[2]?.hosts).toEqual(['10.0.0.1:80', '10.0.0.2:80']);

    const modern = setUp({ version: '1.40' });
    modern.cluster.apply(hosts, 0);
    modern.cluster.apply(ill(hosts, '10.0.0.1:80'), 5 * SECOND);
    modern.cluster.apply(hosts, 5.5 * SECOND);
    expect(modern.armed).toEqual([]);
    expect(modern.listener.deliveries).toHaveLength(3);
    expect(modern.managerStats).toMatchObject({ clusterUpdated: 2, updateOutOfMergeWindow: 0 });
  });

  it('delivers the state of the moment, not of the update that armed the timer', () => {
    const { cluster, listener } = setUp();
    const hosts = assignment([endpoint('10.0.0.1:80'), endpoint('10.0.0.2:80')]);
    cluster.apply(hosts, 0);
    const ill = assignment([endpoint('10.0.0.1:80', 'UNHEALTHY'), endpoint('10.0.0.2:80')]);
    const both = assignment([endpoint('10.0.0.1:80', 'UNHEALTHY'), endpoint('10.0.0.2:80', 'UNHEALTHY')]);
    cluster.apply(ill, 5 * SECOND);
    cluster.apply(hosts, 5.2 * SECOND);
    cluster.apply(both, 5.4 * SECOND);
    cluster.delivery.mergeDue(0, 6.2 * SECOND);
    expect(listener.deliveries.at(-1)?.hosts).toEqual([]);
  });

  it('changes nothing for UNHEALTHY to DRAINING at 1.40: the class is the same', () => {
    const { cluster, listener } = setUp({ version: '1.40' });
    cluster.apply(assignment([endpoint('10.0.0.1:80', 'UNHEALTHY'), endpoint('10.0.0.2:80')]), 0);
    cluster.apply(assignment([endpoint('10.0.0.1:80', 'DRAINING'), endpoint('10.0.0.2:80')]), SECOND);
    expect(listener.deliveries).toHaveLength(1);
    expect(cluster.membership.updateNoRebuild).toBe(1);
    expect(cluster.priorities.hostSets[0]?.excluded).toHaveLength(0);
  });

  it('keeps a duplicate address when static, its first mention under EDS, across priorities too', () => {
    const twice = assignment([endpoint('10.0.0.1:80'), endpoint('10.0.0.1:80')], [endpoint('10.0.0.1:80')]);
    const fixed = setUp({ discovery: 'STATIC' });
    fixed.cluster.apply(twice, 0);
    expect(hostsOf(fixed.cluster)).toHaveLength(3);
    expect(new Set(hostsOf(fixed.cluster)).size).toBe(3);
    const eds = setUp();
    eds.cluster.apply(twice, 0);
    expect(hostsOf(eds.cluster)).toHaveLength(1);
    for (const [update, hosts] of [
      [assignment([endpoint('10.0.0.1:80'), endpoint('10.0.0.2:80')]), 2],
      [assignment([endpoint('10.0.0.1:80'), endpoint('10.0.0.1:80')]), 1],
      [twice, 1],
      [twice, 1],
    ] as const) {
      eds.cluster.apply(update, SECOND);
      expect(hostsOf(eds.cluster)).toHaveLength(hosts);
    }
    // Announcing the same static assignment again changes nothing.
    fixed.cluster.apply(twice, SECOND);
    expect(fixed.listener.deliveries).toHaveLength(2);
  });

  it('rejects an assignment of the local cluster that uses more than priority 0, and keeps what it had', () => {
    const { cluster, listener } = setUp({ isLocalCluster: true });
    cluster.apply(assignment([endpoint('10.0.0.1:80')]), 0);
    cluster.apply(assignment([endpoint('10.0.0.1:80')], [endpoint('10.0.1.1:80')]), SECOND);
    expect(cluster.membership).toMatchObject({ updateAttempt: 2, updateSuccess: 1, updateRejected: 1 });
    expect(listener.deliveries).toHaveLength(1);
  });

  it('makes a host anew that has come to an earlier priority and another locality, with the next update at 1.40', () => {
    const [a, b] = ['a', 'b'].map((zone) => ({ ...NOWHERE, zone }));
    const told = (moved: boolean, weight: number): Assignment => {
      const before = moved ? [endpoint('10.0.0.1:80'), endpoint('10.0.0.2:80')] : [endpoint('10.0.0.1:80')];
      const behind = [endpoint('10.0.0.3:80', 'UNKNOWN', weight), ...(moved ? [] : [endpoint('10.0.0.2:80')])];
      return addEndpoints(addEndpoints(EMPTY_ASSIGNMENT, 0, a ?? NOWHERE, before), 1, b ?? NOWHERE, behind);
    };
    for (const [version, changes] of [
      ['1.17', [4, 4, 4]],
      ['1.40', [4, 5, 5]],
    ] as const) {
      const { cluster } = setUp({ version });
      cluster.apply(told(false, 1), 0);
      const seen = [[true, 1] as const, [true, 2] as const, [true, 3] as const].map(([moved, weight], second) => {
        cluster.apply(told(moved, weight), (second + 1) * SECOND);
        return cluster.membership.membershipChange;
      });
      expect(seen).toEqual(changes);
      expect(hostsOf(cluster).map(({ address }) => address)).toEqual(['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80']);
    }
  });

  it('moves a host between priorities: the same object leaves one level and joins the other', () => {
    const { cluster, listener } = setUp();
    cluster.apply(assignment([endpoint('10.0.0.1:80'), endpoint('10.0.0.2:80')]), 0);
    const [first] = hostsOf(cluster);
    cluster.apply(assignment([endpoint('10.0.0.2:80')], [endpoint('10.0.0.1:80')]), SECOND);
    expect([...cluster.priorities.hosts()].find(({ priority }) => priority === 1)?.host).toBe(first);
    expect(listener.deliveries.slice(-2)).toMatchObject([
      { priority: 0, removed: ['10.0.0.1:80'], added: [] },
      { priority: 1, removed: [], added: ['10.0.0.1:80'] },
    ]);
  });

  it.each([
    ['1.17', {}, 0],
    ['1.40', {}, 1],
    ['1.40', { weightedPriorityHealth: true }, 0],
    ['1.40', { weightedPriorityHealth: true, overprovisioningFactor: 200 }, 1],
  ] as const)(
    'announces a priority that comes without hosts once: at %s with %j %i times',
    (version, policy, times) => {
      const { cluster, listener } = setUp({ version });
      const of = (...levels: readonly (readonly EndpointState[])[]): Assignment => ({
        ...assignment(...levels),
        ...policy,
      });
      cluster.apply(of([endpoint('10.0.0.1:80')]), 0);
      listener.deliveries.length = 0;
      const two = of([endpoint('10.0.0.1:80')], []);
      cluster.apply(two, SECOND);
      cluster.apply(two, 5 * SECOND);
      expect(listener.deliveries.filter(({ priority }) => priority === 1)).toHaveLength(times);
    },
  );

  it('delivers other weights of its localities, and nothing where they are the same', () => {
    const { cluster, listener } = setUp({ localityWeighted: true });
    const [a, b] = [endpoint('10.0.0.1:80'), endpoint('10.0.0.2:80')];
    const weighing = (first: number, second: number): Assignment => ({
      ...EMPTY_ASSIGNMENT,
      groups: [
        { priority: 0, locality: NOWHERE, hasLocality: true, weight: first, endpoints: [a] },
        { priority: 0, locality: { ...NOWHERE, zone: 'b' }, hasLocality: true, weight: second, endpoints: [b] },
      ],
    });
    const deliveries = [weighing(1, 2), weighing(1, 2), weighing(1, 3)].map((wanted, at) => {
      cluster.apply(wanted, 5 * at * SECOND);
      return listener.deliveries.length;
    });
    expect(deliveries).toEqual([1, 1, 2]);
  });

  it('makes a host of its own for an address that an unchanged level has, too', () => {
    const { cluster } = setUp({ discovery: 'STATIC' });
    const first = endpoint('10.0.0.1:80');
    cluster.apply(assignment([first]), 0);
    cluster.apply(assignment([first], [endpoint('10.0.0.1:80')]), SECOND);
    const [here, there] = hostsOf(cluster);
    expect([here, there].map((host) => host?.address)).toEqual(['10.0.0.1:80', '10.0.0.1:80']);
    expect(here).not.toBe(there);
  });

  it('tells who came and who went, and nothing where nobody did', () => {
    const { cluster, moves } = setUp();
    cluster.apply(assignment([endpoint('10.0.0.1:80')]), 0);
    cluster.apply(assignment([endpoint('10.0.0.1:80', 'UNHEALTHY')]), SECOND);
    // To another level: for the cluster as a whole nobody moves.
    cluster.apply(assignment([endpoint('10.0.0.2:80')], [endpoint('10.0.0.1:80')]), 2 * SECOND);
    cluster.apply(assignment([endpoint('10.0.0.1:80')], [endpoint('10.0.0.2:80')]), 3 * SECOND);
    cluster.apply(assignment([endpoint('10.0.0.1:80')]), 4 * SECOND);
    expect(moves).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
  });

  it('drops its part of the requests from the first assignment on, though it has no hosts', () => {
    const { cluster } = setUp({ version: '1.40' });
    cluster.apply({ ...EMPTY_ASSIGNMENT, dropRatio: 0.5 }, 0);
    expect(cluster.delivery.dropRatio).toBe(0.5);
  });

  it('counts assignments that become stale', () => {
    const { cluster } = setUp();
    cluster.apply(assignment([endpoint('10.0.0.1:80')]), 0);
    expect(cluster.membership.assignmentTimeoutReceived).toBe(0);
    cluster.apply({ ...EMPTY_ASSIGNMENT, staleAfterUs: SECOND }, 0);
    expect(cluster.membership.assignmentTimeoutReceived).toBe(1);
  });

  it('empties a level that the assignment no longer mentions', () => {
    const { cluster, listener } = setUp();
    cluster.apply(assignment([endpoint('10.0.0.1:80')], [endpoint('10.0.1.1:80')]), 0);
    cluster.apply(assignment([endpoint('10.0.0.1:80')]), SECOND);
    expect(listener.deliveries.at(-1)).toMatchObject({ priority: 1, hosts: [], removed: ['10.0.1.1:80'] });
  });

  it('makes the same of endpoints that were edited as of others that say the same', () => {
    const zones = ['a', 'b', 'c'].map((zone) => ({ ...NOWHERE, zone }));
    const full = zones.reduce(
      (sum, zone, at) =>
        addEndpoints(
          sum,
          at >> 1,
          zone,
          [1, 2, 3].map((one) => endpoint(`10.0.${at}.${one}:80`)),
        ),
      EMPTY_ASSIGNMENT,
    );
    type Edit = { text: string; status: HealthStatus; weight: number; what: string };
    const edit: fc.Arbitrary<Edit> = fc.record({
      text: fc.constantFrom('10.0.0', '10.0.1', '10.0.2', '10.0.0.1:80', '10.0.0.3:80', '10.0.1.2:80', '10.0.2.2:80'),
      status: fc.constantFrom<HealthStatus[]>('HEALTHY', 'UNHEALTHY', 'DRAINING', 'DEGRADED'),
      weight: fc.integer({ min: 1, max: 3 }),
      what: fc.constantFrom('edit', 'edit', 'edit', 'remove', 'repeat'),
    });
    const changed = (now: Assignment, { text, status, weight, what }: Edit): Assignment => {
      if (what === 'repeat') return addEndpoints(now, 0, zones[0], [endpoint('10.0.1.2:80')]);
      const only = { text, isMeant: (address: string) => address.startsWith(text) };
      return mapEndpoints(now, (one) => (what === 'remove' ? undefined : { ...one, status, weight }), only);
    };
    const state = ({ cluster, listener }: ReturnType<typeof setUp>) => ({
      hosts: hostsOf(cluster).map(({ address, weight, health }) => ({ address, weight, health })),
      lists: cluster.priorities.hostSets.map((set) =>
        set?.localities.map((group) => group.healthy.map(({ address }) => address)),
      ),
      deliveries: listener.deliveries,
      membership: cluster.membership,
    });
    fc.assert(
      fc.property(fc.array(fc.array(edit, { minLength: 1, maxLength: 2 }), { maxLength: 6 }), (updates) => {
        const [edited, fresh] = [setUp({ version: '1.40' }), setUp({ version: '1.40' })];
        let now = full;
        for (const update of [[], ...updates]) {
          now = update.reduce(changed, now);
          edited.cluster.apply(now, 0);
          fresh.cluster.apply(
            { ...now, groups: now.groups.map((one) => ({ ...one, endpoints: [...one.endpoints] })) },
            0,
          );
          expect(state(edited)).toEqual(state(fresh));
          const last = edited.cluster.priorities.levels.at(-1)?.hosts ?? [];
          expect(edited.cluster.membership.maxHostWeight).toBe(Math.max(1, ...last.map(({ weight }) => weight)));
        }
      }),
    );
  });
});
