import type { Problem } from '../core/problem.js';
import type { ExpectationResult } from '../result/run-result.js';
import { counted, escaped, printable, printableLines } from './format.js';
import { type Paint, wrap } from './layout.js';

/** The result of one file, or of one together with a configuration. */
export interface TestedFile {
  /** `question.yaml on proxy.yaml` where it is two. */
  readonly file: string;
  /** The file of the expectations. */
  readonly asked: string;
  /** `error`: it cannot be run; its problems say why. */
  readonly status: 'passed' | 'failed' | 'error';
  /** What its settings do in a proxy and not in a simulation; absent: nothing. */
  readonly input?: readonly string[];
  readonly expectations: readonly TestedExpectation[];
  readonly problems: readonly Problem[];
  /** Wall time. */
  readonly seconds: number;
}

export interface TestedExpectation extends ExpectationResult {
  /** 0: not known. */
  readonly line: number;
  /** The message of a failed one. */
  readonly failure?: string;
}

export function testLine(tested: TestedFile, width: number, paint: Paint): string {
  const { file, asked, status, input = [], expectations, problems } = tested;
  const failed = expectations.filter(({ passed }) => !passed).length;
  const all = counted(expectations.length, 'expectation');
  const shown = printable(file);
  const verdict = {
    passed: [paint.good('ok   '), expectations.length === 0 ? 'runs, expects nothing' : all],
    failed: [paint.bad('FAIL '), `${failed} of ${all} failed`],
    error: [paint.bad('error'), counted(problems.length, 'problem')],
  } as const;
  const [word, words] = verdict[status];
  const lines = [`${word} ${shown}  ${words}`];
  for (const sentence of input) lines.push(...wrap(printable(sentence), width, '      ', '        '));
  for (const problem of problems) {
    const elsewhere = problem.file === asked ? '' : `${problem.file}:`;
    const place = problem.line > 0 ? `${elsewhere}${problem.line}:${problem.column}  ` : '';
    const path = problem.path === '' ? '' : `${printable(problem.path)}: `;
    const [first = '', ...more] = problem.message.split('\n');
    lines.push(...wrap(printable(`${place}${path}${first}`), width, '      ', '        '));
    // What is to be pasted stays in one line.
    for (const line of more) {
      const shown = printable(line);
      lines.push(...(line.startsWith('  ') ? [`      ${shown}`] : wrap(shown, width, '        ')));
    }
  }
  return `${lines.join('\n')}\n`;
}

export function testClosing(files: readonly TestedFile[]): string {
  const of = (status: TestedFile['status']): number => files.filter((file) => file.status === status).length;
  const parts = [
    `${of('passed')} passed`,
    ...(of('failed') > 0 ? [`${of('failed')} failed`] : []),
    ...(of('error') > 0 ? [`${of('error')} cannot be run`] : []),
  ];
  return `${counted(files.length, 'file')}: ${parts.join(', ')}.\n`;
}

/** The JUnit form that CI servers show: a suite per file, a case per expectation. */
export function junitReport(files: readonly TestedFile[]): string {
  const cases = (file: TestedFile): readonly string[] => {
    const own = { classname: file.file };
    if (file.status === 'error') {
      const message = file.problems.map((problem) => problem.message).join('\n');
      const error = element('error', { message }, escaped(printableLines(file.problems.map(problemLine).join('\n'))));
      return [element('testcase', { ...own, name: 'can be run' }, error)];
    }
    if (file.expectations.length === 0) return [element('testcase', { ...own, name: 'runs' }, '')];
    return file.expectations.map((expectation) => {
      const { line, passed, expectation: name, failure: message = '' } = expectation;
      const attributes = { ...own, name, file: file.asked, ...(line > 0 && { line: String(line) }) };
      return element('testcase', attributes, passed ? '' : element('failure', { message }, ''));
    });
  };
  const suites = files.map((file) => {
    const inside = cases(file);
    const attributes = {
      name: file.file,
      tests: String(inside.length),
      failures: String(file.expectations.filter(({ passed }) => !passed).length),
      errors: file.status === 'error' ? '1' : '0',
      time: file.seconds.toFixed(3),
    };
    return element('testsuite', attributes, `\n${inside.map((one) => `    ${one}\n`).join('')}  `);
  });
  const body = `\n${suites.map((suite) => `  ${suite}\n`).join('')}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'lbsim' }, body)}\n`;
}

const problemLine = ({ file, line, column, path, message }: Problem): string =>
  `${file}${line > 0 ? `:${line}:${column}` : ''} ${path === '' ? '' : `${path}: `}${message}`;

function element(name: string, attributes: Readonly<Record<string, string>>, content: string): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(printableLines(value)).replaceAll('\n', '&#10;')}"`,
  );
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
}
