import { mod } from '../../../src/core/u64.js';
import { chooseBounded, overloadFactor } from '../../../src/policy/bounded-load.js';
import { HostShuffle } from '../../../src/policy/host-shuffle.js';
import type { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';
import { u64Of } from './fixtures.js';

/** Replays one vector of the bounded-load walk over a table that is just a list: entry `hash mod length`. */
export function replayBoundedLoad(vector: Fields, check: Check): void {
  const factor = vector.number('hash_balance_factor');
  const hosts = vector.objects('hosts').map((fields) => {
    const host = { address: fields.string('address'), weight: fields.number('normalized_weight'), active: 0 };
    fields.end();
    return host;
  });
  const indexOf = (address: string): number => {
    const index = hosts.findIndex((host) => host.address === address);
    if (index < 0) throw new FormatError(`unknown address ${JSON.stringify(address)}`);
    return index;
  };
  const ring = vector.strings('ring').map(indexOf);
  const overload = overloadOf(vector);
  const otherwise = vector.number('default_overload_factor');
  let clusterActive = 0;
  const loads = {
    hostCount: hosts.length,
    factor: (index: number): number => {
      const host = hosts[index];
      if (host === undefined) throw new FormatError(`no host ${index}`);
      return overload === 'computed'
        ? overloadFactor(host.active, clusterActive, host.weight, factor)
        : (overload.get(host.address) ?? otherwise);
    },
  };
  const shuffle = new HostShuffle();

  for (const [index, step] of vector.objects('steps').entries()) {
    clusterActive = step.optionalNumber('cluster_active') ?? clusterActive;
    const changes = step.optionalObject('set');
    for (const address of changes?.keys ?? []) {
      const values = changes?.object(address);
      const host = hosts[indexOf(address)];
      if (host !== undefined) host.active = values?.optionalNumber('active') ?? host.active;
      values?.end();
    }
    if (step.has('expect')) {
      const hash = u64Of(step.unknown('hash'), `steps[${index}].hash`);
      // The list stands for a table that ignores the attempt.
      step.ignore('attempt');
      const hashed = ring.length === 0 ? -1 : (ring[mod(hash.hi, hash.lo, ring.length)] ?? -1);
      const chosen = chooseBounded(hashed, hash.lo, loads, shuffle);
      check.equal('picks', hosts[chosen]?.address ?? null, step.unknown('expect'), `step ${index}`);
    }
    step.end();
  }
}

function overloadOf(vector: Fields): 'computed' | ReadonlyMap<string, number> {
  if (vector.unknown('overload_factor') === 'computed') return 'computed';
  return vector.optionalCounts('overload_factor') ?? new Map<string, number>();
}
