import type { HostSet } from '../../hostset/host-set.js';
import { TableCache } from '../../hostset/table-cache.js';
import { Decision, emptyPickRequest } from '../../hostset/load-balancer.js';
import type { Remarks, BalancerUnderTest } from '../law.js';
import { hosts as someHosts, chanceBound, balancerLaw, fail, proxyValue, situationScenario } from '../law.js';
import * as stories from '../story.js';
import * as scenes from './situation.js';
import { quirksOf } from '../../core/version.js';
import fc from 'fast-check';
import { sum } from '../../core/values.js';

const WORKERS = 1000;

/**
 * Workers and proxies start differently: of many balancers with the same equal hosts and independent random draws, equally
 * many start with each host, and go on with each host after an update has brought them one more. A policy that begins with
 * the first one floods it whenever a fleet starts, or gets a new list. Power: 1,000 balancers show 60 % too much on one of
 * four hosts.
 */
export const startsApart = balancerLaw<Fleet>('starts apart from its equals', {
  examples: () => {
    const hosts = fc
      .integer({ min: 2, max: 6 })
      .map((count) => Array.from({ length: count }, (_, index) => scenes.healthyHost(index)));
    return fc.record({ hosts, seed: fc.nat(9999) });
  },
  test: (subject, fleet) => {
    const all = [...fleet.hosts, newcomerTo(fleet)];
    const [atStart, afterUpdate] = firstPicks(subject, fleet.seed, all);
    judgeFirst(atStart, fleet.hosts, 'begin with');
    judgeFirst(afterUpdate, all, 'go on, after a host was added, with');
  },
  scenario: (subject, fleet, remarks) => fleetScenario(subject, fleet, 10, remarks, newcomerTo(fleet).address),
  numRuns: 10,
  seed: 5,
});

/** By address. */
type Counts = Map<string | undefined, number>;

function judgeFirst(counts: Counts, hosts: readonly stories.StoryHost[], did: string): void {
  const share = 1 / hosts.length;
  for (const { address } of hosts) {
    const count = counts.get(address) ?? 0;
    if (Math.abs(count - WORKERS * share) > chanceBound(WORKERS, share))
      fail(`${count} of ${WORKERS} balancers ${did} ${address}, one of ${hosts.length} equal hosts`);
  }
}

const HASHES = 32;

/**
 * Proxies and workers agree on the host of a hash: balancers with the same hosts, independent random draws and nodes in
 * different zones look up the same host for every hash, although the second one heard of the hosts one by one; and in
 * another order, where the policy sorts them. Does not apply to policies without hashing.
 */
export const agreesAcrossProxies = balancerLaw<Fleet>('agrees with its equals on the host of a hash', {
  applies: scenes.placesByHash,
  // Rings round differently where weights differ and hosts stand in another order.
  examples: () => fc.record({ hosts: someHosts({ maxWeight: 1 }), seed: fc.nat(9999) }),
  test: (subject, fleet) => {
    // While no host is available the proxy keeps old loads.
    if (!fleet.hosts.some(({ health }) => health === 'HEALTHY' || health === 'DEGRADED')) return;
    const tables = new TableCache();
    const one = balancerOf(subject, fleet, 0, tables);
    const later = scenes.tableIgnoresOrder(subject) ? [...fleet.hosts].reverse() : fleet.hosts;
    const other = balancerOf(subject, { ...fleet, hosts: later }, 1, tables);
    for (const hash of scenes.drawnHashes(fleet.seed, HASHES)) {
      const [here, there] = [one, other].map((balancer) => scenes.ownerOf(balancer, hash));
      if (here !== there) fail(`a hash leads to ${here ?? ''} in one proxy, and to ${there ?? ''} in another`);
    }
  },
  scenario: (subject, fleet, remarks) => fleetScenario(subject, fleet, 2, remarks),
  numRuns: 40,
});

type Fleet = Readonly<{ hosts: readonly stories.StoryHost[]; seed: number }>;

