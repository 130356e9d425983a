import { RegexMatchAndSubstitute } from './matcher.js';
import { list, message, optional, plain, repeated, required } from '../reader.js';
import { bool, string, uint32Value } from '../reader/proto.js';
import { filterConfigsRule, headerRemovals } from './route-parts.js';

const ClusterWeight = message(
  'route.WeightedCluster.ClusterWeight',
  () => ({ name: plain(string()), weight: optional(uint32Value()), ...headerRemovals.shape() }),

  filterConfigsRule,
  headerRemovals.rule,
  {
    name: 'weighted-cluster',
    reads: ['name', 'weight'],
    check: ({ name, weight }, report, has, api) => {
      const headed = has('cluster_header');
      if (name === '' && !headed) {
        report('At least one of name or cluster_header need to be specified');
      } else if (name !== '' && headed) {
        report('Only one of name or cluster_header can be specified', ['cluster_header']);
      }
      if (api === 'v3' && weight === undefined) report('weight is required: a 1.40 has no default');
    },
  },
);

const WeightedCluster = message(
  'route.WeightedCluster',
  () => ({ clusters: required(list(ClusterWeight)), total_weight: optional(uint32Value()) }),

  {
    name: 'weighted-clusters',
    reads: ['clusters', 'total_weight'],
    check: ({ clusters, totalWeight = 100 }, report, _, api) => {
      const sum = clusters.reduce((total, { weight = 0 }) => total + weight, 0);
      if (api === 'v3') {
        if (sum === 0) report('Sum of weights in the weighted_cluster must be greater than 0.');
        if (sum > UINT32_MAX) report(`The sum of weights of all weighted clusters exceeds ${UINT32_MAX}`);
      } else if (sum !== totalWeight) {
        report(`Sum of weights in the weighted_cluster should add up to ${totalWeight}, found ${sum}`);
      }
    },
  },
);

const UINT32_MAX = 4294967295;

const HashedHeader = message('route.RouteAction.HashPolicy.Header', () => ({
  header_name: required(string()),
  regex_rewrite: optional(RegexMatchAndSubstitute),
}));

export const RouteHashPolicy = message('route.RouteAction.HashPolicy', () => ({
  header: optional(HashedHeader),
  cookie: optional(message('route.RouteAction.HashPolicy.Cookie', () => ({ name: required(string()) }))),
  terminal: plain(bool()),
}));

const RequestMirrorPolicy = message('route.RouteAction.RequestMirrorPolicy', () => ({ cluster: plain(string()) }), {
  name: 'mirror-cluster',
  reads: ['cluster'],
  check: ({ cluster }, report, has) => {
    if ((cluster !== '') !== has('cluster_header')) return;
    report('Exactly one of cluster or cluster_header in request mirror policy need to be specified');
  },
});

const UpgradeConfig = message('route.RouteAction.UpgradeConfig', () => ({ upgrade_type: required(string()) }));

export const RouteAction = message(
  'route.RouteAction',
  () => ({
    cluster: optional(string()),
    weighted_clusters: optional(WeightedCluster),
    prefix_rewrite: plain(string()),
    request_mirror_policy: optional(RequestMirrorPolicy),
    request_mirror_policies: repeated(RequestMirrorPolicy),
    hash_policy: repeated(RouteHashPolicy),
    upgrade_configs: repeated(UpgradeConfig),
  }),
  {
    name: 'upgrade-type',
    reads: ['upgrade_configs'],
    check: ({ upgradeConfigs }, report) => {
      const seen = new Set<string>();
      for (const [index, { upgradeType }] of upgradeConfigs.entries()) {
        const type = upgradeType.toLowerCase();
        if (seen.has(type)) report(`Duplicate upgrade ${upgradeType}`, ['upgrade_configs', index, 'upgrade_type']);
        seen.add(type);
      }
    },
  },
  {
    name: 'rewrite',
    reads: ['prefix_rewrite'],
    check: ({ prefixRewrite }, report, has) => {
      if (prefixRewrite !== '' && has('regex_rewrite')) {
        report('Cannot specify both prefix_rewrite and regex_rewrite', ['regex_rewrite']);
      }
    },
  },
  {
    name: 'mirror-policies',
    reads: ['request_mirror_policies'],
    check: ({ requestMirrorPolicies }, report, has) => {
      if (requestMirrorPolicies.length > 0 && has('request_mirror_policy')) {
        report('Cannot specify both request_mirror_policy and request_mirror_policies', ['request_mirror_policy']);
      }
    },
  },
);
