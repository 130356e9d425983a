import { sameJson, type Struct, groupBy, sum, without } from '../../core/values.js';
import { shortSeconds } from '../../core/words.js';
import type { Workload } from '../../settings/world.js';
import { requestFields } from './request-fields.js';
import type { Scenario } from '../model.js';
import { nodeOf } from '../../config/source/trees.js';
import { countedBy, readsKeys } from '../assemble/default-traffic.js';
import { formatDuration } from '../../core/words.js';
import { formatRate } from '../fields/units.js';
import { comment, yamlLines } from './yaml-text.js';
import type { Rates } from '../input/rates.js';
import { statName } from '../../config/cluster/cluster.js';
import { isForeignType } from '../../config/cluster/cluster-shape.js';

/** `workloads`, and sentences about them. */
export interface Traffic {
  readonly lines: readonly string[];
  readonly says: readonly string[];
  /** Clusters that it leads to and that are in no file. */
  readonly absent: readonly string[];
}

/** Workloads with the rates of /stats pages; without pages a comment on the default traffic. */
export function trafficOf(scenario: Scenario, rates: Rates | undefined, isWritten: boolean): Traffic {
  if (rates === undefined && isWritten) return routed(scenario);
  if (rates === undefined) {
    const workload = { cluster: scenario.clusters[0]?.name ?? 'backend', arrivals: '100/s', stop: '60s' };
    const example = yamlLines(nodeOf([workload]), 2);
    return {
      lines: [
        ...comment('The traffic is not known: without workloads there are 1000/s for 10 s to each cluster with hosts.'),
        ...comment('A page of /stats gives it: lbsim import … stats.json. Or write it:'),
        ...comment('workloads:'),
        ...example.flatMap((line) => comment(line)),
      ],
      says: ['no page of /stats was given: the traffic is the default one'],
      absent: [],
    };
  }
  return counted(scenario, rates);
}

function counted({ clusters, workloads }: Scenario, rates: Rates): Traffic {
  const ways = groupBy(workloads, ({ route }) => route[0]?.cluster ?? '');
  const found = [...countedBy(clusters, new Set(ways.keys()))].flatMap(([cluster, counting]) => {
    const counts = counting.flatMap((one) => rates.clusters.get(statName(one)) ?? []);
    const requests = sum(counts.map((one) => one.requests));
    const retries = sum(counts.map((one) => one.retries));
    return requests === 0 ? [] : [{ cluster, counting, requests, retries }];
  });
  const sent = found.filter(({ cluster }) => ways.has(cluster.name));
  const restarted = clusters.filter((cluster) => rates.restarted.has(statName(cluster))).map(({ name }) => name);
  const lost = restarted.length === 0 ? [] : [`counters were reset between the pages: ${restarted.join(', ')}`];
  for (const { cluster, requests } of without(found, sent)) {
    const why = isForeignType(cluster)
      ? 'its cluster_type is not simulated'
      : 'they are not of users, or it has no hosts';
    lost.push(`${requests} requests to ${cluster.name} are left out: ${why}`);
  }
  if (sent.length === 0) {
    const none = 'the pages of /stats tell of no request to any of these clusters';
    const what = `${none}; without workloads there are 1000/s for 10 s to each cluster with hosts.`;
    return { lines: [...comment(what), ...lost.flatMap((text) => comment(text))], says: [none, ...lost], absent: [] };
  }
  const lines = comment(
    `Requests as counted by the proxy in ${shortSeconds(rates.seconds)}, upstream_rq_total${rates.ofHosts ? ' (or rq_total of the hosts)' : ''} without upstream_rq_retry: their mean rates.`,
  );
  lines.push('workloads:');
  for (const { cluster, requests, retries } of sent) {
    const own = ways.get(cluster.name) ?? [];
    const retried = retries === 0 ? '' : `, and ${retries} retries`;
    const shared = own.length === 1 ? '' : `, in ${own.length} equal parts: what each route sent is not known`;
    const remark = `  # ${requests} requests${retried}${shared}`;
    for (const workload of own) lines.push(...workloadLines(workload, workload.hashKey !== undefined, remark));
  }
  if (workloads.some(({ hashKey }) => hashKey !== undefined))
    lines.push(...comment('hash_key: which keys there were is not known; here each request has its own.', 2));
  for (const text of lost) lines.push(...comment(text, 2));
  const covered = new Set(found.flatMap(({ cluster, counting }) => [cluster, ...counting].map(({ name }) => name)));
  const idle = clusters.filter(({ name }) => !covered.has(name) && !restarted.includes(name)).map(({ name }) => name);
  if (idle.length > 0) lines.push(...comment(`no requests: ${idle.join(', ')}`, 2));
  const over = `the workloads are mean rates over ${shortSeconds(rates.seconds)}`;
  return { lines, says: [`${over}: ${sent.length} of ${clusters.length} clusters have requests`, ...lost], absent: [] };
}

