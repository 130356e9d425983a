import type { Pruner } from './prune.js';
import type { ApiVersion } from '../../config/api/api.js';
import type { MapNode, SourceNode } from '../../config/reader.js';
import { HostKnowledgeBase } from '../assemble/known-hosts.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { counted } from '../../core/words.js';
import type { Scenario } from '../model.js';
import { clustersWithoutHosts, madeUpSentence, withoutHostsSentence } from '../origin.js';
import {
  dropped,
  fieldOf,
  isMap,
  itemsOf,
  NO_PLACE,
  nodeOf,
  textOf,
  valueAt,
  withField,
} from '../../config/source/trees.js';
import { comment, fieldLines, yamlLines } from './yaml-text.js';
import type { Rates } from '../input/rates.js';
import { shortEndpoints } from './short-endpoints.js';
import type { Cluster } from '../../config/cluster/cluster.js';
import { discoveryType, serviceName } from '../../config/cluster/cluster-shape.js';
import { ClusterLoadAssignment, firstAssignment } from '../../config/assignment-rules.js';
import { encode } from '../../config/write.js';
import { groupBy, withoutField, present } from '../../core/values.js';
import { trafficOf } from './traffic.js';

export interface Writing {
  /** The relevant parts of the files, as a scenario. */
  readonly root: MapNode;
  /** The same, read. */
  readonly scenario: Scenario;
  /** undefined: the files do not say, and it makes no difference. */
  readonly version: ApiVersion;
  readonly left: LeftOut;
  readonly rates: Rates | undefined;
  /** The files say where requests go. */
  readonly writesTraffic: boolean;
  /** The source, in words. */
  readonly files: readonly string[];
}

/** A scenario as text, with comments on what was left out; and the same in sentences. */
export function writeScenario(writing: Writing): { readonly text: string; readonly says: readonly string[] } {
  const { scenario, version, left, files } = writing;
  const { clusters, endpoints, assignments } = sectionsOf(writing);
  const traffic = trafficOf(scenario, writing.rates, writing.writesTraffic);
  const lines = [
    ...comment(`Imported by lbsim from ${files.join(', ')}.`),
    ...headComments(left),
    '',
    ...fieldLines('name', nodeOf(scenario.name)),
    ...(version === 'v3' ? ['api: v3'] : []),
    ...proxyLines(writing),
    '',
    'clusters:',
    ...clusters.flatMap((cluster) => clusterLines(cluster, left)),
    ...traffic.absent.flatMap((name) => [
      ...comment('In no file, though a route leads there: it is removed at once, and requests to it fail.', 2),
      ...yamlLines(nodeOf([{ name, type: 'STATIC', connect_timeout: '1s' }]), 2),
    ]),
  ];
  const section = (name: string, words: string, entries: readonly (readonly [string, SourceNode])[]): void => {
    if (entries.length === 0) return;
    lines.push('', ...comment(words), `${name}:`);
    for (const [key, value] of entries) lines.push(...fieldLines(key, value, 2));
  };
  if (endpoints.length > 0) {
    const words = 'The hosts; health where they were told to be anything but healthy.';
    const madeUp = madeUpSentence(scenario.origin.madeUpHosts);
    lines.push('', ...present([words, madeUp]).flatMap((text) => comment(text)), 'endpoints:');
    for (const [name, hosts] of endpoints) lines.push(...hostLines(name, hosts));
  }
  section('assignments', 'Hosts whose localities have weights or a policy, as discovery tells them.', assignments);
  const answers = [...scenario.dns].map(([name, answer]) => {
    return [name, nodeOf('fail' in answer ? 'fail' : { addresses: answer.addresses })] as const;
  });
  section('dns', 'What names resolved to.', answers);
  const unknown = hostsUnknown(scenario);
  if (unknown !== undefined) lines.push('', ...unknown.split('\n').flatMap((line) => comment(line)));
  lines.push('', ...traffic.lines);
  for (const note of scenario.origin.routeNotes) lines.push(...comment(note));
  if (traffic.absent.length > 0) {
    const removals = traffic.absent.map((name) => ({ at: '0s', remove_cluster: name }));
    lines.push('', 'timeline:', ...yamlLines(nodeOf(removals), 2));
  }
  return { text: `${lines.join('\n')}\n`, says: saysOf(writing, traffic.says) };
}

