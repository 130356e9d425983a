import { defaultOf } from '../../core/defaults.js';
import { type Checks, eachCluster, type LintCluster, type LintSubject } from './subject.js';
import { panicThresholdOf } from '../../config/lb.js';
import { aggregated } from '../../config/cluster/cluster-shape.js';
import { formatDuration } from '../fields/units.js';
import { quirksOf } from '../../core/version.js';
import { counted } from '../../core/words.js';

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

const DEFAULT_MERGE_US = defaultOf('Cluster.CommonLbConfig', 'update_merge_window');

const PANIC = 'common_lb_config.healthy_panic_threshold';

function ejectable({ cluster: { outlierDetection }, fixed }: LintCluster): number | undefined {
  return outlierDetection === undefined || !fixed
    ? undefined
    : (outlierDetection.maxEjectionPercent ?? defaultOf('cluster.OutlierDetection', 'max_ejection_percent'));
}

export const healthRules = {
  'health-check-timeout-over-interval': eachCluster(({ cluster: { healthChecks } }, report) => {
    for (const [index, { timeout, interval, unhealthyThreshold }] of healthChecks.entries()) {
      if (timeout <= interval) continue;
      const found = `${formatDuration(timeout)} timeout, ${formatDuration(interval)} interval`;
      const after = formatDuration(Math.round(unhealthyThreshold * (timeout + interval)));
      report(`health_checks.${index}.timeout`, `${found}: a host that hangs is found unhealthy after ${after}`);
    }
  }),

  'merge-window-over-interval': eachCluster(({ cluster: { healthChecks, commonLbConfig } }, report) => {
    const window = commonLbConfig?.updateMergeWindow ?? DEFAULT_MERGE_US;
    const shortest = healthChecks.reduce((least, { interval }) => Math.min(least, interval), Infinity);
    if (window <= shortest) return;
    const [at, what] =
      commonLbConfig?.updateMergeWindow === undefined
        ? ['health_checks', ', its default']
        : ['common_lb_config.update_merge_window', ''];
    const text = `update_merge_window (${formatDuration(window)}${what}) is longer than the health-check interval (${formatDuration(shortest)})`;
    report(at, `${text}, so the balancer learns of failed checks that much later`);
  }),

  'failover-without-health': eachCluster((one, report, subject) => {
    // A level without hosts passes everything on.
    const [first, second] = one.priorities.filter((priority) => one.hosts.some((host) => host.priority === priority));
    if (first === undefined || second === undefined || canFail(one, subject)) return;
    const group = one.groups.find(({ group: { priority } }) => priority === second);
    const text =
      one.type === 'EDS'
        ? `priority ${second} gets requests only once the control plane takes hosts of priority ${first} away, or calls them unhealthy: the proxy itself does not notice`
        : `priority ${second} never gets a request: nothing notices that a host of priority ${first} is down`;
    report('priority', `${text}. Add health_checks or outlier_detection`, group);
  }),

  'priority-gap': eachCluster(({ priorities, groups, fixed }, report) => {
    const gap = priorities.find((priority, index) => priority !== index);
    if (gap === undefined || !fixed) return;
    const group = groups.find(({ group: { priority } }) => priority === gap);
    report('priority', `priority ${gap} is used, but priority ${priorities.indexOf(gap)} has no hosts`, group);
  }),

  'panic-disabled': eachCluster((one, report, { clusters }) => {
    const threshold = one.cluster.commonLbConfig?.healthyPanicThreshold?.value;
    if (threshold === undefined || threshold >= 1 || one.priorities.length > 1) return;
    // An aggregate fails over to other clusters.
    if (clusters.some(({ cluster }) => aggregated(cluster)?.includes(one.cluster.name))) return;
    const rounded = threshold === 0 ? '' : `${threshold} is truncated to 0: `;
    const text = `${rounded}panic is off and there is no second priority: when the last host fails, every request fails`;
    report(PANIC, text);
  }),

  'panic-threshold-truncated': eachCluster((one, report) => {
    const threshold = one.cluster.commonLbConfig?.healthyPanicThreshold?.value;
    if (threshold === undefined || threshold < 1 || Number.isInteger(threshold)) return;
    report(PANIC, `${threshold} is truncated to ${Math.floor(threshold)}`);
  }),

  'panic-out-of-reach': eachCluster((one, report) => {
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
    report(PANIC, text);
  }),

  'removed-hosts-stay': eachCluster((one, report, { timeline }) => {
    const { healthChecks, drainConnectionsOnHostRemoval, name } = one.cluster;
    if (healthChecks.length === 0 || drainConnectionsOnHostRemoval) return;
    const entry = timeline.findIndex(
      ({ action }) => action.kind === 'remove_hosts' && (action.hosts.cluster ?? name) === name,
    );
    if (entry === -1) return;
    const text = `these hosts stay in rotation until a health check of ${name} fails`;
    const advice = `set ${one.placeOf('drain_connections_on_host_removal') ?? ''}: true to let them go at once`;
    report('remove_hosts', `${text}; ${advice}`, { path: ['timeline', entry] });
  }),

  'new-hosts-without-checks': eachCluster(({ cluster: { commonLbConfig, healthChecks } }, report) => {
    if (commonLbConfig?.ignoreNewHostsUntilFirstHc !== true || healthChecks.length > 0) return;
    report('common_lb_config.ignore_new_hosts_until_first_hc', 'this has no effect: the cluster has no health_checks');
  }),

  'outlier-ejects-nobody': eachCluster((one, report, { proxies }) => {
    const percent = ejectable(one);
    const versions = proxies.map(({ proxy: { version } }) => version);
    const kept = versions.filter((version) => quirksOf(version).ejectionsStayWithinLimit);
    if (percent === undefined || kept.length === 0 || one.hosts.length * percent >= 100) return;
    if (one.cluster.outlierDetection?.alwaysEjectOneHost === true) return;
    const by = kept.length === versions.length ? '' : ` by proxy ${[...new Set(kept)].join(', ')}`;
    const others = by === '' ? '' : ', and older ones always eject one';
    const text = `no host is ever ejected${by}: ${percent} % of ${counted(one.hosts.length, 'host')} is less than one${others}`;
    const needed = Math.ceil(100 / one.hosts.length);
    report('outlier_detection', `${text}. Set max_ejection_percent: ${needed === 100 ? '100' : `${needed} or more`}`);
  }),

  'outlier-ejects-one-anyway': eachCluster((one, report, { proxies }) => {
    const percent = ejectable(one);
    const old = [...new Set(proxies.map(({ proxy: { version } }) => version))].filter(
      (version) => !quirksOf(version).ejectionsStayWithinLimit,
    );
    if (percent === undefined || percent === 0 || old.length === 0 || one.hosts.length * percent >= 100) return;
    const real = Math.round(100 / one.hosts.length);
    const text = `one of ${one.hosts.length} hosts (${real} %) is ejected although max_ejection_percent is ${percent}`;
    report('outlier_detection', `${text}: proxy ${old.join(', ')} always allows the first ejection`);
  }),

  'ejection-into-panic': eachCluster((one, report) => {
    const percent = one.cluster.outlierDetection?.maxEjectionPercent;
    const threshold = Math.floor(panicThresholdOf(one.cluster));
    if (percent === undefined || one.priorities.length > 1 || percent <= 100 - threshold) return;
    const text = `if ${percent} % are ejected, ${100 - percent} % are left, below the panic threshold of ${threshold} %`;
    report('outlier_detection.max_ejection_percent', `${text}: ejected hosts then get traffic again`);
  }),
} satisfies Checks;
