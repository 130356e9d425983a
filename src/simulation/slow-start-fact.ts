import { type Micros, MICROS_PER_MILLI, microsToSeconds } from '../core/units.js';
import { slowStartPart } from '../policy/slow-start.js';
import type { SlowStartFact } from '../result/facts.js';
import type { ProxyCluster } from './proxy-cluster.js';

/**
 * The hosts in slow start at this moment, and their part of the weight over time. If all hosts started together, slow start
 * changes no share.
 */
export function slowStartFacts({ lb, upstream, proxy }: ProxyCluster, nowUs: Micros): SlowStartFact[] {
  const { slowStart } = lb;
  if (slowStart === undefined) return [];
  const windowUs = slowStart.windowMs * MICROS_PER_MILLI;
  const since: Micros[] = [];
  const growing: { readonly address: string; readonly sinceUs: Micros }[] = [];
  for (const { host } of upstream.priorities.hosts()) {
    if (host.health !== 'healthy') continue;
    const sinceUs = host.lastHealthCheckPassUs ?? -Infinity;
    since.push(sinceUs);
    if (nowUs - sinceUs < windowUs) growing.push({ address: host.address, sinceUs });
  }
  const [newest] = growing.sort((a, b) => b.sinceUs - a.sinceUs);
  if (newest === undefined || (growing.length === since.length && new Set(since).size === 1)) return [];
  const part = (atUs: Micros): number =>
    slowStartPart(slowStart, proxy.runtime, Math.floor((atUs - newest.sinceUs) / MICROS_PER_MILLI));
  const fullUs = newest.sinceUs + windowUs;
  const halfUs = nowUs + (fullUs - nowUs) / 2;
  return [
    {
      kind: 'slow_start',
      hosts: growing.length,
      newest: newest.address,
      part: part(nowUs),
      half_part: part(halfUs),
      half_s: microsToSeconds(Math.round(halfUs)),
      full_s: microsToSeconds(Math.round(fullUs)),
    },
  ];
}
