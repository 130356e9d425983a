import type { JsonValue, Struct } from '../core/json-value.js';
import { isList, sameJson } from '../core/json-value.js';
import type { Host } from '../host/host.js';
import type { RetryHostPredicate } from '../scenario/model.js';

/**
 * Whether a retry rejects `host`.
 *
 * @param tried hosts of the attempts before.
 */
export function isOmitted(predicates: readonly RetryHostPredicate[], host: Host, tried: readonly Host[]): boolean {
  return predicates.some((predicate) => {
    switch (predicate.kind) {
      case 'previous_hosts':
        return tried.includes(host);
      case 'omit_canary_hosts':
        return host.canary;
      case 'omit_host_metadata':
        return hasEntries(host.metadata, predicate.metadataMatch);
    }
  });
}

/**
 * Whether the metadata has all of `wanted`; a list matches if any of its elements does. An empty `wanted` always matches.
 */
function hasEntries(metadata: Struct, wanted: Struct): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    if (!Object.hasOwn(metadata, key)) return false;
    const found = metadata[key] as JsonValue;
    return isList(found) ? found.some((element) => sameJson(element, value)) : sameJson(found, value);
  });
}
