import { type Micros, MICROS_PER_MILLI, microsToSeconds } from '../core/units.js';
import { counted, decimal, seconds } from '../core/words.js';
import { slowStartPart } from '../policy/slow-start.js';
import type { ProxyCluster } from './proxy-cluster.js';

/**
 * The hosts in slow start at this moment, and their part of the weight over time. If all hosts started together, slow start
 * changes no share.
 */
export function slowStartReason({ lb, upstream, proxy }: ProxyCluster, nowUs: Micros): string[] {
  const { slowStart } = lb;
  if (slowStart === undefined || !(slowStart.windowMs > 0)) return [];
  const windowUs = slowStart.windowMs * MICROS_PER_MILLI;
  const since: Micros[] = [];
  const growing: { readonly address: string; readonly sinceUs: Micros }[] = [];
  for (const { host } of upstream.priorities.hosts()) {
    if (host.health !== 'healthy') continue;
    const sinceUs = host.lastHealthCheckPassUs ?? -Infinity;
    since.push(sinceUs);
    if (nowUs - sinceUs < windowUs) growing.push({ address: host.address, sinceUs });
  }
  const [newest, ...others] = growing.sort((a, b) => b.sinceUs - a.sinceUs);
  if (newest === undefined || (growing.length === since.length && new Set(since).size === 1)) return [];
  const part = (atUs: Micros): string => {
    const healthyMs = Math.floor((atUs - newest.sinceUs) / MICROS_PER_MILLI);
    return `${decimal(100 * slowStartPart(slowStart, proxy.runtime, healthyMs), 1)} %`;
  };
  const fullUs = newest.sinceUs + windowUs;
  const halfUs = nowUs + (fullUs - nowUs) / 2;
  const { address } = newest;
  const who = others.length === 0 ? address : `${counted(growing.length, 'host')} grow; the newest, ${address},`;
  const [half, full] = [halfUs, fullUs].map((us) => seconds(microsToSeconds(Math.round(us))));
  const course = `${part(nowUs)} of its weight, ${part(halfUs)} at ${half ?? ''}, all of it from ${full ?? ''}`;
  return [`slow start: ${who} counts ${course}`];
}
