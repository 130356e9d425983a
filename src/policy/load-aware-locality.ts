import type { Micros } from '../core/units.js';
import { sum } from '../core/values.js';
import type { ClientSideWeightsConfig } from './client-side-weights.js';

/**
 * LOAD_AWARE_LOCALITY: localities are weighted by the spare capacity that their hosts report, the own one first.
 * The weight of a locality is its number of hosts times 1 − their mean utilisation, smoothed over time. While the own
 * locality is not busier than the others by more than a threshold, it gets everything except a fraction that the others
 * always get, so that they can report.
 * Source: the proxy's documentation of load-aware locality load balancing, *Weight computation*.
 */
export interface LoadAwareLocalityConfig extends Pick<
  ClientSideWeightsConfig,
  'updateUs' | 'metricNames' | 'expirationUs' | 'oobUs'
> {
  /** How far the own utilisation may lie above that of the others, 0–1. */
  readonly varianceThreshold: number;
  /** Time constant of the smoothing. */
  readonly smoothingUs: Micros;
  /** Part of the requests that always leaves the own locality. */
  readonly probeFraction: number;
}

/** The state of one locality. */
export interface LocalityLoad {
  readonly hosts: number;
  /** Smoothed, 0 where no host has ever reported. */
  readonly utilization: number;
  /** All reports are too old: only the number of hosts counts. */
  readonly isStale: boolean;
}

/** The part of a new mean in the smoothed value at each update. */
export const smoothingFactor = (config: Pick<LoadAwareLocalityConfig, 'updateUs' | 'smoothingUs'>): number =>
  1 - Math.exp(-config.updateUs / config.smoothingUs);

/** @param hasLocal the first locality is the proxy's own. @returns weights, parallel to the localities; all 0 where none has hosts. */
export function loadAwareWeights(
  loads: readonly LocalityLoad[],
  hasLocal: boolean,
  { varianceThreshold, probeFraction }: Pick<LoadAwareLocalityConfig, 'varianceThreshold' | 'probeFraction'>,
): readonly number[] {
  const base = loads.map(({ hosts, utilization, isStale }) => (isStale ? hosts : hosts * Math.max(0, 1 - utilization)));
  const total = sum(base);
  // No locality has spare capacity: then all take part.
  if (total === 0) return loads.map(({ hosts }) => hosts);
  const [local, ...remote] = loads;
  const remoteHosts = sum(remote.map(({ hosts }) => hosts));
  if (!hasLocal || local === undefined || remoteHosts === 0) return base;
  const average = sum(remote.map(({ utilization, hosts }) => utilization * hosts)) / remoteHosts;
  const staysLocal = local.hosts > 0 && local.utilization <= average + varianceThreshold;
  const weights = staysLocal ? base.map((_, index) => (index === 0 ? total : 0)) : [...base];
  const deficit = probeFraction * total - (total - (weights[0] ?? 0));
  if (deficit <= 0) return weights;
  const taken = Math.min(deficit, weights[0] ?? 0);
  return weights.map((weight, index) =>
    index === 0 ? weight - taken : weight + (taken * (loads[index]?.hosts ?? 0)) / remoteHosts,
  );
}
