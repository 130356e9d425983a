import { BALANCING, eachCluster, type LintReport, type LintChapter, type LintRule, manual, thread } from './rule.js';
import type { LintCluster } from './subject.js';
import { unevenPriority } from './list-rules.js';
import { formatDuration } from '../fields/units.js';
import { WEIGHTED, weighted } from './locality-rules.js';

const SUBSETS = 'subset_selectors: [{keys: [version]}]';

const versioned = (config: string): string => `clusters:
  - name: backend
    connect_timeout: 1s
    common_lb_config: {locality_weighted_lb_config: {}}
    lb_subset_config: {${config}}
    load_assignment:
      cluster_name: backend
      endpoints:
        - locality: {zone: a}
          load_balancing_weight: 100
          lb_endpoints:
            - {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {version: "1"}}}}
`;

const retrying = (policy: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_retries: 100}]}}
endpoints: {backend: [{address: 10.0.0.1:80, count: 4}]}
workloads:
  - {cluster: backend, arrivals: 100/s, stop: 10s, retry_policy: {${policy}}}
`;

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

const leastRequest = (config: string, endpoints: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, lb_policy: LEAST_REQUEST, least_request_lb_config: {${config}}}
endpoints: {backend: [${endpoints}]}
`;

const DNS_FIELDS = [
  'dns_refresh_rate',
  'dns_failure_refresh_rate',
  'respect_dns_ttl',
  'dns_lookup_family',
  'dns_resolvers',
  'use_tcp_for_dns_lookups',
];

const original = (common: string): string => `name: backend
connect_timeout: 1s
type: ORIGINAL_DST
lb_policy: CLUSTER_PROVIDED
common_lb_config: {${common}}
`;

const clusterPage = manual('api-v2/api/v2/cluster.proto', 'Cluster');

const discovery = manual('intro/arch_overview/upstream/service_discovery', 'Service discovery');

const cluster = (fields: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, ${fields}}
endpoints: {backend: [{address: 10.0.0.1:80, count: 4}]}
`;

/** Reports those of `fields` that the file sets in a part of the cluster. */
function reportSet(
  { path, has }: LintCluster,
  report: LintReport,
  part: readonly string[],
  fields: readonly string[],
  text: (field: string) => string,
): void {
  for (const field of fields) if (has(...part, field)) report([...path, ...part, field], text(field));
}

const outliers = manual('intro/arch_overview/upstream/outlier', 'Outlier detection');

const dnsSettingsIgnored: LintRule = {
  name: 'dns-settings-ignored',
  severity: 'note',
  title: 'DNS settings of a cluster that resolves no names',
  why: 'Only STRICT_DNS and LOGICAL_DNS clusters ask a resolver; the proxy checks these fields for every type and reads them for those two.',
  sources: [discovery],
  example: cluster('dns_refresh_rate: 10s, dns_lookup_family: V4_ONLY'),
  repaired: `clusters: [{name: backend, connect_timeout: 1s, type: STRICT_DNS, dns_refresh_rate: 10s, dns_lookup_family: V4_ONLY}]
