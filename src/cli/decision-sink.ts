import { createWriteStream, realpathSync } from 'node:fs';
import { decisionLine } from '../report/decisions.js';
import type { DecisionRecord } from '../result/decision-record.js';
import { UsageError } from './errors.js';
import { Output } from './io.js';
import type { Session } from './session.js';

/** Where decisions are written, a line each; what a slice of the run decided is written before the next slice. */
export class DecisionSink {
  private pending: string[] = [];

  private constructor(
    private readonly output: Output,
    private readonly owned: boolean,
  ) {}

  /** @param target a file, or `-` for standard output. */
  static async open(target: string, scenarioFile: string, session: Session): Promise<DecisionSink> {
    if (target === '-') return new DecisionSink(session.out, false);
    return new DecisionSink(await openOutput('--decisions', target, scenarioFile), true);
  }

  readonly add = (record: DecisionRecord): void => {
    this.pending.push(decisionLine(record));
  };

  async flush(): Promise<void> {
    if (this.pending.length === 0) return;
    const text = this.pending.join('');
    this.pending = [];
    await this.output.write(text);
  }

  async close(): Promise<void> {
    await this.flush();
    if (this.owned) await this.output.end();
  }
}

/** Opens a file now: a run of minutes should not end with "no such directory". */
export async function openOutput(option: string, target: string, scenarioFile: string): Promise<Output> {
  if (scenarioFile !== '-' && sameFile(target, scenarioFile)) {
    throw new UsageError(`${option} ${target} would overwrite the scenario`);
  }
  const output = new Output(createWriteStream(target), target);
  await output.write('');
  return output;
}

function sameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