/** Hosts in the short form wherever it is equivalent; else as the files have them, or options. */
function sectionsOf({ root, scenario, left }: Writing) {
  const written = itemsOf(valueAt(root, 'clusters')).filter(isMap);
  const services = scenario.clusters.map((one) => (discoveryType(one) === 'EDS' ? serviceName(one) : undefined));
  const told = valueAt(root, 'assignments');
  const assignments = new Map(isMap(told) ? told.entries.map(({ key, value }) => [key, value]) : []);
  const endpoints: [string, SourceNode][] = [];
  const clusters = written.map((node, index) => {
    const cluster = scenario.clusters[index];
    const service = services[index];
    if (cluster === undefined || discoveryType(cluster) === 'ORIGINAL_DST') return node;
    const assignment = firstAssignment(cluster, scenario.assignments);
    const isShared = service !== undefined && services.filter((one) => one === service).length > 1;
    const isTwice = fieldOf(node, 'load_assignment') !== undefined && fieldOf(node, 'hosts') !== undefined;
    if (assignment === undefined) return node;
    const short = isShared || isTwice ? undefined : shortOf(cluster, assignment, left);
    const isGiven = scenario.origin.givenHosts.has(cluster.name);
    const own = short ?? (isGiven ? nodeOf(encode(ClusterLoadAssignment, assignment)) : undefined);
    if (own === undefined) return node;
    if (short !== undefined) endpoints.push([cluster.name, short]);
    if (service === undefined) {
      const bare = dropped(node, ['load_assignment', 'hosts']);
      return short === undefined ? withField(bare, 'load_assignment', own, NO_PLACE) : bare;
    }
    if (short === undefined) assignments.set(service, own);
    else assignments.delete(service);
    return node;
  });
  return { clusters, endpoints, assignments: [...assignments] };
}

/** Weights of localities are left out where the cluster does not look at them. */
function shortOf(cluster: Cluster, assignment: ClusterLoadAssignment, left: LeftOut): SourceNode | undefined {
  const { loadBalancingPolicy, commonLbConfig, lbSubsetConfig } = cluster;
  const looks = loadBalancingPolicy ?? commonLbConfig?.localityWeightedLbConfig ?? lbSubsetConfig;
  const isWeighed = assignment.endpoints.some(({ loadBalancingWeight: weight = 1 }) => weight !== 1);
  const endpoints = assignment.endpoints.map((group) => withoutField(group, 'loadBalancingWeight'));
  const short = shortEndpoints(looks === undefined ? { ...assignment, endpoints } : assignment);
  if (short !== undefined && looks === undefined && isWeighed) left.add(cluster.name, 'weights of localities');
  return short && nodeOf(short);
}

function hostLines(name: string, hosts: SourceNode): string[] {
  const [head = ''] = fieldLines(name, nodeOf([]), 2);
  const isOne = itemsOf(hosts).length < 2;
  return isOne ? fieldLines(name, hosts, 2) : [head.replace(/ \[\]$/, ''), ...yamlLines(hosts, 4)];
}

function headComments(left: LeftOut): string[] {
  const idle = left.counts.filter(({ effect }) => effect === undefined);
  const lines = comment(
    'Left out is what balances nothing: listeners, filters, credentials, keys, certificates, tokens, headers' +
      (idle.length === 0 ? '.' : '; of clusters'),
  );
  for (const { field, clusters } of idle)
    lines.push(...comment(`  ${field}${clusters === 1 ? '' : ` (${clusters} clusters)`}`));
  if (left.ofProxy.size > 0) lines.push(...comment(`of the proxy ${[...left.ofProxy].join(', ')}`));
  for (const { field, clusters, effect } of left.counts)
    if (effect !== undefined)
      lines.push(...comment(`Not simulated: ${field} of ${counted(clusters, 'cluster')}: ${effect}.`));
  if (left.unasked > 0) lines.push(...comment(`and ${left.unasked} assignments that no cluster asks for.`));
  return lines;
}

