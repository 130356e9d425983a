import { ipOf, portOf } from '../../core/ip.js';
import { printable } from '../../core/printable.js';
import { fileProblem } from '../../core/problem.js';
import type { Scenario } from '../../scenario/model.js';
import type { Sink } from '../../settings/world.js';
import type { Proxy } from '../../simulation/proxy.js';
import type { ProxyFlush, StatsObserver } from '../../simulation/stats/stats-feed.js';
import { type LineKind, type LineSender, TcpSender, type TcpTarget, UdpSender } from '../../sink/senders.js';
import { prometheusText } from '../../stats/prometheus.js';
import { flushLines, statsdLine, type StatsdFormat } from '../../stats/statsd.js';
import type { Stat, StatsSnapshot } from '../../stats/store.js';
import type { Simulation } from '../../words/library.js';
import { InputError, type Session } from '../session.js';
import type { OutputFile, OutputFiles } from '../output/output-files.js';
import type { RunOptions } from '../program/generated/commands.js';

/** The lines of a file; those of a slice of the run are written before the next slice. */
export class PendingLines {
  private pending: string[] = [];

  constructor(private readonly output: OutputFile) {}

  add(lines: string): void {
    this.pending.push(lines);
  }

  async flush(): Promise<void> {
    if (this.pending.length === 0) return;
    const text = this.pending.join('');
    this.pending = [];
    await this.output.write(text);
  }

  async close(): Promise<void> {
    await this.flush();
    await this.output.close();
  }
}

interface Outlet {
  readonly proxy: string;
  readonly format: StatsdFormat;
  /** In a statistics file: `statsd`, `tagged_statsd-2`. */
  readonly name: string;
  readonly sender: LineSender | undefined;
}

type NetworkSink = Exclude<Sink, { readonly kind: 'dashboard' | 'foreign' }>;

const sends = (sink: Sink): sink is NetworkSink => sink.kind !== 'dashboard' && sink.kind !== 'foreign';

/** @throws InputError if a sink that lines are to be sent to can work on no network. */
export function refuseDeadSinks({ sinks = false }: Pick<RunOptions, 'sinks'>, scenario: Scenario, file: string): void {
  if (!sinks) return;
  const problems = scenario.proxies.flatMap(({ statsSinks }, index) =>
    statsSinks.flatMap(({ sink }, at) => {
      const { pipe, socketAddress } = (sends(sink) ? sink.address : undefined) ?? {};
      const message =
        pipe !== undefined
          ? `not supported yet: a Unix domain socket (${pipe.path}) as the address of a sink`
          : `port 0 of ${socketAddress?.address ?? ''}: nothing can be sent to it`;
      if (pipe === undefined && socketAddress?.portValue !== 0) return [];
      return [{ ...fileProblem(file, 'sink', message), path: `proxies[${index}].stats_sinks[${at}]` }];
    }),
  );
  if (problems.length > 0) throw new InputError(problems);
}

/** Outputs of a run's statistics besides its report: its statsd sinks, and files. */
export class RunStats {
  /** Observer of the run's statistics; undefined where they are not needed, so that they cost nothing. */
  readonly output: Required<StatsObserver> | undefined;

  private readonly sends: boolean;
  private readonly lines: PendingLines | undefined;
  private readonly prometheusFile: OutputFile | undefined;
  private readonly hasSinks: boolean;
  private readonly snapshots: (StatsSnapshot | undefined)[] = [];
  private outlets: readonly (readonly Outlet[])[] = [];
  private names: readonly string[] = [];
  private sendersClosed = false;

  /** @param files those of `--stats-file` and `--prometheus`, if they were given. */
  constructor(
    { sinks = false }: Pick<RunOptions, 'sinks'>,
    scenario: Scenario,
    files: OutputFiles,
    private readonly session: Session,
  ) {
    this.sends = sinks;
    this.hasSinks = scenario.proxies.some(({ statsSinks }) => statsSinks.some(({ sink }) => sends(sink)));
    const statsFile = files.get('--stats-file');
    this.lines = statsFile && new PendingLines(statsFile);
    this.prometheusFile = files.get('--prometheus');
    if (!sinks && this.lines === undefined && this.prometheusFile === undefined) return;
    this.output = { onFlush: (flush) => this.onFlush(flush), onSample: (...sample) => this.onSample(...sample) };
  }

