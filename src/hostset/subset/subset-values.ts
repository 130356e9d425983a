import { compareBytes } from '../../core/byte-order.js';
import { isList, type JsonValue, type Struct } from '../../core/values.js';

export type MetadataEntry = Readonly<{ key: string; value: JsonValue }>;

/** Equal texts are equal values, compared deeply and by type (1 is not "1"), whatever the order of an object's keys. */
export function canonicalValue(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalValue).join(',')}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalValue(value[key] ?? null)}`).join(',')}}`;
}

/** The entries of a struct in the order in which subsets nest: by key, as bytes. */
export const sortedEntries = (struct: Struct): readonly MetadataEntry[] =>
  Object.keys(struct)
    .sort(compareBytes)
    .map((key) => ({ key, value: struct[key] ?? null }));

/** @param entries sorted by key. */
export const canonicalEntries = (entries: readonly MetadataEntry[]): string =>
  entries.map(({ key, value }) => canonicalKey(key) + canonicalValue(value)).join(',');

export const canonicalKey = (key: string): string => `${JSON.stringify(key)}:`;

/** As reports write a subset: `{stage: "prod", version: 2}`. */
export const describeEntries = (entries: readonly MetadataEntry[]): string =>
  `{${entries.map(({ key, value }) => `${key}: ${canonicalValue(value)}`).join(', ')}}`;
