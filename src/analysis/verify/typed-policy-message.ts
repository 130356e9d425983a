import {
  INNER_POLICY,
  OVERRIDE_HOST,
  POLICY_MESSAGES,
  policyTypeUrl,
  REPORTED_WEIGHTS,
  SUBSET,
  WRR_LOCALITY,
} from '../../config/policy-messages.js';
import { POLICY_OF_BLOCK } from '../../config/cluster-rules.js';
import { placeInPolicy } from '../../config/setting-place.js';
import { isStruct, type JsonValue, type Struct } from '../../core/json-value.js';

/** Fields of a cluster's own settings that the real proxy knows in typed policies alone. */
const TYPED_ONLY = /"(force_local_zone|locality_basis|selection_method|allow_redundant_keys)":/;

/**
 * The cluster with its policy as a `load_balancing_policy`, where it has settings that the real proxy has there alone.
 *
 * @param message a v3 cluster.
 */
export function withTypedPolicy(message: Struct): Struct {
  return TYPED_ONLY.test(JSON.stringify(message)) ? typed(message) : message;
}

/** The cluster with its policy as the fallback of `override_host`, which reads addresses from a header. */
export function withOverrideHost(message: Struct, header: string): Struct {
  return around(OVERRIDE_HOST, { override_host_sources: [{ header }] }, typed(message));
}

/** The cluster with round robin by the weights that hosts report, within each locality where localities have weights. */
export function withReports(message: Struct, settings: Struct): Struct {
  const {
    lb_policy: _,
    round_robin_lb_config: turns,
    lb_subset_config: subset,
    common_lb_config: all,
    ...rest
  } = message;
  const { locality_weighted_lb_config: weighted, ...common } = fields(all);
  const config = { '@type': policyTypeUrl(REPORTED_WEIGHTS), ...settings, ...fields(turns) };
  const start = {
    ...rest,
    ...(Object.keys(common).length > 0 && { common_lb_config: common }),
    load_balancing_policy: policyList(config),
  };
  const inner = weighted === undefined ? start : around(WRR_LOCALITY, {}, start);
  return subset === undefined ? inner : around(SUBSET, fields(subset), inner);
}

/** The cluster with its `load_balancing_policy` inside of this one. */
export function around(policy: keyof typeof INNER_POLICY, settings: Struct, message: Struct): Struct {
  const inner = message['load_balancing_policy'] ?? {};
  const config = { '@type': policyTypeUrl(policy), ...settings, [INNER_POLICY[policy]]: inner };
  return { ...message, load_balancing_policy: policyList(config) };
}

/** The cluster with its policy as a `load_balancing_policy`; one that has it already as it is. */
export function typed(message: Struct): Struct {
  if (message['load_balancing_policy'] !== undefined) return message;
  const { lb_policy: policy = 'ROUND_ROBIN', lb_subset_config: subset, common_lb_config: common, ...others } = message;
  if (typeof policy !== 'string' || !isNamed(policy)) return message;
  const blocks = Object.keys(others).filter((name) => POLICY_OF_BLOCK[name] === policy);
  const kept = Object.entries(others).filter(([name]) => POLICY_OF_BLOCK[name] === undefined);
  const config: Record<string, JsonValue> = { '@type': policyTypeUrl(POLICY_MESSAGES[policy]) };
  for (const block of blocks) Object.assign(config, fields(others[block]));
  const commonKept: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields(common))) {
    const place = placeInPolicy(['common_lb_config', name], policy, false);
    if (place === 'own') commonKept[name] = value;
    if (typeof place === 'string') continue;
    const [outer = '', inner] = place;
    config[outer] = inner === undefined ? value : { ...fields(config[outer]), [inner]: value };
  }
  const start = {
    ...Object.fromEntries(kept),
    ...(Object.keys(commonKept).length > 0 && { common_lb_config: commonKept }),
    load_balancing_policy: policyList(config),
  };
  return subset === undefined ? start : around(SUBSET, fields(subset), start);
}

function isNamed(policy: string): policy is keyof typeof POLICY_MESSAGES {
  return Object.hasOwn(POLICY_MESSAGES, policy);
}

function policyList(config: Struct): Struct {
  return { policies: [{ typed_extension_config: { name: 'policy', typed_config: config } }] };
}

function fields(value: JsonValue | undefined): Struct {
  return value !== undefined && isStruct(value) ? value : {};
}
