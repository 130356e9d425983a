import { z } from 'zod';
import type { Schema } from '../config/reader.js';
import { scalar } from './fields.js';
import { accept } from './units.js';

/** Headers by name: lower case, and `x-envoy-` is written `x-proxy-`. */
export const Headers: Schema<Readonly<Record<string, string>>> = z
  .record(z.string().regex(/^[!#$%&'*+.^_`|~\w:-]+$/, { error: 'not a header name' }), scalar('text', 'header', accept))
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [headerName(name), value])),
  );

/** The one spelling of a header's name. */
export function headerName(name: string): string {
  return name.toLowerCase().replace(/^x-envoy-/, 'x-proxy-');
}
