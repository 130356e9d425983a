import { PolicyFailure } from '../policy/foreign/policy-module.js';
import { printableLines } from '../core/printable.js';
import { fileProblem, type ProblemRule } from '../core/problem.js';
import * as sessions from './session.js';
import { NoAnswer } from '../core/no-answer.js';

/** Tells on standard error, and with `json` as a document, why a call has no result. @returns the exit code of that. */
export async function explain(
  error: unknown,
  session: sessions.Session,
  { json, command }: { readonly json: boolean; readonly command: string },
): Promise<sessions.ExitCode> {
  if (error instanceof sessions.InputError) {
    await session.reportInputError(error, json);
    return sessions.ExitCode.input;
  }
  if (error instanceof sessions.InterruptedError) {
    await session.err.write('lbsim: interrupted; there is no result yet.\n');
    return sessions.ExitCode.interrupted;
  }
  const { rule, message, advice } = wordsFor(error, command, session);
  await session.err.write(printableLines(`lbsim: ${message}\n${advice === undefined ? '' : `${advice}\n`}`));
  // An error of standard output cannot be reported there.
  const isUnwritable = error instanceof sessions.OutputError && error.target === sessions.STANDARD_OUTPUT;
  if (json && !isUnwritable) await session.reportProblems([fileProblem('', rule, message)], { json, closing: '' });
  return rule === 'defect' ? sessions.ExitCode.defect : sessions.ExitCode.input;
}

/** One sentence about the call itself, and what to do. */
type Words = Readonly<{ rule: ProblemRule; message: string; advice?: string }>;

function wordsFor(error: unknown, command: string, session: sessions.Session): Words {
  if (error instanceof PolicyFailure) {
    const advice = `The policy is not ours: look there. ${stackOf(error.cause, session)}`;
    return { rule: 'policy-module', message: error.message, advice };
  }
  if (error instanceof sessions.OutputError) return { rule: 'output', message: error.message };
  if (error instanceof sessions.FleetError) return { rule: 'fleet', message: error.message };
  if (error instanceof sessions.UsageError || error instanceof NoAnswer) {
    const isOfProgram = error instanceof sessions.UsageError && error.scope === 'program';
    const own = !isOfProgram && /^\w+$/.test(command) ? `${command} ` : '';
    return { rule: 'usage', message: error.message, advice: `See "lbsim ${own}--help".` };
  }
  if (isOutOfMemory(error)) {
    const message = error instanceof sessions.MemoryError ? error.message : 'There is not enough memory for this.';
    return { rule: 'out-of-memory', message, advice: sessions.says('more_memory') };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { rule: 'defect', message, advice: `${sessions.says('defect')} ${stackOf(error, session)}` };
}

/** How to get it, and only on request what it is. */
function stackOf(error: unknown, { io }: sessions.Session): string {
  const isAsked = error instanceof Error && (io.env['LBSIM_DEBUG'] ?? '') !== '';
  return `LBSIM_DEBUG=1 shows where it happened.${isAsked ? `\n${error.stack ?? ''}` : ''}`;
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof sessions.MemoryError ||
  sessions.errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ||
  (error instanceof RangeError && /allocation failed|Invalid (typed )?array length|out of memory/i.test(error.message));
