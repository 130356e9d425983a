import type { ApiVersion } from '../../config/api/api.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { Node } from '../../config/core.js';
import { ClusterLoadAssignment } from '../../config/assignment-rules.js';
import { SourceDocument, yamlValue, type MapNode, type SourceNode } from '../../config/reader.js';
import { fileProblem, hasErrors, type Problem } from '../../core/problem.js';
import { type Input, readInputs, type ReadInputs } from '../input/read-inputs.js';
import { loadRead } from '../load.js';
import type { Scenario } from '../model.js';
import type { Plain } from '../../config/source/trees.js';
import { isMap, itemsOf, listNode, mapNode, textOf, valueAt, picked, plainOf } from '../../config/source/trees.js';
import { LeftOut, writeScenario } from './write-scenario.js';
import { Pruner, subsetLabels, withSource } from './prune.js';
import { withoutPages } from '../input/rates.js';
import { demand, INPUTS, listOf } from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import { ImportOptions } from '../generated/load-options.js';
import { clusterJson } from '../../config/write-cluster.js';
import { FORMS } from '../input/generated/forms.js';
import { configurationsOf } from '../input/routes.js';
import { isSecretName } from '../secret-words.js';

export interface Imported {
  /** A scenario in YAML; undefined where `problems` has an error. */
  readonly text?: string;
  /** What a control plane would send for it, as messages of v3. */
  readonly xds?: Xds;
  /** The same, read. */
  readonly scenario?: Scenario;
  /** Notes on the files, a sentence each. */
  readonly says: readonly string[];
  /** Problems quote no more of the files than a scenario would contain. */
  readonly problems: readonly Problem[];
}

/**
 * A scenario from a proxy's configuration, in any form, and from its `/stats` pages. Fields that do not matter to balancing
 * are removed by type, before anything else reads them.
 */
export function importScenario(inputs: readonly Input[], options: ImportOptions = {}): Imported {
  demand(
    'importScenario',
    ['inputs', inputs, listOf(INPUTS, 'a list of {file, text}')],
    ['options', options, optionsIn(ImportOptions)],
  );
  const { configs, rates, problems: rateProblems } = withoutPages(inputs, options);
  const { api, clusters, hosts, istioVersion, locality, labels } = options;
  const read = readInputs(configs, { api, clusters, gathered: true, istioVersion, locality, labels });
  const problems = [...rateProblems, ...(read.made ? read.problems : read.problems.map(unquoted))];
  const [first] = inputs;
  if (configs.length === 0 && first !== undefined) {
    const text = 'there is no cluster in pages of /stats: name the configuration, too';
    problems.push(fileProblem(first.file, 'no-cluster', text));
  }
  if (!read.bare && configs.length > 0) {
    const file = read.document?.file ?? first?.file ?? '';
    problems.push(fileProblem(file, 'kind', 'this is a scenario already: lbsim run takes it as it is'));
  }
  if (read.document === undefined || hasErrors(problems)) return { says: [], problems };
  const version = api ?? (read.apis.some((one) => one.version === 'v3') ? 'v3' : (read.apis[0]?.version ?? 'v3'));
  const left = new LeftOut();
  const root = prunedRoot(read.document.root, version, left);
  const document = new SourceDocument(read.document.texts, root);
  const loaded = loadRead(
    { ...read, document, problems: [], ...(rates && { rates }) },
    { api, clusters, hosts, supposesHosts: true },
  );
  problems.push(...loaded.problems.filter(({ severity }) => severity === 'error'));
  const xds = xdsOf(root, version, loaded.scenario, read);
  if (loaded.scenario === undefined) {
    // What is made may be more than can be run, but no API server takes a value that is none.
    const isMistyped = problems.some(({ rule }) => rule === 'type' || rule === 'range' || rule === 'required');
    const told = read.made ? problems.map(({ message }) => message) : [];
    return { ...(read.made && !isMistyped && { xds }), says: told, problems };
  }
  const files = inputs.map(({ file }) => (file === '-' ? 'standard input' : file.replace(/^.*[/\\]/, '')));
  const { text, says } = writeScenario({
    root,
    scenario: loaded.scenario,
    version,
    left,
    rates,
    // The scenario does not say which clusters the proxy uses for itself.
    writesTraffic: read.routes.length > 0 || loaded.scenario.clusters.some(({ name }) => read.own.has(name)),
    files,
  });
  return {
    text,
    xds,
    scenario: loaded.scenario,
    says: [...says, ...(read.made ? read.problems.map(({ message }) => message) : [])],
    problems,
  };
}

/** Rules whose messages quote nothing of the file. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...['complex-key', 'empty-document', 'file-size', 'nesting', 'nul-byte', 'template', 'too-many-values'],
  ...['kind', 'no-cluster', 'several-scenarios'],
]);

/** A file that cannot be parsed is not quoted: the error may lie in a private key. */
function unquoted(problem: Problem): Problem {
  if (OWN_WORDS.has(problem.rule)) return problem;
  return { ...problem, message: 'from here on this is neither YAML nor JSON' };
}

