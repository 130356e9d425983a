import { entryOf } from '../../core/values.js';
import { formatIpPort, parseIp } from '../../core/ip.js';
import { ORIGINAL_DST_HEADER } from '../../core/proxy-names.js';
import type { Clock } from '../../core/environment.js';
import type { Host } from '../../host/host.js';
import type { EndpointState } from '../../settings/assignment.js';
import type { OriginalDstSettings } from '../../settings/cluster-settings.js';
import type { Discovery, Schedule } from './discovery.js';
import { describePriority } from '../../hostset/describe.js';
import type { BalancerDescription } from '../../hostset/generated/descriptions.js';
import type { HostSet } from '../../hostset/host-set.js';
import { type Decision, type LoadBalancer, type PickRequest, resetDecision } from '../../hostset/load-balancer.js';
import { emptyPriorityState } from '../../hostset/priority-load.js';

const NO_HEADERS: Readonly<Record<string, string>> = {};

/** Balancer of ORIGINAL_DST (ORIGINAL_DST_LB, CLUSTER_PROVIDED): requests name their hosts, whatever their health. */
export class OriginalDstBalancer implements LoadBalancer {
  private hostSet: HostSet | undefined;

  constructor(private readonly hostFor: (headers: Readonly<Record<string, string>>) => Host | undefined) {}

  update(hostSet: HostSet): void {
    this.hostSet = hostSet;
  }

  updateLocalCluster(): void {
    // Zones matter only to balancers that choose.
  }

  choose(request: PickRequest, decision: Decision): void {
    resetDecision(decision);
    const host = this.hostFor(request.headers ?? NO_HEADERS);
    if (host === undefined) return;
    decision.host = host;
    decision.priority = 0;
  }

  describe(): BalancerDescription {
    const state = { ...emptyPriorityState(), load: { healthy: [100], degraded: [0] }, panic: [false] };
    const { hostSet } = this;
    return {
      panicThreshold: 0,
      normalizedTotal: 100,
      priorities: hostSet === undefined ? [] : [describePriority(hostSet, state)],
      zone: undefined,
    };
  }
}

export interface OriginalDstOptions extends OriginalDstSettings {
  readonly clusterName: string;
  /** Hosts stay while connections lead to them, used or not. */
  readonly keepsConnected: boolean;
  readonly clock: Clock;
  readonly schedule: Schedule;
}

export interface OriginalDstEvents {
  readonly add: (endpoint: EndpointState) => Host;
  /** The host has a connection, or a request that waits for one. */
  readonly isConnected: (host: Host) => boolean;
  readonly remove: (hosts: readonly Host[]) => void;
}

/**
 * ORIGINAL_DST: the hosts are the addresses that requests name, made when they are first named.
 * Without the header a request would go where its connection was headed before it was redirected; simulated connections
 * have no such address, so it finds no host. Every `cleanup_interval` the hosts are removed that no request used since the
 * sweep before; on the modern proxy only once their last connection is closed too.
 */
export class OriginalDstDiscovery implements Discovery {
  /** Headers that named no address. */
  originalDstHostInvalid = 0;
  /** And whether a request used it since the last sweep. */
  private readonly hosts = new Map<string, { readonly host: Host; used: boolean }>();
  /** Parsed header values, null: no address. A workload sends the same one again and again. */
  private readonly addresses = new Map<string, string | null>();
  private stopped = false;

  constructor(
    private readonly options: OriginalDstOptions,
    private readonly events: OriginalDstEvents,
  ) {}

  start(): void {
    const { clock, schedule, cleanupIntervalUs } = this.options;
    schedule(clock.nowUs + cleanupIntervalUs, () => this.sweep());
  }

  stop(): void {
    this.stopped = true;
  }

  hostFor(headers: Readonly<Record<string, string>>): Host | undefined {
    const value = this.options.useHttpHeader ? headers[this.options.headerName || ORIGINAL_DST_HEADER] : undefined;
    if (value === undefined) return undefined;
    const address = entryOf(this.addresses, value, () => originalDstAddress(value, this.options.portOverride) ?? null);
    if (address === null) {
      this.originalDstHostInvalid++;
      return undefined;
    }
    const known = this.hosts.get(address);
    if (known !== undefined) {
      known.used = true;
      return known.host;
    }
    const host = this.events.add({
      address,
      hostname: this.options.clusterName + address,
      weight: 1,
      status: 'UNKNOWN',
      metadata: {},
      healthCheckPort: undefined,
    });
    this.hosts.set(address, { host, used: true });
    return host;
  }

  private sweep(): void {
    if (this.stopped) return;
    const gone: Host[] = [];
    for (const [address, known] of this.hosts) {
      const isKept = known.used || (this.options.keepsConnected && this.events.isConnected(known.host));
      known.used = false;
      if (isKept) continue;
      this.hosts.delete(address);
      gone.push(known.host);
    }
    if (gone.length > 0) this.events.remove(gone);
    this.start();
  }
}

/**
 * The address in a header, canonical `ip:port`, IPv6 in brackets; undefined: it is none. Of a repeated header, which is
 * one list with commas, the first value counts. @param override port instead of the one that is named.
 */
export function originalDstAddress(value: string, override?: number): string | undefined {
  const first = (value.split(',', 1)[0] ?? '').trim();
  const parts = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(first);
  if (parts === null) return undefined;
  const ip = parseIp(parts[1] ?? parts[2] ?? '');
  const port = Number(parts[3]);
  if (ip === undefined || port > 65535 || (ip.version === 6) !== (parts[1] !== undefined)) return undefined;
  return formatIpPort(ip, override ?? port);
}
