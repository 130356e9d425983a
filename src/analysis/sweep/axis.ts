import type { ApiVersion } from '../../config/api/api.js';
import { NoAnswer } from '../../core/no-answer.js';
import type { Problem } from '../../core/problem.js';
import { RandomStreams } from '../../random/streams.js';
import type { Input } from '../../scenario/input/read-inputs.js';
import { maskedText } from '../../scenario/secret-words.js';
import { setsWithoutSecrets } from '../../scenario/secrets.js';

/** A sweep that cannot be: the message says which option is wrong, or what the scenario is with one of its values. */
export class NoSweep extends NoAnswer {
  /** @param problems of the scenario; none: it is an option. */
  constructor(
    message: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
  }
}

export interface Axis {
  /** As `--set` takes it. */
  readonly path: string;
  /** All its values are plain numbers, without units. */
  readonly isNumber: boolean;
  /** They are numbers between two ends: for a reader one is as good as another. */
  readonly isRange: boolean;
  /** How many values a grid has of it. */
  readonly size: number;
  /** The n-th of them, from 0, in the scenario's own words. */
  readonly at: (index: number) => string;
  /** A value at this place between the first and the last, 0–1 (1 excluded): of a range any, of a list one of its values. */
  readonly within: (place: number) => string;
}

const EXAMPLES =
  'as clusters.web.lb_policy=RANDOM,MAGLEV, endpoints.web[0].count=2..10 or workloads[0].arrivals=100/s..900/s:lin5';

/** A range of more points has no grid that anybody could want. */
const MOST_POINTS = 1_000_000_000;

/** Digits of a value that is worked out: times in milliseconds stay whole microseconds up to a second. */
const SIGNIFICANT = 4;

const RANGE =
  /^(\d+(?:\.\d+)?)([a-z%/]*)\.\.(\d+(?:\.\d+)?)([a-z%/]*)(?::(?:(lin|log)(\d+)|(\d+(?:\.\d+)?)([a-z%/]*)))?$/;

/**
 * Reads `PATH=a,b,c`, `PATH=LOW..HIGH` (whole steps), `LOW..HIGH:STEP`, `LOW..HIGH:linN` and `:logN` (N points, evenly
 * spaced or by equal factors). Numbers may have a unit: `10ms..100ms:lin4`.
 * @returns the axis, or what is wrong with the text.
 */
export function parseAxis(text: string): Axis | string {
  const equals = firstOutside(text, '=', 0);
  if (equals < 1) return `write a path and values, ${EXAMPLES}`;
  const path = text.slice(0, equals).trim();
  const values = text.slice(equals + 1).trim();
  const range = RANGE.exec(values);
  if (range !== null) return rangeAxis(path, range);
  const list = splitList(values);
  if (list.some((value) => value === ''))
    return `there is an empty value: write values with commas between them, ${EXAMPLES}`;
  return listAxis(path, list);
}

/** @throws NoSweep which says what is wrong with the text. */
export function axisOf(text: string): Axis {
  const axis = parseAxis(text);
  if (typeof axis === 'string') throw new NoSweep(maskedText(`--vary ${text}: ${axis}`));
  return axis;
}

export function axesOf(vary: readonly string[]): readonly Axis[] {
  const axes = vary.map(axisOf);
  const paths = axes.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) < index);
  if (twice !== undefined)
    throw new NoSweep(maskedText(`--vary ${twice} stands twice: write all of its values together`));
  return axes;
}

/** Values of an axis that are read before anything is run: the others differ from these in their numbers alone. */
const READ_FIRST = 20;

/** Changes that show whether the values of an axis can be, the first and the last among them. */
export function changesToRead({ path, size, at }: Axis): readonly string[] {
  const shown = Math.min(size, READ_FIRST);
  const indices = Array.from({ length: shown }, (_, n) => Math.round((n * (size - 1)) / Math.max(1, shown - 1)));
  return [...new Set(indices)].map((index) => `${path}=${at(index)}`);
}

/**
 * The same without what is secret where it is put: it changes no result, and results are told, stored and sent.
 *
 * @param set changes before those of the axis.
 */
export function axisWithoutSecrets(
  axis: Axis,
  inputs: readonly Input[],
  { set = [], api }: { readonly set?: readonly string[] | undefined; readonly api?: ApiVersion | undefined },
): Axis {
  const { path, isRange, size } = axis;
  // Of a range one, as its values are alike.
  const values = Array.from({ length: isRange ? 1 : size }, (_, index) => axis.at(index));
  const changes = values.map((value) => `${path}=${value}`);
  const words = setsWithoutSecrets([...set, ...changes], inputs, api).slice(set.length);
  const equals = firstOutside(words[0] ?? '', '=', 0);
  const other = new Map(values.map((value, index) => [value, words[index]?.slice(equals + 1) ?? value]));
  const [first = ''] = values;
  const isHidden = other.get(first) !== first;
  const shown = (value: string): string => (isRange && isHidden ? other.get(first) : other.get(value)) ?? value;
  return {
    ...axis,
    path: words[0]?.slice(0, equals) ?? path,
    isNumber: axis.isNumber && !isHidden,
    at: (index) => shown(axis.at(index)),
    within: (place) => shown(axis.within(place)),
  };
}

function listAxis(path: string, list: readonly string[]): Axis {
  const at = (index: number): string => list[index] ?? '';
  return {
    path,
    isNumber: list.every((text) => /^-?\d+(\.\d+)?$/.test(text)),
    isRange: false,
    size: list.length,
    at,
    within: (place) => at(Math.floor(place * list.length)),
  };
}

