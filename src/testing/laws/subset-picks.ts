import fc from 'fast-check';
import { isList, sameJson, type Struct, own } from '../../core/values.js';
import { type Fallback, fallbackName, type FallbackStep } from '../../hostset/subset/subset-plan.js';
import { type ProxyVersion, quirksOf } from '../../core/version.js';
import type { Host } from '../../host/host.js';
import type { SubsetConfig } from '../../hostset/lb-config.js';
import type { Pick, BalancerUnderTest } from '../law.js';
import { listedMetadata, plainCluster, story, subsetConfig, subsetMetadata, fail } from '../law.js';
import { hasEntries } from '../../settings/assignment.js';
import { storyLaw, placesByHash } from './situation.js';

/**
 * Under subset load balancing a request gets a host that matches its metadata, or a named fallback answers; then the host
 * matches what that fallback allows. Where a selector has exactly the request's keys and some host matches, no fallback may
 * answer; elsewhere the one that answers is the selector's own, or the cluster's. A fallback to any endpoint finds a
 * healthy one.
 *
 * Source: the proxy's documentation of load balancer subsets.
 */
export const picksFromSubsets = storyLaw('picks from subsets', {
  examples: () => {
    const configs = fc.oneof(
      { arbitrary: subsetConfig(), weight: 4 },
      { arbitrary: subsetConfig().map((config) => ({ ...config, ...EMPTY_DEFAULT })), weight: 1 },
    );
    const cluster = fc
      .tuple(plainCluster(), configs)
      .map(([plain, subset]) => ({ ...plain, healthyPanicThreshold: 50, subset }));
    const metadataMatch = fc.option(subsetMetadata(), { nil: undefined });
    return story({ cluster, metadata: listedMetadata(), metadataMatch, maxPriorities: 2 });
  },
  numRuns: 100,
  picked: (subject, { cluster: { subset, failTrafficOnPanic } }, pick) => {
    if (subset !== undefined) judgePick(subject, subset, failTrafficOnPanic, pick);
  },
});

/** A default subset that no host is in: there `panic_mode_any` decides. */
const EMPTY_DEFAULT = {
  fallbackPolicy: 'DEFAULT_SUBSET',
  defaultSubset: { stage: 'canary' },
  panicModeAny: true,
} as const;

function judgePick(
  subject: BalancerUnderTest,
  config: SubsetConfig,
  failTrafficOnPanic: boolean,
  { decision, levels, request, number, step }: Pick,
): void {
  const wanted = request.metadataMatch ?? {};
  const keys = Object.keys(wanted);
  const members = [...levels.values()].flatMap(({ hosts }) => hosts.filter((host) => matches(host, wanted, config)));
  const hasSubset =
    keys.length > 0 && members.length > 0 && config.selectors.some((selector) => sameSet(selector.keys, keys));
  const { host, subsetFallback } = decision;
  const went = (): string =>
    `request ${number}, at ${step} s, for ${JSON.stringify(wanted)} went to ` +
    (host === undefined ? 'no host' : `${host.address} with ${JSON.stringify(host.metadata)}`);
  const wentBy = (): string => `${went()} by ${fallbackName(subsetFallback ?? [])}`;
  const isThere = host === undefined || levels.get(decision.priority)?.hosts.includes(host) === true;
  if (!isThere) fail(`${went()}, which has left`);
  // Hashing policies have no tables of degraded hosts.
  const fit = decision.degraded && !placesByHash(subject) ? 'degraded' : 'healthy';
  const isFit = host === undefined || decision.panic || host.health === fit;
  if (!isFit) fail(`${went()}, which is ${host.health}`);
  if (hasSubset) {
    if (subsetFallback !== undefined) fail(`${wentBy()}, although there is such a subset`);
    if (host !== undefined && !matches(host, wanted, config)) fail(`${went()}, which does not match`);
    return;
  }
  if (subsetFallback === undefined) fail(`${went()}: there is no such subset, and no fallback is named`);
  if (!prescribes(config, subject.version, keys, subsetFallback)) fail(`${wentBy()}, which is not what it has`);
  const last = subsetFallback.at(-1);
  if (host === undefined) {
    const all = [...levels.values()];
    // Hashing policies may draw a level for its degraded hosts, and these are in no table.
    const findsHost =
      !failTrafficOnPanic &&
      all.some(({ healthy }) => healthy.length > 0) &&
      all.every(({ degraded }) => degraded.length === 0);
    const hasDefault = all.some(({ healthy }) => healthy.some((one) => matches(one, config.defaultSubset, config)));
    if (usesDefault(last) && hasDefault && findsHost && all.length === 1)
      fail(`${wentBy()}, although the default subset has a healthy host`);
    const panics = config.panicModeAny && last?.kind === 'cluster' && usesDefault(last);
    if (panics && findsHost) fail(`${wentBy()}, although panic_mode_any takes any host`);
    if (usesAnyEndpoint(last) && findsHost) fail(`${wentBy()}, although some host is healthy`);
    return;
  }
  if (!keepsPromise(last, host, wanted, config)) fail(`${wentBy()}, which does not allow it`);
}

