import type { OutputFile } from '../output-files.js';

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
