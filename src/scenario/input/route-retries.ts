import { typeOfUrl } from '../../config/any.js';
import { check, type MapNode, SourceDocument, type SourceNode } from '../../config/reader.js';
import type { RetryPolicy } from '../../settings/world.js';
import {
  fieldOf,
  isMap,
  itemsOf,
  listNode,
  mapNode,
  nodeOf,
  picked,
  textOf,
  valueAt,
  withField,
} from '../../config/source/trees.js';
import { RetryPolicyBlock } from '../fields/retry-policy.js';

/**
 * The proxy's RetryPolicy of a route, in either API and name case, as the `retry_policy` of a scenario. Fields that a
 * scenario does not have are left out.
 *
 * @param host the virtual host, whose policy applies where the route has none.
 * @returns undefined: neither retries nor a time for each try, or a policy that cannot be read.
 */
export function retriesOf(action: SourceNode, host: SourceNode): RetryPolicy | undefined {
  const policy = retryPolicyOf(action, host);
  const acts = ['retry_on', 'per_try_timeout'].some((name) => textOf(valueAt(policy, name)) !== undefined);
  if (!isMap(policy) || !acts) return undefined;
  const document = new SourceDocument([{ file: '', text: '', json: true }], inOurWords(policy));
  return check(RetryPolicyBlock, document, { vocabulary: 'scenario' }).value;
}

/** As the file has it; that of the virtual host where the route has none. */
export function retryPolicyOf(action: SourceNode, host: SourceNode): SourceNode | undefined {
  return (fieldOf(action, 'retry_policy') ?? fieldOf(host, 'retry_policy'))?.value;
}

/** Fields with the same meaning in both, and how values are converted. */
const FIELDS: Readonly<Record<string, (value: SourceNode) => SourceNode | undefined>> = {
  retry_on: same,
  num_retries: (value) => valueAt(value, 'value') ?? value,
  per_try_timeout: same,
  host_selection_retry_max_attempts: same,
  retry_host_predicate: (value) => mapped(value, (item) => named(item, 'proxy.retry_host_predicates.')),
  retry_priority: (value) => named(value, 'proxy.retry_priorities.'),
  retriable_status_codes: same,
  retry_back_off: (value) => only(value, 'base_interval', 'max_interval'),
  rate_limited_retry_back_off: inSeconds,
};

function inOurWords(policy: MapNode): MapNode {
  const own = only(policy, ...Object.keys(FIELDS));
  const entries = own.entries.flatMap((entry) => {
    const value = FIELDS[entry.key]?.(entry.value);
    return value === undefined ? [] : [{ ...entry, value }];
  });
  return { ...own, entries };
}

function same(value: SourceNode): SourceNode {
  return value;
}

function mapped(list: SourceNode, change: (item: SourceNode) => SourceNode | undefined): SourceNode {
  return list.kind === 'list' ? { ...list, items: itemsOf(list).flatMap((item) => change(item) ?? []) } : list;
}

/** These fields, by the names that a scenario has for them. */
function only(value: SourceNode, ...names: readonly string[]): MapNode {
  return mapNode(picked(value, ...names), value);
}

/** An extension of v3 is named by its type: `…retry.host.previous_hosts.v3.PreviousHostsPredicate`. */
function named(extension: SourceNode, prefix: string): SourceNode {
  const own = only(extension, 'name', 'config', 'typed_config');
  const type = typeOfUrl(textOf(valueAt(own, 'typed_config', '@type') ?? valueAt(own, 'config', '@type')) ?? '');
  const name = /\.(\w+)\.v\d\w*\.\w+$/.exec(type)?.[1];
  return name === undefined ? own : withField(own, 'name', nodeOf(`${prefix}${name}`, extension), extension);
}

/** Headers with a date need a calendar, which a simulation does not have. */
function inSeconds(value: SourceNode): SourceNode | undefined {
  const headers = itemsOf(valueAt(value, 'reset_headers'));
  const counted = headers.filter((header) => /^(?:SECONDS|0)$/i.test(textOf(valueAt(header, 'format')) ?? '0'));
  if (counted.length === 0) return undefined;
  const items = counted.map((header) => nodeOf({ name: textOf(valueAt(header, 'name')) ?? '' }, header));
  return withField(only(value, 'max_interval'), 'reset_headers', listNode(items, value), value);
}
