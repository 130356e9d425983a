import { message } from '../reader.js';
import { filterConfigsRule, headerRemovals } from './route-parts.js';

message('route.WeightedCluster.ClusterWeight', filterConfigsRule, headerRemovals, {
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
});

message('route.WeightedCluster', {
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
});

const UINT32_MAX = 4294967295;

message('route.RouteAction.RequestMirrorPolicy', {
  name: 'mirror-cluster',
  reads: ['cluster'],
  check: ({ cluster }, report, has) => {
    if ((cluster !== '') !== has('cluster_header')) return;
    report('Exactly one of cluster or cluster_header in request mirror policy need to be specified');
  },
});

export const RouteAction = message(
  'route.RouteAction',
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
