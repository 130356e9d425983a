import { defaultOf } from '../../config/defaults.js';
import { BALANCING, eachCluster, type LintChapter, type LintRule, manual, thread } from './rule.js';
import type { LintCluster, LintSubject } from './subject.js';
import { panicThresholdOf } from '../../config/lb.js';
import { aggregated } from '../../config/discovery.js';
import { formatDuration } from '../fields/units.js';
import { quirksOf } from '../../core/quirks.js';

/** Whether anything can ever make a host of the cluster unhealthy. */
function canFail(
  { cluster: { healthChecks, outlierDetection }, hosts }: LintCluster,
  { timeline, timelineRead }: LintSubject,
): boolean {
  if (healthChecks.length > 0 || outlierDetection !== undefined || !timelineRead) return true;
  if (hosts.some(({ endpoint: { healthStatus } }) => healthStatus !== 'UNKNOWN' && healthStatus !== 'HEALTHY'))
    return true;
  return timeline.some(({ action: { kind } }) =>
    ['set_health', 'assign', 'remove_hosts', 'update_cluster', 'dns'].includes(kind),
  );
}

const MODERN = 'proxy: {version: "1.40"}\n';

const DEFAULT_MERGE_US = defaultOf('Cluster.CommonLbConfig', 'update_merge_window');

const LEAVES = 'timeline: [{at: 5s, remove_hosts: 10.0.0.4:80}]\n';

const checkPage = manual('intro/arch_overview/upstream/health_checking', 'Health checking');

const PANIC = ['common_lb_config', 'healthy_panic_threshold'];

const panicPage = manual(`${BALANCING}/panic_threshold`, 'Panic threshold');

/** On a line of its own. */
const field = (text: string): string => (text === '' ? '' : `\n    ${text}`);

const checked = (check: string, rest = ''): string => `clusters:
  - name: backend
    connect_timeout: 1s${field(rest)}
    health_checks: [{${check}, unhealthy_threshold: 2, healthy_threshold: 2, http_health_check: {path: /}}]
endpoints: {backend: [{address: 10.0.0.1:80, count: 4}]}
`;

const common = (rest: string): string => `common_lb_config: {${rest}}`;

const cluster = (rest: string, endpoints = '{address: 10.0.0.1:80, count: 4}'): string => `clusters:
  - name: backend
    connect_timeout: 1s${field(rest)}
endpoints: {backend: [${endpoints}]}
`;

function ejectable({ cluster: { outlierDetection }, fixed }: LintCluster): number | undefined {
  return outlierDetection === undefined || !fixed
    ? undefined
    : (outlierDetection.maxEjectionPercent ?? defaultOf('cluster.OutlierDetection', 'max_ejection_percent'));
}

const timeoutOverInterval: LintRule = {
  name: 'health-check-timeout-over-interval',
  severity: 'warning',
  title: 'A health check that may take longer than its interval',
  why: 'The next check is sent one interval after the last one ended, so a host that hangs is checked every timeout + interval. It is found unhealthy after threshold × (timeout + interval), not after threshold × interval.',
  sources: [checkPage, thread(11527, 'EDS + active health check endpoint removal behavior')],
  example: checked('timeout: 10s, interval: 5s'),
  repaired: checked('timeout: 2s, interval: 5s'),
  check: eachCluster(({ cluster: { healthChecks }, path }, report) => {
    for (const [index, { timeout, interval, unhealthyThreshold }] of healthChecks.entries()) {
      if (timeout <= interval) continue;
      const found = `${formatDuration(timeout)} timeout, ${formatDuration(interval)} interval`;
      const after = formatDuration(Math.round(unhealthyThreshold * (timeout + interval)));
      report(
        [...path, 'health_checks', index, 'timeout'],
        `${found}: a host that hangs is found unhealthy after ${after}`,
      );
    }
  }),
};

