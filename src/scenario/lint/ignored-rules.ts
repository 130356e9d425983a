import { RULES } from './generated/lint-rules.js';
import { type Check, type Checks, eachCluster, eachSubsets, type LintCluster, type RuleName } from './subject.js';
import { unevenPriority } from './policy-rules.js';
import { WEIGHTED, weighted } from './locality-rules.js';

/** Detectors that do not eject by default: their settings, and what turns them on. */
const DETECTORS = [
  { setting: 'consecutive_gateway_failure', enforcing: 'enforcing_consecutive_gateway_failure' },
  { setting: 'failure_percentage_threshold', enforcing: 'enforcing_failure_percentage' },
] as const;

const DETECTION = 'outlier_detection';

type OfFields = {
  [Name in RuleName]: (typeof RULES)[Name] extends { readonly ignored: object } ? Name : never;
}[RuleName];

/** Fields that a cluster to which the rule applies ignores; rules.yaml says which. */
function ignored(name: OfFields, applies: (cluster: LintCluster) => boolean): Check {
  const fields: readonly string[] = RULES[name].ignored;
  return eachCluster(
    (one) =>
      applies(one) &&
      fields.filter((at) => one.has(...at.split('.'))).map((at) => ({ at, field: at.slice(at.lastIndexOf('.') + 1) })),
  );
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

  'removal-without-checks': eachCluster(
    ({ cluster: { drainConnectionsOnHostRemoval, healthChecks } }) =>
      drainConnectionsOnHostRemoval && healthChecks.length === 0 && {},
  ),

  'scale-without-aware': eachSubsets((subsets, one) => {
    if (!subsets.scaleLocalityWeight || subsets.localityWeightAware) return undefined;
    // It is refused, or has no effect, where localities have no weights.
    return { needed: weighted(one) ? undefined : (one.placeOf(...WEIGHTED) ?? 'wrr_locality around their policy') };
  }),

  'local-errors-not-split': ignored(
    'local-errors-not-split',
    ({ cluster: { outlierDetection } }) => outlierDetection?.splitExternalLocalOriginErrors === false,
  ),

  'detected-not-ejected': eachCluster((one, { proxies, timeline, timelineRead }) => {
    const keys = proxies.flatMap(({ proxy }) => Object.keys(proxy.runtime));
    const later = !timelineRead || timeline.some(({ action }) => action.kind === 'set_runtime');
    if (later || keys.some((key) => key.startsWith(`${DETECTION}.`))) return undefined;
    return DETECTORS.filter(({ setting, enforcing }) => {
      // Local errors have the same threshold.
      const isLocal =
        one.has(DETECTION, 'enforcing_failure_percentage_local_origin') && setting === 'failure_percentage_threshold';
      return one.has(DETECTION, setting) && !one.has(DETECTION, enforcing) && !isLocal;
    });
  }),

  'bias-without-weights': eachCluster((one) => {
    const { leaf } = one;
    if (leaf.kind !== 'least_request' || leaf.activeRequestBias === undefined || !one.fixed) return undefined;
    // While a host starts slowly its weight differs from the others'.
    return leaf.slowStartConfig === undefined && unevenPriority(one) === undefined && {};
  }),

  'retry-settings-unused': eachCluster(({ traffic }) =>
    traffic.flatMap((of) => {
      const policy = of.spec.retryPolicy;
      const lists = {
        retriable_status_codes: policy?.retriableStatusCodes ?? [],
        retriable_headers: policy?.retriableHeaders ?? [],
      };
      const unused = Object.entries(lists).flatMap(([field, list]) => {
        const word = field.replaceAll('_', '-');
        return list.length === 0 || policy?.retryOn.includes(word) === true ? [] : [{ of, field, word }];
      });
      const waitUs = policy?.numRetries === 0 ? policy.retryBackOff?.baseIntervalUs : undefined;
      return waitUs === undefined ? unused : [...unused, { of, field: 'retry_back_off', waitUs }];
    }),
  ),
} satisfies Checks;
