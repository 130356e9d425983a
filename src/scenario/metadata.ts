import { canonicalName } from '../config/any.js';
import type { Schema } from '../config/reader.js';
import { struct } from '../config/reader/proto.js';
import { isStruct, type Struct } from '../core/json-value.js';

/** The namespace that load balancing reads; `envoy.lb` is the same. */
export const LB_NAMESPACE = 'proxy.lb';

/** Metadata by namespace, as core.Metadata holds it. */
export type Namespaces = Readonly<Record<string, Struct>>;

/**
 * Metadata of the scenario's vocabulary: entries under `proxy.lb`, `{version: "2"}`, or a whole core.Metadata,
 * `{filter_metadata: {proxy.lb: {version: "2"}}}`, pasted from a proxy's configuration.
 */
export const MetadataMap: Schema<Namespaces> = struct().transform((value, fail): Namespaces => {
  const whole = value['filter_metadata'] ?? value['filterMetadata'];
  if (whole === undefined) return { [LB_NAMESPACE]: value };
  const stray = Object.keys(value).find((key) => key !== 'filter_metadata' && key !== 'filterMetadata');
  if (stray !== undefined) {
    const message = `${stray} cannot stand beside filter_metadata: move it below ${LB_NAMESPACE}, or drop filter_metadata`;
    fail('metadata', message, [stray]);
    return {};
  }
  if (!isStruct(whole)) {
    fail('type', 'filter_metadata must be a map of namespaces');
    return {};
  }
  const namespaces: [string, Struct][] = [];
  for (const [name, entries] of Object.entries(whole)) {
    if (name === '') {
      fail('key', 'a key must not be empty', ['filter_metadata', name]);
    } else if (isStruct(entries)) namespaces.push([canonicalName(name), entries]);
    else {
      fail('type', `${name} must be a map`, ['filter_metadata', name]);
    }
  }
  return Object.fromEntries(namespaces);
});

/** The entries under `proxy.lb`, which routes and selectors match; undefined: no such entry. */
export const LbMetadata: Schema<Struct | undefined> = MetadataMap.transform((namespaces) => namespaces[LB_NAMESPACE]);