const newcomerTo = ({ hosts }: Fleet): stories.StoryHost => scenes.healthyHost(hosts.length);

/** Each balancer's first pick at the start, and after the last host was added. */
function firstPicks(
  subject: BalancerUnderTest,
  seed: number,
  hosts: readonly stories.StoryHost[],
): readonly [Counts, Counts] {
  const discovery = new stories.StoryDiscovery(
    { cluster: scenes.PLAIN_CLUSTER, hosts },
    subject.version,
    stories.NODE_ZONE,
  );
  const lists: HostSet[] = [];
  const listener = { update: (hostSet: HostSet) => lists.push(hostSet) };
  for (const present of [false, true]) discovery.change({ host: hosts.length - 1, present }, listener);
  const config = stories.configOf(subject, scenes.PLAIN_CLUSTER);
  const decision = new Decision();
  const picks: readonly [Counts, Counts] = [new Map(), new Map()];
  for (let worker = 0; worker < WORKERS; worker++) {
    const random = stories.balancerStream(seed, `${stories.PROXY}-${worker}`);
    const balancer = subject.create(config, stories.environmentOf(random, false));
    lists.forEach((hostSet, update) => {
      balancer.update(hostSet, update === 0 ? hostSet.hosts : hostSet.hosts.slice(-1), []);
      const address = scenes.pickOnce(balancer, emptyPickRequest(random), decision)?.address;
      const counts = picks[update === 0 ? 0 : 1];
      counts.set(address, (counts.get(address) ?? 0) + 1);
    });
  }
  return picks;
}

/** Who hears of hosts before anybody does. */
const NOBODY = { update: () => undefined };

const ZONES = [stories.NODE_ZONE, 'b'] as const;

/** Proxy 0 hears of all hosts at once, any other of one after the other. */
function balancerOf(subject: BalancerUnderTest, { hosts, seed }: Fleet, proxy: 0 | 1, tables: TableCache) {
  const random = stories.balancerStream(seed, `${stories.PROXY}-${proxy}`);
  const balancer = subject.create(stories.configOf(subject, scenes.PLAIN_CLUSTER), {
    ...stories.environmentOf(random, false),
    tables,
  });
  const discovery = new stories.StoryDiscovery({ cluster: scenes.PLAIN_CLUSTER, hosts }, subject.version, ZONES[proxy]);
  if (proxy === 0) {
    discovery.announce(balancer);
    return balancer;
  }
  for (const host of hosts.keys()) discovery.change({ host, present: false }, NOBODY);
  for (const host of hosts.keys()) discovery.change({ host, present: true }, balancer);
  return balancer;
}

/** A request of each proxy; and another one of each, after a host has joined. */
function fleetScenario(
  subject: BalancerUnderTest,
  { hosts, seed }: Fleet,
  proxies: number,
  remarks: Remarks,
  joins?: string,
): string {
  const picks = joins === undefined ? proxies : 2 * proxies;
  const added = { cluster: stories.CLUSTER, zone: stories.NODE_ZONE, endpoints: [joins] };
  return situationScenario(subject, { seed, cluster: scenes.PLAIN_CLUSTER, hosts }, picks, remarks, {
    proxies: Array.from({ length: proxies }, (_, index) =>
      proxyValue(`${stories.PROXY}-${index}`, ZONES[index] ?? stories.NODE_ZONE, subject, false, 1 / proxies),
    ),
    timeline: joins === undefined ? [] : [{ at: `${1000 * proxies - 500}us`, add_hosts: added }],
  });
}

/** One zone of a fleet: its proxies, and the hosts that they share with the other zones. */
type Zone = Readonly<{ callers: number; hosts: number }>;

