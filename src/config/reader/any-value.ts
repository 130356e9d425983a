import { type AnyValue, own } from '../../core/values.js';
import { apiOf, type ApiVersion } from '../api/api.js';
import { displayName, formerMessage } from '../api/message-names.js';
import type { MapNode } from '../source/document.js';
import { reading } from './combinators.js';
import { readStruct } from './proto/well-known.js';
import { mark, type Schema } from './schema.js';
import { distinct, INVALID, readInApi, YET_REFUSED, type Walk } from './context.js';
import { readerOf } from './walk.js';
import { describe, didYouMean } from './error-words.js';

/** The API that has a message, and its full name there, by its type URL; undefined: neither has it. */
export function messageOfUrl(url: string): { readonly name: string; readonly version: ApiVersion } | undefined {
  const name = url.slice(url.lastIndexOf('/') + 1).replace(/^(?:envoy|proxy)\./, '');
  const version = (['v3', 'v2'] as const).find((one) => apiOf(one).has(name));
  if (version !== undefined) return { name, version };
  // As reference pages have it.
  return apiOf('v2').has(`api.v2.${name}`) ? { name: `api.v2.${name}`, version: 'v2' } : undefined;
}

export type SchemaOf = (name: string, version: ApiVersion) => Schema<unknown> | undefined;

export type AnyTypes = Readonly<Record<string, Schema<unknown>>>;

/** Names that the proxy or its usual builds define, as opposed to a typo. */
export const isProxyName = (name: string): boolean => /^(?:envoy|proxy|google|udpa|xds)\./.test(name);

/** Packages of the proxy's messages: prefixes of the names on reference pages. */
const PACKAGES = /\/(?:api\.v2|auth|cluster|config|core|data|endpoint|extensions|listener|route|service|type)\./;

const isMessageUrl = (url: string): boolean =>
  PACKAGES.test(url) || (url.includes('/') && isProxyName(url.slice(url.lastIndexOf('/') + 1)));

/** The message name in a type URL, as reference pages have it: without `envoy.`, `proxy.` or `api.v2.`. */
export const typeOfUrl = (url: string): string =>
  url.slice(url.lastIndexOf('/') + 1).replace(/^(?:(?:envoy|proxy)\.)?(?:api\.v2\.)?/, '');

export interface AnyOptions {
  /** Allowed messages, by {@link typeOfUrl}. */
  readonly types: AnyTypes;
  /** The message about a known type that does not fit, by {@link typeOfUrl}. */
  readonly refused?: Readonly<Record<string, string>>;
  /** As {@link unread}; and the type may be absent. */
  readonly open?: boolean;
  /** Nothing reads the message: the types of other builds of the proxy are a warning, unless it is to start. */
  readonly unread?: boolean;
}

/** A type outside of `types` whose content nobody can check is taken with a note; one that no API has is an error. */
export function anySchema(
  { types, refused = {}, open = false, unread = false }: AnyOptions,
  schemaOf: SchemaOf,
): Schema<AnyValue> {
  const schema = reading<AnyValue>('Any', (node, walk) => {
    if (node.kind !== 'map') return walk.error('type', `expected a map with "@type", found ${describe(node)}`, node);
    const entries = distinct(node, walk);
    const typeEntry = entries.find((entry) => entry.key === '@type');
    if (typeEntry?.value.kind !== 'scalar' || typeEntry.value.text === '') {
      if (open || (entries.length === 0 && walk.apiOf(node) === 'v3')) return unknownMessage(node, '', walk);
      return walk.error('any-type', '"@type" is required: type.googleapis.com/ and the name of the message', node);
    }
    const typeUrl = typeEntry.value.text;
    const type = typeOfUrl(typeUrl);
    const content: MapNode = { ...node, entries: entries.filter((entry) => entry !== typeEntry) };
    const refusal = walk.apiOf(node) === 'v2' ? own(refused, type) : undefined;
    if (refusal !== undefined) return walk.error('v3-only', refusal, typeEntry.value);
    const known = messageOfUrl(typeUrl);
    const former = known === undefined ? undefined : formerMessage(known.name, known.version);
    const named = own(types, type) ?? (former === undefined ? undefined : own(types, displayName(former)));
    const schema = named ?? (known === undefined ? undefined : schemaOf(known.name, known.version));
    if (schema !== undefined) {
      const value = readInApi(readerOf(schema), known?.version ?? walk.apiOf(node), content, walk);
      return value === INVALID ? INVALID : { typeUrl, type, value, known: true };
    }
    if (type === 'google.protobuf.Struct') {
      const inner = content.entries.find((entry) => entry.key === 'value')?.value;
      const value = inner === undefined ? {} : walk.part('value', readStruct, inner);
      return value === INVALID ? INVALID : { typeUrl, type, value, known: true };
    }
    if (!isMessageUrl(typeUrl)) {
      const text = `"@type" ${typeUrl} is not a message of the proxy${didYouMean(type, Object.keys(types))}`;
      if (walk.forStart || (!open && !unread)) return walk.error('any-type', text, typeEntry.value);
      walk.once(`foreign ${type}`, 'warning', 'any-type', `${text}${YET_REFUSED}`, typeEntry.value);
      return unknownMessage(content, typeUrl, walk);
    }
    if (open) return unknownMessage(content, typeUrl, walk);
    const text = `the content of a ${type} is not checked here`;
    walk.once(`unchecked ${type}`, 'note', 'unchecked', text, typeEntry.value);
    return unknownMessage(content, typeUrl, walk);
  });
  return mark(schema, { anyTypes: types, anyOpen: open });
}

function unknownMessage(content: MapNode, typeUrl: string, walk: Walk): AnyValue | typeof INVALID {
  const value = readStruct(content, walk);
  return value === INVALID ? INVALID : { typeUrl, type: typeOfUrl(typeUrl), value, known: false };
}
