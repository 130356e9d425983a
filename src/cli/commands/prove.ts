import { parseDocument, stringify } from 'yaml';
import { NoPrediction, whoNotices } from '../../analysis/prove/losses.js';
import type { Finding, Varied } from '../../analysis/prove/generated/findings.js';
import { addressText } from '../../config/address.js';
import { firstAssignment } from '../../config/assignment-rules.js';
import { axisOf } from '../../analysis/sweep/axis.js';
import { isList, isStruct, type JsonValue, only, type Struct } from '../../core/values.js';
import { ipOf } from '../../core/ip.js';
import { curveReport, proveReport, surviveReport } from '../../report/prove-report.js';
import type { Scenario } from '../../scenario/model.js';
import { withoutSecrets } from '../../scenario/secrets.js';
import { NAMES } from '../../core/generated/names.js';
import { curve, prove, survive } from '../../words/proven.js';
import { ExitCode, UsageError, type Work, writeAnswer } from '../session.js';
import { longWork } from '../long-work.js';
import { openOutput } from '../output/output-files.js';
import { readInputs } from '../input/read-file.js';
import { readRunnable } from '../input/scenario-file.js';
import type { Notice } from '../../analysis/prove/generated/findings.js';

const READING = { purpose: 'predict', makesUpHosts: false } as const;

export const proveCommand: Work<'prove'> = async (files, options, session, program) => {
  const { replay, force, capacity, survive: loss, curve: lose, movedKeys, unnoticed, exhaustive } = options;
  if (lose !== undefined) {
    await curveCommand(files, { ...options, lose }, session, program);
    return ExitCode.ok;
  }
  if (loss !== undefined) return surviveCommand(files, options, session, program);
  const [file = '-'] = files;
  if (replay !== undefined && file === '-') throw new UsageError('--replay needs a file to shrink, not standard input');
  const { scenario, named, printProblems } = await readRunnable(files, { ...options, ...READING }, session);
  const output = await openOutput('--replay', replay, { inputs: files, named, force }, session);
  const findings = await longWork('proving', session, (pause) =>
    prove(scenario, { capacity, movedKeys, unnoticed, exhaustive, pause }),
  );
  if (output !== undefined) {
    const first = findings.found.find(({ size }) => size !== null && size > 0);
    if (first === undefined) throw new UsageError('--replay: there is nothing to replay, no loss brings any trouble');
    const text = replayOf(await scenarioText(files, options, session, program), first, scenario);
    for (const safe of withoutSecrets([{ file, text }], options.api)) await output.write(safe.text);
    await output.close();
    if (replay === '-') return ExitCode.ok;
  }
  await writeAnswer(findings, proveReport, options, session);
  await printProblems();
  return ExitCode.ok;
};

/** Of what a proxy is configured with, the scenario that `lbsim import` makes of it. */
async function scenarioText(...[files, options, session]: Parameters<Work<'prove'>>): Promise<string> {
  const { api, cluster: clusters, hosts, istioVersion, locality, labels } = options;
  const inputs = await readInputs(files, session.io);
  const { importScenario } = await import('../../scenario/import/import.js');
  const made = importScenario(inputs, { api, clusters, hosts, istioVersion, locality, labels });
  const [first, ...others] = inputs;
  const isScenario = made.problems.some(({ rule }) => rule === 'kind');
  const text = made.text ?? (isScenario && others.length === 0 && hosts === undefined ? first?.text : undefined);
  if (text === undefined)
    throw new UsageError('--replay shrinks a scenario as it is: leave out --hosts and other files');
  return text;
}

/** With `--vary` asked of one value after the other, up to the first that survives. */
async function surviveCommand(...[files, options, session]: Parameters<Work<'prove'>>): Promise<ExitCode> {
  const { survive: loss = '', and = [], capacity, headroom, vary, unnoticed, exhaustive, set = [] } = options;
  const without = options.without
    ?.flatMap((text) => text.split(','))
    .map((text) => {
      const harm = NAMES.harms.find((one) => one === text);
      if (harm === undefined) throw new UsageError(`--without ${text}: one of ${NAMES.harms.join(', ')}`);
      return harm;
    });
  const axis = vary === undefined ? undefined : axisOf(vary);
  const ask = async (more: readonly string[]) => {
    const { scenario } = await readRunnable(files, { ...options, ...READING, set: [...set, ...more] }, session);
    return longWork('proving', session, (pause) =>
      survive(scenario, [loss, ...and], { capacity, without, headroom, unnoticed, exhaustive, pause }).catch(
        refused('--survive'),
      ),
    );
  };
  const tried: Varied['tried'][number][] = [];
  let found = axis === undefined ? await ask([]) : undefined;
  for (let index = 0; axis !== undefined && index < axis.size && found?.survives !== true; index++) {
    const value = axis.at(index);
    found = await ask([`${axis.path}=${value}`]);
    const [lost] = found.clusters.flatMap((one) => one.loss ?? []);
    tried.push({ value, survives: found.survives, set: lost?.set ?? null });
  }
  if (found === undefined) return ExitCode.input;
  const { survives } = found;
  const last = survives === true ? (tried[tried.length - 1]?.value ?? null) : null;
  const answer = { ...found, ...(axis && { vary: { path: axis.path, value: last, tried } }) };
  await writeAnswer(answer, surviveReport, options, session);
  return survives === null ? ExitCode.input : survives ? ExitCode.ok : ExitCode.failed;
}

