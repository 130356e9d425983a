import type { SourceNode } from '../../config/reader.js';
import { isMap, nodeOf, withField } from '../../config/source/trees.js';
import { own } from '../../core/own.js';
import { OBJECTS } from './generated/objects.js';
import { type Draft, draftIn, fieldNamed, type Made, type Part } from './part.js';

/** A table of `objects.yaml`: what is always there, and where each field of an object goes. */
export interface Section {
  readonly always?: { readonly [field: string]: Made };
  /** Of each field `[conversion] where`, or several of these. */
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
  /** `field=default`: of these, the section that this field names holds, too. */
  readonly by?: string;
  readonly of?: Readonly<Record<string, Section>>;
  /** What a schema fills in, where what is around it is there. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
}

const SECTIONS: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
  istio: OBJECTS.istio,
  gateway: OBJECTS.gateway,
  consul: OBJECTS.consul,
};

/** A message of v3, of the fields of an object that a table names. */
export function mapped(part: Part, { always = {}, fields = {}, by, of = {} }: Section): Draft {
  const draft: Draft = structuredClone(always);
  for (const [from, rows] of Object.entries(fields)) {
    const source = part.at(from);
    if (!source.isThere) continue;
    for (const row of [rows].flat()) {
      const [to = '', conversion = 'same'] = row.split(' ').reverse();
      const value = converted(conversion, source);
      if (value !== undefined) put(draft, to.split('.'), value);
    }
  }
  const [field = '', otherwise = ''] = by?.split('=') ?? [];
  const chosen = field === '' ? undefined : own(of, part.at(field).text ?? otherwise);
  return chosen === undefined ? draft : { ...draft, ...mapped(part, chosen) };
}

/** The same; undefined: the table finds nothing. */
export function mappedIfAny(part: Part, section: Section): Draft | undefined {
  const draft = mapped(part, section);
  return Object.keys(draft).length === 0 ? undefined : draft;
}

/** An object with what its schema fills in, where what is around it is there. */
export function withDefaults(node: SourceNode, defaults: Section['defaults'] = {}): SourceNode {
  return Object.entries(defaults).reduce((root, [path, value]) => filled(root, path.split('.'), value), node);
}

function filled(
  node: SourceNode,
  [name = '', ...rest]: readonly string[],
  value: string | number | boolean,
): SourceNode {
  if (!isMap(node)) return node;
  const known = fieldNamed(node, name);
  if (rest.length === 0) return known === undefined ? withField(node, name, nodeOf(value, node), node) : node;
  return known === undefined ? node : withField(node, known.key, filled(known.value, rest, value), known.value);
}

function put(draft: Draft, [name = '', ...rest]: readonly string[], value: Made): void {
  // `.`: it is a part of the same message.
  if (name === '') Object.assign(draft, value);
  else if (rest.length === 0) draft[name] = value;
  else put(draftIn(draft, name), rest, value);
}

function converted(conversion: string, part: Part): Made | undefined {
  const { node, number } = part;
  if (node === undefined) return undefined;
  const at = (value: string | number): Made => nodeOf(value, node);
  const [word = '', section = ''] = conversion.split(':');
  const [plane = '', name = ''] = section.split('/');
  const inner = SECTIONS[plane]?.[name] ?? {};
  if (word === 'each') return part.items.map((one) => mapped(one, inner));
  if (word === 'in') return mapped(part, inner);
  if (word === 'only') return [mapped(part, inner)];
  const choice = own(VALUES, conversion);
  if (choice !== undefined) {
    const value = own(choice, part.text ?? '');
    if (value === undefined && part.text !== undefined) part.refuse(`one of ${Object.keys(choice).join(', ')}`);
    return value;
  }
  switch (conversion) {
    // Zero cannot be told from nothing.
    case 'positive':
      return number === 0 ? undefined : node;
    case 'fully':
      return number === undefined ? node : at(number > 0 ? 100 : 0);
    case 'some':
      return number === 0 ? undefined : at(100);
    case 'hundred':
      return at(100);
    case 'hundredth':
      return number === undefined ? node : at(number / 100);
    case 'duration':
      return durationOf(part);
    case 'lasting':
      return secondsOf(part.text ?? '') === 0 ? undefined : durationOf(part);
    case 'milliseconds':
      return number === undefined || number <= 0 ? undefined : at(`${number / 1000}s`);
    case 'separated':
      return part.text === '/' ? { prefix: '/' } : { path_separated_prefix: at((part.text ?? '').replace(/\/$/, '')) };
    case 'upper':
      return at((part.text ?? '').toUpperCase());
    case 'joined':
      return at(part.texts.join(','));
    case 'ranges':
      return rangesOf(part);
    case 'pairs':
      return part.entries.map(([key, value]) => ({ name: key, value: value.node }));
    case 'present':
      return {};
    case 'true':
      return part.isTrue ? node : undefined;
    default:
      return part.items.length > 0 ? part.items.map((item) => item.node ?? '') : node;
  }
}

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = OBJECTS.values;

/** `1m30s` in the seconds of protobuf. */
export function durationOf(part: Part): Made | undefined {
  const { node, text } = part;
  const seconds = secondsOf(text ?? '');
  if (seconds === undefined) part.refuse('a duration such as 1m30s');
  return node === undefined || seconds === undefined ? undefined : nodeOf(`${Number(seconds.toFixed(9))}s`, node);
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

export function secondsOf(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|us|µs|ns|m|s))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/g);
  return [...parts].reduce((sum, [, number, unit]) => sum + Number(number) * (UNITS[unit ?? ''] ?? 0), 0);
}

/** Codes as ranges, whose end is not in them: those that follow each other are one. */
function rangesOf(part: Part): Made {
  const codes = [...new Set(part.texts.map(Number))].sort((a, b) => a - b);
  const ranges: { start: number; end: number }[] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last?.end === code) last.end += 1;
    else ranges.push({ start: code, end: code + 1 });
  }
  return ranges;
}
