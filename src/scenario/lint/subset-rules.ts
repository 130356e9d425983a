import { metadataEntry } from '../../config/core.js';
import type { LbSubsetConfig } from '../../config/load-balancing.js';
import { sameJson, type Struct } from '../../core/json-value.js';
import { PROXY_VERSIONS, type ProxyVersion } from '../../core/version.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import { BALANCING, eachCluster, type LintChapter, type LintRule, manual, thread } from './rule.js';
import type { LintCluster, LintSubject } from './subject.js';
import { quirksOf } from '../../core/quirks.js';

const startsWith = (keys: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= keys.length && prefix.every((key, index) => keys[index] === key);

const ASKING = `workloads: [{cluster: backend, arrivals: 10/s, stop: 1s, metadata_match: {version: "1", stage: prod}}]
`;

const AT = 'lb_subset_config';

const page = manual(`${BALANCING}/subsets`, 'Load balancer subsets');

const divided = (
  config: string,
  hosts = '{address: 10.0.0.1:80, metadata: {version: "1", stage: prod}}, {address: 10.0.0.2:80, metadata: {version: "2", stage: prod}}',
): string => `clusters:
  - name: backend
    connect_timeout: 1s
    lb_subset_config: {${config}}
endpoints: {backend: [${hosts}]}
`;

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

const subsetsWithoutSelectors: LintRule = {
  name: 'subsets-without-selectors',
  severity: 'warning',
  title: 'lb_subset_config without subset_selectors',
  why: 'Without selectors there is no subset balancer at all: fallback_policy and default_subset have no effect, and every request may go to every host.',
  sources: [page],
  example: divided('fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}'),
  repaired: divided(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}, subset_selectors: [{keys: [version]}]',
  ),
  check: eachCluster(({ cluster: { name }, subsets: config, path }, report) => {
    if (config === undefined || config.subsetSelectors.some(({ keys }) => keys.length > 0)) return;
    const rest =
      config.subsetSelectors.length === 0
        ? 'the rest of lb_subset_config counts for nothing'
        : `every request falls back: ${config.fallbackPolicy}`;
    const text = `${name} is not divided into subsets: no selector has keys, and ${rest}`;
    report([...path, AT], text);
  }),
};

