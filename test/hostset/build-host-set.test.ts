import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Locality } from '../../src/host/host.js';
import { HealthFlag, Host, localityKey, NOWHERE } from '../../src/host/host.js';
import { buildHostSet } from '../../src/hostset/build-host-set.js';
import type { HostSet } from '../../src/hostset/host-set.js';

function place(zone: string, region = '', subZone = ''): Locality {
  return { region, zone, subZone };
}

function build(
  hosts: readonly Host[],
  nodeLocality?: Locality,
  localityWeights?: ReadonlyMap<string, number>,
): HostSet {
  return buildHostSet({
    priority: 0,
    hosts,
    overprovisioningFactor: 140,
    weightedPriorityHealth: false,
    nodeLocality,
    localityWeights,
  });
}

let lastHost = 0;
function host(zone: string, flags = 0): Host {
  return new Host({ address: `10.0.0.${(lastHost++).toString()}:80`, locality: place(zone), flags });
}

function zones(hostSet: HostSet): readonly string[] {
  return hostSet.localities.map((group) => group.locality.zone);
}

describe('buildHostSet', () => {
  it('sorts hosts by health and keeps their order in every list', () => {
    const [a, b, c, d, e] = [
      host('x'),
      host('x', HealthFlag.FAILED_EDS_HEALTH),
      host('y', HealthFlag.DEGRADED_EDS_HEALTH),
      host('x', HealthFlag.EDS_STATUS_DRAINING),
      host('y'),
    ];
    const hostSet = build([a, b, c, d, e]);
    expect(hostSet.hosts).toEqual([a, b, c, d, e]);
    expect(hostSet.healthy).toEqual([a, e]);
    expect(hostSet.degraded).toEqual([c]);
    expect(hostSet.excluded).toEqual([d]);
    expect(hostSet.localities.map((group) => group.hosts)).toEqual([
      [a, b, d],
      [c, e],
    ]);
    expect(hostSet.localities.map((group) => group.healthy)).toEqual([[a], [e]]);
  });

  it('puts the node’s own locality first if the level has any host there, healthy or not', () => {
    const hosts = [host('b'), host('c', HealthFlag.FAILED_EDS_HEALTH), host('a')];
    expect(zones(build(hosts, place('c')))).toEqual(['c', 'a', 'b']);
    expect(build(hosts, place('c')).hasLocalLocality).toBe(true);
    expect(zones(build(hosts, place('d')))).toEqual(['a', 'b', 'c']);
    expect(build(hosts, place('d')).hasLocalLocality).toBe(false);
  });

  it('orders the others by region, zone and sub-zone, as bytes', () => {
    const places = [place('b', 'r2'), place('', 'r1', '￿'), place('', 'r1', '😀'), place('a', 'r2'), place('z', 'R3')];
    const hosts = places.map((locality, i) => new Host({ address: `10.0.1.${i.toString()}:80`, locality }));
    expect(build(hosts).localities.map((group) => group.locality)).toEqual([
      place('z', 'R3'),
      place('', 'r1', '￿'),
      place('', 'r1', '😀'),
      place('a', 'r2'),
      place('b', 'r2'),
    ]);
  });

  it('tells a node without locality, which is nowhere, from one in the nameless place', () => {
    const hosts = [host(''), host('a')];
    expect(build(hosts, undefined).hasLocalLocality).toBe(false);
    expect(build(hosts, NOWHERE).hasLocalLocality).toBe(true);
  });

  it('lists locality weights by group, 0 where there is none, and none at all where the level has none', () => {
    const weights = new Map([[localityKey(place('b')), 7]]);
    expect(build([host('a'), host('b')], place('b'), weights).localityWeights).toEqual([7, 0]);
    expect(build([host('a')], undefined, new Map()).localityWeights).toEqual([0]);
    expect(build([host('a')]).localityWeights).toBeUndefined();
  });

  it('puts every host into exactly one group, and into the lists that its flags say', () => {
    const anyHost = fc.record({ zone: fc.constantFrom('', 'a', 'b', 'c'), flags: fc.nat(1023) });
    fc.assert(
      fc.property(fc.array(anyHost, { maxLength: 40 }), fc.constantFrom('a', 'z'), (specs, nodeZone) => {
        const hosts = specs.map(({ zone, flags }) => host(zone, flags));
        const hostSet = build(hosts, place(nodeZone));
        for (const list of ['hosts', 'healthy', 'degraded', 'excluded'] as const) {
          const grouped = new Set(hostSet.localities.flatMap((group) => group[list]));
          expect(grouped).toEqual(new Set(hostSet[list]));
          expect(grouped.size).toBe(hostSet[list].length);
        }
        expect(hostSet.healthy).toEqual(hosts.filter((one) => one.health === 'healthy'));
        expect(hostSet.degraded).toEqual(hosts.filter((one) => one.health === 'degraded'));
        expect(hostSet.excluded).toEqual(hosts.filter((one) => one.excluded));
        expect(hostSet.hasLocalLocality).toBe(hostSet.localities[0]?.locality.zone === nodeZone);
      }),
    );
  });

  it('makes of the lists before and a few changed hosts what all hosts would give', () => {
    const FLAGS = [0, HealthFlag.FAILED_ACTIVE_HC, HealthFlag.DEGRADED_EDS_HEALTH, HealthFlag.EDS_STATUS_DRAINING];
    const flags = fc.constantFrom(...FLAGS, HealthFlag.DEGRADED_ACTIVE_HC | HealthFlag.PENDING_ACTIVE_HC);
    const members = fc.array(fc.record({ zone: fc.constantFrom('a', 'b'), flags }), { minLength: 1, maxLength: 9 });
    const rounds = fc.array(fc.array(fc.record({ row: fc.nat(8), flags }), { maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(members, rounds, fc.constantFrom(undefined, place('b')), (of, changes, nodeLocality) => {
        const hosts = of.map((one) => host(one.zone, one.flags));
        const level = { priority: 0, hosts, nodeLocality, overprovisioningFactor: 140, weightedPriorityHealth: false };
        const options = { ...level, localityWeights: new Map([[localityKey(place('a')), 3]]), keepsRows: false };
        let before = buildHostSet(options);
        for (const round of changes) {
          const changed = round.flatMap(({ row, flags: now }) => {
            const one = hosts[row];
            if (one !== undefined) one.flags = now;
            return one ?? [];
          });
          before = buildHostSet({ ...options, before, changed });
          expect(before).toEqual(buildHostSet(options));
        }
      }),
    );
  });
});
