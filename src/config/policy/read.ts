/**
 * Reads a `load_balancing_policy` where it stands: the first policy that the proxy knows, and those inside of it. The
 * others are looked at as far as the proxy does, and passed over. And writes one.
 * Source: docs of config.cluster.v3.LoadBalancingPolicy.
 */
import type { Struct } from '../../core/values.js';
import { isTablePolicy, lbPolicyName, moduleOf } from '../../policy/registry.js';
import { INVALID, mark, reading, type Schema } from '../reader.js';
import { messageOfUrl, typeOfUrl } from '../reader/any-value.js';
import { apiSchema } from '../reader/api-schema.js';
import { readInApi, type Walk } from '../reader/context.js';
import { snake } from '../reader/letter-case.js';
import { headSpan, keySpan, locate } from '../reader/spans.js';
import { readerOf } from '../reader/walk.js';
import { formatPath, type MapNode, type Path, type SourceNode } from '../source/document.js';
import { dropped, fieldOf, isMap, itemsOf, nodeOf, replaced, textOf, valueAt, withField } from '../source/trees.js';
import { encode } from '../write.js';
import { PACKAGE, policyMessages } from './messages.js';
import { type ByName, type Leaf, placeInPolicy, placesOf, type Policy, POLICY_PARTS } from './policy.js';

const FIELD = 'load_balancing_policy';

const V2 =
  'load_balancing_policy is not a field of Cluster: it is v3; name the policy in lb_policy and its options in ring_hash_lb_config and so on';

/** undefined: it is in a policy that is passed over. */
export const LoadBalancingPolicy: Schema<Policy | undefined> = mark(
  reading<Policy | undefined>('LoadBalancingPolicy', (node, walk) => {
    if (walk.apiOf(node) === 'v2') return walk.error('unknown-field', V2, node);
    if (!walk.isPassedOver) return readPolicy(node, walk);
    passOver(node, walk);
    return undefined;
  }),
  { anyTypes: {}, anyOpen: true, json: () => ({ type: 'object' }), write: policyList },
);

const MESSAGES = policyMessages(LoadBalancingPolicy);

/** Policies that the proxy has and that are not simulated: a cluster with one of them is refused by name. */
const NOT_SIMULATED: readonly string[] = ['dynamic_modules'];

interface LeafInList {
  /** undefined: it is not simulated, or the proxy has it not. */
  readonly kind: keyof typeof MESSAGES | undefined;
  /** By which a policy that the proxy has not is found. */
  readonly name: string;
  /** That of its settings, from the list on. */
  readonly path: Path;
}

/** Inside of those around it: of each list the first that the proxy knows, else the first. undefined: there is none. */
export function leafIn(list: SourceNode | undefined): LeafInList | undefined {
  const items = policiesOf(list);
  const known = items.findIndex((item) => folderOf(valueAt(item, ...TO_CONFIG)) !== undefined);
  const at = Math.max(0, known);
  const config = valueAt(items[at], ...TO_CONFIG);
  if (!isMap(config)) return undefined;
  const folder = folderOf(config) ?? '';
  const kind = isKind(folder) ? folder : undefined;
  const path = ['policies', at, ...TO_CONFIG];
  const inner = kind && fieldOf(config, MESSAGES[kind].inner ?? '');
  if (inner === undefined)
    return { kind, path, name: textOf(valueAt(items[at], 'typed_extension_config', 'name')) ?? '' };
  const leaf = leafIn(inner.value);
  return leaf && { ...leaf, path: [...path, inner.key, ...leaf.path] };
}

export const typeUrl = (kind: keyof typeof MESSAGES): string =>
  `type.googleapis.com/envoy.${PACKAGE}.${MESSAGES[kind].message}`;

const TO_CONFIG = ['typed_extension_config', 'typed_config'];

function policiesOf(list: SourceNode | undefined): readonly SourceNode[] {
  const policies = valueAt(list, 'policies');
  return policies?.kind === 'list' ? itemsOf(policies) : policies === undefined ? [] : [policies];
}

