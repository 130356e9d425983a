import { Argument, Command, Option } from 'commander';
import { PROXY_VERSIONS } from '../core/version.js';
import { ExitCode } from './errors.js';
import type { Session } from './session.js';
import { packageVersion } from './package-root.js';
import { COMMAND_LINE } from './program/generated/commands.js';
import { OUTPUT_NAMES, valueReader } from './program/option-values.js';

/** The words of an option or of an argument, and what its value may be. */
interface Details {
  readonly words: string;
  /** Of {@link valueReader}. */
  readonly value?: string;
  /** Themselves, or a name of {@link CHOICES}. */
  readonly choices?: readonly string[] | keyof typeof CHOICES;
  readonly default?: unknown;
  /** The default, as users write it. */
  readonly shown?: string;
  /** The command does nothing without it. */
  readonly required?: true;
  readonly conflicts?: string[];
}

/** By their flags, as commander writes them. */
type Entries = Readonly<Record<string, string | Details>>;

interface CommandWords {
  readonly summary: string;
  readonly description: string;
  readonly argument?: Entries;
  readonly options?: readonly (Entries | readonly Entries[])[];
  readonly examples: readonly string[];
}

/** commands.yaml, which says what is in it. */
const { commands: WORDS, topics } = COMMAND_LINE as {
  readonly commands: Readonly<Record<string, CommandWords>>;
  readonly topics: Readonly<Record<string, string>>;
};

/** Topics of `lbsim help TOPIC`: terms that several commands share. */
export const TOPICS = topics;

const CHOICES = { versions: PROXY_VERSIONS, outputs: OUTPUT_NAMES };

const HELP_WIDTH = 80;

/** What a command does: it gets the argument, the options, the session and the program; nothing returned: all is fine. */
type Work = (...given: never[]) => Promise<ExitCode> | Promise<void>;

/** The file of a command is loaded when it is called. */
const COMMANDS: Readonly<Record<string, () => Promise<Work>>> = {
  run: async () => (await import('./commands/run.js')).runCommand,
  serve: async () => (await import('./commands/serve.js')).serve,
  ring: async () => (await import('./commands/ring.js')).ring,
  predict: async () => (await import('./commands/predict.js')).predictCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
  race: async () => (await import('./commands/race.js')).raceCommand,
  sweep: async () => (await import('./commands/sweep.js')).sweepCommand,
  worker: async () => (await import('./commands/worker.js')).workerCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  find: async () => (await import('./commands/find.js')).findCommand,
  curve: async () => (await import('./commands/curve.js')).curveCommand,
  test: async () => (await import('./commands/test.js')).testCommand,
  verify: async () => (await import('./commands/verify.js')).verifyCommand,
  fuzz: async () => (await import('./commands/fuzz.js')).fuzzCommand,
  validate: async () => (await import('./commands/validate.js')).validate,
  schema: async () => (await import('./commands/schema.js')).schema,
  import: async () => (await import('./commands/import.js')).importCommand,
  init: async () => (await import('./commands/init.js')).init,
  paper: async () => (await import('./commands/paper.js')).paperCommand,
  policies: async () => (await import('./commands/policies.js')).policies,
  examples: async () => (await import('./commands/examples.js')).examples,
  completion: async () => (await import('./commands/completion.js')).completion,
};

export interface ProgramHooks {
  /** Help or version, instead of a command. */
  readonly onHelp: (text: string) => void;
  readonly onDone: (code: ExitCode) => void;
}

/** The command line, as commands.yaml describes it. */
export function buildProgram(session: Session, hooks: ProgramHooks): Command {
  const program = new Command('lbsim')
    .description('Simulates what a proxy’s load balancer does with your traffic: the split, and the reasons for it.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', `explain a command, or a topic: ${Object.keys(TOPICS).join(', ')}`)
    // Arguments stand in the help of each command.
    .configureHelp({ subcommandTerm: (command) => (command.name() in WORDS ? command.name() : 'help [command]') })
    .exitOverride()
    .configureOutput({
      writeOut: hooks.onHelp,
      writeErr: hooks.onHelp,
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .addHelpText('after', examplesText(['lbsim init hello.yaml', 'lbsim run hello.yaml', 'lbsim examples']))
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 an expectation failed, 2 wrong input or usage,\n3 a defect of lbsim, 130 interrupted.',
    );
  for (const [name, { summary, description, argument = {}, options = [], examples }] of Object.entries(WORDS)) {
    const command = program.command(name).summary(summary).description(description);
    command.addHelpText('after', examplesText(examples));
    for (const [flags, of] of Object.entries(argument)) command.addArgument(described(Argument, flags, of));
    for (const [flags, of] of options.flat().flatMap(Object.entries<string | Details>)) {
      const { required = false, conflicts = [] } = typeof of === 'string' ? {} : of;
      command.addOption(described(Option, flags, of).makeOptionMandatory(required).conflicts(conflicts));
    }
    command.action(async (...given: unknown[]) => {
      const work = (await COMMANDS[name]?.()) as ((...given: unknown[]) => Promise<ExitCode | undefined>) | undefined;
      // The last one is this command.
      hooks.onDone((await work?.(...given.slice(0, -1), session, program)) ?? ExitCode.ok);
    });
  }
  return program;
}

function examplesText(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

function described<Kind extends Argument | Option>(
  kind: new (flags: string, words: string) => Kind,
  flags: string,
  of: string | Details,
): Kind {
  const { words, value, choices, default: byDefault, shown }: Details = typeof of === 'string' ? { words: of } : of;
  const one = new kind(flags, words);
  if (choices !== undefined) one.choices(typeof choices === 'string' ? CHOICES[choices] : choices);
  if (value !== undefined) one.argParser(valueReader(value));
  if (byDefault !== undefined) one.default(byDefault, shown);
  return one;
}