/** What an entry of a route asks and the route does not. */
function beyond(entry: Struct | undefined, route: Struct = {}): Struct | undefined {
  const own = Object.entries(entry ?? {}).filter(([key, value]) => {
    const asked = route[key];
    return asked === undefined || !sameJson(asked, value);
  });
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** The traffic of routes, which a scenario without them would not have. */
function routed({ workloads, clusters, absentClusters, origin }: Scenario): Traffic {
  const keyed = new Set(clusters.filter(readsKeys).map(({ name }) => name));
  const isRouted = origin.hashPolicies.size > 0;
  const what = isRouted ? 'The traffic as the routes send it.' : 'To clusters that are not for the proxy itself.';
  const lines = comment(`${what} Rates are made up: a page of /stats gives them.`);
  lines.push('workloads:');
  let isPlain = !isRouted;
  for (const workload of workloads) {
    const { name, route, hashKey, useHashPolicy } = workload;
    const hashes = origin.hashPolicies.get(name);
    if (hashes === undefined && !isPlain) lines.push(...comment('To these clusters no route leads:', 2));
    isPlain ||= hashes === undefined;
    const isKeyed = hashKey !== undefined && (useHashPolicy || route.some(({ cluster }) => keyed.has(cluster)));
    lines.push(...workloadLines(workload, isKeyed));
    if (isKeyed && hashes !== undefined)
      lines.push(...comment(`hash_key: a key stands for what the route hashes, ${hashes.join('; ')}`, 4));
  }
  const absent = absentClusters.map(({ name }) => name);
  const says = isRouted ? 'the traffic follows the routes of the files; its rates' : 'the rates of the traffic';
  return { lines, says: [`${says} are made up`], absent };
}

/** An entry of `workloads`. @param remark beside its first line. */
function workloadLines(
  { name, route, arrivals, stopUs, hashKey, metadataMatch, ...request }: Workload,
  isKeyed: boolean,
  remark = '',
): readonly string[] {
  const [only, ...more] = route;
  const target = { cluster: only?.cluster, metadata_match: only?.metadataMatch };
  const entries = route.map(({ metadataMatch: own, ...entry }) => {
    return { ...entry, metadata_match: beyond(own, metadataMatch) };
  });
  const several = { route: entries, metadata_match: metadataMatch };
  const workload = {
    name,
    ...(more.length === 0 ? target : several),
    arrivals: formatRate(arrivals.kind === 'poisson' ? Number(arrivals.perSecond.toPrecision(6)) : 0),
    stop: stopUs === undefined ? undefined : formatDuration(stopUs),
    hash_key:
      isKeyed && hashKey?.kind === 'sequence'
        ? { sequence: { keys: hashKey.keys, prefix: hashKey.prefix } }
        : undefined,
    ...requestFields(request),
  };
  const [first = '', ...others] = yamlLines(nodeOf([workload]), 2);
  return [first + remark, ...others];
}
