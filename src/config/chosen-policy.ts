/**
 * Chooses the policy of a `load_balancing_policy` and translates its settings into the cluster's own fields. Settings
 * without such a field stay in `load_balancing_policy`, which `typed-policy.ts` reads.
 *
 * Source: docs of config.cluster.v3.LoadBalancingPolicy; the translation was compared with a 1.40.0.
 */
import {
  INNER_POLICY,
  LOAD_AWARE_LOCALITY,
  OVERRIDE_HOST,
  POLICY_MESSAGES,
  POLICY_PACKAGE,
  REPORTED_WEIGHTS,
  SUBSET,
  WRR_LOCALITY,
} from './policy-messages.js';
import { messageOfUrl, typeOfUrl } from './reader/any-value.js';
import type { Walk } from './reader/context.js';
import { apiSchema } from './reader/api-schema.js';
import { readerOf } from './reader/walk.js';
import { describe } from './reader/error-words.js';
import { snake } from './reader/letter-case.js';
import { keySpan } from './reader/spans.js';
import type { MapEntry, MapNode, Path, SourceNode } from './source/document.js';
import { dropped, fieldOf, isMap, mapNode, nodeOf, put, replaced, valueAt } from './source/trees.js';

/** A field of the cluster, or a part of one, and its place in the file. */
export interface PolicyField {
  readonly at: readonly [field: string, part?: string];
  readonly entry: MapEntry;
  /** From the cluster. */
  readonly written: Path;
}

interface Chosen {
  /** Without {@link POLICY_PACKAGE}. */
  readonly message: string;
  readonly config: MapNode;
  /** Where the policy is named. */
  readonly field: MapEntry;
  readonly written: Path;
}

type Unfold = (chosen: Chosen, walk: Walk, inside: readonly string[]) => readonly PolicyField[];

/** Policies by their messages. */
const BY_MESSAGE: Readonly<Record<string, Unfold>> = {
  [POLICY_MESSAGES.ROUND_ROBIN]: (chosen, walk) => listed(chosen, 'ROUND_ROBIN', 'round_robin_lb_config', walk),
  [POLICY_MESSAGES.LEAST_REQUEST]: leastRequest,
  [POLICY_MESSAGES.RANDOM]: (chosen, walk) => listed(chosen, 'RANDOM', undefined, walk),
  [POLICY_MESSAGES.RING_HASH]: (chosen, walk) => hashing(chosen, 'RING_HASH', 'ring_hash_lb_config', walk),
  [POLICY_MESSAGES.MAGLEV]: (chosen, walk) => hashing(chosen, 'MAGLEV', 'maglev_lb_config', walk),
  'cluster_provided.v3.ClusterProvided': (chosen, walk) => {
    only([], ownFields(chosen), chosen.written, walk);
    return [policyWord(chosen, 'CLUSTER_PROVIDED')];
  },
  [SUBSET]: subsets,
  [REPORTED_WEIGHTS]: reportedWeights,
  [WRR_LOCALITY]: wrrLocality,
  [LOAD_AWARE_LOCALITY]: keptAround(LOAD_AWARE_LOCALITY),
  [OVERRIDE_HOST]: keptAround(OVERRIDE_HOST),
};

const POLICIES_OF_LISTS = ['round_robin', 'least_request', 'random', 'client_side_weighted_round_robin'];
const POLICIES_OF_HOSTS = [...POLICIES_OF_LISTS, 'ring_hash', 'maglev', 'cluster_provided'];

/** Policies allowed inside a policy that delegates the choice of the host. */
const MAY_HOLD: Readonly<Record<string, readonly string[]>> = {
  subset: [...POLICIES_OF_HOSTS, 'wrr_locality'],
  wrr_locality: POLICIES_OF_HOSTS,
  load_aware_locality: [...POLICIES_OF_LISTS, 'ring_hash', 'maglev'],
  override_host: [...POLICIES_OF_HOSTS, 'subset', 'wrr_locality', 'load_aware_locality'],
};

