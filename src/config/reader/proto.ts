/**
 * Scalars and well-known types in protobuf's JSON mapping, as leniently as the proxy reads them: integers as numbers or
 * strings (decimal, hexadecimal, with an exponent if the value is whole), enumerations by name in any case or by number,
 * wrappers bare or as `{value: …}`, durations as `"1.5s"` or `{seconds, nanos}`.
 * Source: https://protobuf.dev/programming-guides/json/ and the proxy's own YAML reader, which reads a plain scalar as a
 * bool, then as a 64-bit integer, and as a string otherwise.
 */
export { double, int64, integerText, uint32, uint64 } from './proto/numbers.js';
export { bool, bytes, enumeration, string, utf8Length } from './proto/strings.js';
export { boolValue, doubleValue, duration, readStruct, struct, uint32Value, uint64Value } from './proto/well-known.js';
