import type { PhaseView, RowState } from '../result/phases.js';
import type { ProxyCluster } from './proxy-cluster.js';

/** What the balancers of `cluster` see at this moment; the first worker's stands for all of them. */
export function viewOf(cluster: ProxyCluster): Omit<PhaseView, 'reasons'> {
  if (!cluster.world.present) {
    return { rows: [], priorities: [] };
  }
  const rows: RowState[] = [];
  const seen = new Set<number>();
  for (const { host } of cluster.upstream.hosts()) {
    const row = cluster.world.rows.rows[host.index];
    if (row !== undefined) {
      row.weight = host.weight;
      row.health = host.health;
      row.transportSocket = host.transportSocket;
    }
    if (seen.has(host.index)) continue;
    seen.add(host.index);
    rows.push({ row: host.index, weight: host.weight, health: host.health });
  }
  const description = cluster.balancerOf(0).describe();
  return {
    rows,
    priorities: description.priorities.map((priority) => ({
      priority: priority.priority,
      healthyLoad: priority.healthyLoad,
      degradedLoad: priority.degradedLoad,
      panic: priority.panic,
      healthy: priority.healthy,
      degraded: priority.degraded,
      total: priority.hosts,
    })),
  };
}
