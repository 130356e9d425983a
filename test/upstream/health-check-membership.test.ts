import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { ClusterManagerStats } from '../../src/core/generated/counts.js';
import type { Host, HealthStatus, Locality } from '../../src/host/host.js';
import { HealthFlag, NOWHERE } from '../../src/host/host.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { LoadBalancer } from '../../src/hostset/load-balancer.js';
import type { Assignment, EndpointState } from '../../src/settings/assignment.js';
import { addEndpoints, EMPTY_ASSIGNMENT } from '../../src/settings/assignment.js';
import type { UpstreamClusterOptions } from '../../src/upstream/cluster.js';
import { UpstreamCluster } from '../../src/upstream/cluster.js';

const SECOND = 1_000_000;
const FAILED = HealthFlag.FAILED_ACTIVE_HC;

function endpoint(address: string, fields: Partial<EndpointState> = {}): EndpointState {
  return { address, hostname: '', weight: 1, status: 'UNKNOWN', metadata: {}, ...fields };
}

function assignment(...levels: readonly (readonly (string | EndpointState)[])[]): Assignment {
  return levels.reduce(
    (sum, entries, priority) =>
      addEndpoints(
        sum,
        priority,
        NOWHERE,
        entries.map((entry) => (typeof entry === 'string' ? endpoint(entry) : entry)),
      ),
    EMPTY_ASSIGNMENT,
  );
}

function inZone(zone: string, ...addresses: readonly string[]): Assignment {
  const locality: Locality = { ...NOWHERE, zone };
  return addEndpoints(
    EMPTY_ASSIGNMENT,
    0,
    locality,
    addresses.map((address) => endpoint(address)),
  );
}

/** A checked cluster with its timers, and what one worker holds of it. */
class Cluster {
  readonly stats = new ClusterManagerStats();
  readonly held: (HostSet | undefined)[] = [];
  readonly joined: string[] = [];
  readonly left: string[] = [];
  readonly upstream: UpstreamCluster;
  deliveries = 0;
  private timers: { readonly priority: number; readonly dueUs: number }[] = [];

  constructor(options: Partial<UpstreamClusterOptions> = {}) {
    const worker = {
      update: (hostSet: HostSet) => {
        this.held[hostSet.priority] = hostSet;
      },
    } as unknown as LoadBalancer;
    this.upstream = new UpstreamCluster(
      {
        version: '1.40',
        discovery: 'EDS',
        updateMergeWindowUs: SECOND,
        isLocalCluster: false,
        localityWeighted: false,
        nodeLocality: undefined,
        runtime: { number: () => undefined },
        managerStats: this.stats,
        balancers: [worker],
        healthChecked: true,
        ...options,
      },
      {
        arm: (priority, dueUs) => this.timers.push({ priority, dueUs }),
        delivered: () => this.deliveries++,
        hostAtPriority: () => undefined,
        members: (added, removed) => {
          this.joined.push(...added.map(({ address }) => address));
          this.left.push(...removed.map(({ address }) => address));
        },
      },
    );
  }

  /** The first assignment, all its hosts found healthy. */
  start(first: Assignment): this {
    this.upstream.apply(first, 0);
    for (const { host } of this.upstream.priorities.hosts()) {
      host.flags &= ~(FAILED | HealthFlag.PENDING_ACTIVE_HC);
      this.upstream.healthChanged(host, 0);
    }
    this.upstream.ready();
    return this;
  }

  host(address: string): Host {
    const found = [...this.upstream.priorities.hosts()].find(({ host }) => host.address === address);
    if (found === undefined) throw new Error(`no host ${address}`);
    return found.host;
  }

  /** A check turns the host's fate. */
  turn(address: string, failed: boolean, nowUs: number): void {
    const host = this.host(address);
    host.flags = failed ? host.flags | FAILED : host.flags & ~(FAILED | HealthFlag.PENDING_ACTIVE_HC);
    this.upstream.healthChanged(host, nowUs);
  }

