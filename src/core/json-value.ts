/** A JSON value, as protobuf's `Value`; a `Struct` is a map of them. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | Struct;

export interface Struct {
  readonly [key: string]: JsonValue;
}

/** `google.protobuf.Any` in JSON: the fields of a message beside its `@type`. */
export interface AnyValue {
  /** As written. */
  readonly typeUrl: string;
  /** The message, by its name in documentation: `config.metrics.v2.StatsdSink`, `auth.UpstreamTlsContext`. */
  readonly type: string;
  /** The message, if its type is known here; else its fields as they are. */
  readonly value: unknown;
  readonly known: boolean;
}

/** Deep equality of JSON values, by type: 1 is not "1"; the order of an object's keys does not matter. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false;
    return a.every((element, index) => sameJson(element, b[index] as JsonValue));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] as JsonValue, b[key] as JsonValue));
}

export function jsonText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isStruct(value: JsonValue | undefined): value is Struct {
  return typeof value === 'object' && value !== null && !isList(value);
}
