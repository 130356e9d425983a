import { PolicyFailure } from '../policy/foreign/policy-module.js';
import { printableLines } from '../core/printable.js';
import { CommanderError } from 'commander';
import { fileProblem, type ProblemRule } from '../core/problem.js';
import * as sessions from './session.js';
import { noSuch } from '../config/reader/error-words.js';
import { own } from '../core/values.js';
import { buildProgram, TOPICS } from './program.js';
import { NoAnswer } from '../core/no-answer.js';

/** One call of lbsim from beginning to end; never throws. @param argv the arguments after the program's name. @returns the exit code. */
export async function runCli(argv: readonly string[], io: sessions.Io): Promise<sessions.ExitCode> {
  const session = new sessions.Session(io);
  // A script must get one JSON document, whatever goes wrong.
  const json =
    argv.includes('--json') ||
    argv.includes('--format=json') ||
    (argv.includes('--format') && argv[argv.indexOf('--format') + 1] === 'json');
  try {
    return await dispatch(argv, session);
  } catch (error) {
    if (error instanceof sessions.SmallProcess && io.memory?.restart !== undefined) return await io.memory.restart();
    try {
      return await explain(error, session, { json, command: argv[0] ?? '' });
    } catch {
      // Not even the message could be written.
      return sessions.ExitCode.input;
    }
  } finally {
    session.discardUnfinished();
  }
}

async function dispatch(argv: readonly string[], session: sessions.Session): Promise<sessions.ExitCode> {
  const [command, topic = ''] = argv;
  const topicText = command === 'help' ? own(TOPICS, topic) : undefined;
  if (topicText !== undefined) {
    await session.out.write(topicText);
    return sessions.ExitCode.ok;
  }
  const help: string[] = [];
  let code: sessions.ExitCode = sessions.ExitCode.ok;
  const hooks = { onHelp: (text: string) => help.push(text), onDone: (result: sessions.ExitCode) => (code = result) };
  const program = buildProgram(session, hooks, argv);
  const commands = program.commands.map((one) => one.name());
  if (command === 'help' && /^\w/.test(topic) && !commands.includes(topic))
    throw new sessions.UsageError(noSuch('command or topic', topic, [...commands, ...Object.keys(TOPICS)]), 'program');
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `lbsim help` uses the exit code that the process has so far.
    const isHelp = error.code === 'commander.help' && argv[0] === 'help';
    if (error.exitCode !== 0 && !isHelp) {
      if (error.code !== 'commander.help') {
        const scope = error.code === 'commander.unknownCommand' ? 'program' : 'command';
        throw new sessions.UsageError(error.message.replace(/^error: /, ''), scope);
      }
      // No command was given: the list of commands is the answer, but not what a script expects.
      await session.err.write(help.join(''));
      return sessions.ExitCode.input;
    }
    await session.out.write(help.join(''));
  }
  return code;
}

async function explain(
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

function isOutOfMemory(error: unknown): boolean {
  if (error instanceof sessions.MemoryError || sessions.errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') return true;
  return (
    error instanceof RangeError && /allocation failed|Invalid (typed )?array length|out of memory/i.test(error.message)
  );
}
