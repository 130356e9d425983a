/**
 * Settings of a typed policy of v3 without a field in the cluster: weights by load reports, hosts that requests name, hash
 * policies. `chosen-policy.ts` fills them in.
 */
import { RouteHashPolicy } from './route-action.js';
import { mark, message, optional, plain, reading, repeated, type MessageOutput, type Schema } from './reader.js';
import { messageWith } from './reader/message.js';
import { readerOf } from './reader/walk.js';
import { bool, boolValue, doubleValue, duration, string, uint32Value } from './reader/proto.js';

const POLICIES = 'extensions.load_balancing_policies';

const reported = () => ({
  metric_names_for_computing_utilization: repeated(string()),
  weight_update_period: optional(duration()),
  weight_expiration_period: optional(duration()),
  enable_oob_load_report: optional(boolValue()),
  oob_reporting_period: optional(duration()),
});

const ClientSideWeightedRoundRobin = messageWith(
  `${POLICIES}.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`,
  () => ({
    blackout_period: optional(duration()),
    error_utilization_penalty: optional(doubleValue()),
    ...reported(),
  }),
  { doc: 'Weights are requests a second over utilisation, as hosts report them.' },
);

const LoadAwareLocality = messageWith(
  `${POLICIES}.load_aware_locality.v3.LoadAwareLocality`,
  () => ({
    utilization_variance_threshold: optional(doubleValue()),
    smoothing_time_constant: optional(duration()),
    remote_probe_fraction: optional(doubleValue()),
    ...reported(),
  }),
  { doc: 'Shares of localities by the room that their hosts report to have.' },
);

const MetadataKey = message('type.metadata.v3.MetadataKey', () => ({ key: plain(string({ minLength: 1 })) }));

const OverrideHostSource = messageWith(
  `${POLICIES}.override_host.v3.OverrideHost.OverrideHostSource`,
  () => ({
    header: plain(string()),
    metadata: optional(MetadataKey),
  }),
  {
    doc: 'Where the names of hosts come from.',
    rules: [
      {
        name: 'override-source',
        doc: 'A source is a header or metadata.',
        reads: ['header', 'metadata'],
        check: ({ header, metadata }, report) => {
          if (header === '' && metadata === undefined) report('Empty override source: name a header');
          if (header !== '' && metadata !== undefined) report('Only one override source must be set', ['metadata']);
        },
      },
    ],
  },
);

const OverrideHost = messageWith(
  `${POLICIES}.override_host.v3.OverrideHost`,
  () => ({ override_host_sources: repeated(OverrideHostSource) }),
  { doc: 'Requests name their hosts; a policy chooses for those that do not.' },
);

const shape = () => ({
  client_side_weighted_round_robin: optional(ClientSideWeightedRoundRobin),
  load_aware_locality: optional(LoadAwareLocality),
  override_host: optional(OverrideHost),
  use_hostname_for_hashing: plain(bool()),
  hash_balance_factor: optional(uint32Value()),
  hash_policy: repeated(RouteHashPolicy),
});

/** The settings of the chosen policy without a field in the cluster. */
export type TypedPolicy = MessageOutput<ReturnType<typeof shape>>;

export const TypedPolicy = messageWith('Cluster.TypedPolicy', shape, {
  doc: 'What of the chosen policy the cluster has no field for.',
});

const V2 =
  'load_balancing_policy is not a field of Cluster: it is v3; name the policy in lb_policy and its options in ring_hash_lb_config and so on';

/** The list of policies is v3: it was translated before this is read. */
export const LoadBalancingPolicy: Schema<TypedPolicy> = mark(
  reading<TypedPolicy>('LoadBalancingPolicy', (node, walk) =>
    walk.apiOf(node) === 'v2' ? walk.error('unknown-field', V2, node) : readerOf(TypedPolicy)(node, walk),
  ),
  { anyTypes: {}, anyOpen: true, json: () => ({ type: 'object' }) },
);
