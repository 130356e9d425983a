import { type ProxyVersion, quirksOf } from '../../../src/core/version.js';
import { parse } from '../../../src/core/u64.js';
import { Host, NOWHERE } from '../../../src/host/host.js';
import type { HostSet, LocalityGroup } from '../../../src/hostset/host-set.js';
import {
  createLocalitySchedule,
  effectiveLocalityWeights,
  nextLocality,
} from '../../../src/hostset/locality-weights.js';
import type { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';

/** Replays one vector of the schedule that chooses among weighted localities. */
export function replayLocalityWrr(vector: Fields, version: ProxyVersion, check: Check): void {
  const hostSet = levelOf(vector);
  const seed = parse(vector.string('seed'));
  if (seed === undefined) throw new FormatError('seed is no 64-bit integer');
  const weights = effectiveLocalityWeights(hostSet, (group) => group.healthy.length);
  const schedule = createLocalitySchedule(weights, quirksOf(version).seedsLocalities ? seed.lo : undefined);
  const next = (): number | null => (schedule === undefined ? null : nextLocality(schedule));

  if (vector.has('expect_picks')) {
    const expected = vector.list('expect_picks');
    check.equal('picks', Array.from(expected, next), expected);
  }
  if (vector.has('picks')) {
    const counts = hostSet.localities.map(() => 0);
    for (let i = 0; i < vector.number('picks'); i++) {
      const locality = next();
      if (locality !== null) counts[locality] = (counts[locality] ?? 0) + 1;
    }
    check.equal('counts', counts, vector.numbers('expect_counts'));
  }
}

function levelOf(vector: Fields): HostSet {
  const weights: number[] = [];
  const localities = vector.objects('localities').map((fields): LocalityGroup => {
    const hosts = anonymousHosts(fields.number('hosts'));
    const healthy = hosts.slice(0, fields.number('healthy'));
    const excluded = hosts.slice(hosts.length - fields.number('excluded'));
    weights.push(fields.number('weight'));
    fields.end();
    return { locality: NOWHERE, hosts, healthy, degraded: [], excluded };
  });
  return {
    priority: 0,
    overprovisioningFactor: vector.number('overprovisioning_factor'),
    weightedPriorityHealth: false,
    hosts: localities.flatMap(({ hosts }) => hosts),
    healthy: localities.flatMap(({ healthy }) => healthy),
    degraded: [],
    excluded: localities.flatMap(({ excluded }) => excluded),
    localities,
    hasLocalLocality: false,
    localityWeights: weights,
  };
}

function anonymousHosts(count: number): readonly Host[] {
  return Array.from({ length: count }, (_, index) => new Host({ address: `10.0.0.${index}:80` }));
}
