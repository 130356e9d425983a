import { effectiveAssignment } from '../../config/assignment-rules.js';
import { discoveryType } from '../../config/cluster/discovery.js';
import { ipOf, parseIp } from '../../core/ip.js';
import type { Cluster } from '../../config/types.js';
import { localityKey } from '../../host/host.js';
import { canonicalName } from '../../settings/timeline-entry.js';
import type { Scenario } from '../../scenario/model.js';
import { readAssignment } from '../../config/to-settings.js';
import { dnsTarget, resolvedEndpoint } from '../../upstream/discovery/dns-discovery.js';
import { Resolver } from '../../upstream/discovery/resolver.js';

/** A unit of loss. */
export interface Unit {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Units of one kind are interchangeable. */
  readonly kind: string;
  /** Units that belong together, as hosts of a zone. */
  readonly group: string;
}

/** The hosts of the cluster are the addresses of names: to lose one is to lose its record. */
export function isFromDns(cluster: Cluster | undefined): boolean {
  const type = cluster && discoveryType(cluster);
  return type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
}

/** The records of the cluster's names; addresses that stand in the place of a name have none. */
export function recordUnits(scenario: Scenario, cluster: Cluster): Unit[] {
  const resolver = new Resolver(scenario.dns);
  const assignment = effectiveAssignment(cluster);
  const isLogical = discoveryType(cluster) === 'LOGICAL_DNS';
  const units = new Map<string, Unit>();
  for (const group of assignment === undefined ? [] : readAssignment(assignment).groups) {
    for (const endpoint of group.endpoints) {
      const target = dnsTarget(endpoint);
      const answer = resolver.lookup(target.name, cluster.dnsLookupFamily);
      if (parseIp(target.name) !== undefined || answer.kind === 'failure') continue;
      for (const ip of answer.addresses) {
        const { address } = resolvedEndpoint(endpoint, target, ip);
        const name = `${target.name} ${ip}`;
        const place = [localityKey(group.locality), group.priority, endpoint.weight].join('\n');
        // Of a logical host only the first address counts: no two records are alike.
        const kind = isLogical ? name : `${canonicalName(target.name)}\n${place}`;
        const known = units.get(name);
        units.set(name, {
          name,
          addresses: [...new Set([...(known?.addresses ?? []), address])],
          kind: known === undefined ? kind : name,
          group: target.name,
        });
      }
    }
  }
  return [...units.values()];
}

/** The same scenario with a resolver that has no records of these hosts, given as `ip:port`. */
export function withoutRecords(scenario: Scenario, lost: ReadonlySet<string>): Scenario {
  const ips = new Set([...lost].map(ipOf));
  const dns = new Map(
    [...scenario.dns].map(([name, answer]) => [
      name,
      'fail' in answer ? answer : { ...answer, addresses: answer.addresses.filter((ip) => !ips.has(ip)) },
    ]),
  );
  return { ...scenario, dns };
}