/** Policies that the proxy has and that are not simulated: a cluster with one of them is refused by name. */
const NOT_SIMULATED: readonly string[] = ['dynamic_modules'];

/** The settings of a `load_balancing_policy` as fields of the cluster; none where it has errors. */
export function policyFields(field: MapEntry, walk: Walk): readonly PolicyField[] {
  return unfold(field, ['load_balancing_policy'], walk, []);
}

/** @param inside the policies around it. */
function unfold(field: MapEntry, written: Path, walk: Walk, inside: readonly string[]): readonly PolicyField[] {
  const chosen = choose(field, written, walk);
  if (chosen === undefined) return [];
  const folder = folderOf(chosen.message);
  const around = inside.find((outer) => outer === folder || !MAY_HOLD[outer]?.includes(folder));
  if (around !== undefined) {
    const text = `${folder} inside of ${around} is not simulated`;
    walk.error('not-simulated', text, keySpan(field));
    return [];
  }
  return BY_MESSAGE[chosen.message]?.(chosen, walk, inside) ?? [];
}

/** The first policy that the proxy knows. */
function choose(field: MapEntry, written: Path, walk: Walk): Chosen | undefined {
  const list = isMap(field.value) ? valueAt(field.value, 'policies') : undefined;
  const items = list?.kind === 'list' ? list.items : list === undefined ? [] : [list];
  for (const [index, item] of items.entries()) {
    const { config, type, message } = policyIn(item);
    const path = [...written, 'policies', index, 'typed_extension_config', 'typed_config'];
    if (config !== undefined && message !== undefined) {
      if (BY_MESSAGE[message] !== undefined) {
        checkAround(field, item, written, walk);
        return { message, config, field, written: path };
      }
      if (isNotSimulated(message)) {
        const text = `the policy ${folderOf(message)} is not simulated: a library of your own chooses the host there, and nothing is known of how`;
        walk.error('not-simulated', text, type ?? config);
        return undefined;
      }
    }
    tellPassedOver(item, [...walk.path, ...path], walk);
  }
  walk.error('load-balancing-policy', `${field.key} names no policy that the proxy knows`, keySpan(field));
  return undefined;
}

/** Policies of other builds and of other clients of the API: from a file the proxy takes them as a TypedStruct only. */
function tellPassedOver(item: SourceNode, path: Path, walk: Walk): void {
  const config = valueAt(item, 'typed_extension_config', 'typed_config');
  const type = valueAt(config, '@type');
  if (type?.kind !== 'scalar') return;
  const inner = valueAt(config, 'type_url');
  const name = typeOfUrl(inner?.kind === 'scalar' ? inner.text : type.text);
  const text = `${name} is not a policy that is known here: it is passed over`;
  const isTaken = inner !== undefined || walk.document.textOf(type)?.tolerant === true;
  if (isTaken) walk.report('note', 'unchecked', text, type, path);
  else walk.report('warning', 'any-type', `${text}; a proxy that does not have it refuses it in a file`, type, path);
}

/** Whether the proxy takes this entry of `policies`, if none before it is taken. */
export function isKnownPolicy(item: SourceNode): boolean {
  const { message } = policyIn(item);
  return message !== undefined && (BY_MESSAGE[message] !== undefined || isNotSimulated(message));
}

function isNotSimulated(message: string): boolean {
  return NOT_SIMULATED.includes(folderOf(message));
}

function folderOf(message: string): string {
  return message.slice(0, message.indexOf('.'));
}

/** The settings of an entry of `policies` and their message, if it is one of a policy. */
function policyIn(item: SourceNode): {
  readonly config?: MapNode;
  readonly type?: SourceNode | undefined;
  readonly message?: string;
} {
  const config = valueAt(item, 'typed_extension_config', 'typed_config');
  if (!isMap(config)) return {};
  const name = messageIn(config);
  return name?.startsWith(POLICY_PACKAGE) === true
    ? { config, type: valueAt(config, '@type'), message: name.slice(POLICY_PACKAGE.length) }
    : {};
}

