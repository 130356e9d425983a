import type { TableGauges } from '../policy/policy-kinds.js';

/**
 * What a balancer counts; one object per cluster and proxy, shared by its balancers (each worker's and the main
 * thread's). The names are the proxy's, in camelCase.
 */
export class LbStats {
  lbHealthyPanic = 0;
  lbLocalClusterNotOk = 0;
  lbRecalculateZoneStructures = 0;
  lbZoneClusterTooSmall = 0;
  lbZoneNoCapacityLeft = 0;
  lbZoneNumberDiffers = 0;
  lbZoneRoutingAllDirectly = 0;
  lbZoneRoutingSampled = 0;
  lbZoneRoutingCrossZone = 0;
  lbSubsetsActive = 0;
  lbSubsetsCreated = 0;
  lbSubsetsRemoved = 0;
  lbSubsetsSelected = 0;
  lbSubsetsFallback = 0;
  lbSubsetsFallbackPanic = 0;
  lbSubsetsSingleHostPerSubsetDuplicate = 0;
  /** Gauges of the table that was built last, by its policy. */
  readonly tables: Record<string, TableGauges> = {};
  /** What a policy that the proxy has not counts, by its own names. */
  readonly policy: Record<string, number> = {};
}
