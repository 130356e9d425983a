import { fileProblem } from '../../core/problem.js';
import { printable } from '../../core/printable.js';
import type { Scenario } from '../../scenario/model.js';
import type { Simulation } from '../../words/library.js';
import { hasNetworkSinks, sinkProblems, type SinkReport, StatsOutput } from '../../sink/stats-output.js';
import { InputError } from '../errors.js';
import type { OutputFile, OutputFiles } from '../output/output-files.js';
import type { RunOptions } from '../program/generated/commands.js';
import type { Session } from '../session.js';

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

/** @throws InputError if a sink that lines are to be sent to can never work. */
export function refuseDeadSinks({ sinks = false }: Pick<RunOptions, 'sinks'>, scenario: Scenario, file: string): void {
  const problems = sinks ? sinkProblems(scenario) : [];
  if (problems.length === 0) return;
  throw new InputError(problems.map(({ path, message }) => ({ ...fileProblem(file, 'sink', message), path })));
}

/** Outputs of a run's statistics besides its report. */
export class RunStats {
  /** Observer of the run's statistics; undefined where they are not needed, so that they cost nothing. */
  readonly output: StatsOutput | undefined;
  private sendersClosed = false;

  private readonly sends: boolean;
  private readonly lines: PendingLines | undefined;
  private readonly prometheusFile: OutputFile | undefined;
  private readonly hasSinks: boolean;

  /** @param files those of `--stats-file` and `--prometheus`, if they were given. */
  constructor(
    { sinks = false }: Pick<RunOptions, 'sinks'>,
    scenario: Scenario,
    files: OutputFiles,
    private readonly session: Session,
  ) {
    this.sends = sinks;
    this.hasSinks = hasNetworkSinks(scenario);
    const statsFile = files.get('--stats-file');
    this.lines = statsFile && new PendingLines(statsFile);
    this.prometheusFile = files.get('--prometheus');
    if (!sinks && this.lines === undefined && this.prometheusFile === undefined) return;
    this.output = new StatsOutput({
      sinks,
      write: this.lines && ((text) => this.lines?.add(text)),
      monotonicMs: session.io.monotonicMs,
    });
  }

  /** Connects to the sinks; an unreachable one is reported before the run starts, which does not wait for it. */
  async start(simulation: Simulation): Promise<void> {
    this.output?.attach(simulation);
    for (const { target, proxy, problem } of (await this.output?.open()) ?? []) {
      await this.say(`sink ${target} of ${proxy}: ${problem ?? ''}; its lines are dropped until that changes`);
    }
  }

  async flush(): Promise<void> {
    await this.lines?.flush();
  }

  /** Completes the files. */
  async finish(): Promise<void> {
    await this.lines?.close();
    await this.prometheusFile?.write(this.output?.prometheus() ?? '');
    await this.prometheusFile?.close();
  }

  /** Closes the sinks and reports sent and dropped lines. */
  async report(): Promise<void> {
    const reports = await this.closeSenders();
    for (const each of reports) await this.say(sinkText(each));
    if (this.sends && !this.hasSinks)
      await this.say('--sinks: the scenario has no stats_sinks that send; nothing was sent.');
    if (!this.sends && this.hasSinks) {
      await this.say('nothing was sent to the stats sinks; --sinks sends, --stats-file writes.');
    }
  }

  /** In any case no socket stays open. */
  async closeSenders(): Promise<readonly SinkReport[]> {
    if (this.sendersClosed) return [];
    this.sendersClosed = true;
    return (await this.output?.close()) ?? [];
  }

  private say(text: string): Promise<void> {
    return this.session.err.write(`lbsim: ${printable(text)}\n`);
  }
}

function sinkText({ proxy, target, sent, dropped, problem }: SinkReport): string {
  const lost = dropped === 0 ? '' : `, ${dropped} dropped${problem === undefined ? '' : ` (${problem})`}`;
  return `sink ${target} of ${proxy}: ${sent} lines sent${lost}`;
}
