import type { Schema } from '../schema.js';
import { protobuf, reading } from '../combinators.js';
import { describe } from '../error-words.js';
import { plainKind } from './plain-scalars.js';

/** Base64, standard or URL-safe, with or without padding. */
export function bytes({ minLength = 0 }: { readonly minLength?: number } = {}): Schema<Uint8Array> {
  const schema = reading<Uint8Array>('bytes', (node, walk) => {
    const value = node.kind === 'scalar' && plainKind(node, walk) === 'string' ? fromBase64(node.text) : undefined;
    if (value === undefined) return walk.error('type', `expected base64, found ${describe(node)}`, node);
    return value.length < minLength ? walk.error('required', 'must not be empty', node) : value;
  });
  const json = { type: 'string', pattern: '^[-_A-Za-z0-9+/]*={0,2}$' };
  return protobuf(schema, { limits: minLength > 0 ? 'not empty' : '', json: () => json });
}

function fromBase64(text: string): Uint8Array | undefined {
  const bare = text.replace(/={0,2}$/, '');
  // Padding may be left out, but not in part.
  if (bare.length < text.length && text.length % 4 !== 0) return undefined;
  const digits = bare.replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z\d+/]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(digits), (byte) => byte.charCodeAt(0));
}
