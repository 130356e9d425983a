import { eachCluster, type LintRule, thread } from '../../rule.js';
import { AT, subsets } from '../subsets-shared.js';

export const panicModeAnyUnused: LintRule = {
  name: 'panic-mode-any-unused',
  severity: 'warning',
  title: 'panic_mode_any under NO_FALLBACK',
  why: 'panic_mode_any takes any host if the *fallback* has none. NO_FALLBACK, the default, has no fallback that could be empty: requests that match no subset still fail.',
  sources: [thread('envoyproxy/envoy/pull/6117', 'Allow any host when fallback policy fails')],
  example: subsets('panic_mode_any: true, subset_selectors: [{keys: [version]}]'),
  repaired: subsets(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}, panic_mode_any: true, subset_selectors: [{keys: [version]}]',
  ),
  check: eachCluster(({ cluster: { lbSubsetConfig }, path }, report) => {
    if (lbSubsetConfig?.panicModeAny !== true || lbSubsetConfig.fallbackPolicy === 'DEFAULT_SUBSET') return;
    const found = lbSubsetConfig.fallbackPolicy === 'NO_FALLBACK' ? 'has no fallback' : 'takes any host anyway';
    report([...path, AT, 'panic_mode_any'], `this has no effect: ${lbSubsetConfig.fallbackPolicy} ${found}`);
  }),
};
