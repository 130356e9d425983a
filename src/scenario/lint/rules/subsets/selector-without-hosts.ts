import { eachCluster, type LintRule } from '../../rule.js';
import { AT, lbMetadata, page, subsets } from '../subsets-shared.js';

export const selectorWithoutHosts: LintRule = {
  name: 'selector-without-hosts',
  severity: 'warning',
  aboutSplit: true,
  title: 'A subset selector whose keys no host has',
  why: 'A selector makes subsets of the hosts that have *all* of its keys in their metadata under `proxy.lb`. If no host has, it makes none, and requests with these keys always fall back.',
  sources: [page],
  example: subsets('subset_selectors: [{keys: [versoin]}]'),
  repaired: subsets('subset_selectors: [{keys: [version]}]'),
  check: eachCluster((cluster, report, { timeline }) => {
    const config = cluster.cluster.lbSubsetConfig;
    if (config === undefined || !cluster.fixed || timeline.some(({ action }) => action.kind === 'set_metadata')) return;
    const hosts = lbMetadata(cluster);
    for (const [index, { keys }] of config.subsetSelectors.entries()) {
      if (keys.length === 0 || hosts.some((host) => keys.every((key) => Object.hasOwn(host, key)))) continue;
      const text = `no host of ${cluster.cluster.name} has ${keys.length === 1 ? 'the key' : 'all of the keys'} ${keys.join(', ')}`;
      report([...cluster.path, AT, 'subset_selectors', index, 'keys'], `${text}: there is no such subset`);
    }
  }),
};
