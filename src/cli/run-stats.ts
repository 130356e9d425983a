import type { Scenario } from '../scenario/model.js';
import type { SinkReport } from '../sink/stats-output.js';
import { hasNetworkSinks, StatsOutput } from '../sink/stats-output.js';
import { openOutput } from './decision-sink.js';
import type { Output } from './io.js';
import type { Session } from './session.js';

export interface StatsOptions {
  readonly sinks?: boolean;
  readonly statsFile?: string;
  readonly prometheus?: string;
}

/** Where a run's statistics go besides its report. */
export class RunStats {
  /** Hears of the run's statistics; undefined where nobody wants them, so that they cost nothing. */
  readonly output: StatsOutput | undefined;
  private pending: string[] = [];

  private constructor(
    private readonly session: Session,
    private readonly unsent: boolean,
    private readonly statsFile: Output | undefined,
    private readonly prometheusFile: Output | undefined,
    sinks: boolean,
  ) {
    if (!sinks && statsFile === undefined && prometheusFile === undefined) return;
    this.output = new StatsOutput({
      sinks,
      write: statsFile === undefined ? undefined : (text) => this.pending.push(text),
      monotonicMs: session.io.monotonicMs,
    });
  }

  static async open(options: StatsOptions, scenario: Scenario, file: string, session: Session): Promise<RunStats> {
    const { sinks = false, statsFile, prometheus } = options;
    return new RunStats(
      session,
      !sinks && hasNetworkSinks(scenario),
      statsFile === undefined ? undefined : await openOutput('--stats-file', statsFile, file),
      prometheus === undefined ? undefined : await openOutput('--prometheus', prometheus, file),
      sinks,
    );
  }

  async flush(): Promise<void> {
    if (this.pending.length === 0) return;
    const text = this.pending.join('');
    this.pending = [];
    await this.statsFile?.write(text);
  }

  /** Closes files and sinks and tells what became of the lines. */
  async close(): Promise<void> {
    await this.flush();
    await this.statsFile?.end();
    if (this.prometheusFile !== undefined) {
      await this.prometheusFile.write(this.output?.prometheus() ?? '');
      await this.prometheusFile.end();
    }
    const reports = (await this.output?.close()) ?? [];
    for (const report of reports) await this.session.err.write(`lbsim: ${sinkText(report)}\n`);
    if (this.unsent) {
      await this.session.err.write('lbsim: nothing was sent to the stats sinks; --sinks sends, --stats-file writes.\n');
    }
  }
}

function sinkText({ proxy, target, sent, dropped, problem }: SinkReport): string {
  const lost = dropped === 0 ? '' : `, ${dropped} dropped${problem === undefined ? '' : ` (${problem})`}`;
  return `sink ${target} of ${proxy}: ${sent} lines sent${lost}`;
}
