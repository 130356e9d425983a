import type { Cluster } from '../../config/cluster/cluster.js';
import { checkAssignment, effectiveAssignment, type ClusterLoadAssignment } from '../../config/assignment-rules.js';
import { aggregated, discoveryType, lookupsOf, serviceName } from '../../config/cluster/cluster-shape.js';
import { formatIp, ipAfter, parseIp } from '../../core/ip.js';
import { formatPath, check, SourceDocument, type MapNode, type SourceNode } from '../../config/reader.js';
import { fileProblem, type Problem } from '../../core/problem.js';
import { djb2CaseInsensitive } from '../../hash/djb2.js';
import { NOWHERE } from '../../host/host.js';
import { addAll, present } from '../../core/values.js';
import { matcherOf, noSuchCluster } from '../input/gather.js';
import { assignmentOf, Endpoint, type EndpointSpec, groupEndpoints, lbEndpointsOf } from '../fields/endpoints.js';
import { HostKnowledgeBase, socketAddresses } from '../assemble/known-hosts.js';
import type { DnsAnswer } from '../../settings/world.js';
import type { ScenarioParts } from '../read-parts.js';
import { isMap, mapNode, valueAt, withField } from '../../config/source/trees.js';

/** A parsed `--hosts CLUSTER=LIST`: clusters and hosts. */
interface HostsOption {
  /** Its name in problems. */
  readonly label: string;
  /** A name, or a pattern with `*`. */
  readonly clusters: string;
  readonly items: readonly HostsItem[];
}

/** One item of a list: an address, or a number of hosts to make up; and its settings. */
interface HostsItem {
  /** undefined: `spec` has the address. */
  readonly madeUp: number | undefined;
  readonly spec: EndpointSpec;
}

/** The number of addresses available for made-up hosts. */
const MAX_MADE_UP = 131_000;

const USAGE = 'write CLUSTER=ADDRESS,ADDRESS or CLUSTER=NUMBER, as backend=10.0.0.1:80,10.0.0.2:80@zone=b or backend=3';
const SPAN = { start: 0, end: 1 };

/** @param names of all clusters: they may contain an equals sign. */
function parseHostsOption(option: string, names: readonly string[]): HostsOption | readonly Problem[] {
  const label = `--hosts ${option.replaceAll(/[\r\n]/g, ' ')}`;
  const known = names
    .filter((name) => option.startsWith(`${name}=`))
    .reduce((a, b) => (a.length > b.length ? a : b), '');
  const equals = known === '' ? option.indexOf('=') : known.length;
  const list = option.slice(equals + 1);
  if (equals <= 0 || list.trim() === '') return [fileProblem(label, 'hosts', USAGE)];
  const items: HostsItem[] = [];
  const problems: Problem[] = [];
  for (const text of list.split(',')) {
    const item = parseItem(text.trim(), label);
    if ('spec' in item) items.push(item);
    else addAll(problems, item);
  }
  return problems.length > 0 ? problems : { label, clusters: option.slice(0, equals), items };
}

/** `10.0.0.1:80@zone=b@weight=3`, or `3@zone=b` */
function parseItem(text: string, label: string): HostsItem | readonly Problem[] {
  const refuse = (message: string): readonly Problem[] => [fileProblem(label, 'hosts', message)];
  const [head = '', ...attributes] = text.split('@');
  const madeUp = /^\d+$/.test(head) ? Number(head) : undefined;
  if (madeUp !== undefined && (madeUp === 0 || madeUp > MAX_MADE_UP))
    return refuse(`${head} hosts are out of range: allowed are 1 to ${MAX_MADE_UP}`);
  // A placeholder until addresses are chosen.
  let fields = mapNode({ address: scalarOf(madeUp === undefined ? head : '0.0.0.0:80') }, SPAN);
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const path = attribute.slice(0, equals).split('.');
    const [first = ''] = path;
    if (equals <= 0 || first === 'address' || (first === 'count' && madeUp !== undefined))
      return refuse(`after @ write what else is known of a host, as @zone=b; found @${attribute}`);
    fields = withPath(fields, path, scalarOf(attribute.slice(equals + 1)));
  }
  const document = new SourceDocument([{ file: label, text, json: false, option: true }], fields);
  const { value, problems } = check(Endpoint, document, { vocabulary: 'scenario' });
  return value === undefined ? problems : { madeUp, spec: value };
}

