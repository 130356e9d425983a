import type { Path, Walk, SourceNode } from '../reader.js';
import { reading, didYouMean, INVALID, list, mark, readerOf, noSuch, suggestionsFrom, headSpan } from '../reader.js';
import { canonicalName } from '../../core/proxy-names.js';
import { repeats, type Struct } from '../../core/values.js';
import type { ProblemRule, Severity } from '../../core/problem.js';
import { Cluster, type ConfigSource } from './cluster.js';
import { effectiveAssignment } from '../assignment-rules.js';
import { fill } from '../../core/fill.js';
import { REFUSALS } from '../generated/refusals.js';
import type { Node } from '../core.js';
import { aggregated, discoveryType } from './cluster-shape.js';
import type { StatsSink } from '../metrics.js';
import { itemsOf } from '../source/trees.js';

const SAYS = REFUSALS.set;

const clusters = list(Cluster);

/** A field of clusters whose names differ. Names are compared in the file, even of clusters with errors. */
export const clusterList = mark(
  reading<readonly Cluster[]>('repeated Cluster', (node, walk) => {
    const before = walk.errors;
    const value = readerOf(clusters)(node, walk);
    reportDuplicateNames(node, walk);
    return walk.errors > before ? INVALID : value;
  }),
  { json: (of) => of(clusters) },
);

function reportDuplicateNames(node: SourceNode, walk: Walk): void {
  const named = itemsOf(node).flatMap((item, index) => {
    const entry = item.kind === 'map' ? item.entries.findLast(({ key }) => key === 'name') : undefined;
    return entry?.value.kind !== 'scalar' || entry.value.text === '' ? [] : [{ name: entry.value, index }];
  });
  for (const [, { name, index }] of repeats(named, (one) => one.name.text)) {
    const path = [...walk.path, index, 'name'];
    walk.report('error', 'duplicate-name', fill(SAYS.duplicate, { name: name.text }), headSpan(name), path);
  }
}

interface ClusterSet {
  readonly clusters: readonly { readonly cluster: Cluster; readonly path: Path }[];
  readonly node?: Node | undefined;
  readonly localCluster?: { readonly name: string; readonly path: Path } | undefined;
  readonly sinks?: readonly { readonly sink: StatsSink; readonly path: Path }[] | undefined;
  /** Flat: `{'upstream.healthy_panic_threshold': 40}`. */
  readonly runtime?: Struct | undefined;
  /** Only a part of a proxy: its management servers and its node may be configured elsewhere. */
  readonly partial?: boolean;
}

type ReportPath = (severity: Severity, path: Path, rule: ProblemRule, message: string) => void;

/** All rules across clusters, except that their names differ: see {@link clusterList}. */
export function checkClusterSet(set: ClusterSet, report: ReportPath): void {
  checkConfigSources(set, report);
  checkLocalCluster(set, report);
  checkSinks(set, report);
  checkPlatformDns(set, report);
  checkAggregates(set, report);
}

/** An aggregate skips members without hosts: a cluster that does not exist, or another aggregate. */
function checkAggregates({ clusters }: ClusterSet, report: ReportPath): void {
  const kinds = new Map(clusters.map(({ cluster }) => [cluster.name, discoveryType(cluster)]));
  const suggest = suggestionsFrom([...kinds.keys()]);
  for (const { cluster, path } of clusters) {
    for (const [index, name] of (aggregated(cluster) ?? []).entries()) {
      const is_there = kinds.has(name);
      if (is_there && kinds.get(name) !== 'AGGREGATE') continue;
      const near = is_there ? '' : suggest(name);
      const at = [...path, 'cluster_type', 'typed_config', 'clusters', index];
      report('warning', at, 'aggregate-member', fill(SAYS.aggregate, { name, is_there, near, cluster: cluster.name }));
    }
  }
}

