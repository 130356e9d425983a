import { EventKind } from '../core/event-queue.js';
import type { Connection } from '../upstream/connection-pool.js';
import type { ClusterWorld } from './cluster-world.js';
import type { World } from './world.js';

const DEFAULT_CONNECT_TIMEOUT_US = 5_000_000;

/** Makes connections to the hosts of one cluster: how long it takes, and whether it comes off, is the host's doing. */
export class Connector {
  private readonly timeoutUs: number;

  constructor(
    private readonly world: World,
    private readonly cluster: ClusterWorld,
  ) {
    this.timeoutUs = cluster.config.connectTimeout ?? DEFAULT_CONNECT_TIMEOUT_US;
  }

  connect(connection: Connection): void {
    const { world } = this;
    connection.sinceUs = world.nowUs;
    const row = connection.pool.host.index;
    // A logical host moves on, its connections stay where they were made.
    if (this.cluster.type === 'LOGICAL_DNS') connection.row = row;
    const server = world.servers.at(this.cluster.serverOfRow(row));
    const takesUs = server.drawConnectUs();
    if (takesUs > this.timeoutUs) {
      this.later(this.timeoutUs, () => connection.pool.connectFailed(connection, 'connect-timeout'));
      return;
    }
    const refused = server.drawConnectFailure();
    this.later(takesUs, () => {
      // A host that went down meanwhile refuses too.
      if (refused || server.behavior.down === 'refuse') connection.pool.connectFailed(connection, 'connect-failure');
      else connection.pool.connected(connection);
    });
  }

  private later(delayUs: number, callback: () => void): void {
    this.world.timers.at(this.world.nowUs + Math.floor(delayUs), callback, EventKind.connected);
  }
}
