import { addressText } from '../../config/address.js';
import { fieldName } from '../../config/api/message-names.js';
import type { Cluster } from '../../config/cluster/cluster.js';
import { firstAssignment, type LbEndpoint, type LocalityLbEndpoints } from '../../config/assignment-rules.js';
import { discoveryType, serviceName } from '../../config/cluster/cluster-shape.js';
import { isWritten, locate, formatPath, type Path, type SourceDocument } from '../../config/reader.js';
import { leafOf, placeInPolicy } from '../../config/policy/policy.js';
import { lbPolicyOf, policyNamesIn, policyOf, subsetsOf } from '../../config/policy/of-cluster.js';
import { type Struct, addTo, present, presentEntries } from '../../core/values.js';
import type { RequestSpec } from '../../settings/world.js';
import type { ScenarioParts } from '../read-parts.js';
import type { Messages } from '../../config/api/generated/read-messages.js';
import { lbPolicyName } from '../../policy/registry.js';
import type { RULES } from './generated/lint-rules.js';

/** A scenario as lint rules see it: clusters with their hosts and traffic, all with paths. */
export type LintSubject = ReturnType<typeof lintSubject>;
export type LintCluster = ReturnType<typeof lintCluster>;

/** One entry of `endpoints`: hosts of one priority and locality. */
export type LintGroup = Readonly<{ group: LocalityLbEndpoints; path: Path; hosts: readonly LintHost[] }>;

/** A workload or a request, as far as it concerns one cluster. */
export interface Traffic {
  readonly spec: RequestSpec;
  readonly path: Path;
  readonly hashed: boolean;
  readonly metadataMatch: Struct | undefined;
  readonly workload: boolean;
}

const MEMBERSHIP: ReadonlySet<string> = new Set(['add_hosts', 'remove_hosts', 'assign', 'dns', 'update_cluster']);

/** @param document that `parts` were read from. */
export function lintSubject(parts: ScenarioParts, document: SourceDocument) {
  const timeline = present(parts.timeline);
  const timelineRead = timeline.length === parts.timeline.length;
  const changing = !timelineRead || timeline.some(({ action }) => MEMBERSHIP.has(action.kind));
  const sent = trafficByCluster(parts);
  const clusters = presentEntries(parts.clusters).map(([index, cluster]) => {
    const traffic = sent.get(cluster.name) ?? [];
    return lintCluster(cluster, parts.clusterPath(index), parts, traffic, changing, document);
  });
  const proxies = presentEntries(parts.proxies).map(([index, proxy]) => ({ proxy, path: parts.proxyPath(index) }));
  return {
    clusters,
    proxies,
    /** The proxies are unknown: the file is a single cluster, or its proxies could not be read. */
    alone: parts.kind === 'cluster' || proxies.length < parts.proxies.length,
    timeline,
    /** false: entries of the timeline are missing here, since they have mistakes. */
    timelineRead,
  };
}

function lintCluster(
  cluster: Cluster,
  path: Path,
  parts: ScenarioParts,
  traffic: readonly Traffic[],
  changing: boolean,
  document: SourceDocument,
) {
  const type = discoveryType(cluster);
  const assignmentPath = type === 'EDS' ? ['assignments', serviceName(cluster)] : [...path, 'load_assignment'];
  const isWhole = !parts.faultyHosts.has(cluster.name);
  const assignment = isWhole ? firstAssignment(cluster, parts.assignments) : undefined;
  const groups = (assignment?.endpoints ?? []).map((group, index): LintGroup => {
    const at = groupPath(cluster, assignmentPath, index);
    const members = group.lbEndpoints.map((endpoint, number) => new LintHost(endpoint, group.priority, at, number));
    return { group, path: at, hosts: members };
  });
  const hosts = groups.flatMap((group) => group.hosts);
  const resolved = type === 'STRICT_DNS' || type === 'LOGICAL_DNS' || type === 'ORIGINAL_DST';
  const policy = policyOf(cluster);
  const api = document.textOf(locate(document.root, path))?.api ?? 'v2';
  const chosen = document.written([...path, 'lb_policy']).slice(document.written(path).length);
  const leaf = leafOf(policy);
  return {
    cluster,
    policy,
    /** The policy that chooses the host, and its name as an `lb_policy`. */
    leaf,
    lbPolicy: lbPolicyOf(cluster),
    subsets: subsetsOf(cluster),
    path,
    type,
    /** undefined: its first hosts are not in the file, or could not be read. */
    assignment,
    assignmentPath,
    groups,
    hosts,
    /** In ascending order, each once. */
    priorities: [...new Set(groups.map(({ group }) => group.priority))].sort((a, b) => a - b),
    /** All hosts are in the file, and none comes or goes during the run. */
    fixed: assignment !== undefined && hosts.length > 0 && !resolved && !changing,
    traffic,
    /** Whether the file sets this field, even to its default. The path is that of the cluster. */
    has: (...steps: Path) => isWritten(document.root, document.written([...path, ...steps])),
    /**
     * Where the file has a setting, or would have it: as a field of the cluster, or in its typed policy; in the names of its
     * API. Advice to set one names this place, from the cluster on.
     * @param setting as a v2 cluster has it: `common_lb_config`, `locality_weighted_lb_config`.
     * @returns undefined: its policy has no such setting.
     */
    placeOf: (...setting: readonly string[]): string | undefined => {
      const place = cluster.loadBalancingPolicy === undefined ? 'own' : placeInPolicy(setting, leaf);
      if (place === 'none') return undefined;
      return formatPath(place === 'own' ? setting.map((name) => fieldName(name, api)) : [...chosen, ...place]);
    },
    /** Policies as its file names them: "RING_HASH or MAGLEV", or the extensions of those names. */
    policies: (...names: readonly string[]) => policyNamesIn(cluster, ...names),
  };
}

