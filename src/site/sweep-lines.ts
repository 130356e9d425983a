import { entryOf } from '../core/values.js';
import type { Sweep, SweepPoint } from '../index.js';
import { visible } from './number-format.js';

export interface SweepPicture {
  readonly sweep: Sweep;
  /** Those that are drawn. */
  readonly measures: readonly SweepMeasure[];
  /** Names of the varied fields, by path. */
  readonly fields: Readonly<Record<string, string>>;
  /** What was looked for, in a sentence; empty: nothing. */
  readonly answer: string;
}

export type SweepMeasure = Readonly<{ name: string; unit: '' | '%' | 'ms' }>;

export type SweepChart = ReturnType<typeof chartOf>;

/** More cannot be told apart. */
const MOST_LINES = 8;
const MOST_TICKS = 9;
/** Values that span more than this factor are drawn by their logarithms. */
const WIDE = 50;

/** The field that charts are drawn along at first: the one with most numbers. */
export function firstField({ sweep: { paths, results } }: SweepPicture): string {
  const counts = paths.map((path) => {
    const values = distinct(results, path);
    return values.some((value) => numberOf(value) === undefined) ? 0 : values.length;
  });
  return paths[counts.indexOf(Math.max(...counts))] ?? '';
}

/** @param along the field from left to right; there is a line for each combination of the others. */
export function chartOf({ sweep, fields }: SweepPicture, along: string, { name }: SweepMeasure) {
  const { results, paths, design } = sweep;
  const joined = design === 'grid';
  const values = distinct(results, along);
  const placeOf = placesOf(values);
  const others = joined ? paths.filter((path) => path !== along) : [];
  const lines = new Map<string, ReturnType<typeof dotAt>[]>();
  for (const { values: own, measures } of results) {
    const estimate = measures[name];
    if (estimate === undefined) continue;
    const words = (of: readonly string[]): string =>
      of.map((path) => `${visible(fields[path] ?? path, 40)} ${visible(own[path] ?? '', 40)}`).join(', ');
    entryOf(lines, words(others), () => []).push(dotAt(placeOf(own[along] ?? ''), estimate, words(paths)));
  }
  const all = [...lines].map(([line, dots]) => ({
    name: line === '' ? visible(name, 40) : line,
    dots: dots.sort((a, b) => a.x - b.x),
  }));
  const drawn = all.slice(0, MOST_LINES);
  return {
    lines: drawn,
    /** Lines beyond {@link MOST_LINES}. */
    left: all.length - drawn.length,
    /** Points of a grid follow each other; drawn ones do not. */
    joined,
    ticks: someOf(values.map((value) => ({ x: placeOf(value), text: visible(value, 24) })).sort((a, b) => a.x - b.x)),
    top: drawn.flatMap(({ dots }) => dots).reduce((most, { high }) => Math.max(most, high), 0),
  };
}

/** @param x left to right, 0–1. @param label all of its values, in words. */
function dotAt(x: number, { mean, low, high }: SweepPoint['measures'][string], label: string) {
  return { x, mean, low: low ?? mean, high: high ?? mean, label };
}

function distinct(results: readonly SweepPoint[], path: string): readonly string[] {
  return [...new Set(results.map(({ values }) => values[path] ?? ''))];
}

/** Numbers lie where they are, other values one after the other. */
function placesOf(values: readonly string[]): (value: string) => number {
  const numbers = values.map(numberOf);
  const known = numbers.filter((number) => number !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  if (known.length < values.length || low === high)
    return (value) => (values.indexOf(value) + 0.5) / Math.max(1, values.length);
  const scale = low > 0 && high / low > WIDE ? Math.log : (number: number): number => number;
  const place = (number: number): number => (scale(number) - scale(low)) / (scale(high) - scale(low));
  return (value) => place(numberOf(value) ?? low);
}

/** Of times, in seconds. */
const SECONDS: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** `4`, `10ms` or `100/s`; undefined: it is a word. */
function numberOf(value: string): number | undefined {
  const match = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)([a-z%/]*)$/i.exec(value);
  return match === null ? undefined : Number(match[1]) * (SECONDS[match[2] ?? ''] ?? 1);
}

function someOf<Tick>(ticks: readonly Tick[]): readonly Tick[] {
  if (ticks.length <= MOST_TICKS) return ticks;
  return Array.from(
    { length: MOST_TICKS },
    (_, place) => ticks[Math.round((place * (ticks.length - 1)) / (MOST_TICKS - 1))] as Tick,
  );
}
