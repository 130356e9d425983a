/** The fields of a Cluster that are read by code. Rules that span several of them are in `cluster-rules.ts`. */
import { any } from '../reader/api-schema.js';
import { isProxyName } from '../reader/any-value.js';
import { lbPolicyName } from '../../policy/registry.js';
import type { Messages } from '../api/generated/read-messages.js';
import { proxyName } from '../extension.js';
import type { Policy } from '../policy/policy.js';
import { LoadBalancingPolicy } from '../policy/read.js';
import { mapping, mark, message, type Schema } from '../reader.js';
import type { NamedPolicy } from '../reader/context.js';
import { struct } from '../reader/proto/well-known.js';
import { readerOf } from '../reader/walk.js';

const V3_TYPE =
  'this is v3: in a v2 cluster write http2_protocol_options, http_protocol_options or common_http_protocol_options';

message('cluster.Filter', proxyName('filter'));

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

/** The policy may be one that the proxy has not. */
export const aroundFields = {
  lb_policy: (schema: Schema<unknown>): Schema<unknown> => {
    const proxys = readerOf(schema);
    return mark(schema, { read: (node, walk) => walk.policies?.named(node, walk) ?? proxys(node, walk) });
  },
};

export type Cluster = Omit<Messages['Cluster'], 'lbPolicy'> & {
  readonly lbPolicy: Messages['Cluster']['lbPolicy'] | NamedPolicy;
  readonly loadBalancingPolicy?: Policy | undefined;
};

/** What `lb_policy` says, in its long form. */
export function namedPolicy({ lbPolicy }: Pick<Cluster, 'lbPolicy'>): NamedPolicy | undefined {
  return typeof lbPolicy === 'object' ? lbPolicy : undefined;
}

export function lbPolicyText({ lbPolicy }: Pick<Cluster, 'lbPolicy'>): string {
  return typeof lbPolicy === 'object' ? lbPolicyName(lbPolicy.policy) : lbPolicy;
}
