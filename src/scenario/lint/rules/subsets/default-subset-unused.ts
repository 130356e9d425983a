import { eachCluster, type LintRule } from '../../rule.js';
import { AT, page, subsets, usesDefault } from '../subsets-shared.js';

export const defaultSubsetUnused: LintRule = {
  name: 'default-subset-unused',
  severity: 'warning',
  title: 'A default subset that nothing falls back on',
  why: 'default_subset is used where a fallback policy, the cluster’s or a selector’s, is DEFAULT_SUBSET. The default of the policy is NO_FALLBACK: requests that match no subset fail.',
  sources: [page],
  example: subsets('default_subset: {version: "1"}, subset_selectors: [{keys: [version]}]'),
  repaired: subsets(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}, subset_selectors: [{keys: [version]}]',
  ),
  check: eachCluster(({ cluster: { lbSubsetConfig }, path }, report) => {
    if (lbSubsetConfig?.defaultSubset === undefined || usesDefault(lbSubsetConfig)) return;
    const text = `nothing falls back on default_subset: fallback_policy is ${lbSubsetConfig.fallbackPolicy}, not DEFAULT_SUBSET`;
    report([...path, AT, 'default_subset'], text);
  }),
};
