import { createWriteStream, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './errors.js';
import { Output } from './io.js';
import type { Session } from './session.js';

/** A file to write, or standard output. */
export interface OutputFile {
  write(text: string): Promise<void>;
  /** Ends a file; standard output stays open. */
  close(): Promise<void>;
}

/** The files that one call writes. */
export class OutputFiles {
  private readonly options = new Map<string, string>();

  /** @param scenarioFile what the call reads; `-` is standard input. */
  constructor(
    private readonly scenarioFile: string,
    private readonly session: Session,
  ) {}

  /**
   * Opens a file now: a run of minutes should not end with "no such directory".
   *
   * @param target a file, or `-` for standard output.
   * @throws UsageError where it would overwrite the scenario, or what another option writes; OutputError where it cannot
   *         be opened.
   */
  async open(option: string, target: string): Promise<OutputFile> {
    if (target === '-') {
      const { out } = this.session;
      return { write: (text) => out.write(text), close: () => Promise.resolve() };
    }
    const path = realPath(target);
    if (this.scenarioFile !== '-' && path === realPath(this.scenarioFile)) {
      throw new UsageError(`${option} ${target} would overwrite the scenario`);
    }
    const other = this.options.get(path);
    if (other !== undefined && !isDevice(path)) throw new UsageError(`${other} and ${option} both write ${target}`);
    this.options.set(path, option);
    const output = new Output(createWriteStream(target), target);
    await output.write('');
    return { write: (text) => output.write(text), close: () => output.end() };
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

function isDevice(path: string): boolean {
  try {
    return !statSync(path).isFile();
  } catch {
    return false;
  }
}
