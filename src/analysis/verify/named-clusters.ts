import type { CauseResult } from '../../result/happenings.js';
import { effectiveAssignment } from '../../config/assignment-rules.js';
import { discoveryType, lookupsOf } from '../../config/cluster/discovery.js';
import { parseIp } from '../../core/ip.js';
import { consistentHashing } from '../../config/lb.js';
import type { Cluster } from '../../config/cluster/cluster-shape.js';
import type { Struct } from '../../core/json-value.js';
import type { Micros } from '../../core/units.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { isTablePolicy } from '../../policy/registry.js';
import { canonicalName, type DnsAnswer } from '../../settings/timeline-entry.js';
import type { Scenario } from '../../scenario/model.js';
import { type Assignment, type EndpointState, lbMetadata } from '../../settings/assignment.js';
import { readAssignment } from '../../config/to-settings.js';
import { dnsTarget, resolvedEndpoint } from '../../upstream/discovery/dns-discovery.js';
import { balancingOf, endpointMessage } from './cluster-message.js';
import type { NotCompared } from './verification.js';
import { lbPolicyOf } from '../../config/policy/of-cluster.js';

/** A cluster whose hosts the proxy finds by DNS. */
export interface NamedCluster {
  readonly config: Cluster;
  /** Endpoints are names. */
  readonly assignment: Assignment;
}

export interface NamedClusters {
  readonly clusters: ReadonlyMap<string, NamedCluster>;
  /** Those that DNS could name, and that get their hosts by EDS, and why. */
  readonly notCompared: readonly NotCompared[];
}

/** The proxy asks so often: a change is known soon. */
const REFRESH = '0.05s';

