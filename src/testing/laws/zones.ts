import fc from 'fast-check';
import { quirksOf } from '../../core/quirks.js';
import { demand, type LawOptions, search } from '../law.js';
import { clusterValues, document, endpointValues, proxyValue, type Remarks, steadyWorkload } from '../scenario-file.js';
import type { StoryCluster, StoryHost } from '../story.js';
import { countWhere, healthyHost, pickMany, PLAIN_CLUSTER } from './situation.js';
import { type BalancerUnderTest, placesByHash } from '../balancer-under-test.js';

/** One zone of a fleet: its proxies, and the hosts that they share with the other zones. */
interface Zone {
  readonly callers: number;
  readonly hosts: number;
}

interface Fleet {
  readonly seed: number;
  readonly zones: readonly Zone[];
}

const NAMES = ['a', 'b', 'c', 'd'] as const;
const PICKS_PER_ZONE = 3000;
/** Zones' shares are counted in steps of a hundredth of a percent. */
const STEP = 1e-4;

/**
 * Zone-aware routing conserves traffic: every request of every zone finds a healthy host somewhere. A zone with capacity
 * for its own callers keeps them all, and no zone gets more than its part of the hosts.
 *
 * All callers send alike and all hosts are healthy. Rounding: with Z zones, shares lose less than a step of 0.01 % each,
 * the traffic that leaves the zones has an error below 2 Z steps, and the capacity to spare by less than Z, so that a zone
 * may get 3 Z + 2 steps too much; sampling adds five standard errors. Power: 3,000 picks a zone show a balancer that sends
 * 1 % of its requests out of a zone with room.
 *
 * Does not apply to hashing policies, which do not route by zone.
 */
export function routesZonesWithinCapacity(subject: BalancerUnderTest, options?: LawOptions): void {
  if (placesByHash(subject)) return;
  // Up to 1.27 zones are paired by position, and each needs a host.
  const hosts = fc.integer({ min: quirksOf(subject.version).pairsZonesByName ? 0 : 1, max: 9 });
  const examples: fc.Arbitrary<Fleet> = fc.record({
    seed: fc.nat(9999),
    zones: fc
      .array(fc.record({ callers: fc.integer({ min: 1, max: 9 }), hosts }), { minLength: 2, maxLength: NAMES.length })
      .filter((zones) => zones.filter((zone) => zone.hosts > 0).length > 1),
  });
  search<Fleet>(options, {
    law: 'routes zones within their capacity',
    examples,
    test: (fleet) => judge(subject, fleet),
    scenario: (fleet, remarks) => scenarioOf(subject, fleet, remarks),
    numRuns: 20,
    seed: 4,
  });
}

function judge(subject: BalancerUnderTest, fleet: Fleet): void {
  const { zones } = fleet;
  const callers = zones.reduce((sum, zone) => sum + zone.callers, 0);
  const hosts = zones.reduce((sum, zone) => sum + zone.hosts, 0);
  const arriving = zones.map(() => 0);
  let variance = 0;
  zones.forEach((zone, from) => {
    const flow = flowFrom(subject, fleet, from);
    const found = flow.reduce((sum, count) => sum + count, 0);
    demand(found === PICKS_PER_ZONE, () => {
      return `of ${PICKS_PER_ZONE} requests from zone ${nameOf(from)} only ${found} found a host`;
    });
    const stays = flow[from] ?? 0;
    const hasRoom = zone.hosts * callers >= zone.callers * hosts;
    demand(!hasRoom || stays === PICKS_PER_ZONE, () => {
      return (
        `zone ${nameOf(from)} has ${zone.callers} of ${callers} callers and ${zone.hosts} of ${hosts} hosts, ` +
        `room for all of its requests, and ${PICKS_PER_ZONE - stays} of ${PICKS_PER_ZONE} left it`
      );
    });
    const part = zone.callers / callers;
    variance += (part * part) / (4 * PICKS_PER_ZONE);
    flow.forEach((count, to) => (arriving[to] = (arriving[to] ?? 0) + (part * count) / PICKS_PER_ZONE));
  });
  const tolerance = (3 * zones.length + 2) * STEP + 5 * Math.sqrt(variance);
  zones.forEach((zone, to) => {
    const share = arriving[to] ?? 0;
    demand(share <= zone.hosts / hosts + tolerance, () => {
      return (
        `zone ${nameOf(to)} has ${zone.hosts} of ${hosts} hosts, ${percent(zone.hosts / hosts)}, and gets ` +
        `${percent(share)} of the traffic; ${percent(tolerance)} more would be rounding and chance`
      );
    });
  });
}

/** Where the requests of one zone go, by zone. */
function flowFrom(subject: BalancerUnderTest, fleet: Fleet, from: number): number[] {
  const zone = nameOf(from);
  const situation = { seed: fleet.seed, cluster: clusterOf(fleet), hosts: hostsOf(fleet) };
  const picked = pickMany(subject, situation, { picks: PICKS_PER_ZONE, proxy: proxyOf(zone), zone });
  return fleet.zones.map((_, to) => countWhere(picked, (host) => host?.locality.zone === nameOf(to)));
}

function clusterOf({ zones }: Fleet): StoryCluster {
  const callers = Object.fromEntries(zones.map((zone, index) => [nameOf(index), zone.callers]));
  return { ...PLAIN_CLUSTER, callers };
}

function hostsOf({ zones }: Fleet): StoryHost[] {
  return zones.flatMap((zone, index) =>
    Array.from({ length: zone.hosts }, (_, n) =>
      healthyHost(n, { address: `10.0.${index}.${n + 1}:80`, zone: nameOf(index) }),
    ),
  );
}

/** One proxy per zone, which sends the requests of all its callers. */
function scenarioOf(subject: BalancerUnderTest, fleet: Fleet, remarks: Remarks): string {
  const cluster = clusterOf(fleet);
  const hosts = hostsOf(fleet);
  const callers = fleet.zones.reduce((sum, zone) => sum + zone.callers, 0);
  return document(remarks, {
    seed: fleet.seed,
    proxies: fleet.zones.map((zone, index) => {
      const name = nameOf(index);
      return proxyValue(proxyOf(name), name, subject, true, zone.callers / callers);
    }),
    clusters: clusterValues(subject, cluster, hosts),
    endpoints: endpointValues(cluster, hosts),
    workloads: [steadyWorkload(PICKS_PER_ZONE * fleet.zones.length)],
  });
}

function proxyOf(zone: string): string {
  return `proxy-${zone}`;
}

function nameOf(index: number): string {
  return NAMES[index] ?? '';
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
