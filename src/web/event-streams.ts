import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Micros } from '../core/units.js';
import type { ProxySpec } from '../settings/world.js';
import type { ProxyFlush } from '../simulation/stats/stats-feed.js';
import { DashboardWindow } from '../stats/dashboard.js';

export const STREAM_LIMITS = {
  maxStreams: 128,
  /** Bytes that a client of an event stream may leave unread; with more it has `drainMs` to catch up. */
  maxUnreadBytes: 512 * 1024,
  drainMs: 1_000,
};

interface Channel {
  readonly window: DashboardWindow;
  readonly flushIntervalUs: Micros;
  /** The last flush, watched or not. */
  last: ProxyFlush | undefined;
}

/**
 * The dashboards' event streams of all proxies. Every client of a proxy gets the same bytes; its window exists while a
 * client watches. A client that does not read is dropped, so that it costs neither memory nor time.
 */
export class EventStreams {
  private readonly channels: (Channel | undefined)[];
  /** Clients with their channels, in order of arrival. */
  private readonly watchers = new Map<ServerResponse, Channel>();

  /** @param unixUs wall-clock time of the proxies at virtual time 0. */
  constructor(
    proxies: readonly ProxySpec[],
    private readonly limits: Readonly<typeof STREAM_LIMITS>,
    private readonly unixUs: Micros,
  ) {
    this.channels = proxies.map((spec) => {
      // The first of several dashboard sinks is served.
      const sink = spec.statsSinks.map((entry) => entry.sink).find(({ kind }) => kind === 'dashboard');
      if (sink?.kind !== 'dashboard') return undefined;
      const flushIntervalUs = spec.statsFlushIntervalUs;
      const window = new DashboardWindow({ numBuckets: Number(sink.numBuckets), flushIntervalUs });
      return { window, flushIntervalUs, last: undefined };
    });
  }

  /** The proxy has a dashboard sink. */
  has(proxy: number): boolean {
    return this.channels[proxy] !== undefined;
  }

  watching(proxy: number): number {
    return this.clientsOf(this.channels[proxy]).length;
  }

  /**
   * Adds a client whose head has been written. The first event comes with the next flush. If there are too many clients,
   * the one with most unread data is dropped, or the oldest: dashboards reconnect by themselves.
   */
  add(proxy: number, client: ServerResponse): void {
    const channel = this.channels[proxy];
    if (channel === undefined) return;
    if (this.watchers.size >= this.limits.maxStreams) this.dropOne();
    this.watchers.set(client, channel);
    client.on('error', () => client.destroy());
    client.on('close', () => this.forget(client));
  }

  private clientsOf(channel: Channel | undefined): readonly ServerResponse[] {
    return [...this.watchers].flatMap(([client, own]) => (own === channel ? [client] : []));
  }

  private forget(client: ServerResponse): void {
    const channel = this.watchers.get(client);
    this.watchers.delete(client);
    if (this.clientsOf(channel).length === 0) channel?.window.clear();
  }

  private dropOne(): void {
    const [found] = [...this.watchers.keys()].sort((a, b) => b.writableLength - a.writableLength);
    if (found === undefined) return;
    this.forget(found);
    found.destroy();
  }

  readonly onFlush = (flush: ProxyFlush): void => {
    const channel = this.channels[flush.proxy];
    if (channel === undefined) return;
    channel.last = flush;
    const clients = this.clientsOf(channel);
    if (clients.length > 0) send(clients, channel.window.flush(flush.dashboard(), this.unixUs + flush.snapshot.timeUs));
  };

  /** A flush of idle proxies after the run: counters stay, the window moves on. @param times this flush included. */
  flushIdle(proxy: number, times: number): void {
    const channel = this.channels[proxy];
    const watching = this.clientsOf(channel);
    if (channel?.last === undefined || watching.length === 0) return;
    const { last, window, flushIntervalUs } = channel;
    const clusters = last.dashboard().map((cluster) => ({ ...cluster, times: undefined }));
    send(watching, window.flush(clusters, this.unixUs + last.snapshot.timeUs + times * flushIntervalUs));
  }

  /** The proxies restart: their counters are 0. */
  restart(): void {
    for (const channel of this.channels) channel?.window.clear();
  }

  /** Resolves once no client has too much unread data; clients that do not read within a moment are dropped. */
  async settle(): Promise<void> {
    const behind = [...this.watchers.keys()].filter((client) => client.writableLength > this.limits.maxUnreadBytes);
    await Promise.all(behind.map((client) => drained(client, this.limits.drainMs)));
  }

  close(): void {
    for (const client of [...this.watchers.keys()]) client.end();
  }
}

function send(clients: readonly ServerResponse[], text: string): void {
  for (const client of clients) client.write(text);
}

/** A client that has not caught up in time is cut off. */
async function drained(client: ServerResponse, drainMs: number): Promise<void> {
  const over = { signal: AbortSignal.timeout(drainMs) };
  await Promise.race([once(client, 'drain', over), once(client, 'close', over)]).catch(() => client.destroy());
}
