/** What several messages of routes have in common. */
import { any } from './any.js';
import { HeaderValueOption, oneLine, removedHeader } from './core.js';
import { defaulted, listOf, mapOf, repeated } from './reader.js';
import type { Rule, Schema } from './reader.js';
import { string, struct } from './reader/proto.js';

const headerOptions = listOf(HeaderValueOption, { max: 1000, words: 'too big: expected array to have <=1000 items' });

/** @param minLength of the names of headers that are removed: some of these messages take empty ones. */
export const headerChanges = (minLength = 0) => ({
  request_headers_to_add: defaulted(headerOptions, [], 'Headers added to requests.'),
  request_headers_to_remove: repeated(removedHeader(minLength), 'Headers removed from requests.'),
  response_headers_to_add: defaulted(headerOptions, [], 'Headers added to responses.'),
  response_headers_to_remove: repeated(removedHeader(minLength), 'Headers removed from responses.'),
});

export const filterConfigs = {
  per_filter_config: mapOf(struct(), 'Options of filters.', { deprecated: 'use typed_per_filter_config' }),
  typed_per_filter_config: mapOf(any({ types: {} }), 'Options of filters.'),
};

export const filterConfigsRule: Rule<unknown> = {
  name: 'filter-configs',
  doc: 'per_filter_config and typed_per_filter_config exclude each other.',
  reads: [],
  check: (_, report, has) => {
    if (has('per_filter_config') && has('typed_per_filter_config')) {
      report('Only one of typed_configs or configs can be specified', ['per_filter_config']);
    }
  },
};

export const name = (): Schema<string> => string({ minLength: 1 });

/** Part of a URL or the value of a header: it stands on one line. */
export const lineOf = (what: string): Schema<string> => string({ pattern: oneLine(what) });

export const headerName = (): Schema<string> => string({ minLength: 1, pattern: oneLine('a header name') });

/** A list that must not be empty. */
export function atLeastOne<T>(item: Schema<T>, what: string): Schema<readonly T[]> {
  return listOf(item, { min: 1, words: `needs at least one ${what}` });
}
