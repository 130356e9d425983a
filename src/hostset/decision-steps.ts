import { mod, toDecimal } from '../core/u64.js';
import { type Host, placeName } from '../host/host.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import { availablePercent, type PanicEffect, type PriorityLoad } from './priority-load.js';
import type { AggregateLevel } from './generated/descriptions.js';
import type { BalancerStep } from './generated/balancer-steps.js';
import { zoneOff } from './split-facts.js';
import type { ZoneRouting } from './zone-aware.js';

export type BalancerTrace = (step: BalancerStep) => void;

/** @param drawn the result of `choosePriority`. */
export function priorityStep(
  { healthy, degraded }: PriorityLoad,
  hi: number,
  lo: number,
  drawn: number,
  levels?: readonly AggregateLevel[],
): BalancerStep {
  const priority = drawn < 0 ? ~drawn : drawn;
  const member = levels?.[priority];
  return {
    kind: 'priority',
    inputs: {
      value: toDecimal(hi, lo),
      value_mod_100: mod(hi, lo, 100),
      healthy_load: [...healthy],
      degraded_load: [...degraded],
      priority,
      degraded: drawn < 0,
      ...(member && { member }),
    },
  };
}

export function panicStep(
  hostSet: HostSet,
  threshold: number,
  normalizedTotal: number,
  panic: boolean,
  effect: PanicEffect,
): BalancerStep {
  const { hosts, healthy, degraded, excluded } = hostSet;
  return {
    kind: 'panic',
    inputs: {
      hosts: hosts.length,
      available: healthy.length + degraded.length,
      counted: hosts.length - excluded.length,
      available_percent: availablePercent(hostSet),
      threshold,
      health_of_all_levels: normalizedTotal,
      panic,
      effect,
    },
  };
}

const localityName = (group: LocalityGroup | undefined): string =>
  group === undefined ? '' : placeName(group.locality) || '(none)';

export function localityStep(hostSet: HostSet, weights: readonly number[] | undefined, index: number): BalancerStep {
  const names = hostSet.localities.map(localityName);
  const effective_weights = weights === undefined ? null : [...weights];
  return { kind: 'locality', inputs: { localities: names, effective_weights, locality: names[index] ?? '' } };
}

export function zoneStep(zone: ZoneRouting, index: number, { localities }: HostSet): BalancerStep {
  if (zone.state === 'none') return { kind: 'zone_off', inputs: zoneOff(zone) };
  const name = localityName(localities[index]);
  const shares = { upstream_shares: [...zone.upstream], local_shares: [...zone.local] };
  if (zone.state === 'direct') return { kind: 'zone_direct', inputs: { ...shares, zone: name, forced: zone.forced } };
  return {
    kind: 'zone_residual',
    inputs: {
      ...shares,
      local_percent_to_route: zone.localPercentToRoute,
      residual_capacity: [...zone.residualCapacity],
      own_zone: localityName(localities[0]),
      zone: name,
      stays: index === 0,
    },
  };
}

/** @param which undefined: all of them, whatever their health. */
export function listStep(
  which: 'healthy' | 'degraded' | undefined,
  { length }: readonly Host[],
  group: LocalityGroup | undefined,
): BalancerStep {
  const of = group === undefined ? {} : { locality: localityName(group) };
  return { kind: 'list', inputs: { list: which ?? 'all', hosts: length, ...of } };
}
