import { existsSync, statSync } from 'node:fs';
import type Libsql from 'libsql';
import type { Cell } from './cell.js';
import { OutputError, UsageError } from './errors.js';

/** What a file of results is about: cells of another scenario or version are another file's. */
export interface ResultsSubject {
  readonly scenario: string;
  readonly version: string;
  /** Of `contextId`. */
  readonly context: string;
}

/** One cell that is over. */
export interface StoredCell extends Cell {
  /** Of `cellId`. */
  readonly id: string;
  /** By name. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Why there are no numbers; undefined: there are. */
  readonly problem: string | undefined;
}

/** Marks our files among SQLite's: "lbsr". */
const APPLICATION = 0x6c627372;

const TABLES = `
create table about (scenario text not null, version text not null, context text not null);
create table cells (id text primary key, changes text not null, seed text not null, numbers text not null, problem text) without rowid;
`;

/** How long another process that writes may take, in ms. */
const PATIENCE_MS = 10_000;

/**
 * The results of cells, in one SQLite file: what has been written stays, whatever then happens to the process or the machine. Numbers
 * are a JSON object, which SQL reads: `select changes, numbers ->> '$."clusters.web.latency_ms.p99"' from cells`.
 */
export class ResultsFile {
  private constructor(
    private readonly file: string,
    private readonly database: Libsql.Database,
    private readonly found: Libsql.Statement,
    private readonly added: Libsql.Statement,
  ) {}

  /**
   * Opens a file, or makes it.
   *
   * @throws UsageError where it is of another scenario or version, or no file of results; OutputError where it cannot be written.
   */
  static async open(file: string, subject: ResultsSubject): Promise<ResultsFile> {
    const Database = await library();
    const isNew = !existsSync(file) || statSync(file).size === 0;
    let database: Libsql.Database;
    try {
      database = new Database(file, { timeout: PATIENCE_MS });
      // A rollback journal is one file besides, while something is written, and its removal is what must not be lost.
      database.exec('pragma journal_mode = delete; pragma synchronous = extra;');
      if (isNew) {
        // At once: a process that is killed meanwhile leaves an empty file, not one of nobody.
        database.exec(`begin immediate; pragma application_id = ${APPLICATION}; ${TABLES}`);
        const { scenario, version, context } = subject;
        database.prepare('insert into about values (?, ?, ?)').run(scenario, version, context);
        database.exec('commit');
      }
    } catch (error) {
      if (!isNew && /not a database/i.test(messageOf(error))) throw strange(file);
      throw new OutputError(file, error);
    }
    if (!isNew) refuseOther(file, database, subject);
    return new ResultsFile(
      file,
      database,
      database.prepare('select changes, seed, numbers, problem from cells where id = ?'),
      database.prepare('insert or replace into cells values (?, ?, ?, ?, ?)'),
    );
  }

  get(id: string): StoredCell | undefined {
    const row = this.found.get(id) as
      | { readonly changes: string; readonly seed: string; readonly numbers: string; readonly problem: string | null }
      | undefined;
    if (row === undefined) return undefined;
    return {
      id,
      changes: JSON.parse(row.changes) as readonly string[],
      seed: row.seed,
      numbers: JSON.parse(row.numbers) as Readonly<Record<string, number>>,
      problem: row.problem ?? undefined,
    };
  }

  /** Returns once it is on the disk. */
  add({ id, changes, seed, numbers, problem }: StoredCell): void {
    try {
      this.added.run(id, JSON.stringify(changes), seed, JSON.stringify(numbers), problem ?? null);
    } catch (error) {
      throw new OutputError(this.file, error);
    }
  }

  close(): void {
    this.database.close();
  }
}

/** @throws UsageError where it is not installed, or there is no binary of it for this platform. */
async function library(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (error) {
    throw new UsageError(
      `the results of a sweep are kept by the package libsql, which cannot be loaded on ${process.platform} ${process.arch}: ${messageOf(error).split('\n')[0] ?? ''}. npm install libsql brings it`,
    );
  }
}

function refuseOther(file: string, database: Libsql.Database, subject: ResultsSubject): void {
  let about: ResultsSubject | undefined;
  try {
    const id = database.prepare('pragma application_id').get() as { readonly application_id?: number } | undefined;
    if (id?.application_id === APPLICATION) {
      about = database.prepare('select scenario, version, context from about').get() as ResultsSubject | undefined;
    }
  } catch {
    about = undefined;
  }
  if (about === undefined) throw strange(file);
  if (about.context === subject.context) return;
  const other =
    about.version !== subject.version
      ? `lbsim ${about.version}, and this is ${subject.version}`
      : about.scenario !== subject.scenario
        ? `the scenario ${about.scenario}`
        : 'another state of this scenario, other options or other measures';
  throw new UsageError(`${file} has the results of ${other}: name another file with --results, or remove this one`);
}

function strange(file: string): UsageError {
  return new UsageError(`${file} is no file of results: name another one with --results`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
