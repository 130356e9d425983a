import { snake } from '../../config/reader/letter-case.js';
import { nearest } from '../../config/reader/error-words.js';
import type { JsonValue, Struct } from '../../core/values.js';
import { described } from '../../core/printable.js';
import type { SettingSchema, SettingsSchema } from '../../policy/foreign/policy-module.js';
import { keySpan, type Span } from '../../config/reader/spans.js';
import { isAbsent } from '../../config/source/trees.js';
import type { MapEntry, MapNode, SourceNode } from '../../config/source/document.js';
import { formatDuration } from '../../core/words.js';
import { parseDuration } from './units.js';

export interface SettingProblem {
  readonly at: Span;
  /** undefined: the settings as a whole. */
  readonly setting: string | undefined;
  readonly message: string;
}

/** Reads the settings of a policy by its schema. Every problem is reported; what is not set has its default. */
export function readSettings(
  schema: SettingsSchema,
  node: MapNode | undefined,
  policy: string,
  around: Span,
): { readonly settings: Struct; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const settings: Record<string, JsonValue> = {};
  const written = new Map<string, MapEntry>();
  /** Settings that are misspelt: they are not missing besides. */
  const meant = new Set<string>();
  const names = Object.keys(schema);
  for (const entry of node?.entries ?? []) {
    const name = snake(entry.key);
    const at = keySpan(entry);
    if (Object.hasOwn(schema, name)) {
      if (!isAbsent(entry.value)) written.set(name, entry);
      continue;
    }
    const close = nearest(name, names);
    if (close !== undefined) meant.add(close);
    const known = names.length === 0 ? 'it has none' : `there are ${names.join(', ')}`;
    const message = `${entry.key} is no setting of ${policy}: ${known}${close === undefined ? '' : `. Did you mean ${close}?`}`;
    problems.push({ at, setting: entry.key, message });
  }
  for (const [name, setting] of Object.entries(schema)) {
    const entry = written.get(name);
    if (entry === undefined) {
      const message = `${policy} needs the setting ${name}: ${expected(setting)}`;
      if (setting.default !== undefined) settings[name] = setting.default;
      else if (!meant.has(name)) problems.push({ at: around, setting: undefined, message });
      continue;
    }
    const value = valueOf(entry.value, setting);
    const wrong =
      value === undefined ? `expected ${expected(setting)}, found ${shown(entry.value)}` : boundProblem(value, setting);
    if (wrong === undefined) settings[name] = value as JsonValue;
    else problems.push({ at: entry.value, setting: entry.key, message: wrong });
  }
  return { settings, problems };
}

/** undefined: it is of another type. */
function valueOf(node: SourceNode, setting: SettingSchema): JsonValue | undefined {
  if (node.kind !== 'scalar') return undefined;
  const { text, quoted } = node;
  switch (setting.type) {
    case 'string':
      return text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'duration': {
      const parsed = parseDuration(text);
      return parsed.ok ? parsed.value : undefined;
    }
    case 'number':
    case 'integer': {
      const number = quoted || text.trim() === '' ? NaN : Number(text);
      if (!Number.isFinite(number)) return undefined;
      return setting.type === 'integer' && !Number.isInteger(number) ? undefined : number;
    }
  }
}

function boundProblem(value: JsonValue, setting: SettingSchema): string | undefined {
  if (setting.type === 'boolean') return undefined;
  if (setting.type === 'string') {
    const isKnown = setting.enum?.some((word) => word === value) ?? true;
    return isKnown ? undefined : `expected ${expected(setting)}, found ${described(value)}`;
  }
  const number = Number(value);
  const { minimum, exclusiveMinimum, maximum } = setting;
  const low =
    (minimum !== undefined && number < minimum) || (exclusiveMinimum !== undefined && number <= exclusiveMinimum);
  const high = maximum !== undefined && number > maximum;
  return low || high ? `expected ${expected(setting)}, found ${written(number, setting)}` : undefined;
}

/** What a setting takes, in words. */
export function expected(setting: SettingSchema): string {
  switch (setting.type) {
    case 'boolean':
      return 'true or false';
    case 'string':
      return setting.enum === undefined ? 'a text' : `one of ${setting.enum.join(', ')}`;
    case 'number':
    case 'integer':
    case 'duration': {
      const { minimum, exclusiveMinimum, maximum } = setting;
      const what = { number: 'a number', integer: 'a whole number', duration: 'a duration, as 250ms' }[setting.type];
      const limits = Object.entries({ 'at least': minimum, above: exclusiveMinimum, 'at most': maximum });
      const bounds = limits.flatMap(([word, limit]) =>
        limit === undefined ? [] : [`${word} ${written(limit, setting)}`],
      );
      return bounds.length === 0 ? what : `${what}, ${bounds.join(' and ')}`;
    }
  }
}

export const written = (value: number, { type }: SettingSchema): string =>
  type === 'duration' ? formatDuration(value) : String(value);

function shown(node: SourceNode): string {
  if (node.kind === 'map') return 'a map';
  return node.kind === 'list' ? 'a list' : node.text;
}
