import type { ProxyVersion } from '../core/version.js';
import { isModern } from '../core/version.js';
import type { ZoneAwareConfig } from '../hostset/lb-config.js';
import type { LevelView, PlaceLists } from './level.js';

/** Portion of requests by index of the upstream's localities; they sum to 1. */
export type ZoneSplit = readonly number[];

/** Shares are whole parts of this. */
const WHOLE = 10000;

/**
 * How the requests of priority 0 spread over the upstream's localities; undefined where zones play no part.
 *
 * A proxy keeps to its own zone what that zone's hosts can take of all traffic, and spreads the rest over what the other
 * zones have beyond their own proxies' share.
 *
 * @param minClusterSize fewer healthy hosts switch zones off.
 */
export function zoneSplit(
  upstream: LevelView | undefined,
  local: LevelView | undefined,
  config: ZoneAwareConfig,
  minClusterSize: number,
  version: ProxyVersion,
): ZoneSplit | undefined {
  if (upstream === undefined || local === undefined || upstream.placeCount < 2) return undefined;
  const modern = isModern(version);
  if (modern) {
    if (local.placeCount < 2) return undefined;
    if (!local.hasLocalPlace || local.places[0]?.all.members.length === 0) return undefined;
  } else {
    if (!upstream.hasLocalPlace || upstream.places[0]?.healthy.members.length === 0) return undefined;
    if (upstream.placeCount !== local.placeCount) return undefined;
  }
  if (upstream.healthy.members.length < minClusterSize) return undefined;

  const weigh = (lists: Pick<PlaceLists, 'healthy'>): number =>
    modern && config.localityBasis === 'HEALTHY_HOSTS_WEIGHT'
      ? lists.healthy.weights.reduce((sum, weight) => sum + weight, 0)
      : lists.healthy.members.length;
  const part = (lists: PlaceLists | undefined, level: LevelView): number => {
    const whole = weigh(level);
    return lists === undefined || whole === 0 ? 0 : Math.floor((WHOLE * weigh(lists)) / whole);
  };
  const here = upstream.places.map((lists) => part(lists, upstream));
  const there = upstream.places.map((lists, index) => {
    if (!modern) return part(local.places[index], local);
    if (lists.healthy.members.length === 0) return 0;
    const twin = local.places.find((candidate) => candidate.place.key === lists.place.key);
    return part(twin, local);
  });
  const ownUpstream = here[0] ?? 0;
  const ownLocal = there[0] ?? 0;
  const onlyFirst = here.map((_, index) => (index === 0 ? 1 : 0));
  if (modern) {
    const forced = config.forceLocalZone;
    const ownHealthy = upstream.places[0]?.healthy.members.length ?? 0;
    if (upstream.hasLocalPlace) {
      if (ownUpstream > 0 && ownUpstream >= ownLocal) return onlyFirst;
      if (forced !== undefined && ownHealthy >= forced.minSize) return onlyFirst;
    }
  } else if (ownUpstream >= ownLocal) {
    return onlyFirst;
  }

  const kept = upstream.hasLocalPlace && ownLocal > 0 ? Math.floor((ownUpstream * WHOLE) / ownLocal) / WHOLE : 0;
  let sum = 0;
  const cumulative = here.map((value, index) => {
    if (index > 0 || !upstream.hasLocalPlace) sum += Math.max(0, value - (there[index] ?? 0));
    return sum;
  });
  // Of `sum` equally likely values t = 0, 1 …, those up to each edge; v2-era proxies count the edge itself in, which
  // gives t = 0 to the first locality and moves every edge up by one.
  const upTo = cumulative.map((edge) => (modern ? edge : Math.min(sum, edge + 1)));
  return here.map((_, index) => {
    const cross = sum === 0 ? 1 / here.length : ((upTo[index] ?? 0) - (index === 0 ? 0 : (upTo[index - 1] ?? 0))) / sum;
    return (index === 0 ? kept : 0) + (1 - kept) * cross;
  });
}