function rangeAxis(path: string, match: RegExpExecArray): Axis | string {
  const [text, lowText = '', lowUnit = '', highText = '', highUnit = '', spacing, points, stepText, stepUnit = ''] =
    match;
  const unit = highUnit === '' ? lowUnit : highUnit;
  const units = [lowUnit, highUnit, stepUnit].filter((one) => one !== '');
  if (units.some((one) => one !== unit)) return `${text}: both ends and the step have one unit`;
  const [low, high] = [Number(lowText), Number(highText)];
  if (low === high) return `${text}: it has one value: write ${lowText}${unit}`;
  if (low > high) return `${text}: it ends before it begins`;
  const whole = unit === '' && ![lowText, highText, stepText ?? ''].some((one) => one.includes('.'));
  if (spacing === 'log' && low === 0) return `${text}: no factor leads away from 0: begin above it`;
  const value = (exact: number): string =>
    `${whole ? Math.round(exact) : Number(exact.toPrecision(SIGNIFICANT))}${unit}`;
  const along = (place: number): number =>
    spacing === 'log' ? low * (high / low) ** place : low + (high - low) * place;
  // Each whole number is as likely as the others.
  const within = (place: number): string =>
    value(whole && spacing !== 'log' ? Math.floor(low + (high + 1 - low) * place) : along(place));
  if (points !== undefined) {
    const count = Number(points);
    if (count < 2 || count > 10_000) return `${text}: it has 2 to 10,000 points`;
    const list = [...new Set(Array.from({ length: count }, (_, index) => value(along(index / (count - 1)))))];
    return { ...listAxis(path, list), isRange: true, within };
  }
  const step = Number(stepText ?? 1);
  if (stepText === undefined && !/^\d+$/.test(lowText + highText))
    return `${text}: say how many points there are, as ${text}:lin5, or a step, as ${text}:0.1`;
  if (step === 0) return `${text}: its step is longer than 0`;
  const size = Math.floor((high - low) / step + 1e-9) + 1;
  if (size > MOST_POINTS)
    return `${text}: it has ${size.toLocaleString('en-US')} points, ${MOST_POINTS.toLocaleString('en-US')} at most`;
  return {
    path,
    isNumber: unit === '',
    isRange: true,
    size,
    at: (index) => `${Number((low + index * step).toPrecision(12))}${unit}`,
    within,
  };
}

function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; ;) {
    const comma = firstOutside(text, ',', from);
    parts.push(text.slice(from, comma < 0 ? undefined : comma).trim());
    if (comma < 0) return parts;
    from = comma + 1;
  }
}

/** Outside of brackets, braces and quotes; -1: nowhere. */
function firstOutside(text: string, wanted: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === '\\' && quote === '"') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if ('[{'.includes(character)) depth++;
    else if (']}'.includes(character)) depth--;
    else if (character === wanted && depth === 0) return at;
  }
  return -1;
}

/** The points of a sweep: which values the varied fields have, without holding them all. */
export interface Design {
  readonly kind: 'grid' | 'random' | 'latin-hypercube';
  readonly paths: readonly string[];
  /** Of each path, whether all its values are plain numbers. */
  readonly areNumbers: readonly boolean[];
  readonly size: number;
  /** The values of the n-th point, from 0, in the order of the paths. */
  readonly at: (index: number) => readonly string[];
}

/** Every combination; the last axis changes fastest. */
export function grid(axes: readonly Axis[]): Design {
  const size = axes.reduce((product, axis) => product * axis.size, 1);
  return {
    kind: 'grid',
    ...fieldsOf(axes),
    size,
    at(index) {
      let rest = index;
      const values: string[] = [];
      for (const axis of [...axes].reverse()) {
        values.unshift(axis.at(rest % axis.size));
        rest = Math.floor(rest / axis.size);
      }
      return values;
    },
  };
}

/** So many points drawn independently. */
export function randomDesign(axes: readonly Axis[], size: number, seed: string): Design {
  const places = axes.map(() => new Float64Array(size));
  const streams = axes.map(({ path }) => new RandomStreams(seed).stream(`sweep/random/${path}`));
  for (let point = 0; point < size; point++)
    places.forEach((place, axis) => (place[point] = streams[axis]?.uniform() ?? 0));
  return drawn('random', axes, places);
}

/** Each axis has a point in each of `size` equal parts. Source: McKay, Beckman and Conover, Technometrics 21 (1979). */
export function latinHypercube(axes: readonly Axis[], size: number, seed: string): Design {
  const places = axes.map(({ path }) => {
    const stream = new RandomStreams(seed).stream(`sweep/latin-hypercube/${path}`);
    const parts = Float64Array.from({ length: size }, (_, part) => part);
    for (let last = size - 1; last > 0; last--) {
      const other = Math.floor(stream.uniform() * (last + 1));
      [parts[last], parts[other]] = [parts[other] as number, parts[last] as number];
    }
    return parts.map((part) => (part + stream.uniform()) / size);
  });
  return drawn('latin-hypercube', axes, places);
}

/** @param places by axis and point, 0–1. */
const drawn = (kind: Design['kind'], axes: readonly Axis[], places: readonly Float64Array[]): Design => ({
  kind,
  ...fieldsOf(axes),
  size: places[0]?.length ?? 0,
  at: (index) => axes.map((axis, number) => axis.within(places[number]?.[index] ?? 0)),
});

function fieldsOf(axes: readonly Axis[]): Pick<Design, 'paths' | 'areNumbers'> {
  return { paths: axes.map(({ path }) => path), areNumbers: axes.map(({ isNumber }) => isNumber) };
}