  fireUntil(nowUs: number): void {
    const due = this.timers.filter(({ dueUs }) => dueUs <= nowUs).sort((a, b) => a.dueUs - b.dueUs);
    this.timers = this.timers.filter(({ dueUs }) => dueUs > nowUs);
    for (const { priority, dueUs } of due) this.upstream.delivery.mergeDue(priority, dueUs);
  }

  get all(): readonly string[] {
    return [...this.upstream.priorities.hosts()].map(({ host }) => host.address);
  }

  serving(priority = 0): readonly string[] {
    return (this.held[priority]?.healthy ?? []).map(({ address }) => address);
  }
}

describe('new hosts of a checked cluster', () => {
  it('are failed until a check says otherwise, and excluded too if asked for', () => {
    const plain = new Cluster();
    plain.upstream.apply(assignment(['a:1']), 0);
    expect(plain.host('a:1').flags).toBe(FAILED);
    const ignoring = new Cluster({ ignoreNewHostsUntilFirstHc: true });
    ignoring.upstream.apply(assignment(['a:1']), 0);
    expect(ignoring.host('a:1').flags).toBe(FAILED | HealthFlag.PENDING_ACTIVE_HC);
    const unchecked = new Cluster({ healthChecked: false, ignoreNewHostsUntilFirstHc: true });
    unchecked.upstream.apply(assignment(['a:1']), 0);
    expect(unchecked.host('a:1').flags).toBe(0);
  });

  it('reach the workers when the cluster is ready, in one delivery that counts no update', () => {
    const cluster = new Cluster();
    cluster.upstream.apply(assignment(['a:1', 'b:1'], ['c:1']), 0);
    cluster.turn('a:1', false, 0);
    expect(cluster.deliveries).toBe(0);
    cluster.upstream.ready();
    cluster.upstream.ready();
    expect(cluster.deliveries).toBe(1);
    expect([cluster.serving(0), cluster.serving(1)]).toEqual([['a:1'], []]);
    expect(cluster.joined).toEqual(['a:1', 'b:1', 'c:1']);
    expect(cluster.stats.clusterUpdated).toBe(0);
  });

  it('get their first traffic one window after they were added', () => {
    const cluster = new Cluster().start(assignment(['a:1']));
    cluster.upstream.apply(assignment(['a:1', 'b:1']), 5 * SECOND);
    cluster.turn('b:1', false, 5.01 * SECOND);
    cluster.fireUntil(6 * SECOND);
    expect(cluster.serving()).toEqual(['a:1']);
    cluster.fireUntil(6.01 * SECOND);
    expect(cluster.serving()).toEqual(['a:1', 'b:1']);
    expect(cluster.stats).toMatchObject({ clusterUpdated: 1, clusterUpdatedViaMerge: 1 });
  });
});

describe('a change of health', () => {
  it('announces every priority, each through its own window', () => {
    const cluster = new Cluster({ updateMergeWindowUs: 0 }).start(assignment(['a:1', 'b:1'], ['c:1']));
    cluster.turn('a:1', true, 5 * SECOND);
    cluster.turn('b:1', true, 5 * SECOND);
    expect(cluster.stats.clusterUpdated).toBe(4);
  });

  it('goes through the window at every version: of two hosts, the second waits', () => {
    for (const version of PROXY_VERSIONS) {
      const cluster = new Cluster({ version }).start(assignment(['a:1', 'b:1', 'c:1']));
      cluster.turn('a:1', true, 5 * SECOND);
      cluster.turn('b:1', true, 5 * SECOND);
      expect(cluster.serving()).toEqual(['b:1', 'c:1']);
      // The main thread's lists never wait.
      expect(cluster.upstream.priorities.hostSets[0]?.healthy).toHaveLength(1);
      cluster.fireUntil(6 * SECOND);
      expect(cluster.serving()).toEqual(['c:1']);
      expect(cluster.stats).toMatchObject({
        clusterUpdated: 1,
        clusterUpdatedViaMerge: 1,
        updateOutOfMergeWindow: 1,
        updateMergeCancelled: 0,
      });
    }
  });

  it('does not take over an order that no update has announced', () => {
    const cluster = new Cluster().start(assignment(['a:1', 'b:1', 'c:1']));
    cluster.upstream.apply(assignment(['c:1', 'b:1', 'a:1']), 5 * SECOND);
    expect(cluster.upstream.membership.updateNoRebuild).toBe(1);
    cluster.turn('b:1', true, 8 * SECOND);
    expect(cluster.serving()).toEqual(['a:1', 'c:1']);
  });
});

