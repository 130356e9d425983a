import { isStruct, type JsonValue, type Struct } from '../core/values.js';

/** Runtime values by key: nested maps are keys with dots; a fraction `{numerator, denominator}` is a value. */
export const flattenRuntime = (values: Struct): Struct => Object.fromEntries(leaves(values, ''));

const leaves = (values: Struct, prefix: string): [string, JsonValue][] =>
  Object.entries(values).flatMap(([key, item]): [string, JsonValue][] =>
    isStruct(item) && !('numerator' in item) ? leaves(item, `${prefix}${key}.`) : [[prefix + key, item]],
  );