/** Values are read as YAML; a value in double quotes is a text. */
function scalarOf(text: string): SourceNode {
  const quoted = /^"(.*)"$/.exec(text)?.[1];
  return { kind: 'scalar', text: quoted ?? text, quoted: quoted !== undefined, ...SPAN };
}

/** `metadata.version=v2` */
function withPath(node: MapNode, [first = '', ...rest]: readonly string[], value: SourceNode): MapNode {
  if (rest.length === 0) return withField(node, first, value, SPAN);
  const inner = valueAt(node, first);
  const map = isMap(inner) ? inner : mapNode({}, SPAN);
  return withField(node, first, withPath(map, rest, value), SPAN);
}

/** A scenario with the hosts of `--hosts`, for clusters whose hosts are in no file or should be replaced. */
export interface AppliedHosts {
  readonly parts: ScenarioParts;
  readonly problems: readonly Problem[];
  readonly madeUp: ReadonlySet<string>;
  /** The clusters that have these hosts and no others, by their paths in the file; names that resolve to them stay. */
  readonly given: ReadonlyMap<string, string>;
}

/** Hosts of a name, and of a cluster whose hosts are discovered, where nobody knows them. */
const OF_A_NAME = 1;
const OF_A_SERVICE = 3;
/** Addresses of a cluster, and how many have some: together less than there are. */
const [BLOCK, BLOCKS] = [8, 16_000];

/** The same with made-up hosts for these clusters: one for each name, three for each service. */
export function withMadeUpHosts(parts: ScenarioParts, unknown: readonly { readonly cluster: Cluster }[]): AppliedHosts {
  const applier = new HostsApplier(parts);
  for (const { cluster } of unknown) applier.makeUpFor(cluster);
  return applier.given;
}

/** Reserved for benchmarks and documentation: no real host has such an address (RFC 2544, RFC 3849). */
const FIRST_IPV4 = '198.18.0.1';
const FIRST_IPV6 = '2001:db8::1';
const MADE_UP_PORT = 80;

export function applyHostsOptions(parts: ScenarioParts, options: readonly string[]): AppliedHosts {
  const applier = new HostsApplier(parts);
  const orders: HostsOption[] = [];
  for (const option of options) {
    const order = parseHostsOption(option, parts.clusterNames);
    if ('items' in order) orders.push(order);
    else addAll(applier.problems, order);
  }
  const isPattern = ({ clusters }: HostsOption): boolean => clusters.includes('*');
  for (const order of orders) if (!isPattern(order)) applier.applyTo(order);
  // Patterns come last: what they match depends on the other options.
  for (const order of orders) if (isPattern(order)) applier.applyToUnknown(order);
  return applier.given;
}

class HostsApplier {
  readonly problems: Problem[] = [];
  private readonly madeUp = new Set<string>();
  private readonly replaced = new Map<string, string>();
  private readonly clusters: (Cluster | undefined)[] = [...this.parts.clusters];
  private readonly assignments = new Map<string, ClusterLoadAssignment>(this.parts.assignments);
  private readonly dns = new Map<string, DnsAnswer>(this.parts.dns);
  private readonly knowledge: HostKnowledgeBase;
  private used: ReadonlySet<string> | undefined;
  /** Number of addresses tried so far for made-up hosts. */
  private tried = 0;

  constructor(private readonly parts: ScenarioParts) {
    const { assignments, dns } = this;
    const clusters = present(parts.clusters);
    this.knowledge = new HostKnowledgeBase({ clusters, assignments, dns, timeline: present(parts.timeline) });
  }