/** The name of the message that an Any holds, if it is one of the proxy's. */
export function messageIn(any: SourceNode | undefined): string | undefined {
  const type = valueAt(any, '@type');
  return type?.kind === 'scalar' ? messageOfUrl(type.text)?.name : undefined;
}

/** The messages around the settings of the chosen policy: the settings are read elsewhere, field by field. */
function checkAround(field: MapEntry, chosen: SourceNode, written: Path, walk: Walk): void {
  const length = walk.path.length;
  walk.path.push(...written);
  const policies = apiSchema('config.cluster.v3.LoadBalancingPolicy', 'v3');
  if (policies !== undefined)
    readerOf(policies)(replaced(field.value, new Map([[chosen, withoutSettings(chosen)]])), walk);
  walk.path.length = length;
}

function withoutSettings(policy: SourceNode): SourceNode {
  const extension = isMap(policy) ? fieldOf(policy, 'typed_extension_config') : undefined;
  const config = extension === undefined ? undefined : fieldOf(extension.value, 'typed_config');
  if (!isMap(policy) || !isMap(extension?.value) || !isMap(config?.value)) return policy;
  const type = { key: '@type', keyStart: config.keyStart, keyEnd: config.keyEnd };
  const nothing = { ...mapNode({}, config.value), entries: [{ ...type, value: nodeOf(STRUCT, config.value) }] };
  return put(policy, extension.key, put(extension.value, config.key, nothing, config), extension);
}

const STRUCT = 'type.googleapis.com/google.protobuf.Struct';

// --- one policy after the other ------------------------------------------------------------------------------------

function listed(chosen: Chosen, policy: string, settings: string | undefined, walk: Walk): readonly PolicyField[] {
  const rest = dropped(ownFields(chosen), ['locality_lb_config']);
  if (settings === undefined) only([], rest, chosen.written, walk);
  const own = settings === undefined ? [] : [part(chosen, [settings], rest)];
  return [policyWord(chosen, policy), ...own, ...localities(chosen, walk)];
}

/** Subsets of a 1.40.0 are equal at first, and make nothing of new weights before hosts change. */
function reportedWeights(chosen: Chosen, walk: Walk, inside: readonly string[]): readonly PolicyField[] {
  if (inside.includes('subset')) {
    const text =
      'client_side_weighted_round_robin inside of subset takes in new weights only where hosts, weights or health change: ' +
      'until then all hosts weigh the same, whatever they report or load_balancing_weight says';
    const at = fieldOf(chosen.config, '@type') ?? chosen.field;
    walk.report('warning', 'no-effect', text, keySpan(at), [...walk.path, ...chosen.written]);
  }
  return [
    policyWord(chosen, 'ROUND_ROBIN'),
    part(chosen, ['load_balancing_policy', 'client_side_weighted_round_robin'], ownFields(chosen)),
    ...moved(chosen, 'slow_start_config', ['round_robin_lb_config', 'slow_start_config']),
  ];
}

/** `enable_full_scan` is deprecated and has no effect, as a 1.40.0 shows: `selection_method` alone counts. */
function leastRequest(chosen: Chosen, walk: Walk): readonly PolicyField[] {
  const config = dropped(chosen.config, ['enable_full_scan']);
  const entry = fieldOf(chosen.config, 'enable_full_scan');
  if (entry !== undefined) {
    const text = 'enable_full_scan is deprecated and has no effect; write selection_method: FULL_SCAN';
    walk.report('deprecation', 'deprecated', text, keySpan(entry), [...walk.path, ...chosen.written, entry.key]);
  }
  return listed({ ...chosen, config }, 'LEAST_REQUEST', 'least_request_lb_config', walk);
}

/**
 * consistent_hashing_lb_config of a typed policy is kept: unlike the field of common_lb_config it has a `hash_policy`,
 * allows any factor, and host names in any cluster. Two deprecated fields of RingHash itself apply without it.
 */