/** Of a policy that the proxy knows: how its message begins. */
function folderOf(config: SourceNode | undefined): string | undefined {
  const type = valueAt(config, '@type');
  const message = type?.kind === 'scalar' ? messageOfUrl(type.text)?.name : undefined;
  if (message?.startsWith(`${PACKAGE}.`) !== true) return undefined;
  const name = message.slice(PACKAGE.length + 1);
  const folder = name.slice(0, name.indexOf('.'));
  return (isKind(folder) && MESSAGES[folder].message === name) || NOT_SIMULATED.includes(folder) ? folder : undefined;
}

const isKind = (folder: string): folder is keyof typeof MESSAGES => Object.hasOwn(MESSAGES, folder);

function readPolicy(node: SourceNode, walk: Walk): Policy | typeof INVALID {
  const items = policiesOf(node);
  const at = items.findIndex((item) => folderOf(valueAt(item, ...TO_CONFIG)) !== undefined || addedIn(item, walk));
  tellPassedOver(items.slice(0, at === -1 ? undefined : at), walk);
  const item = items[at];
  if (item === undefined) {
    const key = locate(walk.document.root, walk.path);
    return walk.error('load-balancing-policy', `${String(walk.path.at(-1))} names no policy that the proxy knows`, key);
  }
  const added = addedIn(item, walk);
  const config = valueAt(item, ...TO_CONFIG);
  const folder = folderOf(config) ?? '';
  if (added === undefined && !isKind(folder)) {
    const text = `the policy ${folder} is not simulated: a library of your own chooses the host, in a way that is unknown here`;
    return walk.error('not-simulated', text, valueAt(config, '@type') ?? node);
  }
  const { errors, isUnlimited } = walk;
  const { length } = walk.path;
  // The messages around its settings.
  walk.isUnlimited = false;
  const bare = nodeOf({ '@type': STRUCT }, config ?? node);
  passOver(config === undefined ? node : replaced(node, new Map([[config, bare]])), walk, at);
  walk.path.push('policies', at, ...TO_CONFIG);
  const value =
    added === undefined
      ? readKind(folder as keyof typeof MESSAGES, dropped(config as MapNode, ['@type']), walk)
      : readAdded(added, item, walk);
  walk.path.length = length;
  walk.isUnlimited = isUnlimited;
  return value === INVALID || walk.errors > errors ? INVALID : value;
}

const addedIn = (item: SourceNode, walk: Walk): string | undefined =>
  walk.options.policies?.nameOf(valueAt(item, 'typed_extension_config'));

function readKind(kind: keyof typeof MESSAGES, fields: MapNode, walk: Walk): Policy | typeof INVALID {
  const { schema, limited, read } = MESSAGES[kind];
  walk.isUnlimited = !limited;
  tellPlaces(kind, walk);
  const value = readInApi(readerOf(schema), 'v3', fields, walk);
  return value === INVALID ? INVALID : read(value as object);
}

/** Localities, slow start and hashing are read as the proxy's own policies say them. */
function readAdded(name: string, item: SourceNode, walk: Walk): Policy | typeof INVALID {
  const extension = valueAt(item, 'typed_extension_config');
  const added = isMap(extension) ? walk.options.policies?.typed(name, extension, walk) : undefined;
  if (added === undefined) return INVALID;
  const { kind, parts, policy, settings } = added;
  const standIn = readKind(kind === 'list' ? 'round_robin' : 'maglev', parts, walk);
  return standIn === INVALID ? INVALID : { ...standIn, kind: 'by_name', policy, settings };
}

const STRUCT = 'type.googleapis.com/google.protobuf.Struct';

/** Reads a list of policies that none is chosen of. @param chosen the one that is read besides. */
function passOver(node: SourceNode, walk: Walk, chosen?: number): void {
  const { isPassedOver } = walk;
  walk.isPassedOver = true;
  const complete = new Map<SourceNode, SourceNode>();
  for (const [index, item] of policiesOf(node).entries()) {
    const extension = valueAt(item, 'typed_extension_config');
    const name = addedIn(item, walk);
    if (name === undefined || !isMap(extension)) continue;
    const { length } = walk.path;
    walk.path.push('policies', index, ...TO_CONFIG);
    if (index !== chosen) walk.options.policies?.typed(name, extension, walk);
    walk.path.length = length;
    const bare = nodeOf({ '@type': STRUCT }, extension);
    complete.set(extension, withField(extension, 'typed_config', bare, headSpan(extension)));
  }
  const list = apiSchema('config.cluster.v3.LoadBalancingPolicy', 'v3');
  if (list !== undefined) readerOf(list)(replaced(node, complete), walk);
  walk.isPassedOver = isPassedOver;
}

