/** What several messages of routes have in common. */
import { z } from 'zod';
import { any } from './any.js';
import { HeaderValueOption } from './core.js';
import { defaulted, mapOf, repeated } from './reader.js';
import type { Schema } from './reader.js';
import { string, struct } from './reader/proto.js';

type HeaderOption = z.output<typeof HeaderValueOption>;

const headerOptions = z.array(HeaderValueOption).max(1000) as unknown as Schema<readonly HeaderOption[]>;

export const headerChanges = {
  request_headers_to_add: defaulted(headerOptions, [], 'Headers added to requests.'),
  request_headers_to_remove: repeated(string(), 'Headers removed from requests.'),
  response_headers_to_add: defaulted(headerOptions, [], 'Headers added to responses.'),
  response_headers_to_remove: repeated(string(), 'Headers removed from responses.'),
};

export const filterConfigs = {
  per_filter_config: mapOf(struct(), 'Options of filters.', { deprecated: 'use typed_per_filter_config' }),
  typed_per_filter_config: mapOf(any({ types: {} }), 'Options of filters.'),
};

export const name = (): ReturnType<typeof string> => string({ minLength: 1 });

/** A list that must not be empty. */
export function atLeastOne<T>(item: Schema<T>, what: string): Schema<readonly T[]> {
  return z.array(item).min(1, `needs at least one ${what}`);
}