/**
 * Whether the fallback starts as configured for these keys: with the policy of the first selector that has them, else with
 * the cluster's. A selector may lose its policy to an earlier, longer one; the first of all cannot.
 */
function prescribes(config: SubsetConfig, version: ProxyVersion, keys: readonly string[], fallback: Fallback): boolean {
  if (fallback.at(-1)?.kind === 'panic_mode_any' && !config.panicModeAny) return false;
  const { policiesAloneGrowTree, unfinishedSelectorFails: unfinishedFails } = quirksOf(version);
  const selectors = config.selectors.filter(
    ({ fallbackPolicy }) => !policiesAloneGrowTree || fallbackPolicy !== 'NOT_DEFINED',
  );
  const selector = selectors.find((each) => sameSet(each.keys, keys));
  const policy = selector?.fallbackPolicy ?? 'NOT_DEFINED';
  const mayLose = selector !== selectors[0];
  const [first] = fallback;
  switch (first?.kind) {
    case 'cluster':
      return first.policy === config.fallbackPolicy && (policy === 'NOT_DEFINED' || (mayLose && !unfinishedFails));
    case 'unfinished':
      // These are a proper prefix of a selector's sorted keys.
      return (
        unfinishedFails &&
        mayLose &&
        selectors.some((each) => {
          const { length } = keys;
          return each.keys.length > length && sameSet([...each.keys].sort().slice(0, length), keys);
        })
      );
    case 'keys_subset':
      return policy === 'KEYS_SUBSET';
    case 'selector':
      return first.policy === policy;
    case 'listed':
    case 'panic_mode_any':
    case undefined:
      return false;
  }
}

const usesAnyEndpoint = (last: FallbackStep | undefined): boolean =>
  last?.kind === 'panic_mode_any' || (last !== undefined && 'policy' in last && last.policy === 'ANY_ENDPOINT');

const usesDefault = (last: FallbackStep | undefined): boolean =>
  last !== undefined && 'policy' in last && last.policy === 'DEFAULT_SUBSET';

function keepsPromise(last: FallbackStep | undefined, host: Host, wanted: Struct, config: SubsetConfig): boolean {
  if (usesAnyEndpoint(last)) return true;
  if (usesDefault(last)) return matches(host, config.defaultSubset, config);
  // The reduced keys must be allowed by a selector of the request's keys.
  return (
    last?.kind === 'keys_subset' &&
    config.selectors.some(({ keys, fallbackKeysSubset }) => {
      if (fallbackKeysSubset.length === 0 || !sameSet(keys, Object.keys(wanted))) return false;
      const reduced = Object.fromEntries(fallbackKeysSubset.map((key) => [key, own(wanted, key) ?? null]));
      return matches(host, reduced, config);
    })
  );
}

const matches = (host: Host, wanted: Struct, { listAsAny }: SubsetConfig): boolean =>
  hasEntries(host.metadata, wanted, (found, value) =>
    listAsAny && isList(found) ? found.some((one) => sameJson(one, value)) : sameJson(found, value),
  );

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key) => b.includes(key));
