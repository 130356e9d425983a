import { mod, toDecimal } from '../core/u64.js';
import { type Host, placeName } from '../host/host.js';
import type { ClientPlace, ClientSubsetConfig } from '../policy/client-subsets.js';
import type { PolicyStep, Step } from '../policy/decision-trace.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import { availablePercent, type PriorityLoad } from './priority-load.js';
import type { AggregateLevel } from './describe.js';
import type { EmptyTable } from './normalized-weights.js';
import { type Available, type ZoneOff, zoneOff } from './split-facts.js';
import type { ZoneRouting } from './zone-aware.js';

/** Shares of zones, per locality of the upstream level, in hundredths of a percent. */
export type StepZoneShares = Readonly<{ upstream_shares: readonly number[]; local_shares: readonly number[] }>;

/** What panic does to a pick. */
export type PanicEffect = 'all_hosts' | 'no_host' | 'whole_table';

/** One step of a decision: its kind, and the numbers that it looked at. Never read by the code that decides. */
export type BalancerStep =
  | PolicyStep
  /** The value mod 100 falls into the loads of the levels; `degraded`: into one for degraded hosts. */
  | Step<
      'priority',
      {
        value: string;
        value_mod_100: number;
        healthy_load: readonly number[];
        degraded_load: readonly number[];
        priority: number;
        degraded: boolean;
        /** Of an aggregate: whose priority that is. */
        member?: AggregateLevel;
      }
    >
  | Step<
      'panic',
      Omit<Available, 'priority'> & { hosts: number; health_of_all_levels: number; panic: boolean; effect: PanicEffect }
    >
  | Step<'locality', { localities: readonly string[]; effective_weights: readonly number[] | null; locality: string }>
  | Step<'zone_off', ZoneOff | { gate: 'not-drawn'; enabled_percent: number }>
  | Step<'zone_direct', StepZoneShares & { zone: string; forced: boolean }>
  | Step<
      'zone_residual',
      StepZoneShares & {
        local_percent_to_route: number;
        residual_capacity: readonly number[];
        own_zone: string;
        zone: string;
        stays: boolean;
      }
    >
  | Step<'list', { list: 'healthy' | 'degraded' | 'all'; hosts: number; locality?: string }>
  | Step<'hash', { hash: string; source: 'own' | 'route' | 'drawn' }>
  /** `hosts` null: there is no such subset. */
  | Step<'subset', { subset: string; hosts: number | null; passed_over: boolean }>
  /** Where there is no such subset: which rule, and who answers then. */
  | Step<'fallback', { fallback: string; subset: string | null; hosts: number }>
  /** `single_host_per_subset`. */
  | Step<'only_host', { host: string }>
  | Step<'client_subset', ClientSubsetConfig & ClientPlace & { hosts: number; used: number }>
  /** null: the headers name no host of the cluster. */
  | Step<'named_host', { headers: readonly string[]; host: string | null }>
  /** Who owns the place in the table. */
  | Step<
      'owner',
      {
        host: string | null;
        hosts: number;
        /** Why it has no entry, as far as that is known. */
        empty?: Readonly<{ why: EmptyTable; policy: string; priority?: number }>;
      }
    >
  | Step<
      'bound',
      {
        hash_balance_factor: number;
        hashed: string;
        hashed_load: number;
        taken: string;
        taken_load: number;
        kept: boolean;
      }
    >;

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
