import { runScenario } from '../../analysis/run/run-scenario.js';
import { parseDocument, problemAt, type SourceDocument } from '../../config/reader.js';
import { PolicyFailure } from '../../policy/foreign/policy-module.js';
import { FORMAT } from '../../core/document-format.js';
import { fileProblem, type Problem } from '../../core/problem.js';
import { githubAnnotations } from '../../report/problems.js';
import { problemDocument, type TestDocument, jsonDocument } from '../../report/documents.js';
import { measuredText } from '../../report/format.js';
import { junitReport, testClosing, type TestedFile, testLine } from '../../report/test-report.js';
import { inputOf } from '../../scenario/origin.js';
import { ExitCode, InputError, lookOf, type Session, type Work } from '../session.js';
import { globFiles } from '../input/read-file.js';
import { longWork } from '../long-work.js';
import { openOutput } from '../output/output-files.js';
import { refuseSeveral } from '../output/page-output.js';
import { readRunnable } from '../input/scenario-file.js';
import type { TestOptions } from '../program/generated/commands.js';

/** With `--on`, each file is run together with each configuration. */
export const testCommand: Work<'test'> = async (arguments_, options, session) => {
  const names = [...new Set(arguments_.flatMap(globFiles))];
  const { on, ...given } = options;
  const { junit, force } = given;
  const configs = on && [...new Set(on.flatMap(globFiles))];
  const cases = names.flatMap((name) => configs?.map((config) => [name, config]) ?? [[name]]);
  const output = await openOutput('--junit', junit, { inputs: cases.flat(), named: [], force }, session);
  const format = options.json === true ? 'json' : options.format;
  refuseSeveral([...(format === 'json' ? ['--json'] : []), ...(junit === '-' ? ['--junit -'] : [])]);
  const { width, paint } = lookOf(session.io.stdout, session.io.env);
  const printsText = format !== 'json' && junit !== '-';
  const files: TestedFile[] = [];
  for (const [index, inputs] of cases.entries()) {
    const place = cases.length === 1 ? '' : ` (${index + 1} of ${cases.length})`;
    const file = await tested(inputs, place, given, session);
    files.push(file);
    if (!printsText) continue;
    await session.out.write(testLine(file, width, paint));
    // GitHub shows annotations at their lines.
    if (format === 'github') await session.out.write(githubAnnotations(file.problems));
  }
  if (output !== undefined) {
    await output.write(junitReport(files));
    await output.close();
  }
  if (printsText) await session.out.write(testClosing(files));
  else if (format === 'json') await session.out.write(jsonDocument(jsonOf(files)));
  if (files.some(({ status }) => status === 'error')) return ExitCode.input;
  return files.some(({ status }) => status === 'failed') ? ExitCode.failed : ExitCode.ok;
};

const jsonOf = (files: readonly TestedFile[]): TestDocument => ({
  format: FORMAT,
  passed: files.every(({ status }) => status === 'passed'),
  files: files.map(({ file, status, input, expectations, problems }) => ({
    file,
    status,
    ...(input !== undefined && { input }),
    expectations,
    problems: problems.map(problemDocument),
  })),
});

async function tested(
  inputs: readonly string[],
  place: string,
  options: Omit<TestOptions, 'on'>,
  session: Session,
): Promise<TestedFile> {
  const [asked = ''] = inputs;
  const file = inputs.join(' on ');
  const startMs = session.io.monotonicMs();
  const since = (): number => (session.io.monotonicMs() - startMs) / 1000;
  try {
    const { scenario, sources } = await readRunnable(inputs, options, session);
    const { expect } = await longWork(`running ${file}${place}`, session, (pause) => runScenario(scenario, {}, pause));
    const { document } = parseDocument(sources.get(asked) ?? '', asked);
    const judged = expect.map((one, index) => ({
      one,
      place: placeOf(document, scenario.expect[index]?.entry ?? index, asked),
      failure: one.passed ? undefined : `${one.expectation}: it is ${measuredText(one, scenario.expect[index])}`,
    }));
    return {
      file,
      asked,
      status: expect.every(({ passed }) => passed) ? 'passed' : 'failed',
      ...inputOf(scenario),
      expectations: judged.map(({ one, place: { line }, failure }) => ({ ...one, line, ...(failure && { failure }) })),
      problems: judged.flatMap(({ place, failure }) => (failure ? [{ ...place, message: failure }] : [])),
      seconds: since(),
    };
  } catch (error) {
    // What befalls one file does not keep the others from being tested.
    const failed = error instanceof PolicyFailure ? [fileProblem(asked, 'policy-module', error.message)] : undefined;
    const problems = error instanceof InputError ? error.blocking : failed;
    if (problems === undefined) throw error;
    return { file, asked, status: 'error', expectations: [], problems, seconds: since() };
  }
}

/** The place of an expectation; options may have changed the file, but not its expectations. */
function placeOf(document: SourceDocument | undefined, index: number, file: string): Problem {
  const rule = 'expectation';
  if (document !== undefined) return problemAt(document, ['expect', index], 'error', rule, '');
  return { ...fileProblem(file, rule, ''), path: `expect[${index}]` };
}
