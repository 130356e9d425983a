import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProxyVersion } from '../../src/core/version.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { ZoneAwareConfig } from '../../src/hostset/lb-config.js';
import { LbStats } from '../../src/hostset/lb-stats.js';
import { type ZoneRouting, chooseZone, computeZoneRouting, zoneRoutingPercent } from '../../src/hostset/zone-aware.js';
import { drawPercent } from '../../src/random/draws.js';
import { hostsOf, level, runtimeOf, scripted, UNHEALTHY, zone } from '../support/balancing.js';

/** Healthy hosts by zone; the node is in zone a. */
function zones(counts: Readonly<Record<string, number>>): HostSet {
  const hosts = Object.entries(counts).flatMap(([name, count]) => hostsOf(count, { locality: zone(name) }));
  return level(hosts, { node: zone('a') });
}

interface Options {
  readonly version?: ProxyVersion;
  readonly config?: Partial<ZoneAwareConfig>;
  readonly runtime?: Readonly<Record<string, number>>;
}

function route(
  upstream: HostSet,
  local: HostSet | undefined,
  { version = '1.40', config = {}, runtime = {} }: Options = {},
): { routing: ZoneRouting; stats: LbStats } {
  const stats = new LbStats();
  const routing = computeZoneRouting({
    upstream,
    local,
    config: { routingEnabled: 100, minClusterSize: 1, ...config },
    version,
    runtime: runtimeOf(runtime),
    stats,
  });
  return { routing, stats };
}

describe('zone routing is off', () => {
  it('with one zone upstream, silently', () => {
    const { routing, stats } = route(zones({ a: 9 }), zones({ a: 1, b: 1 }));
    expect(routing).toEqual({ state: 'none', gate: 'upstream-zones', zones: 1, needed: 2 });
    expect(stats).toEqual(Object.assign(new LbStats(), { lbRecalculateZoneStructures: 1 }));
  });

  it('as long as the local cluster is not known, silently', () => {
    const { routing, stats } = route(zones({ a: 5, b: 5 }), undefined);
    expect(routing).toEqual({ state: 'none', gate: 'local-zones', zones: 0, needed: 2 });
    expect(stats.lbLocalClusterNotOk).toBe(0);
  });

  it('when the local cluster has nobody in the zone of the node', () => {
    const { routing, stats } = route(zones({ a: 5, b: 5 }), zones({ b: 1, c: 1 }));
    expect(routing).toEqual({ state: 'none', gate: 'no-local-hosts' });
    expect(stats.lbLocalClusterNotOk).toBe(1);
  });

  it('with fewer healthy hosts than min_cluster_size, which the runtime may change', () => {
    const [upstream, local] = [zones({ a: 3, b: 2 }), zones({ a: 1, b: 1 })];
    const { routing, stats } = route(upstream, local, { config: { minClusterSize: 6 } });
    expect(routing).toEqual({ state: 'none', gate: 'cluster-too-small', healthyHosts: 5, minClusterSize: 6 });
    expect(stats.lbZoneClusterTooSmall).toBe(1);
    const runtime = { 'upstream.zone_routing.min_cluster_size': 5 };
    expect(route(upstream, local, { config: { minClusterSize: 6 }, runtime }).routing.state).not.toBe('none');
  });

  it('in the v2 era when the numbers of zones differ', () => {
    const { routing, stats } = route(zones({ a: 3, b: 3 }), zones({ a: 1, b: 1, c: 1 }), { version: '1.17' });
    expect(routing).toEqual({ state: 'none', gate: 'zone-number-differs', upstreamZones: 2, localZones: 3 });
    expect(stats.lbZoneNumberDiffers).toBe(1);
  });

  it('in the v2 era when the zone of the node has no healthy host upstream', () => {
    const sick = hostsOf(1, { locality: zone('a'), flags: UNHEALTHY });
    const upstream = level([...sick, ...hostsOf(6, { locality: zone('b') })], { node: zone('a') });
    const { routing, stats } = route(upstream, zones({ a: 1, b: 1 }), { version: '1.17' });
    expect(routing).toEqual({ state: 'none', gate: 'no-upstream-local-hosts' });
    expect(stats.lbLocalClusterNotOk).toBe(1);
  });
});

