import type { ClusterKind } from './discovery.js';
import type { ClusterLoadAssignment } from './endpoint.js';
import type { Report } from './reader.js';

/**
 * Localities whose hosts have a discovery of their own, which the proxy knows for EDS alone: what it says of other types,
 * and what is missing here.
 *
 * @param type undefined: one that is not simulated.
 */
export function checkLeds(
  type: ClusterKind | undefined,
  name: string,
  { endpoints }: Pick<ClusterLoadAssignment, 'endpoints'>,
  report: Report,
): void {
  for (const [index, { ledsClusterLocalityConfig, lbEndpoints }] of endpoints.entries()) {
    if (ledsClusterLocalityConfig === undefined) continue;
    const at = ['endpoints', index, 'leds_cluster_locality_config'];
    if (type === 'STATIC') {
      report(`LEDS is only supported when EDS is used. Static cluster ${name} cannot use LEDS.`, at, 'error', 'leds');
    } else if (type === 'EDS') {
      const rest =
        lbEndpoints.length === 0 ? 'it has none here; write them as lb_endpoints' : 'it has its lb_endpoints here';
      report(`the hosts of this locality come from LEDS, which no file shows: ${rest}`, at, 'warning', 'leds');
    } else {
      const text = `a ${type ?? 'custom'} cluster ignores leds_cluster_locality_config: its hosts are lb_endpoints`;
      report(text, at, 'warning', 'leds');
    }
  }
}
