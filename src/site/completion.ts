import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

/** Where in a YAML text something is being typed. */
interface YamlPlace {
  /** Keys from the root; null is an item of a list. */
  readonly path: readonly (string | null)[];
  /** A key of the map at `path`, or the value at `path`. */
  readonly expects: 'key' | 'value';
  /** The part typed already. */
  readonly typed: string;
  /** Earlier keys of the map, as far as they are easy to find. */
  readonly present: readonly string[];
}

const KEY = /^("[^"]*"|'[^']*'|[^\s#:,[\]{}"'][^:,[\]{}]*):(?=\s|$)/;

interface Line {
  /** Columns of the dashes that it begins with. */
  readonly dashes: readonly number[];
  /** Column of what follows them. */
  readonly column: number;
  readonly key: string | undefined;
  /** What follows the key, or the dashes. */
  readonly rest: string;
}

/**
 * Reads indentation, and flow maps and lists that begin on the last line. No parser: unfinished text is rarely valid YAML.
 *
 * @param lines up to the current one, which ends at the cursor.
 * @returns undefined inside of a comment.
 */
export function yamlPlace(lines: readonly string[]): YamlPlace | undefined {
  const last = lines[lines.length - 1] ?? '';
  if (/(^|\s)#/.test(last)) return undefined;
  const line = readLine(last);
  const above = ancestorsOf(lines.slice(0, -1), line);
  const path = [...above.path, ...line.dashes.map(() => null)];
  if (line.key === undefined) {
    return flowPlace(line.rest, path) ?? { path, expects: 'key', typed: line.rest, present: above.present };
  }
  const value = [...path, line.key];
  return flowPlace(line.rest, value) ?? { path: value, expects: 'value', typed: line.rest, present: [] };
}

function readLine(text: string): Line {
  const dashes: number[] = [];
  let column = text.length - text.trimStart().length;
  let rest = text.slice(column);
  for (let dash = /^-(\s+|$)/.exec(rest); dash !== null; dash = /^-(\s+|$)/.exec(rest)) {
    dashes.push(column);
    column += dash[0].length;
    rest = rest.slice(dash[0].length);
  }
  const key = KEY.exec(rest);
  return {
    dashes,
    column,
    key: key?.[1] === undefined ? undefined : unquoted(key[1]),
    rest: key === null ? rest : rest.slice(key[0].length).trimStart(),
  };
}

function unquoted(key: string): string {
  return /^["'].*["']$/.test(key) ? key.slice(1, -1) : key;
}

/** The keys and items that `line` lies in, by indentation. */
function ancestorsOf(
  lines: readonly string[],
  line: Line,
): { readonly path: readonly (string | null)[]; readonly present: readonly string[] } {
  const path: (string | null)[] = [];
  const present: string[] = [];
  // A list may begin at the column of its own key.
  let inList = line.dashes.length > 0;
  let column = line.dashes[0] ?? line.column;
  let isOwnMap = !inList;
  for (const text of lines.toReversed()) {
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue;
    const { dashes, key, column: keyColumn } = readLine(text);
    if (!inList && keyColumn === column) {
      if (isOwnMap && key !== undefined) present.push(key);
      const [outer] = dashes;
      if (outer === undefined) continue;
      path.unshift(...dashes.map(() => null));
      [inList, column, isOwnMap] = [true, outer, false];
      continue;
    }
    const isParent = key !== undefined && (inList ? keyColumn <= column : keyColumn < column);
    if (!isParent || dashes.some((dash) => inList && dash === column)) continue;
    path.unshift(key);
    isOwnMap = false;
    const [outer] = dashes;
    if (outer === undefined) [inList, column] = [false, keyColumn];
    else {
      path.unshift(...dashes.map(() => null));
      [inList, column] = [true, outer];
    }
  }
  return { path, present };
}

/** Inside of `{…` or `[…` that is still open; undefined: it is not. */
function flowPlace(text: string, path: readonly (string | null)[]): YamlPlace | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  const open: { readonly isMap: boolean; key: string | undefined; readonly present: string[] }[] = [];
  let piece = '';
  let quote = '';
  for (const character of text) {
    const inner = open[open.length - 1];
    if (quote !== '') {
      if (character === quote) quote = '';
      else piece += character;
      continue;
    }
    if (character === '"' || character === "'") quote = character;
    else if (character === '{' || character === '[') {
      open.push({ isMap: character === '{', key: undefined, present: [] });
      piece = '';
    } else if (character === '}' || character === ']') {
      open.pop();
      piece = '';
    } else if (character === ',' && inner !== undefined) {
      inner.key = undefined;
      piece = '';
    } else if (character === ':' && inner?.isMap === true && inner.key === undefined) {
      inner.key = piece.trim();
      inner.present.push(inner.key);
      piece = '';
    } else piece += character;
  }
  const inner = open[open.length - 1];
  if (inner === undefined) return undefined;
  const inside = open.flatMap(({ isMap, key }): (string | null)[] => {
    if (!isMap) return [null];
    return key === undefined ? [] : [key];
  });
  const isKey = inner.isMap && inner.key === undefined;
  return {
    path: [...path, ...inside],
    expects: isKey ? 'key' : 'value',
    typed: piece.trimStart(),
    present: isKey ? inner.present : [],
  };
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

/** A text to insert. */
export interface Proposal {
  readonly label: string;
  readonly insert: string;
  readonly detail: string;
  readonly info: string;
  readonly deprecated: boolean;
}

/** Completions at the end of the last line, and the length of what is typed already; undefined: none. */
export function proposals(
  root: Schema,
  lines: readonly string[],
): { readonly typed: string; readonly options: readonly Proposal[] } | undefined {
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

/** For the editor; the schema is loaded on demand. */
export function schemaCompletion(
  schema: () => Promise<Readonly<Record<string, unknown>>>,
): (context: CompletionContext) => Promise<CompletionResult | null> {
  let known: Promise<Readonly<Record<string, unknown>>> | undefined;
  return async ({ state, pos, explicit }) => {
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    if (!explicit && !/[\w:{,-]\s?$/.test(before)) return null;
    known ??= schema();
    const lines = [...state.doc.iterLines(1, line.number), before];
    const found = proposals(await known, lines);
    if (found === undefined || found.options.length === 0) return null;
    return {
      from: pos - found.typed.length,
      options: found.options.map(({ label, insert, detail, info, deprecated }): Completion => {
        const shown = { label, apply: insert, detail, boost: deprecated ? -50 : 0 };
        return info === '' ? shown : { ...shown, info };
      }),
      validFor: /^[\w.$-]*$/,
    };
  };
}

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

function keysOf({ properties = {} }: Schema, root: Schema): readonly Proposal[] {
  return Object.entries(properties).map(([label, schema]) => {
    const kinds = variants(schema, root);
    const standard = kinds.find((one) => one.default !== undefined)?.default;
    return {
      label,
      insert: `${label}: `,
      detail: standard === undefined ? '' : `default ${JSON.stringify(standard)}`,
      info: kinds.find((one) => one.description !== undefined)?.description ?? '',
      deprecated: kinds.some((one) => one.deprecated === true),
    };
  });
}

function valuesOf({ enum: values = [], type, description = '' }: Schema): readonly Proposal[] {
  const known = type === 'boolean' ? [true, false] : values;
  return known.map((value) => ({
    label: String(value),
    insert: String(value),
    detail: '',
    info: description,
    deprecated: false,
  }));
}
