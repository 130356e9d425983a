import { entryOf, groupBy, largest, sum } from '../core/values.js';
import type { Problem, Severity } from '../core/problem.js';
import { shownText } from '../scenario/secrets.js';
import { printable, printableLines } from '../core/printable.js';
import { counted } from '../core/words.js';
import { displayWidth, type ReportLayout, wrap } from './layout.js';

/**
 * Problems as workflow commands of GitHub Actions: annotations at the lines of a pull request. Source: "Workflow
 * commands for GitHub Actions", docs.github.com; the escapes are those of its toolkit.
 */
export const githubAnnotations = (problems: readonly Problem[]): string =>
  problems.map((problem) => `${annotation(problem)}\n`).join('');

function annotation({ severity, file, line, column, length, path, message, rule }: Problem): string {
  const place: [string, string][] = [];
  // Annotations are for files of the repository; standard input has none.
  if (file !== '' && file !== '-') {
    place.push(['file', file]);
    if (line > 0) place.push(['line', String(line)]);
    if (line > 0 && column > 0)
      place.push(['col', String(column)], ['endColumn', String(column + Math.max(1, length ?? 1))]);
  }
  place.push(['title', severity === 'error' ? rule : `${severity}: ${rule}`]);
  const properties = place.map(([name, value]) => `${name}=${escapeProperty(value)}`).join(',');
  return `::${COMMANDS[severity]} ${properties}::${escapeData(path === '' ? message : `${printable(path)}: ${message}`)}`;
}

const COMMANDS = { error: 'error', warning: 'warning', deprecation: 'warning', note: 'notice' } as const;

const escapeData = (text: string): string => printableLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

export interface ProblemsOptions extends Pick<ReportLayout, 'width' | 'paint'> {
  /** Text of a file, to show a line of it; undefined where it could not be read. */
  readonly source: (file: string) => string | undefined;
  /** Closes the count, as "Nothing was run." */
  readonly closing: string;
}

export function problemsText(problems: readonly Problem[], options: ProblemsOptions): string {
  const lineOf = sourceLines(problems, options.source);
  const blocks = problems.map((problem) => [...problemText(problem, lineOf(problem), options), '']);
  return `${[...blocks.flat(), ...wrap(`${problemCount(problems)} ${options.closing}`.trim(), options.width)].join('\n')}\n`;
}

export function problemCount(problems: readonly Problem[]): string {
  const order: readonly Severity[] = ['error', 'warning', 'deprecation', 'note'];
  const parts = order.flatMap((severity) => {
    const number = problems.filter((problem) => problem.severity === severity).length;
    return number === 0 ? [] : [counted(number, severity)];
  });
  return parts.length === 0 ? 'No problems.' : `${parts.join(', ')}.`;
}

/**
 * Problems that matter to a run: deprecations and settings without effect are only counted, and so is what is not
 * simulated, which the first lines of the answer tell.
 */
export const shownInRuns = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter((problem) => problem.severity === 'error' || (problem.severity === 'warning' && !isLacking(problem)));

const isLacking = ({ severity, rule }: Problem): boolean => severity === 'warning' && rule === 'not-simulated';

/** "7 deprecated fields, 2 not simulated, 9 without effect: lbsim validate lists them"; undefined without any. */
export function hiddenInRuns(problems: readonly Problem[], files: readonly string[]): string | undefined {
  const kinds = [
    ['deprecated', ({ severity }: Problem) => severity === 'deprecation'],
    ['not simulated', isLacking],
    ['without effect', ({ severity, rule }: Problem) => severity === 'note' && rule === 'no-effect'],
  ] as const;
  const found = kinds
    .map(([word, isOne]) => ({ word, number: problems.filter(isOne).length }))
    .filter(({ number }) => number > 0);
  if (found.length === 0) return undefined;
  const parts = found.map(({ word, number }, index) => {
    if (index > 0) return `${number} ${word}`;
    return word === 'deprecated' ? counted(number, 'deprecated field') : `${counted(number, 'field')} ${word}`;
  });
  const them = sum(found.map(({ number }) => number)) === 1 ? 'it' : 'them';
  return `${parts.join(', ')}: lbsim validate ${printable(files.join(' '))} lists ${them}`;
}

