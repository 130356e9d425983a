import { ipOf, parseIp } from '../../core/ip.js';
import { effectiveAssignment } from '../../config/assignment-rules.js';
import { discoveryType, lookupsOf, type Cluster } from '../../config/cluster/cluster-shape.js';
import { readAssignment } from '../../config/to-settings.js';
import { localityKey } from '../../host/host.js';
import type { EndpointGroup } from '../../settings/assignment.js';
import type { Scenario } from '../../scenario/model.js';
import { canonicalName } from '../../settings/world.js';
import { dnsTarget, resolvedEndpoint } from '../../upstream/discovery/dns-discovery.js';
import { Resolver } from '../../upstream/discovery/resolver.js';

/** A unit of loss. One that stands for several alike is in lists of units as often. */
export interface Unit {
  readonly name: string;
  /** Of its hosts, with each row as often as it stands for one of them. */
  readonly rows: readonly number[];
  /** Those of a record, listed or not; absent: those of its hosts. */
  readonly addresses?: readonly string[];
  /** Units of one kind are interchangeable. */
  readonly kind: string;
  /** Units that belong together, as hosts of a zone. */
  readonly group: string;
}

/** Whether names give a cluster its hosts. Addresses that stand in their place have no records, and cannot be lost by DNS. */
export function hasRecords(cluster: Cluster): boolean {
  const type = discoveryType(cluster);
  if (type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') return false;
  return groupsOf(cluster).some(({ endpoints }) => endpoints.some((one) => parseIp(dnsTarget(one).name) === undefined));
}

function groupsOf(cluster: Cluster): readonly EndpointGroup[] {
  const assignment = effectiveAssignment(cluster);
  return assignment === undefined ? [] : readAssignment(assignment).groups;
}

/** The records of the clusters' names. */
export function recordUnits(
  scenario: Scenario,
  clusters: readonly Cluster[],
  rowsAt: (addresses: readonly string[]) => readonly number[],
): Unit[] {
  const resolver = new Resolver(scenario.dns);
  const units = new Map<string, Unit>();
  const groups = clusters.flatMap((cluster) => groupsOf(cluster).map((group) => ({ cluster, group })));
  for (const { cluster, group } of groups) {
    const isLogical = discoveryType(cluster) === 'LOGICAL_DNS';
    for (const endpoint of group.endpoints) {
      const target = dnsTarget(endpoint);
      const answer = resolver.lookup(target.name, lookupsOf(cluster).family);
      if (parseIp(target.name) !== undefined || answer.kind === 'failure') continue;
      const place = [localityKey(group.locality), group.priority, endpoint.weight];
      const alike = [cluster.name, canonicalName(target.name), ...place].join('\n');
      for (const ip of answer.addresses) {
        const name = `${target.name} ${ip}`;
        const known = units.get(name);
        const addresses = [...new Set([...(known?.addresses ?? []), resolvedEndpoint(endpoint, target, ip).address])];
        units.set(name, {
          name,
          rows: rowsAt(addresses),
          addresses,
          // Of a logical host only the first address counts: no two records are alike.
          kind: isLogical || known !== undefined ? name : alike,
          group: target.name,
        });
      }
    }
  }
  return [...units.values()];
}

/** The same scenario with a resolver that has no records of these hosts, given as `ip:port`. */
export function withoutRecords(scenario: Scenario, lost: readonly string[]): Scenario {
  const ips = new Set(lost.map(ipOf));
  const dns = new Map(scenario.dns);
  for (const [name, answer] of scenario.dns) {
    if ('fail' in answer) continue;
    dns.set(name, { ...answer, addresses: answer.addresses.filter((ip) => !ips.has(ip)) });
  }
  return { ...scenario, dns };
}
