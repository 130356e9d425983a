import { RandomStreams } from '../../random/streams.js';
import type { Axis } from './axis.js';

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
  for (let point = 0; point < size; point++) {
    places.forEach((place, axis) => (place[point] = streams[axis]?.uniform() ?? 0));
  }
  return drawn('random', axes, places);
}

/**
 * So many points of which each axis is covered evenly: one in each of as many equal parts.
 *
 * Source: McKay, Beckman and Conover, Technometrics 21 (1979).
 */
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
function drawn(kind: Design['kind'], axes: readonly Axis[], places: readonly Float64Array[]): Design {
  return {
    kind,
    ...fieldsOf(axes),
    size: places[0]?.length ?? 0,
    at: (index) => axes.map((axis, number) => axis.within(places[number]?.[index] ?? 0)),
  };
}

function fieldsOf(axes: readonly Axis[]): Pick<Design, 'paths' | 'areNumbers'> {
  return { paths: axes.map(({ path }) => path), areNumbers: axes.map(({ isNumber }) => isNumber) };
}
