import { FORMAT, type ScenarioAnswer } from '../core/document-format.js';
import { fill } from '../core/fill.js';
import { largest } from '../core/values.js';
import type { ApiVersion } from '../config/api/api.js';
import type { Cluster } from '../config/cluster/cluster-shape.js';
import { namedPolicy, aggregated, discoveryType } from '../config/cluster/cluster-shape.js';
import { CONTRIB } from '../policy/extensions.js';
import { moduleOf } from '../policy/registry.js';
import { printable } from '../core/printable.js';
import type { Problem } from '../core/problem.js';
import type { HostKnowledgeBase } from './assemble/known-hosts.js';
import type { ApiEvidence } from './input/api-version.js';
import type { Scenario } from './model.js';
import { lbPolicyOf } from '../config/policy/of-cluster.js';
import { ORIGINS } from './generated/origins.js';

/** How the API of the files was detected; undefined: not worth a sentence. */
export function apiSentence(
  apis: readonly ApiEvidence[],
  forced: ApiVersion | undefined,
  bare: boolean,
): string | undefined {
  if (forced !== undefined) return `read as ${forced} (--api)`;
  if (apis.length === 0) return bare ? 'read as v3 (nothing in it says v2)' : undefined;
  const versions = [...new Set(apis.map(({ version }) => version))].sort().reverse();
  const each = versions.map((version) => `${version} (${apis.find((one) => one.version === version)?.by ?? ''})`);
  return `read as ${each.join(' and ')}`;
}

/** That policies are not the proxy's, and whose code is run for them. */
export function addedSentence(clusters: readonly Cluster[]): string | undefined {
  const policies = [...new Set(clusters.map(lbPolicyOf).filter((one) => moduleOf(one) !== undefined))];
  const subsets = new Set(
    clusters.flatMap((cluster) => {
      const own = namedPolicy(cluster)?.clientSubset;
      return own === undefined ? [] : `${own.method}, size ${own.size}`;
    }),
  );
  if (policies.length + subsets.size === 0) return undefined;
  const foreign = policies.filter((one) => typeof one === 'object');
  const ours = policies.filter((one) => typeof one === 'string');
  const contrib = ours.filter((name) => Object.values(CONTRIB).includes(name));
  const none = ours.filter((name) => !contrib.includes(name));
  const each = foreign.map(({ name, module }) => printable(name === module.name ? name : `${name} (${module.name})`));
  const near = none.some((name) => name === 'PEAK_EWMA') ? { contrib: 'CONTRIB_PEAK_EWMA' } : {};
  return [
    ...(subsets.size === 0 ? [] : [fill(ORIGINS.subsets, { subsets: [...subsets].join('; ') })]),
    ...(none.length === 0 ? [] : [fill(ORIGINS.none, { none, number: none.length, ...near })]),
    ...contrib.map((name) => fill(ORIGINS.contrib, { name })),
    ...(foreign.length === 0 ? [] : [fill(ORIGINS.foreign, { each })]),
  ].join('; ');
}

/** Settings that a proxy acts on and a simulation does not, in the API's own words, each once with the end of its path. */
export function lackingSentences(problems: readonly Problem[]): readonly string[] {
  const found = problems.filter(({ rule, severity }) => rule === 'not-simulated' && severity !== 'error');
  const first = new Map(found.map(({ message, path }) => [message, path] as const).reverse());
  return [...new Set(found.map(({ message }) => message))].map((message) => {
    const steps = (first.get(message) ?? '').split('.');
    return `${message} (${steps.length > PATH_END ? '…' : ''}${steps.slice(-PATH_END).join('.')})`;
  });
}

const PATH_END = 3;

/** The sentences on such settings of any of these scenarios, for the first lines of what is made of them. */
export function inputOf(...scenarios: readonly Scenario[]): { readonly input?: readonly string[] } {
  const input = [...new Set(scenarios.flatMap(({ origin }) => origin.lacking))];
  return input.length === 0 ? {} : { input };
}

export function answerHead(scenario: Scenario): ScenarioAnswer {
  return { format: FORMAT, scenario: scenario.name, ...inputOf(scenario) };
}

