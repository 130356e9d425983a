/**
 * Settings of a typed policy of v3 without a field in the cluster: weights by load reports, hosts that requests name, hash
 * policies. `chosen-policy.ts` fills them in.
 */
import { RouteHashPolicy } from './route-action.js';
import { mark, message, optional, plain, reading, repeated } from './reader.js';
import type { MessageOutput, Schema } from './reader.js';
import { readerOf } from './reader/walk.js';
import { bool, boolValue, doubleValue, duration, string, uint32Value } from './reader/proto.js';

const POLICIES = 'extensions.load_balancing_policies';

const outOfBand = {
  noEffect: 'reports come with answers; reports out of band are not simulated',
};

const metricNames = () =>
  repeated(
    string(),
    'What counts as utilisation: the largest of these, as named_metrics.queue or cpu_utilization; where a report has none of them application_utilization, else cpu_utilization.',
  );

const reporting = () => ({
  enable_oob_load_report: optional(
    boolValue(),
    'Ask hosts for reports instead of reading those of answers.',
    outOfBand,
  ),
  oob_reporting_period: optional(duration(), 'How often hosts are asked. Default 10 s.', outOfBand),
});

/** Weights of hosts by their load reports. */
const ClientSideWeightedRoundRobin = message(
  `${POLICIES}.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`,
  () => ({
    blackout_period: optional(duration(), 'How long a host must have reported before its reports count. Default 10 s.'),
    weight_expiration_period: optional(duration(), 'How old the last report may be. Default 3 min.'),
    weight_update_period: optional(duration(), 'How often weights are worked out. Default 1 s, at least 100 ms.'),
    error_utilization_penalty: optional(
      doubleValue(),
      'How much errors count as utilisation: times eps / rps. Default 0, whatever the documentation says.',
    ),
    metric_names_for_computing_utilization: metricNames(),
    ...reporting(),
  }),
  { doc: 'Weights are requests a second over utilisation, as hosts report them.' },
);

/** Weights of localities by the load reports of their hosts. */
const LoadAwareLocality = message(
  `${POLICIES}.load_aware_locality.v3.LoadAwareLocality`,
  () => ({
    weight_update_period: optional(duration(), 'How often weights are worked out. Default 1 s.'),
    metric_names_for_computing_utilization: metricNames(),
    utilization_variance_threshold: optional(
      doubleValue(),
      'How far the utilisation of the own locality may lie above that of the others before requests leave it. Default 0.1.',
    ),
    smoothing_time_constant: optional(
      duration(),
      'How slowly the utilisation of a locality follows its reports: the time constant of its smoothing. Default 5 s.',
    ),
    remote_probe_fraction: optional(
      doubleValue(),
      'Part of the requests that leaves the own locality in any case. Default 0.03.',
    ),
    weight_expiration_period: optional(duration(), 'How old the last report may be. Default 3 min.'),
    ...reporting(),
  }),
  { doc: 'Shares of localities by the room that their hosts report to have.' },
);

const MetadataKey = message(
  'type.metadata.v3.MetadataKey',
  () => ({ key: plain(string({ minLength: 1 }), 'Namespace of the metadata.') }),
  { doc: 'A place in metadata.' },
);

const OverrideHostSource = message(
  `${POLICIES}.override_host.v3.OverrideHost.OverrideHostSource`,
  () => ({
    header: plain(string(), 'Request header that names hosts.'),
    metadata: optional(MetadataKey, 'Metadata of the request that names hosts.', {
      noEffect: 'requests of a simulation carry no metadata: the next source, or the fallback policy, is asked',
    }),
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

/** Hosts that requests name themselves. */
const OverrideHost = message(
  `${POLICIES}.override_host.v3.OverrideHost`,
  () => ({
    override_host_sources: repeated(OverrideHostSource, 'The first that a request has counts.'),
  }),
  { doc: 'Requests name their hosts; a policy chooses for those that do not.' },
);

const shape = () => ({
  client_side_weighted_round_robin: optional(ClientSideWeightedRoundRobin, 'Weights by load reports.'),
  load_aware_locality: optional(LoadAwareLocality, 'Localities by load reports.'),
  override_host: optional(OverrideHost, 'Hosts that requests name.'),
  use_hostname_for_hashing: plain(bool(), 'Hash host names instead of addresses.'),
  hash_balance_factor: optional(uint32Value(), 'Percent of the mean load that a host may have.'),
  hash_policy: repeated(RouteHashPolicy, 'Where the hash of a request comes from, instead of the route.'),
});

/** The settings of the chosen policy without a field in the cluster. */
export type TypedPolicy = MessageOutput<ReturnType<typeof shape>>;

const Parts = message('Cluster.TypedPolicy', shape, {
  doc: 'What of the chosen policy the cluster has no field for.',
});

const V2 =
  'load_balancing_policy is not a field of Cluster: it is v3; name the policy in lb_policy and its options in ring_hash_lb_config and so on';

/** The list of policies is v3: it was translated before this is read. */
export const LoadBalancingPolicy: Schema<TypedPolicy> = mark(
  reading<TypedPolicy>('LoadBalancingPolicy', (node, walk) =>
    walk.apiOf(node) === 'v2' ? walk.error('unknown-field', V2, node) : readerOf(Parts)(node, walk),
  ),
  { anyTypes: {}, anyOpen: true, json: () => ({ type: 'object' }) },
);
