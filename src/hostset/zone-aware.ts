import { type Runtime, runtimeInteger } from '../core/environment.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { mod } from '../core/u64.js';
import { localityKey } from '../host/host.js';
import { draw } from '../random/draws.js';
import type { Random64 } from '../random/random64.js';
import type { HostSet } from './host-set.js';
import type { ZoneAwareConfig } from './lb-config.js';
import type { LbStats } from './lb-stats.js';
import { sum } from '../core/values.js';
import { numberOf, sumOfWeights } from './priority-load.js';

/** Shares of zones, per locality of the upstream level, in hundredths of a percent. */
export type StepZoneShares = Readonly<{ upstream_shares: readonly number[]; local_shares: readonly number[] }>;

/** Shares of zones are counted in hundredths of a percent. */
export const SHARES_OF_ZONES = 10000;

/** Why priority 0 is not routed by zone. */
export type ZoneGate =
  | { readonly gate: 'not-computed' }
  | { readonly gate: 'upstream-zones'; readonly zones: number; readonly needed: 2 }
  | { readonly gate: 'local-zones'; readonly zones: number; readonly needed: 2 }
  /** The local cluster has no host in the node's zone. */
  | { readonly gate: 'no-local-hosts' }
  /** v2 era: the cluster has no healthy host in the node's zone. */
  | { readonly gate: 'no-upstream-local-hosts' }
  /** v2 era: zones are paired by position, so there must be equally many. */
  | { readonly gate: 'zone-number-differs'; readonly upstreamZones: number; readonly localZones: number }
  | { readonly gate: 'cluster-too-small'; readonly healthyHosts: number; readonly minClusterSize: number };

/** Shares in hundredths of a percent, per locality of the upstream level. */
export type ZoneShares = Readonly<{ upstream: readonly number[]; local: readonly number[] }>;

export type ZoneRouting =
  | ({ readonly state: 'none' } & ZoneGate)
  /** All requests stay in the node's zone. */
  | ({ readonly state: 'direct'; readonly forced: boolean } & ZoneShares)
  | ({
      readonly state: 'residual';
      /** The part that stays in the node's zone, in hundredths of a percent. */
      readonly localPercentToRoute: number;
      /** Running sums of the spare capacity of each zone. */
      readonly residualCapacity: readonly number[];
    } & ZoneShares);

export interface ZoneRoutingInput {
  readonly upstream: HostSet;
  /** The local cluster's priority 0; undefined until its hosts have arrived. */
  readonly local: HostSet | undefined;
  readonly config: ZoneAwareConfig;
  readonly version: ProxyVersion;
  readonly runtime: Runtime;
  readonly stats: LbStats;
}

export const NOT_COMPUTED: ZoneRouting = { state: 'none', gate: 'not-computed' };

/**
 * Decides how priority 0 is routed by zone: not at all, all within the node's zone, or a part there and the rest to zones
 * with spare capacity.
 * Example: this proxy is in zone a. Healthy hosts: a 2, b 4. Proxies: a 5, b 5.
 *   the hosts of zone a can take 33.33 % of all traffic, its proxies send 50.00 %
 *   so 66.66 % of what comes here stays: 33.33 % / 50.00 %
 *   the rest goes to zone b, which has 16.66 % to spare: 66.66 % − 50.00 %
 * Counts the recalculation, and the reason if it does not route by zone. Draws: none. Source: the proxy's zone-aware
 * routing; up to 1.27 it pairs zones by position and needs equally many on both sides, since 1.28 it pairs them by name.
 */
export function computeZoneRouting(input: ZoneRoutingInput): ZoneRouting {
  input.stats.lbRecalculateZoneStructures++;
  const gate = quirksOf(input.version).pairsZonesByName ? modernGate(input) : classicGate(input);
  if (gate !== undefined) return { state: 'none', ...gate };
  const shares = quirksOf(input.version).pairsZonesByName ? sharesByName(input) : sharesByPosition(input);

  const upstreamHere = shares.upstream[0] ?? 0;
  const localHere = shares.local[0] ?? 0;
  // An older proxy gets here only with a local group; the modern one may have none.
  const hasLocal = input.upstream.hasLocalLocality;
  if (hasLocal && upstreamHere >= localHere && (upstreamHere > 0 || !quirksOf(input.version).pairsZonesByName))
    return { state: 'direct', forced: false, ...shares };
  if (hasLocal && forcesLocalZone(input)) return { state: 'direct', forced: true, ...shares };

  let spare = 0;
  const residualCapacity = shares.upstream.map((share, index) => {
    if (!(index === 0 && hasLocal)) spare += Math.max(0, share - (shares.local[index] ?? 0));
    return spare;
  });
  const localPercentToRoute = hasLocal && localHere > 0 ? Math.floor((upstreamHere * SHARES_OF_ZONES) / localHere) : 0;
  return { state: 'residual', localPercentToRoute, residualCapacity, ...shares };
}

/**
 * Chooses the locality of one pick. Draws: none when direct; otherwise one, and one more where the pick leaves the
 * zone. @param routing as of the last update; not `none`. @returns index into the level's localities.
 */
