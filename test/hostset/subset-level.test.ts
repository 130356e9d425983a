import { describe, expect, it } from 'vitest';
import { HealthFlag, Host } from '../../src/host/host.js';
import { buildHostSet } from '../../src/hostset/build-host-set.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import { LevelView } from '../../src/hostset/subset/subset-level.js';

function build(hosts: readonly Host[], before?: HostSet): HostSet {
  const rest = { overprovisioningFactor: 140, weightedPriorityHealth: false, nodeLocality: undefined };
  return buildHostSet({ ...rest, priority: 0, hosts, localityWeights: undefined, before });
}

describe('the level that subsets are selected from', () => {
  it('is as it was when its lists were built', () => {
    const hosts = [new Host({ address: '10.0.0.1:80' }), new Host({ address: '10.0.0.2:80' })];
    const first = build(hosts);
    const [second, third] = hosts.map((host) => {
      host.flags = HealthFlag.FAILED_EDS_HEALTH;
      return build(hosts, first);
    });
    if (second === undefined || third === undefined) throw new Error('two hosts fail');
    const view = LevelView.of(first, undefined);
    const [next, last] = [LevelView.of(second, view), LevelView.of(third, view)];
    const rows = (after: LevelView): readonly number[] => after.changesFrom(view).map(({ row }) => row);
    expect([rows(next), rows(last), rows(next)]).toEqual([[0], [0, 1], [0]]);
  });

  it('shares its locality weights with another, or has them alone', () => {
    const view = (weight: number | undefined): LevelView =>
      LevelView.of({ ...build([]), localityWeights: weight === undefined ? undefined : [weight] }, undefined);
    const shares = (one?: number, other?: number): boolean => view(one).sharesWith(view(other), true, false);
    expect([shares(), shares(1, 1), shares(1), shares(undefined, 1), shares(1, 2)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('finds no change where a host is again as it was', () => {
    const hosts = [new Host({ address: '10.0.0.1:80' }), new Host({ address: '10.0.0.2:80', weight: 3 })];
    const first = build(hosts);
    const view = LevelView.of(first, undefined);
    for (const host of hosts) host.flags = HealthFlag.FAILED_EDS_HEALTH;
    const second = build(hosts, first);
    for (const host of hosts) host.flags = 0;
    expect(LevelView.of(build(hosts, second), view).changesFrom(view)).toEqual([]);
  });
});