const mergeWindowOverInterval: LintRule = {
  name: 'merge-window-over-interval',
  severity: 'warning',
  title: 'update_merge_window longer than the health-check interval',
  why: 'Results of health checks wait in the merge window before the balancer sees them. With a window longer than the interval a host has failed several checks, or come back, before anyone acts on the first.',
  sources: [
    manual('api-v2/api/v2/cluster.proto', 'CommonLbConfig.update_merge_window'),
    thread('envoyproxy/envoy/pull/3941', 'Add option for merging cluster updates'),
  ],
  example: checked('timeout: 1s, interval: 2s', common('update_merge_window: 10s')),
  repaired: checked('timeout: 1s, interval: 2s', common('update_merge_window: 1s')),
  check: eachCluster(({ cluster: { healthChecks, commonLbConfig }, path }, report) => {
    const window = commonLbConfig?.updateMergeWindow ?? DEFAULT_MERGE_US;
    const shortest = healthChecks.reduce((least, { interval }) => Math.min(least, interval), Infinity);
    if (window <= shortest) return;
    const found =
      commonLbConfig?.updateMergeWindow === undefined
        ? `${formatDuration(window)}, its default`
        : formatDuration(window);
    const at =
      commonLbConfig?.updateMergeWindow === undefined ? ['health_checks'] : ['common_lb_config', 'update_merge_window'];
    const text = `update_merge_window (${found}) is longer than the health-check interval (${formatDuration(shortest)})`;
    report([...path, ...at], `${text}: what checks find reaches the balancer that much later`);
  }),
};

const failoverWithoutHealth: LintRule = {
  name: 'failover-without-health',
  severity: 'warning',
  title: 'Priorities without anything that detects a host is down',
  why: 'Traffic moves to the next priority when hosts of the first are unhealthy. Without health checks, outlier detection or a health status from discovery every host is healthy for ever, and the next priority never gets a request, even while all of the first refuse connections. Under EDS that is up to the control plane: traffic moves when it says so, and not before.',
  sources: [
    thread('istio/istio/issues/48084', 'Locality based load balancing is dependent on outlier detection'),
    thread('istio/istio/issues/12961', 'Locality LB outlierDetection requirement'),
    manual(`${BALANCING}/priority`, 'Priority levels'),
  ],
  example: cluster('', '10.0.0.1:80, {address: 10.0.1.1:80, priority: 1}'),
  repaired: cluster(
    'outlier_detection: {max_ejection_percent: 50}',
    '10.0.0.1:80, {address: 10.0.1.1:80, priority: 1}',
  ),
  check: eachCluster((one, report, subject) => {
    // A level without hosts passes everything on.
    const [first, second] = one.priorities.filter((priority) => one.hosts.some((host) => host.priority === priority));
    if (first === undefined || second === undefined || canFail(one, subject)) return;
    const group = one.groups.find(({ group: { priority } }) => priority === second);
    const text =
      one.type === 'EDS'
        ? `priority ${second} gets requests only once the control plane takes hosts of priority ${first} away, or calls them unhealthy: the proxy does not find out`
        : `priority ${second} never gets a request: nothing tells that a host of priority ${first} is down`;
    report([...(group?.path ?? one.path), 'priority'], `${text}. Add health_checks or outlier_detection`);
  }),
};

const priorityGap: LintRule = {
  name: 'priority-gap',
  severity: 'note',
  aboutSplit: true,
  title: 'Priorities with a gap',
  why: 'Priorities are the levels 0, 1, 2 …; a number that is left out is a level without hosts. It has no health and gets no traffic, so the order stays the same, but statistics and panic count it.',
  sources: [manual(`${BALANCING}/priority`, 'Priority levels')],
  example: cluster('outlier_detection: {max_ejection_percent: 50}', '10.0.0.1:80, {address: 10.0.1.1:80, priority: 2}'),
  repaired: cluster(
    'outlier_detection: {max_ejection_percent: 50}',
    '10.0.0.1:80, {address: 10.0.1.1:80, priority: 1}',
  ),
  check: eachCluster(({ priorities, groups, fixed, path }, report) => {
    const gap = priorities.find((priority, index) => priority !== index);
    if (gap === undefined || !fixed) return;
    const group = groups.find(({ group: { priority } }) => priority === gap);
    report(
      [...(group?.path ?? path), 'priority'],
      `priority ${gap}, but none has hosts before it at ${priorities.indexOf(gap)}`,
    );
  }),
};

const panicDisabled: LintRule = {
  name: 'panic-disabled',
  severity: 'note',
  title: 'Panic threshold 0 with a single priority',
  why: 'Threshold 0 switches panic off: while any host is healthy it gets everything, which may overload it, and once none is, every request fails although the hosts might still answer. With one priority there is no failover.',
  sources: [
    panicPage,
    thread('projectcontour/contour/issues/1846', 'Provide configuration option for envoy panic threshold'),
  ],
  example: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 0}')),
  repaired: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 30}')),
  check: eachCluster((one, report, { clusters }) => {
    const threshold = one.cluster.commonLbConfig?.healthyPanicThreshold?.value;
    if (threshold === undefined || threshold >= 1 || one.priorities.length > 1) return;
    // An aggregate fails over to other clusters.
    if (clusters.some(({ cluster }) => aggregated(cluster)?.includes(one.cluster.name))) return;
    const rounded = threshold === 0 ? '' : `${threshold} is truncated to 0: `;
    const text = `${rounded}panic is off and there is no second priority: when the last host fails, every request fails`;
    report([...one.path, ...PANIC], text);
  }),
};