/** Policies of other builds and of other clients of the API: from a file the proxy takes them as a TypedStruct only. */
function tellPassedOver(items: readonly SourceNode[], walk: Walk): void {
  for (const [index, item] of items.entries()) {
    const config = valueAt(item, ...TO_CONFIG);
    const type = valueAt(config, '@type');
    if (type?.kind !== 'scalar') continue;
    const path = [...walk.path, 'policies', index, ...TO_CONFIG];
    const inner = valueAt(config, 'type_url');
    const text = `${typeOfUrl(textOf(inner) ?? type.text)} is not a policy that is known here: it is passed over`;
    const isTaken = inner !== undefined || walk.document.textOf(type)?.tolerant === true;
    if (isTaken) walk.report('note', 'unchecked', text, type, path);
    else walk.report('warning', 'any-type', `${text}; a proxy that does not have it refuses it in a file`, type, path);
  }
}

/** What older fields of the cluster would say is found where the policy says it. */
function tellPlaces(kind: keyof typeof MESSAGES, walk: Walk): void {
  const cluster = walk.path.slice(0, walk.path.indexOf(FIELD));
  for (const { setting, place } of placesOf(kind))
    walk.document.move([...cluster, ...setting], [...walk.path, ...place]);
}

/** The older fields that a typed policy goes before act no more. What it has itself the proxy refuses beside it. */
export function refuseBesides(cluster: MapNode, walk: Walk): void {
  const field = fieldOf(cluster, FIELD);
  if (field === undefined) return;
  const leaf = leafIn(field.value);
  const common = valueAt(cluster, 'common_lb_config');
  const beside = [fieldOf(cluster, 'lb_subset_config'), ...POLICY_PARTS.map((name) => fieldOf(common, name))];
  for (const entry of beside.flatMap((one) => one ?? [])) {
    const { kind } = leaf ?? {};
    const place = kind === undefined ? 'none' : placeInPolicy(['common_lb_config', snake(entry.key)], { kind });
    const at =
      typeof place === 'object' && leaf !== undefined ? `, as ${formatPath([FIELD, ...leaf.path, ...place])}` : '';
    const text = `${entry.key} cannot stand beside ${FIELD}: it belongs into the policy there${at}`;
    walk.error('load-balancing-policy', text, keySpan(entry));
  }
}

export function policyList(policy: Policy): Struct {
  return { policies: [{ typed_extension_config: extensionOf(policy) }] };
}

export function settingNames(leaf: Leaf): readonly string[] {
  const { typed_config: config = {} } = extensionOf(leaf) as { readonly typed_config?: object };
  return Object.keys(config).filter((name) => name !== '@type');
}

function extensionOf(policy: Policy): Struct {
  if (policy.kind !== 'by_name') {
    const { kind } = policy;
    const typed_config = { '@type': typeUrl(kind), ...fieldsOf(kind, policy) };
    return { name: `envoy.load_balancing_policies.${kind}`, typed_config };
  }
  const { policy: name, settings: _, kind: __, ...parts } = policy;
  const fields = isTablePolicy(name) ? fieldsOf('maglev', parts) : fieldsOf('round_robin', parts);
  return { name: lbPolicyName(name), typed_config: { ...settingsAsWritten(policy), ...fields } };
}

function fieldsOf(kind: keyof typeof MESSAGES, policy: object): Struct {
  const { schema, write } = MESSAGES[kind];
  return encode(schema, write(policy), 'v3') as Struct;
}

export function settingsAsWritten({ policy, settings }: Pick<ByName, 'policy' | 'settings'>): Struct {
  const schemas = moduleOf(policy)?.settings ?? {};
  const changed = Object.entries(settings).filter(([name, value]) => value !== schemas[name]?.default);
  return Object.fromEntries(
    changed.map(([name, value]) => [name, schemas[name]?.type === 'duration' ? `${Number(value) / 1e6}s` : value]),
  );
}