function proxyLines({ root, version }: Writing): string[] {
  const proxy = valueAt(root, 'proxy');
  const versionLine = version === 'v3' ? [`  version: "${MODERN_PROXY_VERSION}"`] : [];
  const own = isMap(proxy) ? yamlLines(proxy, 2) : [];
  return versionLine.length + own.length === 0 ? [] : ['proxy:', ...versionLine, ...own];
}

/** The fields that readers look for first. */
const FIRST: readonly string[] = ['name', 'type', 'cluster_type', 'lb_policy', 'load_balancing_policy'];

function clusterLines(cluster: MapNode, left: LeftOut): string[] {
  const rank = (key: string): number => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
  const entries = cluster.entries.toSorted((one, other) => rank(one.key) - rank(other.key));
  const [first = '', ...rest] = yamlLines({ ...cluster, entries }, 4);
  const text = left.text(textOf(valueAt(cluster, 'name')) ?? '');
  return [`  - ${first.slice(4)}`, ...rest, ...(text === '' ? [] : comment(`left out: ${text}`, 4))];
}

function hostsUnknown(scenario: Scenario): string | undefined {
  const { clusters } = scenario;
  return withoutHostsSentence(clustersWithoutHosts(clusters, new HostKnowledgeBase(scenario)), clusters.length);
}

function saysOf({ scenario, left, version }: Writing, traffic: readonly string[]): readonly string[] {
  const { clusters } = scenario;
  const says = [`imported ${counted(clusters.length, 'cluster')}, in ${version}`];
  const idle = left.counts.flatMap((one) => (one.effect === undefined ? [`${one.field} of ${one.clusters}`] : []));
  const proxy = [...left.ofProxy].map((field) => `${field} of the proxy`);
  const others = left.unasked === 0 ? [] : [`${left.unasked} assignments that no cluster asks for`];
  const all = [...idle, ...proxy, ...others];
  says.push(`left out, as it balances nothing: ${['listeners, keys, certificates and tokens', ...all].join('; ')}`);
  for (const { field, clusters: count, effect } of left.counts)
    if (effect !== undefined)
      says.push(`left out, as it is not simulated: ${field} of ${counted(count, 'cluster')}: ${effect}`);
  const hosts = present([madeUpSentence(scenario.origin.madeUpHosts), hostsUnknown(scenario)]);
  return [...says, ...hosts, ...traffic, ...scenario.origin.routeNotes];
}

/** What an import left out of the files, by the names of fields. */
export class LeftOut {
  readonly ofProxy = new Set<string>();
  /** Assignments of no known cluster. */
  unasked = 0;
  private readonly clusters = new Map<string, ReadonlySet<string>>();
  private readonly assignments = new Map<string, ReadonlySet<string>>();
  private readonly effects = new Map<string, string>();

  of(kind: 'clusters' | 'assignments', name: string, { left, lacking }: Pick<Pruner, 'left' | 'lacking'>): void {
    this[kind].set(name, left);
    for (const [field, effect] of lacking) this.effects.set(field, effect);
  }

  add(cluster: string, field: string): void {
    this.clusters.set(cluster, new Set([...(this.clusters.get(cluster) ?? []), field]));
  }

  /** The fields left out of one cluster, in words; '' for none. */
  text(cluster: string): string {
    return [...new Set([...(this.clusters.get(cluster) ?? [])].map(words))].join(', ');
  }

  /** How many clusters each field was left out of, the most frequent first, and what a proxy does by it and a simulation does not. */
  get counts() {
    const fields = [...this.clusters.values(), ...this.assignments.values()].flatMap((one) => [
      ...new Set([...one].map(words)),
    ]);
    const counted = [...groupBy(fields, (field) => field)].sort(([, one], [, other]) => other.length - one.length);
    return counted.map(([field, { length: clusters }]) => ({ field, clusters, effect: this.effects.get(field) }));
  }
}

/** A common reason to look at them: they hold secrets. */
const HOLDS_KEYS = /^(transport_socket|transport_socket_matches|tls_context)$/;

const words = (field: string): string =>
  HOLDS_KEYS.test(field) ? `${field} (TLS: certificates, keys)` : field.replaceAll('?', 'what is not known here');
