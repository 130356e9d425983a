import type { Sink } from '../config/types.js';
import type { Simulation } from '../simulation/simulation.js';
import type { ProxyFlush, StatsObserver } from '../simulation/stats-feed.js';
import { prometheusText } from '../stats/prometheus.js';
import type { StatsdFormat } from '../stats/statsd.js';
import { flushLines, sampleLine } from '../stats/statsd.js';
import type { Stat, StatsSnapshot } from '../stats/store.js';
import type { Scenario } from '../scenario/model.js';
import type { LineSender } from './line-sender.js';
import type { TcpTarget } from './tcp-sender.js';
import { TcpSender } from './tcp-sender.js';
import { UdpSender } from './udp-sender.js';

export interface StatsOutputOptions {
  /** Send over the network. */
  readonly sinks: boolean;
  /** Gets the lines of a statistics file; undefined: nobody wants one. */
  readonly write: ((text: string) => void) | undefined;
  /** For pauses between attempts to connect. */
  readonly monotonicMs: () => number;
}

/** One statsd sink of one proxy. */
interface Outlet {
  readonly format: StatsdFormat;
  /** In a statistics file. */
  readonly name: string;
  readonly sender: LineSender | undefined;
}

/** What became of the lines of one sink. */
export interface SinkReport {
  readonly proxy: string;
  readonly target: string;
  readonly sent: number;
  readonly dropped: number;
  readonly problem: string | undefined;
}

/** Whether the scenario names a sink that sends over a network. */
export function hasNetworkSinks(scenario: Scenario): boolean {
  return scenario.proxies.some(({ statsSinks }) => statsSinks.some(({ sink }) => sink.kind !== 'dashboard'));
}

/** Takes the statistics of a run to its statsd sinks and into files. */
export class StatsOutput implements StatsObserver {
  private readonly snapshots: (StatsSnapshot | undefined)[] = [];
  private outlets: readonly (readonly Outlet[])[] = [];
  private names: readonly string[] = [];

  constructor(private readonly options: StatsOutputOptions) {}

  /** Before the run begins. */
  attach(simulation: Simulation): void {
    this.names = simulation.proxies.map((proxy) => proxy.name);
    this.outlets = simulation.proxies.map((proxy) => {
      const hostsOf = (cluster: string): readonly TcpTarget[] => {
        const found = proxy.clusters.find(({ name }) => name === cluster);
        return found === undefined ? [] : [...found.upstream.hosts()].map(({ host }) => targetOf(host.address));
      };
      const configured = proxy.spec.statsSinks.flatMap(({ sink }) => this.outletOf(sink, hostsOf));
      // A file can be had without a sink: it shows what one would get.
      const wanted = configured.length > 0 || this.options.write === undefined;
      return wanted ? configured : [{ format: { prefix: '', tagged: false }, name: 'statsd', sender: undefined }];
    });
  }

  readonly onFlush = ({ proxy, snapshot }: ProxyFlush): void => {
    this.snapshots[proxy] = snapshot;
    for (const outlet of this.outlets[proxy] ?? []) {
      this.emit(proxy, outlet, flushLines(outlet.format, snapshot), snapshot.timeUs);
    }
  };

  readonly onSample = (proxy: number, stat: Stat, value: number, timeUs: number): void => {
    for (const outlet of this.outlets[proxy] ?? []) {
      this.emit(proxy, outlet, [sampleLine(outlet.format, stat, value)], timeUs);
    }
  };

  /** The last flush of every proxy in Prometheus' text format. */
  prometheus(): string {
    return prometheusText(
      this.snapshots.flatMap((snapshot, index) => {
        if (snapshot === undefined) return [];
        const several = this.names.length > 1;
        return [{ snapshot, labels: several ? [{ name: 'proxy', value: this.names[index] ?? '' }] : [] }];
      }),
    );
  }

  /** Waits a moment for what is on its way. */
  async close(): Promise<readonly SinkReport[]> {
    const senders = this.outlets.flatMap((outlets, index) =>
      outlets.flatMap(({ sender }) => (sender === undefined ? [] : [{ proxy: this.names[index] ?? '', sender }])),
    );
    await Promise.all(senders.map(({ sender }) => sender.close()));
    return senders.map(({ proxy, sender }) => ({
      proxy,
      target: sender.target,
      sent: sender.sent,
      dropped: sender.dropped,
      problem: sender.problem,
    }));
  }

  private emit(proxy: number, outlet: Outlet, lines: readonly string[], timeUs: number): void {
    outlet.sender?.send(lines);
    const { write } = this.options;
    if (write === undefined) return;
    const start = `${(timeUs / 1e6).toFixed(6)}\t${this.names[proxy] ?? ''}\t${outlet.name}\t`;
    for (const line of lines) write(`${start}${line}\n`);
  }

  private outletOf(sink: Sink, hostsOf: (cluster: string) => readonly TcpTarget[]): Outlet[] {
    if (sink.kind === 'dashboard') return [];
    const format = { prefix: sink.prefix, tagged: sink.kind === 'tagged_statsd' };
    return [{ format, name: sink.kind, sender: this.options.sinks ? this.senderOf(sink, hostsOf) : undefined }];
  }

  private senderOf(
    sink: Exclude<Sink, { readonly kind: 'dashboard' }>,
    hostsOf: (cluster: string) => readonly TcpTarget[],
  ): LineSender | undefined {
    if (sink.kind === 'statsd' && sink.tcpClusterName !== undefined) {
      const name = sink.tcpClusterName;
      return new TcpSender(name, () => hostsOf(name), this.options.monotonicMs);
    }
    const socket = sink.address?.socketAddress;
    return socket === undefined ? undefined : new UdpSender(socket.address, socket.portValue ?? 0);
  }
}

/** `ip:port`, IPv6 in brackets. */
function targetOf(address: string): TcpTarget {
  const colon = address.lastIndexOf(':');
  return { address: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}
