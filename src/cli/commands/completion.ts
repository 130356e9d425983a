import type { Command } from 'commander';
import { COMMAND_LINE } from '../program/generated/commands.js';
import type { Session } from '../session.js';

const SCRIPTS = { bash, zsh, fish };

interface Word {
  readonly text: string;
  readonly description: string;
}

interface Completed extends Word {
  readonly options: readonly Word[];
}

/**
 * `lbsim completion SHELL`: a script that completes commands and their options in a shell; where a command takes files, those too. It is made from
 * the program itself, as `--help` is.
 */
export function completion(
  shell: keyof typeof SCRIPTS,
  _options: unknown,
  { out }: Session,
  program: Command,
): Promise<void> {
  const groups = Object.entries(COMMAND_LINE.groups);
  const commands = program.commands.map((command): Completed => ({
    text: command.name(),
    description: `${groups.find(([, names]) => names.includes(command.name()))?.[0] ?? ''} – ${command.summary()}`,
    options: command.options.flatMap(({ long, description }) =>
      typeof long !== 'string' ? [] : [{ text: long, description }],
    ),
  }));
  return out.write(SCRIPTS[shell](commands));
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ text, options }) => `    ${text}) words="${options.map((one) => one.text).join(' ')}" ;;`,
  );
  return `_lbsim() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ text }) => text).join(' ')} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$words --help" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o nosort -o filenames -F _lbsim lbsim 2> /dev/null || complete -o filenames -F _lbsim lbsim
`;
}

function zsh(commands: readonly Completed[]): string {
  const described = ({ text, description }: Word): string => `'${text}:${quoted(description).replaceAll(':', ' ')}'`;
  const cases = commands.map(({ text, options }) => `    ${text}) words=(${options.map(described).join(' ')}) ;;`);
  return `#compdef lbsim
_lbsim() {
  local -a commands words
  commands=(${commands.map(described).join(' ')})
  if (( CURRENT == 2 )); then _describe -V command commands; return; fi
  case "\${(Q)\${(z)BUFFER}[2]}" in
${cases.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe option words; else _files; fi
}
if [ "$funcstack[1]" = "_lbsim" ]; then _lbsim "$@"; else compdef _lbsim lbsim; fi
`;
}

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

/** Escapes a text between single quotes, for any of the shells. */
function quoted(text: string): string {
  return text.replace(/['\\\n]/g, ' ');
}
