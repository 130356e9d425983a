import type { Cluster } from '../../config/cluster/cluster.js';
import { POLICY_OF_BLOCK } from '../../config/cluster/cluster-rules.js';
import { typeUrl } from '../../config/policy/read.js';
import { type Policy, withLeaf } from '../../config/policy/policy.js';
import type { Path } from '../../config/reader.js';
import { snake } from '../../config/reader/letter-case.js';
import { nearest } from '../../config/reader/error-words.js';
import {
  formatPath,
  type MapEntry,
  type MapNode,
  SourceDocument,
  type SourceNode,
} from '../../config/source/document.js';
import { keySpan, type Span } from '../../config/reader/spans.js';
import {
  dropped,
  fieldOf,
  isMap,
  mapNode,
  nodeOf,
  replaced,
  textOf,
  withField,
} from '../../config/source/trees.js';
import type { Problem } from '../../core/problem.js';
import type { Struct } from '../../core/json-value.js';
import { EXTENSIONS } from '../../policy/extensions.js';
import { isModuleName, shapeProblems } from './module-shape.js';
import type { ClientSubsetConfig } from '../../policy/client-subsets.js';
import type { PolicyModule, SettingsSchema } from '../../policy/foreign/policy-module.js';
import {
  type AddedPolicy,
  type ForeignPolicy,
  foreignPolicy,
  isProxyPolicy,
  NAMED_POLICIES,
  isTablePolicy,
  type LbPolicy,
  moduleOf,
} from '../../policy/registry.js';
import type { ScenarioParts } from '../read-parts.js';
import type { WrittenEntry } from '../fields/timeline.js';
import { clustersOf, nameNode, policyNameOf, structOf, typedPolicies } from './policy-nodes.js';
import { readSettings } from '../fields/policy-settings.js';

/** A policy that the proxy does not have, and its settings. */
export interface ChosenPolicy {
  /** undefined: the proxy's own, as the cluster names it. */
  readonly name: AddedPolicy | undefined;
  readonly settings: Struct;
  readonly clientSubset?: ClientSubsetConfig;
}

/** A module that a file names as a policy. */
export interface NamedModule {
  /** As written: `./my-policy.mjs`. */
  readonly text: string;
  /** The file that it is written in. */
  readonly writtenIn: string;
  readonly place: Place;
}

type Place = Pick<Problem, 'file' | 'path' | 'line' | 'column' | 'length'>;

export interface WithoutAdded {
  /** With a policy of the proxy as a placeholder for each. */
  readonly document: SourceDocument;
  /** By the path of the cluster. */
  readonly chosen: ReadonlyMap<string, ChosenPolicy>;
  readonly problems: readonly Problem[];
  /** Those that clusters name, each once. */
  readonly modules: readonly NamedModule[];
}

/** The placeholder for readers of clusters, since the module is not a policy of the proxy. */
const STAND_IN = { list: 'ROUND_ROBIN', table: 'MAGLEV' } as const;
const TYPED_STAND_IN = {
  list: typeUrl('round_robin'),
  table: typeUrl('maglev'),
} as const;

const SUBSETTING: SettingsSchema = {
  method: { type: 'string', enum: ['deterministic', 'aperture'] },
  size: { type: 'integer', minimum: 1 },
};

/** Policies of the proxy that choose from hosts, so that a client may use a part of them. */
function isDividedPolicy(name: string): boolean {
  return NAMED_POLICIES.some((one) => one === name);
}

const HOW =
  'a module runs code, so it is loaded only where the command line allows it: pass --allow-code, or --policy NAME=FILE; a library call hands it over as `policies`';

function placeOf(document: SourceDocument, { start, end }: Span, path: Path): Place {
  const { file, line, column } = document.position(start);
  return { file, line, column, path: formatPath(path), ...(line !== 0 && { length: Math.max(1, end - start) }) };
}

/**
 * Extracts the custom policies of clusters from a document.
 *
 * @param given loaded modules, by the names that files use.
 */
export function takeOutAdded(document: SourceDocument, given: Readonly<Record<string, unknown>>): WithoutAdded {
  const taking = new Taking(document, given);
  const root = taking.rewrite();
  const { chosen, problems } = taking;
  const modules = [...taking.modules.values()];
  if (root === document.root) return { document, chosen, problems, modules };
  return { document: new SourceDocument(document.texts, root, document.known), chosen, problems, modules };
}

