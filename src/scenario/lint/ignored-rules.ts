import { RULES } from './generated/lint-rules.js';
import { type Check, type Checks, eachCluster, eachSubsets, type LintCluster, type RuleName } from './subject.js';
import { unevenPriority } from './policy-rules.js';
import { formatDuration } from '../fields/units.js';
import { WEIGHTED, weighted } from './locality-rules.js';

/** Detectors that do not eject by default: their settings, and what turns them on. */
const DETECTORS = [
  { setting: 'consecutive_gateway_failure', enforcing: 'enforcing_consecutive_gateway_failure' },
  { setting: 'failure_percentage_threshold', enforcing: 'enforcing_failure_percentage' },
] as const;

const RUNTIME = 'outlier_detection.';

type OfFields = {
  [Name in RuleName]: (typeof RULES)[Name] extends { readonly ignored: object } ? Name : never;
}[RuleName];

/** Fields that a cluster to which the rule applies ignores; rules.yaml says which. */
function ignored(name: OfFields, applies: (cluster: LintCluster) => boolean): Check {
  const { fields, text, ...rest } = RULES[name].ignored;
  return eachCluster((cluster, report) => {
    if (!applies(cluster)) return;
    for (const field of fields) {
      const path = 'part' in rest ? [rest.part, field] : [field];
      const words = text.replace('FIELD', field).replace('TYPE', cluster.type ?? '');
      if (cluster.has(...path)) report(path.join('.'), words);
    }
  });
}

export const ignoredRules = {
  'dns-settings-ignored': ignored(
    'dns-settings-ignored',
    ({ type }) => type !== undefined && type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS',
  ),

  'original-dst-settings-ignored': ignored(
    'original-dst-settings-ignored',
    ({ type }) => type !== undefined && type !== 'ORIGINAL_DST',
  ),

  'balancing-of-original-dst': ignored('balancing-of-original-dst', ({ type }) => type === 'ORIGINAL_DST'),

  'removal-without-checks': eachCluster(({ cluster: { drainConnectionsOnHostRemoval, healthChecks } }, report) => {
    if (!drainConnectionsOnHostRemoval || healthChecks.length > 0) return;
    report(
      'drain_connections_on_host_removal',
      'this has no effect: without health_checks a host that discovery drops goes at once',
    );
  }),

  'scale-without-aware': eachSubsets((subsets, report, one) => {
    if (!subsets.scaleLocalityWeight || subsets.localityWeightAware) return;
    // It is refused, or has no effect, where localities have no weights.
    const needed = weighted(one) ? '' : ` and ${one.placeOf(...WEIGHTED) ?? 'wrr_locality around their policy'}`;
    report(
      'scale_locality_weight',
      `this has no effect: subsets do not look at locality weights without locality_weight_aware${needed}`,
    );
  }),

  'local-errors-not-split': ignored(
    'local-errors-not-split',
    ({ cluster: { outlierDetection } }) => outlierDetection?.splitExternalLocalOriginErrors === false,
  ),

  'detected-not-ejected': eachCluster((one, report, { proxies, timeline, timelineRead }) => {
    const runtime = proxies.some(({ proxy }) => Object.keys(proxy.runtime).some((key) => key.startsWith(RUNTIME)));
    const later = !timelineRead || timeline.some(({ action }) => action.kind === 'set_runtime');
    if (runtime || later) return;
    for (const { setting, enforcing } of DETECTORS) {
      const part = 'outlier_detection';
      // Local errors have the same threshold.
      const local =
        one.has(part, 'enforcing_failure_percentage_local_origin') && setting === 'failure_percentage_threshold';
      if (!one.has(part, setting) || one.has(part, enforcing) || local) continue;
      report(`${part}.${setting}`, `outliers are counted and not ejected: ${enforcing} is 0 by default`);
    }
  }),

  'bias-without-weights': eachCluster((one, report) => {
    const { leaf } = one;
    if (leaf.kind !== 'least_request' || leaf.activeRequestBias === undefined || !one.fixed) return;
    // While a host starts slowly its weight differs from the others'.
    if (leaf.slowStartConfig !== undefined) return;
    if (unevenPriority(one) !== undefined) return;
    report(
      'least_request_lb_config.active_request_bias',
      'this has no effect: the hosts of each priority have the same weight',
    );
  }),

  'retry-settings-unused': eachCluster(({ traffic }, report) => {
    for (const one of traffic) {
      const policy = one.spec.retryPolicy;
      if (policy === undefined) continue;
      for (const [field, list, word] of [
        ['retriable_status_codes', policy.retriableStatusCodes, 'retriable-status-codes'],
        ['retriable_headers', policy.retriableHeaders, 'retriable-headers'],
      ] as const) {
        if (list.length === 0 || policy.retryOn.includes(word)) continue;
        report(`retry_policy.${field}`, `${field} is not looked at: retry_on does not have ${word}`, one);
      }
      if (policy.retryBackOff !== undefined && policy.numRetries === 0) {
        const wait = formatDuration(policy.retryBackOff.baseIntervalUs);
        report('retry_policy.retry_back_off', `nothing waits ${wait}: num_retries is 0`, one);
      }
    }
  }),
} satisfies Checks;
