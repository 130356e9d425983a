import type { TableGauges } from '../policy/table-policy.js';

/**
 * What a balancer counts; one object per cluster and proxy, shared by its balancers (each worker's and the main
 * thread's). The names are the proxy's, in camelCase.
 */
export interface LbStats {
  lbHealthyPanic: number;
  lbLocalClusterNotOk: number;
  lbRecalculateZoneStructures: number;
  lbZoneClusterTooSmall: number;
  lbZoneNoCapacityLeft: number;
  lbZoneNumberDiffers: number;
  lbZoneRoutingAllDirectly: number;
  lbZoneRoutingSampled: number;
  lbZoneRoutingCrossZone: number;
  lbSubsetsActive: number;
  lbSubsetsCreated: number;
  lbSubsetsRemoved: number;
  lbSubsetsSelected: number;
  lbSubsetsFallback: number;
  lbSubsetsFallbackPanic: number;
  lbSubsetsSingleHostPerSubsetDuplicate: number;
  /** Gauges of the table that was built last, by its policy. */
  readonly tables: Record<string, TableGauges>;
}

export function emptyLbStats(): LbStats {
  return {
    lbHealthyPanic: 0,
    lbLocalClusterNotOk: 0,
    lbRecalculateZoneStructures: 0,
    lbZoneClusterTooSmall: 0,
    lbZoneNoCapacityLeft: 0,
    lbZoneNumberDiffers: 0,
    lbZoneRoutingAllDirectly: 0,
    lbZoneRoutingSampled: 0,
    lbZoneRoutingCrossZone: 0,
    lbSubsetsActive: 0,
    lbSubsetsCreated: 0,
    lbSubsetsRemoved: 0,
    lbSubsetsSelected: 0,
    lbSubsetsFallback: 0,
    lbSubsetsFallbackPanic: 0,
    lbSubsetsSingleHostPerSubsetDuplicate: 0,
    tables: {},
  };
}
