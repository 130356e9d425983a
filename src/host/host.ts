import type { Struct } from '../core/values.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { HostStats } from '../core/generated/counts.js';

/** core.Locality: where a host or a proxy runs. */
export type Locality = Readonly<{ region: string; zone: string; subZone: string }>;

export const NOWHERE: Locality = { region: '', zone: '', subZone: '' };

/** One string per locality, for maps. */
export const localityKey = (locality: Locality): string =>
  `${locality.region}\u0000${locality.zone}\u0000${locality.subZone}`;

/** `region/zone/sub-zone`, without what is empty. */
export const placeName = ({ region, zone, subZone }: Locality): string =>
  [region, zone, subZone].filter((part) => part !== '').join('/');

/** Health flags of a host; its health is derived from them. A set is the bitwise or of its members. */
export const HealthFlag = {
  /** Active health checking has failed the host; also set on a new host until its first check. */
  FAILED_ACTIVE_HC: 1,
  FAILED_OUTLIER_CHECK: 2,
  /** Discovery says UNHEALTHY or TIMEOUT (in the v2 era DRAINING too). */
  FAILED_EDS_HEALTH: 4,
  /** The last successful check was answered as degraded. */
  DEGRADED_ACTIVE_HC: 8,
  DEGRADED_EDS_HEALTH: 16,
  /** Discovery dropped the host, active health checking still keeps it. */
  PENDING_DYNAMIC_REMOVAL: 32,
  /** New, and excluded by `ignore_new_hosts_until_first_hc`. */
  PENDING_ACTIVE_HC: 64,
  /** Failed by the immediate-failure header (modern). */
  EXCLUDED_VIA_IMMEDIATE_HC_FAIL: 128,
  /** Discovery says DRAINING (modern). */
  EDS_STATUS_DRAINING: 256,
  ACTIVE_HC_TIMEOUT: 512,
} as const;

export const hasFlags = (host: { readonly flags: number }, flags: number): boolean => (host.flags & flags) === flags;

const UNHEALTHY =
  HealthFlag.FAILED_ACTIVE_HC |
  HealthFlag.FAILED_OUTLIER_CHECK |
  HealthFlag.FAILED_EDS_HEALTH |
  HealthFlag.EDS_STATUS_DRAINING;
const DEGRADED = HealthFlag.DEGRADED_ACTIVE_HC | HealthFlag.DEGRADED_EDS_HEALTH;
const EXCLUDED =
  HealthFlag.PENDING_ACTIVE_HC | HealthFlag.EXCLUDED_VIA_IMMEDIATE_HC_FAIL | HealthFlag.EDS_STATUS_DRAINING;

export type Health = 'healthy' | 'degraded' | 'unhealthy';

/** core.HealthStatus, what discovery says of an endpoint. */
export type HealthStatus = 'UNKNOWN' | 'HEALTHY' | 'UNHEALTHY' | 'DRAINING' | 'TIMEOUT' | 'DEGRADED';

const EDS_HEALTH_FLAGS: Readonly<Record<HealthStatus, number>> = {
  UNKNOWN: 0,
  HEALTHY: 0,
  UNHEALTHY: HealthFlag.FAILED_EDS_HEALTH,
  DRAINING: HealthFlag.EDS_STATUS_DRAINING,
  TIMEOUT: HealthFlag.FAILED_EDS_HEALTH,
  DEGRADED: HealthFlag.DEGRADED_EDS_HEALTH,
};

export const edsHealthFlags = (status: HealthStatus, version: ProxyVersion): number =>
  EDS_HEALTH_FLAGS[status === 'DRAINING' && !quirksOf(version).drainingIsExcluded ? 'UNHEALTHY' : status];

/** All flags that {@link edsHealthFlags} can set. */
export const EDS_FLAGS = HealthFlag.FAILED_EDS_HEALTH | HealthFlag.EDS_STATUS_DRAINING | HealthFlag.DEGRADED_EDS_HEALTH;

/** Where health checks of a host go; undefined: to the port of its address; `none`: it has no health checks. */
export type HealthCheckPort = number | 'none' | undefined;

export interface HostOptions {
  /** Canonical `ip:port`, IPv6 in brackets. */
  readonly address: string;
  readonly hostname?: string;
  /** ≥ 1; default 1. */
  readonly weight?: number;
  readonly locality?: Locality;
  /** Endpoint metadata of the load balancer: the entry `envoy.lb` alias `proxy.lb`. */
  readonly metadata?: Struct;
  readonly flags?: number;
  /** Default: that of the address. */
  readonly healthCheckPort?: HealthCheckPort;
}

/**
 * One upstream host as one proxy sees it. It is shared by all workers of that proxy: weight, health and active requests
 * are read live where the proxy does so, while lists and tables are copies made at updates.
 */
export class Host {
  /** Only a logical host (LOGICAL_DNS) ever changes it. */
  address: string;
  readonly hostname: string;
  readonly locality: Locality;
  readonly healthCheckPort: HealthCheckPort;
  weight: number;
  private lbMetadata: Struct;
  /** Its metadata has `canary: true`, which statistics count apart. */
  canary: boolean;
  /** Set of {@link HealthFlag}. */
  flags: number;
  /** Requests sent to this host and not yet answered (per proxy). */
  activeRequests = 0;
  /** Requests waiting for a connection to this host. */
  pendingRequests = 0;
  private counts: HostStats | undefined;
  /** When the host last passed its first check, in µs of virtual time; undefined until then. Slow start counts from it. */
  lastHealthCheckPassUs: number | undefined;
  /** For the owner's use: the simulation keeps its row number here. */
  index = -1;
  /** Which of the cluster's transport sockets its connections use: the name of the match. */
  transportSocket = 'default';
  /** For statistics by zone; 0 is no zone. */
  zoneIndex = 0;

  /** @throws TypeError without an address. */
  constructor(options: HostOptions) {
    if (typeof (options as Partial<HostOptions> | undefined)?.address !== 'string')
      throw new TypeError("new Host: options has to be an object with an address, {address: '10.0.0.1:80'}");
    this.address = options.address;
    this.hostname = options.hostname ?? '';
    this.locality = options.locality ?? NOWHERE;
    this.healthCheckPort = options.healthCheckPort;
    this.weight = options.weight ?? 1;
    this.lbMetadata = options.metadata ?? {};
    this.canary = this.lbMetadata['canary'] === true;
    this.flags = options.flags ?? 0;
  }

  /** The `envoy.lb` entry of the endpoint's metadata. */
  get metadata(): Struct {
    return this.lbMetadata;
  }

  set metadata(metadata: Struct) {
    this.lbMetadata = metadata;
    this.canary = metadata['canary'] === true;
  }

  /** Made when something is counted: of a large fleet most hosts are sent nothing. */
  get stats() {
    return (this.counts ??= new HostStats());
  }

  get isUnhealthy(): boolean {
    return (this.flags & UNHEALTHY) !== 0;
  }

  get health(): Health {
    if (this.isUnhealthy) return 'unhealthy';
    return (this.flags & DEGRADED) === 0 ? 'healthy' : 'degraded';
  }

  /** Left out of the denominators of load and panic. */
  get excluded(): boolean {
    return (this.flags & EXCLUDED) !== 0;
  }
}
