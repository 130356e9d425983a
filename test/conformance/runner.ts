import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Fields, FormatError } from './fields.js';
import { kinds } from './kinds.js';
import { isRecording, runRecording } from './mixes.js';
import type { CaseOutcome } from './outcome.js';
import { problemOf } from './problem.js';
import { isToday } from './today/case.js';
import { runTodayFile } from './today/today.js';

export interface ReportedCase extends CaseOutcome {
  /** Relative to what was replayed. */
  readonly file: string;
}

/** The document of `--json`. */
export interface ConformanceReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly cases: readonly ReportedCase[];
}

export interface ConformanceOptions {
  /** Replay only files of this area. */
  readonly only?: string | undefined;
  /** Called as soon as a case is decided. */
  readonly onCase?: (outcome: ReportedCase) => void;
}

/**
 * Replays every `*.json` at or below `path`, in the order of the paths.
 *
 * A file that cannot be read, is no JSON, or has a kind, a key or a step this runner does not know counts as failed.
 *
 * @throws Error if `path` itself does not exist.
 */
export async function runConformance(path: string, options: ConformanceOptions = {}): Promise<ConformanceReport> {
  const cases: ReportedCase[] = [];
  for (const { file, name } of await caseFiles(path)) {
    for (const outcome of await runFile(file, options.only)) {
      const reported = { file: name, ...outcome };
      cases.push(reported);
      options.onCase?.(reported);
    }
  }
  const count = (result: CaseOutcome['result']): number => cases.filter((one) => one.result === result).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), cases };
}

/** The line a run closes with. */
export function summary(report: ConformanceReport): string {
  const skipped = report.skipped > 0 ? `, ${report.skipped} skipped` : '';
  return `${report.passed} passed, ${report.failed} failed${skipped}`;
}

/** Every `*.json` at or below `path`, in the order of the paths. */
export async function caseFiles(path: string): Promise<readonly { readonly file: string; readonly name: string }[]> {
  if (!(await stat(path)).isDirectory()) return [{ file: path, name: path }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, name: relative(path, file) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function runFile(file: string, only: string | undefined): Promise<readonly CaseOutcome[]> {
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isToday(content)) return only !== undefined && content.area !== only ? [] : await runTodayFile(content);
    if (isRecording(content)) return only === undefined ? await runRecording(file) : [];
    const fields = Fields.of(content, '');
    const kind = fields.string('kind');
    if (only !== undefined && fields.string('area') !== only) return [];
    const run = kinds.get(kind);
    if (run === undefined) throw new FormatError(`unknown kind ${JSON.stringify(kind)}`);
    return await run(content);
  } catch (error) {
    // One broken file must not keep the others from being replayed; the reader sees it as a failed case.
    return [{ name: '', version: '', result: 'failed', compared: [], problem: problemOf(error) }];
  }
}
