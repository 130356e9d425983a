import { eachCluster, type LintRule } from '../../rule.js';
import { AT, page, subsets } from '../subsets-shared.js';

export const subsetsWithoutSelectors: LintRule = {
  name: 'subsets-without-selectors',
  severity: 'warning',
  title: 'lb_subset_config without subset_selectors',
  why: 'Without selectors there is no subset balancer at all: fallback_policy and default_subset have no effect, and every request may go to every host.',
  sources: [page],
  example: subsets('fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}'),
  repaired: subsets(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}, subset_selectors: [{keys: [version]}]',
  ),
  check: eachCluster(({ cluster: { lbSubsetConfig, name }, path }, report) => {
    if (lbSubsetConfig === undefined || lbSubsetConfig.subsetSelectors.some(({ keys }) => keys.length > 0)) return;
    const rest =
      lbSubsetConfig.subsetSelectors.length === 0
        ? 'the rest of lb_subset_config counts for nothing'
        : `every request falls back: ${lbSubsetConfig.fallbackPolicy}`;
    const text = `${name} is not divided into subsets: no selector has keys, and ${rest}`;
    report([...path, AT], text);
  }),
};
