import type { ListNode, SourceDocument, MapNode, SourceNode, Span } from '../../config/reader.js';
import { check, camel, didYouMean, parseDocument, snake } from '../../config/reader.js';
import { POLICY_OF_BLOCK } from '../../config/cluster/cluster-rules.js';
import * as policyParts from '../../config/policy/policy.js';
import { withOtherLeaf } from '../../config/policy/of-cluster.js';
import { leafIn, LoadBalancingPolicy, policyList, settingNames } from '../../config/policy/read.js';
import * as trees from '../../config/source/trees.js';
import { addAll } from '../../core/values.js';
import { fileProblem, type Problem, type ProblemRule } from '../../core/problem.js';
import { lbPolicyName } from '../../policy/registry.js';
import { GivenPolicies } from '../modules/added-policies.js';

const TYPED = 'load_balancing_policy';

/** What stands for the file of problems of a change. */
export const labelOfSet = (option: string): string => `--set ${option.replaceAll(/[\r\n]/g, ' ')}`;

/**
 * `--set path=value`: a document with some of its values replaced. Each option is one more text of the document, so that
 * what it sets has a place like everything else.
 */
export function applySets(
  written: SourceDocument,
  sets: readonly string[],
  policies = new GivenPolicies(),
): { readonly document: SourceDocument; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  let document = written;
  for (const option of sets) {
    const label = labelOfSet(option);
    const refuse = (rule: ProblemRule, message: string): void => {
      problems.push(fileProblem(label, rule, message));
    };
    const [path] = PATH.exec(option) ?? [];
    const steps = path === undefined ? undefined : parsePath(path);
    if (path === undefined || steps === undefined) {
      refuse('set', 'write a path and a value, as clusters.backend.lb_policy=MAGLEV');
      continue;
    }
    const { root, nextStart: start } = document;
    const span = { start, end: start + path.length };
    const value = readValue(option.slice(path.length + 1), span.end + 1, refuse);
    if (value === undefined) continue;
    const replacement = new Replacement(value, span, document, policies);
    const result = replacement.in(root, rootSteps(root, steps), '');
    if (typeof result === 'string') refuse('set', result);
    else document = document.with({ file: label, text: option, json: false, option: true }, result);
    for (const block of replacement.left) {
      const message = `the file's ${block} is left out: it belongs to another policy`;
      problems.push({ ...fileProblem(label, 'set', message), severity: 'warning' });
    }
  }
  return { document, problems };
}

/** Up to the first `=` outside of brackets, in which a name may have any. */
const PATH = /^(?:[^[=]|\["(?:[^"\\]|\\.)*"\]|\[[^\]"]*\])*(?==)/;

/** One step of a path; `whole`: it was written in brackets and is not joined with its neighbours. */
type Step = Readonly<{ text: string; whole: boolean }>;

/** `clusters[0].metadata["a.b"].x` and `clusters.backend.lb_policy` */
function parsePath(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  const pattern = /\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.[\]]+)/y;
  const text = path.trim();
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [, index, quoted, word] = match;
    if (word !== undefined && text[match.index] !== '.' && steps.length > 0) return undefined;
    if (index !== undefined) steps.push({ text: index, whole: true });
    else if (quoted !== undefined) steps.push({ text: JSON.parse(`"${quoted}"`) as string, whole: true });
    else steps.push({ text: word ?? '', whole: false });
  }
  return steps.length === 0 || text.startsWith('.') ? undefined : steps;
}

/** Bare clusters and bootstraps take the paths of a scenario too: `clusters.backend.lb_policy`. */
function rootSteps(root: SourceNode, steps: readonly Step[]): readonly Step[] {
  if (!trees.isMap(root) || steps[0]?.text !== 'clusters') return steps;
  const has = (name: string): boolean => root.entries.some(({ key }) => key === name || key === camel(name));
  if (has('clusters')) return steps;
  if (has('static_resources')) return [{ text: 'static_resources', whole: true }, ...steps];
  const name = trees.textOf(root.entries.find(({ key }) => key === 'name')?.value);
  for (let used = 2; used <= steps.length; used++)
    if (join(steps.slice(1, used)) === name || (used === 2 && steps[1]?.text === '0')) return steps.slice(used);
  return steps;
}