/** The clusters with their extracted policies. */
export function withAdded(parts: ScenarioParts, { chosen }: WithoutAdded): ScenarioParts {
  if (chosen.size === 0) return parts;
  const choose = (cluster: Cluster, path: Path): Cluster => {
    const own = chosen.get(formatPath(path));
    if (own === undefined) return cluster;
    const { name, settings, clientSubset } = own;
    const typed = cluster.loadBalancingPolicy;
    return {
      ...cluster,
      ...(name !== undefined && typed === undefined && { lbPolicy: name, lbPolicySettings: settings }),
      ...(name !== undefined && typed !== undefined && { loadBalancingPolicy: withNamed(typed, name, settings) }),
      ...(clientSubset !== undefined && { clientSubset }),
    };
  };
  return {
    ...parts,
    clusters: parts.clusters.map((cluster, index) => cluster && choose(cluster, parts.clusterPath(index))),
    timeline: parts.timeline.map((entry, index): WrittenEntry | undefined => {
      if (entry?.action.kind !== 'update_cluster') return entry;
      const cluster = choose(entry.action.cluster, ['timeline', index, 'update_cluster']);
      return { ...entry, action: { ...entry.action, cluster } };
    }),
  };
}

/** The policy whose stand-in chooses the host. */
export function withNamed(typed: Policy, name: AddedPolicy, settings: Struct): Policy {
  return withLeaf(typed, (standIn) => ({ ...standIn, kind: 'by_name', policy: name, settings }));
}

/** What a name stands for, in any case; undefined: no policy. */
export function namedPolicy(text: string, given: Readonly<Record<string, unknown>>): LbPolicy | undefined {
  if (isProxyPolicy(text.toUpperCase())) return text.toUpperCase() as LbPolicy;
  const module = Object.hasOwn(given, text) ? given[text] : undefined;
  if (module === undefined) return moduleOf(text) && (text as AddedPolicy);
  return shapeProblems(module).length === 0 ? foreignPolicy(text, module as PolicyModule) : undefined;
}

/** Fields of the long form of `lb_policy`. */
const LONG_FORM: readonly string[] = ['policy', 'settings', 'slow_start_config', 'subsetting'];

class Taking {
  readonly chosen = new Map<string, ChosenPolicy>();
  readonly problems: Problem[] = [];
  readonly modules = new Map<string, NamedModule>();
  private readonly foreign = new Map<string, ForeignPolicy>();

  constructor(
    private readonly document: SourceDocument,
    private readonly given: Readonly<Record<string, unknown>>,
  ) {}

  rewrite(): SourceNode {
    const rewritten = new Map<SourceNode, SourceNode>();
    for (const { node, path } of clustersOf(this.document.root)) {
      const after = this.typed(this.short(node, path), path);
      if (after !== node) rewritten.set(node, after);
    }
    return rewritten.size === 0 ? this.document.root : replaced(this.document.root, rewritten);
  }

