import type { Runtime } from '../core/environment.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import type { HostSet } from '../hostset/host-set.js';
import type { ZoneAwareConfig } from '../hostset/lb-config.js';
import { LbStats } from '../hostset/lb-stats.js';
import * as zones from '../hostset/zone-aware.js';

export type ZoneRule = ReturnType<typeof zoneRule>;

/**
 * How zones affect the requests of priority 0. `split`: portions by index of the upstream's localities, which sum to 1; undefined: zones
 * play no part.
 *
 * @param upstream undefined: nothing was delivered yet.
 * @param local    priority 0 of the local cluster.
 * @param runtime  as of the last delivery.
 */
export function zoneRule(
  upstream: HostSet | undefined,
  local: HostSet | undefined,
  config: ZoneAwareConfig,
  runtime: Runtime,
  version: ProxyVersion,
) {
  const sizes = zones.zoneSizes({ config, version, runtime });
  if (upstream === undefined) return { split: undefined, finding: zones.NOT_COMPUTED, sizes };
  const finding = zones.computeZoneRouting({ upstream, local, config, version, runtime, stats: new LbStats() });
  return { split: splitOf(finding, upstream.localities.length, version), finding, sizes };
}

function splitOf(routing: zones.ZoneRouting, localities: number, version: ProxyVersion): number[] | undefined {
  if (routing.state === 'none') return undefined;
  const indices = Array.from({ length: localities }, (_, index) => index);
  if (routing.state === 'direct') return indices.map((index) => (index === 0 ? 1 : 0));
  const { residualCapacity } = routing;
  const kept = routing.localPercentToRoute / zones.SHARES_OF_ZONES;
  const sum = residualCapacity[localities - 1] ?? 0;
  // Of `sum` equally likely values t = 0, 1 …, those up to each edge; v2-era proxies include the edge itself, which gives t
  // = 0 to the first locality and moves every edge up by one.
  const upTo = quirksOf(version).zoneEdgesAreSharp
    ? residualCapacity
    : residualCapacity.map((edge) => Math.min(sum, edge + 1));
  return indices.map((index) => {
    const cross = sum === 0 ? 1 / localities : ((upTo[index] ?? 0) - (index === 0 ? 0 : (upTo[index - 1] ?? 0))) / sum;
    return (index === 0 ? kept : 0) + (1 - kept) * cross;
  });
}
