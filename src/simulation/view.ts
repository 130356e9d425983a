import type { Health } from '../host/host.js';
import type { PhaseView, RowStates } from '../result/phases.js';
import { NO_ROWS } from '../result/phases.js';
import type { ProxyCluster } from './proxy-cluster.js';

/** What the balancers of `cluster` see at this moment; the first worker's stands for all of them. */
export function viewOf(cluster: ProxyCluster): Omit<PhaseView, 'reasons'> {
  if (!cluster.world.present) {
    return { states: NO_ROWS, priorities: [] };
  }
  const description = cluster.balancerOf(0).describe();
  return {
    states: statesOf(cluster),
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

/** Rows learn how their hosts are. Of hosts that have one row the first is shown. */
function statesOf(cluster: ProxyCluster): RowStates {
  const known = cluster.world.rows.rows;
  const rows = new Uint32Array(known.length);
  const weights = new Float64Array(known.length);
  const healths: Health[] = [];
  const seen = new Uint8Array(known.length);
  let count = 0;
  for (const hosts of cluster.upstream.hostsByPriority()) {
    for (const host of hosts) {
      const { index, weight, health } = host;
      const row = known[index];
      if (row !== undefined) {
        row.weight = weight;
        row.health = health;
        row.transportSocket = host.transportSocket;
      }
      if (seen[index] === 1) continue;
      seen[index] = 1;
      rows[count] = index;
      weights[count++] = weight;
      healths.push(health);
    }
  }
  return { rows: rows.subarray(0, count), weights: weights.subarray(0, count), healths };
}