type ZonedFleet = Readonly<{ seed: number; zones: readonly Zone[] }>;

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
export const routesZonesWithinCapacity = balancerLaw<ZonedFleet>('routes zones within their capacity', {
  applies: scenes.picksFromLists,
  examples: ({ version }) => {
    // Up to 1.27 zones are paired by position, and each needs a host.
    const hosts = fc.integer({ min: quirksOf(version).pairsZonesByName ? 0 : 1, max: 9 });
    return fc.record({
      seed: fc.nat(9999),
      zones: fc
        .array(fc.record({ callers: fc.integer({ min: 1, max: 9 }), hosts }), { minLength: 2, maxLength: NAMES.length })
        .filter((zones) => zones.filter((zone) => zone.hosts > 0).length > 1),
    });
  },
  test: judge,
  scenario: zonesScenario,
  numRuns: 20,
  seed: 4,
});

function judge(subject: BalancerUnderTest, fleet: ZonedFleet): void {
  const { zones } = fleet;
  const situation = situationOf(fleet);
  const callers = sum(zones.map((zone) => zone.callers));
  const hosts = sum(zones.map((zone) => zone.hosts));
  const arriving = zones.map(() => 0);
  let variance = 0;
  zones.forEach((zone, from) => {
    const own = nameOf(from);
    const picked = scenes.pickMany(subject, situation, { picks: PICKS_PER_ZONE, proxy: proxyOf(own), zone: own });
    // By zone.
    const flow = zones.map((_, to) => scenes.countWhere(picked, (host) => host?.locality.zone === nameOf(to)));
    const found = sum(flow);
    if (found !== PICKS_PER_ZONE) fail(`of ${PICKS_PER_ZONE} requests from zone ${own} only ${found} found a host`);
    const stays = flow[from] ?? 0;
    const hasRoom = zone.hosts * callers >= zone.callers * hosts;
    if (hasRoom && stays !== PICKS_PER_ZONE)
      fail(
        `zone ${own} has ${zone.callers} of ${callers} callers and ${zone.hosts} of ${hosts} hosts, ` +
          `room for all of its requests, and ${PICKS_PER_ZONE - stays} of ${PICKS_PER_ZONE} left it`,
      );
    const part = zone.callers / callers;
    variance += (part * part) / (4 * PICKS_PER_ZONE);
    flow.forEach((count, to) => (arriving[to] = (arriving[to] ?? 0) + (part * count) / PICKS_PER_ZONE));
  });
  const tolerance = (3 * zones.length + 2) * STEP + 5 * Math.sqrt(variance);
  zones.forEach((zone, to) => {
    const share = arriving[to] ?? 0;
    if (share > zone.hosts / hosts + tolerance)
      fail(
        `zone ${nameOf(to)} has ${zone.hosts} of ${hosts} hosts, ${percent(zone.hosts / hosts)}, and gets ` +
          `${percent(share)} of the traffic; ${percent(tolerance)} more would be rounding and chance`,
      );
  });
}

const situationOf = ({ seed, zones }: ZonedFleet): stories.Situation => ({
  seed,
  cluster: {
    ...scenes.PLAIN_CLUSTER,
    callers: Object.fromEntries(zones.map((zone, index) => [nameOf(index), zone.callers])),
  },
  hosts: zones.flatMap((zone, index) =>
    Array.from({ length: zone.hosts }, (_, n) =>
      scenes.healthyHost(n, { address: `10.0.${index}.${n + 1}:80`, zone: nameOf(index) }),
    ),
  ),
});

/** One proxy per zone, which sends the requests of all its callers. */
function zonesScenario(subject: BalancerUnderTest, fleet: ZonedFleet, remarks: Remarks): string {
  const callers = sum(fleet.zones.map((zone) => zone.callers));
  return situationScenario(subject, situationOf(fleet), PICKS_PER_ZONE * fleet.zones.length, remarks, {
    proxies: fleet.zones.map((zone, index) => {
      const name = nameOf(index);
      return proxyValue(proxyOf(name), name, subject, true, zone.callers / callers);
    }),
  });
}

const proxyOf = (zone: string): string => `proxy-${zone}`;
const nameOf = (index: number): string => NAMES[index] ?? '';
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
