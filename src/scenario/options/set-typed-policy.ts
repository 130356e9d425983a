/** Another policy in the place of that of a `load_balancing_policy`: its parts around it, and of localities, stay. */
import { isKnownPolicy } from '../../config/chosen-policy.js';
import {
  INNER_POLICY,
  POLICY_MESSAGES,
  policyTypeUrl,
  REPORTED_WEIGHTS,
  WRR_LOCALITY,
} from '../../config/policy-messages.js';
import { snake } from '../../config/reader/letter-case.js';
import { PARTS_OF_POLICY, placeInPolicy } from '../../config/setting-place.js';
import type { MapEntry, MapNode, Path, SourceNode } from '../../config/source/document.js';
import {
  dropped,
  fieldOf,
  isMap,
  itemsOf,
  mapNode,
  nodeOf,
  put,
  replaced,
  textOf,
  valueAt,
} from '../../config/source/trees.js';
import { own } from '../../core/own.js';
import { EXTENSIONS } from '../../policy/extensions.js';
import { factsOf, isTablePolicy } from '../../policy/registry.js';

/** Modules of policies, by the names that files use. */
export type Modules = Readonly<Record<string, unknown>>;

interface Kind {
  readonly message?: string;
  /** Settings that it takes over from other policies. */
  readonly shared: readonly string[];
}

const LOCALITIES = 'locality_lb_config';
const WEIGHTED = 'locality_weighted_lb_config';
const SLOW_START = 'slow_start_config';
const HASHING = 'consistent_hashing_lb_config';

/** Of policies that are not the proxy's. */
const ADDED = { list: [LOCALITIES, SLOW_START], table: [WEIGHTED] } as const;

/** Policies around another one, by the field of it. WrrLocality is none of them: it takes no other policy than its own. */
const AROUND: ReadonlyMap<string, string> = new Map(
  Object.entries(INNER_POLICY).filter(([message]) => message !== WRR_LOCALITY),
);

/** @returns undefined: no policy of that name can stand there. */
export function withOtherPolicy(
  field: MapEntry,
  policy: string,
  modules: Modules,
): { readonly value: SourceNode; readonly left: readonly string[] } | undefined {
  const extension = innermost(field.value);
  const config = valueAt(extension, 'typed_config');
  const kind = kindOf(policy, modules);
  if (!isMap(extension) || !isMap(config) || kind === undefined) return undefined;
  const { message, shared } = kind;
  if (messageOf(config) === message) return { value: field.value, left: [] };
  const settings = withWeights(dropped(config, ['@type', INNER_POLICY[WRR_LOCALITY]]), messageOf(config), shared);
  const kept = settings.entries.filter(({ key }) => shared.includes(snake(key)));
  const left = settings.entries.filter((entry) => !kept.includes(entry)).map(({ key }) => key);
  const type = message === undefined ? {} : { '@type': nodeOf(policyTypeUrl(message), config) };
  const { entries } = mapNode(type, config);
  const span = { keyStart: extension.start, keyEnd: extension.end };
  const named = put(extension, 'name', nodeOf(policy, extension), span);
  const other = put(named, 'typed_config', { ...config, entries: [...entries, ...kept] }, span);
  return { value: replaced(field.value, new Map([[extension, other]])), left };
}

function kindOf(policy: string, modules: Modules): Kind | undefined {
  const message = own(POLICY_MESSAGES, policy);
  if (message === undefined) return addedKind(policy, modules);
  if (isTablePolicy(policy)) return { message, shared: [WEIGHTED, HASHING] };
  // Slow start changes weights.
  return { message, shared: factsOf(policy)?.usesWeights === true ? [LOCALITIES, SLOW_START] : [LOCALITIES] };
}

function addedKind(name: string, modules: Modules): Kind | undefined {
  const module = [modules, EXTENSIONS].find((one) => Object.hasOwn(one, name))?.[name];
  const kind = isObject(module) ? module.kind : undefined;
  return kind === 'list' || kind === 'table' ? { shared: ADDED[kind] } : undefined;
}

function isObject(value: unknown): value is { readonly kind?: unknown } {
  return typeof value === 'object' && value !== null;
}

/**
 * Where a cluster with a typed policy has a setting that other clusters have in a field of their own.
 *
 * @param setting its place there, as `--set` names it.
 * @returns undefined: it is a field of this cluster, too. A text: its policy has no such setting.
 */
export function settingInPolicy(
  cluster: MapNode,
  setting: readonly string[],
): { readonly config: MapNode; readonly place: Path } | string | undefined {
  const typed = fieldOf(cluster, 'load_balancing_policy');
  const extension = innermost(typed?.value ?? cluster);
  const config = valueAt(extension, 'typed_config');
  if (typed === undefined || setting[0] === 'lb_policy' || !isMap(config)) return undefined;
  const message = messageOf(config);
  const known = Object.entries(POLICY_MESSAGES).find(([, one]) => one === message)?.[0];
  const policy = known ?? textOf(valueAt(extension, 'name')) ?? '';
  const place = placeInPolicy(setting.map(snake), policy, message === REPORTED_WEIGHTS || message === WRR_LOCALITY);
  if (place === 'own') return undefined;
  if (place === 'none') return `${typed.key} names ${known ?? (message || policy)}, which has no ${setting.join('.')}`;
  return { config, place };
}

/** The settings of a policy in the place of its own: its type stays, and what other clusters have elsewhere. */
export function withOwnSettings(config: MapNode, settings: MapNode): MapNode {
  const others = Object.values(PARTS_OF_POLICY).flatMap(({ list = [], table = [] }) => [list[0], table[0]]);
  const kept = config.entries.filter(({ key }) => key === '@type' || others.includes(snake(key)));
  return { ...config, entries: [...kept, ...settings.entries] };
}

/** The `typed_extension_config` of the policy that chooses the host. */
function innermost(list: SourceNode): SourceNode | undefined {
  const policies = itemsOf(valueAt(list, 'policies'));
  const extension = valueAt(policies.find(isKnownPolicy) ?? policies[0], 'typed_extension_config');
  const config = valueAt(extension, 'typed_config');
  const inside = AROUND.get(messageOf(config));
  const inner = inside === undefined ? undefined : valueAt(config, inside);
  return inner === undefined ? extension : innermost(inner);
}

function messageOf(config: SourceNode | undefined): string {
  return textOf(valueAt(config, '@type'))?.slice(policyTypeUrl('').length) ?? '';
}

/** Weighted localities are a field of tables, and a part of the localities of lists; WrrLocality weighs them unasked. */
function withWeights(own: MapNode, message: string, shared: readonly string[]): MapNode {
  const written = fieldOf(own, WEIGHTED)?.value ?? valueAt(own, LOCALITIES, WEIGHTED);
  const weighted = written ?? (message === WRR_LOCALITY ? mapNode({}, own) : undefined);
  if (weighted === undefined) return own;
  const span = { keyStart: weighted.start, keyEnd: weighted.end };
  const rest = dropped(own, [WEIGHTED, LOCALITIES]);
  return shared.includes(WEIGHTED)
    ? put(rest, WEIGHTED, weighted, span)
    : put(rest, LOCALITIES, mapNode({ [WEIGHTED]: weighted }, weighted), span);
}
