import { entryOf } from './lists.js';
import { DEFAULTS } from './generated/defaults.js';

/** Defaults of absent fields from the API tables: the one source for documentation, code and lint. */

/** As in files; undefined: it is described in words. @param type of the field, as a table or documentation has it. */
export function fileDefault(type: string, text: string): string | number | boolean | undefined {
  if (/^Duration$/.test(type)) return /^[\d.]+s$/.test(text) ? text : undefined;
  if (/^bool/i.test(type)) return text === 'true' ? true : text === 'false' ? false : undefined;
  if (/^(?:u?int|double|float)/i.test(type) || /(?:^|\.)(?:Percent|RuntimeDouble)$/.test(type)) {
    return /^[\d.]+$/.test(text) ? Number(text) : undefined;
  }
  return undefined;
}

/** As in values: durations in µs. */
export function valueDefault(type: string, text: string): number | boolean | undefined {
  const written = fileDefault(type, text);
  return typeof written === 'string' ? micros(written) : written;
}

const known = new Map<string, number>();

/** Of an absent field: durations in µs, percents as such. @param message as documented: `cluster.OutlierDetection`. */
export function defaultOf(message: string, field: string): number {
  const key = `${message}.${field}`;
  return entryOf(known, key, () => {
    const text = DEFAULTS[key] ?? '';
    const value = /^[\d.]+s$/.test(text) ? micros(text) : Number(text);
    if (text === '' || Number.isNaN(value)) throw new TypeError(`the table has no default of ${key}`);
    return value;
  });
}

function micros(text: string): number {
  return Math.round(Number(text.slice(0, -1)) * 1e6);
}

const ZONE_AWARE = 'Cluster.CommonLbConfig.ZoneAwareLbConfig';
const REPORTED_WEIGHTS =
  'extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin';
const LOAD_AWARE = 'extensions.load_balancing_policies.load_aware_locality.v3.LoadAwareLocality';

export const LB_DEFAULTS = {
  healthyPanicThreshold: defaultOf('Cluster.CommonLbConfig', 'healthy_panic_threshold'),
  overprovisioningFactor: defaultOf('ClusterLoadAssignment.Policy', 'overprovisioning_factor'),
  routingEnabled: defaultOf(ZONE_AWARE, 'routing_enabled'),
  minClusterSize: defaultOf(ZONE_AWARE, 'min_cluster_size'),
  forceLocalZoneMinSize: defaultOf(`${ZONE_AWARE}.ForceLocalZone`, 'min_size'),
  minimumRingSize: defaultOf('Cluster.RingHashLbConfig', 'minimum_ring_size'),
  maximumRingSize: defaultOf('Cluster.RingHashLbConfig', 'maximum_ring_size'),
  maglevTableSize: defaultOf('Cluster.MaglevLbConfig', 'table_size'),
  choiceCount: defaultOf('Cluster.LeastRequestLbConfig', 'choice_count'),
  slowStartMinWeightPercent: defaultOf('Cluster.SlowStartConfig', 'min_weight_percent'),
  blackoutUs: defaultOf(REPORTED_WEIGHTS, 'blackout_period'),
  weightExpirationUs: defaultOf(REPORTED_WEIGHTS, 'weight_expiration_period'),
  weightUpdateUs: defaultOf(REPORTED_WEIGHTS, 'weight_update_period'),
  errorPenalty: defaultOf(REPORTED_WEIGHTS, 'error_utilization_penalty'),
  varianceThreshold: defaultOf(LOAD_AWARE, 'utilization_variance_threshold'),
  smoothingUs: defaultOf(LOAD_AWARE, 'smoothing_time_constant'),
  probeFraction: defaultOf(LOAD_AWARE, 'remote_probe_fraction'),
} as const;
