import { attempt } from '../../core/values.js';
import { readFileSync, statSync } from 'node:fs';
import type Libsql from 'libsql';
import type { Cell } from '../../analysis/sweep/cell.js';
import type { CellNumbers, CellStore } from '../../analysis/sweep/run-sweep.js';
import { cellId, sha256 } from '../cell.js';
import { errorCode, messageOf, OutputError, says, UsageError } from '../session.js';

/** What a file of results is about: cells of another scenario, version or context (of `contextId`) are another file's. */
export type ResultsSubject = Readonly<{ scenario: string; version: string; context: string }>;

/** Marks our files among SQLite's: "lbsr". */
const APPLICATION = 0x6c627372;

/** Of these tables, as `pragma user_version`. */
const FORM = 2;

const TABLES = `
create table about (scenario text not null, version text not null, context text not null);
create table cells (id text primary key, changes text not null, seed text not null, numbers text not null, problem text, checksum text not null) without rowid;
`;

/** How long another process that writes may take, in ms. */
const PATIENCE_MS = 10_000;

/**
 * The results of cells, in one SQLite file: what has been written stays, whatever then happens to the process or the machine. Numbers
 * are a JSON object, which SQL reads: `select changes, numbers ->> '$."clusters.web.latency_ms.p99"' from cells`. Each row has a
 * checksum of the others of its columns: one that somebody altered is not believed.
 */
export class ResultsFile implements CellStore {
  /** Cells that were beyond the limits of this call: another one may have others, so that no file keeps them. */
  private readonly beyond = new Map<string, CellNumbers>();

  private readonly found = this.database.prepare(
    'select changes, seed, numbers, problem, checksum from cells where id = ?',
  );
  private readonly added = this.database.prepare('insert or replace into cells values (?, ?, ?, ?, ?, ?)');

  private constructor(
    private readonly file: string,
    private readonly context: string,
    private readonly database: Libsql.Database,
  ) {}

  /**
   * Opens a file, or makes it. @throws UsageError where it is of another scenario or version, damaged, locked, or no file
   * of results; OutputError where it cannot be written.
   */
  static async open(file: string, subject: ResultsSubject, patienceMs = PATIENCE_MS): Promise<ResultsFile> {
    const Database = await library();
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) throw new UsageError(`${file} is a folder: name a file with --results`);
    const isNew = (found?.size ?? 0) === 0;
    let database: Libsql.Database | undefined;
    try {
      database = new Database(file, { timeout: patienceMs });
      // A rollback journal is one file besides, while something is written, and its removal is what must not be lost.
      database.exec('pragma journal_mode = delete; pragma synchronous = extra;');
      if (isNew) {
        // At once: a process that is killed meanwhile leaves an empty file, not one of nobody.
        database.exec(
          `begin immediate; pragma application_id = ${APPLICATION}; pragma user_version = ${FORM}; ${TABLES}`,
        );
        const { scenario, version, context } = subject;
        database.prepare('insert into about values (?, ?, ?)').run(scenario, version, context);
        database.exec('commit');
      } else refuseOther(file, database, subject);
      return new ResultsFile(file, subject.context, database);
    } catch (error) {
      database?.close();
      throw faultOf(file, error, isNew);
    }
  }

  get(cell: Cell): CellNumbers | undefined {
    const id = cellId(this.context, cell);
    const row = this.guarded(() => this.found.get(id)) as (StoredRow & { readonly checksum: unknown }) | undefined;
    if (row === undefined) return this.beyond.get(id);
    if (row.checksum !== checksumOf(id, row))
      throw new UsageError(says('altered', { file: this.file, cell: `${row.changes}, seed ${row.seed}`, id }));
    const numbers = JSON.parse(row.numbers) as CellNumbers['numbers'];
    return { numbers, problem: row.problem ?? undefined };
  }

  /** Returns once it is on the disk. */
  add(cell: Cell, known: CellNumbers): void {
    const id = cellId(this.context, cell);
    if (known.isLimit === true) return void this.beyond.set(id, known);
    const [changes, numbers] = [JSON.stringify(cell.changes), JSON.stringify(known.numbers)];
    const row = { changes, seed: cell.seed, numbers, problem: known.problem ?? null };
    this.guarded(() => this.added.run(id, ...Object.values(row), checksumOf(id, row)));
  }

  private guarded<Found>(work: () => Found): Found {
    try {
      return work();
    } catch (error) {
      throw faultOf(this.file, error);
    }
  }

  close(): void {
    this.database.close();
  }
}

type StoredRow = Readonly<{ changes: string; seed: string; numbers: string; problem: string | null }>;

export const checksumOf = (id: string, { changes, seed, numbers, problem }: StoredRow): string =>
  sha256(JSON.stringify([id, changes, seed, numbers, problem]));

/** What SQLite says of a file, in a sentence that says what to do. */
function faultOf(file: string, error: unknown, isNew = false): Error {
  if (error instanceof UsageError) return error;
  const code = errorCode(error) ?? '';
  const message = messageOf(error);
  if (!isNew && code === 'SQLITE_NOTADB') return strange(file);
  if (code.startsWith('SQLITE_CORRUPT') || /^no such (table|column)|has \d+ columns/.test(message))
    return new UsageError(says('damaged', { file, message }));
  if (code.startsWith('SQLITE_BUSY')) {
    const holder = holderOf(file);
    const who = holder === undefined ? 'another process' : `the process ${holder}`;
    return new UsageError(`${file} is locked by ${who}: wait for it, or name another file with --results`);
  }
  return new OutputError(file, error);
}

/** The process that has a file locked, as far as the system tells: Linux does. */
function holderOf(file: string): number | undefined {
  const locks = attempt(() => readFileSync('/proc/locks', 'utf8').split('\n'), []);
  const inode = attempt(() => String(statSync(file).ino), '');
  for (const line of locks) {
    const [, , , kind, process, place = ''] = line.trim().split(/\s+/);
    if (kind === 'WRITE' && place.split(':')[2] === inode) return Number(process);
  }
  return undefined;
}

/** @throws UsageError where it is not installed, or there is no binary of it for this platform. */
async function library(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (error) {
    const [why = ''] = messageOf(error).split('\n');
    throw new UsageError(says('no_library', { system: `${process.platform} ${process.arch}`, why }));
  }
}

function refuseOther(file: string, database: Libsql.Database, subject: ResultsSubject): void {
  const pragma = (name: string): unknown => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
  if (pragma('application_id') !== APPLICATION) throw strange(file);
  const form = pragma('user_version');
  const about = database.prepare('select scenario, version, context from about').get() as ResultsSubject | undefined;
  if (about === undefined) throw new UsageError(`${file} is damaged (the table about is empty): remove it`);
  if (about.context === subject.context && form === FORM) return;
  const other =
    about.version !== subject.version
      ? `lbsim ${about.version}, and this is ${subject.version}`
      : form !== FORM
        ? `another build of lbsim, in another form (${String(form)}, and this is ${FORM})`
        : about.scenario !== subject.scenario
          ? `the scenario ${about.scenario}`
          : 'another state of this scenario, other options or other measures';
  throw new UsageError(`${file} has the results of ${other}: name another file with --results, or remove this one`);
}

const strange = (file: string): UsageError =>
  new UsageError(`${file} is no file of results: name another one with --results`);