/** "1 warning, 30 deprecations besides: lbsim validate a.yaml lists them"; undefined if there are only errors. */
export function hiddenBesideErrors(problems: readonly Problem[]): string | undefined {
  const others = problems.filter(({ severity }) => severity !== 'error');
  if (others.length === 0) return undefined;
  const files = [...new Set(others.flatMap(({ file }) => (file === '' ? [] : [printable(file)])))];
  const them = others.length === 1 ? 'it' : 'them';
  return `${problemCount(others).replace(/\.$/, '')} besides: lbsim validate ${files.join(' ')} lists ${them}`;
}

function problemText(problem: Problem, line: string | undefined, options: ProblemsOptions): string[] {
  const { paint, width } = options;
  const place = [problem.file === '-' ? '(standard input)' : printable(problem.file)];
  if (problem.line > 0) place.push(String(problem.line), ...(problem.column > 0 ? [String(problem.column)] : []));
  const severity = paint[PAINTS[problem.severity]](problem.severity);
  const head = [paint.strong(place.filter((part) => part !== '').join(':')), severity, printable(problem.path)];
  head.push(paint.faint(`(${problem.rule})`));
  return [
    head.filter((part) => part !== '').join('  '),
    // Text to paste is indented and stays in one line.
    ...problem.message.split('\n').flatMap((said) => {
      const line = printable(said);
      return line.startsWith('  ') ? [`  ${line}`] : wrap(line, width, '  ');
    }),
    ...excerpt(problem, line, options),
  ];
}

const PAINTS = { error: 'bad', warning: 'odd', deprecation: 'odd', note: 'faint' } as const;

/** The source line and the caret under it; a long line is cut around the spot. */
function excerpt(problem: Problem, line: string | undefined, options: ProblemsOptions): string[] {
  if (line === undefined || problem.column < 1) return [];
  const number = String(problem.line).padStart(5);
  const room = Math.max(20, options.width - number.length - 3);
  const start = Math.min(problem.column - 1, line.length);
  const length = Math.max(1, Math.min(problem.length ?? 1, line.length - start));
  let from = 0;
  if (line.length > room && start + length > room - 1) from = Math.max(0, start - Math.floor(room / 3));
  const cutLeft = from > 0 ? '…' : '';
  const cutRight = line.length - from > room - cutLeft.length ? '…' : '';
  const shown = printable(line.slice(from, from + room - cutLeft.length - cutRight.length).replaceAll('\t', ' '));
  const before = displayWidth(cutLeft + shown.slice(0, start - from));
  const marked = displayWidth(shown.slice(start - from, start - from + length));
  const carets = '^'.repeat(Math.max(1, Math.min(marked, room - before)));
  const gutter = options.paint.faint(`${number} |`);
  const rule = options.paint.faint(`${' '.repeat(number.length)} |`);
  return [
    `${gutter} ${cutLeft}${shown}${cutRight}`.trimEnd(),
    `${rule} ${' '.repeat(before)}${options.paint.bad(carets)}`,
  ];
}

/** The lines of problems in their files, without what is secret. Files are read to the last one: a dump may have a million more. */
function sourceLines(problems: readonly Problem[], source: ProblemsOptions['source']) {
  const about = groupBy(problems, ({ file }) => file);
  const files = new Map<string, readonly string[]>();
  return ({ file, line }: Problem): string | undefined => {
    if (line < 1) return undefined;
    const lines = entryOf(files, file, () => {
      const text = source(file);
      const shown = (about.get(file) ?? []).map((one) => one.line);
      return text === undefined ? [] : shownText({ file, text }, shown).split(/\r\n|\n|\r/, largest(shown));
    });
    return lines[line - 1];
  };
}
