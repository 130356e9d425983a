import { sameJson, type Struct } from '../../../../core/json-value.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { AT, lbMetadata, page, subsets, usesDefault } from '../subsets-shared.js';

export const defaultSubsetEmpty: LintRule = {
  name: 'default-subset-empty',
  severity: 'warning',
  aboutSplit: true,
  title: 'A default subset that no host is in',
  why: 'DEFAULT_SUBSET balances over the hosts whose metadata under `proxy.lb` has all entries of default_subset, compared by type: the number 1 is not the text "1". If there are none, every request that falls back fails.',
  sources: [page, thread(34798, 'Enable fallback_policy when no healthy host in subset')],
  example: subsets(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: 1}, subset_selectors: [{keys: [version]}]',
  ),
  repaired: subsets(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}, subset_selectors: [{keys: [version]}]',
  ),
  check: eachCluster((cluster, report) => {
    const config = cluster.cluster.lbSubsetConfig;
    const wanted = Object.entries(config?.defaultSubset ?? {});
    if (config === undefined || !usesDefault(config) || !cluster.fixed || config.listAsAny) return;
    const matches = (host: Struct): boolean =>
      wanted.every(([key, value]) => Object.hasOwn(host, key) && sameJson(host[key] ?? null, value));
    if (lbMetadata(cluster).some(matches)) return;
    const shown = wanted.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ');
    report(
      [...cluster.path, AT, 'default_subset'],
      `no host of ${cluster.cluster.name} has {${shown}}: what falls back finds no host`,
    );
  }),
};
