import { describe, expect, it } from 'vitest';
import type { Locality } from '../../src/host/host.js';
import { Host, NOWHERE } from '../../src/host/host.js';
import { buildClusterResult } from '../../src/result/build-result.js';
import { ClusterRecorder, type PhaseCounts } from '../../src/result/cluster-recorder.js';
import type { Origin } from '../../src/result/fleet.js';
import { HostRows } from '../../src/result/phase-hosts.js';
import { NO_ROWS } from '../../src/result/phases.js';

const zone = (name: string): Locality => ({ ...NOWHERE, zone: name });

/** Hosts 0 and 1 in a, host 2 in b. */
function rows(zones: readonly string[] = ['a', 'a', 'b']): HostRows {
  const found = new HostRows();
  zones.forEach((name, index) => {
    found.indexOf(new Host({ address: `10.0.0.${index}:80`, locality: zone(name) }), 0);
  });
  return found;
}

/** A proxy that sent so many requests to each row, all but the last of a row in phase 0. */
function origin(place: string | undefined, ...sent: readonly number[]): Origin {
  const recorder = new ClusterRecorder();
  recorder.beginPhase();
  sent.forEach((count, row) => {
    for (let n = 1; n <= count; n++)
      recorder.chosen(recorder.phases[n === count ? 1 : 0] as PhaseCounts, row, undefined);
  });
  return { locality: place === undefined ? undefined : zone(place), recorder };
}

function result(origins: readonly Origin[], hosts = rows()): ReturnType<typeof buildClusterResult> {
  const view = { states: NO_ROWS, priorities: [], facts: [], labels: [] };
  return buildClusterResult(
    {
      policy: 'ROUND_ROBIN',
      rows: hosts.rows,
      phases: [
        { fromUs: 0, causes: [{ fact: { kind: 'timeline', entry: 'start' } as const }], ...view },
        { fromUs: 1_000_000, causes: [{ fact: { kind: 'timeline', entry: 'update' } as const }], ...view },
      ],
      proxies: 1,
      mergeWindow: undefined,
      detections: [],
      warmupUs: 0,
      endUs: 2_000_000,
      table: undefined,
      origins,
    },
    ClusterRecorder.sum(origins.map(({ recorder }) => recorder)),
  );
}

describe('the fleet view', () => {
  const fleet = [origin('a', 4, 2, 0), origin('a', 2, 0, 2), origin('b', 0, 1, 9)];

  it('does not say that a side without a region is in another one', () => {
    const hosts = new HostRows();
    for (const [index, place] of [zone('a'), zone('b')].entries()) {
      hosts.indexOf(new Host({ address: `10.0.0.${index}:80`, locality: { ...place, region: 'r' } }), 0);
    }
    expect(result([origin('a', 3, 1)], hosts).fleet?.cross_zone).toEqual({ requests: 1, share: 0.25 });
    const elsewhere = { ...origin('a', 3, 1), locality: { ...zone('a'), region: 'q' } };
    expect(result([elsewhere], hosts).fleet?.cross_zone).toEqual({ requests: 4, share: 1 });
  });

  it('sums the proxies of a zone, and tells where their requests went', () => {
    expect(result(fleet).fleet).toEqual({
      from: [
        {
          locality: { region: '', zone: 'a', sub_zone: '' },
          proxies: 2,
          requests: 10,
          cross_zone: { requests: 2, share: 0.2 },
        },
        {
          locality: { region: '', zone: 'b', sub_zone: '' },
          proxies: 1,
          requests: 10,
          cross_zone: { requests: 1, share: 0.1 },
        },
      ],
      to: [
        { locality: { region: '', zone: 'a', sub_zone: '' }, hosts: 2 },
        { locality: { region: '', zone: 'b', sub_zone: '' }, hosts: 1 },
      ],
      flows: [
        [8, 2],
        [1, 9],
      ],
      cross_zone: { requests: 3, share: 0.15 },
      mean_requests: 20 / 3,
    });
  });

  it('compares each host with the mean', () => {
    expect(result(fleet).hosts.map((host) => host.relative_load)).toEqual([6, 3, 11].map((sent) => sent / (20 / 3)));
  });

  it('tells what crossed zones in each phase', () => {
    // The last request of each proxy to each host is in the second phase: 1 + 1, 1 + 1, 1 + 1 of which 2 cross.
    expect(result(fleet).phases.map((phase) => phase.cross_zone)).toEqual([
      { requests: 1, share: 1 / 14 },
      { requests: 2, share: 2 / 6 },
    ]);
  });

  it('keeps proxies without a locality apart: nothing that they send crosses zones', () => {
    const { fleet: found } = result([origin('b', 1, 0, 1), origin(undefined, 5, 5, 5)]);
    expect(found?.from.map(({ locality, cross_zone: crossing }) => [locality?.zone, crossing.requests])).toEqual([
      ['b', 1],
      [undefined, 0],
    ]);
    expect(found?.cross_zone).toEqual({ requests: 1, share: 0.5 });
  });

  it('shows a zone of proxies that has no hosts, behind the others', () => {
    const { fleet: found } = result([origin('c', 3, 0, 0), origin('b', 0, 0, 1)]);
    expect(found?.from.map(({ locality, cross_zone: crossing }) => [locality?.zone, crossing.share])).toEqual([
      ['b', 0],
      ['c', 1],
    ]);
  });

  it.each([
    ['no proxy says where it is', [origin(undefined, 1, 1, 1)], ['a', 'a', 'b']],
    ['all proxies and hosts are in one place', [origin('a', 1, 1, 1), origin('a', 1, 1, 1)], ['a', 'a', 'a']],
    ['nobody asks', [], ['a', 'a', 'b']],
  ])('is left out where %s', (_, origins, zones) => {
    const found = result(origins, rows(zones));
    expect(found).not.toHaveProperty('fleet');
    expect(found.phases[0]).not.toHaveProperty('cross_zone');
    expect(found.hosts[0]).not.toHaveProperty('relative_load');
  });
});
