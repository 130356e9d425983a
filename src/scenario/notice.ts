import { discoveryType } from '../config/discovery.js';
import type { Scenario } from './model.js';

/** What makes a proxy see that a host of a cluster no longer answers. */
export type Notice = 'health_checks' | 'outlier_detection' | 'control_plane' | 'dns';

/**
 * Who notices that a host is lost; null: nobody, so that it keeps its part of the requests.
 *
 * A control plane is there where EDS is, and where the timeline tells health later on.
 */
export function whoNotices(scenario: Scenario, name: string): Notice | null {
  const cluster = scenario.clusters.find((one) => one.name === name);
  if (cluster === undefined) return null;
  const type = discoveryType(cluster);
  // To lose a host there is to lose its record.
  if (type === 'STRICT_DNS' || type === 'LOGICAL_DNS') return 'dns';
  if (cluster.healthChecks.length > 0) return 'health_checks';
  if (type === 'EDS') return 'control_plane';
  const told = scenario.timeline.some(
    ({ atUs, action }) => atUs > 0 && action.kind === 'set_health' && (action.hosts.cluster ?? name) === name,
  );
  if (told) return 'control_plane';
  return cluster.outlierDetection === undefined ? null : 'outlier_detection';
}
