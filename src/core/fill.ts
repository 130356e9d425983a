import { count, counted, decimal, listed, millis, percent, seconds } from './words.js';

/** Words with places for values, as sentences.yaml explains; or several, of which the value named `by` chooses one. */
export type Sentence = string | { readonly by: string; readonly [value: string]: Sentence };

const OPTIONAL = /\[([^\]]*)\]/g;
const PLACE = /\{(\w+)(?::([^}]*))?\}/g;

/** A sentence with the values of a fact. An empty list counts as absent. */
export function fill(sentence: Sentence, values: object): string {
  const known = new Map<string, unknown>(Object.entries(values));
  const isThere = (name = ''): boolean => {
    const value = known.get(name);
    return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  };
  let chosen = sentence;
  while (typeof chosen !== 'string') chosen = chosen[String(known.get(chosen.by))] ?? chosen['else'] ?? '';
  return chosen
    .replace(OPTIONAL, (_, part: string) => ([...part.matchAll(PLACE)].every(([, name]) => isThere(name)) ? part : ''))
    .replace(PLACE, (place, name: string, format?: string) =>
      isThere(name) ? formatted(known.get(name), format) : place,
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
  or: (items) => items.join(' or '),
  and: (items) => items.join(', and '),
};

const NUMBERS: Readonly<Record<string, (value: number) => string>> = {
  count,
  /** 0–1 in percent, with one digit; `part` with as few as needed. */
  share: (value) => percent(value),
  part: (value) => `${decimal(100 * value, 1)} %`,
  share2: (value) => percent(value, 2),
  percent: (value) => percent(value, 0),
  parts: (value) => `${decimal(100 * value, 3)} %`,
  /** At most so many digits. */
  round: (value) => String(Number(value.toFixed(1))),
  tenths: (value) => decimal(value, 1),
  hundredths: (value) => decimal(value, 2),
  exact: (value) => decimal(value, 3),
  thousandths: (value) => String(Number(value.toFixed(3))),
  ms: millis,
  s: seconds,
  /** Of milliseconds, in seconds from one on. */
  time: (ms) => (ms < 1000 ? millis(ms) : seconds(ms / 1000)),
};
