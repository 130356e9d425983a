import type { ApiVersion } from '../config/api/api.js';
import { isStruct, type JsonValue, type Struct } from '../core/json-value.js';
import { type Input, readInputs } from './input/read-inputs.js';
import { applySets } from './set-path.js';
import { itemsOf, plainOf, valueAt } from '../config/source/trees.js';

/** Options that change what is written. */
export interface WrittenOptions {
  readonly api?: ApiVersion | undefined;
  readonly set?: readonly string[] | undefined;
}

/** The clusters of the inputs as they are written, by name: a `Cluster` message each, in the API and the case of the files. */
export function writtenClusters(
  inputs: readonly Input[],
  { api, set = [] }: WrittenOptions,
): ReadonlyMap<string, Struct> {
  const { document } = readInputs(inputs, { api, gathered: true });
  if (document === undefined) return new Map();
  const { root } = applySets(document, set).document;
  const clusters = itemsOf(valueAt(root, 'clusters')).map((node) => plainOf(node) as JsonValue);
  return new Map(
    clusters.filter(isStruct).flatMap((cluster): [string, Struct][] => {
      const { name } = cluster;
      return typeof name === 'string' ? [[name, cluster]] : [];
    }),
  );
}
