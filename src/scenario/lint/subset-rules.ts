import { lbMetadata } from '../../settings/assignment.js';
import type { Messages } from '../../config/api/generated/read-messages.js';
import { sameJson, type Struct } from '../../core/values.js';
import { PROXY_VERSIONS, type ProxyVersion, quirksOf } from '../../core/version.js';
import { type Checks, eachSubsets, type LintCluster, type LintSubject } from './subject.js';

type Subsets = Messages['Cluster.LbSubsetConfig'];

const startsWith = (keys: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= keys.length && prefix.every((key, index) => keys[index] === key);

/** Each selector's keys as the proxy keeps them: sorted, each once. */
const keysOf = ({ subsetSelectors }: Subsets): readonly (readonly string[])[] =>
  subsetSelectors.map(({ keys }) => [...new Set(keys)].sort());

const textOf = (keys: readonly string[]): string => `[${keys.join(', ')}]`;

/** Whether a selector has these keys and no others. */
const isKnown = (config: Subsets, wanted: readonly string[]): boolean =>
  keysOf(config).some((keys) => JSON.stringify(keys) === JSON.stringify(wanted));

const metadataOf = ({ hosts }: LintCluster): readonly Struct[] =>
  hosts.map(({ endpoint }) => lbMetadata(endpoint.metadata?.filterMetadata));

const versionsOf = ({ proxies, alone }: LintSubject): readonly ProxyVersion[] =>
  alone ? PROXY_VERSIONS : [...new Set(proxies.map(({ proxy: { version } }) => version))];

const usesDefault = ({ fallbackPolicy, subsetSelectors }: Subsets): boolean =>
  [{ fallbackPolicy }, ...subsetSelectors].some((one) => one.fallbackPolicy === 'DEFAULT_SUBSET');

export const subsetsRules = {
  'subsets-without-selectors': eachSubsets(
    ({ subsetSelectors, fallbackPolicy }) =>
      subsetSelectors.every(({ keys }) => keys.length === 0) && { selectors: subsetSelectors.length, fallbackPolicy },
  ),

  'subset-load-reports': eachSubsets((_, { lbPolicy }) => lbPolicy === 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN' && {}),

  'subset-selector-prefix': eachSubsets((config, _, subject) => {
    if (config.allowRedundantKeys) return undefined;
    const all = keysOf(config);
    const policyOf = (index: number): string => config.subsetSelectors[index]?.fallbackPolicy ?? 'NOT_DEFINED';
    const versions = versionsOf(subject);
    return all.flatMap((keys, index) => {
      const own = policyOf(index);
      if (own === 'NOT_DEFINED' || keys.length === 0) return [];
      const longer = [...all.keys()].filter((other) => {
        const others = all[other] ?? [];
        return other < index && others.length > keys.length && startsWith(others, keys);
      });
      const takes = (other: number, version: ProxyVersion): boolean =>
        policyOf(other) !== 'NOT_DEFINED' || !quirksOf(version).policiesAloneGrowTree;
      const losing = versions.filter((version) => longer.some((other) => takes(other, version)));
      const earlier = longer.find((other) => losing.some((version) => takes(other, version)));
      if (earlier === undefined) return [];
      const by = losing.length < versions.length ? losing : [];
      return [{ index, own, keys: textOf(keys), by, earlier: textOf(all[earlier] ?? []) }];
    });
  }),

  'subset-selector-twice': eachSubsets((config, _, subject) => {
    const { subsetSelectors } = config;
    const all = keysOf(config).map((keys) => keys.join(', '));
    const versions = versionsOf(subject);
    return all.flatMap((keys, index) => {
      const earlier = all.indexOf(keys);
      if (keys === '' || earlier >= index) return [];
      const isFirstPolicy = subsetSelectors.every(
        ({ fallbackPolicy }, other) =>
          (other === index) === (fallbackPolicy !== 'NOT_DEFINED') || other > index || all[other] !== keys,
      );
      const idle = versions.filter((version) => !isFirstPolicy || !quirksOf(version).policiesAloneGrowTree);
      const by = idle.length < versions.length ? idle : [];
      return idle.length === 0 ? [] : [{ index, earlier, keys: `[${keys}]`, by }];
    });
  }),

  'keys-subset-without-target': eachSubsets((config) =>
    config.subsetSelectors.flatMap(({ fallbackPolicy, fallbackKeysSubset }, index) => {
      const keys = [...new Set(fallbackKeysSubset)].sort();
      const wanted = textOf(keys);
      const isFound = fallbackPolicy !== 'KEYS_SUBSET' || isKnown(config, keys);
      return isFound ? [] : [{ index, wanted, selector: `{keys: ${wanted}}` }];
    }),
  ),

  'panic-mode-any-unused': eachSubsets(
    ({ panicModeAny, fallbackPolicy }) => panicModeAny && fallbackPolicy !== 'DEFAULT_SUBSET' && { fallbackPolicy },
  ),

  'default-subset-empty': eachSubsets((config, one) => {
    const wanted = Object.entries(config.defaultSubset ?? {});
    if (!usesDefault(config) || !one.fixed || config.listAsAny) return undefined;
    const matches = (host: Struct): boolean =>
      wanted.every(([key, value]) => Object.hasOwn(host, key) && sameJson(host[key] ?? null, value));
    const entries = wanted.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    return !metadataOf(one).some(matches) && { wanted: `{${entries.join(', ')}}` };
  }),

  'default-subset-unused': eachSubsets(
    (config) => config.defaultSubset !== undefined && !usesDefault(config) && { fallbackPolicy: config.fallbackPolicy },
  ),

  'selector-without-hosts': eachSubsets((config, one, { timeline }) => {
    if (!one.fixed || timeline.some(({ action }) => action.kind === 'set_metadata')) return undefined;
    const hosts = metadataOf(one);
    return config.subsetSelectors.flatMap(({ keys }, index) => {
      const isThere = hosts.some((host) => keys.every((key) => Object.hasOwn(host, key)));
      const what = keys.length === 1 ? 'the key' : 'all of the keys';
      return keys.length === 0 || isThere ? [] : [{ index, what, keys }];
    });
  }),

  'match-without-selector': eachSubsets((config, { traffic }) => {
    const { subsetSelectors, allowRedundantKeys, metadataFallbackPolicy, fallbackPolicy } = config;
    if (subsetSelectors.length === 0 || allowRedundantKeys || metadataFallbackPolicy === 'FALLBACK_LIST')
      return undefined;
    return traffic.flatMap((of) => {
      const keys = Object.keys(of.metadataMatch ?? {}).sort();
      return keys.length === 0 || isKnown(config, keys) ? [] : [{ of, keys, fallbackPolicy }];
    });
  }),
} satisfies Checks;
