import { CommanderError } from 'commander';
import { explain } from './explain-error.js';
import * as sessions from './session.js';
import { noSuch } from '../config/reader/error-words.js';
import { own } from '../core/values.js';
import { buildProgram, TOPICS } from './program.js';

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
