/**
 * The fields of a Cluster that are read by code. Rules that span several of them are in `cluster-rules.ts`.
 */
import type { Struct } from '../../core/json-value.js';
import type { ClientSubsetConfig } from '../../policy/client-subsets.js';
import type { AddedPolicy } from '../../policy/registry.js';
import type { Messages } from '../api/generated/read-messages.js';
import { any, isProxyName } from '../any.js';
import { proxyName } from '../extension.js';
import type { Policy } from '../policy/policy.js';
import { LoadBalancingPolicy } from '../policy/read.js';
import { mapping, message } from '../reader.js';
import { struct } from '../reader/proto.js';

const V3_TYPE =
  'this is v3: in a v2 cluster write http2_protocol_options, http_protocol_options or common_http_protocol_options';

message('cluster.Filter', proxyName('filter'));

/** Names of filters, as keys. */
const filterName = (key: string): string | undefined =>
  isProxyName(key) ? undefined : 'not the name of a filter that the proxy knows';

export const clusterFields = () => ({
  load_balancing_policy: LoadBalancingPolicy,
  extension_protocol_options: mapping(struct(), filterName),
  typed_extension_protocol_options: mapping(
    any({ types: {}, refused: { 'extensions.upstreams.http.v3.HttpProtocolOptions': V3_TYPE } }),
    filterName,
  ),
});

/** A Cluster as it is read; its policy may be one that the proxy has not, with settings of its own. */
export type Cluster = Omit<Messages['Cluster'], 'lbPolicy'> & {
  readonly lbPolicy: Messages['Cluster']['lbPolicy'] | AddedPolicy;
  readonly lbPolicySettings?: Struct;
  readonly loadBalancingPolicy?: Policy | undefined;
  /** Each proxy uses a part of the hosts: an extension. */
  readonly clientSubset?: ClientSubsetConfig;
};
