import type { ApiVersion } from '../api/api.js';
import { apiOf } from '../api/api.js';
import type { MapNode, SourceNode } from '../source/document.js';
import type { ApiReaders } from './api-fields.js';
import type { Walk } from './context.js';
import { distinct } from './duplicates.js';
import type { Read } from './schema.js';
import { INVALID } from './schema.js';
import { readStruct } from './proto/struct.js';
import { describe } from './words.js';

/** The API that has a message, and its full name there, by its type URL; undefined: neither has it. */
export function messageOfUrl(url: string): { readonly name: string; readonly version: ApiVersion } | undefined {
  const name = url.slice(url.lastIndexOf('/') + 1).replace(/^(?:envoy|proxy)\./, '');
  const version = (['v3', 'v2'] as const).find((one) => apiOf(one).has(name));
  return version === undefined ? undefined : { name, version };
}

/** Reads a message of the API that its type belongs to, whatever that of the file is. */
export function readInApi(read: Read, version: ApiVersion, node: SourceNode, walk: Walk): unknown {
  const outer = walk.api;
  walk.api = version;
  const value = read(node, walk);
  walk.api = outer;
  return value;
}

/** `google.protobuf.Any` at a place that means nothing here: known messages are checked, others taken as they are. */
export function anyReader(message: ApiReaders['message']): Read {
  return (node, walk) => {
    if (node.kind !== 'map') return walk.error('type', `expected a map with "@type", found ${describe(node)}`, node);
    const entries = distinct(node, walk);
    const type = entries.find(({ key }) => key === '@type');
    if (type?.value.kind !== 'scalar' || type.value.text === '') {
      return walk.error('any-type', '"@type" is required: type.googleapis.com/ and the name of the message', node);
    }
    const content: MapNode = { ...node, entries: entries.filter((entry) => entry !== type) };
    const known = messageOfUrl(type.value.text);
    if (known === undefined) return readStruct(content, walk);
    const value = readInApi(message(known.name, known.version), known.version, content, walk);
    return value === INVALID ? INVALID : { typeUrl: type.value.text, type: known.name, value, known: true };
  };
}