/** The scenario of all files together, reduced to fields that matter. */
function prunedRoot(root: SourceNode, version: ApiVersion, left: LeftOut): MapNode {
  const span = { start: root.start, end: root.start };
  const names = new Map<string, ReadonlySet<string>>();
  const clusters = itemsOf(valueAt(root, 'clusters')).map((cluster) => {
    const labels = subsetLabels(cluster);
    const name = textOf(valueAt(cluster, 'name')) ?? '';
    const service = textOf(valueAt(cluster, 'eds_cluster_config', 'service_name'));
    names.set(service ?? name, labels);
    const pruner = new Pruner(labels);
    const kept = pruner.message(cluster, Cluster);
    left.of('clusters', name, pruner);
    return isMap(kept) ? withSource(kept, version) : kept;
  });
  const written = valueAt(root, 'assignments');
  const entries = (isMap(written) ? written.entries : []).flatMap((entry) => {
    const labels = names.get(entry.key);
    if (labels === undefined) {
      left.unasked += 1;
      return [];
    }
    const pruner = new Pruner(labels);
    const value = pruner.message(entry.value, ClusterLoadAssignment);
    left.of('assignments', entry.key, pruner);
    return [{ ...entry, value }];
  });
  const assignments = isMap(written) && entries.length > 0 ? { ...written, entries } : undefined;
  const proxy = prunedProxy(valueAt(root, 'proxy'), left);
  return mapNode({ clusters: listNode(clusters, span), assignments, proxy }, span);
}

/** Its locality, its local cluster, and the numeric values of its runtime. */
function prunedProxy(proxy: SourceNode | undefined, left: LeftOut): MapNode | undefined {
  if (!isMap(proxy)) return undefined;
  const fields: Record<string, SourceNode> = {};
  for (const { key, value } of proxy.entries) {
    if (key === 'local_cluster_name') fields[key] = value;
    else if (key === 'node') {
      const pruner = new Pruner(new Set());
      fields[key] = pruner.message(value, Node);
      for (const name of pruner.left) left.ofProxy.add(`node.${name}`);
    } else if (key === 'runtime' && isMap(value)) {
      const entries = value.entries.filter(({ value: one }) => isNumber(one));
      if (entries.length < value.entries.length) left.ofProxy.add('runtime values that are no numbers');
      if (entries.length > 0) fields[key] = { ...value, entries };
    } else left.ofProxy.add(key);
  }
  return Object.keys(fields).length === 0 ? undefined : mapNode(fields, proxy);
}

/** A number or a truth, also in quotes. */
function isNumber(node: SourceNode): boolean {
  if (node.kind === 'map') return node.entries.every(({ value }) => isNumber(value));
  return node.kind === 'scalar' && typeof yamlValue({ ...node, quoted: false }) !== 'string';
}

/** Messages of v3, as a control plane would send them; without what balances nothing. */
export interface Xds {
  readonly clusters: readonly Plain[];
  readonly endpoints: readonly Plain[];
  readonly routes: readonly Plain[];
  readonly listeners: readonly Plain[];
}

/** @param root the clusters and assignments, without what balances nothing. */
function xdsOf(
  root: SourceNode,
  version: ApiVersion,
  scenario: Scenario | undefined,
  { made, resources }: ReadInputs,
): Xds {
  if (made) {
    const all = (kind: 'clusters' | 'assignments' | 'listeners'): readonly Plain[] =>
      resources.flatMap((one) => one[kind].map(({ node }) => plainOf(node)));
    const routes = resources.flatMap((one) => one.routes.map(({ node }) => plainOf(routesWithin(node))));
    return { clusters: all('clusters'), endpoints: all('assignments'), routes, listeners: all('listeners') };
  }
  const written = itemsOf(valueAt(root, 'clusters'));
  const assignments = valueAt(root, 'assignments');
  return {
    clusters: version === 'v3' ? written.map(plainOf) : (scenario?.clusters ?? []).map((one) => clusterJson(one, 'v3')),
    endpoints: (isMap(assignments) ? assignments.entries : []).map(({ value }) => plainOf(value)),
    routes: [...configurationsOf(resources)].map(({ node }) => plainOf(routesWithin(node))),
    listeners: [],
  };
}

function routesWithin(configuration: SourceNode): SourceNode {
  const hosts = itemsOf(valueAt(configuration, 'virtual_hosts')).map((host) => {
    const routes = itemsOf(valueAt(host, 'routes')).map((route) => {
      const action = valueAt(route, 'route');
      const direct = valueAt(route, 'direct_response');
      const parts = {
        ...picked(route, 'name', 'redirect'),
        match: matchWithin(valueAt(route, 'match')),
        direct_response: direct && mapNode(picked(direct, 'status'), direct),
      };
      // The rest may hold secrets.
      return mapNode({ ...parts, route: action && mapNode(picked(action, ...FORMS.importedAction), action) }, route);
    });
    return mapNode({ ...picked(host, 'name', 'domains', 'retry_policy'), routes: listNode(routes, host) }, host);
  });
  return mapNode({ ...picked(configuration, 'name'), virtual_hosts: listNode(hosts, configuration) }, configuration);
}

/** Of a header or a parameter that holds a secret, that it is there. */
function matchWithin(match: SourceNode | undefined): SourceNode | undefined {
  if (!isMap(match)) return match;
  const entries = match.entries.map((entry) => {
    if (entry.value.kind !== 'list') return entry;
    const items = entry.value.items.map((item) =>
      isSecretName(textOf(valueAt(item, 'name')) ?? '') ? mapNode(picked(item, 'name'), item) : item,
    );
    return { ...entry, value: listNode(items, entry.value) };
  });
  return { ...match, entries };
}