  /** `lb_policy: NAME` or `lb_policy: {policy: NAME, settings: {…}, slow_start_config: {…}, subsetting: {…}}`. */
  private short(cluster: MapNode, path: Path): MapNode {
    const field = fieldOf(cluster, 'lb_policy');
    const name = nameNode(field?.value);
    const text = textOf(name);
    if (field === undefined || name === undefined || text === undefined) return cluster;
    const isLong = isMap(field.value);
    if (!isLong && !this.refersToModule(text)) return cluster;
    const at = [...path, 'lb_policy'];
    const subset = isLong ? fieldOf(field.value, 'subsetting') : undefined;
    const clientSubset = subset && this.subsetting(subset, [...at, subset.key]);
    // The proxy's own has this form for its subsetting alone, which may be misspelt.
    const isDivided =
      subset !== undefined || (isLong && field.value.entries.some(({ key }) => !LONG_FORM.includes(key)));
    if (isLong && isDivided && isDividedPolicy(text)) {
      if (subset !== undefined && isTablePolicy(text)) this.refuseParts(subset, clientSubset, at);
      this.refuseStrangers(field.value, ['policy', 'subsetting'], at);
      this.chosen.set(formatPath(path), { name: undefined, settings: {}, ...(clientSubset && { clientSubset }) });
      return withField(cluster, 'lb_policy', name, keySpan(field));
    }
    const module = this.find(text, name, isLong ? [...at, 'policy'] : at);
    if (isLong) this.refuseStrangers(field.value, LONG_FORM, at);
    const settings = isLong ? fieldOf(field.value, 'settings') : undefined;
    const chosen = {
      ...this.choose(text, module, settings, name, [...at, 'settings']),
      ...(clientSubset && { clientSubset }),
    };
    // The proxy ignores lb_policy beside load_balancing_policy.
    if (fieldOf(cluster, 'load_balancing_policy') === undefined) this.chosen.set(formatPath(path), chosen);
    this.refuseOtherBlocks(cluster, text, path);
    const kind = module?.kind ?? 'list';
    if (subset !== undefined && kind === 'table') this.refuseParts(subset, clientSubset, at);
    const slow = isLong ? fieldOf(field.value, 'slow_start_config') : undefined;
    if (slow !== undefined && kind === 'table') {
      const message = 'slow_start_config has no effect: a table knows no slow start';
      this.report(message, keySpan(slow), [...at, slow.key], 'no-effect', 'warning');
    }
    const others = Object.keys(POLICY_OF_BLOCK);
    const plain = withField(dropped(cluster, others), 'lb_policy', nodeOf(STAND_IN[kind], field.value), keySpan(field));
    if (slow === undefined || kind === 'table') return plain;
    const block = { ...mapNode({}, slow.value), entries: [slow] };
    return withField(plain, 'round_robin_lb_config', block, keySpan(slow));
  }

  private subsetting(entry: MapEntry, at: Path): ClientSubsetConfig | undefined {
    const { value } = entry;
    if (!isMap(value)) {
      this.report('subsetting is a map of method and size', value, at);
      return undefined;
    }
    const { settings, problems } = readSettings(SUBSETTING, value, 'subsetting', keySpan(entry));
    for (const { at: span, setting, message } of problems) {
      this.report(message, span, setting === undefined ? at : [...at, setting], 'policy-settings');
    }
    const method = settings['method'] === 'aperture' ? 'aperture' : 'deterministic';
    return problems.length > 0 ? undefined : { method, size: Number(settings['size']) };
  }

  private refuseParts(entry: MapEntry, subset: ClientSubsetConfig | undefined, at: Path): void {
    if (subset?.method !== 'aperture') return;
    const text = 'an aperture has hosts in part, and a table has them whole: write method: deterministic';
    this.report(text, keySpan(entry), [...at, entry.key], 'policy-settings');
  }

  /** An entry of `load_balancing_policy` whose name is that of such a policy, wherever it stands in it. */
  private typed(cluster: MapNode, path: Path): MapNode {
    const field = fieldOf(cluster, 'load_balancing_policy');
    if (field === undefined) return cluster;
    const changed = new Map<SourceNode, SourceNode>();
    const policies = typedPolicies(field.value, (text) => this.refersToModule(text));
    for (const { extension, path: inside, isFirst } of policies) {
      const name = fieldOf(extension, 'name');
      const text = policyNameOf(extension);
      if (name === undefined || text === undefined || !this.refersToModule(text)) continue;
      const at = [...path, field.key, ...inside];
      const module = this.find(text, name.value, [...at, 'name']);
      const config = fieldOf(extension, 'typed_config');
      const isContrib = text !== textOf(name.value);
      const passed = isContrib
        ? []
        : ['locality_lb_config', 'locality_weighted_lb_config', 'slow_start_config', 'consistent_hashing_lb_config'];
      const own = structOf(config?.value);
      const settings =
        own === undefined || config === undefined ? config : { ...config, value: dropped(own, ['@type', ...passed]) };
      const chosen = this.choose(text, module, settings, name.value, [...at, 'typed_config']);
      if (isFirst) this.chosen.set(formatPath(path), chosen);
      const span = config?.value ?? extension;
      const kept = own?.entries.filter(({ key }) => passed.includes(snake(key))) ?? [];
      const bare = mapNode({ '@type': nodeOf(TYPED_STAND_IN[module?.kind ?? 'list'], span) }, span);
      const standIn = { ...bare, entries: [...bare.entries, ...kept] };
      changed.set(extension, withField(extension, 'typed_config', standIn, config ? keySpan(config) : span));
    }
    if (changed.size === 0) return cluster;
    return withField(cluster, field.key, replaced(field.value, changed), keySpan(field));
  }

