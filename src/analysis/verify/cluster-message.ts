import { firstAssignment, ClusterLoadAssignment } from '../../config/assignment-rules.js';
import type { Cluster } from '../../config/cluster/cluster.js';
import { aggregated, discoveryType, lookupsOf, serviceName } from '../../config/cluster/cluster-shape.js';
import { hashingOf } from '../../config/policy/policy.js';
import { policyOf, lbPolicyOf } from '../../config/policy/of-cluster.js';
import { encode } from '../../config/write.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import type { Scenario } from '../../scenario/model.js';
import { clusterJson, withPolicy } from '../../config/write-cluster.js';
import { isList, isStruct, type JsonValue, type Struct } from '../../core/values.js';
import type { CapturedHost, CapturedLevel } from './capture.js';
import type { CauseResult } from '../../result/happenings.js';
import { localityResult } from '../../result/run-result.js';
import { ipOf, parseIp, portOf, withPort } from '../../core/ip.js';
import { consistentHashing } from '../../config/lb.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { isTablePolicy } from '../../policy/registry.js';
import { answersEver, canonicalName, type DnsAnswer, ipsIn, occurrences } from '../../settings/world.js';
import { type Assignment, type EndpointState, lbMetadata } from '../../settings/assignment.js';
import { readAssignment } from '../../config/to-settings.js';
import { dnsTarget, resolvedEndpoint } from '../../upstream/discovery/dns-discovery.js';
import type { NotCompared } from './verification.js';

/** Fields of a cluster that say how it balances: the others come from the captured hosts, or do not matter to a pick. */
const BALANCING = ['name', 'alt_stat_name', 'common_lb_config', 'lb_policy', 'load_balancing_policy', 'cluster_type'];

const V2_ALONE: ReadonlySet<string> = new Set(['deprecated_v1']);
/** That, and what would make a fresh proxy differ from one that has its hosts for long. */
const LEFT_OUT: ReadonlySet<string> = new Set([...V2_ALONE, 'slow_start_config']);

/**
 * A cluster as a v3 message with these hosts, as it balances: a STATIC cluster, or an aggregate.
 * @param at       the place on loopback at which a host answers, `ip:port`. Hosts keep their own address, or their
 *   name, as the key that they are hashed by.
 * @param written the assignment that says the same, see {@link writtenAssignment}.
 */
export function clusterMessage(
  cluster: Cluster,
  levels: readonly CapturedLevel[],
  at: (address: string) => string,
  written?: Struct,
): Struct {
  const message = balancingOf(cluster);
  if (aggregated(cluster) !== undefined) return message;
  if (written !== undefined) return { ...message, type: 'STATIC', load_assignment: written };
  const hashesNames = hashingOf(policyOf(cluster))?.useHostnameForHashing === true;
  const keyOf = ({ address }: CapturedHost): Struct => (hashesNames ? {} : { hash_key: address });
  return {
    ...message,
    type: 'STATIC',
    load_assignment: {
      cluster_name: cluster.name,
      endpoints: levels.flatMap(({ priority, localities }) =>
        localities.map(({ locality, weight, hosts }) => ({
          locality: { ...localityResult(locality) },
          lb_endpoints: hosts.map((host) => {
            const { address, metadata } = host;
            return endpointMessage(host, at(address), { ...keyOf(host), ...metadata });
          }),
          // 0 is not to be written: no weight is none.
          ...(weight !== undefined && weight > 0 && { load_balancing_weight: weight }),
          priority,
        })),
      ),
      ...(levels[0] !== undefined && { policy: policyMessage(levels[0]) }),
    },
  };
}

/**
 * The assignment that a cluster has at a time, to the letter but for the places of its hosts; undefined: not
 * assignments alone say which hosts it has and how they are.
 */