describe('zone routing is direct', () => {
  it.each<ProxyVersion>(['1.17', '1.40'])('where the zone has its fair share of hosts (%s)', (version) => {
    const { routing } = route(zones({ a: 2, b: 2, c: 2 }), zones({ a: 1, b: 1, c: 1 }), { version });
    expect(routing).toMatchObject({ state: 'direct', forced: false, upstream: [3333, 3333, 3333] });
  });

  it('where it is forced, unless the zone is too small for that', () => {
    const [upstream, local] = [zones({ a: 1, b: 9 }), zones({ a: 1, b: 1 })];
    const forced = (minSize: number): ZoneRouting =>
      route(upstream, local, { config: { forceLocalZone: { minSize } } }).routing;
    expect(forced(1)).toMatchObject({ state: 'direct', forced: true });
    expect(forced(2).state).toBe('residual');
    expect(forced(0)).toMatchObject({ state: 'direct', forced: true });
  });

  it('where it is forced, though the local cluster has one zone; without hosts it is not in order', () => {
    const upstream = zones({ a: 1, b: 9 });
    const config = { forceLocalZone: { minSize: 1 } };
    expect(route(upstream, zones({ a: 1 }), { config }).routing).toMatchObject({ state: 'direct', forced: true });
    expect(route(upstream, zones({ a: 1 })).routing).toMatchObject({ gate: 'local-zones' });
    const unknown = route(upstream, undefined, { config });
    expect(unknown.routing).toEqual({ state: 'none', gate: 'no-local-hosts' });
    expect(unknown.stats.lbLocalClusterNotOk).toBe(1);
    const byRuntime = { runtime: { 'upstream.zone_routing.force_local_zone.min_size': 1 } };
    expect(route(upstream, zones({ a: 1 }), byRuntime).routing).toMatchObject({ state: 'direct', forced: true });
  });
});

describe('zone routing has a residual', () => {
  it('takes what the zone can and offers what the others have to spare', () => {
    // Upstream 20/40/40 %, local 33 % each: 2000 / 3333 stays, b and c have 667 each to spare.
    const { routing } = route(zones({ a: 1, b: 2, c: 2 }), zones({ a: 1, b: 1, c: 1 }));
    expect(routing).toEqual({
      state: 'residual',
      localPercentToRoute: 6000,
      residualCapacity: [0, 667, 1334],
      upstream: [2000, 4000, 4000],
      local: [3333, 3333, 3333],
    });
  });

  it('pairs zones by name today, by position in the v2 era', () => {
    const [upstream, local] = [zones({ a: 1, c: 3, d: 2 }), zones({ a: 2, b: 1, c: 1 })];
    expect(route(upstream, local).routing).toMatchObject({ residualCapacity: [0, 2500, 5833] });
    expect(route(upstream, local, { version: '1.17' }).routing).toMatchObject({ residualCapacity: [0, 2500, 3333] });
  });

  it('sends nothing to a zone that is not there', () => {
    const { routing } = route(zones({ d: 1, e: 1, f: 1 }), zones({ a: 1, b: 1, c: 1 }));
    expect(routing).toMatchObject({ localPercentToRoute: 0, residualCapacity: [3333, 6666, 9999] });
  });

  it('may count weights instead of hosts', () => {
    const upstream = level(
      [...hostsOf(1, { locality: zone('a'), weight: 3 }), ...hostsOf(1, { locality: zone('b') })],
      { node: zone('a') },
    );
    const options = { config: { localityBasis: 'HEALTHY_HOSTS_WEIGHT' } } as const;
    expect(route(upstream, zones({ a: 1, b: 1 }), options).routing).toMatchObject({ upstream: [7500, 2500] });
  });
});