describe('a host that discovery drops', () => {
  it('stays behind the others while its checks are good, and goes with the first that fails', () => {
    const cluster = new Cluster().start(assignment(['a:1', 'b:1']));
    cluster.upstream.apply(assignment(['b:1']), 5 * SECOND);
    expect(cluster.all).toEqual(['b:1', 'a:1']);
    expect(cluster.upstream.membership).toMatchObject({ membershipChange: 1, updateNoRebuild: 1 });
    expect(cluster.serving()).toEqual(['a:1', 'b:1']);
    cluster.turn('a:1', true, 8 * SECOND);
    expect(cluster.all).toEqual(['b:1']);
    expect(cluster.serving()).toEqual(['b:1']);
    expect(cluster.left).toEqual(['a:1']);
    // One update, which removes a host and is therefore neither merged nor out of a window.
    expect(cluster.upstream.membership.membershipChange).toBe(2);
    expect(cluster.stats).toMatchObject({ clusterUpdated: 1, updateOutOfMergeWindow: 0 });
  });

  it('stays when discovery names it again, as if nothing had been', () => {
    // The very same assignment comes back.
    const both = assignment(['a:1', 'b:1']);
    const cluster = new Cluster().start(both);
    const host = cluster.host('a:1');
    cluster.upstream.apply(assignment(['b:1']), 5 * SECOND);
    expect(host.flags).toBe(HealthFlag.PENDING_DYNAMIC_REMOVAL);
    cluster.upstream.apply(both, 6 * SECOND);
    expect(cluster.host('a:1')).toBe(host);
    expect(host.flags).toBe(0);
    expect(cluster.upstream.membership.updateNoRebuild).toBe(2);
    cluster.turn('a:1', true, 8 * SECOND);
    expect(cluster.all).toEqual(['a:1', 'b:1']);
  });

  it('goes at once where drain_connections_on_host_removal says so', () => {
    const cluster = new Cluster({ drainConnectionsOnHostRemoval: true }).start(assignment(['a:1', 'b:1']));
    cluster.upstream.apply(assignment(['b:1']), 5 * SECOND);
    expect(cluster.serving()).toEqual(['b:1']);
    expect(cluster.upstream.membership.membershipChange).toBe(2);
  });

  it('goes at once if a check has failed it or discovery called it ill; an outlier stays', () => {
    const ill: readonly [number, HealthStatus, boolean][] = [
      [FAILED, 'HEALTHY', false],
      [0, 'UNHEALTHY', false],
      [0, 'TIMEOUT', false],
      [0, 'DRAINING', false],
      [0, 'DEGRADED', true],
      [HealthFlag.FAILED_OUTLIER_CHECK, 'HEALTHY', true],
    ];
    for (const version of PROXY_VERSIONS) {
      for (const [flags, status, stays] of ill) {
        const cluster = new Cluster({ version }).start(assignment([endpoint('a:1', { status }), 'b:1']));
        cluster.host('a:1').flags |= flags;
        cluster.upstream.apply(assignment(['b:1']), 5 * SECOND);
        expect(cluster.all.includes('a:1'), `${status} ${flags} at ${version}`).toBe(stays);
      }
    }
  });

  it('is no such host if it only moved to another priority', () => {
    const cluster = new Cluster().start(assignment(['a:1', 'b:1'], ['c:1']));
    const host = cluster.host('a:1');
    cluster.upstream.apply(assignment(['b:1'], ['c:1', 'a:1']), 5 * SECOND);
    expect(cluster.serving(0)).toEqual(['b:1']);
    expect(cluster.serving(1)).toEqual(['c:1', 'a:1']);
    expect(cluster.host('a:1')).toBe(host);
    expect(host.flags).toBe(0);
    expect([cluster.joined, cluster.left]).toEqual([['a:1', 'b:1', 'c:1'], []]);
  });
});

