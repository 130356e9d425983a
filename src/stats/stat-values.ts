import { entryOf } from '../core/lists.js';

export type StatValues = Readonly<{ counters: Record<string, number>; gauges: Record<string, number> }>;

/** Writes plain counts under their names: `upstreamCxTotal` becomes `<prefix>upstream_cx_total`. */
export function writeCounts(into: Record<string, number>, counts: Readonly<Record<string, number>>, prefix = ''): void {
  for (const field of Object.keys(counts)) into[prefix + snakeCase(field)] = counts[field] as number;
}

const inSnakeCase = new Map<string, string>();

/** Cached: the same few fields for each cluster. */
function snakeCase(field: string): string {
  return entryOf(inSnakeCase, field, () => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
