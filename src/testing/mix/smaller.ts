import type { Mix } from './mix.js';
import type { Json } from './mix-fields.js';

/** A part of a mix that can be left out: names of fields and positions in lists, from the outside in. */
export type PartPath = readonly (string | number)[];

/** What of a mix can be left out. */
interface Parts {
  readonly fields: Json;
  readonly assignment: Json;
  readonly updates: Mix['updates'];
  readonly matches: Mix['matches'];
}

/** All parts that can be left out, the largest first. */
export function partsOf({ plan, assignment, updates, matches }: Mix): readonly PartPath[] {
  const whole: Parts = { fields: plan.fields, assignment, updates, matches };
  return [...pathsIn(whole, [])].filter((path) => path.length > 1).sort((a, b) => a.length - b.length);
}

function* pathsIn(value: unknown, path: PartPath): Iterable<PartPath> {
  if (typeof value !== 'object' || value === null) return;
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, item] of entries) {
    const own = [...path, key];
    yield own;
    yield* pathsIn(item, own);
  }
}

/** The mix without these parts. */
export function without(mix: Mix, paths: readonly PartPath[]): Mix {
  const { plan, assignment, updates, matches } = mix;
  const gone = new Set(paths.map((path) => path.join('/')));
  const left = leftOf({ fields: plan.fields, assignment, updates, matches }, '', gone) as Parts;
  return {
    ...mix,
    plan: { ...plan, fields: left.fields },
    assignment: left.assignment,
    updates: left.updates,
    // Somebody has to ask.
    matches: left.matches.length > 0 ? left.matches : [undefined],
  };
}

function leftOf(value: unknown, at: string, gone: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const pathOf = (key: string | number): string => (at === '' ? String(key) : `${at}/${key}`);
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) =>
      gone.has(pathOf(index)) ? [] : [leftOf(item, pathOf(index), gone)],
    );
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !gone.has(pathOf(key)))
      .map(([key, item]) => [key, leftOf(item, pathOf(key), gone)]),
  );
}
