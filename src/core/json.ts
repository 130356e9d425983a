/** A JSON value, as protobuf's `Value`; a `Struct` is a map of them. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | Struct;

export interface Struct {
  readonly [key: string]: JsonValue;
}
