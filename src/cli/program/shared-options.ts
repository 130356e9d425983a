import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { PROXY_VERSIONS } from '../../core/version.js';
import type { ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';

/** Runs a command, and records its exit code. */
export type Call = (command: (session: Session) => Promise<ExitCode>) => Promise<void>;

/** Options that several commands have, for `.option(...SEED)`. */
export const SEED = ['--seed <SEED>', 'seed of every random stream, instead of the scenario’s'] as const;
export const DURATION = ['--duration <TIME>', 'virtual time to simulate, as 30s or 5m'] as const;
export const FORCE = ['--force', 'overwrite the file if it exists; never one that is read'] as const;

export const ALL = 'show every host and phase, however many';

export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Version and what-if options, the same for every command that reads a scenario. */
export function addScenarioOptions(
  command: Command,
  set = 'change a field first, as clusters.backend.lb_policy=MAGLEV; repeatable',
): void {
  command
    .addOption(
      new Option('--proxy-version <VERSION>', 'behave as this version of the proxy, for all proxies').choices(
        PROXY_VERSIONS,
      ),
    )
    .addOption(apiOption())
    .option('--set <PATH=VALUE>', set, gather)
    .option('--cluster <NAME>', 'only this cluster, of many; with * several; repeatable', gather)
    .option(
      '--hosts <CLUSTER=HOSTS>',
      'hosts that no file tells, as backend=10.0.0.1:80,10.0.0.2:80@zone=b; made up: backend=3, *=3; repeatable',
      gather,
    )
    .option('--unhealthy <SELECTOR>', 'what if these hosts were unhealthy, as zone=a; repeatable', gather)
    .option('--fail <SELECTOR>', 'what if these hosts did not answer, as 10.0.0.3:80; repeatable', gather)
    .option('--allow-unknown-static-fields', 'fields that are not known are warnings, as with this option of the proxy')
    .option(
      '--policy <NAME=FILE>',
      'load a policy of your own, for clusters with lb_policy: NAME; its code is run; repeatable',
      gather,
    )
    .option('--allow-code', 'load the modules that the files name as their policies: their code is run')
    .option('--allow-outside-files', 'let the scenario name files (traces) that do not lie below its folder');
}

/** Layout options of text reports. */
export function addLayoutOptions(command: Command, all = ALL): void {
  command.option('--all', all);
  addWidth(command);
}

export function addWidth(command: Command): void {
  const words = 'width of the report (default: the terminal’s, else 80)';
  command.option('--width <COLUMNS>', words, wholeNumber(40, 1000));
}

export function addBars(command: Command): void {
  command.option('--bars', 'draw bars even where the output is no terminal').option('--no-bars', 'draw no bars');
}

export function apiOption(): Option {
  const words = 'read the configuration as this version of the API (default: as it says)';
  return new Option('--api <API>', words).choices(['v2', 'v3']);
}

/** An option that repeats. */
export function gather(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || value === Infinity) throw new InvalidArgumentError('It is a number above 0.');
  return value;
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}
