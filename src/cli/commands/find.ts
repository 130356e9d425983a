import { parseDocument, stringify } from 'yaml';
import { isFromDns } from '../../analysis/find/losses.js';
import type { Finding } from '../../analysis/find/find.js';
import { find } from '../../words/library.js';
import { isList, isStruct, type JsonValue, type Struct } from '../../core/json-value.js';
import { findReport } from '../../report/find-report.js';
import { withoutSecrets } from '../../scenario/secrets.js';
import { ipOf } from '../../core/ip.js';
import { UsageError, type Work, writeAnswer } from '../session.js';
import { longWork } from '../long-work.js';
import { openOutput } from '../output/output-files.js';
import { readInput } from '../input/read-file.js';
import { readRunnable } from '../input/scenario-file.js';

export const findCommand: Work<'find'> = async (files, options, session) => {
  const { replay, force, capacity } = options;
  const [file = '-'] = files;
  if (replay !== undefined && files.length > 1)
    throw new UsageError('--replay shrinks one file: lbsim import makes one of several');
  if (replay !== undefined && file === '-') throw new UsageError('--replay needs a file to shrink, not standard input');
  const asked = { ...options, purpose: 'predict', makesUpHosts: false } as const;
  const { scenario, named, printProblems } = await readRunnable(files, asked, session);
  const output = await openOutput('--replay', replay, { inputs: files, named, force }, session);
  const findings = await longWork('searching', session, (pause) => find(scenario, { capacity, pause }));
  if (output !== undefined) {
    const first = findings.found.find(({ size }) => size !== null && size > 0);
    if (first === undefined) throw new UsageError('--replay: there is nothing to replay, no loss brings any trouble');
    const isDns = isFromDns(scenario.clusters.find(({ name }) => name === first.cluster));
    const text = replayOf(await readInput(file, session.io), first, isDns, file);
    for (const safe of withoutSecrets([{ file, text }], options.api)) await output.write(safe.text);
    await output.close();
    if (replay === '-') return;
  }
  await writeAnswer(findings, findReport, options, session);
  await printProblems();
};

function dnsWithout(dns: JsonValue | undefined, addresses: readonly string[]): JsonValue | undefined {
  const lost = new Set<JsonValue>(addresses.map(ipOf));
  const without = (answer: JsonValue): JsonValue => {
    if (!isStruct(answer)) return answer;
    const { addresses: ips } = answer;
    return isList(ips) ? { ...answer, addresses: ips.filter((ip) => !lost.has(ip)) } : answer;
  };
  if (!isStruct(dns)) return dns;
  return Object.fromEntries(Object.entries(dns).map(([name, answer]) => [name, without(answer)]));
}

/** The fields of a scenario that a replay needs. */
const KEPT = ['seed', 'proxies', 'proxy', 'dns', 'behavior', 'hosts'];

/**
 * The scenario, reduced to the cluster and its loss after a second: the hosts stop answering, and every proxy knows, unless
 * nothing tells or outlier detection is to find out.
 */
function replayOf(
  text: string,
  { cluster, addresses, brings, noticed_by: by }: Finding,
  fromDns: boolean,
  file: string,
): string {
  const root = parseDocument(text).toJS() as JsonValue;
  const fields = isStruct(root) ? root : {};
  const { clusters, endpoints, assignments, behavior, dns, timeline }: Struct = fields;
  if (!isList(clusters)) {
    throw new UsageError(`--replay shrinks scenarios, and ${file} is none: lbsim import makes one of it`);
  }
  const local = localNames(fields);
  const isKept = (name: JsonValue | undefined): boolean => name === cluster || (name !== undefined && local.has(name));
  const ofCluster = (value: JsonValue): JsonValue =>
    isStruct(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name))) : value;
  const lost = addresses.map((address) => ({ address, cluster }));
  const isTold = by !== null && by !== 'outlier_detection';
  const replay = {
    name: `${cluster}-${brings}`,
    description: `What does the loss of ${addresses.length} hosts of ${cluster} bring? ${brings}`,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => KEPT.includes(name))),
    clusters: clusters.filter((one) => isStruct(one) && isKept(one['name'])),
    ...(endpoints !== undefined && { endpoints: ofCluster(endpoints) }),
    ...(assignments !== undefined && { assignments: ofCluster(assignments) }),
    ...(isList(behavior) && { behavior: behavior.filter((rule) => namedIn(rule).every(isKept)) }),
    ...(fromDns && { dns: dnsWithout(dns, addresses) }),
    workloads: [{ name: 'users', cluster, arrivals: { constant: '1000/s' }, stop: '3s' }],
    // The records are gone from the start: a proxy would notice with its next query only.
    timeline: [
      ...atStart(timeline).filter((entry) => namedIn(entry).every(isKept)),
      ...(fromDns ? [] : lost).flatMap((hosts) => [
        ...(isTold ? [{ at: '1s', set_health: { hosts, status: 'UNHEALTHY' } }] : []),
        { at: '1s', fail: hosts },
      ]),
    ],
  };
  return stringify(replay, { aliasDuplicateObjects: false });
}

/** Fields of a rule of behaviour or an entry of a timeline that name a cluster, or a workload: a replay has its own. */
const NAMING = new Set(['cluster', 'cluster_name', 'remove_cluster', 'workload']);

/** What is named there, however deep; hosts that no cluster is named for may be of any. */
function namedIn(value: JsonValue): readonly (JsonValue | undefined)[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, JsonValue]) =>
    NAMING.has(key) ? [item] : key === 'update_cluster' ? [(item as Struct)['name']] : namedIn(item),
  );
}

function atStart(timeline: JsonValue = []): readonly JsonValue[] {
  const isFirst = (entry: JsonValue): boolean => {
    const { at, every }: Readonly<Record<string, unknown>> = isStruct(entry) ? entry : {};
    return parseFloat(String(at)) === 0 && every === undefined;
  };
  return isList(timeline) ? timeline.filter(isFirst) : [];
}

/** Zone-aware routing needs the proxies' own cluster. */
function localNames({ proxies, proxy }: Struct): ReadonlySet<JsonValue> {
  const specs = [...(isList(proxies) ? proxies : []), proxy];
  return new Set(specs.flatMap((spec) => (isStruct(spec) ? (spec['local_cluster_name'] ?? []) : [])));
}
