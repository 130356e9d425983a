import { printable, printableLines } from '../core/printable.js';
import type { Problem } from '../core/problem.js';

/**
 * Problems as workflow commands of GitHub Actions: annotations at the lines of a pull request.
 *
 * Source: "Workflow commands for GitHub Actions", docs.github.com; the escapes are those of its toolkit.
 */
export function githubAnnotations(problems: readonly Problem[]): string {
  return problems.map((problem) => `${annotation(problem)}\n`).join('');
}

function annotation({ severity, file, line, column, length, path, message, rule }: Problem): string {
  const place: [string, string][] = [];
  // Annotations are for files of the repository; standard input has none.
  if (file !== '' && file !== '-') {
    place.push(['file', file]);
    if (line > 0) place.push(['line', String(line)]);
    if (line > 0 && column > 0) {
      place.push(['col', String(column)], ['endColumn', String(column + Math.max(1, length ?? 1))]);
    }
  }
  place.push(['title', severity === 'error' ? rule : `${severity}: ${rule}`]);
  const properties = place.map(([name, value]) => `${name}=${escapeProperty(value)}`).join(',');
  return `::${COMMANDS[severity]} ${properties}::${escapeData(path === '' ? message : `${printable(path)}: ${message}`)}`;
}

const COMMANDS = { error: 'error', warning: 'warning', deprecation: 'warning', note: 'notice' } as const;

function escapeData(text: string): string {
  return printableLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
