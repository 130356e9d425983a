import { COMMAND_LINE } from '../program/generated/commands.js';
import type { Work } from '../session.js';
import { TEXT as BASH } from '../completion/generated/bash.js';
import { TEXT as ZSH } from '../completion/generated/zsh.js';

type Word = Readonly<{ text: string; description: string }>;

interface Completed extends Word {
  readonly options: readonly Word[];
}

/** A script that completes commands, options and files in a shell, made from the program itself, as `--help` is. */
export const completionCommand: Work<'completion'> = (shell, _options, { out }, program) => {
  const groups = Object.entries(COMMAND_LINE.groups);
  const commands = program.commands.map((command): Completed => ({
    text: command.name(),
    description: `${groups.find(([, names]) => names.includes(command.name()))?.[0] ?? ''} – ${command.summary()}`,
    options: command.options.flatMap(({ long, description }) =>
      typeof long !== 'string' ? [] : [{ text: long, description }],
    ),
  }));
  return out.write({ bash, zsh, fish }[shell](commands));
};

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ text, options }) => `    ${text}) words="${options.map((one) => one.text).join(' ')}" ;;`,
  );
  return filled(BASH, commands.map(({ text }) => text).join(' '), cases);
}

function zsh(commands: readonly Completed[]): string {
  const described = ({ text, description }: Word): string => `'${text}:${quoted(description).replaceAll(':', ' ')}'`;
  const cases = commands.map(({ text, options }) => `    ${text}) words=(${options.map(described).join(' ')}) ;;`);
  return filled(ZSH, commands.map(described).join(' '), cases);
}

const filled = (script: string, commands: string, cases: readonly string[]): string =>
  script.replace('COMMANDS', () => commands).replace('CASES', () => cases.join('\n'));

function fish(commands: readonly Completed[]): string {
  // Of what keeps its order the last comes first.
  const lines = [...commands]
    .reverse()
    .flatMap(({ text, description, options }) => [
      `complete -c lbsim -n __fish_use_subcommand -f -k -a ${text} -d '${quoted(description)}'`,
      ...options.map(
        (one) =>
          `complete -c lbsim -n '__fish_seen_subcommand_from ${text}' -l ${one.text.replace(/^--/, '')} -d '${quoted(one.description)}'`,
      ),
    ]);
  return `${lines.join('\n')}\n`;
}

const quoted = (text: string): string => text.replace(/['\\\n]/g, ' ');
