import { type Document, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';

/** Small changes of a YAML or JSON text at places that the parser finds: the rest stays, comments and layout too. */

export type Path = readonly (string | number)[];

/** The text cannot be changed in this way; the message says why. */
export class CannotEdit extends Error {
  override readonly name = 'CannotEdit';
}

/** At the end of a list of the root, which may be new. @param entries in flow style: `{at: 3s, fail: 10.0.0.1:80}`. */
export function appendTo(text: string, list: string, entries: readonly string[]): string {
  const document = parsed(text);
  const root = document.contents;
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

function keyOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

function nested(path: Path, value: string): string {
  return path.reduceRight<string>((inner, step) => `{${step}: ${inner}}`, value);
}

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
function indentAt(text: string, offset: number): string {
  return ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
}

function afterLine(text: string, offset: number, piece: string): string {
  const end = text.indexOf('\n', Math.max(0, offset - 1));
  if (end < 0) return `${withLineEnd(text)}${piece}`;
  return text.slice(0, end + 1) + piece + text.slice(end + 1);
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
