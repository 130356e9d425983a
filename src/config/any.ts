import type { Messages } from './api/generated/read-messages.js';
import type { AnyValue } from '../core/json-value.js';
import { anySchema, type AnyOptions } from './reader/any-value.js';
import { apiSchema } from './reader/api-schema.js';
import type { Schema } from './reader/schema.js';

export { canonicalName } from '../core/proxy-names.js';
export { isProxyName, messageOfUrl, typeOfUrl } from './reader/any-value.js';

/** The message that an Any holds; undefined: it is of another type. @param type its name in v3, where v2 has another. */
export function messageIn<N extends keyof Messages>(
  any: AnyValue | undefined,
  name: N,
  type: string = name,
): Messages[N] | undefined {
  return any?.known === true && any.type === type ? (any.value as Messages[N]) : undefined;
}

export function any(options: AnyOptions): Schema<AnyValue> {
  return anySchema(options, apiSchema);
}
