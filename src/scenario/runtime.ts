import type { Schema } from '../config/reader.js';
import { flattenRuntime } from '../config/runtime.js';
import type { Struct } from '../core/json-value.js';
import { StructMap } from './fields.js';

/** Runtime values by key, as in the proxy's static layer. */
export const RuntimeMap: Schema<Struct> = StructMap.transform((value) => flattenRuntime(value));
