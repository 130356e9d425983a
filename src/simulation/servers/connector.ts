import type { Micros } from '../../core/units.js';
import type { Connection, PoolEvents } from '../../upstream/connection-pool.js';
import type { ClusterHistograms } from '../stats/cluster-histograms.js';
import type { ClusterWorld, Environment } from '../environment.js';
import { EventKind } from '../timers.js';

/**
 * A worker handles this many requests of one instant before its connections: connections without a delay find all of a
 * small burst waiting, but not all of a large one.
 */
const CONNECTS_PER_TURN = 512;

type Events = Required<PoolEvents>;

/** Duration and success depend on the host's behaviour. */
export class Connector implements PoolEvents {
  private turnUs = -1;
  private connectsThisTurn = 0;

  /** @param cluster whose histograms count connections. */
  constructor(
    private readonly env: Environment,
    private readonly cluster: { readonly world: ClusterWorld; readonly histograms: ClusterHistograms },
    private readonly timeoutUs: Micros,
  ) {}

  connect(connection: Connection): void {
    const { env } = this;
    const { world } = this.cluster;
    connection.sinceUs = env.nowUs;
    const row = connection.pool.host.index;
    // A logical host changes its address, its connections stay where they were made.
    if (world.type === 'LOGICAL_DNS') connection.row = row;
    const server = world.serverOf(row);
    const takesUs = server.drawConnectUs();
    if (takesUs > this.timeoutUs) {
      this.soon(this.timeoutUs, () => connection.pool.connectFailed(connection, 'connect-timeout'));
      return;
    }
    const refused = server.drawConnectFailure();
    this.soon(takesUs, () => {
      // A host that went down in the meantime refuses too.
      if (refused || server.behavior.down === 'refuse') connection.pool.connectFailed(connection, 'connect-failure');
      else connection.pool.connected(connection);
    });
  }

  readonly connected: Events['connected'] = ({ sinceUs }) =>
    this.cluster.histograms.record('upstream_cx_connect_ms', this.env.nowUs - sinceUs);
  readonly closed: Events['closed'] = ({ sinceUs, taken }, made) =>
    this.cluster.histograms.connectionClosed(this.env.nowUs - sinceUs, made ? taken : undefined);
  readonly ready: Events['ready'] = (request, connection) => this.env.onConnectionReady(request, connection);
  readonly refused: Events['refused'] = (request, why) => this.env.onConnectionRefused(request, why);
  readonly later: Events['later'] = (callback) => this.env.timers.at(this.env.nowUs, callback, EventKind.connected);
  readonly after: Events['after'] = (delayUs, callback) => this.env.timers.at(this.env.nowUs + delayUs, callback);

  get nowUs(): Micros {
    return this.env.nowUs;
  }

  private soon(delayUs: number, callback: () => void): void {
    const { nowUs, timers } = this.env;
    if (nowUs !== this.turnUs) {
      this.turnUs = nowUs;
      this.connectsThisTurn = 0;
    }
    const isLater = this.connectsThisTurn++ < CONNECTS_PER_TURN || delayUs >= 1;
    timers.at(nowUs + Math.floor(delayUs), callback, isLater ? EventKind.connected : EventKind.timer);
  }
}
