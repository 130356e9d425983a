import { readFileSync, writeFileSync } from 'node:fs';
import Table from 'cli-table3';
import { format, resolveConfig } from 'prettier';
import type { Spread } from './in-turns.js';

type Value = string | number | boolean | Spread | undefined;

export interface Report {
  readonly title: string;
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

export const quick = process.argv.includes('--quick');
export const json = process.argv.includes('--json');

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length) ?? '';

/** `--only=TEXT` asks for rows whose name has that text. */
export function isAsked({ what }: { readonly what: string }): boolean {
  return what.includes(only);
}

const NOTES = 'docs/performance-notes.md';
/** Where each table stands. */
const PAGES = { rows: 'docs/performance.md', curves: NOTES, quality: NOTES } as const;

/** A table whose columns are the fields of the rows, or the same for a machine. */
export function print(report: Report): void {
  if (json) console.log(JSON.stringify(report));
  else console.log(`${report.title}\n\n${tableOf(report)}\n`);
}

/** With `--write`, the table goes into its page as well, between two comments that name it. */
export async function write(name: keyof typeof PAGES, { title, rows }: Report): Promise<void> {
  if (!process.argv.includes('--write')) return;
  const file = PAGES[name];
  const [begin, end] = [`<!-- ${name} -->`, `<!-- ${name} end -->`];
  const page = readFileSync(file, 'utf8');
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${file} has no place ${begin} … ${end}`);
  const head = columnsOf(rows);
  const cell = (value: Value): string => (value === undefined ? '' : textOf(value));
  const lines = [head, head.map(() => '---'), ...rows.map((row) => head.map((column) => cell(row[column])))];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const text = `${page.slice(0, before)}${begin}\n\n${title}\n\n${table}\n\n${page.slice(after)}`;
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

function columnsOf(rows: Report['rows']): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row).filter((column) => row[column] !== undefined)))];
}

function tableOf({ rows }: Report): string {
  const head = columnsOf(rows);
  const table = new Table({
    head,
    style: { head: [], border: [], compact: true },
    colAligns: head.map((column) =>
      rows.some((row) => typeof row[column] === 'string' || typeof row[column] === 'boolean') ? 'left' : 'right',
    ),
  });
  for (const row of rows) table.push(head.map((column) => textOf(row[column])));
  return table.toString();
}

function textOf(value: Value): string {
  if (value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'NO';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return digits(value);
  if (value.least === value.most) return digits(value.median);
  return `${digits(value.median)} (${digits(value.least)} – ${digits(value.most)})`;
}

/** Three digits that count, and no more than that behind the point. */
function digits(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100)
    return value.toLocaleString('en', { maximumFractionDigits: 0 });
  return value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3);
}
