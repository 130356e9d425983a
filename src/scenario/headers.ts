import { mapping, type Schema } from '../config/reader.js';
import { requestHeader } from '../core/header-name.js';
import { scalar } from './fields.js';
import { accept } from './units.js';

/** Headers by name: lower case, and `x-envoy-` is written `x-proxy-`. */
export const Headers: Schema<Readonly<Record<string, string>>> = mapping(scalar('text', 'header', accept), (name) =>
  /^[!#$%&'*+.^_`|~\w:-]+$/.test(name) ? undefined : 'not a header name',
).transform((headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [requestHeader(name), value])),
);