describe('a host that is replaced', () => {
  it('by another locality: what checks said is kept at 1.40, forgotten before', () => {
    for (const version of PROXY_VERSIONS) {
      const cluster = new Cluster({ version }).start(inZone('x', 'a:1'));
      const old = cluster.host('a:1');
      cluster.upstream.apply(inZone('y', 'a:1'), 5 * SECOND);
      expect(cluster.all).toEqual(['a:1']);
      expect(cluster.host('a:1')).not.toBe(old);
      expect(cluster.host('a:1').flags).toBe(version === '1.40' ? 0 : FAILED);
    }
  });

  it('by another port of its checks: the old one stays until it fails', () => {
    const cluster = new Cluster().start(assignment(['a:1', 'b:1']));
    const old = cluster.host('a:1');
    cluster.upstream.apply(assignment([endpoint('a:1', { healthCheckPort: 9 }), 'b:1']), 5 * SECOND);
    expect(cluster.all).toEqual(['a:1', 'b:1', 'a:1']);
    expect(cluster.host('a:1').flags).toBe(FAILED);
    old.flags |= FAILED;
    cluster.upstream.healthChanged(old, 8 * SECOND);
    expect(cluster.all).toEqual(['a:1', 'b:1']);
    expect(cluster.host('a:1').healthCheckPort).toBe(9);
  });

  it('by another port of its checks: while the old one stays, each update makes another', () => {
    const cluster = new Cluster().start(assignment(['a:1', 'b:1']));
    const old = cluster.host('a:1');
    for (let update = 1; update <= 3; update++) {
      const hosts = assignment([endpoint('a:1', { healthCheckPort: 9 }), endpoint('b:1', { weight: update })]);
      cluster.upstream.apply(hosts, 5 * update * SECOND);
      // Its checks are good.
      cluster.host('a:1').flags &= ~FAILED;
    }
    expect(cluster.all).toEqual(['a:1', 'b:1', 'a:1', 'a:1', 'a:1']);
    expect(cluster.upstream.membership.membershipChange).toBe(4);
    old.flags |= FAILED;
    cluster.upstream.healthChanged(old, 20 * SECOND);
    expect(cluster.all).toEqual(['a:1', 'b:1', 'a:1', 'a:1']);
  });

  it('by another port of its checks where nobody checks: is none', () => {
    const cluster = new Cluster({ healthChecked: false });
    cluster.upstream.apply(assignment(['a:1']), 0);
    const old = cluster.host('a:1');
    cluster.upstream.apply(assignment([endpoint('a:1', { healthCheckPort: 9 })]), 5 * SECOND);
    expect(cluster.host('a:1')).toBe(old);
  });
});

describe('max_host_weight', () => {
  it('is that of the level processed last, hosts on their way out included', () => {
    const cluster = new Cluster().start(assignment([endpoint('a:1', { weight: 7 })], [endpoint('b:1', { weight: 3 })]));
    expect(cluster.upstream.membership.maxHostWeight).toBe(3);
    cluster.upstream.apply(assignment([endpoint('a:1', { weight: 7 })], []), 5 * SECOND);
    expect(cluster.upstream.membership.maxHostWeight).toBe(3);
    cluster.turn('b:1', true, 6 * SECOND);
    cluster.upstream.apply(assignment([endpoint('a:1', { weight: 7 })], []), 7 * SECOND);
    expect(cluster.upstream.membership.maxHostWeight).toBe(1);
  });
});