const join = (steps: readonly Step[]): string => steps.map((step) => step.text).join('.');

/** One value on its way to its place; `left` is what of the file had to go for it. */
class Replacement {
  readonly left: string[] = [];

  constructor(
    private readonly value: SourceNode,
    private readonly span: Span,
    private readonly document: SourceDocument,
    private readonly policies: GivenPolicies,
  ) {}

  /** @param at the path of the node. @returns the node with the value in its place, or why there is no such place. */
  in(node: SourceNode, steps: readonly Step[], at: string): SourceNode | string {
    if (steps.length === 0) return this.instead(node, at);
    if (trees.isAbsent(node)) return this.create(steps);
    if (node.kind === 'scalar') return `${at} is ${JSON.stringify(node.text)}: it has no ${join(steps)}`;
    return node.kind === 'list' ? this.inList(node, steps, at) : this.inMap(node, steps, at);
  }

  /** A typed message keeps its type, and a policy what other clusters have in fields of their own. */
  private instead(node: SourceNode, at: string): SourceNode | string {
    const { value } = this;
    if (!trees.isMap(node) || trees.fieldOf(node, '@type') === undefined) return value;
    if (!trees.isMap(value)) return `${at} is a mapping`;
    if (trees.fieldOf(value, '@type') !== undefined) return value;
    const kept = node.entries.filter(({ key }) => key === '@type' || policyParts.SHARED_PARTS.includes(snake(key)));
    return { ...value, entries: [...kept, ...value.entries] };
  }

  private inMap(node: MapNode, written: readonly Step[], at: string): SourceNode | string {
    const steps = inPolicy(node, written);
    if (typeof steps === 'string') return `${at}.${steps}`;
    for (let used = joinable(steps); used > 0; used--) {
      const name = join(steps.slice(0, used));
      const entry = node.entries.findLast(({ key }) => key === name || key === camel(name) || camel(key) === name);
      if (entry === undefined) continue;
      const replaced = this.in(entry.value, steps.slice(used), `${at}${at === '' ? '' : '.'}${entry.key}`);
      return typeof replaced === 'string' ? replaced : this.withField(node, entry.key, replaced, steps);
    }
    const [first, ...rest] = steps;
    return this.withField(node, first?.text ?? '', this.create(rest), steps);
  }

  private withField(node: MapNode, name: string, value: SourceNode, [step, ...more]: readonly Step[]): MapNode {
    const chooses = step !== undefined && more.length === 0 && snake(step.text) === 'lb_policy';
    const typed = chooses ? this.otherPolicy(node, trees.textOf(value) ?? '') : undefined;
    if (typed !== undefined) return typed;
    const changed = trees.withField(node, name, value, this.span);
    return chooses ? this.withoutOthers(changed, trees.textOf(value)) : changed;
  }

  /** A cluster with another policy, without settings of the old one: the proxy would refuse or ignore them. */
  private withoutOthers(cluster: MapNode, policy: string | undefined): MapNode {
    const left = cluster.entries.flatMap(({ key }) => {
      const owner = snake(key) === TYPED ? 'LOAD_BALANCING_POLICY_CONFIG' : POLICY_OF_BLOCK[snake(key)];
      return owner === undefined || owner === policy ? [] : [key];
    });
    addAll(this.left, left);
    return left.length === 0 ? cluster : trees.dropped(cluster, left);
  }

  /** A cluster with another policy in the place of its typed one; undefined: it has none, or there is no such policy. */
  private otherPolicy(cluster: MapNode, name: string): MapNode | undefined {
    const field = trees.fieldOf(cluster, TYPED);
    const other = this.policies.policyOf(name);
    const policy = this.typedPolicy(cluster);
    if (field === undefined || other === undefined || policy === undefined) return undefined;
    const leaf = policyParts.leafOf(policy);
    if (lbPolicyName(policyParts.nameOf(leaf)) === lbPolicyName(other)) return cluster;
    const changed = withOtherLeaf(policy, other);
    const kept = settingNames(policyParts.leafOf(changed));
    const isOwn = (setting: string): boolean =>
      setting !== policyParts.WEIGHTED &&
      (setting !== policyParts.LOCALITIES || policyParts.zoneAwareOf(leaf) !== undefined);
    addAll(
      this.left,
      settingNames(leaf).filter((setting) => isOwn(setting) && !kept.includes(setting)),
    );
    return trees.withField(cluster, field.key, trees.nodeOf(policyList(changed), field.value), this.span);
  }

