/** Another policy in the place of that of a `load_balancing_policy`: its parts around it, and of localities, stay. */
import { placeInPolicy } from '../../config/policy/places.js';
import { kindOf } from '../../config/policy/policy.js';
import { chosenIn, innerOf, policiesOf, typeUrl } from '../../config/policy/read.js';
import { snake } from '../../config/reader/letter-case.js';
import type { MapEntry, MapNode, Path, SourceNode } from '../../config/source/document.js';
import { dropped, fieldOf, isMap, mapNode, nodeOf, put, replaced, textOf, valueAt } from '../../config/source/trees.js';
import { EXTENSIONS } from '../../policy/extensions.js';
import { factsOf, isTablePolicy } from '../../policy/registry.js';

/** Modules of policies, by the names that files use. */
export type Modules = Readonly<Record<string, unknown>>;

interface Other {
  /** undefined: the proxy has it not. */
  readonly type?: string;
  /** Settings that it takes over from other policies. */
  readonly shared: readonly string[];
}

const LOCALITIES = 'locality_lb_config';
const WEIGHTED = 'locality_weighted_lb_config';
const SLOW_START = 'slow_start_config';
const HASHING = 'consistent_hashing_lb_config';

/** Of policies that are not the proxy's. */
const ADDED = { list: [LOCALITIES, SLOW_START], table: [WEIGHTED] } as const;

/** It takes no other policy inside than its own, and goes with it. */
const WRR_LOCALITY = 'wrr_locality';

/** @returns undefined: no policy of that name can stand there. */
export function withOtherPolicy(
  field: MapEntry,
  policy: string,
  modules: Modules,
): { readonly value: SourceNode; readonly left: readonly string[] } | undefined {
  const { extension, kind } = innermost(field.value);
  const config = valueAt(extension, 'typed_config');
  const other = otherOf(policy, modules);
  if (!isMap(extension) || !isMap(config) || other === undefined) return undefined;
  const { type, shared } = other;
  if (kind !== undefined && kind === kindOf(policy)) return { value: field.value, left: [] };
  const settings = withWeights(dropped(config, ['@type', 'endpoint_picking_policy']), kind === WRR_LOCALITY, shared);
  const kept = settings.entries.filter(({ key }) => shared.includes(snake(key)));
  const left = settings.entries.filter((entry) => !kept.includes(entry)).map(({ key }) => key);
  const { entries } = mapNode(type === undefined ? {} : { '@type': nodeOf(type, config) }, config);
  const span = { keyStart: extension.start, keyEnd: extension.end };
  const named = put(extension, 'name', nodeOf(policy, extension), span);
  const changed = put(named, 'typed_config', { ...config, entries: [...entries, ...kept] }, span);
  return { value: replaced(field.value, new Map([[extension, changed]])), left };
}

function otherOf(policy: string, modules: Modules): Other | undefined {
  const kind = kindOf(policy);
  if (kind === undefined) return addedKind(policy, modules);
  const type = typeUrl(kind);
  if (isTablePolicy(policy)) return { type, shared: [WEIGHTED, HASHING] };
  // Slow start changes weights.
  return { type, shared: factsOf(policy)?.usesWeights === true ? [LOCALITIES, SLOW_START] : [LOCALITIES] };
}

function addedKind(name: string, modules: Modules): Other | undefined {
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
  const { extension, kind } = innermost(typed?.value);
  const config = valueAt(extension, 'typed_config');
  if (typed === undefined || setting[0] === 'lb_policy' || !isMap(config)) return undefined;
  const name = textOf(valueAt(extension, 'name')) ?? '';
  const leaf = kind === WRR_LOCALITY ? 'client_side_weighted_round_robin' : kind;
  const place = placeInPolicy(
    setting.map(snake),
    leaf === undefined ? { kind: 'by_name', policy: name } : { kind: leaf },
  );
  if (place === 'own') return undefined;
  if (place === 'none') return `${typed.key} names ${kind?.toUpperCase() ?? name}, which has no ${setting.join('.')}`;
  return { config, place };
}

/** The settings of a policy in the place of its own: its type stays, and what other clusters have elsewhere. */
export function withOwnSettings(config: MapNode, settings: MapNode): MapNode {
  const others = [LOCALITIES, WEIGHTED, HASHING];
  const kept = config.entries.filter(({ key }) => key === '@type' || others.includes(snake(key)));
  return { ...config, entries: [...kept, ...settings.entries] };
}

/** The policy that chooses the host. */
function innermost(list: SourceNode | undefined): {
  readonly extension: SourceNode | undefined;
  readonly kind: NonNullable<ReturnType<typeof chosenIn>>['kind'];
} {
  const chosen = chosenIn(list);
  const inner = chosen === undefined || chosen.kind === WRR_LOCALITY ? undefined : innerOf(chosen);
  if (inner !== undefined) return innermost(inner.value);
  return { extension: chosen?.extension ?? valueAt(policiesOf(list)[0], 'typed_extension_config'), kind: chosen?.kind };
}

/** Weighted localities are a field of tables, and a part of the localities of lists; WrrLocality weighs them unasked. */
function withWeights(own: MapNode, isWrr: boolean, shared: readonly string[]): MapNode {
  const written = fieldOf(own, WEIGHTED)?.value ?? valueAt(own, LOCALITIES, WEIGHTED);
  const weighted = written ?? (isWrr ? mapNode({}, own) : undefined);
  if (weighted === undefined) return own;
  const span = { keyStart: weighted.start, keyEnd: weighted.end };
  const rest = dropped(own, [WEIGHTED, LOCALITIES]);
  return shared.includes(WEIGHTED)
    ? put(rest, WEIGHTED, weighted, span)
    : put(rest, LOCALITIES, mapNode({ [WEIGHTED]: weighted }, weighted), span);
}
