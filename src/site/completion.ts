import { yamlLanguage } from '@codemirror/lang-yaml';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

/** Stands for what is being typed: a place without a character is in no node of the tree. */
const CURSOR = 'x';

type Node = ReturnType<ReturnType<typeof yamlLanguage.parser.parse>['resolveInner']>;

/**
 * By the parser of the editor, which makes a tree of unfinished texts, too.
 * @param lines up to the current one, which ends at the cursor.
 * @returns undefined inside of a comment.
 */
export function yamlPlace(lines: readonly string[]) {
  if (/(^|\s)#/.test(lines[lines.length - 1] ?? '')) return undefined;
  const text = lines.join('\n');
  const cursor = yamlLanguage.parser.parse(text + CURSOR).resolveInner(text.length + CURSOR.length, -1);
  const start = Math.min(cursor.from, text.length);
  const path: (string | null)[] = [];
  let expects: 'key' | 'value' | undefined;
  let map: Node | undefined;
  for (let node: Node = cursor; node.parent !== null; node = node.parent) {
    const { parent } = node;
    if (parent.name === 'Item') {
      path.unshift(null);
      expects ??= parent.parent?.name === 'FlowSequence' ? 'value' : 'key';
    } else if (parent.name === 'Pair' && node.name !== 'Key' && !isMadeUp(parent.parent, text)) {
      path.unshift(keyOf(parent, text));
      // A value in a line of its own becomes a map.
      expects ??= text.slice(parent.from, start).includes('\n') ? 'key' : 'value';
    } else if (parent.name.endsWith('Mapping') && !isMadeUp(parent, text)) {
      if (expects === undefined) map = parent;
      expects ??= 'key';
    }
  }
  const pairs = map?.getChildren('Pair').filter(({ to }) => to <= start) ?? [];
  const columnOf = (at: number): number => at - text.lastIndexOf('\n', at - 1);
  // A key at another column would be none of this map.
  if (map?.name === 'BlockMapping' && pairs.some(({ from }) => columnOf(from) !== columnOf(start))) return undefined;
  const typed = text.slice(start);
  const present = pairs.map((pair) => keyOf(pair, text));
  return {
    /** Keys from the root; null is an item of a list. */
    path,
    /** A key of the map at `path`, or the value at `path`. */
    expects: expects ?? 'key',
    typed: expects === 'value' ? typed : typed.replace(/^["']/, ''),
    /** Earlier keys of the map, as far as they are easy to find. */
    present,
  };
}

/** An unfinished item of a list in brackets is read as the key of a map without braces. */
const isMadeUp = (map: Node | null, text: string): boolean => map?.name === 'FlowMapping' && text[map.from] !== '{';

function keyOf(pair: Node, text: string): string {
  const { from, to } = pair.getChild('Key') ?? pair;
  return text.slice(from, to).replace(/^(["'])(.*)\1$/, '$2');
}

/** The part of JSON Schema that our own schema uses. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly deprecated?: boolean;
}

/** Completions at the end of the last line, and the length of what is typed already; undefined: none. */
export function proposals(root: Schema, lines: readonly string[]) {
  const place = yamlPlace(lines);
  if (place === undefined) return undefined;
  const schemas = place.path.reduce<readonly Schema[]>(
    (found, step) => found.flatMap((schema) => stepInto(schema, step, root)),
    variants(root, root),
  );
  const options =
    place.expects === 'key'
      ? schemas.flatMap((schema) => keysOf(schema, root)).filter(({ label }) => !place.present.includes(label))
      : schemas.flatMap(valuesOf);
  return { typed: place.typed, options: [...new Map(options.map((option) => [option.label, option])).values()] };
}

/** For the editor. */
export const schemaCompletion =
  (schema: Readonly<Record<string, unknown>>): ((context: CompletionContext) => CompletionResult | null) =>
  ({ state, pos, explicit }) => {
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    if (!explicit && !/[\w:{,-]\s?$/.test(before)) return null;
    const lines = [...state.doc.iterLines(1, line.number), before];
    const found = proposals(schema, lines);
    if (found === undefined || found.options.length === 0) return null;
    return { from: pos - found.typed.length, options: found.options, validFor: /^[\w.$-]*$/ };
  };

function stepInto(schema: Schema, step: string | null, root: Schema): readonly Schema[] {
  const { items, properties = {}, additionalProperties } = schema;
  if (step === null) return items === undefined ? [] : variants(items, root);
  const own = Object.hasOwn(properties, step) ? properties[step] : undefined;
  if (own !== undefined) return variants(own, root);
  return typeof additionalProperties === 'object' ? variants(additionalProperties, root) : [];
}

/** A schema without references and alternatives. */
function variants(schema: Schema, root: Schema, depth = 0): readonly Schema[] {
  // A reference to itself has no schema.
  if (depth > 8) return [];
  const { $ref, anyOf = [], oneOf = [] } = schema;
  const target = $ref === undefined ? undefined : root.$defs?.[$ref.replace('#/$defs/', '')];
  const more = [...(target === undefined ? [] : [target]), ...anyOf, ...oneOf];
  return [schema, ...more.flatMap((one) => variants(one, root, depth + 1))];
}

const keysOf = ({ properties = {} }: Schema, root: Schema): readonly Completion[] =>
  Object.entries(properties).map(([label, schema]) => {
    const kinds = variants(schema, root);
    const standard = kinds.find((one) => one.default !== undefined)?.default;
    const info = kinds.find((one) => one.description !== undefined)?.description;
    return {
      label,
      apply: `${label}: `,
      detail: standard === undefined ? '' : `default ${JSON.stringify(standard)}`,
      boost: kinds.some((one) => one.deprecated === true) ? -50 : 0,
      ...(info !== undefined && { info }),
    };
  });

function valuesOf({ enum: values = [], type, description }: Schema): readonly Completion[] {
  const known = type === 'boolean' ? [true, false] : values;
  return known.map((value) => ({ label: String(value), ...(description !== undefined && { info: description }) }));
}
