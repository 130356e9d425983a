import { isList, type JsonValue, sameJson } from '../core/json-value.js';
import type { Host } from '../host/host.js';
import type { RetryHostPredicate } from '../settings/world.js';
import { hasEntries } from '../settings/assignment.js';

/** Whether a retry rejects `host`. @param tried hosts of the attempts before. */
export function isOmitted(predicates: readonly RetryHostPredicate[], host: Host, tried: readonly Host[]): boolean {
  return predicates.some((predicate) => {
    switch (predicate.kind) {
      case 'previous_hosts':
        return tried.includes(host);
      case 'omit_canary_hosts':
        return host.canary;
      case 'omit_host_metadata':
        return hasEntries(host.metadata, predicate.metadataMatch, isOrHas);
    }
  });
}

/** A list matches if any of its elements does. */
function isOrHas(found: JsonValue, wanted: JsonValue): boolean {
  return isList(found) ? found.some((element) => sameJson(element, wanted)) : sameJson(found, wanted);
}
