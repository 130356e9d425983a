import { metadataEntry } from '../../config/core.js';
import type { Cluster } from '../../config/cluster/cluster.js';
import { sameJson, type Struct } from '../../core/json-value.js';
import { PROXY_VERSIONS, type ProxyVersion } from '../../core/version.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import { type Checks, eachCluster } from './rule.js';
import type { LintCluster, LintSubject } from './subject.js';
import { quirksOf } from '../../core/quirks.js';

const startsWith = (keys: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= keys.length && prefix.every((key, index) => keys[index] === key);

const AT = 'lb_subset_config';

type LbSubsetConfig = NonNullable<Cluster['lbSubsetConfig']>;

/** Each selector's keys as the proxy keeps them: sorted, each once. */
function keysOf({ subsetSelectors }: LbSubsetConfig): readonly (readonly string[])[] {
  return subsetSelectors.map(({ keys }) => [...new Set(keys)].sort());
}

const lbMetadata = ({ hosts }: LintCluster): readonly Struct[] =>
  hosts.map(({ endpoint }) => metadataEntry(endpoint.metadata, LB_NAMESPACE));

/** The versions of the file's proxies; all, where there are none. */
function versionsOf({ proxies, alone }: LintSubject): readonly ProxyVersion[] {
  return alone ? PROXY_VERSIONS : [...new Set(proxies.map(({ proxy: { version } }) => version))];
}

/** Whether anything falls back on the default subset. */
function usesDefault({ fallbackPolicy, subsetSelectors }: LbSubsetConfig): boolean {
  return (
    fallbackPolicy === 'DEFAULT_SUBSET' ||
    subsetSelectors.some((selector) => selector.fallbackPolicy === 'DEFAULT_SUBSET')
  );
}

export const subsetsRules = {
  'subsets-without-selectors': eachCluster(({ cluster: { name }, subsets: config, path }, report) => {
    if (config === undefined || config.subsetSelectors.some(({ keys }) => keys.length > 0)) return;
    const rest =
      config.subsetSelectors.length === 0
        ? 'the rest of lb_subset_config counts for nothing'
        : `every request falls back: ${config.fallbackPolicy}`;
    const text = `${name} is not divided into subsets: no selector has keys, and ${rest}`;
    report([...path, AT], text);
  }),

  'subset-selector-prefix': eachCluster(({ subsets: config, path }, report, subject) => {
    if (config === undefined || config.allowRedundantKeys) return;
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
      report([...path, AT, 'subset_selectors', index, 'fallback_policy'], text);
    }
  }),

  'subset-selector-twice': eachCluster(({ subsets: config, path }, report, subject) => {
    if (config === undefined) return;
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
      report([...path, AT, 'subset_selectors', index, 'keys'], text);
    }
  }),

  'keys-subset-without-target': eachCluster(({ subsets: config, path }, report) => {
    if (config === undefined) return;
    const known = new Set(keysOf(config).map((keys) => JSON.stringify(keys)));
    for (const [index, { fallbackPolicy, fallbackKeysSubset }] of config.subsetSelectors.entries()) {
      const wanted = [...new Set(fallbackKeysSubset)].sort();
      if (fallbackPolicy !== 'KEYS_SUBSET' || known.has(JSON.stringify(wanted))) continue;
      const text = `no selector has the keys [${wanted.join(', ')}]: this fallback finds no subset`;
      report(
        [...path, AT, 'subset_selectors', index, 'fallback_keys_subset'],
        `${text}. Add {keys: [${wanted.join(', ')}]}`,
      );
    }
  }),

  'panic-mode-any-unused': eachCluster(({ subsets: config, path }, report) => {
    if (config?.panicModeAny !== true || config.fallbackPolicy === 'DEFAULT_SUBSET') return;
    const found = config.fallbackPolicy === 'NO_FALLBACK' ? 'has no fallback' : 'takes any host anyway';
    report([...path, AT, 'panic_mode_any'], `this has no effect: ${config.fallbackPolicy} ${found}`);
  }),

  'default-subset-empty': eachCluster((cluster, report) => {
    const config = cluster.subsets;
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

  'default-subset-unused': eachCluster(({ subsets: config, path }, report) => {
    if (config?.defaultSubset === undefined || usesDefault(config)) return;
    const text = `nothing falls back on default_subset: fallback_policy is ${config.fallbackPolicy}, not DEFAULT_SUBSET`;
    report([...path, AT, 'default_subset'], text);
  }),

  'selector-without-hosts': eachCluster((cluster, report, { timeline }) => {
    const config = cluster.subsets;
    if (config === undefined || !cluster.fixed || timeline.some(({ action }) => action.kind === 'set_metadata')) return;
    const hosts = lbMetadata(cluster);
    for (const [index, { keys }] of config.subsetSelectors.entries()) {
      if (keys.length === 0 || hosts.some((host) => keys.every((key) => Object.hasOwn(host, key)))) continue;
      const text = `no host of ${cluster.cluster.name} has ${keys.length === 1 ? 'the key' : 'all of the keys'} ${keys.join(', ')}`;
      report([...cluster.path, AT, 'subset_selectors', index, 'keys'], `${text}: there is no such subset`);
    }
  }),

  'match-without-selector': eachCluster(({ cluster: { name }, subsets: config, traffic }, report) => {
    if (config === undefined || config.subsetSelectors.length === 0) return;
    if (config.allowRedundantKeys || config.metadataFallbackPolicy === 'FALLBACK_LIST') return;
    const known = new Set(keysOf(config).map((keys) => JSON.stringify(keys)));
    for (const { metadataMatch, path } of traffic) {
      const keys = Object.keys(metadataMatch ?? {}).sort();
      if (keys.length === 0 || known.has(JSON.stringify(keys))) continue;
      const effect =
        config.fallbackPolicy === 'NO_FALLBACK'
          ? 'these requests find no host'
          : `they fall back to ${config.fallbackPolicy}`;
      report([...path, 'metadata_match'], `no selector of ${name} has exactly the keys ${keys.join(', ')}: ${effect}`);
    }
  }),
} satisfies Checks;