const panicTruncated: LintRule = {
  name: 'panic-threshold-truncated',
  severity: 'note',
  title: 'A panic threshold with a fraction',
  why: 'The threshold is truncated to whole percents: 33.9 is 33.',
  sources: [manual('api-v2/api/v2/cluster.proto', 'CommonLbConfig.healthy_panic_threshold')],
  example: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 33.9}')),
  repaired: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 34}')),
  check: eachCluster((one, report) => {
    const threshold = one.cluster.commonLbConfig?.healthyPanicThreshold?.value;
    if (threshold === undefined || threshold < 1 || Number.isInteger(threshold)) return;
    report([...one.path, ...PANIC], `${threshold} is truncated to ${Math.floor(threshold)}`);
  }),
};

const panicNeverReached: LintRule = {
  name: 'panic-out-of-reach',
  severity: 'note',
  title: 'A panic threshold that the overprovisioning factor keeps out of reach',
  why: 'A level can panic only once the levels together are below 100 % after multiplication by the overprovisioning factor (140 by default). A threshold above 100 / 1.4 ≈ 72 % does not make it start earlier.',
  sources: [panicPage, thread('envoyproxy/envoy/pull/4442', 'how load calculation and panic level interact')],
  example: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 90}')),
  repaired: checked('timeout: 1s, interval: 5s', common('healthy_panic_threshold: {value: 70}')),
  check: eachCluster((one, report) => {
    const threshold = one.cluster.commonLbConfig?.healthyPanicThreshold?.value;
    const factor =
      one.assignment?.policy?.disableOverprovisioning === true
        ? 100
        : (one.assignment?.policy?.overprovisioningFactor ??
          defaultOf('ClusterLoadAssignment.Policy', 'overprovisioning_factor'));
    if (threshold === undefined || one.priorities.length > 1) return;
    const reach = Math.ceil(10_000 / factor);
    if (Math.floor(threshold) <= reach) return;
    const text = `with an overprovisioning factor of ${factor} panic starts below ${reach} % healthy hosts, not below ${threshold} %`;
    report([...one.path, ...PANIC], text);
  }),
};

const removedHostsStay: LintRule = {
  name: 'removed-hosts-stay',
  severity: 'warning',
  title: 'Hosts that leave discovery under active health checks',
  why: 'An actively checked host that discovery drops stays in rotation until a check of it fails: discovery is only eventually consistent, so the proxy trusts the check. `drain_connections_on_host_removal: true` removes it at once.',
  sources: [
    thread(11527, 'EDS + active health check endpoint removal behavior'),
    thread('envoyproxy/gateway/issues/4564', 'ignore health status on endpoint removal'),
  ],
  example: checked('timeout: 1s, interval: 5s') + LEAVES,
  repaired: checked('timeout: 1s, interval: 5s', 'drain_connections_on_host_removal: true') + LEAVES,
  check: eachCluster((one, report, { timeline }) => {
    const { healthChecks, drainConnectionsOnHostRemoval, name } = one.cluster;
    if (healthChecks.length === 0 || drainConnectionsOnHostRemoval) return;
    const entry = timeline.findIndex(
      ({ action }) => action.kind === 'remove_hosts' && (action.hosts.cluster ?? name) === name,
    );
    if (entry === -1) return;
    const text = `these hosts stay in rotation until a health check of ${name} fails`;
    report(
      ['timeline', entry, 'remove_hosts'],
      `${text}; set ${one.placeOf('drain_connections_on_host_removal') ?? ''}: true to let them go at once`,
    );
  }),
};

const newHostsWithoutChecks: LintRule = {
  name: 'new-hosts-without-checks',
  severity: 'note',
  title: 'ignore_new_hosts_until_first_hc without health checks',
  why: 'New hosts are left out of weights and panic until their first health check. Without health checks there is no such time, and the setting has no effect.',
  sources: [manual('api-v2/api/v2/cluster.proto', 'CommonLbConfig.ignore_new_hosts_until_first_hc')],
  example: cluster(common('ignore_new_hosts_until_first_hc: true')),
  repaired: checked('timeout: 1s, interval: 5s', common('ignore_new_hosts_until_first_hc: true')),
  check: eachCluster(({ cluster: { commonLbConfig, healthChecks }, path }, report) => {
    if (commonLbConfig?.ignoreNewHostsUntilFirstHc !== true || healthChecks.length > 0) return;
    report(
      [...path, 'common_lb_config', 'ignore_new_hosts_until_first_hc'],
      'this has no effect: the cluster has no health_checks',
    );
  }),
};

