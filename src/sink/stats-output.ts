import { ipOf, portOf } from '../core/ip.js';
import { printable } from '../core/printable.js';
import type { Problem } from '../core/problem.js';
import type { Sink } from '../settings/statistics.js';
import type { Proxy } from '../simulation/proxy.js';
import type { Simulation } from '../words/library.js';
import type { ProxyFlush, StatsObserver } from '../simulation/stats/stats-feed.js';
import { prometheusText } from '../stats/prometheus.js';
import { flushLines, sampleLine, type StatsdFormat } from '../stats/statsd.js';
import type { Stat, StatsSnapshot } from '../stats/store.js';
import type { Scenario } from '../scenario/model.js';
import { type LineKind, type LineSender, TcpSender, type TcpTarget, UdpSender } from './senders.js';

export interface StatsOutputOptions {
  /** Send over the network. */
  readonly sinks: boolean;
  /** Called with the lines of a statistics file; undefined: there is none. */
  readonly write: ((text: string) => void) | undefined;
  /** For pauses between attempts to connect and the pace of datagrams. */
  readonly monotonicMs: () => number;
}

/** One statsd sink of one proxy. */
interface Outlet {
  readonly proxy: string;
  readonly format: StatsdFormat;
  /** In a statistics file: `statsd`, `tagged_statsd-2`. */
  readonly name: string;
  readonly sender: LineSender | undefined;
}

/** Sent and dropped lines of one sink. */
export interface SinkReport extends Pick<LineSender, 'target' | 'sent' | 'dropped' | 'problem'> {
  readonly proxy: string;
}

type NetworkSink = Exclude<Sink, { readonly kind: 'dashboard' | 'foreign' }>;

function sends(sink: Sink): sink is NetworkSink {
  return sink.kind !== 'dashboard' && sink.kind !== 'foreign';
}

/** Whether the scenario names a sink that sends over a network. */
export function hasNetworkSinks(scenario: Scenario): boolean {
  return scenario.proxies.some(({ statsSinks }) => statsSinks.some(({ sink }) => sends(sink)));
}

/** The scenario's sinks that cannot work on any network. */
export function sinkProblems(scenario: Scenario): readonly Pick<Problem, 'path' | 'message'>[] {
  return scenario.proxies.flatMap(({ statsSinks }, index) =>
    statsSinks.flatMap(({ sink }, at) => {
      const address = sends(sink) ? sink.address : undefined;
      const path = `proxies[${index}].stats_sinks[${at}]`;
      if (address?.pipe !== undefined) {
        const message = `not supported yet: a Unix domain socket (${address.pipe.path}) as the address of a sink`;
        return [{ path, message }];
      }
      if (address?.socketAddress?.portValue !== 0) return [];
      return [{ path, message: `port 0 of ${address.socketAddress.address}: nothing can be sent to it` }];
    }),
  );
}

/** Sends the statistics of a run to its statsd sinks and into files. */
export class StatsOutput implements StatsObserver {
  private readonly snapshots: (StatsSnapshot | undefined)[] = [];
  private outlets: readonly (readonly Outlet[])[] = [];
  private names: readonly string[] = [];

  constructor(private readonly options: StatsOutputOptions) {}

  /** Before the run begins. */
  attach(simulation: Simulation): void {
    this.names = simulation.proxies.map((proxy) => proxy.name);
    this.outlets = simulation.proxies.map((proxy) => {
      const configured = proxy.spec.statsSinks.flatMap(({ sink }, index) => this.outletOf(proxy, sink, index));
      // A file works without a sink: it shows what one would get.
      const wanted = configured.length > 0 || this.options.write === undefined;
      const file = { proxy: proxy.name, format: { prefix: '', tagged: false }, name: 'statsd', sender: undefined };
      return wanted ? configured : [file];
    });
  }

  /** Connects within a second; unreachable sinks are reported, and the run goes on without them. */
  async open(): Promise<readonly SinkReport[]> {
    await Promise.all(this.senders().map(({ sender }) => sender.open()));
    return this.reports().filter(({ problem }) => problem !== undefined);
  }

  readonly onFlush = ({ proxy, snapshot }: ProxyFlush): void => {
    this.snapshots[proxy] = snapshot;
    for (const outlet of this.outlets[proxy] ?? []) {
      this.emit(outlet, flushLines(outlet.format, snapshot), snapshot.timeUs, 'flush');
    }
  };

  readonly onSample = (proxy: number, stat: Stat, value: number, timeUs: number): void => {
    for (const outlet of this.outlets[proxy] ?? []) {
      this.emit(outlet, [sampleLine(outlet.format, stat, value)], timeUs, 'sample');
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

  /** Waits a moment for pending lines. */
  async close(): Promise<readonly SinkReport[]> {
    await Promise.all(this.senders().map(({ sender }) => sender.close()));
    return this.reports();
  }

  private senders(): { readonly proxy: string; readonly sender: LineSender }[] {
    return this.outlets.flat().flatMap(({ proxy, sender }) => (sender === undefined ? [] : [{ proxy, sender }]));
  }

  private reports(): SinkReport[] {
    return this.senders().map(({ proxy, sender }) => {
      const { target, sent, dropped, problem } = sender;
      return { proxy, target, sent, dropped, problem };
    });
  }

  private emit({ proxy, name, sender }: Outlet, lines: readonly string[], timeUs: number, kind: LineKind): void {
    sender?.send(lines, kind);
    const { write } = this.options;
    if (write === undefined) return;
    const start = `${(timeUs / 1e6).toFixed(6)}\t${printable(proxy)}\t${name}\t`;
    // Receivers get lines unchanged; in a file they must be printable.
    for (const line of lines) write(`${start}${printable(line)}\n`);
  }

  private outletOf(proxy: Proxy, sink: Sink, index: number): Outlet[] {
    if (!sends(sink)) return [];
    const format = { prefix: sink.prefix, tagged: sink.kind === 'tagged_statsd' };
    // A second sink of a proxy is numbered.
    const name = index === 0 ? sink.kind : `${sink.kind}-${index + 1}`;
    return [{ proxy: proxy.name, format, name, sender: this.options.sinks ? this.senderOf(proxy, sink) : undefined }];
  }

  private senderOf(proxy: Proxy, sink: NetworkSink): LineSender | undefined {
    if (sink.kind === 'statsd' && sink.tcpClusterName !== undefined) {
      const name = sink.tcpClusterName;
      return new TcpSender(name, () => targetsOf(proxy, name), this.options.monotonicMs);
    }
    const socket = sink.address?.socketAddress;
    return socket === undefined
      ? undefined
      : new UdpSender(socket.address, socket.portValue ?? 0, this.options.monotonicMs);
  }
}

function targetsOf(proxy: Proxy, cluster: string): readonly TcpTarget[] {
  const hosts = proxy.clusterNamed(cluster)?.upstream.priorities.hosts() ?? [];
  return [...hosts].map(({ host: { address } }) => ({ address: ipOf(address), port: Number(portOf(address)) }));
}