  private typedPolicy(cluster: MapNode): policyParts.Policy | undefined {
    const field = trees.fieldOf(cluster, TYPED);
    if (field === undefined) return undefined;
    const { policies, document } = this;
    const options = { vocabulary: 'proxy', node: field.value, path: [TYPED], policies } as const;
    return check(LoadBalancingPolicy, document, options).value;
  }

  private inList(node: ListNode, steps: readonly Step[], at: string): SourceNode | string {
    const names = node.items.map(namesOf);
    for (let used = joinable(steps); used > 0; used--) {
      const name = join(steps.slice(0, used));
      const named = names.findIndex((list) => list.includes(name));
      const index = named < 0 && used === 1 && /^\d+$/.test(name) ? Number(name) : named;
      const item = node.items[index];
      if (item === undefined) continue;
      const replaced = this.in(item, steps.slice(used), `${at}[${index}]`);
      if (typeof replaced === 'string') return replaced;
      return { ...node, items: node.items.map((old, i) => (i === index ? replaced : old)) };
    }
    const wanted = steps[0]?.text ?? '';
    const known = names.flatMap((list) => list.slice(0, 1));
    if (/^\d+$/.test(wanted)) return `${at} has ${node.items.length} entries, from 0: there is no ${wanted}`;
    return known.length === 0
      ? `${at} is a list without names: write an index, as ${at}[0]`
      : `${at} has no entry ${wanted}${didYouMean(wanted, known) || `: there are ${known.join(', ')}`}`;
  }

  /** Maps, and for indices lists, around the value. */
  private create(steps: readonly Step[]): SourceNode {
    const [first, ...rest] = steps;
    if (first === undefined) return this.value;
    const inner = this.create(rest);
    if (first.text === '0') return trees.listNode([inner], this.span);
    return trees.mapNode({ [first.text]: inner }, this.span);
  }
}

/**
 * The same steps, and in a cluster with a typed policy those to the place where it has what other clusters have in fields of
 * their own. @returns a text: its policy has no such setting.
 */
function inPolicy(cluster: MapNode, steps: readonly Step[]): readonly Step[] | string {
  const field = trees.fieldOf(cluster, TYPED);
  const leaf = leafIn(field?.value);
  const setting = steps.map(({ text }) => snake(text));
  if (field === undefined || leaf === undefined || setting[0] === 'lb_policy') return steps;
  const { kind, name, path } = leaf;
  const place = policyParts.placeInPolicy(setting, kind === undefined ? { kind: 'by_name', policy: name } : { kind });
  if (place === 'own') return steps;
  if (place === 'none') return `${field.key} names ${kind?.toUpperCase() ?? name}, which has no ${join(steps)}`;
  return [field.key, ...path, ...place].map((step) => ({ text: String(step), whole: true }));
}

/** At most this many steps may form one name with dots. */
function joinable(steps: readonly Step[]): number {
  if (steps[0]?.whole === true) return 1;
  const end = steps.findIndex((step) => step.whole);
  return end < 0 ? steps.length : end;
}

/** Fields by which an entry of a list can be addressed. */
function namesOf(node: SourceNode): string[] {
  if (node.kind === 'scalar') return node.text === '' ? [] : [node.text];
  if (node.kind === 'list') return [];
  return ['name', 'cluster_name', 'clusterName', 'address', 'hostname'].flatMap(
    (field) => trees.textOf(node.entries.find(({ key }) => key === field)?.value) ?? [],
  );
}

/** The value of an option as YAML, with its places moved to where the option stands. */
function readValue(
  text: string,
  offset: number,
  refuse: (rule: ProblemRule, message: string) => void,
): SourceNode | undefined {
  if (text.trim() === '') return { kind: 'scalar', text: '', quoted: false, start: offset, end: offset };
  const { document, problems } = parseDocument(text, '', offset);
  for (const problem of problems) refuse(problem.rule, problem.message);
  return document?.root;
}
