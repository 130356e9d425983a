import { typeOfUrl, didYouMean } from '../../config/reader.js';
import { existsSync } from 'node:fs';
import { messageNamed, messagesByName } from '../../config/messages.js';
import { validateMessage } from '../../config/validate.js';
import { FORMAT } from '../../core/document-format.js';
import { hasErrors, type Problem } from '../../core/problem.js';
import { addAll, only } from '../../core/values.js';
import { githubAnnotations, problemCount, problemsText } from '../../report/problems.js';
import { problemDocument, type ValidateDocument, jsonDocument } from '../../report/documents.js';
import { counted } from '../../core/words.js';
import { ExitCode, InputError, lookOf, type Session, UsageError, type Work } from '../session.js';
import { inputFiles, readInput } from '../input/read-file.js';
import { problemsWithoutSecrets } from '../../scenario/secrets.js';
import { obstaclesOf } from '../../analysis/run/unsupported.js';
import { readScenario } from '../input/scenario-file.js';
import type { ValidateOptions } from '../program/generated/commands.js';

type Verdict = Awaited<ReturnType<typeof verdictOn>>;

export const validateCommand: Work<'validate'> = async (files, options, session) => {
  const schema = options.as === undefined ? undefined : messageSchema(options.as);
  const verdict = await verdictOn(files, options, session, schema);
  await session.out.write(written(verdict, options.json === true ? 'json' : options.format, session));
  return hasErrors(verdict.problems) ? ExitCode.input : ExitCode.ok;
};

async function verdictOn(given: readonly string[], options: ValidateOptions, session: Session, schema: MessageSchema) {
  const problems: Problem[] = [];
  const byFile = new Map<string, Awaited<ReturnType<typeof findingOn>>>();
  for (const argument of given) {
    await tolerant(problems, async () => {
      for (const file of inputFiles(argument))
        if (!byFile.has(file)) byFile.set(file, await findingOn([file], options, session, schema));
    });
  }
  const files = byFile.size;
  // A file without clusters belongs to the files beside it, as for `run`.
  const named = [...new Set(given.filter((argument) => byFile.has(argument)))];
  if (named.length > 1 && named.some((file) => byFile.get(file)?.isPart === true)) {
    const all = await findingOn(named, options, session, schema);
    for (const file of named) byFile.delete(file);
    byFile.set(named.join(' '), all);
  }
  const findings = [...byFile.values()];
  for (const finding of findings) addAll(problems, finding.problems);
  return {
    files,
    /** Valid files that `run` refuses as they are. */
    idle: findings.filter(({ runs, problems: own }) => !runs && !hasErrors(own)).length,
    runs: findings.length > 0 && findings.every(({ runs }) => runs),
    problems: options.notes ? problems : problems.filter(({ severity }) => severity !== 'note'),
    sources: new Map(findings.flatMap(({ sources }) => [...sources])),
  };
}

async function findingOn(files: readonly string[], options: ValidateOptions, session: Session, schema: MessageSchema) {
  const problems: Problem[] = [];
  const sources = new Map<string, string>();
  let [runs, statusOnly] = [false, false];
  await tolerant(problems, async () => {
    if (schema !== undefined) {
      for (const file of files) {
        const text = await readInput(file, session.io);
        sources.set(file, text);
        const found = validateMessage(schema, text, file, !options.files ? undefined : existsSync);
        addAll(problems, problemsWithoutSecrets(found, [{ file, text }]));
      }
      return;
    }
    const read = await readScenario(files, { ...options, lint: true, forStart: true, makesUpHosts: true }, session);
    for (const [name, source] of read.sources) sources.set(name, source);
    addAll(problems, read.problems);
    if (read.scenario === undefined) {
      // Only a start of the proxy refuses it, perhaps.
      const { scenario } = await readScenario(files, { ...options, makesUpHosts: true }, session);
      runs = scenario !== undefined && obstaclesOf(scenario, files[0] ?? '-').length === 0;
      return;
    }
    statusOnly = read.scenario.origin.statusOnly;
    // The file is valid; that it does not run as it is is worth a warning.
    const obstacles = obstaclesOf(read.scenario, files[0] ?? '-', 'warning');
    addAll(problems, obstacles);
    runs = obstacles.length === 0;
  });
  // At the top of a scenario clusters alone are required.
  const hasNone = problems.some(({ rule, path }) => rule === 'no-cluster' || (rule === 'required' && path === ''));
  // What does not say how clusters are configured belongs to other files.
  return { problems, sources, runs, isPart: hasNone || statusOnly };
}

/** An unreadable file does not prevent the check of the others. */
const tolerant = (problems: Problem[], work: () => Promise<void>): Promise<void> =>
  work().catch(only(InputError, (error) => addAll(problems, error.problems)));

type MessageSchema = Parameters<typeof validateMessage>[0] | undefined;

function messageSchema(written: string): MessageSchema {
  const found = messageNamed(written);
  if (found !== undefined) return found;
  const near = didYouMean(typeOfUrl(written), [...messagesByName().keys()]);
  throw new UsageError(`--as ${written}: there is no such message${near}; docs/reference has a page for each of them`);
}

function written(verdict: Verdict, format: ValidateOptions['format'], session: Session): string {
  const { problems, idle, runs } = verdict;
  const valid = !hasErrors(problems);
  if (format === 'json')
    return jsonDocument({
      format: FORMAT,
      valid,
      ...(valid ? idle > 0 && { runs: false } : runs && { runs: true }),
      problems: problems.map(problemDocument),
    } satisfies ValidateDocument);
  if (format === 'github')
    return `${githubAnnotations(problems)}${problems.length === 0 ? '' : `${problemCount(problems)} `}${closing(verdict)}\n`;
  if (problems.length === 0) return `${closing(verdict)}\n`;
  const { stdout, env } = session.io;
  return problemsText(problems, {
    ...lookOf(stdout, env),
    source: (file) => verdict.sources.get(file),
    closing: closing(verdict),
  });
}

function closing({ files, idle, runs, problems }: Verdict): string {
  const wrong = new Set(problems.flatMap(({ severity, file }) => (severity === 'error' ? [file] : [])));
  if (wrong.size === 0) {
    const which = files === 1 ? 'it does' : `${idle} of them ${idle === 1 ? 'does' : 'do'}`;
    return `${counted(files, 'file')}: valid${idle === 0 ? '' : `; ${which} not run as ${idle === 1 ? 'it stands' : 'they stand'}`}.`;
  }
  const number = Math.max(files, wrong.size);
  return `${wrong.size} of ${counted(number, 'file')} ${wrong.size === 1 ? 'is' : 'are'} not valid${runs ? ': a proxy does not start so, yet run answers' : ''}.`;
}
