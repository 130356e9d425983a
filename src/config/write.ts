/** The reverse of reading: protobuf's JSON with the names of files. Defaults are left out, as in the proxy's dumps. */
import { messageOfUrl, apiSchema, camel, type MessageInfo, type Schema } from './reader.js';
import { own, type AnyValue, type JsonValue, mapValues } from '../core/values.js';
import type { ApiVersion } from './api/api.js';
import { formerName } from './api/message-names.js';

/** `10.0.0.1:80`, `[::1]:80` or the path of a pipe as a core.Address. */
export function addressJson(text: string): Readonly<Record<string, JsonValue>> {
  const [, address, port] = /^(.*):(\d+)$/.exec(text) ?? [];
  if (address === undefined) return { pipe: { path: text } };
  return { socket_address: { address: address.replace(/^\[|\]$/g, ''), port_value: Number(port) } };
}

type JsonObject = Record<string, JsonValue>;

/** @param value of `schema`. @param version the API whose fields are written. */
export function encode(schema: Schema<unknown>, value: unknown, version: ApiVersion = 'v2'): JsonValue {
  const { anyTypes, message, typeName, write } = schema.marks;
  if (write !== undefined) return write(value as never);
  if (anyTypes !== undefined) return encodeAny(anyTypes, value as AnyValue, version);
  if (message !== undefined) return encodeMessage(message.as(version), value, version);
  if (typeName !== undefined) return encodeScalar(typeName, value);
  const { form } = schema;
  // In messages of the proxy a change is a check.
  if ('inner' in form) return encode(form.inner, value, version);
  if (form.kind === 'list') return (value as readonly unknown[]).map((item) => encode(form.item, item, version));
  // Tuples and unions are not the proxy's: none of its messages has them.
  return form.kind === 'map'
    ? mapValues(value as Readonly<Record<string, unknown>>, (item) => encode(form.value, item, version))
    : (value as JsonValue);
}

function encodeMessage(info: MessageInfo, value: unknown, version: ApiVersion): JsonObject {
  const fields = value as Readonly<Record<string, unknown>>;
  const json: JsonObject = {};
  for (const [name, schema] of Object.entries(info.shape)) {
    const field = fields[camel(formerName(name))];
    if (field === undefined || isDefault(schema, field)) continue;
    json[name] = encode(schema, field, version);
  }
  return json;
}

function isDefault(schema: Schema<unknown>, value: unknown): boolean {
  const form = schema.form;
  if (form.kind !== 'default') return false;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === form.value;
}

/** Fields of a known message are encoded too; any other was kept unchanged. */
function encodeAny(
  types: Readonly<Record<string, Schema<unknown>>>,
  { typeUrl, type, value, known }: AnyValue,
  version: ApiVersion,
): JsonValue {
  const message = messageOfUrl(typeUrl);
  const schema = own(types, type) ?? (message && apiSchema(message.name, message.version));
  const head = { '@type': typeUrl };
  if (known && schema !== undefined)
    return { ...head, ...(encode(schema, value, message?.version ?? version) as JsonObject) };
  return type === 'google.protobuf.Struct'
    ? { ...head, value: value as JsonValue }
    : { ...head, ...(value as JsonObject) };
}

function encodeScalar(typeName: string, value: unknown): JsonValue {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join(''));
  if (typeName === 'Duration' && typeof value === 'number') return durationText(value);
  return value as JsonValue;
}

/** `0.250s`, `15s`: no digits or three, six or nine of them. */
function durationText(us: number): string {
  const nanos = BigInt(Math.round(us * 1000));
  const fraction = String(nanos % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/(?:000)+$/, '');
  return `${nanos / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}
