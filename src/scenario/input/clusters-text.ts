import type { StreamResult } from '../../config/source/parse.js';
import type { Span } from '../../config/reader/spans.js';
import { addressJson } from '../../config/write.js';
import { entryOf } from '../../core/values.js';
import { listNode, mapNode, nodeOf, type Plain } from '../../config/source/trees.js';
import { FORMS } from './generated/forms.js';

/**
 * The text of `/clusters` as the ClusterStatus messages of `?format=json`. Values keep the places of their lines.
 * Source: docs, operations/admin, *GET /clusters*.
 */

/** `CLUSTER::ADDRESS::FIELD::VALUE`; names of clusters may hold anything, addresses no `::` outside of brackets. */
const HOST_LINE = /^(.+)::((?:\[[^\]\s]+\]|[^:\s[\]]+):\d+|\/\S+|envoy:\/\/\S+?)::(\w+)::(.*)$/;
/** `CLUSTER::FIELD::VALUE` of the cluster itself. */
const CLUSTER_LINE =
  /^(.+?)::(?:default_priority|high_priority|added_via_api|observability_name|eds_service_name|version_info|outlier)::/;

/** Whether a text is such a page: by its first line, which is of a cluster. */
export function isClustersText(text: string): boolean {
  const [first = ''] = text.slice(0, 10_000).trimStart().split(/\r?\n/, 1);
  return CLUSTER_LINE.test(first) || HOST_LINE.test(first);
}

const FLAGS: Readonly<Record<string, Plain>> = FORMS.flags;

type HostLines = Readonly<{ span: Span; address: string; fields: Map<string, string> }>;

interface ClusterLines {
  readonly span: Span;
  /** In statistics. */
  shown?: string;
  /** One address may be in several localities: its lines are repeated. */
  readonly hosts: HostLines[];
}

/** @param from what the text begins at, of a document of several. */
export function readClustersText(text: string, from = 0): StreamResult {
  const clusters = new Map<string, ClusterLines>();
  const clusterOf = (name: string, span: Span): ClusterLines => entryOf(clusters, name, () => ({ span, hosts: [] }));
  let start = from;
  for (const line of text.split('\n')) {
    const span = { start, end: start + line.trimEnd().length };
    start += line.length + 1;
    const [, name, address, field, value] = HOST_LINE.exec(line.trimEnd()) ?? [];
    if (name !== undefined && address !== undefined && field !== undefined && value !== undefined) {
      const { hosts } = clusterOf(name, span);
      let host = hosts.at(-1);
      if (host?.address !== address || host.fields.has(field))
        hosts.push((host = { span, address, fields: new Map() }));
      host.fields.set(field, value);
      continue;
    }
    const [, owner] = CLUSTER_LINE.exec(line) ?? [];
    if (owner === undefined) continue;
    const cluster = clusterOf(owner, span);
    const [, shown] = /::observability_name::(.+?)\s*$/.exec(line) ?? [];
    if (shown !== undefined) cluster.shown = shown;
  }
  const whole = { start: from, end: from + text.length };
  const statuses = [...clusters].map(([name, { span, hosts, shown }]) => {
    const observability_name = shown === undefined ? undefined : nodeOf(shown, span);
    const host_statuses = listNode(hosts.map(statusOf), span);
    return mapNode({ name: nodeOf(name, span), observability_name, host_statuses }, span);
  });
  const root = mapNode({ cluster_statuses: listNode(statuses, whole) }, whole);
  return { roots: [root], json: true, problems: [] };
}

function statusOf({ span, address, fields }: HostLines) {
  const text = (name: string): string | undefined => (fields.get(name) === '' ? undefined : fields.get(name));
  const positive = (name: string): number | undefined => (Number(text(name)) > 0 ? Number(text(name)) : undefined);
  const flags = (fields.get('health_flags') ?? '').match(/\/\w+/g) ?? [];
  const health = flags.map((flag) => FLAGS[flag] ?? {});
  return nodeOf(
    {
      address: /^(?:\/|envoy:\/\/)/.test(address) ? { pipe: { path: address } } : addressJson(address),
      hostname: fields.get('hostname') ?? '',
      health_status: Object.assign({}, ...health) as Plain,
      locality: { region: text('region'), zone: text('zone'), sub_zone: text('sub_zone') },
      weight: positive('weight'),
      priority: positive('priority'),
      stats: [{ name: 'rq_total', value: text('rq_total') }],
    },
    span,
  );
}
