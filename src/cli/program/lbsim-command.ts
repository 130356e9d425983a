import { Command, Option } from 'commander';
import { PROXY_VERSIONS } from '../../core/version.js';
import { ExitCode } from '../errors.js';
import type { Session } from '../session.js';
import { ALL, gather, milliseconds, PLAYABLE, wholeNumber } from './shared-options.js';

/** Calls a command, and records its exit code. */
type Call = (command: (session: Session) => Promise<ExitCode>) => Promise<void>;

/** A command of commander, with what several of ours share. */
export class LbsimCommand extends Command {
  constructor(
    name: string | undefined,
    private readonly call: Call,
  ) {
    super(name);
  }

  override createCommand(name?: string): LbsimCommand {
    return new LbsimCommand(name, this.call);
  }

  /** @param work what the command does: it gets the arguments, the options and the session; nothing returned: all is fine. */
  does(work: (...given: never[]) => Promise<ExitCode> | Promise<void>): this {
    const act = work as (...given: unknown[]) => Promise<ExitCode | undefined>;
    return this.action((...given: unknown[]) =>
      // The last one is this command.
      this.call(async (session) => (await act(...given.slice(0, -1), session)) ?? ExitCode.ok),
    );
  }

  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }

  choice(flags: string, words: string, choices: readonly string[], byDefault?: string): this {
    const option = new Option(flags, words).choices(choices);
    return this.addOption(byDefault === undefined ? option : option.default(byDefault));
  }

  /** @param byDefault as users write it; the command gets milliseconds. */
  duration(flags: string, words: string, byDefault: string): this {
    return this.addOption(new Option(flags, words).argParser(milliseconds).default(milliseconds(byDefault), byDefault));
  }

  apiOption(): this {
    return this.choice('--api <API>', 'read the configuration as this version of the API (default: as it says)', [
      'v2',
      'v3',
    ]);
  }

  hostsOption(): this {
    return this.option(
      '--hosts <CLUSTER=HOSTS>',
      'hosts that no file tells, as backend=10.0.0.1:80,10.0.0.2:80@zone=b; made up: backend=3, *=3; repeatable',
      gather,
    );
  }

  /** Version and what-if options, the same for every command that reads a scenario. */
  scenarioOptions(set = 'change a field first, as clusters.backend.lb_policy=MAGLEV; repeatable'): this {
    return this.choice(
      '--proxy-version <VERSION>',
      'behave as this version of the proxy, for all proxies',
      PROXY_VERSIONS,
    )
      .apiOption()
      .option('--set <PATH=VALUE>', set, gather)
      .option('--cluster <NAME>', 'only this cluster, of many; with * several; repeatable', gather)
      .hostsOption()
      .option('--unhealthy <SELECTOR>', 'what if these hosts were unhealthy, as zone=a; repeatable', gather)
      .option('--fail <SELECTOR>', 'what if these hosts did not answer, as 10.0.0.3:80; repeatable', gather)
      .option(
        '--allow-unknown-static-fields',
        'fields that are not known are warnings, as with this option of the proxy',
      )
      .option(
        '--policy <NAME=FILE>',
        'load a policy of your own, for clusters with lb_policy: NAME; its code is run; repeatable',
        gather,
      )
      .option('--allow-code', 'load the modules that the files name as their policies: their code is run')
      .option('--allow-outside-files', 'let the scenario name files (traces) that do not lie below its folder');
  }

  /** What is passed on: a report in one file, a link. */
  pageOptions(): this {
    return this.option(
      '--html <OUT>',
      'write a report in one file for a browser: the pictures of the playground; "-": standard output, no report',
    )
      .option(...PLAYABLE)
      .option(
        '--link [SITE]',
        'print the address of a playground with the scenario in it, and run nothing (default: the page of this package)',
      );
  }

  /** Layout of text reports. */
  layoutOptions(all = ALL): this {
    return this.option('--all', all).widthOption();
  }

  widthOption(): this {
    const words = 'width of the report (default: the terminal’s, else 80)';
    return this.option('--width <COLUMNS>', words, wholeNumber(40, 1000));
  }

  barOptions(): this {
    return this.option('--bars', 'draw bars even where the output is no terminal').option('--no-bars', 'draw no bars');
  }
}