  /** Connects to the sinks within a second; an unreachable one is reported before the run starts, which does not wait for it. */
  async start(simulation: Simulation): Promise<void> {
    if (this.output === undefined) return;
    this.names = simulation.proxies.map((proxy) => proxy.name);
    this.outlets = simulation.proxies.map((proxy) => {
      const configured = proxy.spec.statsSinks.flatMap(({ sink }, index) => this.outletOf(proxy, sink, index));
      // A file works without a sink: it shows what one would get.
      const wanted = configured.length > 0 || this.lines === undefined;
      const file = { proxy: proxy.name, format: { prefix: '', tagged: false }, name: 'statsd', sender: undefined };
      return wanted ? configured : [file];
    });
    await Promise.all(this.senders().map(({ sender }) => sender.open()));
    for (const { sender, proxy } of this.senders()) {
      const { target, problem } = sender;
      if (problem !== undefined)
        await this.say(`sink ${target} of ${proxy}: ${problem}; its lines are dropped until that changes`);
    }
  }

  async flush(): Promise<void> {
    await this.lines?.flush();
  }

  async finish(): Promise<void> {
    await this.lines?.close();
    await this.prometheusFile?.write(this.prometheus());
    await this.prometheusFile?.close();
  }

  /** Closes the sinks and reports sent and dropped lines. */
  async report(): Promise<void> {
    if (await this.closeSenders()) {
      for (const { proxy, sender } of this.senders()) {
        const { target, sent, dropped, problem } = sender;
        const lost = dropped === 0 ? '' : `, ${dropped} dropped${problem === undefined ? '' : ` (${problem})`}`;
        await this.say(`sink ${target} of ${proxy}: ${sent} lines sent${lost}`);
      }
    }
    if (this.sends && !this.hasSinks)
      await this.say('--sinks: the scenario has no stats_sinks that send; nothing was sent.');
    if (!this.sends && this.hasSinks)
      await this.say('nothing was sent to the stats sinks; --sinks sends, --stats-file writes.');
  }

  /** In any case no socket stays open. Waits a moment for pending lines. @returns false where they were closed before. */
  async closeSenders(): Promise<boolean> {
    if (this.sendersClosed) return false;
    this.sendersClosed = true;
    await Promise.all(this.senders().map(({ sender }) => sender.close()));
    return true;
  }

  private onFlush({ proxy, snapshot }: ProxyFlush): void {
    this.snapshots[proxy] = snapshot;
    for (const outlet of this.outlets[proxy] ?? [])
      this.emit(outlet, flushLines(outlet.format, snapshot), snapshot.timeUs, 'flush');
  }

  private onSample(proxy: number, stat: Stat, value: number, timeUs: number): void {
    for (const outlet of this.outlets[proxy] ?? [])
      this.emit(outlet, [statsdLine(outlet.format, stat, value, 'ms')], timeUs, 'sample');
  }

  /** The last flush of every proxy in Prometheus' text format. */
  private prometheus(): string {
    return prometheusText(
      this.snapshots.flatMap((snapshot, index) => {
        if (snapshot === undefined) return [];
        return [{ snapshot, labels: this.names.length > 1 ? [{ name: 'proxy', value: this.names[index] ?? '' }] : [] }];
      }),
    );
  }

  private senders(): { readonly proxy: string; readonly sender: LineSender }[] {
    return this.outlets.flat().flatMap(({ proxy, sender }) => (sender === undefined ? [] : [{ proxy, sender }]));
  }

  private emit({ proxy, name, sender }: Outlet, lines: readonly string[], timeUs: number, kind: LineKind): void {
    sender?.send(lines, kind);
    if (this.lines === undefined) return;
    const start = `${(timeUs / 1e6).toFixed(6)}\t${printable(proxy)}\t${name}\t`;
    // Receivers get lines unchanged; in a file they must be printable.
    for (const line of lines) this.lines.add(`${start}${printable(line)}\n`);
  }

  private outletOf(proxy: Proxy, sink: Sink, index: number): Outlet[] {
    if (!sends(sink)) return [];
    const format = { prefix: sink.prefix, tagged: sink.kind === 'tagged_statsd' };
    // A second sink of a proxy is numbered.
    const name = index === 0 ? sink.kind : `${sink.kind}-${index + 1}`;
    return [{ proxy: proxy.name, format, name, sender: this.sends ? this.senderOf(proxy, sink) : undefined }];
  }

  private senderOf(proxy: Proxy, sink: NetworkSink): LineSender | undefined {
    if (sink.kind === 'statsd' && sink.tcpClusterName !== undefined) {
      const name = sink.tcpClusterName;
      const targets = (): readonly TcpTarget[] =>
        Array.from(proxy.clusterNamed(name)?.upstream.priorities.hosts() ?? [], ({ host: { address } }) => ({
          address: ipOf(address),
          port: Number(portOf(address)),
        }));
      return new TcpSender(name, targets, this.session.io.monotonicMs);
    }
    const socket = sink.address?.socketAddress;
    return socket === undefined
      ? undefined
      : new UdpSender(socket.address, socket.portValue ?? 0, this.session.io.monotonicMs);
  }

  private say(text: string): Promise<void> {
    return this.session.err.write(`lbsim: ${printable(text)}\n`);
  }
}
