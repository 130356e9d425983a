import { decisionLine } from '../report/decisions.js';
import type { DecisionRecord } from '../result/decision-record.js';
import type { OutputFile } from './output-files.js';

/** Writes decisions, one per line; those of a slice of the run are written before the next slice. */
export class DecisionSink {
  private pending: string[] = [];

  constructor(private readonly output: OutputFile) {}

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
    await this.output.close();
  }
}
