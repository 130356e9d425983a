import { camel, didYouMean, type ListNode, parseDocument, type SourceDocument } from '../../config/reader.js';
import type { MapNode, SourceNode } from '../../config/source/document.js';
import { fileProblem, type Problem, type ProblemRule } from '../../core/problem.js';
import { addAll } from '../../core/lists.js';
import type { Span } from '../../config/reader/spans.js';
import {
  dropped,
  fieldOf,
  isAbsent,
  isMap,
  listNode,
  mapNode,
  put,
  replaced,
  textOf,
  withField,
} from '../../config/source/trees.js';
import { type Modules, settingInPolicy, withOtherPolicy, withOwnSettings } from './set-typed-policy.js';
import { POLICY_OF_BLOCK } from '../../config/cluster/cluster-rules.js';
import { snake } from '../../config/reader/letter-case.js';

/** Overrides `lb_policy`. */
const TYPED_POLICY = 'load_balancing_policy';

/**
 * A cluster whose `lb_policy` was just set, without what belongs to another policy; and the blocks that were left out. A
 * `load_balancing_policy` gets the policy in the place of its own.
 */
function withoutOtherPolicies(
  cluster: MapNode,
  modules: Modules,
): {
  readonly cluster: MapNode;
  readonly left: readonly string[];
} {
  const policy = textOf(cluster.entries.findLast(({ key }) => snake(key) === 'lb_policy')?.value);
  const isOthers = (key: string): boolean => {
    const name = snake(key);
    if (name === TYPED_POLICY) return policy !== 'LOAD_BALANCING_POLICY_CONFIG';
    const owner = POLICY_OF_BLOCK[name];
    return owner !== undefined && owner !== policy;
  };
  const typed = fieldOf(cluster, TYPED_POLICY);
  const other =
    typed && policy !== undefined && isOthers(typed.key) ? withOtherPolicy(typed, policy, modules) : undefined;
  if (typed !== undefined && other !== undefined) {
    return { cluster: put(dropped(cluster, ['lb_policy']), typed.key, other.value, typed), left: other.left };
  }
  const left = cluster.entries.filter(({ key }) => isOthers(key)).map(({ key }) => key);
  return { cluster: left.length === 0 ? cluster : dropped(cluster, left), left };
}

/** Whether a step of a path is the field that chooses the policy. */
function choosesPolicy(field: string): boolean {
  return field === 'lb_policy' || field === camel('lb_policy');
}

/** What stands for the file of problems of a change. */
export function labelOfSet(option: string): string {
  return `--set ${option.replaceAll(/[\r\n]/g, ' ')}`;
}

/**
 * `--set path=value`: a document with some of its values replaced. Each option is one more text of the document, so that
 * what it sets has a place like everything else.
 *
 * @param modules loaded policies, by the names that files use.
 */
export function applySets(
  written: SourceDocument,
  sets: readonly string[],
  modules: Modules = {},
): { readonly document: SourceDocument; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  let document = written;
  for (const option of sets) {
    const label = labelOfSet(option);
    const refuse = (rule: ProblemRule, message: string): void => {
      problems.push(fileProblem(label, rule, message));
    };
    const equals = findEquals(option);
    const steps = equals < 0 ? undefined : parsePath(option.slice(0, equals));
    if (steps === undefined) {
      refuse('set', 'write a path and a value, as clusters.backend.lb_policy=MAGLEV');
      continue;
    }
    const { root, nextStart: start } = document;
    const span = { start, end: start + equals };
    const value = readValue(option.slice(equals + 1), start + equals + 1, refuse);
    if (value === undefined) continue;
    const replacement = new Replacement(value, span, modules);
    const result = replacement.in(root, rootSteps(root, steps), '');
    if (typeof result === 'string') refuse('set', result);
    for (const block of replacement.left) {
      const message = `the file's ${block} is left out: it belongs to another policy`;
      problems.push({ ...fileProblem(label, 'set', message), severity: 'warning' });
    }
    if (typeof result !== 'string')
      document = document.with({ file: label, text: option, json: false, option: true }, result);
  }
  return { document, problems };
}

/** The first `=` outside of brackets. */
function findEquals(option: string): number {
  let depth = 0;
  for (let at = 0; at < option.length; at++) {
    const character = option[at];
    if (character === '[') depth++;
    else if (character === ']') depth--;
    else if (character === '=' && depth === 0) return at;
  }
  return -1;
}

/** One step of a path; `whole`: it was written in brackets and is not joined with its neighbours. */
interface Step {
  readonly text: string;
  readonly whole: boolean;
}

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
  if (!isMap(root) || steps[0]?.text !== 'clusters') return steps;
  const has = (name: string): boolean => root.entries.some(({ key }) => key === name || key === camel(name));
  if (has('clusters')) return steps;
  if (has('static_resources')) return [{ text: 'static_resources', whole: true }, ...steps];
  const name = textOf(root.entries.find(({ key }) => key === 'name')?.value);
  for (let used = 2; used <= steps.length; used++) {
    if (join(steps.slice(1, used)) === name || (used === 2 && steps[1]?.text === '0')) return steps.slice(used);
  }
  return steps;
}

function join(steps: readonly Step[]): string {
  return steps.map((step) => step.text).join('.');
}

/** One value on its way to its place; `left` is what of the file had to go for it. */
class Replacement {
  readonly left: string[] = [];

  constructor(
    private readonly value: SourceNode,
    private readonly span: Span,
    private readonly modules: Modules,
  ) {}

  /**
   * @param at the path of the node.
   * @returns the node with the value in its place, or why there is no such place.
   */
  in(node: SourceNode, steps: readonly Step[], at: string): SourceNode | string {
    if (steps.length === 0) return this.value;
    if (isAbsent(node)) return this.create(steps);
    if (node.kind === 'scalar') return `${at} is ${JSON.stringify(node.text)}: it has no ${join(steps)}`;
    return node.kind === 'list' ? this.inList(node, steps, at) : this.inMap(node, steps, at);
  }

  private inMap(node: MapNode, steps: readonly Step[], at: string): SourceNode | string {
    const texts = steps.map(({ text }) => text);
    const typed = settingInPolicy(node, texts);
    if (typeof typed === 'string') return `${at}.${typed}`;
    if (typed !== undefined) {
      const { config, place } = typed;
      const inside = place.map((step) => ({ text: String(step), whole: true }));
      const value = this.in(config, inside, at);
      if (typeof value === 'string') return value;
      const isWhole = inside.length === 0;
      if (isWhole && !isMap(value)) return `${at}.${texts.join('.')} is a mapping`;
      return replaced(node, new Map([[config, isWhole && isMap(value) ? withOwnSettings(config, value) : value]]));
    }
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

  /** If a cluster gets another policy, settings of the old one are removed: the proxy would refuse or ignore them. */
  private withField(node: MapNode, name: string, value: SourceNode, [step, ...more]: readonly Step[]): MapNode {
    const changed = withField(node, name, value, this.span);
    if (step === undefined || more.length > 0 || !choosesPolicy(step.text)) return changed;
    const kept = withoutOtherPolicies(changed, this.modules);
    addAll(this.left, kept.left);
    return kept.cluster;
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
    if (first.text === '0') return listNode([inner], this.span);
    return mapNode({ [first.text]: inner }, this.span);
  }
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
    (field) => textOf(node.entries.find(({ key }) => key === field)?.value) ?? [],
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
