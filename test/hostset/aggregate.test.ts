import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AggregateMember } from '../../src/hostset/aggregate.js';
import { AggregateBalancer } from '../../src/hostset/aggregate.js';
import { createLoadBalancer, createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { LbPolicy } from '../../src/hostset/lb-config.js';
import { Levels } from '../../src/hostset/levels.js';
import { Decision, type LoadBalancer } from '../../src/hostset/load-balancer.js';
import { RandomStreams } from '../../src/random/streams.js';
import {
  environment,
  hostAt,
  hostsOf,
  lbConfig,
  level,
  pickRequest,
  runtimeOf,
  scripted,
  UNHEALTHY,
} from '../support/balancing.js';

const CONFIG = lbConfig({ version: '1.40' });

/** A member of levels with so many healthy and unhealthy hosts each. */
function member(index: number, levels: readonly (readonly [number, number])[], lbPolicy: LbPolicy): AggregateMember {
  const hostSets = levels.map(([healthy, ill], priority): HostSet => {
    const from = 100 * index + 10 * priority;
    return level([...hostsOf(healthy, {}, from), ...hostsOf(ill, { flags: UNHEALTHY }, from + healthy)], { priority });
  });
  const balancer = createPolicyBalancer(lbConfig({ version: '1.40', lbPolicy }), environment());
  for (const hostSet of hostSets) balancer.update(hostSet, hostSet.hosts, []);
  return { name: `m${index}`, index, hostSets, balancer };
}

function aggregateOf(members: readonly AggregateMember[], healthyPanicThreshold = 50): AggregateBalancer {
  const config = { ...CONFIG, healthyPanicThreshold };
  const made = new AggregateBalancer(config, { runtime: runtimeOf({}) }, () => members);
  made.refresh();
  return made;
}

const levelsOf = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })), { minLength: 1, maxLength: 3 });

describe('an aggregate', () => {
  it('loads the levels of its members as those of one cluster', () => {
    fc.assert(
      fc.property(fc.array(levelsOf, { minLength: 1, maxLength: 3 }), (shapes) => {
        const members = shapes.map((shape, index) => member(index, shape, 'RANDOM'));
        const inRow = members.flatMap(({ hostSets }) =>
          hostSets.flatMap((hostSet) => (hostSet === undefined || hostSet.hosts.length === 0 ? [] : [hostSet])),
        );
        const asOne = new Levels(
          CONFIG,
          runtimeOf({}),
          inRow.map((hostSet, priority) => ({ ...hostSet, priority })),
        );
        const loads = aggregateOf(members)
          .describe()
          .priorities.map(({ healthyLoad }) => healthyLoad);
        expect(loads).toEqual(inRow.length === 0 ? [] : asOne.state.load.healthy);
      }),
    );
  });

  it('sends each request to a host of the level that it drew, and to nobody only where that level has nobody', () => {
    const policies = fc.constantFrom<LbPolicy>('ROUND_ROBIN', 'RANDOM', 'LEAST_REQUEST');
    const many = fc.array(fc.tuple(levelsOf, policies), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(many, fc.integer(), (shapes, seed) => {
        const members = shapes.map(([shape, policy], index) => member(index, shape, policy));
        const lb = aggregateOf(members);
        const random = new RandomStreams(String(seed)).stream('picks');
        const decision = new Decision();
        const levels = members.flatMap(({ hostSets, index }) =>
          hostSets.flatMap((hostSet) =>
            hostSet === undefined || hostSet.hosts.length === 0 ? [] : [{ hostSet, index }],
          ),
        );
        for (let pick = 0; pick < 50; pick++) {
          lb.choose(pickRequest(random), decision);
          const drawn = levels[decision.level];
          if (levels.length === 0) {
            expect(decision.host).toBeUndefined();
            continue;
          }
          expect(decision.member).toBe(drawn?.index);
          if (decision.host !== undefined) expect(drawn?.hostSet.hosts).toContain(decision.host);
          else expect(drawn?.hostSet.healthy).toEqual([]);
        }
      }),
    );
  });

  it('draws one value for the level and leaves the rest to the member', () => {
    const lb = aggregateOf([member(0, [[1, 1]], 'RANDOM'), member(1, [[2, 0]], 'RANDOM')]);
    const decision = new Decision();
    // Point 71 is the second cluster's; of its two hosts the value 1 is the second.
    lb.choose(pickRequest(scripted(70, 1)), decision);
    expect(decision).toMatchObject({ member: 1, level: 1, priority: 0 });
    expect(decision.host?.address).toBe(hostAt(101).address);
  });

  it('leaves the level to a member that hashes', () => {
    const lb = aggregateOf([
      member(
        0,
        [
          [1, 1],
          [1, 0],
        ],
        'RING_HASH',
      ),
    ]);
    const decision = new Decision();
    const request = { ...pickRequest(scripted(0)), hasHash: true, hashHi: 0, hashLo: 99 };
    lb.choose(request, decision);
    // Drawn was its first priority; 99 of the hash is its second one's.
    expect(decision).toMatchObject({ level: 0, priority: 1 });
  });

  it('finds nobody where no member has hosts, and draws nothing for it', () => {
    const random = scripted(7);
    const decision = new Decision();
    aggregateOf([member(0, [[0, 0]], 'RANDOM')]).choose(pickRequest(random), decision);
    expect(decision).toMatchObject({ host: undefined, member: -1 });
    random.next();
    expect(random.lo).toBe(7);
  });

  it('hands the request back as it was', () => {
    const request = pickRequest(scripted(0, 0));
    aggregateOf([member(0, [[1, 0]], 'RANDOM')]).choose(request, new Decision());
    expect(request).toMatchObject({ priorityLoad: undefined, throughAggregate: false });
  });

  it('lets its members choose, whatever host a request names', () => {
    const config = {
      kind: 'override_host',
      headers: ['x-host'],
      inner: lbConfig({ version: '1.40', lbPolicy: 'RANDOM' }),
    } as const;
    const hostSet = level(hostsOf(2));
    const balancer = createLoadBalancer(config, environment());
    balancer.update(hostSet, hostSet.hosts, []);
    const second = hostSet.hosts[1]?.address ?? '';
    const pickedBy = (lb: LoadBalancer): string | undefined => {
      const decision = new Decision();
      lb.choose({ ...pickRequest(scripted(0, 0, 0)), headers: { 'x-host': second } }, decision);
      return decision.host?.address;
    };
    expect(pickedBy(balancer)).toBe(second);
    expect(pickedBy(aggregateOf([{ name: 'm0', index: 0, hostSets: [hostSet], balancer }]))).not.toBe(second);
    expect(pickedBy(balancer)).toBe(second);
  });
});