/** The clusters of a scenario that stay those of DNS while a real proxy lives through it. */
export function namedClusters(scenario: Scenario): NamedClusters {
  const clusters = new Map<string, NamedCluster>();
  const notCompared: NotCompared[] = [];
  const hasIpv6 = answersOf(scenario).some((answers) =>
    [...answers.values()].some((answer) => 'addresses' in answer && answer.addresses.some(isIpv6)),
  );
  for (const config of scenario.clusters) {
    const type = discoveryType(config);
    const assigned = scenario.assignments.get(config.name) ?? effectiveAssignment(config);
    if ((type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') || assigned === undefined) continue;
    const assignment = readAssignment(assigned);
    const reason =
      config.healthChecks.length > 0 || config.outlierDetection !== undefined
        ? 'health checks and outlier detection say which of its hosts are well'
        : hasIpv6 || targetsOf(assignment).some(({ name }) => isIpv6(name))
          ? 'loopback has one address of IPv6'
          : undefined;
    if (reason === undefined) clusters.set(config.name, { config, assignment });
    else notCompared.push({ what: `DNS of ${config.name}`, why: `${reason}, so its hosts come by EDS` });
  }
  return { clusters, notCompared };
}

/** What the names of a scenario are answered at a time. */
export function answersAt({ dns, timeline }: Scenario, atUs: Micros): ReadonlyMap<string, DnsAnswer> {
  let found = { atUs: -Infinity, answers: dns };
  for (const { action, atUs: first, everyUs, untilUs = Infinity } of timeline) {
    if (action.kind !== 'dns' || first > atUs) continue;
    const until = Math.min(atUs, untilUs - 1);
    const last = everyUs === undefined ? first : first + Math.floor((until - first) / everyUs) * everyUs;
    if (last >= found.atUs) found = { atUs: last, answers: action.answers };
  }
  return found.answers;
}

/** Whether several addresses of a name are hashed by the same key, which is not their own address. */
export function hasHostsOfOneKey(scenario: Scenario, cluster: Cluster): boolean {
  const { assignment } = namedClusters(scenario).clusters.get(cluster.name) ?? {};
  if (assignment === undefined || !isTablePolicy(lbPolicyOf(cluster))) return false;
  const byName = consistentHashing(cluster, MODERN_PROXY_VERSION).useHostnameForHashing;
  return endpointsOf(assignment).some((endpoint) => {
    const hasKey = byName || typeof lbMetadata(endpoint.metadata)?.['hash_key'] === 'string';
    const answers = answersOf(scenario).map((one) => one.get(canonicalName(dnsTarget(endpoint).name)));
    return hasKey && answers.some((one) => one !== undefined && 'addresses' in one && one.addresses.length > 1);
  });
}

/** When names are answered otherwise, or hosts are named again, for the first time, and the words for it. */
export function changesOfDiscovery({ timeline }: Scenario): ReadonlyMap<Micros, readonly CauseResult[]> {
  return new Map(
    timeline.flatMap(({ action, atUs, label }): [Micros, readonly CauseResult[]][] =>
      action.kind === 'dns' || action.kind === 'assign' ? [[atUs, [{ kind: 'timeline', entry: label }]]] : [],
    ),
  );
}

/** Every address, `ip:port`, that a name of these clusters is ever answered. */
export function namedAddresses(scenario: Scenario, clusters: Iterable<NamedCluster>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { assignment } of clusters) {
    for (const endpoint of endpointsOf(assignment)) {
      const target = dnsTarget(endpoint);
      const ips = isIp(target.name)
        ? [target.name]
        : answersOf(scenario).flatMap((answers) => {
            const answer = answers.get(canonicalName(target.name));
            return answer !== undefined && 'addresses' in answer ? answer.addresses : [];
          });
      for (const ip of ips) found.add(resolvedEndpoint(endpoint, target, ip).address);
    }
  }
  return found;
}

/** Its names that are looked up. */
export function namesIn({ assignment }: NamedCluster): readonly string[] {
  return targetsOf(assignment)
    .map(({ name }) => name)
    .filter((name) => !isIp(name));
}

export interface Loopback {
  ipAt(ip: string): string;
  portAt(port: string): string;
}

export function answersAtLoopback(
  answers: ReadonlyMap<string, DnsAnswer>,
  loopback: Loopback,
): ReadonlyMap<string, DnsAnswer> {
  return new Map(
    [...answers].map(([name, answer]) => [
      name,
      'fail' in answer ? answer : { ...answer, addresses: answer.addresses.map((ip) => loopback.ipAt(ip)) },
    ]),
  );
}

/** The cluster as a v3 message, with names and the ports of loopback. */
export function namedMessage({ config, assignment }: NamedCluster, loopback: Loopback): Struct {
  return {
    ...balancingOf(config),
    type: discoveryType(config) ?? config.type,
    dns_refresh_rate: REFRESH,
    dns_lookup_family: lookupsOf(config).family,
    load_assignment: {
      cluster_name: config.name,
      endpoints: assignment.groups.map(({ priority, locality, hasLocality, weight, endpoints }) => ({
        ...(hasLocality && { locality: { region: locality.region, zone: locality.zone, sub_zone: locality.subZone } }),
        priority,
        ...(weight !== undefined && { load_balancing_weight: weight }),
        lb_endpoints: endpoints.map((endpoint) =>
          endpointMessage(endpoint, placeOf(endpoint, loopback), lbMetadata(endpoint.metadata) ?? {}),
        ),
      })),
      policy: {
        overprovisioning_factor: assignment.overprovisioningFactor,
        weighted_priority_health: assignment.weightedPriorityHealth,
      },
    },
  };
}

function placeOf(endpoint: EndpointState, loopback: Loopback): string {
  const { name, port } = dnsTarget(endpoint);
  return `${isIp(name) ? loopback.ipAt(name) : name}:${loopback.portAt(String(port))}`;
}

function answersOf({ dns, timeline }: Scenario): readonly ReadonlyMap<string, DnsAnswer>[] {
  const all = [dns, ...timeline.flatMap(({ action }) => (action.kind === 'dns' ? [action.answers] : []))];
  return all.map((answers) => new Map([...answers].map(([name, answer]) => [canonicalName(name), answer])));
}

function endpointsOf({ groups }: Assignment): readonly EndpointState[] {
  return groups.flatMap(({ endpoints }) => endpoints);
}

function targetsOf(assignment: Assignment): readonly { readonly name: string }[] {
  return endpointsOf(assignment).map(dnsTarget);
}

function isIp(name: string): boolean {
  return parseIp(name) !== undefined;
}

function isIpv6(name: string): boolean {
  return parseIp(name)?.version === 6;
}
