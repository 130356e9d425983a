import type { Host } from '../host/host.js';
import type { PhaseView, RowStates, RowStatesWriter } from '../result/phases.js';
import { NO_ROWS } from '../result/phases.js';
import type { ProxyCluster } from './proxy-cluster.js';

/** What the balancers of `cluster` see at this moment; the first worker's stands for all of them. */
export function viewOf(cluster: ProxyCluster, writer: RowStatesWriter): Omit<PhaseView, 'reasons'> {
  if (!cluster.world.present) {
    return { states: NO_ROWS, priorities: [] };
  }
  const description = cluster.balancerOf(0).describe();
  return {
    states: statesOf(cluster, writer),
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
function statesOf({ world, upstream }: ProxyCluster, writer: RowStatesWriter): RowStates {
  const known = world.rows.rows;
  writer.begin(known.length);
  for (const hosts of upstream.hostsByPriority()) {
    for (let at = 0; at < hosts.length; at++) {
      const host = hosts[at] as Host;
      const { index, weight, health } = host;
      const row = known[index];
      if (row !== undefined) {
        row.weight = weight;
        row.health = health;
        row.transportSocket = host.transportSocket;
      }
      writer.add(index, weight, health);
    }
  }
  return writer.end(world.log.current.states);
}