  get given(): AppliedHosts {
    const { clusters, assignments, dns, problems, madeUp } = this;
    return { parts: { ...this.parts, clusters, assignments, dns }, problems, madeUp, given: this.replaced };
  }

  applyTo(order: HostsOption): void {
    if (!this.parts.writtenNames.includes(order.clusters)) this.reportNone(order);
    for (const [index, cluster] of this.clusters.entries())
      if (cluster?.name === order.clusters) this.apply(index, cluster, order);
  }

  /** A pattern matches only clusters whose hosts are not known otherwise. */
  applyToUnknown(order: HostsOption): void {
    const matches = matcherOf(order.clusters);
    const isThere = this.parts.writtenNames.some((name) => name !== undefined && matches(name));
    if (!isThere && this.parts.writtenNames.length > 0) this.reportNone(order);
    for (const [index, cluster] of this.clusters.entries()) {
      if (cluster === undefined || !matches(cluster.name)) continue;
      if (this.knowledge.of(cluster).kind === 'unknown' && aggregated(cluster) === undefined)
        this.apply(index, cluster, order);
    }
  }

  /** In a block of addresses of its own, whatever other clusters there are: those of two files can be compared. */
  makeUpFor(cluster: Cluster): void {
    const count = discoveryType(cluster) === 'EDS' ? OF_A_SERVICE : OF_A_NAME;
    const item = parseItem(String(count), 'made-up hosts');
    if (!('spec' in item)) return;
    this.tried = BLOCK * (djb2CaseInsensitive(cluster.name).lo % BLOCKS);
    this.apply(this.clusters.indexOf(cluster), cluster, { label: 'made-up hosts', clusters: '', items: [item] });
  }

  private apply(index: number, cluster: Cluster, order: HostsOption): void {
    const why = this.put(index, cluster, order);
    if (why !== undefined) this.refuse(order.label, why);
  }

  /** @returns why the cluster cannot have these hosts. */
  private put(index: number, cluster: Cluster, { label, items }: HostsOption): string | undefined {
    const { name } = cluster;
    const type = discoveryType(cluster);
    if (type === 'AGGREGATE')
      return `the hosts of ${name} are those of its members: give them to ${(aggregated(cluster) ?? []).join(', ')}`;
    if (type === undefined) return `the hosts of ${name} come from its own type of cluster`;
    if (type === 'ORIGINAL_DST') return `the hosts of ${name} come from the requests: it is an ORIGINAL_DST cluster`;
    if (type === 'LOGICAL_DNS' || (type === 'STRICT_DNS' && items.every(({ madeUp }) => madeUp !== undefined)))
      return this.answer(cluster, items, label);
    const specs = this.specsOf(items, cluster, label);
    const stranger = specs.find(({ address }) => address.ip === undefined);
    if (stranger !== undefined) return `${stranger.address.host} is a name: give the hosts of ${name} IP addresses`;
    const assigned = type === 'EDS' ? serviceName(cluster) : name;
    const entries = specs.map((spec) => ({ spec }));
    const { endpoints, ...rest } = assignmentOf(assigned, groupEndpoints(entries));
    // What has no weight would get nothing where localities are weighted, and without a locality there is no weight.
    const weighted = endpoints.map(({ locality = NOWHERE, ...group }) => ({
      ...group,
      locality,
      loadBalancingWeight: 1,
    }));
    const assignment = { ...rest, endpoints: weighted };
    checkAssignment(cluster, assignment, (message, _, severity = 'error', rule = 'hosts') => {
      this.problems.push({ ...fileProblem(label, rule, message), severity });
    });
    this.replaced.set(formatPath(this.parts.clusterPath(index)), name);
    if (type === 'EDS') {
      this.assignments.set(assigned, assignment);
    } else {
      this.clusters[index] = { ...cluster, hosts: [], loadAssignment: assignment };
    }
    return undefined;
  }