export function writtenAssignment(
  { assignments, timeline }: Scenario,
  cluster: Cluster,
  atUs: Micros,
  at: (address: string) => string,
): Struct | undefined {
  const { name, healthChecks, outlierDetection } = cluster;
  const type = discoveryType(cluster);
  const isAssigned =
    (type === 'STATIC' || type === 'EDS') && healthChecks.length === 0 && outlierDetection === undefined;
  const hashesNames = hashingOf(policyOf(cluster))?.useHostnameForHashing === true;
  const isChanged = timeline.some(({ action, everyUs }) =>
    action.kind === 'assign' ? everyUs !== undefined : CHANGE_HOSTS.has(action.kind),
  );
  if (!isAssigned || hashesNames || isChanged) return undefined;
  const asked = serviceName(cluster);
  const told = timeline.flatMap((entry) =>
    entry.action.kind === 'assign' && entry.atUs <= atUs && entry.action.name === asked
      ? [{ atUs: entry.atUs, assignment: entry.action.assignment }]
      : [],
  );
  const last = told.sort((a, b) => a.atUs - b.atUs).at(-1)?.assignment;
  const assigned = last ?? firstAssignment(cluster, assignments);
  if (assigned === undefined) return undefined;
  const written = translated(encode(ClusterLoadAssignment, assigned, 'v3'));
  // Every host is a place where one answers.
  if (!isStruct(written) || addressesIn(written).some((address) => at(address) === address)) return undefined;
  return { ...(atLoopback(written, at) as Struct), cluster_name: name };
}

const CHANGE_HOSTS: ReadonlySet<string> = new Set<Scenario['timeline'][number]['action']['kind']>([
  'set_health',
  'set_weight',
  'set_metadata',
  'add_hosts',
  'remove_hosts',
  'update_cluster',
]);

function atLoopback(value: JsonValue, at: (address: string) => string): JsonValue {
  if (isList(value)) return value.map((item) => atLoopback(item, at));
  if (!isStruct(value)) return value;
  const { endpoint, metadata } = value;
  if (endpoint === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, atLoopback(item, at)]));
  const address = addressOf(endpoint);
  const own = structAt(structAt(metadata, 'filter_metadata'), 'envoy.lb');
  return {
    ...value,
    endpoint: { address: socketAddress(at(address)) },
    metadata: { filter_metadata: { 'envoy.lb': { hash_key: address, ...own } } },
  };
}

/** `ip:port` of every host of an assignment, in their order. */
export function addressesIn(value: JsonValue): readonly string[] {
  if (isList(value)) return value.flatMap(addressesIn);
  if (!isStruct(value)) return [];
  const { endpoint } = value;
  return endpoint === undefined ? Object.values(value).flatMap(addressesIn) : [addressOf(endpoint)];
}

function addressOf(endpoint: JsonValue): string {
  const { address = '', port_value: port = 0 } = structAt(structAt(endpoint, 'address'), 'socket_address');
  return `${typeof address === 'string' ? address : ''}:${typeof port === 'number' ? port : 0}`;
}

function structAt(value: JsonValue | undefined, name: string): Struct {
  const field = value !== undefined && isStruct(value) ? value[name] : undefined;
  return field !== undefined && isStruct(field) ? field : {};
}

/** @param place `ip:port`, IPv4, or `name:port`. */
function socketAddress(place: string): Struct {
  const colon = place.lastIndexOf(':');
  return { socket_address: { address: place.slice(0, colon), port_value: Number(place.slice(colon + 1)) } };
}

/** All of a cluster but its hosts; undefined: these are not said by an assignment, or loopback has none like them. */
export function wholeMessage({ assignments }: Scenario, cluster: Cluster): Struct | undefined {
  const isAggregate = aggregated(cluster) !== undefined;
  const json = clusterJson(cluster, 'v3');
  const message = translated(isAggregate ? json : withPolicy(json, policyOf(cluster)), V2_ALONE) as Struct;
  const { load_assignment: _, eds_cluster_config: __, ...own } = message;
  const isAssigned = ['STATIC', 'EDS'].includes(discoveryType(cluster) ?? '') && firstAssignment(cluster, assignments);
  if (JSON.stringify(own).includes('"http3_protocol_options"')) return undefined;
  if (isAggregate) return own;
  return isAssigned ? { ...own, type: 'STATIC' } : undefined;
}

/** An assignment as discovery has it at some time. @param at the place of a host, `ip:port`; it is hashed as before. */
export function assignmentOf(cluster: Cluster, assignment: Assignment, at: (address: string) => string): Struct {
  const hashesNames = hashingOf(policyOf(cluster))?.useHostnameForHashing === true;
  const { dropRatio, staleAfterUs } = assignment;
  const drops = {
    category: 'load',
    drop_percentage: { numerator: Math.round(dropRatio * MILLION), denominator: 'MILLION' },
  };
  return {
    cluster_name: cluster.name,
    endpoints: groupMessages(assignment, (endpoint) => {
      const { address } = endpoint;
      const own = hashesNames ? {} : { hash_key: address };
      const entries = { ...own, ...lbMetadata(endpoint.metadata) };
      return endpointMessage(endpoint, at(address), entries, checkConfig(endpoint, at));
    }),
    policy: {
      ...policyMessage(assignment),
      ...(dropRatio > 0 && { drop_overloads: [drops] }),
      ...(staleAfterUs < Infinity && { endpoint_stale_after: `${microsToSeconds(staleAfterUs)}s` }),
    },
  };
}

