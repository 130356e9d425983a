import { POLICY_OF_BLOCK } from '../config/cluster-rules.js';
import { camel } from '../config/reader.js';
import { snake } from '../config/reader/letter-case.js';
import type { MapNode } from '../config/source/document.js';
import { dropped, fieldOf, put, textOf } from '../config/source/trees.js';
import { type Modules, withOtherPolicy } from './set-typed-policy.js';

/** Overrides `lb_policy`. */
const TYPED_POLICY = 'load_balancing_policy';

/**
 * A cluster whose `lb_policy` was just set, without what belongs to another policy; and the blocks that were left out. A
 * `load_balancing_policy` gets the policy in the place of its own.
 */
export function withoutOtherPolicies(
  cluster: MapNode,
  modules: Modules,
): {
  readonly cluster: MapNode;
  readonly left: readonly string[];
} {
  const policy = textOf(cluster.entries.findLast(({ key }) => snake(key) === 'lb_policy')?.value);
  const isOthers = (key: string): boolean => {
    const name = snake(key);
    if (name === TYPED_POLICY) return policy !== 'LOAD_BALANCING_POLICY_CONFIG';
    const owner = POLICY_OF_BLOCK[name];
    return owner !== undefined && owner !== policy;
  };
  const typed = fieldOf(cluster, TYPED_POLICY);
  const other =
    typed && policy !== undefined && isOthers(typed.key) ? withOtherPolicy(typed, policy, modules) : undefined;
  if (typed !== undefined && other !== undefined) {
    return { cluster: put(dropped(cluster, ['lb_policy']), typed.key, other.value, typed), left: other.left };
  }
  const left = cluster.entries.filter(({ key }) => isOthers(key)).map(({ key }) => key);
  return { cluster: left.length === 0 ? cluster : dropped(cluster, left), left };
}

/** Whether a step of a path is the field that chooses the policy. */
export function choosesPolicy(field: string): boolean {
  return field === 'lb_policy' || field === camel('lb_policy');
}
