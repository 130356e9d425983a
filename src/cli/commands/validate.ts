import type { Problem } from '../../core/problem.js';
import { hasErrors } from '../../core/problem.js';
import { counted } from '../../report/format.js';
import { jsonDocument } from '../../report/json.js';
import { problemsText } from '../../report/problems.js';
import { InputError } from '../errors.js';
import { ExitCode } from '../exit-code.js';
import type { ScenarioOptions } from '../scenario-file.js';
import { readScenario, unsupportedProblems } from '../scenario-file.js';
import type { Session } from '../session.js';
import { publicProblem } from '../session.js';
import { paintFor, widthOf } from '../terminal.js';

export interface ValidateOptions extends ScenarioOptions {
  readonly json?: boolean;
}

/** `lbsim validate FILE…` */
export async function validate(
  files: readonly string[],
  options: ValidateOptions,
  session: Session,
): Promise<ExitCode> {
  const problems: Problem[] = [];
  const sources = new Map<string, string>();
  for (const file of new Set(files)) problems.push(...(await problemsOf(file, options, session, sources)));
  const valid = !hasErrors(problems);
  if (options.json === true) await session.out.write(jsonDocument({ valid, problems: problems.map(publicProblem) }));
  else await session.out.write(text(files, problems, sources, session));
  return valid ? ExitCode.ok : ExitCode.input;
}

async function problemsOf(
  file: string,
  options: ValidateOptions,
  session: Session,
  sources: Map<string, string>,
): Promise<readonly Problem[]> {
  try {
    const read = await readScenario(file, options, session);
    for (const [name, source] of read.sources) sources.set(name, source);
    if (read.scenario === undefined) return read.problems;
    // The file is right; that we cannot run it yet is worth knowing before trying.
    return [...read.problems, ...unsupportedProblems(read.scenario, file, 'warning')];
  } catch (error) {
    // One file that cannot be read does not keep the others from being checked.
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

function text(
  files: readonly string[],
  problems: readonly Problem[],
  sources: ReadonlyMap<string, string>,
  session: Session,
): string {
  const wrong = new Set(problems.flatMap((problem) => (problem.severity === 'error' ? [problem.file] : [])));
  const number = new Set(files).size;
  const closing =
    wrong.size === 0
      ? `${counted(number, 'file')}: valid.`
      : `${wrong.size} of ${counted(number, 'file')} ${wrong.size === 1 ? 'is' : 'are'} not valid.`;
  if (problems.length === 0) return `${closing}\n`;
  const { stdout, env } = session.io;
  return problemsText(problems, {
    width: widthOf(stdout, env),
    paint: paintFor(stdout, env),
    source: (file) => sources.get(file),
    closing,
  });
}