function hashing(chosen: Chosen, policy: string, settings: string, walk: Walk): readonly PolicyField[] {
  const own = ownFields(chosen);
  const common = fieldOf(own, 'consistent_hashing_lb_config');
  const former = policy === 'RING_HASH' ? ['use_hostname_for_hashing', 'hash_balance_factor'] : [];
  const rest = dropped(own, ['consistent_hashing_lb_config', 'locality_weighted_lb_config', ...former]);
  const written = common === undefined ? chosen.written : [...chosen.written, common.key];
  const entries = isMap(common?.value)
    ? only(['use_hostname_for_hashing', 'hash_balance_factor', 'hash_policy'], common.value, written, walk)
    : former.flatMap((name) => fieldOf(own, name) ?? []);
  return [
    policyWord(chosen, policy),
    part(chosen, [settings], withoutDefaultHash(rest)),
    ...entries.map((entry): PolicyField => ({
      at: ['load_balancing_policy', snake(entry.key)],
      entry,
      written: [...written, entry.key],
    })),
    ...moved(chosen, 'locality_weighted_lb_config', ['common_lb_config', 'locality_weighted_lb_config']),
  ];
}

/**
 * Unlike lb_subset_config this divides without selectors too, so that the fallback answers every request: a selector without
 * keys says that. And it may be aware of locality weights that the policy inside does not use.
 */
function subsets(chosen: Chosen, walk: Walk, inside: readonly string[]): readonly PolicyField[] {
  const inner = child(chosen, SUBSET, walk, inside);
  const aware = fieldOf(chosen.config, 'locality_weight_aware');
  const isWeighted = inner.some(({ at: [, name] }) => name === 'locality_weighted_lb_config');
  if (!isWeighted && aware?.value.kind === 'scalar' && aware.value.text === 'true') {
    const text = `${aware.key} has no effect: the policy inside of subset has no weights of localities`;
    walk.report('warning', 'no-effect', text, keySpan(aware), [...walk.path, ...chosen.written, aware.key]);
  }
  const own = dropped(ownFields(chosen), [INNER_POLICY[SUBSET], ...(isWeighted ? [] : ['locality_weight_aware'])]);
  const selectors = fieldOf(own, 'subset_selectors');
  const isDivided = selectors !== undefined && !(selectors.value.kind === 'list' && selectors.value.items.length === 0);
  const settings = isDivided
    ? own
    : put(own, 'subset_selectors', nodeOf([{ keys: [] }], chosen.config), selectors ?? chosen.field);
  return [part(chosen, ['lb_subset_config'], settings), ...inner];
}

/** Localities by their weights; for hosts the proxy accepts one policy only here. */
function wrrLocality(chosen: Chosen, walk: Walk, inside: readonly string[]): readonly PolicyField[] {
  only([], dropped(ownFields(chosen), [INNER_POLICY[WRR_LOCALITY]]), chosen.written, walk);
  const fields = child(chosen, WRR_LOCALITY, walk, inside);
  const weighted = fields.some(({ at: [, part] }) => part === 'client_side_weighted_round_robin');
  if (fields.length > 0 && !weighted) {
    const text =
      'wrr_locality takes client_side_weighted_round_robin as endpoint_picking_policy and nothing else; ' +
      'for other policies write locality_lb_config: {locality_weighted_lb_config: {}} in them';
    const entry = fieldOf(chosen.config, INNER_POLICY[WRR_LOCALITY]) ?? chosen.field;
    walk.report('error', 'load-balancing-policy', text, keySpan(entry), [...walk.path, ...chosen.written]);
    return [];
  }
  return [...fields, part(chosen, ['common_lb_config', 'locality_weighted_lb_config'], mapNode({}, chosen.config))];
}

/** Settings that the cluster has no field for, of a policy around another one. */
function keptAround(message: keyof typeof INNER_POLICY): Unfold {
  return (chosen, walk, inside) => {
    const name = INNER_POLICY[message];
    const inner = fieldOf(chosen.config, name);
    const own = ownFields(chosen);
    // The inner policy is read elsewhere: here it only has to exist.
    const settings = inner === undefined ? own : put(own, name, mapNode({}, inner.value), inner);
    const at = ['load_balancing_policy', folderOf(message)] as const;
    return [part(chosen, at, settings), ...child(chosen, message, walk, inside)];
  };
}

