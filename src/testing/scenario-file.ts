import { demand, fieldsOf, TEXT, TEXTS } from '../core/arguments.js';
import { attempt, defined, groupBy } from '../core/values.js';
import { stringify } from 'yaml';
import type { SubsetConfig } from '../hostset/lb-config.js';
import { toDecimal } from '../core/u64.js';
import type { LbPolicy } from '../policy/registry.js';
import * as stories from './story.js';
import type { Story } from './story.js';
import type { BalancerUnderTest } from './balancer-under-test.js';

/** Comments at the top of a scenario file. */
export interface Remarks {
  /** One sentence a line, without `#`. */
  readonly header: readonly string[];
  readonly description: string;
}

const REMARKS = fieldsOf<Remarks>({ header: TEXTS, description: TEXT }, 'header', 'description');

/** The story as a scenario file for `lbsim run`; beside each request the host that the subject chose. */
export function storyScenario(subject: BalancerUnderTest, story: Story, remarks: Remarks): string {
  stories.demandStory('storyScenario', subject, story);
  demand('storyScenario', ['remarks', remarks, REMARKS]);
  const picks = picksOf(subject, story);
  const requests: object[] = [];
  const timeline: object[] = [];
  const present = story.hosts.map(() => true);
  story.steps.forEach(({ change, requests: sent }, index) => {
    const at = `${index}s`;
    const host = change && story.hosts[change.host];
    if (change !== undefined && host !== undefined && changesSomething(change, present))
      timeline.push(changeValue(at, change, host));
    for (const { hash, metadataMatch: match } of sent) {
      const hashed = hash && toDecimal(hash.hi, hash.lo);
      requests.push(defined({ at, cluster: stories.CLUSTER, hash: hashed, metadata_match: match }));
    }
  });
  const remark = 'Beside each request stands where the balancer under test sent it.';
  const header = picks.length > 0 ? [...remarks.header, remark] : remarks.header;
  // A story without requests gets some traffic.
  const sections = { ...(requests.length > 0 && { workloads: [], requests }), picks, timeline };
  return situationScenario(subject, story, 1000 * story.steps.length, { ...remarks, header }, sections);
}

/** A situation as a scenario file, with a request a millisecond. @param more instead of its own sections, or besides. */
export const situationScenario = (
  subject: BalancerUnderTest,
  { seed, cluster, hosts }: stories.Situation,
  picks: number,
  remarks: Remarks,
  more: Partial<Sections> = {},
): string =>
  document(remarks, {
    seed,
    proxies: [proxyValue(stories.PROXY, stories.NODE_ZONE, subject, cluster.callers !== undefined)],
    clusters: clusterValues(subject, cluster, hosts),
    endpoints: endpointValues(cluster, hosts),
    behavior: hosts.flatMap(({ address, busy = 0 }) =>
      busy === 0 ? [] : [{ hosts: address, initial_active_requests: busy }],
    ),
    workloads: [steadyWorkload(picks)],
    ...more,
  });

/** One request a millisecond, the first at once. */
export function steadyWorkload(count: number): object {
  return { cluster: stories.CLUSTER, arrivals: { constant: '1000/s' }, stop: `${count}ms` };
}

/** False for a host that returns without having left, and for a change of an absent one. */
function changesSomething(change: stories.HostChange, present: boolean[]): boolean {
  const was = present[change.host] === true;
  if (!('present' in change)) return was;
  present[change.host] = change.present;
  return was !== change.present;
}

type ListName = 'proxies' | 'clusters' | 'behavior' | 'workloads' | 'requests' | 'timeline' | 'expect';

interface Sections extends Readonly<Partial<Record<ListName, readonly object[]>>> {
  readonly seed: number;
  readonly endpoints: Readonly<Record<string, readonly object[]>>;
  /** Comments beside the requests; there may be fewer of them. */
  readonly picks?: readonly string[];
}

export function document(remarks: Remarks, sections: Sections): string {
  const endpoints = Object.entries(sections.endpoints);
  const listsOf = (...names: readonly ListName[]): readonly string[] =>
    names.flatMap((name) => list(name, sections[name], name === 'requests' ? sections.picks : []));
  const lines = [
    ...remarks.header.map((line) => `# ${line}`),
    'name: falsified',
    `description: ${flow(remarks.description)}`,
    `seed: ${sections.seed}`,
    ...listsOf('proxies', 'clusters'),
    ...(endpoints.length > 0 ? ['endpoints:'] : []),
    // A cluster without hosts has an empty list; other empty lists are left out.
    ...endpoints.flatMap(([name, own]) => (own.length === 0 ? [`${name}: []`] : list(name, own))).map(indented),
    ...listsOf('behavior', 'workloads', 'requests', 'timeline', 'expect'),
  ];
  return `${lines.join('\n')}\n`;
}

