import {
  count,
  counted,
  decimal,
  formatDuration,
  listed,
  millis,
  percent,
  proseDuration,
  seconds,
  someOf,
} from './words.js';

/**
 * Words with places for values, as sentences.yaml explains; null: none. Instead of a text there may be several, of which the value named
 * `by` chooses one; a sentence for `each` item of a list; or sentences `with` others as values.
 */
export type Sentence = string | null | { readonly [part: string]: Sentence };

type Values = ReadonlyMap<string, unknown>;

const OPTIONAL = /\[([^\]]*)\]/g;
const PLACE = /\{([\w.]+)(?::([^}]*))?\}/g;

/** A sentence with the values of a fact. An empty list counts as absent. Requests `over_tcp` are called connections. */
export function fill(sentence: Sentence, values: object): string {
  const text = said(sentence, new Map(Object.entries(values)));
  return typeof text === 'string' ? text : '';
}

function said(sentence: Sentence, known: Values): unknown {
  if (typeof sentence === 'string') return placed(sentence, known);
  const { with: parts, each, say = null, by } = sentence ?? {};
  if (typeof parts === 'object') {
    const all = new Map(known);
    for (const [name, part] of Object.entries(parts ?? {})) all.set(name, said(part, all));
    return said(say, all);
  }
  if (typeof each === 'string') {
    const items = [valueAt(each, known) ?? []].flat();
    return items.map((item) => said(say, new Map([...known, ...Object.entries(isTable(item) ? item : { it: item })])));
  }
  if (typeof by !== 'string' || sentence === null) return undefined;
  const chosen = String(valueAt(by, known));
  return said(sentence[Object.hasOwn(sentence, chosen) ? chosen : 'else'] ?? null, known);
}

const isTable = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** @param path as `cover.percent`, or `hosts.length`. */
function valueAt(path: string, known: Values): unknown {
  const [first = '', ...fields] = path.split('.');
  return fields.reduce<unknown>((value, field) => {
    if (Array.isArray(value)) return value.length;
    return isTable(value) ? new Map<string, unknown>(Object.entries(value)).get(field) : undefined;
  }, known.get(first));
}

/** Places are left alone: "{requests:request|requests}" keeps its first name. */
const REQUEST = /(?<![{\w])([Rr])equest(?=s?\b)/g;

function placed(written: string, known: Values): string {
  const noun = (_: string, first: string): string => (first === 'R' ? 'Connection' : 'connection');
  const text = known.get('over_tcp') === true ? written.replace(REQUEST, noun) : written;
  const isThere = (name = ''): boolean => {
    const value = valueAt(name, known);
    return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  };
  return text
    .replace(OPTIONAL, (_, part: string) => ([...part.matchAll(PLACE)].every(([, name]) => isThere(name)) ? part : ''))
    .replace(PLACE, (place, name: string, format?: string) =>
      isThere(name) ? formatted(valueAt(name, known), format) : place,
    );
}

function formatted(value: unknown, format: string | undefined): string {
  if (format === undefined) return String(value);
  if (Array.isArray(value)) return LISTS[format]?.(value.map(String)) ?? '';
  const [one = '', more] = format.split('|');
  return more === undefined ? (NUMBERS[format]?.(Number(value)) ?? '') : counted(Number(value), one, more);
}

const LISTS: Readonly<Record<string, (items: readonly string[]) => string>> = {
  list: listed,
  commas: (items) => items.join(', '),
  close: (items) => items.join(','),
  semicolons: (items) => items.join('; '),
  ratio: (items) => items.join(' : '),
  both: (items) => items.join(' and '),
  or: (items) => items.join(' or '),
  and: (items) => items.join(', and '),
  /** The first of them, and how many more. */
  some4: (items) => someOf(items, 4),
  some5: (items) => someOf(items, 5),
};

const NUMBERS: Readonly<Record<string, (value: number) => string>> = {
  count,
  /** 0–1 in percent, with one digit; `part` with as few as needed, and more of what is small. */
  share: (value) => percent(value),
  part: (value) => `${decimal(100 * value, value < 0.001 ? 3 : 1)} %`,
  share2: (value) => percent(value, 2),
  percent: (value) => percent(value, 0),
  part2: (value) => `${decimal(100 * value, 2)} %`,
  parts: (value) => `${decimal(100 * value, 3)} %`,
  /** At most so many digits. */
  round: (value) => String(Number(value.toFixed(1))),
  tenths: (value) => decimal(value, 1),
  hundredths: (value) => decimal(value, 2),
  exact: (value) => decimal(value, 3),
  thousandths: (value) => String(Number(value.toFixed(3))),
  /** So many significant ones. */
  figures2: (value) => value.toPrecision(2),
  figures4: (value) => String(Number(value.toPrecision(4))),
  /** Of microseconds: "250ms", and "250 ms". */
  duration: formatDuration,
  prose: proseDuration,
  ms: millis,
  s: seconds,
  /** Three significant digits. */
  short_s: (value) => `${decimal(Number(value.toPrecision(3)), 3)} s`,
  /** Of milliseconds, in seconds from one on. */
  time: (ms) => (ms < 1000 ? millis(ms) : seconds(ms / 1000)),
};