/** The policy inside of another one. */
function child(
  chosen: Chosen,
  outer: keyof typeof INNER_POLICY,
  walk: Walk,
  inside: readonly string[],
): readonly PolicyField[] {
  const name = INNER_POLICY[outer];
  const entry = fieldOf(chosen.config, name);
  if (entry !== undefined) return unfold(entry, [...chosen.written, entry.key], walk, [...inside, folderOf(outer)]);
  const text = `${name} is required: the policy that chooses among the hosts`;
  walk.report('error', 'required', text, keySpan(chosen.field), [...walk.path, ...chosen.written]);
  return [];
}

/** The entries with one of these names, in either case; any other is an error. */
function only(names: readonly string[], node: MapNode, written: Path, walk: Walk): readonly MapEntry[] {
  return node.entries.filter((entry) => {
    const isKnown = names.includes(snake(entry.key));
    const text = `${entry.key} is not a field here${names.length === 0 ? '' : `: there are ${names.join(', ')}`}`;
    if (!isKnown) walk.report('error', 'unknown-field', text, keySpan(entry), [...walk.path, ...written, entry.key]);
    return isKnown;
  });
}

// --- parts ---------------------------------------------------------------------------------------------------------

function ownFields({ config }: Chosen): MapNode {
  return dropped(config, ['@type']);
}

function part({ field, written }: Chosen, at: PolicyField['at'], value: SourceNode): PolicyField {
  return { at, entry: { key: field.key, keyStart: field.keyStart, keyEnd: field.keyEnd, value }, written };
}

function policyWord(chosen: Chosen, policy: string): PolicyField {
  return part(chosen, ['lb_policy'], nodeOf(policy, chosen.config));
}

function moved(chosen: Chosen, name: string, to: PolicyField['at']): readonly PolicyField[] {
  const entry = fieldOf(chosen.config, name);
  return entry === undefined ? [] : [{ at: to, entry, written: [...chosen.written, entry.key] }];
}

/** A policy's settings of localities, as parts of common_lb_config. */
function localities(chosen: Chosen, walk: Walk): readonly PolicyField[] {
  const field = fieldOf(chosen.config, 'locality_lb_config');
  if (field === undefined) return [];
  if (!isMap(field.value)) {
    walk.error('type', `expected a mapping, found ${describe(field.value)}`, field.value);
    return [];
  }
  const names = ['zone_aware_lb_config', 'locality_weighted_lb_config'];
  return only(names, field.value, [...chosen.written, field.key], walk).map((entry) => ({
    at: ['common_lb_config', snake(entry.key)],
    entry: snake(entry.key) === 'zone_aware_lb_config' ? forcedLocal(entry) : entry,
    written: [...chosen.written, field.key, entry.key],
  }));
}

/** The deprecated form of force_local_zone, which takes precedence over it. */
function forcedLocal(entry: MapEntry): MapEntry {
  const { value } = entry;
  if (!isMap(value)) return entry;
  const former = fieldOf(value, 'force_locality_direct_routing');
  const rest = dropped(value, ['force_locality_direct_routing']);
  const isOn = former?.value.kind === 'scalar' && former.value.text === 'true';
  if (!isOn || fieldOf(value, 'force_local_zone') !== undefined) return { ...entry, value: rest };
  return { ...entry, value: put(rest, 'force_local_zone', mapNode({}, former.value), former) };
}

/** `DEFAULT_HASH` is XX_HASH, which the cluster's own field has for 0. */
function withoutDefaultHash(config: MapNode): MapNode {
  const entry = fieldOf(config, 'hash_function');
  const text = entry?.value.kind === 'scalar' ? entry.value.text.toUpperCase() : '';
  return text === 'DEFAULT_HASH' || text === '0' ? dropped(config, ['hash_function']) : config;
}
