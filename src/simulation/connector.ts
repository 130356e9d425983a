import { defaultOf } from '../config/defaults.js';
import { EventKind } from '../core/event-queue.js';
import type { Connection } from '../upstream/connection-pool.js';
import type { ClusterWorld } from './cluster-world.js';
import type { World } from './world.js';

const DEFAULT_CONNECT_TIMEOUT_US = defaultOf('Cluster', 'connect_timeout');

/**
 * A worker takes in so many requests of one instant before it looks after its connections: those that are made in no time
 * find all of a small burst waiting, but not all of a large one.
 */
const CONNECTS_PER_TURN = 512;

/** Makes connections to the hosts of one cluster: how long it takes, and whether it comes off, is the host's doing. */
export class Connector {
  private readonly timeoutUs: number;
  private turnUs = -1;
  private connectsThisTurn = 0;

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
    const { nowUs, timers } = this.world;
    if (nowUs !== this.turnUs) {
      this.turnUs = nowUs;
      this.connectsThisTurn = 0;
    }
    const isLater = this.connectsThisTurn++ < CONNECTS_PER_TURN || delayUs >= 1;
    timers.at(nowUs + Math.floor(delayUs), callback, isLater ? EventKind.connected : EventKind.timer);
  }
}
