import type { Micros } from '../core/units.js';
import { MICROS_PER_MILLI } from '../core/units.js';
import type { ProxyCluster } from './proxy-cluster.js';

/** Who grows into its weight at this moment. Hosts that all began together are held back against nobody. */
export function slowStartReason({ lb, upstream }: ProxyCluster, nowUs: Micros): string[] {
  const { slowStart } = lb;
  if (slowStart === undefined || !(slowStart.windowMs > 0)) return [];
  const since: Micros[] = [];
  for (const { host } of upstream.hosts()) {
    if (host.health === 'healthy') since.push(nowUs - (host.lastHealthCheckPassUs ?? -Infinity));
  }
  const growing = since.filter((us) => us < slowStart.windowMs * MICROS_PER_MILLI).length;
  if (growing === 0 || (growing === since.length && new Set(since).size === 1)) return [];
  const who = growing === 1 ? '1 host grows into its weight' : `${growing} hosts grow into their weight`;
  const percent = Number(slowStart.minWeightPercent.toPrecision(3));
  return [`slow start: ${who} in ${slowStart.windowMs / 1000} s, from ${percent} % of it`];
}