const outlierEjectsNobody: LintRule = {
  name: 'outlier-ejects-nobody',
  severity: 'warning',
  title: 'Outlier detection that may eject nobody',
  why: 'Modern proxies eject a host only if the ejected share stays within `max_ejection_percent` (default 10 %): with hosts × percent below 100 no host is ever ejected, and every detection counts as `ejections_overflow`.',
  sources: [
    thread('envoyproxy/envoy/pull/27909', 'enforce max_ejection_percentage'),
    thread('envoyproxy/envoy/pull/34796', 'add always_eject_one_host'),
  ],
  example: MODERN + cluster('outlier_detection: {}'),
  repaired: MODERN + cluster('outlier_detection: {max_ejection_percent: 25}'),
  check: eachCluster((one, report, { proxies }) => {
    const percent = ejectable(one);
    const versions = proxies.map(({ proxy: { version } }) => version);
    const kept = versions.filter((version) => quirksOf(version).ejectionsStayWithinLimit);
    if (percent === undefined || kept.length === 0 || one.hosts.length * percent >= 100) return;
    if (one.cluster.outlierDetection?.alwaysEjectOneHost === true) return;
    const by = kept.length === versions.length ? '' : ` by proxy ${[...new Set(kept)].join(', ')}`;
    const text = `no host is ever ejected${by}: ${percent} % of ${one.hosts.length} hosts is less than one`;
    const needed = Math.ceil(100 / one.hosts.length);
    report(
      [...one.path, 'outlier_detection'],
      `${text}. Set max_ejection_percent: ${needed === 100 ? '100' : `${needed} or more`}`,
    );
  }),
};

const outlierEjectsOne: LintRule = {
  name: 'outlier-ejects-one-anyway',
  severity: 'note',
  title: 'Outlier detection that ejects more than its percentage',
  why: 'Proxies of the v2 era compare the share of hosts that are ejected already: the first host is always ejected, whatever `max_ejection_percent` says. With few hosts that is far more than the percentage.',
  sources: [
    thread(3263, 'OutlierDetection: MaxEjectionPercent not being honored'),
    thread(26877, 'Ejection algo removes more endpoints than max_ejection_percentage'),
  ],
  example: cluster('outlier_detection: {}'),
  repaired: cluster('outlier_detection: {max_ejection_percent: 25}'),
  check: eachCluster((one, report, { proxies }) => {
    const percent = ejectable(one);
    const old = [...new Set(proxies.map(({ proxy: { version } }) => version))].filter(
      (version) => !quirksOf(version).ejectionsStayWithinLimit,
    );
    if (percent === undefined || percent === 0 || old.length === 0 || one.hosts.length * percent >= 100) return;
    const real = Math.round(100 / one.hosts.length);
    const text = `one of ${one.hosts.length} hosts (${real} %) is ejected although max_ejection_percent is ${percent}`;
    report([...one.path, 'outlier_detection'], `${text}: proxy ${old.join(', ')} always allows the first ejection`);
  }),
};

const ejectionIntoPanic: LintRule = {
  name: 'ejection-into-panic',
  severity: 'warning',
  title: 'Outlier detection that may eject a cluster into panic',
  why: 'Ejected hosts are unhealthy hosts. Once fewer are left than the panic threshold asks (50 % by default), the proxy uses all hosts again, the ejected ones included: above 100 − threshold the ejection limit protects no one.',
  sources: [thread(2671, 'Clarification about outlier detection and ejection of 100% hosts'), panicPage],
  example: cluster('outlier_detection: {max_ejection_percent: 80}'),
  repaired: cluster('outlier_detection: {max_ejection_percent: 50}'),
  check: eachCluster((one, report) => {
    const percent = one.cluster.outlierDetection?.maxEjectionPercent;
    const threshold = Math.floor(panicThresholdOf(one.cluster));
    if (percent === undefined || one.priorities.length > 1 || percent <= 100 - threshold) return;
    const text = `if ${percent} % are ejected, ${100 - percent} % are left, below the panic threshold of ${threshold} %`;
    report([...one.path, 'outlier_detection', 'max_ejection_percent'], `${text}: ejected hosts then get traffic again`);
  }),
};

export const healthChapter: LintChapter = {
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
};
