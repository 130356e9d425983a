import type { Host } from '../host/host.js';
import type { RunEvent } from '../result/event-log.js';
import type { RequestSpec } from '../scenario/model.js';
import type { CircuitBreakerLimit } from '../upstream/circuit-breaker.js';
import type { ClusterWorld } from './cluster-world.js';
import { listedHosts } from './host-events.js';
import type { Proxy } from './proxy.js';
import type { World } from './world.js';

/** A priority has come to panic, or is out of it. */
export function logPanic(world: World, proxy: Proxy, cluster: ClusterWorld): void {
  if (cluster.type === 'ORIGINAL_DST') return;
  const inProxy = proxy.clusters[cluster.index];
  // The main thread's balancer sees what the workers see.
  const priorities = inProxy?.upstream.balancers[0]?.describe().priorities ?? [];
  for (const { priority, panic, healthy, degraded, hosts } of priorities) {
    if (inProxy?.setPanic(priority, panic) !== true) continue;
    const where = priorities.length > 1 ? ` in priority ${priority}` : '';
    const text = panic
      ? `panic${where}: ${healthy + degraded} of ${hosts} hosts available`
      : `no panic any more${where}: ${healthy + degraded} of ${hosts} hosts available`;
    world.log({ kind: 'panic', cluster: cluster.name, proxy: proxy.name, text });
  }
}

/** Hosts joined or left. */
export function logMembers(
  world: World,
  proxy: Proxy,
  cluster: ClusterWorld,
  added: readonly Host[],
  removed: readonly Host[],
): void {
  // What asked for them, or the answer that named them, says it already.
  if (!cluster.isAssigned) return;
  const changes = [
    [added, 'joined'],
    [removed, 'left'],
  ] as const;
  for (const [hosts, what] of changes) {
    if (hosts.length === 0) continue;
    const text = `${listedHosts(hosts)} ${what}`;
    world.log({ kind: 'membership', cluster: cluster.name, proxy: proxy.name, text });
  }
}

/** A limit of a circuit breaker is reached, or no more. */
export function logLimit(
  world: World,
  proxy: Proxy,
  cluster: ClusterWorld,
  priority: RequestSpec['priority'],
  limit: CircuitBreakerLimit,
  reached: boolean,
): void {
  const text = priority === 'DEFAULT' ? `${limit} reached` : `${limit} of high priority reached`;
  const event: RunEvent = { kind: 'circuit_breaker', cluster: cluster.name, proxy: proxy.name, text };
  if (reached) world.events.add(event, world.nowUs);
  else world.events.ended(event, world.nowUs);
}
