import { quirksOf } from '../../../../core/quirks.js';
import { eachCluster, type LintRule } from '../../rule.js';
import { AT, keysOf, page, subsets, versionsOf } from '../subsets-shared.js';

export const selectorTwice: LintRule = {
  name: 'subset-selector-twice',
  severity: 'warning',
  title: 'Two subset selectors with the same keys',
  why: 'The order of keys within a selector means nothing, and neither does a key that is listed twice. Two selectors with the same keys make the same subsets, and the fallback policy of the first applies; up to proxy 1.22, that of the first that has one.',
  sources: [page],
  example: subsets('subset_selectors: [{keys: [stage, version]}, {keys: [version, stage]}]'),
  repaired: subsets('subset_selectors: [{keys: [stage, version]}, {keys: [version]}]'),
  check: eachCluster(({ cluster: { lbSubsetConfig }, path }, report, subject) => {
    if (lbSubsetConfig === undefined) return;
    const { subsetSelectors } = lbSubsetConfig;
    const all = keysOf(lbSubsetConfig).map((keys) => keys.join(', '));
    const versions = versionsOf(subject);
    for (const [index, keys] of all.entries()) {
      const earlier = all.indexOf(keys);
      if (keys === '' || earlier >= index) continue;
      const isFirstPolicy = subsetSelectors.every(
        ({ fallbackPolicy }, other) =>
          (other === index) === (fallbackPolicy !== 'NOT_DEFINED') || other > index || all[other] !== keys,
      );
      const idle = versions.filter((version) => !isFirstPolicy || !quirksOf(version).policiesAloneGrowTree);
      if (idle.length === 0) continue;
      const by = idle.length < versions.length ? ` with proxy ${idle.join(', ')}` : '';
      const text = `selector ${earlier} has the same keys [${keys}]: this one changes nothing${by}`;
      report([...path, AT, 'subset_selectors', index, 'keys'], text);
    }
  }),
};