const selectorPrefix: LintRule = {
  name: 'subset-selector-prefix',
  severity: 'warning',
  title: 'A subset selector that comes after a longer one',
  why: 'Selectors share a tree of their sorted keys, and a selector’s own fallback policy is kept only where it makes a new node of that tree. A selector whose keys are a prefix of a longer one listed before it loses its fallback_policy: the cluster’s applies instead (with proxy 1.12, none). Up to 1.22 only selectors with a policy of their own are in that tree; now all are. Listing the shorter one first keeps both.',
  sources: [
    thread(8874, 'global fallback_policy is not enforced for selectors if there is another more specific selector'),
    page,
  ],
  example: divided(
    'fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [stage, version], fallback_policy: ANY_ENDPOINT}, {keys: [stage], fallback_policy: NO_FALLBACK}]',
  ),
  repaired: divided(
    'fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [stage], fallback_policy: NO_FALLBACK}, {keys: [stage, version], fallback_policy: ANY_ENDPOINT}]',
  ),
  check: eachCluster(({ subsets: config, path }, report, subject) => {
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
};

const selectorTwice: LintRule = {
  name: 'subset-selector-twice',
  severity: 'warning',
  title: 'Two subset selectors with the same keys',
  why: 'The order of keys within a selector means nothing, and neither does a key that is listed twice. Two selectors with the same keys make the same subsets, and the fallback policy of the first applies; up to proxy 1.22, that of the first that has one.',
  sources: [page],
  example: divided('subset_selectors: [{keys: [stage, version]}, {keys: [version, stage]}]'),
  repaired: divided('subset_selectors: [{keys: [stage, version]}, {keys: [version]}]'),
  check: eachCluster(({ subsets: config, path }, report, subject) => {
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
};

const keysSubsetWithoutTarget: LintRule = {
  name: 'keys-subset-without-target',
  severity: 'warning',
  title: 'KEYS_SUBSET towards keys that no selector has',
  why: 'KEYS_SUBSET reduces the request to `fallback_keys_subset` and looks again. It finds a subset only if another selector has exactly those keys; otherwise the second look fails as the first did, and the cluster’s fallback_policy decides.',
  sources: [
    thread('envoyproxy/envoy/pull/8890', 'new fallback policy for selectors: KEYS_SUBSET'),
    thread(14215, 'fallback policy support next selector mode'),
  ],
  example: divided(
    'subset_selectors: [{keys: [stage, version], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [stage]}]',
  ),
  repaired: divided(
    'subset_selectors: [{keys: [stage]}, {keys: [stage, version], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [stage]}]',
  ),
  check: eachCluster(({ subsets: config, path }, report) => {
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
};

const panicModeAnyUnused: LintRule = {
  name: 'panic-mode-any-unused',
  severity: 'warning',
  title: 'panic_mode_any under NO_FALLBACK',
  why: 'panic_mode_any takes any host if the *fallback* has none. NO_FALLBACK, the default, has no fallback that could be empty: requests that match no subset still fail.',
  sources: [thread('envoyproxy/envoy/pull/6117', 'Allow any host when fallback policy fails')],
  example: divided('panic_mode_any: true, subset_selectors: [{keys: [version]}]'),
  repaired: divided(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}, panic_mode_any: true, subset_selectors: [{keys: [version]}]',
  ),
  check: eachCluster(({ subsets: config, path }, report) => {
    if (config?.panicModeAny !== true || config.fallbackPolicy === 'DEFAULT_SUBSET') return;
    const found = config.fallbackPolicy === 'NO_FALLBACK' ? 'has no fallback' : 'takes any host anyway';
    report([...path, AT, 'panic_mode_any'], `this has no effect: ${config.fallbackPolicy} ${found}`);
  }),
};

const defaultSubsetEmpty: LintRule = {
  name: 'default-subset-empty',
  severity: 'warning',
  aboutSplit: true,
  title: 'A default subset that no host is in',
  why: 'DEFAULT_SUBSET balances over the hosts whose metadata under `proxy.lb` has all entries of default_subset, compared by type: the number 1 is not the text "1". If there are none, every request that falls back fails.',
  sources: [page, thread(34798, 'Enable fallback_policy when no healthy host in subset')],
  example: divided(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: 1}, subset_selectors: [{keys: [version]}]',
  ),
  repaired: divided(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}, subset_selectors: [{keys: [version]}]',
  ),
  check: eachCluster((cluster, report) => {
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
};

const defaultSubsetUnused: LintRule = {
  name: 'default-subset-unused',
  severity: 'warning',
  title: 'A default subset that nothing falls back on',
  why: 'default_subset is used where a fallback policy, the cluster’s or a selector’s, is DEFAULT_SUBSET. The default of the policy is NO_FALLBACK: requests that match no subset fail.',
  sources: [page],
  example: divided('default_subset: {version: "1"}, subset_selectors: [{keys: [version]}]'),
  repaired: divided(
    'fallback_policy: DEFAULT_SUBSET, default_subset: {version: "1"}, subset_selectors: [{keys: [version]}]',
  ),
  check: eachCluster(({ subsets: config, path }, report) => {
    if (config?.defaultSubset === undefined || usesDefault(config)) return;
    const text = `nothing falls back on default_subset: fallback_policy is ${config.fallbackPolicy}, not DEFAULT_SUBSET`;
    report([...path, AT, 'default_subset'], text);
  }),
};

const selectorWithoutHosts: LintRule = {
  name: 'selector-without-hosts',
  severity: 'warning',
  aboutSplit: true,
  title: 'A subset selector whose keys no host has',
  why: 'A selector makes subsets of the hosts that have *all* of its keys in their metadata under `proxy.lb`. If no host has, it makes none, and requests with these keys always fall back.',
  sources: [page],
  example: divided('subset_selectors: [{keys: [versoin]}]'),
  repaired: divided('subset_selectors: [{keys: [version]}]'),
  check: eachCluster((cluster, report, { timeline }) => {
    const config = cluster.subsets;
    if (config === undefined || !cluster.fixed || timeline.some(({ action }) => action.kind === 'set_metadata')) return;
    const hosts = lbMetadata(cluster);
    for (const [index, { keys }] of config.subsetSelectors.entries()) {
      if (keys.length === 0 || hosts.some((host) => keys.every((key) => Object.hasOwn(host, key)))) continue;
      const text = `no host of ${cluster.cluster.name} has ${keys.length === 1 ? 'the key' : 'all of the keys'} ${keys.join(', ')}`;
      report([...cluster.path, AT, 'subset_selectors', index, 'keys'], `${text}: there is no such subset`);
    }
  }),
};

const matchWithoutSelector: LintRule = {
  name: 'match-without-selector',
  severity: 'warning',
  aboutSplit: true,
  title: 'Requests that ask for keys no selector has',
  why: 'A request finds a subset only if a selector has exactly the keys of its metadata_match; one key more or less and it falls back. Under NO_FALLBACK, the default, it fails.',
  sources: [page, thread(8767, 'allow for fallback to another selector')],
  example: divided('subset_selectors: [{keys: [version]}]') + ASKING,
  repaired: divided('subset_selectors: [{keys: [stage, version]}]') + ASKING,
  check: eachCluster(({ cluster: { name }, subsets: config, traffic }, report) => {
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
};

export const subsetsChapter: LintChapter = {
  title: 'Subsets',
  rules: [
    subsetsWithoutSelectors,
    selectorPrefix,
    selectorTwice,
    keysSubsetWithoutTarget,
    panicModeAnyUnused,
    defaultSubsetEmpty,
    defaultSubsetUnused,
    selectorWithoutHosts,
    matchWithoutSelector,
  ],
};
