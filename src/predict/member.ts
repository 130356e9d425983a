import type { Struct } from '../core/json.js';
import type { HealthStatus, Locality } from '../host/host.js';

/** A locality, numbered. */
export interface Place {
  readonly id: number;
  readonly key: string;
  readonly locality: Locality;
}

/** One (priority, locality, address): what a report has one line for. */
export interface Row {
  readonly index: number;
  readonly address: string;
  readonly hostname: string;
  readonly priority: number;
  readonly locality: Locality;
}

/** A host as every proxy knows it. Its weight and metadata are seen at once, its place in lists only at deliveries. */
export interface Member {
  readonly row: Row;
  readonly place: Place;
  weight: number;
  status: HealthStatus;
  metadata: Struct;
  /** Requests that are open from the start and never end. */
  active: number;
  /** Where it stands in the last snapshot of its level. */
  position: number;
  /** The last change of membership that left it in its level. */
  lastListed: number;
}

/** Bits of a host's state. Neither of the first two: healthy. */
export const DEGRADED = 1;
export const UNHEALTHY = 2;
export const DRAINING = 4;

/** 0 healthy, 1 degraded, 2 unhealthy: what an endpoint's status in discovery makes of it. */
export function availability(status: HealthStatus): 0 | 1 | 2 {
  switch (status) {
    case 'UNKNOWN':
    case 'HEALTHY':
      return 0;
    case 'DEGRADED':
      return DEGRADED;
    case 'UNHEALTHY':
    case 'DRAINING':
    case 'TIMEOUT':
      return UNHEALTHY;
  }
}

/** {@link DEGRADED}, {@link UNHEALTHY}, {@link DRAINING}. */
export function stateOf(status: HealthStatus): number {
  return status === 'DRAINING' ? UNHEALTHY | DRAINING : availability(status);
}
