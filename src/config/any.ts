import { own } from '../core/own.js';
import type { Struct } from '../core/json.js';
import { INVALID, mark, reading } from './reader.js';
import type { Schema, Walk } from './reader.js';
import type { MapNode, SourceNode } from './source/document.js';
import { distinct } from './reader/duplicates.js';
import { apiOf } from './api/api.js';
import { displayName } from './api/names.js';
import { messageOfUrl, readInApi } from './reader/any-value.js';
import { apiReaders, readerOf } from './reader/walk.js';
import { describe, didYouMean } from './reader/words.js';
import { readStruct } from './reader/proto.js';

/** `google.protobuf.Any` in JSON: the fields of a message beside its `@type`. */
export interface AnyValue {
  /** As written. */
  readonly typeUrl: string;
  /** The message, by {@link typeOfUrl}: `config.metrics.v2.StatsdSink`, `auth.UpstreamTlsContext`. */
  readonly type: string;
  /** The message, if its type is known here; else its fields as they are. */
  readonly value: unknown;
  readonly known: boolean;
}

export type AnyTypes = Readonly<Record<string, Schema<unknown>>>;

/** The one word for both families of names: `envoy.lb` and `proxy.lb` are `proxy.lb`. */
export function canonicalName(name: string): string {
  return name.startsWith('envoy.') ? `proxy.${name.slice('envoy.'.length)}` : name;
}

/** Names that the proxy or its usual builds define, as opposed to a typo. */
export function isProxyName(name: string): boolean {
  return /^(?:envoy|proxy|google|udpa|xds)\./.test(name);
}

/** Packages of the proxy's messages, which the neutral names of reference pages begin with. */
const PACKAGES = /\/(?:api\.v2|auth|cluster|config|core|data|endpoint|extensions|listener|route|service|type)\./;

function isMessageUrl(url: string): boolean {
  return PACKAGES.test(url) || (url.includes('/') && isProxyName(url.slice(url.lastIndexOf('/') + 1)));
}

/** The message name in a type URL, as reference pages have it: without `envoy.`, `proxy.` or `api.v2.`. */
export function typeOfUrl(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1).replace(/^(?:(?:envoy|proxy)\.)?(?:api\.v2\.)?/, '');
}

export interface AnyOptions {
  /** Messages that may stand here, by {@link typeOfUrl}. */
  readonly types: AnyTypes;
  /** What to say of a type that is known not to fit, by {@link typeOfUrl}. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Types that are not known here, and an absent one, are taken as they are, without a word. */
  readonly open?: boolean;
}

/**
 * An Any at an extension point. A type of the proxy that is not in `types` is taken as it is, with a note that its
 * content was not checked; a type that nobody has defined is an error.
 */
export function any({ types, refused = {}, open = false }: AnyOptions): Schema<AnyValue> {
  const schema = reading<AnyValue>('Any', (node, walk) => {
    if (node.kind !== 'map') return walk.error('type', `expected a map with "@type", found ${describe(node)}`, node);
    const entries = distinct(node, walk);
    const typeEntry = entries.find((entry) => entry.key === '@type');
    if (typeEntry?.value.kind !== 'scalar' || typeEntry.value.text === '') {
      if (open) return unknownMessage(node, '', walk);
      return walk.error('any-type', '"@type" is required: type.googleapis.com/ and the name of the message', node);
    }
    const typeUrl = typeEntry.value.text;
    const type = typeOfUrl(typeUrl);
    const content: MapNode = { ...node, entries: entries.filter((entry) => entry !== typeEntry) };
    const refusal = walk.apiOf(node) === 'v2' ? own(refused, type) : undefined;
    if (refusal !== undefined) return walk.error('v3-only', refusal, typeEntry.value);
    const known = messageOfUrl(typeUrl);
    const former = known === undefined ? undefined : apiOf(known.version).previousOf(known.name);
    const schema = own(types, type) ?? (former === undefined ? undefined : own(types, displayName(former)));
    if (schema !== undefined) {
      const value = readInApi(readerOf(schema), known?.version ?? walk.apiOf(node), content, walk);
      return value === INVALID ? INVALID : { typeUrl, type, value, known: true };
    }
    if (known !== undefined && walk.apiOf(node) === 'v3') {
      const value = readInApi(apiReaders.message(known.name, known.version), known.version, content, walk);
      return value === INVALID ? INVALID : { typeUrl, type, value, known: true };
    }
    if (type === 'google.protobuf.Struct') return anyStruct(content, typeUrl, type, walk);
    if (open) return unknownMessage(content, typeUrl, walk);
    if (!isMessageUrl(typeUrl)) {
      const text = `"@type" ${typeUrl} is not a message of the proxy${didYouMean(type, Object.keys(types))}`;
      return walk.error('any-type', text, typeEntry.value);
    }
    walk.report('note', 'unchecked', `the content of a ${type} is not checked here`, typeEntry.value);
    return unknownMessage(content, typeUrl, walk);
  });
  return mark(schema, { anyTypes: types, anyOpen: open });
}

function unknownMessage(content: MapNode, typeUrl: string, walk: Walk): AnyValue | typeof INVALID {
  const value = readStruct(content, walk);
  return value === INVALID ? INVALID : { typeUrl, type: typeOfUrl(typeUrl), value, known: false };
}

function anyStruct(content: MapNode, typeUrl: string, type: string, walk: Walk): AnyValue | typeof INVALID {
  const inner: SourceNode | undefined = content.entries.find((entry) => entry.key === 'value')?.value;
  const value: Struct | typeof INVALID = inner === undefined ? {} : walkPart(inner, walk);
  return value === INVALID ? INVALID : { typeUrl, type, value, known: true };
}

function walkPart(node: SourceNode, walk: Walk): Struct | typeof INVALID {
  return walk.part('value', readStruct, node) as Struct | typeof INVALID;
}
