import { eachCluster, type LintRule, thread } from '../../rule.js';
import { AT, keysOf, subsets } from '../subsets-shared.js';

export const keysSubsetWithoutTarget: LintRule = {
  name: 'keys-subset-without-target',
  severity: 'warning',
  title: 'KEYS_SUBSET towards keys that no selector has',
  why: 'KEYS_SUBSET reduces the request to `fallback_keys_subset` and looks again. It finds a subset only if another selector has exactly those keys; otherwise the second look fails as the first did, and the cluster’s fallback_policy decides.',
  sources: [
    thread('envoyproxy/envoy/pull/8890', 'new fallback policy for selectors: KEYS_SUBSET'),
    thread(14215, 'fallback policy support next selector mode'),
  ],
  example: subsets(
    'subset_selectors: [{keys: [stage, version], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [stage]}]',
  ),
  repaired: subsets(
    'subset_selectors: [{keys: [stage]}, {keys: [stage, version], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [stage]}]',
  ),
  check: eachCluster(({ cluster: { lbSubsetConfig }, path }, report) => {
    if (lbSubsetConfig === undefined) return;
    const known = new Set(keysOf(lbSubsetConfig).map((keys) => JSON.stringify(keys)));
    for (const [index, { fallbackPolicy, fallbackKeysSubset }] of lbSubsetConfig.subsetSelectors.entries()) {
      const wanted = [...new Set(fallbackKeysSubset)].sort();
      if (fallbackPolicy !== 'KEYS_SUBSET' || known.has(JSON.stringify(wanted))) continue;
      const text = `no selector has the keys [${wanted.join(', ')}]: this fallback finds no subset`;
      report(
        [...path, AT, 'subset_selectors', index, 'fallback_keys_subset'],
        `${text}. Add {keys: [${wanted.join(', ')}]}`,
      );
    }
  }),
};
