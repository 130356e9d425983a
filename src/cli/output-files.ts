import { createWriteStream, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from './errors.js';
import { Output } from './io.js';
import type { Session } from './session.js';

/** A file to write, or standard output. */
export interface OutputFile {
  write(text: string): Promise<void>;
  /** Ends a file; standard output stays open. */
  close(): Promise<void>;
}

export interface OutputRules {
  /** What the call reads, never to be overwritten: its files (`-` is standard input), and those that a scenario names. */
  readonly inputs: readonly string[];
  readonly named: readonly string[];
  /** Overwrite other files. */
  readonly force: boolean;
}

/** The files that one call writes, by the option that names them. */
export type OutputFiles = ReadonlyMap<string, OutputFile>;

/**
 * Opens every file that a call writes, now: a run of minutes should not end with "no such directory". Where one of them
 * cannot be had, all are as they were.
 *
 * @param targets files by option, `-` for standard output.
 * @throws UsageError for all that would overwrite something; OutputError where a file cannot be opened.
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
      opened.set(option, { write: (text) => session.out.write(text), close: () => Promise.resolve() });
  }
  const created: string[] = [];
  try {
    for (const { option, target, is } of files) {
      // "wx" fails where somebody else has made the file since it was looked at.
      const flags = is === 'device' || rules.force ? 'w' : 'wx';
      const output = new Output(createWriteStream(target, { flags }), target);
      await output.write('');
      if (is === 'missing') created.push(target);
      opened.set(option, { write: (text) => output.write(text), close: () => output.end() });
    }
  } catch (error) {
    await Promise.allSettled([...opened.values()].map((file) => file.close()));
    for (const target of created) rmSync(target, { force: true });
    throw error;
  }
  return opened;
}

interface Target {
  readonly option: string;
  readonly target: string;
  /** The same for every name of a file: links of both kinds. */
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

/** Where a file will be. */
function placeOf(target: string): string {
  try {
    return join(realpathSync(dirname(target)), basename(target));
  } catch {
    return resolve(target);
  }
}

function refusalsOf(files: readonly Target[], { inputs, named, force }: OutputRules): string[] {
  const read = new Map<string, string>();
  for (const path of named) read.set(lookAt('', path).id, `${path}, which the scenario names`);
  for (const path of inputs) {
    const what = inputs.length === 1 ? 'the scenario' : `${path === '-' ? 'standard input' : path}, which is read`;
    read.set(lookAt('', path === '-' ? '/dev/stdin' : path).id, what);
  }
  const writers = new Map<string, string>();
  return files.flatMap(({ option, target, id, is }) => {
    // What is written to a terminal or a pipe overwrites nothing, and may be shared.
    if (is === 'device') return [];
    const input = read.get(id);
    if (input !== undefined) return [`${option} ${target} would overwrite ${input}`];
    const other = writers.get(id);
    if (other !== undefined) return [`${other} and ${option} both write ${target}`];
    writers.set(id, option);
    return is === 'file' && !force ? [`${option} ${target}: this file exists already; --force overwrites it`] : [];
  });
}
