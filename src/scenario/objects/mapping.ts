import type { SourceNode } from '../../config/source/document.js';
import { isMap, nodeOf, withField } from '../../config/source/trees.js';
import { sum, own } from '../../core/values.js';
import { OBJECTS } from './generated/objects.js';
import { type Draft, fieldNamed, isDraft, listIn, type Made, type Part } from './part.js';

/** A table of `objects.yaml`, which says what the words of it mean. */
export interface Section {
  readonly always?: { readonly [field: string]: Made };
  readonly by?: string;
  readonly of?: Readonly<Record<string, Section>>;
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
}

const { istio, gateway, consul } = OBJECTS;
const SECTIONS: Readonly<Record<string, Readonly<Record<string, Section>>>> = { istio, gateway, consul };

/** A message of v3, of the fields of an object that a table names. */
export function mapped(part: Part, { always = {}, by = '', of = {}, fields = {} }: Section): Draft {
  const draft: Draft = structuredClone(always);
  const [field = '', otherwise = ''] = by.split('=');
  if (by !== '') {
    const chosen = own(of, part.text(field) || otherwise);
    const words = Object.keys(of).filter((word) => word !== '');
    if (chosen === undefined) part.at(field).refuseValue(`one of ${words.join(', ')}`);
    else Object.assign(draft, mapped(part, chosen));
  }
  for (const [from, rows] of Object.entries(fields)) {
    const source = part.at(from);
    const { node } = source;
    if (node === undefined) continue;
    for (const row of [rows].flat()) {
      const [to = '', last = '', ...guards] = row.split(' ').reverse();
      const isMeant = guards.every((word) => converted(word, source, node) !== undefined);
      const value = converted(last, source, node);
      if (isMeant && (value !== undefined || last === 'none')) put(draft, to.split('.'), value);
    }
  }
  return draft;
}

/** The same; undefined: the table finds nothing. */
export function mappedIfAny(part: Part, section: Section): Draft | undefined {
  const draft = mapped(part, section);
  return Object.keys(draft).length === 0 ? undefined : draft;
}

/** An object with a value that a schema fills in, where what is around it is there. */
export function withDefault(
  node: SourceNode,
  [name = '', ...rest]: readonly string[],
  value: string | number | boolean | SourceNode,
): SourceNode {
  if (!isMap(node)) return node;
  const known = fieldNamed(node, name);
  if (rest.length > 0)
    return known === undefined ? node : withField(node, known.key, withDefault(known.value, rest, value), known.value);
  if (known !== undefined) return node;
  return withField(node, name, typeof value === 'object' ? value : nodeOf(value, node), node);
}

function put(draft: Draft, [name = '', ...rest]: readonly string[], value: Made | undefined): void {
  // `.`: it is a part of the same message.
  if (name === '') Object.assign(draft, value);
  else if (name.startsWith('+')) draft[name.slice(1)] = [...listIn(draft[name.slice(1)]), ...listIn(value)];
  else if (rest.length === 0) draft[name] = value;
  else {
    const known = draft[name];
    const inner: Draft = isDraft(known) ? { ...known } : {};
    draft[name] = inner;
    put(inner, rest, value);
  }
}

const CONVERSIONS: Readonly<Record<string, (part: Part, node: SourceNode) => Made | undefined>> = {
  positive: (part, node) => (part.number() === 0 ? undefined : node),
  true: (part, node) => (part.isTrue() ? node : undefined),
  fully: (part, node) => nodeOf((part.number() ?? 0) > 0 ? 100 : 0, node),
  hundredth: (part, node) => nodeOf((part.number() ?? 0) / 100, node),
  percent: (part, node) => nodeOf(percentOf(part) ?? 0, node),
  duration: durationOf,
  lasting: (part) => (secondsOf(part.text()) === 0 ? undefined : durationOf(part)),
  milliseconds: (part, node) => ((part.number() ?? 0) > 0 ? nodeOf(`${Number(part.text()) / 1000}s`, node) : undefined),
  separated: (part, node) =>
    part.text() === '/' ? { prefix: '/' } : { path_separated_prefix: nodeOf(part.text().replace(/\/$/, ''), node) },
  upper: (part, node) => nodeOf(part.text().toUpperCase(), node),
  joined: (part, node) => nodeOf(part.texts('').join(','), node),
  anyOf: (part, node) => nodeOf(part.texts('').join('|'), node),
  conditions: conditionsOf,
  codes: (part) => {
    const codes = wordsOf(part).filter(isCode).map(Number);
    return codes.length > 0 ? codes : undefined;
  },
  pairs: (part) => part.entries('').map(([name, value]) => ({ name, value: value.node })),
  ranges: rangesOf,
  empty: () => ({}),
};

function converted(word: string, part: Part, node: SourceNode): Made | undefined {
  if (word === '') {
    part.ignore('');
    return node;
  }
  const [sign, other] = [word.charAt(0), word.slice(1)];
  if (sign === '=') return { kind: 'scalar', text: other, quoted: false, start: node.start, end: node.end };
  if (sign === '!') return part.text() === other ? undefined : node;
  if (sign === '?') return part.texts('').includes(other) ? node : undefined;
  const [kind = '', plane = '', name = ''] = word.split(/[:/]/);
  const section = SECTIONS[plane]?.[name] ?? {};
  if (kind === 'each') return part.items().map((one) => mapped(one, section));
  if (kind === 'in') return mapped(part, section);
  if (kind === 'only') return [mapped(part, section)];
  return own(CONVERSIONS, word)?.(part, node);
}

/** `numerator` in `denominator`, of 100 by default. */
export function percentOf(fraction: Part): number | undefined {
  const numerator = fraction.number('numerator');
  return numerator === undefined ? undefined : (100 * numerator) / (fraction.number('denominator') ?? 100);
}

/** `1m30s` in the seconds of protobuf. */
export function durationOf(part: Part): Made | undefined {
  const seconds = secondsOf(part.text());
  if (seconds === undefined) part.refuseValue('a duration such as 1m30s');
  return part.node && seconds !== undefined ? nodeOf(`${Number(seconds.toFixed(9))}s`, part.node) : undefined;
}

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

export function secondsOf(text: string): number | undefined {
  if (text === '0') return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/g)];
  if (text === '' || parts.map(([whole]) => whole).join('') !== text) return undefined;
  return sum(parts.map(([, number, unit = '']) => Number(number) * (SECONDS[unit] ?? 0)));
}

const wordsOf = (part: Part): readonly string[] =>
  part
    .text()
    .split(',')
    .map((word) => word.trim());

const isCode = (word: string): boolean => /^[1-5]\d\d$/.test(word);

/** What is retried; the codes among it are one condition. */
function conditionsOf(part: Part): Made {
  const words = wordsOf(part);
  const own = words.some(isCode) ? ['retriable-status-codes'] : [];
  return [...new Set([...words.filter((word) => word !== '' && !isCode(word)), ...own])].join(',');
}

/** Codes as ranges, whose end is not in them: those that follow each other are one. */
function rangesOf(part: Part): Made {
  const ranges: { start: number; end: number }[] = [];
  for (const code of [...new Set(part.texts('').map(Number))].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.end === code) last.end += 1;
    else ranges.push({ start: code, end: code + 1 });
  }
  return ranges;
}
