import { quirksOf } from '../../../../core/quirks.js';
import type { ProxyVersion } from '../../../../core/version.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { AT, keysOf, page, subsets, versionsOf } from '../subsets-shared.js';

const startsWith = (keys: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= keys.length && prefix.every((key, index) => keys[index] === key);

export const selectorPrefix: LintRule = {
  name: 'subset-selector-prefix',
  severity: 'warning',
  title: 'A subset selector that comes after a longer one',
  why: 'Selectors share a tree of their sorted keys, and a selector’s own fallback policy is kept only where it makes a new node of that tree. A selector whose keys are a prefix of a longer one listed before it loses its fallback_policy: the cluster’s applies instead (with proxy 1.12, none). Up to 1.22 only selectors with a policy of their own are in that tree; now all are. Listing the shorter one first keeps both.',
  sources: [
    thread(8874, 'global fallback_policy is not enforced for selectors if there is another more specific selector'),
    page,
  ],
  example: subsets(
    'fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [stage, version], fallback_policy: ANY_ENDPOINT}, {keys: [stage], fallback_policy: NO_FALLBACK}]',
  ),
  repaired: subsets(
    'fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [stage], fallback_policy: NO_FALLBACK}, {keys: [stage, version], fallback_policy: ANY_ENDPOINT}]',
  ),
  check: eachCluster(({ cluster: { lbSubsetConfig }, path }, report, subject) => {
    if (lbSubsetConfig === undefined || lbSubsetConfig.allowRedundantKeys) return;
    const all = keysOf(lbSubsetConfig);
    const policyOf = (index: number): string => lbSubsetConfig.subsetSelectors[index]?.fallbackPolicy ?? 'NOT_DEFINED';
    const versions = versionsOf(subject);
    for (const [index, keys] of all.entries()) {
      const own = policyOf(index);
      if (own === 'NOT_DEFINED' || keys.length === 0) continue;
      const longer = [...all.keys()].filter((other) => {
        const others = all[other] ?? [];
        return other < index && others.length > keys.length && startsWith(others, keys);
      });
      const takes = (other: number, version: ProxyVersion): boolean =>
        policyOf(other) !== 'NOT_DEFINED' || !quirksOf(version).policiesAloneGrowTree;
      const losing = versions.filter((version) => longer.some((other) => takes(other, version)));
      const earlier = longer.find((other) => losing.some((version) => takes(other, version)));
      if (earlier === undefined) continue;
      const by = losing.length < versions.length ? ` by proxy ${losing.join(', ')}` : '';
      const text = `the fallback ${own} of [${keys.join(', ')}] is lost${by}: [${(all[earlier] ?? []).join(', ')}] is listed before it`;
      report([...path, AT, 'subset_selectors', index, 'fallback_policy'], text);
    }
  }),
};
