import { sameJson, sum } from '../core/values.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { EDS_FLAGS, edsHealthFlags, HealthFlag, Host, type HostOptions } from '../host/host.js';
import { type EndpointGroup, type EndpointState, type FilterMetadata, lbMetadata } from '../settings/assignment.js';
import type { PrioritySet } from './priority-set.js';
import { DEFAULT_MATCH, type TransportSocketMatcher } from './transport-socket.js';

/**
 * What names the hosts of a cluster. EDS keeps only the first entry of an address, and counts its updates; for the DNS
 * types the resolution counts them. Under ON_DEMAND requests name the hosts, so there is no first update to wait for.
 */
export type MembershipSource = 'STATIC' | 'EDS' | 'STRICT_DNS' | 'LOGICAL_DNS' | 'ON_DEMAND';

export interface MembershipRules {
  readonly version: ProxyVersion;
  readonly discovery: MembershipSource;
  /**
   * Hosts are checked actively: new ones are failed until a check says otherwise (but those of LOGICAL_DNS and ON_DEMAND
   * are fine until one does), and one that discovery drops stays while its checks are good. Nothing reaches the balancers
   * before {@link UpstreamCluster.ready}. Default false.
   */
  readonly healthChecked?: boolean;
  /** `ignore_new_hosts_until_first_hc`: new hosts of a checked cluster are excluded too. Default false. */
  readonly ignoreNewHostsUntilFirstHc?: boolean;
  /** Weights of hosts follow their load reports, so that those of discovery are other ones each time. Default false. */
  readonly reportsWeigh?: boolean;
  /** `drain_connections_on_host_removal`: hosts that discovery drops leave at once, checks or not. Default false. */
  readonly drainConnectionsOnHostRemoval?: boolean;
}

const KEPT_ON_MOVE =
  HealthFlag.FAILED_ACTIVE_HC |
  HealthFlag.DEGRADED_ACTIVE_HC |
  HealthFlag.PENDING_ACTIVE_HC |
  HealthFlag.ACTIVE_HC_TIMEOUT;
const NO_SOCKETS: ReadonlyMap<EndpointState, string> = new Map();

/** @param endpoint what discovery said of the host last. */
class DiscoveredHost extends Host {
  constructor(
    public endpoint: EndpointState,
    options: HostOptions,
  ) {
    super(options);
  }
}

export class EndpointHosts {
  /** The metadata of the locality when the host was made: later changes do not reach that host. */
  private readonly around = new WeakMap<Host, FilterMetadata>();

  constructor(
    private readonly options: MembershipRules,
    private readonly transportSockets: TransportSocketMatcher,
    private readonly priorities: Pick<PrioritySet, 'changed'>,
  ) {}

  /** @param former the host that had the address until now. */
  create(
    endpoint: EndpointState,
    { locality, metadata }: Pick<EndpointGroup, 'locality' | 'metadata'>,
    transportSocket: string,
    former?: Host,
  ): Host {
    const host = new DiscoveredHost(endpoint, {
      address: endpoint.address,
      hostname: endpoint.hostname,
      weight: endpoint.weight,
      locality,
      metadata: lbMetadata(endpoint.metadata),
      flags: edsHealthFlags(endpoint.status, this.options.version) | this.firstCheckFlags(endpoint, former),
      healthCheckPort: endpoint.healthCheckPort,
    });
    host.transportSocket = transportSocket;
    if (metadata !== undefined) this.around.set(host, metadata);
    return host;
  }

  /** Updates a known host in place; true where its lists must be rebuilt. */
  update(host: Host, endpoint: EndpointState): boolean {
    const before = host instanceof DiscoveredHost ? host.endpoint : undefined;
    const wasDropped = (host.flags & HealthFlag.PENDING_DYNAMIC_REMOVAL) !== 0;
    // The endpoint did not change, as nearly all of a large cluster.
    if (before === endpoint && !wasDropped && this.options.reportsWeigh !== true) return false;
    if (host instanceof DiscoveredHost) host.endpoint = endpoint;
    this.priorities.changed(host);
    let changed = false;
    if (!sameJson(before?.metadata ?? {}, endpoint.metadata)) {
      host.metadata = lbMetadata(endpoint.metadata);
      // In the v2 era a host kept the socket it began with.
      if (quirksOf(this.options.version).socketsFollowMetadata)
        host.transportSocket = this.socketOf(endpoint, this.around.get(host));
      changed = true;
    }
    if (host.weight !== endpoint.weight) {
      host.weight = endpoint.weight;
      changed = true;
    }
    const { health } = host;
    host.flags =
      (host.flags & ~(EDS_FLAGS | HealthFlag.PENDING_DYNAMIC_REMOVAL)) |
      edsHealthFlags(endpoint.status, this.options.version);
    // Only a change of class rebuilds the lists: UNHEALTHY to DRAINING has no effect until the next update.
    return changed || host.health !== health;
  }

  chooseSockets(wanted: readonly Pick<EndpointGroup, 'metadata' | 'endpoints'>[]): ReadonlyMap<EndpointState, string> {
    if (this.transportSockets.matches.length === 0) {
      this.transportSockets.count(DEFAULT_MATCH, sum(wanted.map(({ endpoints }) => endpoints.length)));
      return NO_SOCKETS;
    }
    const chosen = new Map<EndpointState, string>();
    for (const { metadata, endpoints } of wanted)
      for (const endpoint of endpoints) chosen.set(endpoint, this.socketOf(endpoint, metadata));
    return chosen;
  }

  /** @param around metadata of the locality, which the v2 era does not know. */
  socketOf({ metadata }: EndpointState, around: FilterMetadata | undefined): string {
    const { socketsFollowMetadata } = quirksOf(this.options.version);
    return this.transportSockets.choose(metadata, socketsFollowMetadata ? around : undefined);
  }

  private firstCheckFlags(endpoint: EndpointState, former: Host | undefined): number {
    const { discovery, healthChecked, ignoreNewHostsUntilFirstHc, version } = this.options;
    if (healthChecked !== true || discovery === 'LOGICAL_DNS' || discovery === 'ON_DEMAND') return 0;
    if (endpoint.healthCheckPort === 'none') return 0;
    const { keepsHealthOfMoved } = quirksOf(version);
    // The modern proxy keeps the health of a host whose locality changed.
    if (keepsHealthOfMoved && former !== undefined && former.healthCheckPort === endpoint.healthCheckPort)
      return former.flags & KEPT_ON_MOVE;
    return HealthFlag.FAILED_ACTIVE_HC | (ignoreNewHostsUntilFirstHc === true ? HealthFlag.PENDING_ACTIVE_HC : 0);
  }
}
