/**
 * Where a cluster with a `load_balancing_policy` has what other clusters have in fields of their own: the policy that is
 * chosen there has its settings itself, and those of localities and of consistent hashing.
 *
 * Source: docs of the messages in `extensions.load_balancing_policies`; what a 1.40.0 takes.
 */
import { isTablePolicy } from '../policy/registry.js';
import { POLICY_OF_BLOCK } from './cluster-rules.js';
import type { Cluster } from './cluster-shape.js';
import type { Path } from './source/document.js';

/** Parts of `common_lb_config` that policies over a list of hosts, and those with a table, have themselves. */
export const PARTS_OF_POLICY: Readonly<Record<string, { readonly list?: Path; readonly table?: Path }>> = {
  zone_aware_lb_config: { list: ['locality_lb_config', 'zone_aware_lb_config'] },
  locality_weighted_lb_config: {
    list: ['locality_lb_config', 'locality_weighted_lb_config'],
    table: ['locality_weighted_lb_config'],
  },
  consistent_hashing_lb_config: { table: ['consistent_hashing_lb_config'] },
};

/**
 * The place of a setting in the policy that chooses the host.
 *
 * @param setting its place in a cluster with `lb_policy`: `['common_lb_config', 'locality_weighted_lb_config']`.
 * @param policy as an `lb_policy`.
 * @param isReported it chooses by the weights that hosts report, and has no localities.
 * @returns `own`: it stands in the cluster all the same. `none`: that policy has no such setting.
 */
export function placeInPolicy(
  setting: Path,
  policy: string | Exclude<Cluster['lbPolicy'], string>,
  isReported: boolean,
): Path | 'own' | 'none' {
  const [field = '', ...rest] = setting;
  if (field === 'lb_policy') return [];
  const owner = POLICY_OF_BLOCK[field];
  if (owner !== undefined) return owner === policy ? rest : 'none';
  const [part, ...inside] = rest;
  const places = field === 'common_lb_config' && part !== undefined ? PARTS_OF_POLICY[part] : undefined;
  if (places === undefined) return 'own';
  const place = isReported ? undefined : places[isTablePolicy(policy) ? 'table' : 'list'];
  return place === undefined ? 'none' : [...place, ...inside];
}
