import { createWriteStream, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from './errors.js';
import { Output } from './io.js';
import type { Session } from './session.js';

/** A file to write, or standard output. */
export interface OutputFile {
  write(content: string | Uint8Array): Promise<void>;
  /** Closes a file; standard output stays open. */
  close(): Promise<void>;
}

export interface OutputRules {
  /** Inputs, never to be overwritten: files of the call (`-` is standard input), and those that a scenario names. */
  readonly inputs: readonly string[];
  readonly named: readonly string[];
  /** Overwrite other files. */
  readonly force?: boolean | undefined;
}

/** The files that one call writes, by the option that names them. */
export type OutputFiles = ReadonlyMap<string, OutputFile>;

/**
 * Opens all files that a call writes at its start: a run of minutes should not end with "no such directory". If one cannot
 * be opened, none is changed.
 *
 * @param targets files by option, `-` for standard output.
 * @throws UsageError for files that would be overwritten; OutputError where a file cannot be opened.
 */
export async function openOutputs(
  targets: ReadonlyMap<string, string>,
  rules: OutputRules,
  session: Session,
): Promise<OutputFiles> {
  const files = [...targets].flatMap(([option, target]) => (target === '-' ? [] : [lookAt(option, target)]));
  const refusals = refusalsOf(files, rules);
  if (refusals.length > 0) throw new UsageError(refusals.join('\n'));
  const opened = new Map<string, OutputFile>();
  for (const [option, target] of targets) {
    if (target === '-')
      opened.set(option, { write: (content) => session.out.write(content), close: () => Promise.resolve() });
  }
  const created: string[] = [];
  try {
    for (const { option, target, is } of files) {
      // "wx" fails if the file was created since the check.
      const flags = is === 'device' || rules.force === true ? 'w' : 'wx';
      const output = new Output(createWriteStream(target, { flags }), target);
      await output.write('');
      if (is === 'missing') created.push(target);
      opened.set(option, { write: (content) => output.write(content), close: () => output.end() });
    }
  } catch (error) {
    await Promise.allSettled([...opened.values()].map((file) => file.close()));
    for (const target of created) rmSync(target, { force: true });
    throw error;
  }
  return opened;
}

/** The same for one file; undefined: the option is not given. */
export async function openOutput(
  option: string,
  target: string | undefined,
  rules: OutputRules,
  session: Session,
): Promise<OutputFile | undefined> {
  if (target === undefined) return undefined;
  return (await openOutputs(new Map([[option, target]]), rules, session)).get(option);
}

interface Target {
  readonly option: string;
  readonly target: string;
  /** The same identity for every name of a file, through links of both kinds. */
  readonly id: string;
  readonly is: 'missing' | 'file' | 'device';
}

function lookAt(option: string, target: string): Target {
  try {
    const stats = statSync(target, { bigint: true });
    return { option, target, id: `${stats.dev}:${stats.ino}`, is: stats.isFile() ? 'file' : 'device' };
  } catch {
    return { option, target, id: placeOf(target), is: 'missing' };
  }
}

/** The path of a file to be written. */
function placeOf(target: string): string {
  try {
    return join(realpathSync(dirname(target)), basename(target));
  } catch {
    return resolve(target);
  }
}

function refusalsOf(files: readonly Target[], { inputs, named, force = false }: OutputRules): string[] {
  const read = new Map<string, string>();
  for (const path of named) read.set(lookAt('', path).id, `${path}, which the scenario names`);
  for (const path of inputs) {
    const what = inputs.length === 1 ? 'the scenario' : `${path === '-' ? 'standard input' : path}, which is read`;
    read.set(lookAt('', path === '-' ? '/dev/stdin' : path).id, what);
  }
  const writers = new Map<string, string>();
  return files.flatMap(({ option, target, id, is }) => {
    // A terminal or a pipe is not overwritten, and may be shared.
    if (is === 'device') return [];
    const input = read.get(id);
    if (input !== undefined) return [`${option} ${target} would overwrite ${input}`];
    const other = writers.get(id);
    if (other !== undefined) return [`${other} and ${option} both write ${target}`];
    writers.set(id, option);
    return is === 'file' && !force ? [`${option} ${target}: this file exists already; --force overwrites it`] : [];
  });
}
