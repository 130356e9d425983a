import type { Schema } from '../config/reader.js';
import type { JsonValue, Struct } from '../core/json.js';
import { StructMap } from './fields.js';

/**
 * Runtime values by key. As in the proxy's static layer, nested maps are keys with dots
 * (`{upstream: {healthy_panic_threshold: 30}}`), except a fraction `{numerator, denominator}`, which is a value.
 */
export const RuntimeMap: Schema<Struct> = StructMap.transform((value) => flatten(value));

export function flatten(value: Struct): Struct {
  return Object.fromEntries(leaves(value, ''));
}

function leaves(value: Struct, prefix: string): [string, JsonValue][] {
  return Object.entries(value).flatMap(([key, item]): [string, JsonValue][] =>
    isMap(item) && !('numerator' in item) ? leaves(item, `${prefix}${key}.`) : [[prefix + key, item]],
  );
}

function isMap(value: JsonValue): value is Struct {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
