import { around, typed, withReports } from '../../analysis/verify/typed-policy-message.js';
import { LOAD_AWARE_LOCALITY, OVERRIDE_HOST } from '../../config/policy-messages.js';
import { TypedPolicy } from '../../config/typed-policy.js';
import type { Cluster } from '../../config/types.js';
import { isStruct, type JsonValue, type Struct } from '../../core/json-value.js';
import { encode } from '../encode.js';

/** Whether a cluster has what v3 alone can say. */
export function needsV3(cluster: Cluster): boolean {
  const options = Object.values(cluster.typedExtensionProtocolOptions);
  return (
    cluster.loadBalancingPolicy !== undefined ||
    options.some(({ typeUrl }) => HTTP_OPTIONS.test(typeUrl)) ||
    'resourceApiVersion' in (cluster.edsClusterConfig?.edsConfig ?? {}) ||
    !['AUTO', 'V4_ONLY', 'V6_ONLY'].includes(cluster.dnsLookupFamily)
  );
}

const HTTP_OPTIONS = /\.HttpProtocolOptions$/;

/**
 * A v3 cluster as files write it: what its policy and its protocol options say was read into fields of the cluster.
 *
 * @param message the cluster, encoded without its typed policy.
 */
export function modernMessage(cluster: Cluster, message: Struct): Struct {
  const rest = withoutRead(message);
  const { loadBalancingPolicy } = cluster;
  if (loadBalancingPolicy === undefined) return rest;
  const settings = encode(TypedPolicy, loadBalancingPolicy, 'v3') as Struct;
  const { client_side_weighted_round_robin: reported, load_aware_locality: aware, override_host: named } = settings;
  const plain = withHashing(rest, settings);
  const outer = [
    ...(aware === undefined ? [] : [[LOAD_AWARE_LOCALITY, aware] as const]),
    ...(named === undefined ? [] : [[OVERRIDE_HOST, named] as const]),
  ];
  const inner = reported === undefined ? typed(plain) : withReports(plain, fields(reported));
  return outer.reduce((within, [policy, config]) => around(policy, fields(config), within), inner);
}

/** HTTP options say these, too, and a proxy takes the maximum of requests in one place only. */
function withoutRead(message: Struct): Struct {
  const { max_requests_per_connection: _, ...rest } = message;
  const options = Object.values(fields(message['typed_extension_protocol_options']));
  const http = options.find((option) => {
    const type = fields(option)['@type'];
    return typeof type === 'string' && HTTP_OPTIONS.test(type);
  });
  const says = fields(fields(http)['common_http_protocol_options'])['max_requests_per_connection'] !== undefined;
  return says ? rest : message;
}

function withHashing(message: Struct, settings: Struct): Struct {
  const names = ['use_hostname_for_hashing', 'hash_balance_factor', 'hash_policy'];
  const own = Object.entries(settings).filter(([name]) => names.includes(name));
  if (own.length === 0) return message;
  const common = fields(message['common_lb_config']);
  return { ...message, common_lb_config: { ...common, consistent_hashing_lb_config: Object.fromEntries(own) } };
}

function fields(value: JsonValue | undefined): Struct {
  return value !== undefined && isStruct(value) ? value : {};
}
