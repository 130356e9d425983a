import { entryOf } from './values.js';
import { DEFAULTS } from './generated/defaults.js';
import { LB_DEFAULTS as FIELDS } from './generated/lb-defaults.js';

/** Defaults of absent fields from the API tables: the one source for documentation, code and lint. */

/** As in files; undefined: it is described in words. @param type of the field, as a table or documentation has it. */
export function fileDefault(type: string, text: string): string | number | boolean | undefined {
  if (/^Duration$/.test(type)) return /^[\d.]+s$/.test(text) ? text : undefined;
  if (/^bool/i.test(type)) return text === 'true' ? true : text === 'false' ? false : undefined;
  if (/^(?:u?int|double|float)/i.test(type) || /(?:^|\.)(?:Percent|RuntimeDouble)$/.test(type))
    return /^[\d.]+$/.test(text) ? Number(text) : undefined;
  return undefined;
}

/** As in values: durations in µs. */
export function valueDefault(type: string, text: string): number | boolean | undefined {
  const written = fileDefault(type, text);
  return typeof written === 'string' ? micros(written) : written;
}

const known = new Map<string, number>();

/** Of an absent field: durations in µs, percents as such. @param message as documented: `cluster.OutlierDetection`. */
export const defaultOf = (message: string, field: string): number => defaultAt(`${message}.${field}`);

const defaultAt = (key: string): number =>
  entryOf(known, key, () => {
    const text = DEFAULTS[key] ?? '';
    const value = /^[\d.]+s$/.test(text) ? micros(text) : Number(text);
    if (text === '' || Number.isNaN(value)) throw new TypeError(`the table has no default of ${key}`);
    return value;
  });

const micros = (text: string): number => Math.round(Number(text.slice(0, -1)) * 1e6);

export const LB_DEFAULTS = Object.fromEntries(
  Object.entries(FIELDS).map(([name, key]) => [name, defaultAt(key)]),
) as Readonly<Record<keyof typeof FIELDS, number>>;