describe('choosing a zone', () => {
  const { routing } = route(zones({ a: 1, b: 2, c: 2 }), zones({ a: 1, b: 1, c: 1 }));

  it.each<[ProxyVersion, readonly number[], number, string]>([
    ['1.40', [5999], 0, 'lbZoneRoutingSampled'],
    ['1.40', [6000, 0], 1, 'lbZoneRoutingCrossZone'],
    ['1.40', [6000, 666], 1, 'lbZoneRoutingCrossZone'],
    ['1.40', [9999, 667], 2, 'lbZoneRoutingCrossZone'],
    ['1.40', [9999, 1334], 1, 'lbZoneRoutingCrossZone'],
    // Up to 1.27 point 0 fell to the local zone, and every edge one later.
    ['1.17', [6000, 0], 0, 'lbZoneRoutingCrossZone'],
    ['1.17', [6000, 667], 1, 'lbZoneRoutingCrossZone'],
    ['1.17', [6000, 668], 2, 'lbZoneRoutingCrossZone'],
  ])('at %s by draws %j', (version, values, expected, counter) => {
    const stats = new LbStats();
    const random = scripted(...values);
    expect(chooseZone(routing, random, stats, version)).toBe(expected);
    expect(random.draws).toBe(values.length);
    expect(stats).toEqual(Object.assign(new LbStats(), { [counter]: 1 }));
  });

  it('draws nothing when direct', () => {
    const stats = new LbStats();
    const random = scripted();
    const direct = route(zones({ a: 2, b: 2 }), zones({ a: 1, b: 1 })).routing;
    expect(chooseZone(direct, random, stats, '1.40')).toBe(0);
    expect(random.draws).toBe(0);
    expect(stats.lbZoneRoutingAllDirectly).toBe(1);
  });

  it('takes any zone where rounding leaves no capacity', () => {
    const stats = new LbStats();
    const full: ZoneRouting = {
      state: 'residual',
      localPercentToRoute: 9997,
      residualCapacity: [0, 0],
      upstream: [4999, 5000],
      local: [5000, 5000],
    };
    expect(chooseZone(full, scripted(9999, 3), stats, '1.40')).toBe(1);
    expect(stats.lbZoneNoCapacityLeft).toBe(1);
  });

  it('never leaves the list of zones, and never asks a zone without spare capacity', () => {
    const count = fc.nat(6);
    const census = fc.record({ a: count, b: count, c: count, d: count });
    fc.assert(
      fc.property(census, census, fc.nat(), fc.nat(), (upstream, local, first, second) => {
        const computed = route(zones(upstream), zones(local)).routing;
        fc.pre(computed.state === 'residual');
        const stats = new LbStats();
        const chosen = chooseZone(computed, scripted(first, second), stats, '1.40');
        expect(computed.upstream[chosen]).toBeDefined();
        if (stats.lbZoneRoutingCrossZone === 1 && stats.lbZoneNoCapacityLeft === 0) {
          expect(computed.upstream[chosen]).toBeGreaterThan(computed.local[chosen] ?? NaN);
        }
      }),
    );
  });

  it('keeps every zone at its fair share when all proxies do so', () => {
    // The promise of zone-aware routing: local proxies 50/25/25 %, hosts 25/50/25 %.
    const proxies = { a: 2, b: 1, c: 1 };
    const hosts = { a: 1, b: 2, c: 1 };
    const flow = { a: 0, b: 0, c: 0 };
    for (const here of ['a', 'b', 'c'] as const) {
      const seen = (counts: Readonly<Record<string, number>>): HostSet =>
        level(
          Object.entries(counts).flatMap(([name, count]) => hostsOf(count, { locality: zone(name) })),
          { node: zone(here) },
        );
      const upstream = seen(hosts);
      const computed = route(upstream, seen(proxies)).routing;
      for (let draw = 0; draw < 100; draw++) {
        for (let point = 0; point < 25; point++) {
          const chosen = chooseZone(computed, scripted(draw * 100, point * 100), new LbStats(), '1.40');
          const name = upstream.localities[chosen]?.locality.zone as keyof typeof flow;
          flow[name] += proxies[here] / 4 / 2500;
        }
      }
    }
    expect(flow.a).toBeCloseTo(0.25, 6);
    expect(flow.b).toBeCloseTo(0.5, 6);
    expect(flow.c).toBeCloseTo(0.25, 6);
  });
});

describe('the feature check', () => {
  it.each([
    [0, {}, false, 0],
    [100, {}, true, 0],
    [30, {}, true, 1],
    [29, {}, false, 1],
    [0, { 'upstream.zone_routing.enabled': 100 }, true, 0],
    [100, { 'upstream.zone_routing.enabled': 0 }, false, 0],
    [100, { 'upstream.zone_routing.enabled': 29 }, false, 1],
    [100, { 'upstream.zone_routing.enabled': 250 }, true, 0],
  ])('at %i %% with %j, on a draw of 29', (percent, runtime, enabled, draws) => {
    const random = scripted(29);
    expect(drawPercent(random, zoneRoutingPercent(runtimeOf(runtime), percent))).toBe(enabled);
    expect(random.draws).toBe(draws);
  });
});
