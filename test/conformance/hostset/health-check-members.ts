import type { Struct } from '../../../src/core/values.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import { ClusterManagerStats } from '../../../src/core/generated/counts.js';
import type { Locality } from '../../../src/host/host.js';
import { HealthFlag, Host, NOWHERE } from '../../../src/host/host.js';
import type { HostSet } from '../../../src/hostset/host-set.js';
import type { Assignment, EndpointState } from '../../../src/settings/assignment.js';
import { addEndpoints, EMPTY_ASSIGNMENT } from '../../../src/settings/assignment.js';
import { UpstreamCluster } from '../../../src/upstream/cluster.js';
import type { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { asList, FormatError } from '../fields.js';
import { readFlags, readStatus } from './health-check-flags.js';

/** The hosts of one cluster on the main thread, as assignments and health come and go. */
export class MemberList {
  private readonly cluster: UpstreamCluster;
  private added: Host[] = [];
  private removed: Host[] = [];

  constructor(
    config: Fields,
    version: ProxyVersion,
    private readonly check: Check,
  ) {
    this.cluster = new UpstreamCluster(
      {
        version,
        discovery: 'EDS',
        updateMergeWindowUs: 0,
        isLocalCluster: false,
        localityWeighted: false,
        nodeLocality: undefined,
        runtime: { number: () => undefined },
        healthChecked: config.optionalBoolean('active_health_check') ?? false,
        ignoreNewHostsUntilFirstHc: config.optionalBoolean('ignore_new_hosts_until_first_hc') ?? false,
        drainConnectionsOnHostRemoval: config.optionalBoolean('drain_connections_on_host_removal') ?? false,
        managerStats: new ClusterManagerStats(),
        balancers: [],
      },
      {
        arm: () => undefined,
        delivered: () => undefined,
        hostAtPriority: () => undefined,
        members: (added, removed) => {
          this.added.push(...added);
          this.removed.push(...removed);
        },
      },
    );
    config.end();
  }

  replay(step: Fields, where: string): void {
    step.ignore('note');
    const before = this.cluster.priorities.hostSets;
    this.added = [];
    this.removed = [];
    if (step.has('eds')) this.cluster.apply(readAssignment(step.objects('eds')), 0);
    this.setFlags(step.optionalObject('set_flags'), step.optionalBoolean('reap') ?? false);
    this.compare(step, where, before);
    step.end();
  }

  private setFlags(changes: Fields | undefined, reap: boolean): void {
    if (changes === undefined) return;
    for (const address of changes.keys) {
      const [add, remove] = changes.list(address);
      const path = `${changes.path}.${address}`;
      const host = this.host(address);
      host.flags = (host.flags | readFlags(asList(add, path), path)) & ~readFlags(asList(remove, path), path);
      this.cluster.priorities.changed(host);
      // Without `reap` the lists follow the new flags, but nobody says whose check it was.
      this.cluster.healthChanged(reap ? host : new Host({ address: '0.0.0.0:0' }), 0);
    }
  }

  private compare(step: Fields, where: string, before: readonly (HostSet | undefined)[]): void {
    const hosts = [...this.cluster.priorities.hosts()].map(({ host }) => host);
    this.compareAddresses('added', this.added, step.optionalStrings('expect_added'), where);
    this.compareAddresses('removed', this.removed, step.optionalStrings('expect_removed'), where);
    const expected = step.optionalStrings('expect_hosts');
    if (expected !== undefined) {
      const addresses = hosts.map(({ address }) => address);
      this.check.equal('hosts', addresses, expected, `${where}: hosts`);
    }
    const rebuild = step.optionalBoolean('expect_rebuild');
    if (rebuild !== undefined) {
      const rebuilt = this.cluster.priorities.hostSets.some((hostSet, priority) => hostSet !== before[priority]);
      this.check.equal('rebuild', rebuilt, rebuild, `${where}: rebuild`);
    }
    const flags = step.optionalObject('expect_flags');
    for (const address of flags?.keys ?? []) {
      const wanted = readFlags((flags as Fields).list(address), address);
      this.check.equal('flags', this.host(address).flags, wanted, `${where}: flags of ${address}`);
    }
    for (const [statistic, value] of step.optionalCounts('expect_membership') ?? []) {
      this.check.equal(statistic, this.gauge(statistic), value, `${where}: ${statistic}`);
    }
  }

  /** In any order. */
  private compareAddresses(
    what: string,
    hosts: readonly Host[],
    expected: readonly string[] | undefined,
    where: string,
  ): void {
    if (expected === undefined) return;
    const actual = hosts.map(({ address }) => address).sort();
    this.check.equal(what, actual, [...expected].sort(), `${where}: ${what}`);
  }

  private gauge(name: string): number {
    const count = (list: (hostSet: HostSet) => readonly Host[]): number =>
      this.cluster.priorities.hostSets.reduce(
        (sum, hostSet) => sum + (hostSet === undefined ? 0 : list(hostSet).length),
        0,
      );
    switch (name) {
      case 'membership_total':
        return count((hostSet) => hostSet.hosts);
      case 'membership_healthy':
        return count((hostSet) => hostSet.healthy);
      case 'membership_degraded':
        return count((hostSet) => hostSet.degraded);
      case 'membership_excluded':
        return count((hostSet) => hostSet.excluded);
      case 'membership_change':
        return this.cluster.membership.membershipChange;
      case 'max_host_weight':
        return this.cluster.membership.maxHostWeight;
      case 'update_no_rebuild':
        return this.cluster.membership.updateNoRebuild;
      default:
        throw new FormatError(`unknown statistic ${JSON.stringify(name)}`);
    }
  }

  /** Of two with one address, the one that discovery knows. */
  private host(address: string): Host {
    const found = [...this.cluster.priorities.hosts()]
      .map(({ host }) => host)
      .filter((host) => host.address === address);
    const host = found.find(({ flags }) => (flags & HealthFlag.PENDING_DYNAMIC_REMOVAL) === 0) ?? found[0];
    if (host === undefined) throw new FormatError(`unknown host ${JSON.stringify(address)}`);
    return host;
  }
}

function readAssignment(entries: readonly Fields[]): Assignment {
  return entries.reduce((assignment, entry) => {
    const locality = entry.optionalObject('locality');
    const state: EndpointState = {
      address: entry.string('address'),
      hostname: '',
      weight: entry.optionalNumber('weight') ?? 1,
      status: readStatus(entry.optionalString('health_status'), entry.path),
      metadata: (entry.unknown('metadata') as Readonly<Record<string, Struct>> | undefined) ?? {},
      healthCheckPort: readCheckPort(entry),
    };
    const place = locality === undefined ? NOWHERE : readLocality(locality);
    const priority = entry.optionalNumber('priority') ?? 0;
    entry.end();
    return addEndpoints(assignment, priority, place, [state]);
  }, EMPTY_ASSIGNMENT);
}

function readLocality(fields: Fields): Locality {
  const text = (key: string): string => fields.optionalString(key) ?? '';
  const locality = { region: text('region'), zone: text('zone'), subZone: text('sub_zone') };
  fields.end();
  return locality;
}

function readCheckPort(entry: Fields): number | undefined {
  const address = entry.optionalString('health_check_address');
  return entry.optionalNumber('health_check_port') ?? (address === undefined ? undefined : portOf(address));
}

function portOf(address: string): number {
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  if (!Number.isInteger(port)) throw new FormatError(`${JSON.stringify(address)} has no port`);
  return port;
}
