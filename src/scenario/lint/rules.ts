import type { LintRule } from './rule.js';
import { localityWeightWithoutLocality } from './rules/localities/locality-weight-without-locality.js';
import { localityWeightsIgnored } from './rules/localities/locality-weights-ignored.js';
import { localityWithoutWeight } from './rules/localities/locality-without-weight.js';
import { noLocalityHasWeight } from './rules/localities/no-locality-has-weight.js';
import { overprovisioningWithoutChoice } from './rules/localities/overprovisioning-without-choice.js';
import { scaledLocalityWeight } from './rules/localities/scaled-locality-weight-zero.js';
import { zoneAwareClusterTooSmall } from './rules/zones/zone-aware-cluster-too-small.js';
import { zoneAwareHash } from './rules/zones/zone-aware-hash.js';
import { zoneAwareWithoutLocalCluster } from './rules/zones/zone-aware-without-local-cluster.js';
import { zoneAwareWithoutZone } from './rules/zones/zone-aware-without-zone.js';
import { choiceCountCoversHosts } from './rules/lists/choice-count-covers-hosts.js';
import { choiceCountIgnored } from './rules/lists/choice-count-ignored.js';
import { leastRequestOneHost } from './rules/lists/least-request-one-host.js';
import { randomIgnoresWeights } from './rules/lists/random-ignores-weights.js';
import { hashIgnoresDegraded } from './rules/tables/hash-ignores-degraded.js';
import { hashKeyUnused } from './rules/tables/hash-key-unused.js';
import { hashWithoutKey } from './rules/tables/hash-without-key.js';
import { hostnameHashingUnused } from './rules/tables/hostname-hashing-unused.js';
import { maglevTooSmall } from './rules/tables/maglev-too-small.js';
import { ringCapped } from './rules/tables/ring-capped.js';
import { ringSizeZero } from './rules/tables/ring-size-zero.js';
import { ringTooSmall } from './rules/tables/ring-too-small.js';
import { ejectionIntoPanic } from './rules/health/ejection-into-panic.js';
import { failoverWithoutHealth } from './rules/health/failover-without-health.js';
import { timeoutOverInterval } from './rules/health/health-check-timeout-over-interval.js';
import { mergeWindowOverInterval } from './rules/health/merge-window-over-interval.js';
import { newHostsWithoutChecks } from './rules/health/new-hosts-without-checks.js';
import { outlierEjectsNobody } from './rules/health/outlier-ejects-nobody.js';
import { outlierEjectsOne } from './rules/health/outlier-ejects-one-anyway.js';
import { panicDisabled } from './rules/health/panic-disabled.js';
import { panicNeverReached } from './rules/health/panic-out-of-reach.js';
import { panicTruncated } from './rules/health/panic-threshold-truncated.js';
import { priorityGap } from './rules/health/priority-gap.js';
import { removedHostsStay } from './rules/health/removed-hosts-stay.js';
import { defaultSubsetEmpty } from './rules/subsets/default-subset-empty.js';
import { defaultSubsetUnused } from './rules/subsets/default-subset-unused.js';
import { keysSubsetWithoutTarget } from './rules/subsets/keys-subset-without-target.js';
import { matchWithoutSelector } from './rules/subsets/match-without-selector.js';
import { panicModeAnyUnused } from './rules/subsets/panic-mode-any-unused.js';
import { selectorWithoutHosts } from './rules/subsets/selector-without-hosts.js';
import { selectorPrefix } from './rules/subsets/subset-selector-prefix.js';
import { selectorTwice } from './rules/subsets/subset-selector-twice.js';
import { subsetsWithoutSelectors } from './rules/subsets/subsets-without-selectors.js';
import { breakerForNobody } from './rules/traffic/breaker-for-nobody.js';
import { duplicateAddresses } from './rules/traffic/duplicate-addresses.js';
import { tryTimeoutTooLong } from './rules/traffic/per-try-timeout-without-effect.js';
import { avoidsWithoutAttempts } from './rules/traffic/previous-hosts-gives-up.js';
import { retriesByDefault } from './rules/traffic/retries-by-default-limit.js';
import { retryBudgetWins } from './rules/traffic/retry-budget-wins.js';
import { balancingOfOriginalDst } from './rules/ignored/balancing-of-original-dst.js';
import { biasWithoutWeights } from './rules/ignored/bias-without-weights.js';
import { detectedNotEjected } from './rules/ignored/detected-not-ejected.js';
import { dnsSettingsIgnored } from './rules/ignored/dns-settings-ignored.js';
import { localErrorsNotSplit } from './rules/ignored/local-errors-not-split.js';
import { originalDstSettingsIgnored } from './rules/ignored/original-dst-settings-ignored.js';
import { removalWithoutChecks } from './rules/ignored/removal-without-checks.js';
import { retrySettingsUnused } from './rules/ignored/retry-settings-unused.js';
import { scaleWithoutAware } from './rules/ignored/scale-without-aware.js';

/** Rules under the heading that documentation gives them. */
export const LINT_CHAPTERS: readonly { readonly title: string; readonly rules: readonly LintRule[] }[] = [
  {
    title: 'Localities',
    rules: [
      localityWeightsIgnored,
      localityWithoutWeight,
      localityWeightWithoutLocality,
      noLocalityHasWeight,
      scaledLocalityWeight,
      overprovisioningWithoutChoice,
    ],
  },
  {
    title: 'Zones',
    rules: [zoneAwareWithoutLocalCluster, zoneAwareWithoutZone, zoneAwareClusterTooSmall, zoneAwareHash],
  },
  {
    title: 'ROUND_ROBIN, LEAST_REQUEST and RANDOM',
    rules: [randomIgnoresWeights, leastRequestOneHost, choiceCountIgnored, choiceCountCoversHosts],
  },
  {
    title: 'RING_HASH and MAGLEV',
    rules: [
      ringTooSmall,
      ringCapped,
      ringSizeZero,
      maglevTooSmall,
      hashIgnoresDegraded,
      hashWithoutKey,
      hashKeyUnused,
      hostnameHashingUnused,
    ],
  },
  {
    title: 'Health, priorities and panic',
    rules: [
      timeoutOverInterval,
      mergeWindowOverInterval,
      failoverWithoutHealth,
      priorityGap,
      panicDisabled,
      panicTruncated,
      panicNeverReached,
      removedHostsStay,
      newHostsWithoutChecks,
      outlierEjectsNobody,
      outlierEjectsOne,
      ejectionIntoPanic,
    ],
  },
  {
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
  },
  {
    title: 'Hosts, retries and limits',
    rules: [
      duplicateAddresses,
      retriesByDefault,
      retryBudgetWins,
      breakerForNobody,
      tryTimeoutTooLong,
      avoidsWithoutAttempts,
    ],
  },
  {
    title: 'Settings that another one switches off',
    rules: [
      dnsSettingsIgnored,
      originalDstSettingsIgnored,
      balancingOfOriginalDst,
      removalWithoutChecks,
      scaleWithoutAware,
      localErrorsNotSplit,
      detectedNotEjected,
      biasWithoutWeights,
      retrySettingsUnused,
    ],
  },
];

export const LINT_RULES: readonly LintRule[] = LINT_CHAPTERS.flatMap(({ rules }) => rules);

const SHOWN_IN_RUNS = new Set(LINT_RULES.flatMap(({ name, aboutSplit }) => (aboutSplit === true ? [name] : [])));

export function isShownInRuns(rule: string): boolean {
  return SHOWN_IN_RUNS.has(rule);
}
