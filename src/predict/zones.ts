import { quirksOf } from '../core/quirks.js';
import type { ProxyVersion } from '../core/version.js';
import type { ZoneAwareConfig } from '../hostset/lb-config.js';
import type { ZoneFinding } from '../hostset/reasons.js';
import type { LevelView, PlaceLists } from './level.js';
import { sizeOf, weightOf } from './level.js';

/** What zones mean to the requests of priority 0. */
export interface ZoneRule {
  /** Portion of requests by index of the upstream's localities, which sum to 1; undefined: zones play no part. */
  readonly split: readonly number[] | undefined;
  /** Why, for reports. */
  readonly finding: ZoneFinding;
}

/** What is read from the runtime when the rule is made. */
export interface ZoneLimits {
  /** Fewer healthy hosts switch zones off. */
  readonly minClusterSize: number;
  /** So many healthy hosts in the own zone keep everything there; 0: that is not asked for. */
  readonly forcedMinSize: number;
}

/** Shares are whole parts of this. */
const WHOLE = 10000;

/**
 * How the requests of priority 0 spread over the upstream's localities.
 *
 * A proxy keeps to its own zone what that zone's hosts can take of all traffic, and spreads the rest over what the other
 * zones have beyond their own proxies' share.
 */
export function zoneRule(
  upstream: LevelView | undefined,
  local: LevelView | undefined,
  config: ZoneAwareConfig,
  { minClusterSize, forcedMinSize }: ZoneLimits,
  version: ProxyVersion,
): ZoneRule {
  const off = (finding: ZoneFinding): ZoneRule => ({ split: undefined, finding });
  if (upstream === undefined) return off({ state: 'none', gate: 'not-computed' });
  const { pairsZonesByName: modern, zoneEdgesAreSharp } = quirksOf(version);
  const zones = upstream.placeCount;
  if (zones < 2) return off({ state: 'none', gate: 'upstream-zones', zones, needed: 2 });
  const localZones = local?.placeCount ?? 0;
  if (modern) {
    if (localZones < 2) return off({ state: 'none', gate: 'local-zones', zones: localZones, needed: 2 });
    if (local?.hasLocalPlace !== true) return off({ state: 'none', gate: 'no-local-hosts' });
  } else {
    const own = upstream.hasLocalPlace ? upstream.places[0] : undefined;
    if (own === undefined || sizeOf(own.healthy) === 0) return off({ state: 'none', gate: 'no-upstream-local-hosts' });
    if (zones !== localZones) {
      return off({ state: 'none', gate: 'zone-number-differs', upstreamZones: zones, localZones });
    }
  }
  const healthyHosts = sizeOf(upstream.healthy);
  if (healthyHosts < minClusterSize) {
    return off({ state: 'none', gate: 'cluster-too-small', healthyHosts, minClusterSize });
  }
  if (local === undefined) return off({ state: 'none', gate: 'not-computed' });

  const weigh = (lists: Pick<PlaceLists, 'healthy'>): number =>
    modern && config.localityBasis === 'HEALTHY_HOSTS_WEIGHT' ? weightOf(lists.healthy) : sizeOf(lists.healthy);
  const part = (lists: PlaceLists | undefined, level: LevelView): number => {
    const whole = weigh(level);
    return lists === undefined || whole === 0 ? 0 : Math.floor((WHOLE * weigh(lists)) / whole);
  };
  const here = upstream.places.map((lists) => part(lists, upstream));
  const there = upstream.places.map((lists, index) => {
    if (!modern) return part(local.places[index], local);
    if (sizeOf(lists.healthy) === 0) return 0;
    const twin = local.places.find((candidate) => candidate.place.key === lists.place.key);
    return part(twin, local);
  });
  const ownUpstream = here[0] ?? 0;
  const ownLocal = there[0] ?? 0;
  const stay = (forced: boolean): ZoneRule => ({
    split: here.map((_, index) => (index === 0 ? 1 : 0)),
    finding: { state: 'direct', forced },
  });
  if (modern) {
    const ownHealthy = upstream.places[0] === undefined ? 0 : sizeOf(upstream.places[0].healthy);
    if (upstream.hasLocalPlace) {
      if (ownUpstream > 0 && ownUpstream >= ownLocal) return stay(false);
      if (forcedMinSize > 0 && ownHealthy >= forcedMinSize) return stay(true);
    }
  } else if (ownUpstream >= ownLocal) {
    return stay(false);
  }

  const localPercentToRoute = upstream.hasLocalPlace && ownLocal > 0 ? Math.floor((ownUpstream * WHOLE) / ownLocal) : 0;
  const kept = localPercentToRoute / WHOLE;
  let sum = 0;
  const cumulative = here.map((value, index) => {
    if (index > 0 || !upstream.hasLocalPlace) sum += Math.max(0, value - (there[index] ?? 0));
    return sum;
  });
  // Of `sum` equally likely values t = 0, 1 …, those up to each edge; v2-era proxies count the edge itself in, which
  // gives t = 0 to the first locality and moves every edge up by one.
  const upTo = cumulative.map((edge) => (zoneEdgesAreSharp ? edge : Math.min(sum, edge + 1)));
  const split = here.map((_, index) => {
    const cross = sum === 0 ? 1 / here.length : ((upTo[index] ?? 0) - (index === 0 ? 0 : (upTo[index - 1] ?? 0))) / sum;
    return (index === 0 ? kept : 0) + (1 - kept) * cross;
  });
  return { split, finding: { state: 'residual', localPercentToRoute, residualCapacity: cumulative } };
}
