import type { Command } from 'commander';
import type { ExitCode } from './exit-code.js';
import { addCompare } from './program/compare-command.js';
import { addCompletion } from './program/completion-command.js';
import { addCurve } from './program/curve-command.js';
import { addExamples } from './program/examples-command.js';
import { addExplain } from './program/explain-command.js';
import { addFind } from './program/find-command.js';
import { addFuzz } from './program/fuzz-command.js';
import { addImport } from './program/import-command.js';
import { addInit } from './program/init-command.js';
import { LbsimCommand } from './program/lbsim-command.js';
import { addPaper } from './program/paper-command.js';
import { addPolicies } from './program/policies-command.js';
import { addPredict } from './program/predict-command.js';
import { addRace } from './program/race-command.js';
import { addRing } from './program/ring-command.js';
import { addRun } from './program/run-command.js';
import { addSchema } from './program/schema-command.js';
import { addServe } from './program/serve-command.js';
import { addSweep } from './program/sweep-command.js';
import { addTest } from './program/test-command.js';
import { addVerify } from './program/verify-command.js';
import { addWorker } from './program/worker-command.js';
import { addValidate } from './program/validate-command.js';
import { own } from '../core/own.js';
import type { Session } from './session.js';
import { TOPICS } from './topics.js';
import { packageVersion } from './version.js';

const HELP_WIDTH = 80;

/** Says what a command takes and does. */
type Add = (command: LbsimCommand, program: LbsimCommand) => void;

/** The commands by name, in the order of `--help`. */
const COMMANDS: Readonly<Record<string, Add>> = {
  run: addRun,
  serve: addServe,
  ring: addRing,
  predict: addPredict,
  compare: addCompare,
  race: addRace,
  sweep: addSweep,
  worker: addWorker,
  explain: addExplain,
  find: addFind,
  curve: addCurve,
  test: addTest,
  verify: addVerify,
  fuzz: addFuzz,
  validate: addValidate,
  schema: addSchema,
  import: addImport,
  init: addInit,
  paper: addPaper,
  policies: addPolicies,
  examples: addExamples,
  completion: addCompletion,
};

export interface ProgramHooks {
  /** Help or version, instead of a command. */
  readonly onHelp: (text: string) => void;
  readonly onDone: (code: ExitCode) => void;
}

/**
 * The command line. Commands are imported when they are called: `--help` loads neither YAML nor the simulation.
 *
 * @param asked the first argument: of a command it takes no others to read it. They are a third of the time of `--version`.
 */
export function buildProgram(session: Session, hooks: ProgramHooks, asked = ''): Command {
  const program = new LbsimCommand('lbsim', async (command) => hooks.onDone(await command(session)));
  program
    .description('Simulates what a proxy’s load balancer does with your traffic: the split, and the reasons for it.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', `explain a command, or a topic: ${Object.keys(TOPICS).join(', ')}`)
    .exitOverride()
    .configureOutput({
      writeOut: hooks.onHelp,
      writeErr: hooks.onHelp,
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .examples('lbsim init hello.yaml', 'lbsim run hello.yaml', 'lbsim examples')
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 an expectation failed, 2 wrong input or usage,\n3 a defect of lbsim, 130 interrupted.',
    );
  for (const [name, add] of commandsFor(asked)) add(program.command(name), program);
  return program;
}

function commandsFor(asked: string): readonly (readonly [string, Add])[] {
  if (asked === '--version' || asked === '-V') return [];
  const only = own(COMMANDS, asked);
  // Its script names them all.
  return only === undefined || only === addCompletion ? Object.entries(COMMANDS) : [[asked, only]];
}