/** A management server must itself be a cluster that is not discovered. */
function checkConfigSources({ clusters, node, partial = false }: ClusterSet, report: ReportPath): void {
  const discovered = new Map(clusters.map(({ cluster }) => [cluster.name, discoveryType(cluster) === 'EDS']));
  for (const { cluster, path } of clusters) {
    const source = cluster.edsClusterConfig?.edsConfig;
    if (source === undefined || discoveryType(cluster) !== 'EDS') continue;
    const at = [...path, 'eds_cluster_config', 'eds_config'];
    for (const { name, path: where } of serversOf(source)) {
      const found = discovered.get(name);
      if (found === false || (found === undefined && partial)) continue;
      const reason = found === undefined ? 'does not exist' : 'is an EDS cluster itself';
      report('error', [...at, ...where], 'config-source-cluster', fill(SAYS.server, { name, reason }));
    }
    if (!partial && isAnonymous(node)) report('warning', at, 'node', SAYS.eds_node);
  }
}

const isAnonymous = (node: Node | undefined): boolean => node === undefined || node.id === '' || node.cluster === '';

function serversOf(source: ConfigSource): readonly { readonly name: string; readonly path: Path }[] {
  const api = source.apiConfigSource;
  if (api === undefined) return [];
  const grpc = api.grpcServices.flatMap((service, index) => {
    const kind = service.envoyGrpc === undefined ? 'proxy_grpc' : 'envoy_grpc';
    const name = (service.envoyGrpc ?? service.proxyGrpc)?.clusterName;
    const path = ['api_config_source', 'grpc_services', index, kind, 'cluster_name'];
    return name === undefined ? [] : [{ name, path }];
  });
  const rest = api.clusterNames.map((name, index) => ({ name, path: ['api_config_source', 'cluster_names', index] }));
  return [...grpc, ...rest];
}

/** The local cluster must exist and have hosts in priority 0 only. */
function checkLocalCluster({ clusters, localCluster }: ClusterSet, report: ReportPath): void {
  if (localCluster === undefined || localCluster.name === '') return;
  const { name, path } = localCluster;
  const found = clusters.find(({ cluster }) => cluster.name === name);
  if (found === undefined) {
    const names = clusters.map((one) => one.cluster.name);
    report('error', path, 'local-cluster', noSuch('cluster', name, names));
    return;
  }
  const groups = effectiveAssignment(found.cluster)?.endpoints ?? [];
  const index = groups.findIndex(({ priority }) => priority > 0);
  const at = [...found.path, 'load_assignment', 'endpoints', index, 'priority'];
  if (index !== -1) report('error', at, 'local-cluster', fill(SAYS.priority, { name }));
}

function checkSinks({ clusters, sinks = [], node, partial = false }: ClusterSet, report: ReportPath): void {
  const names = clusters.map(({ cluster }) => cluster.name);
  let dashboards = 0;
  for (const { sink: configured, path } of sinks) {
    const { sink } = configured;
    if (sink.kind === 'dashboard') dashboards += 1;
    if (sink.kind === 'dashboard' && dashboards === 2) report('warning', path, 'dashboard-sinks', SAYS.dashboards);
    const target = sink.kind === 'statsd' ? sink.tcpClusterName : undefined;
    if (target === undefined) continue;
    if (!names.includes(target))
      report('error', path, 'statsd-cluster', fill(SAYS.statsd, { target, near: didYouMean(target, names) }));
    if (!partial && isAnonymous(node)) report('warning', path, 'node', SAYS.statsd_node);
  }
}

const PLATFORM_DNS = 'proxy.restart_features.use_platform_api_for_dns_lookups';

/** With the platform's resolver, the proxy does not start if a cluster has its own. */
function checkPlatformDns({ clusters, runtime = {} }: ClusterSet, report: ReportPath): void {
  const setting = Object.entries(runtime).find(([key]) => canonicalName(key) === PLATFORM_DNS)?.[1];
  if (setting !== true && setting !== 'true') return;
  for (const { cluster, path } of clusters) {
    const used = {
      dns_resolvers: cluster.dnsResolvers.length > 0,
      use_tcp_for_dns_lookups: cluster.useTcpForDnsLookups,
    };
    for (const [field, isUsed] of Object.entries(used)) {
      const text = fill(SAYS.platform_dns, { field, setting: PLATFORM_DNS });
      if (isUsed) report('error', [...path, field], 'platform-dns', text);
    }
  }
}
