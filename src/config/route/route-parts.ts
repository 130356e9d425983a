/** Parts shared by several messages of routes and health checks. */
import { isProtected } from '../core.js';
import { exclusive, type Rule } from '../reader.js';

export const filterConfigsRule = exclusive(
  'filter-configs',
  ['per_filter_config', 'typed_per_filter_config'],
  'Only one of typed_configs or configs can be specified',
);

interface Removals {
  readonly requestHeadersToRemove: readonly string[];
  readonly responseHeadersToRemove?: readonly string[];
}

function removalRule(reads: readonly string[]): Rule<Removals> {
  return {
    name: 'header-name',
    reads,
    check: ({ requestHeadersToRemove, responseHeadersToRemove = [] }, report) => {
      const lists = {
        request_headers_to_remove: requestHeadersToRemove,
        response_headers_to_remove: responseHeadersToRemove,
      };
      for (const [field, names] of Object.entries(lists)) {
        for (const [index, name] of names.entries()) {
          if (isProtected(name)) report(`${name}: :-prefixed or host headers may not be removed`, [field, index]);
        }
      }
    },
  };
}

/** Of headers that health checks remove from requests. */
export const requestHeaderRemovals = removalRule(['request_headers_to_remove']);

/** Of headers that routes remove from requests and responses. */
export const headerRemovals = removalRule(['request_headers_to_remove', 'response_headers_to_remove']);