export function chooseZone(routing: ZoneRouting, random: Random64, stats: LbStats, version: ProxyVersion): number {
  if (routing.state !== 'residual') {
    stats.lbZoneRoutingAllDirectly++;
    return 0;
  }
  if (draw(random, SHARES_OF_ZONES) < routing.localPercentToRoute) {
    stats.lbZoneRoutingSampled++;
    return 0;
  }
  stats.lbZoneRoutingCrossZone++;
  const { residualCapacity } = routing;
  const total = residualCapacity[residualCapacity.length - 1] as number;
  random.next();
  if (total === 0) {
    // Reached only by rounding.
    stats.lbZoneNoCapacityLeft++;
    return mod(random.hi, random.lo, residualCapacity.length);
  }
  const point = mod(random.hi, random.lo, total);
  let zone = 0;
  if (quirksOf(version).zoneEdgesAreSharp) while (point >= (residualCapacity[zone] as number)) zone++;
  // Up to 1.27 each zone's range is shifted by one, and point 0 belongs to zone 0.
  else while (point > (residualCapacity[zone] as number)) zone++;
  return zone;
}

/** How many of 100 picks the runtime allows to be routed by zone; 100 or more is all. They are drawn. */
export const zoneRoutingPercent = (runtime: Runtime, routingEnabledPercent: number): number =>
  runtimeInteger(runtime, 'upstream.zone_routing.enabled', routingEnabledPercent);

function modernGate(input: ZoneRoutingInput): ZoneGate | undefined {
  const { upstream, local, stats } = input;
  if (upstream.localities.length < 2) return { gate: 'upstream-zones', zones: upstream.localities.length, needed: 2 };
  const localZones = local?.localities.length ?? 0;
  const isForced = zoneSizes(input).forced !== undefined;
  if (localZones < 2 && !isForced) return { gate: 'local-zones', zones: localZones, needed: 2 };
  if (local?.hasLocalLocality !== true || (local.localities[0]?.hosts.length ?? 0) === 0) {
    stats.lbLocalClusterNotOk++;
    return { gate: 'no-local-hosts' };
  }
  return sizeGate(input);
}

function classicGate(input: ZoneRoutingInput): ZoneGate | undefined {
  const { upstream, local, stats } = input;
  const upstreamZones = upstream.localities.length;
  if (upstreamZones < 2) return { gate: 'upstream-zones', zones: upstreamZones, needed: 2 };
  if (!upstream.hasLocalLocality || (upstream.localities[0]?.healthy.length ?? 0) === 0) {
    stats.lbLocalClusterNotOk++;
    return { gate: 'no-upstream-local-hosts' };
  }
  const localZones = local?.localities.length ?? 0;
  if (upstreamZones !== localZones) {
    stats.lbZoneNumberDiffers++;
    return { gate: 'zone-number-differs', upstreamZones, localZones };
  }
  return sizeGate(input);
}

function sizeGate(input: ZoneRoutingInput): ZoneGate | undefined {
  const minClusterSize = zoneSizes(input).least;
  const healthyHosts = input.upstream.healthy.length;
  if (healthyHosts >= minClusterSize) return undefined;
  input.stats.lbZoneClusterTooSmall++;
  return { gate: 'cluster-too-small', healthyHosts, minClusterSize };
}

function forcesLocalZone(input: ZoneRoutingInput): boolean {
  const needed = zoneSizes(input).forced;
  return needed !== undefined && (input.upstream.localities[0]?.healthy.length ?? 0) >= needed;
}

/**
 * Healthy hosts that there must be in all, and `force_local_zone`: with how many of them in the node's zone all requests stay there;
 * undefined: it is off.
 */
export function zoneSizes({ config, version, runtime }: Pick<ZoneRoutingInput, 'config' | 'version' | 'runtime'>) {
  const least = runtimeInteger(runtime, 'upstream.zone_routing.min_cluster_size', config.minClusterSize);
  const byRuntime = runtimeInteger(runtime, 'upstream.zone_routing.force_local_zone.min_size', 0);
  const forced = byRuntime > 0 ? byRuntime : config.forceLocalZone?.minSize;
  return { least, forced: quirksOf(version).canForceLocalZone ? forced : undefined };
}

/** Local shares of zones that the upstream level does not have, or has no host in, are lost. */
function sharesByName({ upstream, local, config }: ZoneRoutingInput): ZoneShares {
  const measure = config.localityBasis === 'HEALTHY_HOSTS_WEIGHT' ? sumOfWeights : numberOf;
  const localCounts = new Map<string, number>();
  let localTotal = 0;
  for (const group of local?.localities ?? []) {
    const count = measure(group.healthy);
    localTotal += count;
    const key = localityKey(group.locality);
    if (group.healthy.length > 0 && !localCounts.has(key)) localCounts.set(key, count);
  }
  return {
    upstream: shares(upstream.localities.map((group) => measure(group.healthy))),
    local: upstream.localities.map((group) =>
      group.healthy.length === 0 ? 0 : share(localCounts.get(localityKey(group.locality)) ?? 0, localTotal),
    ),
  };
}

const sharesByPosition = ({ upstream, local }: ZoneRoutingInput): ZoneShares => ({
  upstream: shares(upstream.localities.map(({ healthy }) => healthy.length)),
  local: shares((local?.localities ?? []).map(({ healthy }) => healthy.length)),
});

function shares(counts: readonly number[]): number[] {
  const total = sum(counts);
  return counts.map((count) => share(count, total));
}

const share = (count: number, total: number): number => (total > 0 ? Math.floor((SHARES_OF_ZONES * count) / total) : 0);
