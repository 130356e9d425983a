import { defaultOf } from '../../core/defaults.js';
import { type Checks, eachCluster, type LintCluster, type LintSubject } from './subject.js';
import { panicThresholdOf } from '../../config/lb.js';
import { aggregated } from '../../config/cluster/cluster-shape.js';
import { smallest } from '../../core/values.js';
import { quirksOf } from '../../core/version.js';

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

const writtenPanic = ({ cluster }: LintCluster): number | undefined =>
  cluster.commonLbConfig?.healthyPanicThreshold?.value;

/** Percent of the hosts that may be ejected, where that is less than one host. */
function lessThanOne({ cluster: { outlierDetection }, fixed, hosts }: LintCluster): number | undefined {
  if (outlierDetection === undefined || !fixed) return undefined;
  const percent = outlierDetection.maxEjectionPercent ?? defaultOf('cluster.OutlierDetection', 'max_ejection_percent');
  return hosts.length * percent < 100 ? percent : undefined;
}

function versionsOf({ proxies }: LintSubject, stayWithinLimit: boolean) {
  const versions = proxies.map(({ proxy: { version } }) => version);
  const found = versions.filter((version) => quirksOf(version).ejectionsStayWithinLimit === stayWithinLimit);
  return { found: [...new Set(found)], areAll: found.length === versions.length };
}

export const healthRules = {
  'health-check-timeout-over-interval': eachCluster(({ cluster: { healthChecks } }) =>
    healthChecks.flatMap(({ timeout, interval, unhealthyThreshold }, index) => {
      const afterUs = Math.round(unhealthyThreshold * (timeout + interval));
      return timeout > interval ? [{ index, timeout, interval, afterUs }] : [];
    }),
  ),

  'merge-window-over-interval': eachCluster(({ cluster: { healthChecks, commonLbConfig } }) => {
    const written = commonLbConfig?.updateMergeWindow;
    const windowUs = written ?? defaultOf('Cluster.CommonLbConfig', 'update_merge_window');
    const shortestUs = smallest(healthChecks.map(({ interval }) => interval));
    const [at, what] =
      written === undefined ? ['health_checks', ', its default'] : ['common_lb_config.update_merge_window', ''];
    return windowUs > shortestUs && { at, windowUs, what, shortestUs };
  }),

  'failover-without-health': eachCluster((one, subject) => {
    // A level without hosts passes everything on.
    const [first, second] = one.priorities.filter((priority) => one.hosts.some((host) => host.priority === priority));
    if (first === undefined || second === undefined || canFail(one, subject)) return undefined;
    return { of: one.groups.find(({ group: { priority } }) => priority === second), first, second };
  }),

  'priority-gap': eachCluster(({ priorities, groups, fixed }) => {
    const gap = priorities.find((priority, index) => priority !== index);
    if (gap === undefined || !fixed) return undefined;
    const of = groups.find(({ group: { priority } }) => priority === gap);
    return { of, gap, without: priorities.indexOf(gap) };
  }),

  'panic-disabled': eachCluster((one, { clusters }) => {
    const threshold = writtenPanic(one);
    if (threshold === undefined || threshold >= 1 || one.priorities.length > 1) return undefined;
    // An aggregate fails over to other clusters.
    if (clusters.some(({ cluster }) => aggregated(cluster)?.includes(one.cluster.name))) return undefined;
    return { truncated: threshold === 0 ? undefined : threshold };
  }),

  'panic-threshold-truncated': eachCluster((one) => {
    const threshold = writtenPanic(one);
    if (threshold === undefined || threshold < 1 || Number.isInteger(threshold)) return undefined;
    return { threshold, whole: Math.floor(threshold) };
  }),

  'panic-out-of-reach': eachCluster((one) => {
    const threshold = writtenPanic(one);
    const { disableOverprovisioning, overprovisioningFactor } = one.assignment?.policy ?? {};
    const factor =
      disableOverprovisioning === true
        ? 100
        : (overprovisioningFactor ?? defaultOf('ClusterLoadAssignment.Policy', 'overprovisioning_factor'));
    if (threshold === undefined || one.priorities.length > 1) return undefined;
    const reach = Math.ceil(10_000 / factor);
    return Math.floor(threshold) > reach && { factor, reach, threshold };
  }),

  'removed-hosts-stay': eachCluster((one, { timeline }) => {
    const { healthChecks, drainConnectionsOnHostRemoval, name } = one.cluster;
    if (healthChecks.length === 0 || drainConnectionsOnHostRemoval) return undefined;
    const entry = timeline.findIndex(
      ({ action }) => action.kind === 'remove_hosts' && (action.hosts.cluster ?? name) === name,
    );
    const place = one.placeOf('drain_connections_on_host_removal');
    return entry !== -1 && { of: { path: ['timeline', entry] }, place };
  }),

  'new-hosts-without-checks': eachCluster(
    ({ cluster: { commonLbConfig, healthChecks } }) =>
      commonLbConfig?.ignoreNewHostsUntilFirstHc === true && healthChecks.length === 0 && {},
  ),

  'outlier-ejects-nobody': eachCluster((one, subject) => {
    const percent = lessThanOne(one);
    if (percent === undefined || one.cluster.outlierDetection?.alwaysEjectOneHost === true) return undefined;
    const kept = versionsOf(subject, true);
    if (kept.found.length === 0) return undefined;
    const some = kept.areAll ? {} : { by: kept.found, others: 'older ones' };
    const needed = Math.ceil(100 / one.hosts.length);
    return { percent, hosts: one.hosts.length, ...some, needed: needed === 100 ? '100' : `${needed} or more` };
  }),

  'outlier-ejects-one-anyway': eachCluster((one, subject) => {
    const percent = lessThanOne(one);
    const old = percent === undefined || percent === 0 ? [] : versionsOf(subject, false).found;
    if (old.length === 0) return undefined;
    return { percent, hosts: one.hosts.length, real: Math.round(100 / one.hosts.length), old };
  }),

  'ejection-into-panic': eachCluster((one) => {
    const percent = one.cluster.outlierDetection?.maxEjectionPercent;
    const threshold = Math.floor(panicThresholdOf(one.cluster));
    if (percent === undefined || one.priorities.length > 1 || percent <= 100 - threshold) return undefined;
    return { percent, left: 100 - percent, threshold };
  }),
} satisfies Checks;