/** The clusters whose hosts are unknown, and where these would come from; for an aggregate, its members. */
export function clustersWithoutHosts(clusters: readonly Cluster[], knowledge: HostKnowledgeBase) {
  const asked = new Set(clusters.flatMap((cluster) => [cluster, ...knowledge.members(cluster)]));
  return [...asked].flatMap((cluster) => {
    const known = knowledge.of(cluster);
    // Each sentence is one line: line breaks in a name are removed.
    return known.kind === 'unknown' && aggregated(cluster) === undefined
      ? [{ cluster, name: printable(cluster.name), from: printable(known.from), areMore: known.areMore === true }]
      : [];
  });
}

type ClusterWithoutHosts = ReturnType<typeof clustersWithoutHosts>[number];

/** Which clusters, and where their hosts would come from: `backend (EDS)`, `auth (auth.test, a name)`. */
const namesOf = (found: readonly ClusterWithoutHosts[]): readonly string[] =>
  found.map(({ name, from, areMore }) => `${name} (${from}${areMore ? ' and other names' : ''})`);

/** Lines to paste that define the hosts. @param areMadeUp they are already. */
function advice([first, ...more]: readonly ClusterWithoutHosts[], areMadeUp = false): string {
  if (first === undefined) return '';
  const { name } = first;
  const type = discoveryType(first.cluster);
  const port = type === 'EDS' ? 80 : portOf(first.cluster);
  const addresses = (type === 'LOGICAL_DNS' ? [1] : [1, 2]).map((last) => `10.0.0.${last}:${port}`);
  const second =
    type === 'EDS'
      ? `endpoints: {${yamlKey(name)}: ["10.0.0.1:80", "10.0.0.2:80"]}`
      : `dns: {${yamlKey(first.from)}: {addresses: [10.0.0.1]}}`;
  const lines: (readonly [string, string])[] = [
    [`--hosts ${shellWord(`${name}=${addresses.join(',')}`)}`, 'hosts that you know'],
    [
      `--hosts ${more.length === 0 ? shellWord(`${name}=3`) : "'*=3'"}`,
      areMadeUp ? 'another number of made-up hosts' : 'made-up hosts, 3 for each',
    ],
    [second, 'the first again, in a second file'],
    ['curl -s localhost:9901/clusters?format=json > clusters.json', 'from a live proxy: name this file, too'],
  ];
  const width = largest(lines.map(([line]) => line.length));
  return lines.map(([line, does]) => `  ${line.padEnd(width)}  # ${does}`).join('\n');
}

function portOf({ loadAssignment, hosts }: Cluster): number {
  const first = loadAssignment?.endpoints[0]?.lbEndpoints[0]?.endpoint.address ?? hosts[0];
  return first?.socketAddress?.portValue ?? 80;
}

export const withoutHostsSentence = (found: readonly ClusterWithoutHosts[], clusters: number): string | undefined =>
  found.length === 0 ? undefined : `${fill(ORIGINS.unknown, { names: namesOf(found), clusters })}\n${advice(found)}`;

/** That hosts were made up for these clusters, what remains valid, and how to give the real ones. */
export const supposedSentence = (found: readonly ClusterWithoutHosts[], clusters: number): string =>
  `${fill(ORIGINS.supposed, { names: namesOf(found), clusters })}\n${advice(found, true)}`;

/** Why nothing can be sent at all. @param which `no cluster`, or `no cluster that …`. */
export const unsentSentence = (which: string, found: readonly ClusterWithoutHosts[]): string =>
  `${fill(ORIGINS.unsent, { which, names: namesOf(found) })}\n${advice(found)}`;

export function madeUpSentence(madeUp: ReadonlySet<string>): string | undefined {
  const [first] = madeUp;
  return first === undefined ? undefined : fill(ORIGINS.made_up, { number: madeUp.size, first });
}

const shellWord = (text: string): string =>
  /^[\w.:/@,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const yamlKey = (name: string): string => (/^[A-Za-z_][\w./-]*$/.test(name) ? name : JSON.stringify(name));