/** Where a host is checked; undefined: where it answers, as one does that is checked where no host is. */
function checkConfig({ address, healthCheckPort: port }: EndpointState, at: (address: string) => string) {
  if (port === 'none') return { disable_active_health_check: true };
  const checked = withPort(ipOf(address), port ?? 0);
  return at(checked) === checked ? undefined : { port_value: Number(portOf(at(checked))) };
}

const MILLION = 1_000_000;

const groupMessages = ({ groups }: Assignment, messageOf: (endpoint: EndpointState) => Struct): readonly Struct[] =>
  groups.map(({ priority, locality, hasLocality, weight, endpoints }) => ({
    ...(hasLocality && { locality: { ...localityResult(locality) } }),
    priority,
    // 0 is not to be written: no weight is none.
    ...(weight !== undefined && weight > 0 && { load_balancing_weight: weight }),
    lb_endpoints: endpoints.map(messageOf),
  }));

export function balancingOf(cluster: Cluster): Struct {
  const json = clusterJson(cluster, 'v3');
  const message = aggregated(cluster) === undefined ? withPolicy(json, policyOf(cluster)) : json;
  const kept = Object.entries(message).filter(([key]) => BALANCING.includes(key));
  return { ...(translated(Object.fromEntries(kept)) as Struct), connect_timeout: '5s' };
}

/** A host that answers at this place. @param entries of the balancer's metadata. @param check its `health_check_config`. */
export const endpointMessage = (
  { hostname, weight, status }: Pick<CapturedHost, 'hostname' | 'weight' | 'status'>,
  place: string,
  entries: Struct,
  check?: Struct,
): Struct => ({
  endpoint: {
    address: socketAddress(place),
    ...(check !== undefined && { health_check_config: check }),
    ...(hostname !== '' && { hostname }),
  },
  health_status: status,
  ...(Object.keys(entries).length > 0 && { metadata: { filter_metadata: { 'envoy.lb': entries } } }),
  load_balancing_weight: weight,
});

/** The real proxy's own names. */
function translated(value: JsonValue, without = LEFT_OUT): JsonValue {
  if (typeof value === 'string') return renamed(value);
  if (isList(value)) return value.map((item) => translated(item, without));
  if (!isStruct(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !without.has(key))
      .map(([key, item]) => [renamed(key), translated(item, without)]),
  );
}

const renamed = (name: string): string => name.replace(/^(type\.googleapis\.com\/)?proxy\./, '$1envoy.');

/** A cluster whose hosts the proxy finds by DNS. */
export interface NamedCluster {
  readonly config: Cluster;
  /** Endpoints are names. */
  readonly assignment: Assignment;
}

export type NamedClusters = ReturnType<typeof namedClusters>;

/** The proxy asks so often: a change is known soon. */
const REFRESH = '0.05s';

/**
 * The clusters of a scenario that stay those of DNS while a real proxy lives through it. `notCompared`: those that DNS could name, and
 * that get their hosts by EDS, and why.
 */