/** The deprecated `hosts` are one group without a path. */
function groupPath(cluster: Cluster, assignmentPath: Path, index: number): Path {
  const listed = cluster.loadAssignment === undefined && cluster.hosts.length > 0;
  return listed ? [...assignmentPath.slice(0, -1), 'hosts'] : [...assignmentPath, 'endpoints', index];
}

/** Few of ten thousand hosts are ever reported: names and paths are made on demand. */
export class LintHost {
  constructor(
    readonly endpoint: LbEndpoint,
    readonly priority: number,
    private readonly groupPath: Path,
    private readonly index: number,
  ) {}

  get weight(): number {
    return this.endpoint.loadBalancingWeight ?? 1;
  }

  get address(): string {
    return addressText(this.endpoint.endpoint.address);
  }

  get path(): Path {
    const listed = this.groupPath.at(-1) === 'hosts';
    return listed ? [...this.groupPath, this.index] : [...this.groupPath, 'lb_endpoints', this.index];
  }
}

/** What is sent to each cluster, workloads first. */
function trafficByCluster({ workloads, requests }: ScenarioParts): ReadonlyMap<string, readonly Traffic[]> {
  const sent = new Map<string, Traffic[]>();
  for (const [index, spec] of presentEntries(workloads)) {
    const common = { spec, path: ['workloads', index], hashed: spec.hashKey !== undefined, workload: true };
    for (const { cluster, weight, metadataMatch } of spec.route)
      if (weight > 0) addTo(sent, cluster, { ...common, metadataMatch });
  }
  for (const [index, request] of presentEntries(requests)) {
    const hashed = request.hashKey !== undefined || request.hash !== undefined;
    const { cluster, metadataMatch } = request;
    addTo(sent, cluster, { spec: request, path: ['requests', index], hashed, metadataMatch, workload: false });
  }
  return sent;
}

export type RuleName = keyof typeof RULES;

/** What a rule has found: values for its sentence in rules.yaml, and its place, as far as that does not say it. */
interface Found {
  /** In `of`: `health_checks.0.timeout`. */
  readonly at?: string;
  /** Default: the cluster. */
  readonly of?: { readonly path: Path } | undefined;
  readonly [value: string]: unknown;
}

type Findings = Found | readonly Found[] | false | undefined;

/** Finds something legal that does not do what it seems to. The proxy starts with it, but its author certainly meant something else. */
export type Check = (subject: LintSubject) => readonly (Found & { readonly of: { readonly path: Path } })[];

/** Rules by their names in rules.yaml, which has all else about them. */
export type Checks = Readonly<Partial<Record<RuleName, Check>>>;

/** Sentences may have the cluster's `name`, `type` and `policy`. */
export function eachCluster(check: (cluster: LintCluster, subject: LintSubject) => Findings): Check {
  return (subject) =>
    subject.clusters.flatMap((one) => {
      const known = { name: one.cluster.name, type: one.type, policy: lbPolicyName(one.lbPolicy) };
      const all = [check(one, subject)].flat().filter((found) => found !== undefined && found !== false);
      return all.map((found) => ({ ...known, ...found, of: found.of ?? one }));
    });
}

/** A rule that looks at the subsets of one cluster at a time; places are in `lb_subset_config`. */
export const eachSubsets = (
  check: (subsets: Messages['Cluster.LbSubsetConfig'], cluster: LintCluster, subject: LintSubject) => Findings,
): Check =>
  eachCluster((one, subject) => {
    const found = one.subsets && check(one.subsets, one, subject);
    const of = { path: [...one.path, 'lb_subset_config'] };
    return found && [found].flat().map((one) => ({ of, ...one }));
  });