  /** Whether a name is that of a custom policy; other names are checked by the reader of clusters. */
  private refersToModule(text: string): boolean {
    return (
      !isProxyPolicy(text) && (isModuleName(text) || Object.hasOwn(this.given, text) || Object.hasOwn(EXTENSIONS, text))
    );
  }

  private find(text: string, node: SourceNode, path: Path): PolicyModule | undefined {
    if (isModuleName(text)) {
      const writtenIn = this.document.textOf(node);
      // Options apply to all files of the call.
      const file = writtenIn === undefined || writtenIn.option === true ? '' : writtenIn.file;
      this.modules.set(`${file}\n${text}`, { text, writtenIn: file, place: placeOf(this.document, node, path) });
    }
    if (!Object.hasOwn(this.given, text)) {
      const module = moduleOf(text);
      if (module === undefined) this.report(this.whyUnknown(text), node, path);
      return module;
    }
    const module = this.given[text];
    const wrong = shapeProblems(module);
    const taken = Object.hasOwn(EXTENSIONS, text) && module !== EXTENSIONS[text];
    if (taken) this.report(`${text} is the name of another policy already: give it another name`, node, path);
    for (const problem of wrong) this.report(`${text} is no policy: ${problem}`, node, path);
    return wrong.length > 0 || taken ? undefined : (module as PolicyModule);
  }

  /** One for all clusters that name it, so that their policies are the same. */
  private policyOf(text: string, module: PolicyModule): AddedPolicy {
    if (!Object.hasOwn(this.given, text)) return text as AddedPolicy;
    const known = this.foreign.get(text) ?? foreignPolicy(text, module);
    this.foreign.set(text, known);
    return known;
  }

  private whyUnknown(text: string): string {
    if (isModuleName(text)) return `${text} is not loaded: ${HOW}`;
    if (isProxyPolicy(text)) {
      return `${text} is the proxy's own: write lb_policy: ${text}, and its settings in a message of the proxy`;
    }
    const known = [...Object.keys(EXTENSIONS), ...Object.keys(this.given)];
    const close = nearest(text.toUpperCase(), known);
    const hint = close === undefined ? '' : `. Did you mean ${close}?`;
    return `${text} is no policy: there are ${known.join(', ')}, and files of modules${hint}`;
  }

  /** Also for a missing module, so that other problems of the cluster keep its name. */
  private choose(
    text: string,
    module: PolicyModule | undefined,
    settings: MapEntry | undefined,
    name: SourceNode,
    at: Path,
  ): ChosenPolicy {
    if (module === undefined) return { name: text as AddedPolicy, settings: {} };
    const given = settings?.value;
    if (given !== undefined && !isMap(given)) this.report(`settings of ${module.name} are a map`, given, at);
    const read = readSettings(module.settings ?? {}, isMap(given) ? given : undefined, module.name, name);
    for (const { at: span, setting, message } of read.problems) {
      this.report(message, span, setting === undefined ? at : [...at, setting], 'policy-settings');
    }
    return { name: this.policyOf(text, module), settings: read.settings };
  }

  private refuseStrangers(node: MapNode, known: readonly string[], path: Path): void {
    for (const entry of node.entries) {
      const { key } = entry;
      const message = `${key} is not a field here: there are ${known.join(', ')}`;
      if (!known.includes(snake(key))) this.report(message, keySpan(entry), [...path, key], 'unknown-field');
    }
  }

  /** They would have no effect, and the proxy's rules about them would mention the placeholder. */
  private refuseOtherBlocks(cluster: MapNode, policy: string, path: Path): void {
    for (const entry of cluster.entries) {
      const { key } = entry;
      const owner = POLICY_OF_BLOCK[snake(key)];
      if (owner === undefined) continue;
      const text = `${key} belongs to ${owner} and has no effect: ${policy} has settings of its own. Remove the block`;
      this.report(text, keySpan(entry), [...path, key], 'lb-config-mismatch', 'warning');
    }
  }

  private report(
    message: string,
    span: Span,
    path: Path,
    rule: Problem['rule'] = 'policy-module',
    severity: Problem['severity'] = 'error',
  ): void {
    this.problems.push({ severity, message, rule, ...placeOf(this.document, span, path) });
  }
}
