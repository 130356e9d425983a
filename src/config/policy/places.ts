/**
 * Where a policy of v3 has what other clusters have in fields of their own, which lint and `--set` name.
 *
 * Source: docs of the messages in `extensions.load_balancing_policies`; what a 1.40.0 takes.
 */
import { isTablePolicy } from '../../policy/registry.js';
import type { Path } from '../source/document.js';
import type { Kind } from './policy.js';

/** What policies share. */
export const LOCALITIES = 'locality_lb_config';
export const WEIGHTED = 'locality_weighted_lb_config';
const HASHED = 'consistent_hashing_lb_config';
export const SHARED_PARTS: readonly string[] = [LOCALITIES, WEIGHTED, HASHED];

const WEIGHTS = ['common_lb_config', WEIGHTED];
const ZONES = ['common_lb_config', 'zone_aware_lb_config'];
const HASHING = ['common_lb_config', HASHED];

const SUBSETS = 'lb_subset_config';

type Places = readonly (readonly [setting: readonly string[], place: readonly string[]])[];

const OF_LISTS: Places = [
  [['lb_policy'], []],
  [ZONES, [LOCALITIES, 'zone_aware_lb_config']],
  [WEIGHTS, [LOCALITIES, WEIGHTED]],
];
const OF_TABLES: Places = [
  [['lb_policy'], []],
  [WEIGHTS, [WEIGHTED]],
  [HASHING, [HASHED]],
];

const PLACES: Readonly<Record<Exclude<Kind, 'by_name'>, Places>> = {
  round_robin: [...OF_LISTS, [['round_robin_lb_config'], []]],
  least_request: [...OF_LISTS, [['least_request_lb_config'], []]],
  random: OF_LISTS,
  ring_hash: [...OF_TABLES, [['ring_hash_lb_config'], []]],
  maglev: [...OF_TABLES, [['maglev_lb_config'], []]],
  cluster_provided: [[['lb_policy'], []]],
  client_side_weighted_round_robin: [
    [['lb_policy'], []],
    [['round_robin_lb_config', 'slow_start_config'], ['slow_start_config']],
  ],
  subset: [[[SUBSETS], []]],
  wrr_locality: [[WEIGHTS, []]],
  load_aware_locality: [],
  override_host: [],
};

/** Older fields of a cluster that a `load_balancing_policy` goes before, and those that it has itself: beside it they are refused. */
export const POLICY_FIELDS: readonly string[] = [
  ...['lb_policy', 'round_robin_lb_config', 'least_request_lb_config', 'ring_hash_lb_config', 'maglev_lb_config'],
  SUBSETS,
];
export const POLICY_PARTS: readonly string[] = [ZONES, WEIGHTS, HASHING].map(([, part = '']) => part);

export function placesOf(kind: Exclude<Kind, 'by_name'>): Places {
  return PLACES[kind];
}

/** A policy that the proxy has not is a list, or has a table. */
type PlacedLeaf =
  | { readonly kind: Exclude<Kind, 'by_name'> }
  | { readonly kind: 'by_name'; readonly policy: Parameters<typeof isTablePolicy>[0] };

/**
 * The place of a setting in the policy that chooses the host.
 *
 * @param setting its place in a cluster with `lb_policy`: `['common_lb_config', 'locality_weighted_lb_config']`.
 * @returns `own`: it stands in the cluster all the same. `none`: that policy has no such setting.
 */
export function placeInPolicy(setting: Path, leaf: PlacedLeaf): Path | 'own' | 'none' {
  const begins = (field: readonly string[]): boolean => field.every((step, index) => setting[index] === step);
  const places = leaf.kind !== 'by_name' ? PLACES[leaf.kind] : isTablePolicy(leaf.policy) ? OF_TABLES : OF_LISTS;
  const found = places.find(([field]) => begins(field));
  if (found !== undefined) return [...found[1], ...setting.slice(found[0].length)];
  const [field = '', part = ''] = setting;
  const isOfPolicy =
    field === 'common_lb_config'
      ? POLICY_PARTS.includes(String(part))
      : field !== SUBSETS && POLICY_FIELDS.includes(String(field));
  return isOfPolicy ? 'none' : 'own';
}