export function namedClusters(scenario: Scenario) {
  const clusters = new Map<string, NamedCluster>();
  const notCompared: NotCompared[] = [];
  const hasIpv6 = [...answersEver(scenario).values()].flat().flatMap(ipsIn).some(isIpv6);
  for (const config of scenario.clusters) {
    const type = discoveryType(config);
    const assigned = firstAssignment(config, scenario.assignments);
    if ((type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') || assigned === undefined) continue;
    const assignment = readAssignment(assigned);
    const reason =
      config.healthChecks.length > 0 || config.outlierDetection !== undefined
        ? 'health checks and outlier detection say which of its hosts are well'
        : hasIpv6 || endpointsOf(assignment).some((endpoint) => isIpv6(dnsTarget(endpoint).name))
          ? 'loopback has one address of IPv6'
          : undefined;
    if (reason === undefined) clusters.set(config.name, { config, assignment });
    else notCompared.push({ what: `DNS of ${config.name}`, why: `${reason}, so its hosts come by EDS` });
  }
  return { clusters, notCompared };
}

export function answersAt({ dns, timeline }: Scenario, atUs: Micros): ReadonlyMap<string, DnsAnswer> {
  let found = { atUs: -Infinity, answers: dns };
  for (const entry of timeline) {
    const last = occurrences(entry, atUs).at(-1);
    if (entry.action.kind !== 'dns' || last === undefined || last < found.atUs) continue;
    found = { atUs: last, answers: entry.action.answers };
  }
  return found.answers;
}

/** Whether several addresses of a name are hashed by the same key, which is not their own address. */
export function hasHostsOfOneKey(scenario: Scenario, cluster: Cluster): boolean {
  const { assignment } = namedClusters(scenario).clusters.get(cluster.name) ?? {};
  if (assignment === undefined || !isTablePolicy(lbPolicyOf(cluster))) return false;
  const byName = consistentHashing(cluster, MODERN_PROXY_VERSION).useHostnameForHashing;
  return endpointsOf(assignment).some((endpoint) => {
    const hasKey = byName || typeof lbMetadata(endpoint.metadata)['hash_key'] === 'string';
    const answers = answersEver(scenario).get(canonicalName(dnsTarget(endpoint).name)) ?? [];
    return hasKey && answers.some((one) => ipsIn(one).length > 1);
  });
}

/** When names are answered otherwise, or hosts are named again, for the first time, and the words for it. */
export function changesOfDiscovery({ timeline }: Scenario): ReadonlyMap<Micros, readonly CauseResult[]> {
  const changes = timeline.filter(({ action }) => action.kind === 'dns' || action.kind === 'assign');
  return new Map(changes.map(({ atUs, label }) => [atUs, [{ kind: 'timeline', entry: label }]]));
}

/** Every address, `ip:port`, that a name of these clusters is ever answered. */
export function namedAddresses(scenario: Scenario, clusters: Iterable<NamedCluster>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { assignment } of clusters) {
    for (const endpoint of endpointsOf(assignment)) {
      const target = dnsTarget(endpoint);
      const answers = answersEver(scenario).get(canonicalName(target.name)) ?? [];
      const ips = isIp(target.name) ? [target.name] : answers.flatMap(ipsIn);
      for (const ip of ips) found.add(resolvedEndpoint(endpoint, target, ip).address);
    }
  }
  return found;
}

export const namesIn = ({ assignment }: NamedCluster): readonly string[] =>
  endpointsOf(assignment)
    .map((endpoint) => dnsTarget(endpoint).name)
    .filter((name) => !isIp(name));

export interface Loopback {
  ipAt(ip: string): string;
  portAt(port: string): string;
}

export const answersAtLoopback = (
  answers: ReadonlyMap<string, DnsAnswer>,
  loopback: Loopback,
): ReadonlyMap<string, DnsAnswer> =>
  new Map(
    [...answers].map(([name, answer]) => [
      name,
      'fail' in answer ? answer : { ...answer, addresses: answer.addresses.map((ip) => loopback.ipAt(ip)) },
    ]),
  );

/** The cluster as a v3 message, with names and the ports of loopback. */
export const namedMessage = ({ config, assignment }: NamedCluster, loopback: Loopback): Struct => ({
  ...balancingOf(config),
  type: discoveryType(config) ?? config.type,
  dns_refresh_rate: REFRESH,
  dns_lookup_family: lookupsOf(config).family,
  load_assignment: {
    cluster_name: config.name,
    endpoints: groupMessages(assignment, (endpoint) => {
      const { name, port } = dnsTarget(endpoint);
      const place = `${isIp(name) ? loopback.ipAt(name) : name}:${loopback.portAt(String(port))}`;
      return endpointMessage(endpoint, place, lbMetadata(endpoint.metadata));
    }),
    policy: policyMessage(assignment),
  },
});

function policyMessage(of: Pick<Assignment, 'overprovisioningFactor' | 'weightedPriorityHealth'>): Struct {
  return { overprovisioning_factor: of.overprovisioningFactor, weighted_priority_health: of.weightedPriorityHealth };
}

const endpointsOf = ({ groups }: Assignment): readonly EndpointState[] => groups.flatMap(({ endpoints }) => endpoints);

const isIp = (name: string): boolean => parseIp(name) !== undefined;
const isIpv6 = (name: string): boolean => parseIp(name)?.version === 6;