describe('laws', () => {
  const ADDRESSES = ['a:1', 'b:1', 'c:1', 'd:1', 'e:1'];
  const entry = fc.record({
    address: fc.constantFrom(...ADDRESSES),
    weight: fc.integer({ min: 1, max: 2 }),
    status: fc.constantFrom<HealthStatus>('HEALTHY', 'UNHEALTHY', 'DEGRADED'),
  });
  const step = fc.record({
    afterMs: fc.integer({ min: 0, max: 1500 }),
    action: fc.oneof(
      fc.record({ levels: fc.array(fc.array(entry, { maxLength: 4 }), { minLength: 1, maxLength: 3 }) }),
      fc.record({ address: fc.constantFrom(...ADDRESSES), failed: fc.boolean() }),
    ),
  });
  const scene = fc.record({
    version: fc.constantFrom(...PROXY_VERSIONS),
    drain: fc.boolean(),
    windowUs: fc.constantFrom(1, SECOND, 5 * SECOND),
    steps: fc.array(step, { minLength: 1, maxLength: 25 }),
  });

  it('merged and unmerged delivery end in the same lists; no dropped host outlives its failure', () => {
    fc.assert(
      fc.property(scene, ({ version, drain, windowUs, steps }) => {
        const options = { version, drainConnectionsOnHostRemoval: drain };
        const merged = new Cluster({ ...options, updateMergeWindowUs: windowUs });
        const unmerged = new Cluster({ ...options, updateMergeWindowUs: 0 });
        const clusters = [merged, unmerged];
        for (const cluster of clusters) cluster.start(assignment(['a:1', 'b:1']));
        let nowUs = 10 * SECOND;
        for (const { afterMs, action } of steps) {
          nowUs += afterMs * 1000;
          merged.fireUntil(nowUs);
          for (const cluster of clusters) {
            if ('levels' in action) {
              const levels = action.levels.map((level) => level.map((one) => endpoint(one.address, one)));
              cluster.upstream.apply(assignment(...levels), nowUs);
            } else if (cluster.all.includes(action.address)) {
              cluster.turn(action.address, action.failed, nowUs);
            }
            for (const { host } of cluster.upstream.priorities.hosts()) {
              const gone = HealthFlag.FAILED_ACTIVE_HC | HealthFlag.PENDING_DYNAMIC_REMOVAL;
              expect(host.flags & gone).not.toBe(gone);
            }
            const present = cluster.joined.filter((address) => {
              return count(cluster.joined, address) > count(cluster.left, address);
            });
            expect([...new Set(present)].sort()).toEqual([...new Set(cluster.all)].sort());
          }
        }
        merged.fireUntil(nowUs + windowUs);
        const seen = (cluster: Cluster) =>
          cluster.held.map((hostSet) => ({
            hosts: hostSet?.hosts.map(({ address, weight }) => `${address}/${weight}`),
            healthy: hostSet?.healthy.map(({ address }) => address),
            degraded: hostSet?.degraded.map(({ address }) => address),
          }));
        expect(seen(merged)).toEqual(seen(unmerged));
        const lists = merged.upstream.priorities.hostSets;
        for (const [priority, hostSet] of merged.held.entries()) {
          if (hostSet !== undefined) expect(hostSet).toBe(lists[priority]);
        }
        expect(unmerged.stats.clusterUpdatedViaMerge).toBe(0);
      }),
    );
  });
});

function count(list: readonly string[], wanted: string): number {
  return list.filter((one) => one === wanted).length;
}

it.each<[string, Assignment, Assignment]>([
  ['a host that is named again in another place', assignment(['a:1', 'b:1']), inZone('z', 'a:1')],
  [
    'a host that is named again in another place and level',
    assignment(['a:1', 'b:1']),
    addEndpoints(assignment(['b:1']), 1, { ...NOWHERE, zone: 'z' }, [endpoint('a:1')]),
  ],
])('%s does not stay where it was', (_, before, after) => {
  const cluster = new Cluster().start(before);
  cluster.upstream.apply(after, SECOND);
  const named = [...cluster.upstream.priorities.hosts()].filter(({ host }) => host.address === 'a:1');
  expect(named).toHaveLength(1);
});
