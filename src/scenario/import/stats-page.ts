import { isList, isStruct, type JsonValue } from '../../core/json-value.js';
import { entryOf } from '../../core/lists.js';

/** A cluster's numbers on a `/stats` page: requests since the proxy started, and retries among them. */
export interface ClusterTotals {
  total: number;
  retries: number;
}

export interface StatsPage {
  /** By the name of the cluster in statistics. */
  readonly clusters: ReadonlyMap<string, ClusterTotals>;
  readonly uptimeS: number | undefined;
}

/** @returns undefined for any other text. */
export function readStatsPage(text: string): StatsPage | undefined {
  const samples = /^\s*[[{]/.test(text) ? fromJson(text) : (fromPrometheus(text) ?? fromText(text));
  return samples === undefined ? undefined : pageOf(samples);
}

interface Sample {
  /** `cluster.NAME.upstream_rq_total`, `server.uptime` */
  readonly name: string;
  readonly value: number;
}

const CLUSTER_STAT = /^cluster\.(.+)\.(upstream_rq_total|upstream_rq_retry)$/;

function pageOf(samples: Iterable<Sample>): StatsPage {
  const clusters = new Map<string, ClusterTotals>();
  let uptimeS: number | undefined;
  for (const { name, value } of samples) {
    if (name === 'server.uptime') uptimeS = value;
    const [, cluster, stat] = CLUSTER_STAT.exec(name) ?? [];
    if (cluster === undefined) continue;
    const totals = entryOf(clusters, cluster, () => ({ total: 0, retries: 0 }));
    totals[stat === 'upstream_rq_total' ? 'total' : 'retries'] = value;
  }
  return { clusters, uptimeS };
}

/** `?format=json`: `{"stats": [{"name": …, "value": …}]}` */
function fromJson(text: string): readonly Sample[] | undefined {
  if (!/^\s*\{\s*"stats"\s*:\s*\[/.test(text)) return undefined;
  let page: JsonValue;
  try {
    page = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  const list = isStruct(page) ? page['stats'] : undefined;
  if (!isList(list)) return undefined;
  return list.flatMap((item): Sample[] => {
    if (!isStruct(item)) return [];
    const { name, value } = item;
    return typeof name === 'string' && typeof value === 'number' ? [{ name, value }] : [];
  });
}

/** `envoy_cluster_upstream_rq_total{envoy_cluster_name="backend"} 12`; prefix and tag may have other names. */
const SERIES =
  /^(?:[a-zA-Z]\w*?_)?(cluster_upstream_rq_total|cluster_upstream_rq_retry|server_uptime)(?:\{(.*)\})? (\d+)(?: \d+)?$/;
const CLUSTER_LABEL = /(?:^|,)(?:[a-zA-Z]\w*?_)?cluster_name="((?:[^"\\]|\\.)*)"/;

/** `?format=prometheus` */
function fromPrometheus(text: string): readonly Sample[] | undefined {
  if (!/^# (?:TYPE|HELP) \w+/m.test(text.slice(0, 10_000))) return undefined;
  return text.split('\n').flatMap((line): Sample[] => {
    const [, name, labels = '', value] = SERIES.exec(line.trimEnd()) ?? [];
    if (name === 'server_uptime') return [{ name: 'server.uptime', value: Number(value) }];
    const cluster = CLUSTER_LABEL.exec(labels)?.[1]?.replace(/\\(.)/g, '$1');
    if (name === undefined || cluster === undefined) return [];
    return [{ name: name.replace('cluster_', `cluster.${cluster}.`), value: Number(value) }];
  });
}

/** `cluster.backend.upstream_rq_total: 12` */
function fromText(text: string): readonly Sample[] | undefined {
  const samples: Sample[] = [];
  let others = 0;
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_]+\.\S.*): (\d+)\s*$/.exec(line) ?? [];
    if (name !== undefined) samples.push({ name, value: Number(value) });
    else if (line.trim() !== '' && !/^[\w.:-]+\.\S.*: (?:P0\(|No recorded values|".*"$)/.test(line)) others += 1;
  }
  const isPage = samples.some(({ name }) => /^(?:cluster|server)\./.test(name)) && others <= samples.length / 10;
  return isPage ? samples : undefined;
}
