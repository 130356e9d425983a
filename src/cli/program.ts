import { Argument, Command, Option } from 'commander';
import { ExitCode, type Session, UsageError } from './session.js';
import { packageVersion } from './package-root.js';
import { COMMAND_LINE, type CommandCalls } from './program/generated/commands.js';
import { WORK } from './program/generated/work.js';
import { type Details, type Refused, valueReader } from './program/option-values.js';

/** Topics of `lbsim help TOPIC`: terms that several commands share. */
export const TOPICS = COMMAND_LINE.topics;

const HELP_WIDTH = 80;

export interface ProgramHooks {
  /** Help or version, instead of a command. */
  readonly onHelp: (text: string) => void;
  readonly onDone: (code: ExitCode) => void;
}

/** @param argv of commands that are not in it only their names are read, but for `completion`. */
export function buildProgram(session: Session, hooks: ProgramHooks, argv: readonly string[] = ['completion']): Command {
  const program = new Command('lbsim')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .configureOutput({
      writeOut: hooks.onHelp,
      writeErr: hooks.onHelp,
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    });
  program.helpInformation = overview;
  const [first = ''] = argv;
  for (const [name, summary] of Object.entries(COMMAND_LINE.summaries)) {
    const isAsked = argv.includes(name) || argv.includes('completion');
    // Of all others somebody asks who names none.
    if (!isAsked && Object.hasOwn(COMMAND_LINE.summaries, first)) continue;
    const command = program.command(name).summary(summary);
    const details = isAsked ? COMMAND_LINE.commands[name] : undefined;
    if (details === undefined) continue;
    const { description, argument, options, refused = [], examples } = details;
    command
      .description(description)
      .addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
    for (const [flags, of] of Object.entries(argument)) command.addArgument(described(Argument, flags, of));
    for (const [flags, of] of Object.entries(options))
      command.addOption(
        described(Option, flags, of)
          .makeOptionMandatory(of.required === true)
          .conflicts(of.conflicts ?? []),
      );
    command.action(async (...given: unknown[]) => {
      refuse(refused, command.opts());
      const work = (await WORK[name as keyof CommandCalls]()) as (...given: unknown[]) => Promise<ExitCode | undefined>;
      // The last one is this command.
      hooks.onDone((await work(...given.slice(0, -1), session, program)) ?? ExitCode.ok);
    });
  }
  return program;
}

/** @throws UsageError for options that do not go together. */
function refuse(refused: readonly Refused[], options: Readonly<Record<string, unknown>>): void {
  const isGiven = (name: string): boolean =>
    options[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())] !== undefined;
  for (const { of, without = [], because } of refused) {
    const given = of.map((names) => [names].flat().find(isGiven));
    if (given.includes(undefined) || without.some(isGiven)) continue;
    throw new UsageError(because.replace('OPTION', `--${given.at(-1) ?? ''}`));
  }
}

function overview(): string {
  const lines = Object.entries(COMMAND_LINE.groups).map(([group, names]) => {
    const cells = names.map((name) => `  ${name.padEnd(11)}${COMMAND_LINE.summaries[name] ?? ''}`);
    const rows = cells.map((cell, index) => (index % 2 === 0 ? `\n${cell.padEnd(40)}` : cell));
    return `${group}${rows.join('')}\n`.replaceAll(/ +$/gm, '');
  });
  return `Usage: lbsim COMMAND [FILE…]: where a proxy sends your requests, and why\n${lines.join('')}\n${COMMAND_LINE.closing}`;
}

function described<Kind extends Argument | Option>(
  kind: new (flags: string, words: string) => Kind,
  flags: string,
  { words, value, choices, default: byDefault, shown }: Details,
): Kind {
  const one = new kind(flags, words);
  if (choices !== undefined) one.choices(choices);
  if (value !== undefined) one.argParser(valueReader(value));
  if (byDefault !== undefined) one.default(byDefault, shown);
  return one;
}