endpoints: {backend: [backend.example.com:80]}
dns: {backend.example.com: {addresses: [10.0.0.1]}}
`,
  check: eachCluster((one, report) => {
    const { type } = one;
    if (type === undefined || type === 'STRICT_DNS' || type === 'LOGICAL_DNS') return;
    reportSet(one, report, [], DNS_FIELDS, (field) => `a ${type} cluster resolves no names: ${field} is ignored`);
  }),
};

const originalDstSettingsIgnored: LintRule = {
  name: 'original-dst-settings-ignored',
  severity: 'note',
  title: 'cleanup_interval or original_dst_lb_config of another type',
  why: 'Only ORIGINAL_DST clusters learn hosts from clients, so only they clean up hosts, and read a header that names one. Other clusters check these fields and ignore them.',
  sources: [clusterPage, discovery],
  example: cluster('cleanup_interval: 10s, original_dst_lb_config: {use_http_header: true}'),
  repaired: cluster('lb_policy: ROUND_ROBIN'),
  check: eachCluster((one, report) => {
    const { type } = one;
    if (type === undefined || type === 'ORIGINAL_DST') return;
    reportSet(
      one,
      report,
      [],
      ['cleanup_interval', 'original_dst_lb_config'],
      (field) => `${field} is for ORIGINAL_DST clusters; this one is ${type}, and ignores it`,
    );
  }),
};

const balancingOfOriginalDst: LintRule = {
  name: 'balancing-of-original-dst',
  severity: 'note',
  title: 'Settings of load balancing on an ORIGINAL_DST cluster',
  why: 'An ORIGINAL_DST cluster sends a request where its client wanted to go: it weighs nothing, knows no localities and never panics.',
  sources: [manual(`${BALANCING}/original_dst`, 'Original destination'), clusterPage],
  example: original('healthy_panic_threshold: {value: 20}'),
  repaired: original('update_merge_window: 0s'),
  check: eachCluster((one, report) => {
    if (one.type !== 'ORIGINAL_DST') return;
    reportSet(
      one,
      report,
      ['common_lb_config'],
      ['healthy_panic_threshold', 'locality_weighted_lb_config'],
      (field) => `an ORIGINAL_DST cluster balances nothing: ${field} has no effect`,
    );
  }),
};

const removalWithoutChecks: LintRule = {
  name: 'removal-without-checks',
  severity: 'note',
  title: 'drain_connections_on_host_removal without health checks',
  why: 'Only health checks keep a host that discovery has dropped. Without them it leaves at once, with or without this setting.',
  sources: [clusterPage, thread(11527, 'EDS + active health check endpoint removal behavior')],
  example: cluster('drain_connections_on_host_removal: true'),
  repaired: cluster(
    'drain_connections_on_host_removal: true, health_checks: [{timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 2, tcp_health_check: {}}]',
  ),
  check: eachCluster(({ cluster: { drainConnectionsOnHostRemoval, healthChecks }, path }, report) => {
    if (!drainConnectionsOnHostRemoval || healthChecks.length > 0) return;
    report(
      [...path, 'drain_connections_on_host_removal'],
      'this has no effect: without health_checks a host that discovery drops goes at once',
    );
  }),
};

const scaleWithoutAware: LintRule = {
  name: 'scale-without-aware',
  severity: 'note',
  title: 'scale_locality_weight without locality_weight_aware',
  why: 'The weights of localities are scaled to the hosts of a subset only if subsets use them at all, which `locality_weight_aware` turns on.',
  sources: [
    thread(5074, 'add option to scale locality weights in subset lb'),
    manual('api-v2/api/v2/cluster.proto', 'LbSubsetConfig.scale_locality_weight'),
  ],
  example: versioned(`${SUBSETS}, scale_locality_weight: true`),
  repaired: versioned(`${SUBSETS}, scale_locality_weight: true, locality_weight_aware: true`),
  check: eachCluster((one, report) => {
    const { subsets } = one;
    if (subsets?.scaleLocalityWeight !== true || subsets.localityWeightAware) return;
    // It is refused, or has no effect, where localities have no weights.
    const needed = weighted(one) ? '' : ` and ${one.placeOf(...WEIGHTED) ?? 'wrr_locality around their policy'}`;
    report(
      [...one.path, 'lb_subset_config', 'scale_locality_weight'],
      `this has no effect: subsets do not look at locality weights without locality_weight_aware${needed}`,
    );
  }),
};

const localErrorsNotSplit: LintRule = {
  name: 'local-errors-not-split',
  severity: 'note',
  title: 'Settings for local errors without split_external_local_origin_errors',
  why: 'Local errors (connecting, time-outs) are counted apart only with `split_external_local_origin_errors`. Without it they count as answers of the host, and the settings for local errors are ignored.',
  sources: [outliers],
  example: cluster('outlier_detection: {consecutive_local_origin_failure: 3, max_ejection_percent: 50}'),
  repaired: cluster(
    'outlier_detection: {split_external_local_origin_errors: true, consecutive_local_origin_failure: 3, max_ejection_percent: 50}',
  ),
  check: eachCluster((one, report) => {
    const { outlierDetection } = one.cluster;
    if (outlierDetection === undefined || outlierDetection.splitExternalLocalOriginErrors) return;
    reportSet(
      one,
      report,
      ['outlier_detection'],
      LOCAL_ERRORS,
      (field) => `${field} has no effect without split_external_local_origin_errors`,
    );
  }),
};

const detectedNotEjected: LintRule = {
  name: 'detected-not-ejected',
  severity: 'note',
  title: 'An outlier that is detected and never ejected',
  why: 'Gateway failures and failure percentages are detected and counted in any case; the chance that a detection ejects is 0 unless `enforcing_…` says otherwise.',
  sources: [outliers],
  example: cluster('outlier_detection: {consecutive_gateway_failure: 3, max_ejection_percent: 50}'),
  repaired: cluster(
    'outlier_detection: {consecutive_gateway_failure: 3, enforcing_consecutive_gateway_failure: 100, max_ejection_percent: 50}',
  ),
  check: eachCluster((one, report, { proxies, timeline, timelineRead }) => {
    const runtime = proxies.some(({ proxy }) => Object.keys(proxy.runtime).some((key) => key.startsWith(RUNTIME)));
    const later = !timelineRead || timeline.some(({ action }) => action.kind === 'set_runtime');
    if (runtime || later) return;
    for (const { setting, enforcing } of DETECTORS) {
      const part = 'outlier_detection';
      // Local errors have the same threshold.
      const local =
        one.has(part, 'enforcing_failure_percentage_local_origin') && setting === 'failure_percentage_threshold';
      if (!one.has(part, setting) || one.has(part, enforcing) || local) continue;
      report([...one.path, part, setting], `outliers are counted and not ejected: ${enforcing} is 0 by default`);
    }
  }),
};

const biasWithoutWeights: LintRule = {
  name: 'bias-without-weights',
  severity: 'note',
  title: 'active_request_bias where host weights are alike',
  why: 'The bias belongs to the weighted rotation that LEAST_REQUEST becomes when host weights differ. Where they are alike it draws hosts and takes the one with the fewest requests, and there is nothing to bias.',
  sources: [manual(`${BALANCING}/load_balancers`, 'Weighted least request')],
  example: leastRequest('active_request_bias: {default_value: 2, runtime_key: x}', '{address: 10.0.0.1:80, count: 4}'),
  repaired: leastRequest(
    'active_request_bias: {default_value: 2, runtime_key: x}',
    '{address: 10.0.0.1:80, weight: 2}, 10.0.0.2:80',
  ),
  check: eachCluster((one, report) => {
    const { leaf } = one;
    if (leaf.kind !== 'least_request' || leaf.activeRequestBias === undefined || !one.fixed) return;
    // While a host starts slowly its weight differs from the others'.
    if (leaf.slowStartConfig !== undefined) return;
    if (unevenPriority(one) !== undefined) return;
    report(
      [...one.path, 'least_request_lb_config', 'active_request_bias'],
      'this has no effect: the hosts of each priority have the same weight',
    );
  }),
};

const retrySettingsUnused: LintRule = {
  name: 'retry-settings-unused',
  severity: 'note',
  title: 'Settings of retries without the setting that uses them',
  why: 'Lists of statuses and headers are used only if `retry_on` names them; a number of selection attempts only with a predicate that may reject a host; a back-off only with retries.',
  sources: [manual('api-v2/api/v2/route/route_components.proto', 'RetryPolicy')],
  example: retrying('retry_on: 5xx, retriable_status_codes: [409]'),
  repaired: retrying('retry_on: "5xx,retriable-status-codes", retriable_status_codes: [409]'),
  check: eachCluster(({ traffic }, report) => {
    for (const { spec, path } of traffic) {
      const policy = spec.retryPolicy;
      if (policy === undefined) continue;
      const at = (field: string): (string | number)[] => [...path, 'retry_policy', field];
      for (const [field, list, word] of [
        ['retriable_status_codes', policy.retriableStatusCodes, 'retriable-status-codes'],
        ['retriable_headers', policy.retriableHeaders, 'retriable-headers'],
      ] as const) {
        if (list.length === 0 || policy.retryOn.includes(word)) continue;
        report(at(field), `${field} is not looked at: retry_on does not have ${word}`);
      }
      if (policy.retryBackOff !== undefined && policy.numRetries === 0) {
        const wait = formatDuration(policy.retryBackOff.baseIntervalUs);
        report(at('retry_back_off'), `nothing waits ${wait}: num_retries is 0`);
      }
    }
  }),
};

export const ignoredChapter: LintChapter = {
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
};
