import { anySchema, type AnyOptions, type AnyValue } from './reader/any-value.js';
import { apiSchema } from './reader/api-schema.js';
import type { Schema } from './reader/schema.js';

export { canonicalName } from '../core/proxy-names.js';
export { isProxyName, messageOfUrl, typeOfUrl, type AnyValue } from './reader/any-value.js';

/** An Any at an extension point. */
export function any(options: AnyOptions): Schema<AnyValue> {
  return anySchema(options, apiSchema);
}