  /** The names of a cluster stay, with their weights and localities: the given addresses become the resolver's answer. */
  private answer(cluster: Cluster, items: readonly HostsItem[], label: string): string | undefined {
    const endpoints = (effectiveAssignment(cluster)?.endpoints ?? []).flatMap(({ lbEndpoints }) => lbEndpoints);
    const sockets = endpoints.flatMap(({ endpoint }) => endpoint.address.socketAddress ?? []);
    const given = items.some(({ madeUp }) => madeUp === undefined);
    const plain = items.every(({ spec: { weight, locality, priority, health, metadata } }) => {
      return priority === 0 && [weight, locality, health, metadata].every((value) => value === undefined);
    });
    if (!plain)
      return `${cluster.name} resolves its names: weights and places are those of the names, give addresses alone`;
    const { family } = lookupsOf(cluster);
    const names = given ? sockets.map(({ address }) => address) : this.knowledge.unanswered(cluster);
    for (const name of new Set(names)) {
      const specs = this.specsOf(items, cluster, label);
      const ports = new Set(sockets.flatMap(({ address, portValue }) => (address === name ? [portValue] : [])));
      const port = [...ports].join(' or ');
      if (given && specs.some(({ address }) => !ports.has(address.port)))
        return `${cluster.name} resolves ${name}: give its addresses with the port of the name, ${port}`;
      const wrong = specs.find(({ address: { ip } }) => ip?.version !== (FAMILIES[family] ?? ip?.version));
      if (wrong !== undefined)
        return `${wrong.address.host} is no address that ${cluster.name} asks for: its dns_lookup_family is ${family}`;
      const addresses = socketAddresses(specs.flatMap(lbEndpointsOf));
      const answer = { addresses, ttlUs: undefined };
      this.dns.set(name, answer);
      this.knowledge.learn(name, answer);
    }
    return undefined;
  }

  private specsOf(items: readonly HostsItem[], cluster: Cluster, label: string): readonly EndpointSpec[] {
    const count = items.reduce((sum, { madeUp = 0 }) => sum + madeUp, 0);
    if (this.madeUp.size + count > MAX_MADE_UP) {
      this.refuse(label, `these are more than ${MAX_MADE_UP} made-up hosts in all clusters: give fewer`);
      return [];
    }
    return items.flatMap(({ madeUp, spec }) =>
      madeUp === undefined
        ? [spec]
        : Array.from({ length: madeUp }, () => ({ ...spec, address: this.makeUp(cluster) })),
    );
  }

  private makeUp(cluster: Cluster): EndpointSpec['address'] {
    this.used ??= addressesOf(this.parts);
    for (;;) {
      const first = parseIp(lookupsOf(cluster).family === 'V6_ONLY' ? FIRST_IPV6 : FIRST_IPV4);
      const ip = first && ipAfter(first, this.tried++);
      if (ip === undefined) throw new RangeError('there are addresses enough');
      const host = formatIp(ip);
      if (this.used.has(host) || this.madeUp.has(host)) continue;
      this.madeUp.add(host);
      return { host, ip, port: MADE_UP_PORT };
    }
  }

  private reportNone({ label, clusters }: HostsOption): void {
    this.problems.push(fileProblem(label, 'unknown-cluster', noSuchCluster(clusters, this.parts.clusterNames)));
  }

  /** Once for each option, however many clusters it matches. */
  private refuse(label: string, message: string): void {
    const isReported = this.problems.some((problem) => problem.file === label && problem.message === message);
    if (!isReported) this.problems.push(fileProblem(label, 'hosts', message));
  }
}

/** The versions of IP that a family of look-ups has alone. */
const FAMILIES: Readonly<Partial<Record<string, 4 | 6>>> = { V4_ONLY: 4, V6_ONLY: 6 };

/** Addresses in the files, which made-up hosts must not use. */
function addressesOf(parts: ScenarioParts): ReadonlySet<string> {
  const own = present(parts.clusters).flatMap((cluster) => effectiveAssignment(cluster) ?? []);
  const groups = [...own, ...parts.assignments.values()].flatMap(({ endpoints }) => endpoints);
  return new Set(socketAddresses(groups.flatMap(({ lbEndpoints }) => lbEndpoints)));
}
