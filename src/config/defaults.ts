import { entryOf } from '../core/lists.js';
import { apiOf } from './api/api.js';
import { tableName } from './api/message-names.js';

/** Defaults of absent fields from the API tables: the one source for documentation, code and lint. */

/** As in files; undefined: it is described in words. @param type of the field, as a table or documentation has it. */
export function fileDefault(type: string, text: string): string | number | boolean | undefined {
  if (/^Duration$/.test(type)) return /^[\d.]+s$/.test(text) ? text : undefined;
  if (/^bool/i.test(type)) return text === 'true' ? true : text === 'false' ? false : undefined;
  if (/^(?:u?int|double)/i.test(type) || /(?:^|\.)(?:Percent|RuntimeDouble)$/.test(type)) {
    return /^[\d.]+$/.test(text) ? Number(text) : undefined;
  }
  return undefined;
}

/** As in values: durations in µs. */
export function valueDefault(type: string, text: string): number | boolean | undefined {
  const written = fileDefault(type, text);
  return typeof written === 'string' ? Math.round(Number(written.slice(0, -1)) * 1e6) : written;
}

const known = new Map<string, number>();

/**
 * The number of an absent field: durations in µs, percents as such.
 *
 * @param message as documentation has it: `cluster.OutlierDetection`.
 */
export function defaultOf(message: string, field: string): number {
  const key = `${message}.${field}`;
  return entryOf(known, key, () => {
    const table = apiOf('v2').message(tableName(message, 'v2') ?? '');
    const line = table?.fields.find(({ name }) => name === field);
    const text = line?.texts.byDefault;
    const value = line === undefined || text === undefined ? undefined : valueDefault(line.type, text);
    if (typeof value !== 'number') throw new TypeError(`the table has no default of ${key}`);
    return value;
  });
}