function list(name: string, entries: readonly object[] = [], remarks: readonly string[] = []): readonly string[] {
  if (entries.length === 0) return [];
  const beside = (index: number): string => (remarks[index] === undefined ? '' : `  # ${remarks[index]}`);
  return [`${name}:`, ...entries.map((entry, index) => indented(`- ${flow(entry)}${beside(index)}`))];
}

const indented = (line: string): string => `  ${line}`;

/** A value on one line of YAML. */
const flow = (value: unknown): string =>
  stringify(value, {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  }).trimEnd();

export const proxyValue = (name: string, zone: string, subject: BalancerUnderTest, local: boolean, share?: number) => ({
  name,
  version: subject.version,
  node: { id: name, cluster: stories.LOCAL_CLUSTER, locality: { zone } },
  ...(local && { local_cluster_name: stories.LOCAL_CLUSTER }),
  ...(share !== undefined && { share }),
});

/** Tables of the size that laws use, and slow start. */
function tableValue(lbPolicy: LbPolicy, cluster: stories.StoryCluster): object {
  const { hashFunction: hash, slowStartMs, slowStartAggression: aggression, slowStartMinimum: minimum } = cluster;
  if (lbPolicy === 'MAGLEV') return { maglev_lb_config: { table_size: stories.SMALL_MAGLEV.tableSize } };
  if (lbPolicy === 'RING_HASH') {
    const { minimumRingSize: least, maximumRingSize: most } = stories.SMALL_RING;
    const ring = { minimum_ring_size: least, maximum_ring_size: most, ...(hash && { hash_function: hash }) };
    return { ring_hash_lb_config: ring };
  }
  if (slowStartMs === undefined) return {};
  const slowStart = {
    slow_start_config: {
      slow_start_window: `${slowStartMs / 1000}s`,
      ...(aggression !== undefined && { aggression: { default_value: aggression, runtime_key: 'aggression' } }),
      ...(minimum !== undefined && { min_weight_percent: { value: minimum } }),
    },
  };
  return lbPolicy === 'LEAST_REQUEST' ? { least_request_lb_config: slowStart } : { round_robin_lb_config: slowStart };
}

function clusterValues(subject: BalancerUnderTest, cluster: stories.StoryCluster, hosts: readonly stories.StoryHost[]) {
  const { lbPolicy } = subject;
  const zoneAware = {
    ...(cluster.callers !== undefined && { min_cluster_size: cluster.minClusterSize ?? 1 }),
    ...(cluster.routingEnabled !== undefined && { routing_enabled: { value: cluster.routingEnabled } }),
    ...(cluster.failTrafficOnPanic && { fail_traffic_on_panic: true }),
  };
  const { callers, hashBalanceFactor: factor, healthyPanicThreshold: value, localityWeights, subset } = cluster;
  const weighted = localityWeights !== undefined;
  // A cluster has one of the two.
  const isZoneAware = !weighted && Object.keys(zoneAware).length > 0;
  const own = {
    name: stories.CLUSTER,
    connect_timeout: '0.25s',
    lb_policy: lbPolicy,
    common_lb_config: {
      healthy_panic_threshold: { value },
      // Every change acts at once.
      update_merge_window: '0s',
      ...(weighted && { locality_weighted_lb_config: {} }),
      ...(isZoneAware && { zone_aware_lb_config: zoneAware }),
      ...(factor !== undefined && { consistent_hashing_lb_config: { hash_balance_factor: factor } }),
    },
    ...tableValue(lbPolicy, cluster),
    ...(subset !== undefined && { lb_subset_config: subsetValue(subset) }),
    ...(weighted && { load_assignment: assignmentValue(cluster, hosts) }),
  };
  return callers === undefined ? [own] : [own, { name: stories.LOCAL_CLUSTER, connect_timeout: '0.25s' }];
}

