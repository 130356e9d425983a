import { defined } from '../../core/values.js';
import type { Mix } from './mix.js';
import type { Json } from './mix-hosts.js';

/** A part of a mix that can be left out: names of fields and positions in lists, from the outside in. */
export type PartPath = readonly (string | number)[];

interface Parts {
  readonly fields: Json;
  readonly assignment: Json;
  readonly updates: Mix['updates'];
  readonly matches: Mix['matches'];
  readonly more: {
    readonly backup?: { readonly fields?: Json; readonly assignment?: Json };
    readonly wanted?: string;
    readonly routed?: Json;
    readonly timed?: Json;
  };
}

/** All parts that can be left out, the largest first. */
export const partsOf = (mix: Mix): readonly PartPath[] =>
  [...pathsIn(wholeOf(mix), [])].filter((path) => path.length > 1).sort((a, b) => a.length - b.length);

function wholeOf({ plan, assignment, updates, matches, backup, wanted, ...own }: Mix): Parts {
  const behind = backup && { fields: backup.plan.fields, assignment: backup.assignment };
  const more = defined({ backup: behind, wanted, routed: own.routed, timed: own.timed });
  return { fields: plan.fields, assignment, updates, matches, more };
}

function* pathsIn(value: unknown, path: PartPath): Iterable<PartPath> {
  if (typeof value !== 'object' || value === null) return;
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, item] of entries) {
    // A host is somewhere: it goes as a whole.
    if (key === 'endpoint') continue;
    const own = [...path, key];
    yield own;
    yield* pathsIn(item, own);
  }
}

export function without(mix: Mix, paths: readonly PartPath[]): Mix {
  const gone = new Set(paths.map((path) => path.join('/')));
  const left = leftOf(wholeOf(mix), '', gone) as Parts;
  const { backup, wanted, routed, timed } = left.more;
  return {
    ...mix,
    backup: mix.backup &&
      backup && { plan: { ...mix.backup.plan, fields: backup.fields ?? {} }, assignment: backup.assignment ?? {} },
    wanted,
    routed: backup && routed,
    // It is played all the same.
    timed: mix.timed && (timed ?? {}),
    plan: { ...mix.plan, fields: left.fields },
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
