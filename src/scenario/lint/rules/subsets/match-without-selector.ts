import { eachCluster, type LintRule, thread } from '../../rule.js';
import { keysOf, page, subsets } from '../subsets-shared.js';

const ASKING = `workloads: [{cluster: backend, arrivals: 10/s, stop: 1s, metadata_match: {version: "1", stage: prod}}]
`;

export const matchWithoutSelector: LintRule = {
  name: 'match-without-selector',
  severity: 'warning',
  aboutSplit: true,
  title: 'Requests that ask for keys no selector has',
  why: 'A request finds a subset only if a selector has exactly the keys of its metadata_match; one key more or less and it falls back. Under NO_FALLBACK, the default, it fails.',
  sources: [page, thread(8767, 'allow for fallback to another selector')],
  example: subsets('subset_selectors: [{keys: [version]}]') + ASKING,
  repaired: subsets('subset_selectors: [{keys: [stage, version]}]') + ASKING,
  check: eachCluster(({ cluster: { lbSubsetConfig, name }, traffic }, report) => {
    if (lbSubsetConfig === undefined || lbSubsetConfig.subsetSelectors.length === 0) return;
    if (lbSubsetConfig.allowRedundantKeys || lbSubsetConfig.metadataFallbackPolicy === 'FALLBACK_LIST') return;
    const known = new Set(keysOf(lbSubsetConfig).map((keys) => JSON.stringify(keys)));
    for (const { metadataMatch, path } of traffic) {
      const keys = Object.keys(metadataMatch ?? {}).sort();
      if (keys.length === 0 || known.has(JSON.stringify(keys))) continue;
      const effect =
        lbSubsetConfig.fallbackPolicy === 'NO_FALLBACK'
          ? 'these requests find no host'
          : `they fall back to ${lbSubsetConfig.fallbackPolicy}`;
      report([...path, 'metadata_match'], `no selector of ${name} has exactly the keys ${keys.join(', ')}: ${effect}`);
    }
  }),
};