function endpointValues(cluster: stories.StoryCluster, hosts: readonly stories.StoryHost[]) {
  const local = Object.entries(cluster.callers ?? {})
    .flatMap(([zone, count], index) => [
      { address: stories.callerAddress(index, 0), count, zone },
      {
        address: stories.callerAddress(index, count),
        count: cluster.callersDown?.[zone] ?? 0,
        zone,
        health: 'UNHEALTHY',
      },
    ])
    .filter(({ count }) => count > 0);
  return {
    ...(cluster.localityWeights === undefined && { [stories.CLUSTER]: hosts.map(endpointValue) }),
    ...(cluster.callers !== undefined && { [stories.LOCAL_CLUSTER]: local }),
  };
}

function endpointValue(host: stories.StoryHost): object {
  const { address, priority, zone } = host;
  return { address, ...(priority !== 0 && { priority }), zone, ...traits(host) };
}

/** The fields of a host besides its locality and priority, without defaults. */
const traits = ({ weight, health, metadata, isNew }: stories.StoryHost): object => ({
  ...(weight !== 1 && { weight }),
  // A host is new only with a health check.
  ...((health !== 'HEALTHY' || isNew === true) && { health: isNew === true ? 'UNHEALTHY' : health }),
  ...(Object.keys(metadata).length > 0 && { metadata }),
});

/** Locality weights have no shorthand. */
function assignmentValue(cluster: stories.StoryCluster, hosts: readonly stories.StoryHost[]): object {
  const groups = groupBy(hosts, ({ priority, zone }) => `${priority} ${zone}`);
  const endpoints = [...groups.values()].map(([first, ...others]) => {
    const { priority, zone } = first as stories.StoryHost;
    const weight = cluster.localityWeights?.[zone] ?? 0;
    return {
      priority,
      locality: { zone },
      ...(weight > 0 && { load_balancing_weight: weight }),
      lb_endpoints: [first as stories.StoryHost, ...others].map(lbEndpointValue),
    };
  });
  return { cluster_name: stories.CLUSTER, endpoints };
}

function lbEndpointValue({ address, weight, health, metadata }: stories.StoryHost): object {
  const [ip, port] = address.split(':');
  return {
    endpoint: { address: { socket_address: { address: ip, port_value: Number(port) } } },
    ...(weight !== 1 && { load_balancing_weight: weight }),
    ...(health !== 'HEALTHY' && { health_status: health }),
    ...(Object.keys(metadata).length > 0 && { metadata: { filter_metadata: { 'envoy.lb': metadata } } }),
  };
}

const subsetValue = (subset: SubsetConfig): object => ({
  fallback_policy: subset.fallbackPolicy,
  default_subset: subset.defaultSubset,
  subset_selectors: subset.selectors.map((selector) => ({
    keys: selector.keys,
    ...(selector.fallbackPolicy !== 'NOT_DEFINED' && { fallback_policy: selector.fallbackPolicy }),
    ...(selector.fallbackKeysSubset.length > 0 && { fallback_keys_subset: selector.fallbackKeysSubset }),
  })),
  ...(subset.panicModeAny && { panic_mode_any: true }),
  ...(subset.listAsAny && { list_as_any: true }),
  ...(subset.localityWeightAware && { locality_weight_aware: true }),
  ...(subset.scaleLocalityWeight && { scale_locality_weight: true }),
});

/** As an event of a timeline. */
export function changeValue(at: string, change: stories.HostChange, host: stories.StoryHost): object {
  const { address, priority, zone } = host;
  if ('health' in change) return { at, set_health: { hosts: address, status: change.health } };
  if ('weight' in change) return { at, set_weight: { hosts: address, weight: change.weight } };
  if ('metadata' in change) return { at, set_metadata: { hosts: address, metadata: change.metadata } };
  if (!change.present) return { at, remove_hosts: address };
  const endpoints = [{ address, ...traits(host) }];
  return { at, add_hosts: { cluster: stories.CLUSTER, priority, zone, endpoints } };
}

/** The host that the subject chose for each request; shorter if it threw. */
function picksOf(subject: BalancerUnderTest, story: stories.Story): readonly string[] {
  const picks: string[] = [];
  const picked = ({ decision }: stories.Pick): unknown => picks.push(decision.host?.address ?? 'no host');
  // An exception is the finding of the file; picks before it are still shown.
  attempt(() => stories.play(subject, story, { picked }), undefined);
  return picks;
}
