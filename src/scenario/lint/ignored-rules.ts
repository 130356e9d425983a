import { type Check, type Checks, eachCluster, eachSubsets, type LintCluster } from './subject.js';
import { unevenPriority } from './policy-rules.js';
import { formatDuration } from '../fields/units.js';
import { WEIGHTED, weighted } from './locality-rules.js';

/** Detectors that do not eject by default: their settings, and what turns them on. */
const DETECTORS = [
  { setting: 'consecutive_gateway_failure', enforcing: 'enforcing_consecutive_gateway_failure' },
  { setting: 'failure_percentage_threshold', enforcing: 'enforcing_failure_percentage' },
] as const;

const RUNTIME = 'outlier_detection.';

const LOCAL_ERRORS = [
  'consecutive_local_origin_failure',
  'enforcing_consecutive_local_origin_failure',
  'enforcing_local_origin_success_rate',
  'enforcing_failure_percentage_local_origin',
];

const DNS_FIELDS = [
  'dns_refresh_rate',
  'dns_failure_refresh_rate',
  'respect_dns_ttl',
  'dns_lookup_family',
  'dns_resolvers',
  'use_tcp_for_dns_lookups',
];

/** Finds those of `fields` that the file sets in a part of a cluster to which the rule applies. */
function setIn(
  part: readonly string[],
  fields: readonly string[],
  text: (field: string, cluster: LintCluster) => string,
  applies: (cluster: LintCluster) => boolean,
): Check {
  return eachCluster((cluster, report) => {
    if (!applies(cluster)) return;
    for (const field of fields)
      if (cluster.has(...part, field)) report([...part, field].join('.'), text(field, cluster));
  });
}

export const ignoredRules = {
  'dns-settings-ignored': setIn(
    [],
    DNS_FIELDS,
    (field, { type }) => `a ${type ?? ''} cluster resolves no names: ${field} is ignored`,
    ({ type }) => type !== undefined && type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS',
  ),

  'original-dst-settings-ignored': setIn(
    [],
    ['cleanup_interval', 'original_dst_lb_config'],
    (field, { type }) => `${field} is for ORIGINAL_DST clusters; this one is ${type ?? ''}, and ignores it`,
    ({ type }) => type !== undefined && type !== 'ORIGINAL_DST',
  ),

  'balancing-of-original-dst': setIn(
    ['common_lb_config'],
    ['healthy_panic_threshold', 'locality_weighted_lb_config'],
    (field) => `an ORIGINAL_DST cluster balances nothing: ${field} has no effect`,
    ({ type }) => type === 'ORIGINAL_DST',
  ),

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

  'local-errors-not-split': setIn(
    ['outlier_detection'],
    LOCAL_ERRORS,
    (field) => `${field} has no effect without split_external_local_origin_errors`,
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
