import { firstAssignment } from '../../config/assignment-rules.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { clusterJson, needsV3 } from '../../config/write-cluster.js';
import { demand, SCENARIO } from '../../core/arguments.js';
import { groupBy } from '../../core/values.js';
import { snake } from '../../config/reader/letter-case.js';
import type { Scenario } from '../../scenario/model.js';
import { messageWithoutSecrets } from '../../scenario/secrets.js';
import type { ProxySpec, Workload } from '../../settings/world.js';
import { formatDuration } from '../../core/words.js';

/** Of more clusters than this nobody asks what sets one apart. */
const MAX_CLUSTERS = 6;
/** A cluster with more settings of its own is another one, not a variant. */
const MAX_SETTINGS = 6;

/** Who it is, where its hosts come from, its policy and its keys are told elsewhere; headers of workloads may be secret. */
const TOLD =
  /^(name|alt_stat_name|type|cluster_type|hosts|load_assignment|eds_cluster_config|lb_policy|route|hash_key|start|stop|proxies)\b|header|metadata|transport_socket/;
/** Numbers and lists of them, durations, names of enums: what one setting is compared by. */
const PLAIN = /^(\{\}|true|false|-?[\d.]+|\[[\d., -]+\]|[\d.]+m?s|[A-Z]+(_[A-Z0-9]+)*)$/;
const DURATION = /_us$|\b(think_time|lifetime)\.(.*\.)?(value|mean|scale|min|max|median|p99)$/;
/** Workloads have words of our own, too: `closed`, `previous_hosts`. */
const WORD = /^[a-z]+([_-][a-z]+)*$/;

/**
 * Of clusters with the same hosts by cluster: settings of it and of its only workload that differ from those of most others,
 * field → value, such as `health_checks.unhealthy_edge_interval` → `1s`. Clusters without any are left out.
 */
export function settingsApart(scenario: Scenario): Record<string, Record<string, string>> {
  demand('settingsApart', ['scenario', scenario, SCENARIO]);
  if (scenario.origin.bare) return {};
  const alike = [...groupBy(scenario.clusters, (cluster) => shapeOf(cluster, scenario)).values()];
  const groups = alike.filter(({ length }) => length > 1 && length <= MAX_CLUSTERS);
  return Object.fromEntries(groups.flatMap((clusters) => apartOf(clusters, scenario)));
}

type Subject = Pick<Scenario, 'assignments' | 'clusters' | 'origin' | 'proxies' | 'workloads'>;

/** Its hosts without their addresses. */
function shapeOf(cluster: Cluster, { assignments }: Subject): string {
  const shape = (firstAssignment(cluster, assignments)?.endpoints ?? []).map(({ locality, priority, lbEndpoints }) => [
    locality,
    priority,
    lbEndpoints.map(({ loadBalancingWeight, metadata }) => [loadBalancingWeight, metadata]),
  ]);
  return JSON.stringify(shape);
}

function apartOf(clusters: readonly Cluster[], { proxies, workloads }: Subject): [string, Record<string, string>][] {
  const only = onlyWorkloads(clusters, workloads);
  const written = clusters.map((one) => ({ name: one.name, settings: settingsOf(one, only.get(one.name), proxies) }));
  const paths = new Set(written.flatMap(({ settings }) => [...settings.keys()]));
  const usual = new Map([...paths].map((path) => [path, ofMost(written.map((one) => one.settings.get(path)))]));
  return written.flatMap(({ name, settings }): [string, Record<string, string>][] => {
    const own = [...settings].filter(([path, value]) => usual.get(path) !== value);
    return own.length > 0 && own.length <= MAX_SETTINGS ? [[name, Object.fromEntries(own)]] : [];
  });
}

/** By cluster the only workload that it has; empty where one has none, or several. */
function onlyWorkloads(clusters: readonly Cluster[], workloads: readonly Workload[]): ReadonlyMap<string, Workload> {
  const all = clusters.map(({ name }) =>
    workloads.filter(({ route }) => route.some(({ cluster }) => cluster === name)),
  );
  if (all.some(({ length }) => length !== 1)) return new Map();
  return new Map(all.flatMap(([one], index) => (one === undefined ? [] : [[clusters[index]?.name ?? '', one]])));
}

function settingsOf(cluster: Cluster, workload: Workload | undefined, proxies: readonly ProxySpec[]) {
  const version = needsV3(cluster) ? 'v3' : 'v2';
  const shown = messageWithoutSecrets(clusterJson(cluster, version), Cluster, version);
  const own = leaves(shown).filter(([, value]) => PLAIN.test(value));
  const words = leaves(workload ?? {}).filter(([, value]) => PLAIN.test(value) || WORD.test(value));
  const asked = proxies.filter(({ name }) => workload?.proxies?.includes(name) === true);
  const versions = [...new Set(asked.map((proxy) => proxy.version))].map((one): [string, string] => ['version', one]);
  return new Map([...own, ...words, ...(versions.length === 1 ? versions : [])].filter(([path]) => !TOLD.test(path)));
}

/** The value of more than half, where all have one. */
function ofMost(values: readonly (string | undefined)[]): string | undefined {
  if (values.includes(undefined)) return undefined;
  return [...groupBy(values, (value) => value).values()].find((alike) => 2 * alike.length > values.length)?.[0];
}

/**
 * Fields with their paths. The only entry of a list has no number, and a message with one number, or a kind, has its value:
 * `healthy_panic_threshold` → `30`; messages leave 0 out.
 */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'number' && DURATION.test(path))
    return [[path.replace(/_us$|\.value$/, ''), formatDuration(value)]];
  if (typeof value !== 'object' || value === null)
    return [[path.replace(/\.((default_)?value|kind)$/, ''), String(value)]];
  const isOne = Array.isArray(value) && value.length === 1;
  if (Array.isArray(value) && value.length === 0) return [];
  if (Array.isArray(value) && !isOne && value.every((one) => typeof one === 'number'))
    return [[path.replace(/\.values$/, ''), `[${value.join(', ')}]`]];
  const fields = Object.entries(value).flatMap(([name, one]) => {
    const step = isOne ? path : `${path === '' ? '' : `${path}.`}${snake(name)}`;
    return one === undefined ? [] : leaves(one, step);
  });
  return fields.length > 0 ? fields : [[path, /_(enabled|percent|threshold)$/.test(path) ? '0' : '{}']];
}
