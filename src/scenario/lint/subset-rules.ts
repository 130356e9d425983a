import { metadataEntry } from '../../config/core.js';
import type { Messages } from '../../config/api/generated/read-messages.js';
import { sameJson, type Struct } from '../../core/values.js';
import { PROXY_VERSIONS, type ProxyVersion, quirksOf } from '../../core/version.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import { type Checks, eachSubsets, type LintCluster, type LintSubject } from './subject.js';

const startsWith = (keys: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= keys.length && prefix.every((key, index) => keys[index] === key);

/** Each selector's keys as the proxy keeps them: sorted, each once. */
function keysOf({ subsetSelectors }: Messages['Cluster.LbSubsetConfig']): readonly (readonly string[])[] {
  return subsetSelectors.map(({ keys }) => [...new Set(keys)].sort());
}

const lbMetadata = ({ hosts }: LintCluster): readonly Struct[] =>
  hosts.map(({ endpoint }) => metadataEntry(endpoint.metadata, LB_NAMESPACE));

function versionsOf({ proxies, alone }: LintSubject): readonly ProxyVersion[] {
  return alone ? PROXY_VERSIONS : [...new Set(proxies.map(({ proxy: { version } }) => version))];
}

function usesDefault({ fallbackPolicy, subsetSelectors }: Messages['Cluster.LbSubsetConfig']): boolean {
  return (
    fallbackPolicy === 'DEFAULT_SUBSET' ||
    subsetSelectors.some((selector) => selector.fallbackPolicy === 'DEFAULT_SUBSET')
  );
}

export const subsetsRules = {
  'subsets-without-selectors': eachSubsets((config, report, { cluster: { name } }) => {
    if (config.subsetSelectors.some(({ keys }) => keys.length > 0)) return;
    const rest =
      config.subsetSelectors.length === 0
        ? 'the rest of lb_subset_config counts for nothing'
        : `every request falls back: ${config.fallbackPolicy}`;
    const text = `${name} is not divided into subsets: no selector has keys, and ${rest}`;
    report('', text);
  }),

  'subset-selector-prefix': eachSubsets((config, report, _, subject) => {
    if (config.allowRedundantKeys) return;
    const all = keysOf(config);
    const policyOf = (index: number): string => config.subsetSelectors[index]?.fallbackPolicy ?? 'NOT_DEFINED';
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
      report(`subset_selectors.${index}.fallback_policy`, text);
    }
  }),

  'subset-selector-twice': eachSubsets((config, report, _, subject) => {
    const { subsetSelectors } = config;
    const all = keysOf(config).map((keys) => keys.join(', '));
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
      report(`subset_selectors.${index}.keys`, text);
    }
  }),

  'keys-subset-without-target': eachSubsets((config, report) => {
    const known = new Set(keysOf(config).map((keys) => JSON.stringify(keys)));
    for (const [index, { fallbackPolicy, fallbackKeysSubset }] of config.subsetSelectors.entries()) {
      const wanted = [...new Set(fallbackKeysSubset)].sort();
      if (fallbackPolicy !== 'KEYS_SUBSET' || known.has(JSON.stringify(wanted))) continue;
      const text = `no selector has the keys [${wanted.join(', ')}]: this fallback finds no subset`;
      report(`subset_selectors.${index}.fallback_keys_subset`, `${text}. Add {keys: [${wanted.join(', ')}]}`);
    }
  }),

  'panic-mode-any-unused': eachSubsets((config, report) => {
    if (!config.panicModeAny || config.fallbackPolicy === 'DEFAULT_SUBSET') return;
    const found = config.fallbackPolicy === 'NO_FALLBACK' ? 'has no fallback' : 'takes any host anyway';
    report('panic_mode_any', `this has no effect: ${config.fallbackPolicy} ${found}`);
  }),

  'default-subset-empty': eachSubsets((config, report, cluster) => {
    const wanted = Object.entries(config.defaultSubset ?? {});
    if (!usesDefault(config) || !cluster.fixed || config.listAsAny) return;
    const matches = (host: Struct): boolean =>
      wanted.every(([key, value]) => Object.hasOwn(host, key) && sameJson(host[key] ?? null, value));
    if (lbMetadata(cluster).some(matches)) return;
    const shown = wanted.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ');
    report('default_subset', `no host of ${cluster.cluster.name} has {${shown}}: what falls back finds no host`);
  }),

  'default-subset-unused': eachSubsets((config, report) => {
    if (config.defaultSubset === undefined || usesDefault(config)) return;
    const text = `nothing falls back on default_subset: fallback_policy is ${config.fallbackPolicy}, not DEFAULT_SUBSET`;
    report('default_subset', text);
  }),

  'selector-without-hosts': eachSubsets((config, report, cluster, { timeline }) => {
    if (!cluster.fixed || timeline.some(({ action }) => action.kind === 'set_metadata')) return;
    const hosts = lbMetadata(cluster);
    for (const [index, { keys }] of config.subsetSelectors.entries()) {
      if (keys.length === 0 || hosts.some((host) => keys.every((key) => Object.hasOwn(host, key)))) continue;
      const text = `no host of ${cluster.cluster.name} has ${keys.length === 1 ? 'the key' : 'all of the keys'} ${keys.join(', ')}`;
      report(`subset_selectors.${index}.keys`, `${text}: there is no such subset`);
    }
  }),

  'match-without-selector': eachSubsets((config, report, { cluster: { name }, traffic }) => {
    if (config.subsetSelectors.length === 0) return;
    if (config.allowRedundantKeys || config.metadataFallbackPolicy === 'FALLBACK_LIST') return;
    const known = new Set(keysOf(config).map((keys) => JSON.stringify(keys)));
    for (const one of traffic) {
      const keys = Object.keys(one.metadataMatch ?? {}).sort();
      if (keys.length === 0 || known.has(JSON.stringify(keys))) continue;
      const effect =
        config.fallbackPolicy === 'NO_FALLBACK'
          ? 'these requests find no host'
          : `they fall back to ${config.fallbackPolicy}`;
      report('metadata_match', `no selector of ${name} has exactly the keys ${keys.join(', ')}: ${effect}`, one);
    }
  }),
} satisfies Checks;
