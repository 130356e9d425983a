import { type Document, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { kindOf, type LocalityPicture } from './picture.js';
import { byKind } from '../../core/values.js';
import { fill, SENTENCES } from '../../words/fill.js';

/** Changes by one click. Each becomes lines of the scenario. */
export type Lever =
  /** They stop answering, and discovery says so. */
  | { readonly kind: 'kill'; readonly atS: number; readonly hosts: Hosts }
  | { readonly kind: 'revive'; readonly atS: number; readonly hosts: Hosts }
  /** Their answers take another time. */
  | { readonly kind: 'slow'; readonly atS: number; readonly hosts: Hosts; readonly serviceMs: number }
  | { readonly kind: 'weight'; readonly atS: number; readonly hosts: Hosts; readonly weight: number }
  | { readonly kind: 'rate'; readonly atS: number; readonly workload: string; readonly perSecond: number }
  | { readonly kind: 'policy'; readonly cluster: string; readonly policy: string }
  | { readonly kind: 'panic'; readonly cluster: string; readonly percent: number };

/** An address, or every host of a cluster in a locality. */
export type Hosts =
  | { readonly address: string }
  | { readonly addresses: readonly string[] }
  | { readonly cluster: string; readonly locality: LocalityPicture['parts'] };

/** @throws CannotEdit where the text has no place for it. */
export function pulled(text: string, lever: Lever): string {
  if ('atS' in lever) {
    const entries = stepsOf(lever).map((step) => `{at: ${lever.atS}s, ${step}}`);
    return appendTo(text, 'timeline', entries);
  }
  const index = namesIn(text, 'clusters').indexOf(lever.cluster);
  if (index < 0) throw new CannotEdit(`this text has no cluster ${lever.cluster}`);
  const cluster: Path = ['clusters', index];
  if (lever.kind === 'policy') return setIn(text, [...cluster, 'lb_policy'], quoted(lever.policy));
  return setIn(text, [...cluster, 'common_lb_config', 'healthy_panic_threshold', 'value'], String(lever.percent));
}

function stepsOf(lever: Extract<Lever, { readonly atS: number }>): readonly string[] {
  if (lever.kind === 'rate') return [`set_rate: {workload: ${quoted(lever.workload)}, rate: ${lever.perSecond}/s}`];
  if ('addresses' in lever.hosts)
    return lever.hosts.addresses.flatMap((address) => stepsOf({ ...lever, hosts: { address } }));
  return stepsFor(lever, selector(lever.hosts));
}

const stepsFor = byKind<Extract<Lever, { readonly hosts: Hosts }>, readonly string[], [hosts: string]>({
  kill: (_, hosts) => [`fail: ${hosts}`, `set_health: {hosts: ${hosts}, status: UNHEALTHY}`],
  revive: (_, hosts) => [`recover: ${hosts}`, `set_health: {hosts: ${hosts}, status: HEALTHY}`],
  slow: ({ serviceMs }, hosts) => [`set_behavior: {hosts: ${hosts}, service_time: ${serviceMs}ms}`],
  weight: ({ weight }, hosts) => [`set_weight: {hosts: ${hosts}, weight: ${weight}}`],
});

export const leverInWords = (lever: Lever): string =>
  fill(SENTENCES.levers, 'hosts' in lever ? { ...lever, hosts: hostsInWords(lever.hosts) } : lever);

function hostsInWords(hosts: Hosts): string {
  if ('address' in hosts) return hosts.address;
  if ('addresses' in hosts)
    return hosts.addresses.length === 1 ? (hosts.addresses[0] ?? '') : `${hosts.addresses.length} hosts`;
  const parts = Object.values(hosts.locality).filter((name) => name !== '');
  return `${kindOf(hosts.locality)} ${parts.join('/')}`;
}

function selector(hosts: Exclude<Hosts, { readonly addresses: readonly string[] }>): string {
  if ('address' in hosts) return quoted(hosts.address);
  const parts = Object.entries(hosts.locality).map(([part, name]) => `${part}: ${quoted(name)}`);
  const place = kindOf(hosts.locality) === 'zone' ? parts.join() : `locality: {${parts.join(', ')}}`;
  return `{cluster: ${quoted(hosts.cluster)}, ${place}}`;
}

/** JSON is YAML: any name stays one text. */
const quoted = (text: string): string =>
  /^[\w.-]+(?::\d+)?$/.test(text) && !/^[\d.]+$/.test(text) && !/^(?:true|false|null|yes|no|~)$/i.test(text)
    ? text
    : JSON.stringify(text);

/** Small changes of a YAML or JSON text at places that the parser finds: the rest stays, comments and layout too. */

type Path = readonly (string | number)[];

/** The text cannot be changed in this way; the message says why. */
export class CannotEdit extends Error {}

/** At the end of a list of the root, which may be new. @param entries in flow style: `{at: 3s, fail: 10.0.0.1:80}`. */
export function appendTo(text: string, list: string, entries: readonly string[]): string {
  const root = parsed(text).contents;
  if (!isMap(root)) throw new CannotEdit('this is no map');
  const pair = root.items.find((item) => keyOf(item) === list);
  if (pair === undefined) {
    if (root.flow === true) return intoFlow(text, root, `${list}: [${entries.join(', ')}]`);
    return `${withLineEnd(text)}${list}:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`;
  }
  const { value } = pair;
  if (!isSeq(value)) throw new CannotEdit(`${list} is no list`);
  if (value.flow === true) return intoFlow(text, value, entries.join(', '));
  const last = value.items[value.items.length - 1] as Node | undefined;
  const [first] = value.range ?? [0];
  const end = last?.range?.[1] ?? first;
  return afterLine(text, end, entries.map((entry) => `${indentAt(text, first)}- ${entry}\n`).join(''));
}

/** Sets a value; maps that lead to it are added. @param value in flow style. */
export function setIn(text: string, path: Path, value: string): string {
  let node: unknown = parsed(text).contents;
  for (const [depth, step] of path.entries()) {
    if (isSeq(node) && typeof step === 'number') {
      node = node.items[step];
      continue;
    }
    if (!isMap(node)) throw new CannotEdit(`${path.slice(0, depth).join('.')} is no map`);
    const pair = node.items.find((item) => keyOf(item) === String(step));
    if (pair === undefined) return addPair(text, node, String(step), nested(path.slice(depth + 1), value));
    node = pair.value;
  }
  const range = (node as Node | null | undefined)?.range;
  if (range === null || range === undefined) throw new CannotEdit(`${path.join('.')} has no value`);
  const [start, end] = range;
  // The range of a block ends with the line feed after it.
  const kept = text.slice(start, end).trimEnd().length;
  return text.slice(0, start) + value + text.slice(start + kept);
}

/** Names of the entries of a list of the root; undefined where one has none. */
export function namesIn(text: string, list: string): readonly (string | undefined)[] {
  const root = parsed(text).contents;
  const entries = isMap(root) ? root.get(list) : undefined;
  if (!isSeq(entries)) return [];
  return entries.items.map((entry) => {
    const name: unknown = isMap(entry) ? entry.get('name') : undefined;
    return typeof name === 'string' ? name : undefined;
  });
}

function parsed(text: string): Document {
  const document = parseDocument(text, { merge: false });
  if (document.errors.length > 0) throw new CannotEdit('the text has errors');
  return document;
}

const keyOf = ({ key }: Pair): string | undefined => (isScalar(key) ? String(key.value) : undefined);

const nested = (path: Path, value: string): string =>
  path.reduceRight<string>((inner, step) => `{${step}: ${inner}}`, value);

function addPair(text: string, map: Node & { readonly flow?: boolean }, key: string, value: string): string {
  if (map.flow === true) return intoFlow(text, map, `${key}: ${value}`);
  const [start, end] = map.range ?? [0, 0, 0];
  const block = text.slice(start, end).trimEnd();
  return afterLine(text, start + block.length, `${indentAt(text, start)}${key}: ${value}\n`);
}

/** Before the bracket that ends a list or map in flow style. */
function intoFlow(text: string, node: Node, piece: string): string {
  const [start, end] = node.range ?? [0, 0, 0];
  const close = end - 1;
  const inside = text.slice(start + 1, close);
  const separator = inside.trim() === '' || inside.trimEnd().endsWith(',') ? '' : ', ';
  const kept = start + 1 + inside.trimEnd().length;
  return text.slice(0, kept) + separator + piece + text.slice(kept);
}

/** Columns before an offset, as spaces: a dash before it counts as one. */
const indentAt = (text: string, offset: number): string =>
  ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));

function afterLine(text: string, offset: number, piece: string): string {
  const end = text.indexOf('\n', Math.max(0, offset - 1));
  if (end < 0) return `${withLineEnd(text)}${piece}`;
  return text.slice(0, end + 1) + piece + text.slice(end + 1);
}

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