/** `lbsim curve FILE… --lose SELECTOR` */
export const curveCommand: Work<'curve'> = async (files, options, session) => {
  const { lose = '', cluster: clusters = [] } = options;
  if (clusters.length > 1) throw new UsageError('--cluster: a curve is about one cluster');
  // A pattern leaves the clusters that it matches.
  const [cluster] = clusters.filter((one) => !one.includes('*'));
  const { scenario, printProblems } = await readRunnable(files, { ...options, ...READING }, session);
  const found = await longWork('predicting', session, (pause) =>
    curve(scenario, lose, { cluster, pause }).catch(refused('there is no curve')),
  );
  await writeAnswer(found, curveReport, options, session);
  await printProblems();
};

/** For `catch` of a promise. */
const refused = (what: string) =>
  only(NoPrediction, ({ message }): never => {
    throw new UsageError(`${what}: ${message}`);
  });

function dnsWithout(dns: JsonValue | undefined, addresses: readonly string[]): JsonValue | undefined {
  const lost = new Set<JsonValue>(addresses.map(ipOf));
  const without = (answer: JsonValue): JsonValue =>
    isStruct(answer) && isList(answer['addresses'])
      ? { ...answer, addresses: answer['addresses'].filter((ip) => !lost.has(ip)) }
      : answer;
  if (!isStruct(dns)) return dns;
  return Object.fromEntries(Object.entries(dns).map(([name, answer]) => [name, without(answer)]));
}

/** The fields of a scenario that a replay needs. */
const KEPT = ['seed', 'proxies', 'proxy', 'dns', 'behavior', 'hosts'];

/**
 * The scenario, reduced to the cluster and its loss after a second: the hosts stop answering, and every proxy knows, unless
 * nothing tells or outlier detection is to find out.
 */
export function replayOf(text: string, finding: Finding, scenario: Scenario): string {
  const { cluster, members, addresses, brings, per_second: rate, noticed_by: by } = finding;
  const isApart = by === 'some_clusters';
  const fromDns = by === 'dns' || isApart;
  const root = parseDocument(text).toJS() as JsonValue;
  const fields = isStruct(root) ? root : {};
  const { clusters, endpoints, assignments, behavior, dns, timeline, proxies, proxy, workloads }: Struct = fields;
  // Zone-aware routing needs the proxies' own cluster.
  const specs = [...(isList(proxies) ? proxies : []), proxy];
  const local = new Set(specs.flatMap((spec) => (isStruct(spec) ? (spec['local_cluster_name'] ?? []) : [])));
  const names = new Set<JsonValue | undefined>([cluster, ...(members ?? []), ...local]);
  const isKept = (name: JsonValue | undefined): boolean => names.has(name);
  const ofCluster = (value: JsonValue): JsonValue =>
    isStruct(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name))) : value;
  const first = (isList(timeline) ? timeline : []).filter((entry) => isAtStart(entry) && namedIn(entry).every(isKept));
  const down = first.flatMap((entry) => (isStruct(entry) ? (entry['fail'] ?? []) : []));
  const all = addresses.map((address) => ({ address, ...(members === undefined && { cluster }) }));
  /** Of those that are lost or down, the hosts of clusters in which this notices it. */
  const hostsIn = (is: (notice: Notice | null) => boolean, among: readonly unknown[]) =>
    scenario.clusters.flatMap((one) => {
      if (members?.includes(one.name) !== true || !is(whoNotices(scenario, one))) return [];
      const groups = firstAssignment(one, scenario.assignments)?.endpoints ?? [];
      const own = groups.flatMap(({ lbEndpoints }) => lbEndpoints.map(({ endpoint }) => addressText(endpoint.address)));
      return own
        .filter((address) => among.includes(address) || among.includes(ipOf(address)))
        .map((address) => ({ address, cluster: one.name }));
    });
  const lost = isApart ? hostsIn((notice) => notice !== 'dns', addresses) : fromDns ? [] : all;
  const isTold = (notice: Notice | null): boolean => notice === 'health_checks' || notice === 'control_plane';
  const told = isApart ? hostsIn(isTold, [...down, ...addresses]) : isTold(by) ? [...down, ...lost] : [];
  const users = (isList(workloads) ? workloads : []).filter((one) => {
    const named = namedIn(one);
    return isStruct(one) && named.includes(cluster) && named.every(isKept);
  });
  const arrivals = { constant: `${brings === 'overload' || brings === 'limit' ? rate : 1000}/s` };
  const replay = {
    name: `${cluster}-${brings}`,
    description: `What does the loss of ${addresses.length} hosts of ${cluster} bring? ${brings}`,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => KEPT.includes(name))),
    clusters: (isList(clusters) ? clusters : []).filter((one) => isStruct(one) && isKept(one['name'])),
    ...(endpoints !== undefined && { endpoints: ofCluster(endpoints) }),
    ...(assignments !== undefined && { assignments: ofCluster(assignments) }),
    ...(isList(behavior) && { behavior: behavior.filter((rule) => namedIn(rule).every(isKept)) }),
    ...(fromDns && { dns: dnsWithout(dns, addresses) }),
    // Keys and metadata of requests have a part in where they go.
    workloads: (users.length > 0 ? users : [{ name: 'users', cluster }]).map((one) => {
      const { retry_policy: _retries, start: _start, ...kept }: Struct = isStruct(one) ? one : {};
      return { ...kept, ...(users.length < 2 && { arrivals }), stop: '3s' };
    }),
    // The records are gone from the start: a proxy would notice with its next query only.
    timeline: [
      ...first,
      // What notices losses knows of hosts that are down from the start, too.
      ...told.map((hosts) => ({
        at: '1s',
        set_health: { hosts, status: 'UNHEALTHY' },
      })),
      ...lost.map((hosts) => ({ at: '1s', fail: hosts })),
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

function isAtStart(entry: JsonValue): boolean {
  const { at, every }: Readonly<Record<string, unknown>> = isStruct(entry) ? entry : {};
  return parseFloat(String(at)) === 0 && every === undefined;
}
